import request from 'supertest'
import { describe, expect, test } from 'vitest'
import { type Json } from '../../support/contracts/small-contract.ts'
import { json, answered, createShop, createCustomers } from '../../support/contracts/customers.ts'

describe('requests', () => {
  const settings = (name: string, more: Json = {}) => ({ properties: { [name]: { type: 'object' } }, ...more })
  const either = (...oneOf: Json[]) =>
    createShop({
      '/settings': {
        patch: { operationId: 'set', responses: { '204': { description: 'ok' } }, requestBody: json({ oneOf }) },
      },
    })

  test.each([
    ['one of them', { sound: {} }, 204],
    ['several', { sound: {}, video: {} }, 204],
    ['none', {}, 204],
    ['a wrong type for all', { sound: 7, video: 7, chat: 7 }, 400],
  ])('with %s of alternatives that nothing tells apart', async (_what, body, status) => {
    const nested = { oneOf: [settings('video'), settings('chat')] }
    const { patch } = either(settings('sound', { type: 'object' }), settings('video'), nested)
    expect((await patch('/settings', body)).status).toBe(status)
  })

  test.each([
    ['a required member', { required: ['sound'] }, { sound: {}, video: {} }],
    ['no other members', { additionalProperties: false }, { video: {}, sound: {} }],
    ['a member with a value of its own', { properties: { kind: { const: 'sound' } } }, { kind: 'sound', video: {} }],
  ])('fit just one of the alternatives that %s tells apart', async (_what, more, body) => {
    const { patch } = either(settings('sound', more), settings('video', more))
    expect((await patch('/settings', body)).status).toBe(400)
  })

  const listOf = (type: string) => ({ type: 'array', items: { type } })
  test.each<[unknown, number]>([
    [7, 201],
    [7.5, 201],
    ['seven', 201],
    [[], 201],
    [[7], 201],
    [[7.5], 201],
    [{ kind: 'other' }, 400],
  ])('%j as a value of a union type that fits several plain alternatives', async (amount, status) => {
    const kind = { type: 'object', required: ['kind'], properties: { kind: { const: 'usual' } } }
    const oneOf = [{ type: 'integer', format: 'int64' }, { type: 'number' }, { type: 'string' }, listOf('integer'), listOf('number'), kind] // prettier-ignore
    const schema = { type: 'object', required: ['amount'], properties: { id: { type: 'string' }, amount: { oneOf } } }
    const created = { '201': { description: 'ok', ...json(schema) } }
    const { post, get } = createShop({
      '/things': { post: { operationId: 'create', responses: created, requestBody: json(schema) } },
      '/things/{id}': { get: { operationId: 'read', responses: answered(schema) } },
    })
    const made = await post('/things', { amount })
    expect(made.status).toBe(status)
    if (status === 201)
      expect((await get(`/things/${(made.body as { id: string }).id}`)).body).toMatchObject({ amount })
  })

  test('name a number of an enumeration of texts', async () => {
    const id = { name: 'id', in: 'path', required: true, schema: { type: 'string', enum: [1, 2] } }
    const thing = { operationId: 'get', parameters: [id], responses: answered({ type: 'object' }) }
    const { get } = createShop({ '/things/{id}': { get: thing } })
    expect([(await get('/things/1')).status, (await get('/things/3')).status]).toEqual([200, 400])
  })
})

describe('a request of a generated operation', () => {
  test('is checked against the contract, and needs a key', async () => {
    const { put, get, standin, control } = createCustomers()
    const { status, headers } = await put('/customers/abc', { name: 'A' })
    expect([status, headers['x-mock-problem']]).toEqual([400, expect.stringMatching(/^request-invalid: id: .*1 more/)])
    const {
      exchanges: [last],
    } = await control.listExchanges({ operationId: 'putCustomer' })
    const violations = last?.issues ?? []
    expect(violations.map(({ parameter, pointer }) => parameter ?? pointer)).toEqual(['id', '/name'])
    for (const { source } of violations) expect(source).toMatch(/contract\.json:\d+$/)
    expect((await request(standin.app).get('/customers/1')).status).toBe(401)
    expect((await put('/customers/1', { name: 'Ann', nmae: 1 })).headers['x-mock-ignored']).toBe('body /nmae')
    expect((await get('/customers/1')).headers['x-mock-generated']).toBe('true')
    const { exchanges } = await control.listExchanges({ operationId: 'getCustomer' })
    expect(exchanges.map(({ answer }) => answer?.status)).toEqual(expect.arrayContaining([200, 401]))
  })

  test('may have a body that is no object, where the contract says so', async () => {
    const { post } = createShop({
      '/sums': {
        post: {
          operationId: 'sum',
          requestBody: { required: true, ...json({ type: 'array', items: { type: 'integer' } }) },
          responses: answered({ type: 'integer' }),
        },
      },
    })
    expect((await post('/sums', [1, 2, 3])).status).toBe(200)
    expect((await post('/sums', { n: 1 })).status).toBe(400)
    expect((await post('/sums', [1, 'two'])).status).toBe(400)
  })

  test.each([
    ['what holds itself', { $ref: '#/components/schemas/Endless' }, '/parent leads back to itself, without end'],
    ['what is made of itself', { $ref: '#/components/schemas/Pet' }, 'it leads back to itself, without end'],
    [
      'two types at once',
      { allOf: [{ type: 'string' }, { type: 'integer' }] },
      'it must be string and integer at once',
    ],
    [
      'a text too short to be long',
      { type: 'string', minLength: 5, maxLength: 2 },
      'it has a minLength of 5 and a maxLength of 2',
    ],
    ['a list of nothing', { type: 'array', minItems: 1, items: false }, '/0 may be nothing at all'],
    [
      'a member that is shut out',
      { allOf: [{ type: 'object', additionalProperties: false }, { required: ['id'] }] },
      '/id is required, and shut out by additionalProperties',
    ],
    [
      'one of two that are the same',
      {
        oneOf: [
          { type: 'string', title: 'A' },
          { title: 'B', type: 'string' },
        ],
      },
      'it must be exactly one of alternatives, each of which says the same as another',
    ],
  ])('that asks for %s is refused from the start, with the reason', async (_, schema, why) => {
    const Endless = {
      type: 'object',
      required: ['parent'],
      properties: { parent: { $ref: '#/components/schemas/Endless' } },
    }
    const Pet = { oneOf: [{ $ref: '#/components/schemas/Cat' }] }
    const Cat = { allOf: [{ $ref: '#/components/schemas/Pet' }] }
    const ok = { description: 'ok', ...json({ type: 'string' }) }
    const never = { '201': { description: 'never', ...json(schema) } }
    const { standin, get, post } = createShop(
      {
        '/never': {
          get: { operationId: 'getNever', responses: never },
          post: {
            operationId: 'postNever',
            requestBody: { required: true, ...json(schema) },
            responses: { '200': ok },
          },
        },
        '/sometimes': { get: { operationId: 'getSometimes', responses: { '200': ok, ...never } } },
      },
      { Endless, Pet, Cat },
    )
    const noAnswer = `no value fits the schema of its response 201: ${why}`
    const noBody = `its body is required, and no value fits the schema of that: ${why}`
    expect(standin.operations.filter((line) => line.includes('refused'))).toEqual([
      expect.stringContaining(`refused (${noAnswer})`),
      expect.stringContaining(`refused (${noBody})`),
    ])
    expect(await get('/never')).toMatchObject({
      status: 501,
      body: { detail: `GET /never is not answered: ${noAnswer}.` },
    })
    expect(await post('/never', {})).toMatchObject({
      status: 501,
      body: { detail: `POST /never is not answered: ${noBody}.` },
    })
    expect((await get('/sometimes')).status).toBe(200)
    const preferred = await get('/sometimes', { Prefer: 'code=201' })
    expect([preferred.status, (preferred.body as Json).detail]).toEqual([
      501,
      `GET /sometimes is not answered with 201: no value fits the schema of that response: ${why}.`,
    ])
  })

  test.each([
    [
      'may be null',
      { type: ['object', 'null'], required: ['next'], properties: { next: { $ref: '#/components/schemas/Node' } } },
    ],
    [
      'may end in a list',
      {
        type: 'object',
        required: ['next'],
        properties: { next: { type: 'array', items: { $ref: '#/components/schemas/Node' } } },
      },
    ],
    [
      'may end elsewise',
      {
        type: 'object',
        required: ['next'],
        properties: { next: { oneOf: [{ $ref: '#/components/schemas/Node' }, { type: 'integer' }] } },
      },
    ],
    [
      'need not be told',
      {
        type: 'object',
        required: ['next'],
        properties: { next: { writeOnly: true, allOf: [{ $ref: '#/components/schemas/Node' }] } },
      },
    ],
  ])('that asks for what holds itself and %s is answered', async (_, Node) => {
    const { get } = createShop(
      { '/node': { get: { operationId: 'getNode', responses: answered({ $ref: '#/components/schemas/Node' }) } } },
      { Node },
    )
    expect((await get('/node')).status).toBe(200)
  })

  test.each([
    ['what `not` says of every text', { type: 'string', not: { minLength: 0 } }, 'expected something else, got "'],
    ['an odd number', { type: 'integer', not: { multipleOf: 2 } }, 'expected something else, got '],
    [
      '101 elements',
      { type: 'array', minItems: 101, items: { type: 'integer' } },
      'expected an array of at least 101 elements',
    ],
  ])('for which no value is found is refused with the reason and the remedy: %s', async (_, schema, why) => {
    const { get } = createShop({
      '/never': { get: { operationId: 'never', responses: answered(schema) } },
    })
    const refused = await get('/never')
    expect(refused).toMatchObject({
      status: 501,
      body: { type: expect.stringMatching(/operation-refused$/) as unknown },
    })
    const { detail } = refused.body as { detail: string }
    expect(detail).toMatch(
      /^GET \/never is not answered with 200: no value was found that fits the schema of that response\. Give it an example\./,
    )
    expect(detail).toContain(`The last one that was tried: the body: ${why}`)
    expect(refused.headers).not.toHaveProperty('x-mock-defect')
  })

  test('for which no value is found is answered with the example that the refusal asks for', async () => {
    const odd = { type: 'integer', not: { multipleOf: 2 } }
    const { get } = createShop({ '/odd': { get: { operationId: 'getOdd', responses: answered(odd, { example: 7 }) } } })
    expect(await get('/odd')).toMatchObject({ status: 200, body: 7 })
  })
})
