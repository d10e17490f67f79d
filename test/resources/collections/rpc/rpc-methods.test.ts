import request from 'supertest'
import { describe, expect, test } from 'vitest'
import { ref, shows, takes } from '../../../support/contracts/pets.ts'
import { createContractTester, type Json, OWN_KEY } from '../../../support/contracts/small-contract.ts'

const text = { type: 'string' }
const inQuery = (...names: readonly string[]) => names.map((name) => ({ name, in: 'query', schema: text }))
const sends = (...names: readonly string[]) =>
  takes({ type: 'object', properties: Object.fromEntries(names.map((name) => [name, text])) })
const shown = { 200: shows({ type: 'object', properties: { ok: { type: 'boolean' }, room: ref('Room') } }) }
const done = { 200: shows({ type: 'object', properties: { ok: { type: 'boolean' } } }) }
const all = { 200: shows({ type: 'object', properties: { rooms: { type: 'array', items: ref('Room') } } }) }

const ROOM = {
  type: 'object',
  required: ['id', 'name'],
  properties: { id: text, name: text, team_id: text, is_archived: { type: 'boolean' } },
}

/** Channels, which the document calls rooms where it shows them, by methods such as `/channels.info` or `/channels/info`. */
function createRooms(mark: string, paths: (method: (verb: string) => string) => Json) {
  const method = (verb: string) => `/channels${mark}${verb}`
  const { standin } = createContractTester(
    paths(method),
    { Room: ROOM },
    { documents: 0, clock: '2026-03-05T14:30:00Z' },
  )
  const post = async (verb: string, body: object) => {
    const sent = await request(standin.app).post(method(verb)).set(OWN_KEY).send(body)
    return { status: sent.status, headers: sent.headers as Json, body: sent.body as { room?: Json; rooms?: Json[] } }
  }
  const get = async (verb: string, query: object = {}) => {
    const sent = await request(standin.app).get(method(verb)).set(OWN_KEY).query(query)
    return { status: sent.status, headers: sent.headers as Json, body: sent.body as { room?: Json; rooms?: Json[] } }
  }
  return { post, get }
}

describe('methods of an API in the style of remote procedure calls', () => {
  const byQuery = (method: (verb: string) => string) => ({
    [method('create')]: { post: { requestBody: sends('name', 'team_id'), responses: shown } },
    [method('info')]: { get: { parameters: inQuery('room', 'locale'), responses: shown } },
    [method('list')]: { get: { parameters: inQuery('team_id'), responses: all } },
    [method('rename')]: { post: { requestBody: sends('room', 'name'), responses: shown } },
    [method('archive')]: { post: { requestBody: sends('room'), responses: done } },
    [method('delete')]: { post: { requestBody: sends('room'), responses: done } },
  })

  test.each(['.', '/'])(
    'are about one collection, whose ids are in the query and in bodies: channels%sinfo',
    async (mark) => {
      const { get, post } = createRooms(mark, byQuery)
      const made = await post('create', { name: 'project-x', team_id: 't1' })
      const room = made.body.room?.id
      expect(made.body.room).toEqual({
        id: expect.any(String) as unknown,
        name: 'project-x',
        team_id: 't1',
        is_archived: false,
      })
      expect(made.headers).not.toHaveProperty('location')
      await post('create', { name: 'project-z', team_id: 't2' })

      expect((await post('rename', { room, name: 'project-y' })).body.room).toMatchObject({
        id: room,
        name: 'project-y',
      })
      expect((await post('archive', { room })).status).toBe(200)
      const read = await get('info', { room, locale: 'en' })
      expect(read.body.room).toEqual({ id: room, name: 'project-y', team_id: 't1', is_archived: true })
      expect(read.headers['x-mock-ignored']).toBe('query locale')
      expect((await get('list', { team_id: 't1' })).body.rooms).toEqual([read.body.room])

      expect((await post('delete', { room })).status).toBe(200)
      expect((await get('info', { room })).status).toBe(404)
      expect((await get('list')).body.rooms).toHaveLength(1)
    },
  )

  test('may all be posted, so that lists are filtered by the body', async () => {
    const { post } = createRooms('/', (method) => ({
      [method('create')]: { post: { requestBody: sends('name', 'team_id'), responses: shown } },
      [method('get')]: { post: { requestBody: sends('channelId'), responses: shown } },
      [method('list')]: { post: { requestBody: sends('team_id'), responses: all } },
      [method('update')]: { post: { requestBody: sends('channelId', 'name'), responses: shown } },
    }))
    const made = await post('create', { name: 'project-x', team_id: 't1' })
    await post('create', { name: 'project-z', team_id: 't2' })
    const { id: channelId } = made.body.room ?? {}
    const changed = await post('update', { channelId, name: 'project-y' })
    expect(changed.body.room).toEqual({ ...made.body.room, name: 'project-y' })
    expect((await post('get', { channelId })).body).toEqual(changed.body)
    expect((await post('list', { team_id: 't1' })).body.rooms).toEqual([changed.body.room])
    expect((await post('list', {})).body.rooms).toHaveLength(2)
  })

  test('stay generated where none reads an item by its id', async () => {
    const { get } = createRooms('.', (method) => ({
      ...byQuery(method),
      [method('info')]: { get: { parameters: inQuery('locale'), responses: shown } },
    }))
    expect((await get('info')).headers['x-mock-generated']).toBe('true')
  })

  test('may show an item by an example whose schema has `items` and no type', async () => {
    const { get, post } = createRooms('.', (method) => {
      const example = { room: { id: 'C1', name: 'general', team_id: 't1', is_archived: false } }
      const schema = { type: 'object', properties: { room: { items: { anyOf: [ref('Room')] } } } }
      const shown = { 200: { description: 'ok', content: { 'application/json': { schema, example } } } }
      const paths = byQuery(method)
      return {
        ...paths,
        [method('info')]: { get: { parameters: inQuery('room'), responses: shown } },
        [method('create')]: { post: { requestBody: sends('name'), responses: shown } },
      }
    })
    const made = await post('create', { name: 'project-x' })
    expect((await get('info', { room: made.body.room?.id })).body.room).toMatchObject({ name: 'project-x' })
  })
})
