import request from 'supertest'
import { describe, expect, test } from 'vitest'
import { createControlledTester } from '../../../support/control.ts'
import { inPath, nothing, shows, takes } from '../../../support/contracts/pets.ts'
import { contractOf, type Json, OWN_KEY } from '../../../support/contracts/small-contract.ts'

const text = { type: 'string' }
const moment = { type: 'string', format: 'date-time' }
const object = (properties: Json, ...required: string[]) => ({ type: 'object', properties, required })

type Method = 'get' | 'post' | 'put' | 'patch' | 'delete'

const FIRST = '2026-03-05T14:30:00.000Z'
const LATER = '2026-03-05T14:31:00.000Z'

/** A service of jobs at `/jobs`, whose ids are texts that clients choose or not. */
function createJobs(job: Json, { body = job, type = 'application/json', extra = {} } = {}) {
  const content = { required: true, content: { [type]: { schema: body, ...extra } } }
  const contract = contractOf(
    {
      '/jobs': {
        get: { responses: { 200: shows({ type: 'array', items: job }) } },
        post: { requestBody: content, responses: { 201: shows(job) } },
      },
      '/jobs/{name}': {
        parameters: [inPath('name', 'string')],
        get: { responses: { 200: shows(job), 404: nothing } },
        post: { requestBody: content, responses: { 200: shows(job) } },
        put: { requestBody: takes(body), responses: { 200: shows(job) } },
        patch: { requestBody: takes(body), responses: { 200: shows(job) } },
      },
    },
    {},
  )
  const { standin, control } = createControlledTester({ contract, clock: FIRST, selfCheck: true })
  const send = async (method: Method, path: string, sent?: object | string) => {
    const response = await request(standin.app)[method](path).set(OWN_KEY).send(sent)
    expect(response.body).not.toHaveProperty('errors')
    return response.body as Json
  }
  return { send, later: () => control.advanceClock({ by: 'PT1M' }) }
}

describe('what the service writes beside the id of an item', () => {
  const metadata = object({ name: text, creationTimestamp: moment, updatedAt: moment, resourceVersion: text }, 'name')
  const job = object({ metadata, spec: object({ size: { type: 'integer' } }) }, 'metadata')

  test('moves with each write, and stays what it is when it does not change', async () => {
    const { send, later } = createJobs(job)
    const made = await send('post', '/jobs', { metadata: { name: 'print' }, spec: { size: 1 } })
    expect(made.metadata).toEqual({
      name: 'print',
      creationTimestamp: FIRST,
      updatedAt: FIRST,
      resourceVersion: '1',
    })
    await later()
    await send('put', '/jobs/print', { metadata: { name: 'print' }, spec: { size: 2 } })
    expect(await send('patch', '/jobs/print', { metadata: { name: 'print' }, spec: { size: 3 } })).toEqual({
      metadata: { name: 'print', creationTimestamp: FIRST, updatedAt: LATER, resourceVersion: '3' },
      spec: { size: 3 },
    })
  })
})

test('a number that is called the version of a resource is the client’s', async () => {
  const { send } = createJobs(object({ name: text, resource_version: { type: 'integer' } }, 'name'))
  await send('post', '/jobs', { name: 'print', resource_version: 7 })
  expect(await send('get', '/jobs/print')).toEqual({ name: 'print', resource_version: 7 })
})

describe('members that only the service writes', () => {
  test('are an entity tag and the time of creation, which a body does not document', async () => {
    const job = object({ name: text, note: text, created_at: moment, etag: text }, 'name')
    const { send } = createJobs(job, { body: object({ name: text, note: text }, 'name') })
    const made = await send('post', '/jobs', { name: 'print', created_at: '1999-01-01T00:00:00Z' })
    expect(made.created_at).toBe(FIRST)
    expect(made.etag).toMatch(/^[\w-]{16}$/)
    const changed = await send('patch', '/jobs/print', { name: 'print', note: 'x', created_at: '1999-01-01T00:00:00Z' })
    expect(changed).toMatchObject({ note: 'x', created_at: FIRST })
    expect(changed.etag).not.toBe(made.etag)
    const replaced = await send('put', '/jobs/print', { name: 'print' })
    expect(replaced.created_at).toBe(FIRST)
    expect(replaced.etag).not.toBe(changed.etag)
    expect(await send('get', '/jobs/print')).toEqual(replaced)
  })
})

test('a form changes an item as JSON does, also inside its objects', async () => {
  const job = object({
    name: text,
    size: { type: 'integer' },
    metadata: { type: 'object', additionalProperties: text },
  })
  const extra = { encoding: { metadata: { style: 'deepObject', explode: true } } }
  const { send } = createJobs(job, { type: 'application/x-www-form-urlencoded', extra })
  await send('post', '/jobs', 'name=print&size=3&metadata[tier]=gold&metadata[floor]=2')
  expect(await send('post', '/jobs/print', 'size=4&metadata[tier]=silver')).toMatchObject({ size: 4 })
  expect(await send('get', '/jobs/print')).toEqual({
    name: 'print',
    size: 4,
    metadata: { tier: 'silver', floor: '2' },
  })
})

test('the `uuid` beside an `id` is the same, and a part has the id of a parent that its path names by the name', async () => {
  const uuid = { type: 'string', format: 'uuid' }
  const queue = object({ id: uuid, uuid, name: text, pool_id: uuid, pool_name: text, lastActivity: moment }, 'name')
  const pool = object({ id: uuid, name: text }, 'name')
  const pools = { parameters: [inPath('pool_name', 'string')] }
  const contract = contractOf(
    {
      '/pools': {
        get: { responses: { 200: shows({ type: 'array', items: pool }) } },
        post: { requestBody: takes(object({ name: text }, 'name')), responses: { 201: shows(pool) } },
      },
      '/pools/{pool_name}': { ...pools, get: { responses: { 200: shows(pool), 404: nothing } } },
      '/pools/{pool_name}/queues': {
        ...pools,
        get: { responses: { 200: shows({ type: 'array', items: queue }) } },
        post: { requestBody: takes(object({ name: text, uuid }, 'name')), responses: { 201: shows(queue) } },
      },
    },
    {},
  )
  const { standin } = createControlledTester({ contract, clock: FIRST, selfCheck: true })
  const post = async (path: string, sent: object) => {
    const response = await request(standin.app).post(path).set(OWN_KEY).send(sent)
    return response.body as Json
  }
  const { id } = await post('/pools', { name: 'small' })
  const made = await post('/pools/small/queues', { name: 'urgent' })
  expect(made).toEqual({
    ...{ id: made.id, uuid: made.id, name: 'urgent', pool_id: id, pool_name: 'small', lastActivity: FIRST },
  })
  const uuidOfClient = '2b7f4a44-3a0e-4c57-a3b5-3c5c0f0fd0d7'
  expect(await post('/pools/small/queues', { name: 'later', uuid: uuidOfClient })).toMatchObject({ uuid: uuidOfClient })
})

test.each(['date-time-rfc-2822', 'date-time-rfc1123', 'rfc2822'])(
  'a moment of the format %s is written as in mails',
  async (format) => {
    const job = object({ name: text, date_created: { ...text, format, readOnly: true } }, 'name')
    const { send } = createJobs(job)
    await send('post', '/jobs', { name: 'print' })
    expect(await send('get', '/jobs/print')).toEqual({ name: 'print', date_created: 'Thu, 05 Mar 2026 14:30:00 GMT' })
  },
)
