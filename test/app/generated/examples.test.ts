import request from 'supertest'
import { describe, expect, test } from 'vitest'
import { createContractTester, type Json, OWN_KEY } from '../../support/contracts/small-contract.ts'
import { answered, createShop } from '../../support/contracts/customers.ts'

describe('examples', () => {
  const GREETING = {
    type: 'object',
    required: ['text'],
    properties: { text: { type: 'string' }, at: { type: 'string', format: 'date-time' } },
  }
  const path = (more: Json) => ({ '/hello': { get: { operationId: 'greet', responses: answered(GREETING, more) } } })

  test('come first, as they are written', async () => {
    const { get } = createShop(
      path({ examples: { first: { value: { text: 'one' } }, second: { value: { text: 'two' } } } }),
    )
    expect((await get('/hello')).body).toEqual({ text: 'one' })
    expect((await get('/hello', { Prefer: 'example=second' })).body).toEqual({ text: 'two' })
    const { body } = await get('/hello', { Prefer: 'dynamic=true' })
    expect(body).toMatchObject({ text: expect.not.stringMatching(/^(one|two)$/) as unknown })
    expect((await get('/hello', { Prefer: 'dynamic=true' })).body).toEqual(body)
  })

  test('that break their own schema are passed over, unless they are asked for by name', async () => {
    const { get } = createShop(path({ examples: { wrong: { value: { text: 7 } } } }))
    expect((await get('/hello')).body).toMatchObject({ text: expect.any(String) as unknown })
  })

  test('are checked by the schema that the same media type has under another spelling', async () => {
    const content = {
      'application/json': { examples: { wrong: { value: { text: 7 } } } },
      'application/json; charset=utf-8': { schema: GREETING },
    }
    const { get } = createShop({
      '/hello': { get: { operationId: 'greet', responses: { '200': { description: 'ok', content } } } },
    })
    expect((await get('/hello')).body).toMatchObject({ text: expect.any(String) as unknown })
  })

  test('within schemas are taken for the members that have them', async () => {
    const schema = { type: 'object', properties: { text: { type: 'string', example: 'hi' }, n: { type: 'integer' } } }
    const { get } = createShop({ '/hello': { get: { operationId: 'greet', responses: answered(schema) } } })
    expect((await get('/hello')).body).toMatchObject({ text: 'hi', n: expect.any(Number) as unknown })
  })
})

test('an example of a write shows what was sent, where the contract allows that', async () => {
  const text = { type: 'string' }
  const channel = { type: 'object', properties: { id: text, name: text, size: { type: 'integer', maximum: 9 } } }
  const example = { ok: true, sent_at: '1401383885.25', channel: { id: 'C1', name: 'general', size: 3 } }
  const schema = { type: 'object', properties: { ok: { type: 'boolean' }, sent_at: text, channel } }
  const responses = { 200: { description: 'ok', content: { 'application/json': { schema, example } } } }
  const requestBody = { content: { 'application/json': { schema: { type: 'object' } } } }
  const { standin } = createContractTester({ '/rename': { post: { requestBody, responses } } })
  const post = async (body: object) =>
    (await request(standin.app).post('/rename').set(OWN_KEY).send(body)).body as unknown
  expect(await post({ name: 'project-x', ok: 'no' })).toEqual({
    ...example,
    channel: { ...example.channel, name: 'project-x' },
  })
  expect(await post({ name: 'project-x', size: 10 })).toEqual(example)
  // A number is shown as the digits that the example has.
  expect(await post({ sent_at: 1503435956.25 })).toEqual({ ...example, sent_at: '1503435956.25' })
})
