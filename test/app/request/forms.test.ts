import request from 'supertest'
import { describe, expect, test } from 'vitest'
import { createContractTester, type Json, OWN_KEY } from '../../support/contracts/small-contract.ts'

const FORM = 'application/x-www-form-urlencoded'
const OK = { '200': { description: 'ok', content: { 'application/json': { schema: { const: 'ok' } } } } }

/** Sends forms to an operation whose body has a schema and an encoding. */
function createForm(schema: Json, encoding: Json = {}, required = true) {
  const requestBody = { required, content: { [FORM]: { schema, encoding } } }
  const { standin } = createContractTester({ '/charges': { post: { requestBody, responses: OK } } })
  return async (text?: string) => {
    const asked = request(standin.app).post('/charges').set(OWN_KEY)
    const response = await (text === undefined ? asked : asked.type(FORM).send(text))
    const { errors = [], detail } = response.body as {
      errors?: { pointer: string; message: string }[]
      detail?: string
    }
    return { status: response.status, wrong: errors.map(({ pointer }) => pointer), detail, message: errors[0]?.message }
  }
}

describe('a form with an encoding of deepObject', () => {
  const SCHEMA = {
    type: 'object',
    additionalProperties: false,
    properties: {
      amount: { type: 'integer' },
      expand: { type: 'array', items: { type: 'string' } },
      card: {
        anyOf: [
          {
            type: 'object',
            required: ['number'],
            additionalProperties: false,
            properties: {
              number: { type: 'integer' },
              address: { type: 'object', properties: { lines: { type: 'array', items: { type: 'integer' } } } },
            },
          },
          { type: 'string', enum: [''] },
        ],
      },
      metadata: { type: 'object', additionalProperties: { type: 'boolean' } },
      plain: { type: 'object' },
    },
  }
  const deep = { style: 'deepObject', explode: true }
  const ENCODING = { card: deep, expand: deep, metadata: deep }

  test.each([
    ['members', 'card[number]=42&amount=3'],
    ['members of members', 'card[number]=42&card[address][lines][0]=1&card[address][lines][1]=2'],
    ['lists with and without numbers', 'expand[0]=a&expand[1]=b'],
    ['lists without numbers', 'expand[]=a&expand[]=b'],
    ['names that the schema leaves open', 'metadata[fragile]=true'],
    ['an empty text for nothing', 'card='],
  ])('reads %s', async (_, text) => {
    expect(await createForm(SCHEMA, ENCODING)(encodeURI(text))).toMatchObject({ status: 200 })
  })

  test.each([
    ['a member of another type', 'card[number]=four', ['/card/number', '/card', '/card']],
    [
      'an element of another type',
      'card[number]=1&card[address][lines][0]=x',
      ['/card/address/lines/0', '/card', '/card'],
    ],
    ['a property without that encoding', 'plain[a]=1', ['/plain[a]']],
  ])('refuses %s', async (_, text, wrong) => {
    const refused = await createForm(SCHEMA, ENCODING)(encodeURI(text))
    expect([refused.status, refused.wrong]).toEqual([400, expect.arrayContaining(wrong.slice(0, 1))])
  })
})

describe('an empty form', () => {
  const SCHEMA = { type: 'object', properties: { amount: { type: 'integer' } } }

  test('has no fields, and is validated against its schema', async () => {
    expect(await createForm(SCHEMA)('')).toMatchObject({ status: 200 })
    expect(await createForm({ ...SCHEMA, required: ['amount'] })('')).toMatchObject({ status: 400, wrong: ['/amount'] })
  })

  test('is asked for by its media type where nothing was sent', async () => {
    const refused = await createForm(SCHEMA)()
    expect([refused.status, refused.message]).toEqual([400, expect.stringContaining(`a body of the type ${FORM}`)])
  })
})

test('an int64 parameter above 2^53 is checked against its bounds', async () => {
  const schema = { type: 'integer', format: 'int64', minimum: 1, maximum: 9_100_000_000_000_000_000 }
  const parameters = [{ name: 'id', in: 'query', schema }]
  const { standin } = createContractTester({ '/charges': { get: { parameters, responses: OK } } })
  const statusOf = async (id: string) => (await request(standin.app).get(`/charges?id=${id}`).set(OWN_KEY)).status
  expect(await statusOf('9007199254740993')).toBe(200)
  expect(await statusOf('9200000000000000000')).toBe(400)
  expect(await statusOf('-9007199254740993')).toBe(400)
})
