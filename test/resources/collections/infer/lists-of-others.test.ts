import request from 'supertest'
import { expect, test } from 'vitest'
import { inPath, nothing, ref, shows, takes } from '../../../support/contracts/pets.ts'
import { createContractTester, type Json, OWN_KEY } from '../../../support/contracts/small-contract.ts'

const text = { type: 'string' }
const object = (properties: Json, required: string[] = []) => ({ type: 'object', required, properties })
const list = (items: Json) => shows({ type: 'array', items })
const inQuery = (name: string, schema: Json) => ({ name, in: 'query', schema })

function createSender(paths: Json, schemas: Json) {
  const { standin } = createContractTester(paths, schemas)
  return async (method: 'get' | 'post', path: string, sent?: object) => {
    const response = await request(standin.app)[method](path).set(OWN_KEY).send(sent)
    return response.body as Json & (Json & { id: number; tags: { id: number; name: string }[] })[]
  }
}

/** Notes that have tags, and tags that list their notes. */
const createNotes = () =>
  createSender(
    {
      '/tags': {
        get: { responses: { 200: list(ref('Tag')) } },
        post: { requestBody: takes(object({ name: text })), responses: { 201: shows(ref('Tag')) } },
      },
      '/tags/{tagId}': { parameters: [inPath('tagId')], get: { responses: { 200: shows(ref('Tag')), 404: nothing } } },
      '/tags/{tagId}/notes': { parameters: [inPath('tagId')], get: { responses: { 200: list(ref('Note')) } } },
      '/notes': {
        get: { parameters: [inQuery('tag', { type: 'integer' })], responses: { 200: list(ref('Note')) } },
        post: {
          requestBody: takes(
            object({ title: text, tags: { type: 'array', items: object({ id: { type: 'integer' } }) } }),
          ),
          responses: { 201: shows(ref('Note')) },
        },
      },
      '/notes/{noteId}': { parameters: [inPath('noteId')], get: { responses: { 200: shows(ref('Note')) } } },
    },
    {
      Tag: object({ id: { type: 'integer' }, name: text }, ['id', 'name']),
      Note: object({ id: { type: 'integer' }, title: text, tags: { type: 'array', items: ref('Tag'), minItems: 2 } }, [
        'id',
        'tags',
      ]),
    },
  )

test('a list below an item has the items that name it among others', async () => {
  const send = createNotes()
  const { id: tag } = await send('post', '/tags', { name: 'new' })
  const { id: note } = await send('post', '/notes', { title: 'a', tags: [{ id: 1 }, { id: tag }] })
  await send('post', '/notes', { title: 'b', tags: [{ id: 1 }, { id: 2 }] })
  expect((await send('get', `/tags/${String(tag)}/notes`)).map(({ id }) => id)).toEqual([note])
  expect((await send('get', `/notes?tag=${String(tag)}`)).map(({ id }) => id)).toEqual([note])
})

test('the first documents name others that there are, each of them once', async () => {
  const send = createNotes()
  const tags = new Map((await send('get', '/tags')).map(({ id, name }) => [id, name]))
  for (const note of await send('get', '/notes')) {
    for (const { id, name } of note.tags) expect(name).toBe(tags.get(id))
    expect(new Set(note.tags.map(({ id }) => id)).size).toBe(note.tags.length)
  }
})
