import request from 'supertest'
import { expect, test } from 'vitest'
import { inPath, nothing, shows, takes } from '../../../support/contracts/pets.ts'
import { createContractTester, type Json, OWN_KEY } from '../../../support/contracts/small-contract.ts'

const text = { type: 'string' }
const object = (properties: object, required = Object.keys(properties)) => ({ type: 'object', required, properties })
const listOf = (items: Json) => ({ get: { responses: { 200: shows({ type: 'array', items }) } } })
const of = (name: string, operations: Json) => ({ parameters: [inPath(name, 'string')], ...operations })
const idText = { description: 'ok', content: { 'text/plain': { schema: text } } }

/** A stand-in for these paths, which begins without items. */
function createEmpty(paths: Json, schemas: Json = {}) {
  const { standin } = createContractTester(paths, schemas, { documents: 0 })
  return async (method: 'get' | 'post' | 'put' | 'patch' | 'delete', path: string, sent?: object) => {
    const response = await request(standin.app)[method](path).set(OWN_KEY).send(sent)
    return { status: response.status, body: response.body as unknown, text: response.text }
  }
}

test('a list at the path of an item has the items whose member the path names', async () => {
  const handler = object({ name: text, event: text })
  const send = createEmpty({
    '/handlers': { ...listOf(handler), post: { requestBody: takes(handler), responses: { 200: nothing } } },
    '/handlers/{event}': of('event', listOf(handler)),
    '/handlers/{name}': of('name', { delete: { responses: { 200: nothing } } }),
  })
  const [open, close] = [
    { name: 'a', event: 'open' },
    { name: 'b', event: 'close' },
  ]
  for (const one of [open, close]) expect((await send('post', '/handlers', one)).status).toBe(200)
  expect((await send('get', '/handlers/close')).body).toEqual([close])
  expect((await send('delete', '/handlers/b')).status).toBe(200)
  expect((await send('get', '/handlers/close')).body).toEqual([])
  expect((await send('get', '/handlers')).body).toEqual([open])
})

test('a creation that answers a text tells the id by it, also where its path names what kind of item it makes', async () => {
  const job = object({ jobId: text, type: text, status: { ...text, enum: ['RUNNING', 'PAUSED', 'TERMINATED'] } }, [
    'jobId',
    'status',
  ])
  const send = createEmpty({
    '/jobs': { post: { requestBody: takes(object({ note: text }, [])), responses: { 200: idText } } },
    '/jobs/{type}': of('type', { post: { requestBody: takes({ type: 'object' }), responses: { 200: idText } } }),
    '/jobs/{jobId}': of('jobId', {
      get: { responses: { 200: shows(job) } },
      delete: { summary: 'Terminate a job', responses: { 200: nothing } },
    }),
    '/jobs/{jobId}/remove': of('jobId', { delete: { responses: { 200: nothing } } }),
  })
  const { text: id } = await send('post', '/jobs', {})
  expect((await send('get', `/jobs/${id}`)).body).toMatchObject({ jobId: id, status: 'RUNNING' })
  const { text: other } = await send('post', '/jobs/print', {})
  expect((await send('get', `/jobs/${other}`)).body).toMatchObject({ jobId: other, type: 'print' })
  // Another operation removes it, so the DELETE changes its status.
  expect((await send('delete', `/jobs/${id}`)).status).toBe(200)
  expect((await send('get', `/jobs/${id}`)).body).toMatchObject({ status: 'TERMINATED' })
  expect((await send('delete', `/jobs/${id}/remove`)).status).toBe(200)
  expect((await send('get', `/jobs/${id}`)).status).toBe(404)
})

test('a text that the document shows as an example is no id unless it looks like one', async () => {
  const job = object({ jobId: text, note: text }, [])
  const done = { description: 'ok', content: { 'text/plain': { schema: text, example: 'OK' } } }
  const { standin } = createContractTester({
    '/jobs': { post: { requestBody: takes(object({ note: text })), responses: { 200: done } } },
    '/jobs/{jobId}': of('jobId', { get: { responses: { 200: shows(job) } } }),
  })
  const made = await request(standin.app).post('/jobs').set(OWN_KEY).send({ note: 'x' })
  expect(made.text).toBe('OK')
})

test('items are kept where the list is described by one of them, as some generators write it', async () => {
  const group = object({ id: { type: 'integer' }, name: text })
  const send = createEmpty({
    '/groups': {
      get: { responses: { 200: shows(group) } },
      post: { requestBody: takes(object({ name: text })), responses: { 201: shows(group) } },
    },
    '/groups/{id}': { parameters: [inPath('id')], get: { responses: { 200: shows(group) } } },
  })
  const { body } = await send('post', '/groups', { name: 'a' })
  expect(await send('get', '/groups/1')).toMatchObject({ status: 200, body: body as Json })
  expect((await send('get', '/groups/2')).status).toBe(404)
})

test('an item is found in an envelope that the list does not have', async () => {
  const tag = object({ name: text, color: text })
  const version = { type: 'integer', enum: [1] }
  const send = createEmpty({
    '/tags': {
      get: { responses: { 200: shows(object({ version, tags: { type: 'array', items: tag } })) } },
      post: { requestBody: takes(tag), responses: { 201: shows(object({ version, tag })) } },
    },
    '/tags/{name}': of('name', { get: { responses: { 200: shows(object({ version, tag })) } } }),
  })
  const red = { name: 'red', color: '#f00' }
  expect((await send('post', '/tags', red)).body).toEqual({ version: 1, tag: red })
  expect((await send('get', '/tags/red')).body).toEqual({ version: 1, tag: red })
  expect((await send('get', '/tags')).body).toEqual({ version: 1, tags: [red] })
})

test('the items of administrators are read by others at a path of their own', async () => {
  const user = object({ username: text, email: text })
  const send = createEmpty({
    '/admin/users': { ...listOf(user), post: { requestBody: takes(user), responses: { 201: shows(user) } } },
    '/admin/users/{username}': of('username', { delete: { responses: { 204: nothing } } }),
    '/users/{username}': of('username', { get: { responses: { 200: shows(user), 404: nothing } } }),
  })
  const ann = { username: 'ann', email: 'ann@example.org' }
  expect((await send('get', '/users/ann')).status).toBe(404)
  expect((await send('post', '/admin/users', ann)).status).toBe(201)
  expect((await send('get', '/users/ann')).body).toEqual(ann)
  expect((await send('delete', '/admin/users/ann')).status).toBe(204)
  expect((await send('get', '/users/ann')).status).toBe(404)
})

test('a PUT adds what its path names where nothing else does, and a GET without content says whether it is there', async () => {
  const user = object({ login: text })
  const send = createEmpty({
    '/following': listOf(user),
    '/following/{username}': of('username', {
      get: { responses: { 204: nothing, 404: nothing } },
      put: { responses: { 204: nothing } },
      delete: { responses: { 204: nothing } },
    }),
  })
  expect((await send('get', '/following/ann')).status).toBe(404)
  expect((await send('put', '/following/ann')).status).toBe(204)
  expect((await send('get', '/following/ann')).status).toBe(204)
  expect((await send('get', '/following')).body).toEqual([{ login: 'ann' }])
  expect((await send('delete', '/following/ann')).status).toBe(204)
  expect((await send('get', '/following/ann')).status).toBe(404)
})

test('the caller has an account before anybody made one', async () => {
  const user = object({ id: { type: 'integer' }, login: text })
  const send = createEmpty({
    '/users': {
      ...listOf(user),
      post: { requestBody: takes(object({ login: text })), responses: { 201: shows(user) } },
    },
    '/users/{login}': of('login', { get: { responses: { 200: shows(user) } } }),
    '/user': { get: { responses: { 200: shows(user) } } },
  })
  expect(await send('get', '/user')).toMatchObject({ status: 200, body: { login: expect.any(String) as string } })
  expect((await send('get', '/users/ann')).status).toBe(404)
})

test('a new item is called by the one name that a creation has to have', async () => {
  const branch = object({ name: text, protected: { type: 'boolean' } }, ['name'])
  const made = object({ new_branch_name: text, old_branch_name: text }, ['new_branch_name'])
  const send = createEmpty({
    '/branches': { ...listOf(branch), post: { requestBody: takes(made), responses: { 201: shows(branch) } } },
    '/branches/{branch}': of('branch', { get: { responses: { 200: shows(branch) } } }),
  })
  expect((await send('post', '/branches', { new_branch_name: 'summer' })).body).toMatchObject({ name: 'summer' })
  expect((await send('get', '/branches/summer')).status).toBe(200)
})

test('an index is the number of an item', async () => {
  const issue = object({ id: { type: 'integer' }, number: { type: 'integer' }, title: text })
  const send = createEmpty({
    '/issues': {
      ...listOf(issue),
      post: { requestBody: takes(object({ title: text })), responses: { 201: shows(issue) } },
    },
    '/issues/{index}': { parameters: [inPath('index')], get: { responses: { 200: shows(issue) } } },
  })
  const { body } = await send('post', '/issues', { title: 'It leaks' })
  expect((await send('get', `/issues/${String((body as Json).number)}`)).body).toEqual(body)
})

test('a map of what springdoc calls objects takes anything, as Java does', async () => {
  const input = { type: 'object', additionalProperties: { type: 'object' } }
  const job = object({ id: { type: 'integer' }, input })
  const paths = {
    '/jobs': {
      ...listOf(job),
      post: { requestBody: takes(object({ input })), responses: { 200: shows(job) } },
    },
  }
  const statusOf = async (extra: Json) => {
    const { standin } = createContractTester(paths, {}, { extra })
    const sent = { input: { what: 'a lamp', count: 2 } }
    return (await request(standin.app).post('/jobs').set(OWN_KEY).send(sent)).status
  }
  expect(await statusOf({ servers: [{ url: '/', description: 'Generated server url' }] })).toBe(200)
  expect(await statusOf({ servers: [{ url: '/' }] })).toBe(400)
})

test('a struct in Go has all its members from the beginning, but others that it points to', async () => {
  const inGo = (schema: Json) => ({ ...schema, 'x-go-package': 'example.org/shop' })
  const label = inGo(
    object(
      {
        id: { type: 'integer' },
        name: text,
        note: text,
        archived: { type: 'boolean' },
        topics: { type: 'array', items: text },
        owner: inGo(object({ login: text })),
        parent: inGo(object({ name: text })),
      },
      ['id'],
    ),
  )
  const named = object({ name: text, note: text }, ['name'])
  const send = createEmpty({
    '/labels': { ...listOf(label), post: { requestBody: takes(named), responses: { 201: shows(label) } } },
  })
  const { body } = await send('post', '/labels', { name: 'bug' })
  expect(body).toEqual({
    id: 1,
    name: 'bug',
    note: '',
    archived: false,
    topics: [],
    owner: { login: expect.any(String) as string },
  })
})
