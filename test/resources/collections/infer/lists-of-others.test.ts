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

/** Shelves of rooms, by names that are unique in one room, and a list of the shelves of all rooms. */
const createRooms = () =>
  createSender(
    {
      '/rooms': {
        get: { responses: { 200: list(ref('Room')) } },
        post: { requestBody: takes(ref('Room')), responses: { 201: shows(ref('Room')) } },
      },
      '/rooms/{room}': {
        parameters: [{ ...inPath('room'), schema: text }],
        get: { responses: { 200: shows(ref('Room')) } },
      },
      '/rooms/{room}/shelves': {
        parameters: [{ ...inPath('room'), schema: text }],
        get: { responses: { 200: list(ref('Shelf')) } },
        post: { requestBody: takes(ref('Shelf')), responses: { 201: shows(ref('Shelf')) } },
      },
      '/rooms/{room}/shelves/{name}': {
        parameters: [
          { ...inPath('room'), schema: text },
          { ...inPath('name'), schema: text },
        ],
        get: { responses: { 200: shows(ref('Shelf')), 404: nothing } },
      },
      '/shelves': {
        get: {
          parameters: [inQuery('limit', { type: 'integer' }), inQuery('offset', { type: 'integer' })],
          responses: { 200: list(ref('Shelf')) },
        },
      },
    },
    { Room: object({ name: text }, ['name']), Shelf: object({ name: text, wood: text }, ['name']) },
  )

test('a list at the top has the items of all parents, also two of one name', async () => {
  const send = createRooms()
  for (const name of ['hall', 'attic']) {
    await send('post', '/rooms', { name })
    await send('post', `/rooms/${name}/shelves`, { name: 'old', wood: name })
  }
  const all = (await send('get', '/shelves?limit=500')).filter(({ name }) => name === 'old')
  expect(all.map(({ wood }) => wood)).toEqual(['hall', 'attic'])
  const [room] = await send('get', '/rooms')
  const shelves = await send('get', `/rooms/${String(room?.name)}/shelves`)
  const names = (await send('get', '/shelves?limit=500')).map(({ name }) => name)
  expect(names).toEqual(expect.arrayContaining(shelves.map(({ name }) => name)))
  expect(await send('get', '/shelves?limit=2&offset=1')).toHaveLength(2)
})
