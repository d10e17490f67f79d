import request, { type Response } from 'supertest'
import { expect, test } from 'vitest'
import { createContractTester, OWN_KEY } from '../../support/contracts/small-contract.ts'

const NOW = '2026-03-05T14:30:00Z'
const text = { type: 'string' }
const moment = { type: 'string', format: 'date-time' }
const sent = { content: { 'application/json': { schema: { type: 'object' } } } }

type Answer = Omit<Response, 'body'> & { readonly body: Record<string, unknown> }

function posterOf(
  status: 201 | 202 | 200,
  schema: object,
  { example, headers }: { example?: object; headers?: object } = {},
) {
  const media = { schema, ...(example && { example }) }
  const responses = { [status]: { description: 'ok', headers, content: { 'application/json': media } } }
  const { standin } = createContractTester(
    { '/exports': { post: { requestBody: sent, responses } } },
    {},
    { clock: NOW },
  )
  return async (body: object = {}) => (await request(standin.app).post('/exports').set(OWN_KEY).send(body)) as Answer
}

test('what a generated create made has an id of its own, and dates of now', async () => {
  const schema = {
    type: 'object',
    properties: {
      id: { ...text, example: 'exp_5Tgh7Kq2' },
      createdAt: moment,
      updated: { type: 'integer' },
      owner: { type: 'object', properties: { id: { ...text, example: 'usr_1' } } },
    },
  }
  const post = posterOf(201, schema)
  const [{ body: first }, { body: second }] = [await post(), await post()]
  for (const { id, createdAt, updated, owner } of [first, second]) {
    expect(id).toMatch(/^exp_\w{8}$/)
    expect(Date.parse(String(createdAt))).toBe(Date.parse(NOW))
    expect(updated).toBe(Date.parse(NOW) / 1000)
    expect(owner).toEqual({ id: 'usr_1' })
  }
  expect(new Set([first.id, second.id, 'exp_5Tgh7Kq2']).size).toBe(3)
})

test('so has the example of a job, whose addresses name it', async () => {
  const schema = { type: 'object', properties: { data: { type: 'object', properties: { jobId: text } } } }
  const example = {
    data: { jobId: '4f0e2c3a-0000-4000-8000-000000000001', created_at: '2023-01-02T03:04:05Z' },
    links: { self: '/exports/4f0e2c3a-0000-4000-8000-000000000001/status' },
  }
  const location = { schema: text, example: '/exports/4f0e2c3a-0000-4000-8000-000000000001' }
  const post = posterOf(202, schema, { example, headers: { Location: location } })
  const [one, other] = [await post(), await post()]
  const { jobId } = one.body.data as { jobId: string }
  expect(jobId).toMatch(/^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/)
  expect(one.body.links).toEqual({ self: `/exports/${jobId}/status` })
  expect(one.headers.location).toBe(`/exports/${jobId}`)
  expect(new Set([jobId, (other.body.data as { jobId: string }).jobId, example.data.jobId]).size).toBe(3)
})

test('an id and a date that were sent stay, and so does what was asked for by name', async () => {
  const schema = { type: 'object', properties: { id: text, createdAt: moment } }
  const post = posterOf(201, schema)
  const own = { id: 'mine-1', createdAt: '2020-01-01T00:00:00Z' }
  expect((await post(own)).body).toEqual(own)
})

test('a text that is the same by chance stays', async () => {
  const schema = { type: 'object', properties: { id: { ...text, example: '1' }, code: text, url: text } }
  const post = posterOf(201, schema, { example: { id: '1', code: '1', url: '/exports/1' } })
  const { id, ...others } = (await post({ code: '1' })).body
  expect(id).not.toBe('1')
  expect(others).toEqual({ code: '1', url: `/exports/${String(id)}` })
})

test('what is only looked up by a POST is the same when asked again', async () => {
  const post = posterOf(200, { type: 'object', properties: { id: { ...text, example: 'exp_5Tgh7Kq2' } } })
  expect((await post()).body).toEqual({ id: 'exp_5Tgh7Kq2' })
})

test('what was sent is in the object that the response has for it, where it is the only one', async () => {
  const tag = { type: 'object', required: ['type', 'value'], properties: { type: text, value: text } }
  const holder = { type: 'object', required: ['version', 'tag'], properties: { version: { type: 'integer' }, tag } }
  const post = posterOf(201, holder)
  expect((await post({ type: 'simple', value: 'mail' })).body.tag).toEqual({ type: 'simple', value: 'mail' })
  const both = { type: 'object', required: ['from', 'to'], properties: { from: tag, to: tag } }
  expect((await posterOf(201, both)({ value: 'mail' })).body).not.toMatchObject({ from: { value: 'mail' } })
})
