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
function createNotes(path: string, method: Method, operation: Json, behaviours = {}, filters: Json[] = []) {
  const base = {
    get: { parameters: filters, responses: { 200: shows(listOf(NOTE)) } },
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
  const { status, headers } = await send(method, path + query, body)
  expect([status, headers['x-mock-ignored']]).toEqual([204, undefined])
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

const NEW = object({ title: text })
const KINDS = { created: listOf(NOTE), updated: listOf(NOTE), deleted: listOf(integer), createdCount: integer }
const kinds = { 200: shows({ ...object(KINDS), required: ['createdCount'] }), 400: nothing, 404: nothing, 501: nothing }

test.for<[string, Method, string, Json | Json[], Json | Json[]]>([
  [
    'a list of each kind',
    'post',
    '/notes/batch',
    object({ create: listOf(NEW), update: listOf(CHANGE), delete: listOf(integer) }),
    { create: [{ title: 'new' }], update: [{ id: 2, title: 'same' }], delete: [5, 77] },
  ],
  [
    'a list of each kind, by other names',
    'post',
    '/notes/sync',
    object({ toAdd: listOf(NEW), notesToUpdate: listOf(CHANGE), deletedIds: listOf(integer) }),
    { toAdd: [{ title: 'new' }], notesToUpdate: [{ id: 2, title: 'same' }], deletedIds: [5] },
  ],
  [
    'operations that say what they do',
    'post',
    '/notes/batch',
    object({ operations: listOf(object({ op: { enum: ['create', 'update', 'delete'] }, id: integer, value: NEW })) }),
    {
      operations: [
        { op: 'create', value: { title: 'new' } },
        { op: 'update', id: 2, value: { title: 'same' } },
        { op: 'delete', id: 5 },
      ],
    },
  ],
  [
    'requests that are called after what they do',
    'post',
    '/notes:batchUpdate',
    object({
      requests: listOf(
        object({ createNote: object({ note: NEW }), updateNote: CHANGE, deleteNote: object({ noteId: integer }) }),
      ),
    }),
    {
      requests: [
        { createNote: { note: { title: 'new' } } },
        { updateNote: { id: 2, title: 'same' } },
        { deleteNote: { noteId: 5 } },
      ],
    },
  ],
])('%s: all is done, and the response says so', async ([, method, path, schema, body]) => {
  const { send, notes } = createNotes(path, method, { requestBody: takes(schema as Json), responses: kinds })
  const before = await notes()
  const response = await send(method, path, body)
  const after = await notes()
  const kept = before.filter(({ id }) => id !== 5).map((one) => (one.id === 2 ? { ...one, title: 'same' } : one))
  expect(after).toEqual([...kept, { id: 11, title: 'new', archived: expect.any(Boolean) as boolean }])
  const [created, updated] = [after.filter(({ id }) => id === 11), after.filter(({ id }) => id === 2)]
  expect([response.status, response.body]).toEqual([200, { createdCount: 1, created, updated, deleted: [5] }])
})

test.for([
  ['501 for one that is not understood', { op: 'print', id: 3 }, 501],
  ['400 for one that names no item', { op: 'update', value: { title: 'x' } }, 400],
  ['404 for one that there is not', { op: 'update', id: 77, value: { title: 'x' } }, 404],
] as const)('of several operations none is done: %s', async ([, wrong, status]) => {
  const schema = object({ operations: listOf(object({ op: text, id: integer, value: NEW })) })
  const { send, notes } = createNotes('/notes/batch', 'post', { requestBody: takes(schema), responses: kinds })
  const before = await notes()
  const response = await send('post', '/notes/batch', { operations: [{ op: 'delete', id: 2 }, wrong] })
  expect([response.status, await notes()]).toEqual([status, before])
})

test('a deletion by filters deletes what the list with these filters shows', async () => {
  const parameters = ['archived', 'title'].map((name) => ({ name, in: 'query', schema: text }))
  const { send, notes } = createNotes(
    '/notes',
    'delete',
    { parameters, responses: { 204: nothing, 501: nothing } },
    {},
    parameters,
  )
  const before = await notes()
  const shown = (await send('get', '/notes?archived=true')).body as unknown[]
  expect(shown.length).toBeGreaterThan(0)
  expect((await send('delete', '/notes?archived=true')).status).toBe(204)
  expect(await notes()).toEqual(before.filter(({ archived }) => !archived))
  expect((await send('delete', '/notes')).status).toBe(204)
  expect(await notes()).toEqual([])
})

test.for<[Json, boolean]>([
  [{ summary: 'Delete all notes' }, true],
  [{ summary: 'Notes', description: 'Removes **every** note.\n\nBeware.' }, true],
  [{ description: 'Removes every note of the caller. All of them.' }, true],
  [{ operationId: 'clearAllNotes' }, true],
  [{ operationId: 'deleteNotes', summary: 'Delete notes' }, false],
  [{ summary: 'Delete all notes', parameters: [{ name: 'before', in: 'query', schema: text }] }, false],
])('a DELETE of the list that says %o empties it: %s', async ([said, empties]) => {
  const { send, notes } = createNotes('/notes', 'delete', { ...said, responses: { 204: nothing } })
  expect(await notes()).toHaveLength(10)
  expect((await send('delete', '/notes')).status).toBe(204)
  expect(await notes()).toHaveLength(empties ? 0 : 10)
})

test('a PATCH of the list by filters changes what the list with these filters shows, and says how many', async () => {
  const parameters = [{ name: 'archived', in: 'query', schema: text }]
  const operation = { parameters, requestBody: takes(NEW), responses: { 200: shows(object({ count: integer })) } }
  const { send, notes } = createNotes('/notes', 'patch', operation, {}, parameters)
  const before = await notes()
  const changed = before.map((one) => (one.archived ? { ...one, title: 'old' } : one))
  const count = before.filter(({ archived }) => archived).length
  expect(count).toBeGreaterThan(0)
  expect((await send('patch', '/notes?archived=true', { title: 'old' })).body).toEqual({ count })
  expect(await notes()).toEqual(changed)
  expect((await send('patch', '/notes', { title: 'all' })).body).toEqual({ count: before.length })
  expect(await notes()).toEqual(before.map((one) => ({ ...one, title: 'all' })))
})

test('a filter that is an object of conditions selects what a PATCH changes and what a DELETE removes', async () => {
  const condition = (name: string) => ({ name, in: 'query', content: { 'application/json': { schema: object({}) } } })
  const counts = { 200: shows(object({ count: integer })) }
  for (const method of ['patch', 'delete'] as const) {
    const operation = {
      parameters: [condition('where')],
      ...(method === 'patch' && { requestBody: takes(NEW) }),
      responses: counts,
    }
    const { send, notes } = createNotes('/notes', method, operation, {}, [condition('filter')])
    const before = await notes()
    const where = encodeURIComponent('{"id":{"gt":8}}')
    expect((await send(method, `/notes?where=${where}`, { title: 'late' })).body).toEqual({ count: 2 })
    const [first, last] = [before.slice(0, 8), before.slice(8)]
    const changed = method === 'patch' ? last.map((one) => ({ ...one, title: 'late' })) : []
    expect(await notes()).toEqual([...first, ...changed])
  }
})

test.for<[string, Json]>([
  ['/notes/bulk', object({ items: listOf(NEW) })],
  ['/notes/bulk-create', object({ notes: listOf(NEW), notify: { type: 'boolean' } })],
  ['/notes/import', object({ data: listOf(NEW) })],
])('POST %s creates the items of a list in a member', async ([path, schema]) => {
  const responses = { 201: shows(object({ notes: listOf(NOTE) })) }
  const { send, notes } = createNotes(path, 'post', { requestBody: takes(schema), responses })
  const [member = ''] = Object.keys(schema.properties as object)
  const response = await send('post', path, { [member]: [{ title: 'one' }, { title: 'two' }] })
  expect([response.status, response.body]).toEqual([201, { notes: (await notes()).slice(10) }])
  expect((await notes()).slice(10)).toMatchObject([
    { id: 11, title: 'one' },
    { id: 12, title: 'two' },
  ])
})
