import request from 'supertest'
import { expect, test } from 'vitest'
import { inPath, nothing, shows, takes } from '../../../support/contracts/pets.ts'
import { createContractTester, type Json, OWN_KEY } from '../../../support/contracts/small-contract.ts'

const text = { type: 'string' }
const integer = { type: 'integer' }
const object = (properties: object) => ({ type: 'object', properties })
const listOf = (items: object) => ({ type: 'array', items })
const NOTE = {
  ...object({ id: integer, title: text, archived: { type: 'boolean' } }),
  required: ['id', 'title', 'archived'],
}
const CHANGE = object({ id: integer, title: text })
const IDS = object({ ids: listOf(integer) })
const DONE = { ...object({ success: { type: 'boolean' }, affected: integer }), required: ['success', 'affected'] }
const done = { 200: shows(DONE), 404: nothing }

type Method = 'get' | 'post' | 'put' | 'patch' | 'delete'

/** Notes with an operation on several of them. */
function createNotes(path: string, method: Method, operation: Json, behaviours = {}) {
  const base = {
    get: { responses: { 200: shows(listOf(NOTE)) } },
    post: { requestBody: takes(object({ title: text })), responses: { 201: shows(NOTE) } },
  }
  const own = path === '/notes' ? {} : { [path]: { [method]: operation } }
  const { standin } = createContractTester(
    {
      '/notes': { ...base, ...(path === '/notes' ? { [method]: operation } : {}) },
      '/notes/{id}': { parameters: [inPath('id')], get: { responses: { 200: shows(NOTE), 404: nothing } } },
      ...own,
    },
    {},
    { behaviours },
  )
  const send = (how: Method, where: string, body?: object) => request(standin.app)[how](where).set(OWN_KEY).send(body)
  const notes = async () => (await send('get', '/notes')).body as { id: number; title: string; archived: boolean }[]
  return { send, notes }
}

test.for<[Method, string, Json, string, Json | unknown[] | undefined]>([
  ['post', '/notes/bulk-delete', { requestBody: takes(IDS), responses: { 204: nothing } }, '', { ids: [2, 5] }],
  ['post', '/notes/batchDelete', { requestBody: takes(listOf(integer)), responses: { 204: nothing } }, '', [2, 5]],
  [
    'post',
    '/notes/delete',
    { requestBody: takes(object({ note_ids: listOf(text) })), responses: { 204: nothing } },
    '',
    { note_ids: ['2', '5'] },
  ],
  [
    'delete',
    '/notes',
    { requestBody: takes(listOf(object({ id: integer }))), responses: { 204: nothing } },
    '',
    [{ id: 2 }, { id: 5 }],
  ],
  [
    'delete',
    '/notes',
    { parameters: [{ name: 'ids', in: 'query', schema: text }], responses: { 204: nothing } },
    '?ids=2,5',
    undefined,
  ],
])('%s %s deletes what it names', async ([method, path, operation, query, body]) => {
  const { send, notes } = createNotes(path, method, operation)
  expect((await send(method, path + query, body)).status).toBe(204)
  expect((await notes()).map(({ id }) => id)).toEqual([1, 3, 4, 6, 7, 8, 9, 10])
  expect((await send('get', '/notes/5')).status).toBe(404)
  expect((await send(method, path + query, body)).status).toBe(204)
})

test.for<[Method, string, Json, Json | unknown[]]>([
  [
    'patch',
    '/notes',
    listOf(CHANGE),
    [
      { id: 2, title: 'same' },
      { id: 5, title: 'same' },
    ],
  ],
  [
    'put',
    '/notes/bulk',
    object({ notes: listOf(CHANGE) }),
    {
      notes: [
        { id: 2, title: 'same' },
        { id: 5, title: 'same' },
      ],
    },
  ],
  ['post', '/notes/bulk_update', object({ ids: listOf(integer), title: text }), { ids: [2, 5], title: 'same' }],
  [
    'post',
    '/notes/batch-update',
    object({ ids: listOf(integer), changes: object({ title: text }) }),
    { ids: [2, 5], changes: { title: 'same' } },
  ],
])('%s %s changes what it names, and says how many', async ([method, path, schema, body]) => {
  const { send, notes } = createNotes(path, method, { requestBody: takes(schema), responses: done })
  const before = await notes()
  expect((await send(method, path, body)).body).toEqual({ success: true, affected: 2 })
  expect(await notes()).toEqual(before.map((one) => ([2, 5].includes(one.id) ? { ...one, title: 'same' } : one)))
})

test('a verb means for several items what it means for one, and the response shows them', async () => {
  const responses = { 200: shows(listOf(NOTE)), 404: nothing }
  const { send, notes } = createNotes('/notes/bulk-archive', 'post', { requestBody: takes(IDS), responses })
  const response = await send('post', '/notes/bulk-archive', { ids: [3, 4, 3] })
  const after = await notes()
  expect(response.body).toEqual(after.filter(({ id }) => id === 3 || id === 4))
  expect(after[2]).toMatchObject({ id: 3, archived: true })
})

test('a change of one that is not there changes none', async () => {
  const operation = { requestBody: takes(IDS), responses: done }
  const { send, notes } = createNotes('/notes/bulk-archive', 'post', operation)
  const before = await notes()
  expect((await send('post', '/notes/bulk-archive', { ids: [3, 77] })).status).toBe(404)
  expect(await notes()).toEqual(before)
})

test('what is not known to do anything says so', async () => {
  const operation = { requestBody: takes(IDS), responses: { ...done, 501: nothing } }
  const lenient = await createNotes('/notes/bulk-print', 'post', operation).send('post', '/notes/bulk-print', {
    ids: [3],
  })
  expect([lenient.status, lenient.headers['x-mock-behaviours']]).toEqual([
    200,
    expect.stringContaining('collections.unknown-action'),
  ])
  const strict = createNotes('/notes/bulk-print', 'post', operation, { 'collections.unknown-action': 'refuse' })
  expect((await strict.send('post', '/notes/bulk-print', { ids: [3] })).status).toBe(501)
})

test.for([
  ['whose response is one', object({ id: integer, title: text, tags: listOf(CHANGE) }), { 200: shows(NOTE) }],
  ['with a member named as they are', object({ note: integer, tags: listOf(CHANGE) }), { 200: shows(NOTE) }],
  ['with ids of something else', object({ title: text, tag_ids: listOf(integer) }), { 204: nothing }],
] as const)('an item %s names no items', async ([, body, responses]) => {
  const { send, notes } = createNotes('/notes', 'patch', { requestBody: takes(body), responses })
  const before = await notes()
  const { status } = await send('patch', '/notes', { title: 'tagged', tags: [], tag_ids: [1] })
  expect([status, await notes()]).toEqual([Number(Object.keys(responses)[0]), before])
})
