import { describe, expect, test } from 'vitest'
import { inPath, ref, shows, takes } from '../../../support/contracts/pets.ts'
import { createShelter } from '../../../support/contracts/shelter.ts'

const text = { type: 'string' }
const Flow = {
  type: 'object',
  required: ['id', 'name'],
  properties: { id: text, name: text, tag: text, size: { type: 'integer' } },
}
const missing = { 404: { description: 'none' } }
const where = { name: 'where', in: 'query', content: { 'application/json': { schema: { type: 'object' } } } }
const filter = {
  name: 'filter',
  in: 'query',
  content: {
    'application/json': {
      schema: {
        type: 'object',
        properties: { limit: { type: 'integer' }, where: { type: 'object', additionalProperties: true } },
      },
    },
  },
}

/** Flows that are counted, and that other paths name by another member than their id. */
async function createFlows() {
  const byName = [inPath('name', 'string')]
  const { send } = createShelter(
    {
      '/flows': {
        get: { parameters: [filter], responses: { 200: shows({ type: 'array', items: ref('Flow') }) } },
        post: { requestBody: takes(ref('Flow')), responses: { 201: shows(ref('Flow')) } },
      },
      '/flows/{idOrName}': {
        parameters: [inPath('idOrName', 'string')],
        get: { responses: { 200: shows(ref('Flow')), ...missing } },
      },
      '/flows/count': {
        get: {
          parameters: [where],
          responses: { 200: shows({ type: 'object', properties: { count: { type: 'integer' } } }) },
        },
        post: {
          requestBody: takes({ type: 'object', properties: { tag: text } }),
          responses: { 200: shows({ type: 'integer' }) },
        },
      },
      '/flows/name/{name}': {
        parameters: byName,
        get: { responses: { 200: shows(ref('Flow')), ...missing } },
        delete: { responses: { 204: { description: 'gone' }, ...missing } },
      },
    },
    { Flow },
    { documents: 0 },
  )
  for (const [id, name, tag, size] of [
    ['1', 'load', 'day', 5],
    ['2', 'sync', 'day', 50],
    ['3', 'tidy', 'week', 500],
  ])
    await send(['post', '/flows'], { id, name, tag, size })
  const names = async (query: string) => {
    const { body } = await send(['get', `/flows?${query}`])
    return (body as unknown as { name: string }[]).map(({ name }) => name)
  }
  return { send, names }
}

test('what a path names by a name or an id has the id, by which the paths below it name it', async () => {
  const created = { requestBody: takes(ref('Robot')), responses: { 201: shows(ref('Robot')) } }
  const { send } = createShelter(
    {
      '/robots': { get: { responses: { 200: shows({ type: 'array', items: ref('Robot') }) } }, post: created },
      '/robots/{robot_name_or_id}': {
        parameters: [inPath('robot_name_or_id', 'string')],
        get: { responses: { 200: shows(ref('Robot')), ...missing } },
      },
      '/robots/{robot_id}/keys': {
        parameters: [inPath('robot_id', 'string')],
        get: { responses: { 200: shows({ type: 'array', items: ref('Robot') }), ...missing } },
        post: created,
      },
    },
    {
      Robot: {
        type: 'object',
        required: ['id', 'name'],
        properties: { id: { type: 'string', format: 'uuid', readOnly: true }, name: text },
      },
    },
    { documents: 0 },
  )
  const { id } = (await send(['post', '/robots'], { name: 'arm' })).body
  for (const path of ['/robots/arm', `/robots/${String(id)}`])
    expect((await send(['get', path])).body, path).toEqual({ id, name: 'arm' })
  expect((await send(['post', `/robots/${String(id)}/keys`], { name: 'brass' })).status).toBe(201)
  expect((await send(['get', `/robots/${String(id)}/keys`])).body).toMatchObject([{ name: 'brass' }])
})

test('an item is read and deleted by another member than its id', async () => {
  const { send } = await createFlows()
  expect((await send(['get', '/flows/name/sync'])).body).toMatchObject({ id: '2' })
  expect((await send(['get', '/flows/sync'])).body).toMatchObject({ id: '2' })
  expect((await send(['get', '/flows/2'])).body).toMatchObject({ name: 'sync' })
  expect((await send(['delete', '/flows/name/sync'])).status).toBe(204)
  for (const path of ['/flows/2', '/flows/sync', '/flows/name/sync', '/flows/name/2'])
    expect((await send(['get', path])).status).toBe(404)
})

test('a count is that of the items, and of those that its filters select', async () => {
  const { send } = await createFlows()
  expect((await send(['get', '/flows/count'])).body).toEqual({ count: 3 })
  expect((await send(['get', '/flows/count?where={"tag":"day"}'])).body).toEqual({ count: 2 })
  expect((await send(['post', '/flows/count'], { tag: 'week' })).body).toBe(1)
  await send(['delete', '/flows/name/load'])
  expect((await send(['post', '/flows/count'], {})).body).toBe(2)
})

describe('a filter that is JSON in the query', () => {
  test.each<[string, string[]]>([
    ['filter={"where":{"tag":"day"}}', ['load', 'sync']],
    ['filter={"where":{"tag":{"neq":"day"}}}', ['tidy']],
    ['filter={"where":{"name":{"inq":["load","tidy"]}}}', ['load', 'tidy']],
    ['filter={"where":{"size":{"between":[5,50]}},"limit":1}', ['load']],
    ['filter={"where":{"or":[{"name":"load"},{"tag":"week"}]}}', ['load', 'tidy']],
    ['filter={"where":{"and":[{"size":{"gt":5}},{"tag":"day"}]}}', ['sync']],
    ['filter[where][tag]=week', ['tidy']],
    ['filter[where][name][like]=YN', ['sync']],
  ])('%s', async (query, expected) => {
    const { names } = await createFlows()
    expect(await names(query)).toEqual(expected)
  })
})

test('items of `/flags` are at `/flag/{id}`, and its list may be an object by their ids', async () => {
  const Flag = { type: 'object', required: ['id'], properties: { id: text, title: text } }
  const made = { type: 'object', properties: { id: text } }
  const { send } = createShelter(
    {
      '/flags': { get: { responses: { 200: shows({ type: 'object', additionalProperties: ref('Flag') }) } } },
      '/flag': {
        post: { requestBody: takes({ type: 'object', properties: { title: text } }), responses: { 201: shows(made) } },
      },
      '/flag/{id}': {
        parameters: [inPath('id', 'string')],
        get: { responses: { 200: shows(ref('Flag')), ...missing } },
        put: { requestBody: takes(ref('Flag')), responses: { 200: shows(ref('Flag')) } },
        delete: { responses: { 204: { description: 'gone' } } },
      },
    },
    { Flag },
    { documents: 0 },
  )
  expect((await send(['get', '/flags'])).body).toEqual({})
  const [one, other] = [
    await send(['post', '/flag'], { title: 'red' }),
    await send(['post', '/flag'], { title: 'blue' }),
  ]
  const [first, second] = [one.body.id, other.body.id] as [string, string]
  await send(['put', `/flag/${second}`], { id: second, title: 'green' })
  const listed = { [first]: { id: first, title: 'red' }, [second]: { id: second, title: 'green' } }
  expect((await send(['get', '/flags'])).body).toEqual(listed)
  expect((await send(['get', `/flag/${first}`])).body).toEqual(listed[first])
  expect((await send(['delete', `/flag/${first}`])).status).toBe(204)
  expect((await send(['get', `/flag/${first}`])).status).toBe(404)
  expect((await send(['get', '/flags'])).body).toEqual({ [second]: listed[second] })
})

test('a list of names creates an item for each', async () => {
  const User = { type: 'object', required: ['name'], properties: { name: text, admin: { type: 'boolean' } } }
  const users = { type: 'array', items: ref('User') }
  const names = {
    type: 'object',
    properties: { usernames: { type: 'array', items: text }, admin: { type: 'boolean' } },
  }
  const { send } = createShelter(
    {
      '/users': {
        get: { responses: { 200: shows(users) } },
        post: { requestBody: takes(names), responses: { 201: shows(users), ...missing } },
      },
      '/users/{name}': {
        parameters: [inPath('name', 'string')],
        get: { responses: { 200: shows(ref('User')), ...missing } },
      },
      '/report': {
        get: { responses: { 200: shows({ type: 'object', required: ['rows'], properties: { rows: users } }) } },
      },
    },
    { User },
    { documents: 0 },
  )
  // Nothing is there yet, and what is generated agrees with that.
  expect((await send(['get', '/report'])).body).toEqual({ rows: [] })
  const made = await send(['post', '/users'], { usernames: ['ann', 'bob'], admin: true })
  const both = ['ann', 'bob'].map((name) => ({ name, admin: true }))
  expect([made.status, made.body]).toEqual([201, both])
  expect((await send(['get', '/users/bob'])).body).toEqual(both[1])
  expect((await send(['post', '/users'], { usernames: ['eve', 'ann'] })).status).toBe(409)
  expect((await send(['get', '/users'])).body).toEqual(both)
})

test('`/search/flags` searches `/flags`', async () => {
  const Flag = { type: 'object', required: ['id'], properties: { id: text, title: text } }
  const query = ['title', 'limit', 'offset'].map((name) => ({ name, in: 'query', schema: text }))
  const flags = shows({
    type: 'object',
    properties: { flags: { type: 'array', items: ref('Flag') }, count: { type: 'integer' } },
  })
  const { send } = createShelter(
    {
      '/flags': {
        get: { responses: { 200: flags } },
        post: { requestBody: takes(ref('Flag')), responses: { 201: shows(ref('Flag')) } },
      },
      '/flags/{id}': { parameters: [inPath('id', 'string')], get: { responses: { 200: shows(ref('Flag')) } } },
      '/search/flags': { get: { parameters: query, responses: { 200: flags } } },
    },
    { Flag },
    { documents: 0 },
  )
  for (const title of ['red', 'blue']) await send(['post', '/flags'], { id: title, title })
  expect((await send(['get', '/search/flags?title=blue'])).body).toEqual({
    flags: [{ id: 'blue', title: 'blue' }],
    count: 1,
  })
})
