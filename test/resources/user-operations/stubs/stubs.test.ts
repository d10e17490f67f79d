import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import fc from 'fast-check'
import supertest from 'supertest'
import { replay } from '../../../../src/app/replay/replay.ts'
import { parseJson, stringifyJson } from '../../../../src/base/formats/json.ts'
import { createStandin, type StandinOptions } from '../../../../src/index.ts'
import { longTest } from '../../../support/cases.ts'
import { createDirectory } from '../../../support/command.ts'
import { cases } from '../../../support/cases.ts'

const json = (schema: object, examples?: object) => ({
  content: { 'application/json': { schema, ...(examples && { examples }) } },
})
const order = {
  type: 'object',
  required: ['id', 'customer', 'total'],
  properties: {
    id: { type: 'string' },
    customer: { type: 'string' },
    total: { type: 'number' },
    items: {
      type: 'array',
      items: { type: 'object', properties: { sku: { type: 'string' }, count: { type: 'integer' } } },
    },
    due: { type: 'string', format: 'date' },
    note: { type: ['string', 'null'] },
  },
}
const object = (properties: object) => ({ type: 'object', required: Object.keys(properties), properties })
const problem = {
  description: 'no',
  ...json({ type: 'object', required: ['error'], properties: { error: { type: 'string' } } }),
}
const ok = { description: 'ok', ...json(order) }
const CONTRACT = {
  openapi: '3.1.0',
  info: { title: 'Shop', version: '1' },
  paths: {
    '/orders': {
      get: {
        operationId: 'listOrders',
        tags: ['orders'],
        parameters: [{ name: 'status', in: 'query', schema: { type: 'string' } }],
        responses: { 200: { description: 'ok', ...json({ type: 'array', items: order }) } },
      },
      post: {
        operationId: 'createOrder',
        tags: ['orders'],
        requestBody: json({ ...order, required: ['customer', 'total'] }),
        responses: { 201: ok, 402: problem },
      },
    },
    '/orders/{orderId}': {
      parameters: [{ name: 'orderId', in: 'path', required: true, schema: { type: 'string' } }],
      get: { operationId: 'getOrder', responses: { 200: ok, 404: problem } },
      delete: { operationId: 'deleteOrder', responses: { 204: { description: 'gone' } } },
    },
    '/quote': {
      post: {
        operationId: 'quote',
        parameters: [
          { name: 'currency', in: 'query', schema: { type: 'string' }, examples: { dear: { value: 'CHF' } } },
        ],
        requestBody: json({ type: 'object' }, { cheap: { value: { weight: 1 } }, dear: { value: { weight: 9 } } }),
        responses: {
          200: {
            description: 'ok',
            ...json({ type: 'object' }, { cheap: { value: { price: 1 } }, dear: { value: { price: 90 } } }),
          },
        },
      },
    },
    '/reports': { post: { operationId: 'report', responses: {} } },
  },
}

function shop(stubs: unknown, options: StandinOptions = {}) {
  const standin = createStandin({
    contract: CONTRACT,
    clock: '2026-03-05T14:30:00Z',
    stubs: stubs as object[],
    ...options,
  })
  return { standin, request: supertest(standin.app) }
}

const created = { id: 'o1', customer: 'Ada', total: 5 }
const asked = { customer: 'Ada', total: 5 }

test('a request that is as a stub says gets its response; the others are handled as usual', async () => {
  const { request } = shop([
    {
      name: 'no credit',
      operation: 'createOrder',
      when: { body: { '/customer': { matches: '^Broke' } } },
      respond: { status: 402, body: { error: 'no credit' } },
    },
  ])
  const refused = await request.post('/orders').send({ customer: 'Broke Bob', total: 5 })
  expect([refused.status, refused.body, refused.headers['x-mock-stub']]).toEqual([
    402,
    { error: 'no credit' },
    'no%20credit',
  ])
  const taken = await request.post('/orders').send(asked)
  expect([taken.status, taken.headers['x-mock-stub']]).toEqual([201, undefined])
  // What breaks the contract is refused before.
  expect((await request.post('/orders').send({ customer: 'Broke Bob' })).status).toBe(400)
})

test('places are filled from the request, the clock and chance, and a change is stored with the response', async () => {
  const stubs = [
    {
      operation: 'POST /orders',
      respond: {
        status: 201,
        headers: { Location: '/orders/{$response.body#/id}' },
        body: {
          id: '{$uuid}',
          customer: '{$request.body#/customer} ({$request.header.x-tenant}, {$request.query.shop})',
          total: '{$request.body#/total}',
          note: 'at {$now}',
          items: '{$request.body#/items}',
          due: '{$request.body#/due}',
        },
      },
      change: { create: 'orders', id: '{$response.body#/id}', document: '{$response.body}' },
    },
  ]
  const send = async () => {
    const { request } = shop(stubs)
    const answer = await request.post('/orders?shop=north').set('X-Tenant', 'acme').send(asked)
    return { answer, read: await request.get(answer.headers.location!) }
  }
  const { answer, read } = await send()
  expect(answer.body).toEqual({
    id: expect.stringMatching(/^[\da-f-]{36}$/) as string,
    customer: 'Ada (acme, north)',
    total: 5,
    note: 'at 2026-03-05T14:30:00.000Z',
  })
  expect(read.body).toEqual(answer.body)
  // The same seed, clock and requests give the same bytes.
  expect((await send()).answer.text).toBe(answer.text)
})

test('Faker makes values, with their types', async () => {
  const body = { id: 'o1', customer: '{$faker.person.firstName}', total: '{$faker.number.int}' }
  const { request } = shop([{ operation: 'getOrder', respond: { body } }])
  expect((await request.get('/orders/o1')).body).toEqual({
    id: 'o1',
    customer: expect.stringMatching(/^\p{Lu}/u) as string,
    total: expect.any(Number) as number,
  })
})

test('documents are updated and removed', async () => {
  const { request } = shop([
    {
      operation: 'getOrder',
      when: { header: { 'X-Pay': { exists: true } } },
      respond: { body: created },
      change: { update: 'orders', id: '{$request.path.orderId}', document: { note: 'paid' } },
    },
    {
      operation: 'getOrder',
      when: { header: { 'X-Drop': 'yes' } },
      respond: { body: created },
      change: { remove: 'orders', id: '{$request.path.orderId}' },
    },
  ])
  const body = (await request.post('/orders').send(asked)).body as { id: string }
  const path = `/orders/${body.id}`
  await request.get(path).set('X-Pay', '1')
  expect((await request.get(path)).body).toEqual({ ...body, note: 'paid' })
  await request.get(path).set('X-Drop', 'yes')
  expect((await request.get(path)).status).toBe(404)
})

test('responses follow one another, and a stub is used as often as it says, in each sandbox, until a reset', async () => {
  const wait = { status: 404, body: { error: 'wait' } }
  const { request, standin } = shop([
    {
      name: 'slow',
      operation: 'getOrder',
      when: { path: { orderId: 'slow' } },
      respond: [wait, wait, { body: created }],
      times: 4,
    },
  ])
  const statuses = async (sandbox: string) => {
    const seen: number[] = []
    for (let turn = 0; turn < 5; turn++)
      seen.push((await request.get('/orders/slow').set('X-Mock-Sandbox', sandbox)).status)
    return seen
  }
  const control = standin.control
  await control.createSandbox({ name: 'other' })
  expect(await statuses('default')).toEqual([404, 404, 200, 200, 404])
  expect(await statuses('other')).toEqual([404, 404, 200, 200, 404])
  const kept = await control.getState()
  expect(kept).toHaveProperty('stubUses', { slow: 4 })
  await control.reset()
  expect((await request.get('/orders/slow')).body).toEqual({ error: 'wait' })
  await control.putState(kept)
  expect((await request.get('/orders/slow')).body).not.toEqual({ error: 'wait' })
})

test('a response without a body is the one of the document, or the example that it names', async () => {
  const { request } = shop([
    {
      operation: 'quote',
      when: { header: { 'X-Case': 'example' } },
      respond: { example: 'dear', headers: { 'X-Rate': '3' } },
    },
    { operation: 'getOrder', when: { path: { orderId: 'gone' } }, respond: { status: 404 } },
  ])
  const quoted = await request.post('/quote').set('X-Case', 'example').send({})
  expect([quoted.body, quoted.headers['x-rate']]).toEqual([{ price: 90 }, '3'])
  const gone = await request.get('/orders/gone')
  expect([gone.status, gone.body]).toEqual([404, { error: expect.any(String) as string }])
})

test('faults strike the requests of a stub alone, which are handled as usual where it has no response', async () => {
  const { request } = shop([
    { operation: 'deleteOrder', when: { header: { 'X-Case': 'down' } }, fault: { kind: 'status', status: 503 } },
    {
      operation: 'listOrders',
      when: { query: { status: 'cut' } },
      fault: [{ kind: 'changed-body', changes: [{ op: 'remove', at: '/0' }] }],
    },
  ])
  const body = (await request.post('/orders').send(asked)).body as { id: string }
  expect((await request.delete(`/orders/${body.id}`).set('X-Case', 'down')).status).toBe(503)
  expect((await request.delete(`/orders/${body.id}`)).status).toBe(204)
})

test('an operation that cannot be handled has the responses that are declared for it', async () => {
  const body = { rows: 3 }
  const { request } = shop([
    { operation: 'report', when: { header: { 'X-Case': 'a' } }, respond: { body, validate: false } },
  ])
  expect((await request.post('/reports').set('X-Case', 'a')).body).toEqual(body)
  expect((await request.post('/reports')).status).toBe(501)
})

test('a stub of a tag is for all operations of it', async () => {
  const { request } = shop([
    { operation: 'tag:orders', when: { header: { 'X-Case': 'down' } }, fault: { kind: 'status', status: 503 } },
  ])
  const get = await request.get('/orders').set('X-Case', 'down')
  const post = await request.post('/orders').set('X-Case', 'down').send(asked)
  expect([get.status, post.status]).toEqual([503, 503])
})

test('stubs stand in the document, too, behind those of files', async () => {
  const { paths } = structuredClone(CONTRACT)
  const listOrders = { ...paths['/orders'].get, 'x-standin': { stubs: [{ name: 'none', respond: { body: [] } }] } }
  const contract = { ...CONTRACT, paths: { ...paths, '/orders': { ...paths['/orders'], get: listOrders } } }
  const { request } = shop(
    [{ operation: 'listOrders', when: { query: { status: 'new' } }, respond: { body: [created] } }],
    { contract },
  )
  expect((await request.get('/orders')).body).toEqual([])
  expect((await request.get('/orders?status=new')).body).toEqual([created])
})

test('examples of a request and of a response that have one name belong together', async () => {
  const { request } = shop([])
  const price = async (query: string, body: object) => (await request.post(`/quote${query}`).send(body)).body as unknown
  expect(await price('', { weight: 1 })).toEqual({ price: 1 })
  expect(await price('?currency=CHF', { weight: 9 })).toEqual({ price: 90 })
  // Not all that the examples say.
  expect(await price('', { weight: 9 })).toEqual({ price: 1 })
})

test('examples that belong together and break the contract are not shown', async () => {
  const examples = { cheap: { value: { weight: 1 } } }
  const priced = object({ price: { type: 'integer' } })
  const answer = { description: 'ok', ...json(priced, { cheap: { value: { price: 'low' } } }) }
  const quote = { operationId: 'quote', requestBody: json({ type: 'object' }, examples), responses: { 200: answer } }
  const contract = { ...CONTRACT, paths: { '/quote': { post: quote } } }
  const quoted = await shop([], { contract }).request.post('/quote').send({ weight: 1 })
  expect([quoted.status, quoted.body]).toEqual([200, { price: expect.any(Number) as number }])
})

test('a response with places that breaks the contract is a defect that names the stub', async () => {
  const body = { ...created, total: '{$request.header.x-total}' }
  const { request } = shop([{ name: 'odd', operation: 'getOrder', respond: { body } }])
  const { status, text } = await request.get('/orders/1').set('X-Total', 'many')
  expect([status, text]).toEqual([500, expect.stringContaining('by the stub \\"odd\\", breaks the contract: /total')])
})

const PROJECT = { type: 'object', properties: { id: { type: 'string' }, name: { type: 'string' } } }
const TEAMS = {
  openapi: '3.1.0',
  info: { title: 'Teams', version: '1' },
  paths: {
    '/teams/{teamId}/projects': {
      parameters: [{ name: 'teamId', in: 'path', required: true, schema: { type: 'string' } }],
      get: {
        operationId: 'listProjects',
        parameters: [{ name: 'page', in: 'query', schema: { type: 'integer' } }],
        responses: {
          200: {
            description: 'ok',
            ...json({
              type: 'object',
              properties: { page: { type: 'integer' }, items: { type: 'array', items: PROJECT } },
            }),
          },
        },
      },
      post: {
        operationId: 'createProject',
        requestBody: json({ type: 'object', properties: { name: { type: 'string' } } }),
        responses: {
          201: {
            description: 'ok',
            ...json(PROJECT),
          },
        },
      },
    },
    '/teams/{teamId}/projects/{id}': {
      get: {
        operationId: 'getProject',
        parameters: ['teamId', 'id'].map((name) => ({ name, in: 'path', required: true, schema: { type: 'string' } })),
        responses: {
          200: {
            description: 'ok',
            ...json(PROJECT),
          },
        },
      },
    },
  },
}

test.each(['projects', '{teamId}/projects', '{$request.path.teamId}/projects'])(
  'a change of %s is of the collection that the path goes through, and one that cannot be done names the stub',
  async (create) => {
    const document = { id: 'p1', name: '{$request.body#/name}' }
    const stub = { name: 'fixed', operation: 'createProject', respond: { status: 201, body: document } }
    const { request } = shop([{ ...stub, change: { create, document: '{$response.body}' } }], { contract: TEAMS })
    expect((await request.post('/teams/a/projects').send({ name: 'Moon' })).status).toBe(201)
    expect((await request.get('/teams/a/projects/p1')).body).toEqual({ id: 'p1', name: 'Moon' })
    const again = await request.post('/teams/a/projects').send({ name: 'Sun' })
    expect([again.status, again.text]).toEqual([
      500,
      expect.stringContaining(
        'The stub \\"fixed\\" returned what cannot happen. events[0]: there is a document \\"p1\\"',
      ),
    ])
    expect((await request.get('/teams/a/projects/p1')).body).toEqual({ id: 'p1', name: 'Moon' })
  },
)

test.each([
  ['?page=4', { page: 4 }],
  ['', { page: 1 }],
])('a parameter has the type of the contract in a place: %s', async (query, body) => {
  const { request } = shop([{ operation: 'listProjects', respond: { body: { page: '{$request.query.page|1}' } } }], {
    contract: TEAMS,
  })
  expect((await request.get(`/teams/a/projects${query}`)).body).toEqual(body)
})

test('a request that the contract refuses is no response of a stub', async () => {
  const { request } = shop([{ operation: 'createOrder', respond: { status: 201, body: created } }])
  const refused = await request.post('/orders').send({})
  expect([refused.status, refused.headers['x-mock-stub']]).toEqual([400, undefined])
})

test.each([
  [
    { operation: 'quote', respond: { example: 'daer' } },
    'the contract has no example "daer" of a response of quote. Did you mean dear?',
  ],
  [
    { operation: 'getOrder', when: { path: { ordrId: 7 } }, respond: {} },
    'the path has no {ordrId}. Did you mean orderId?',
  ],
  [
    { operation: 'getOrder', respond: { body: { ...created, note: '{$request.path.ordrId}' } } },
    'the path has no {ordrId}.',
  ],
  [{ operation: 'getOrder', respond: { headers: { 'Bad Name': 'a' } } }, '"Bad Name" is no name of a header.'],
  [
    { operation: 'getOrder', respond: { contentType: 'application/xml', body: { a: 1 }, validate: false } },
    'expected a text, since it is application/xml',
  ],
  [
    { operation: 'createOrder', when: { body: { schema: { $ref: '#/components/schemas/Nope' } } }, respond: {} },
    'the contract has nothing at #/components/schemas/Nope',
  ],
  [
    { operation: 'createOrder', when: { body: { schema: { properties: { a: { type: 'strin' } } } } }, respond: {} },
    '/schema/properties/a/type: expected one of string, number, integer, boolean, object, array, null, or a list of them',
  ],
  [
    { operation: 'getOrder', respond: {}, change: { create: 'ordres', document: {} } },
    'the contract has no collection "ordres". Did you mean `orders`?',
  ],
])('a stub that can never do what it says is refused at the start: %j', (stub, message) => {
  expect(() => shop([stub])).toThrow(message)
})

test('a response that the contract does not know, and need not allow, has no body', async () => {
  const { request } = shop([{ operation: 'deleteOrder', respond: { status: 401, validate: false } }])
  const { status, text } = await request.delete('/orders/1')
  expect([status, text]).toEqual([401, ''])
})

test('a replay repeats what stubs responded', async () => {
  const { request, standin } = shop([
    { operation: 'getOrder', respond: [{ body: created }, { body: { ...created, total: 6 } }] },
    { operation: 'report', respond: { body: { rows: 3 }, validate: false } },
  ])
  await request.get('/orders/1')
  await request.get('/orders/1')
  // Without a body, and without a media type.
  expect((await request.post('/reports')).status).toBe(200)
  const document = await standin.control.getReplay()
  const again = await replay({ file: 'run.json', value: parseJson(stringifyJson(document)), lineOf: () => 1 })
  expect([again.exchanges, again.skipped, again.difference]).toEqual([3, [], undefined])
})

describe('conditions', () => {
  const sent = {
    ...asked,
    items: [
      { sku: 'a', count: 2 },
      { sku: 'b', count: 200 },
    ],
    due: '2026-05-01',
  }
  test.each([
    ['a part that is equal', { '/customer': 'Ada' }, true],
    ['a number is no text', { '/total': '5' }, false],
    ['a part that is not there', { '/nothing': { exists: false } }, true],
    ['a JSONPath with a filter', { '$.items[?@.count > 100]': { exists: true } }, true],
    ['a JSONPath of which one value fits', { '$.items[*].sku': 'b' }, true],
    ['a JSONPath of which no value fits', { '$.items[*].sku': { in: ['c', 'd'] } }, false],
    ['a range', { '/total': { min: 5, below: 6 } }, true],
    ['a range that ends before', { '/total': { above: 5 } }, false],
    ['a range of dates', { '/due': { min: '2026-04-01', max: '2026-06-30' } }, true],
    ['a range of what is no number', { '/customer': { max: 10 } }, false],
    ['a list that contains an object', { '/items': { contains: { sku: 'b' } } }, true],
    ['a text that contains another', { '/customer': { contains: 'd' } }, true],
    ['all of several', { '/customer': { allOf: [{ contains: 'A' }, { contains: 'd' }] } }, true],
    ['not all of several', { '/customer': { allOf: [{ contains: 'A' }, { contains: 'z' }] } }, false],
    ['one of several', { '/customer': { anyOf: ['Bob', { matches: '^A' }] } }, true],
    ['not', { '/customer': { not: { matches: '^B' } } }, true],
    ['a JSON Schema', { '': { schema: { properties: { items: { minItems: 3 } } } } }, false],
    ['a schema of the contract', { '': { schema: { type: 'object', required: ['due'] } } }, true],
    ['an object that must be the same', { '/items/0': { equals: { sku: 'a', count: 2 } } }, true],
    ['the whole body', { contains: { customer: 'Ada', items: [{ count: 2 }] } }, true],
  ])('%s', async (_name, body, isMatch) => {
    const { request } = shop([
      { name: 'met', operation: 'createOrder', when: { body }, respond: { status: 201, body: created } },
    ])
    const { headers } = await request.post('/orders').send(sent)
    expect(headers['x-mock-stub']).toBe(isMatch ? 'met' : undefined)
  })

  test.each([
    ['?tag=a&tag=b', { query: { tag: 'b' } }, true],
    ['?status=7', { query: { status: 7 } }, true],
    ['?status=7', { query: { status: { min: 10 } } }, false],
    ['?status=', { query: { status: { exists: true } } }, true],
    ['', { query: { status: { not: 'a' } } }, true],
    ['', { header: { 'x-b3': { exists: true } } }, false],
  ])('%s %j', async (query, when, isMatch) => {
    const { request } = shop([{ name: 'met', operation: 'listOrders', when, respond: { body: [] } }])
    const { headers } = await request.get(`/orders${query}`)
    expect(headers['x-mock-stub']).toBe(isMatch ? 'met' : undefined)
  })

  test('of several stubs the first one that matches is for a request, whatever their conditions', async () => {
    const condition = fc.record({ least: fc.integer({ min: 0, max: 9 }), most: fc.integer({ min: 0, max: 9 }) })
    await fc.assert(
      fc.asyncProperty(fc.array(condition, { maxLength: 5 }), fc.integer({ min: 0, max: 9 }), async (ranges, total) => {
        const stubs = ranges.map(({ least, most }, at) => ({
          name: `n${at}`,
          operation: 'createOrder',
          when: { body: { '/total': { min: least, max: most } } },
          respond: { status: 201, body: created },
        }))
        const { headers } = await shop(stubs)
          .request.post('/orders')
          .send({ ...asked, total })
        const first = ranges.findIndex(({ least, most }) => total >= least && total <= most)
        expect(headers['x-mock-stub']).toBe(first < 0 ? undefined : `n${first}`)
      }),
      { numRuns: cases(30, 8) },
    )
  })
})

test('what is wrong with a file of stubs is said, with its line, at the start', () => {
  const directory = createDirectory({
    'stubs.yaml': [
      '- operation: createOrders', // 1
      '  respond: { status: 201 }',
      '- operation: createOrder', // 3
      '  when: { body: { customer: Ada } }',
      '  respond: { status: 418, body: {} }', // 5
      '- operation: getOrder',
      '  when: { header: { X-A: { like: a } }, body: { /a: { matches: "(" } } }', // 7
      '  respond: { body: { id: "{$request.boddy}", customer: "x" } }',
      '- operation: getOrder', // 9
      '  respond: { body: { id: o1, customer: Ada, total: "5" } }',
      '- operation: getOrder', // 11
      '- operation: listOrders',
      '  fault: { kind: laterncy }', // 13
      '  times: 0',
    ].join('\n'),
  })
  onTestFinished(() => directory.remove())
  const file = join(directory.path, 'stubs.yaml')
  const start = () => createStandin({ contract: CONTRACT, stubs: file })
  let message = ''
  try {
    start()
  } catch (error) {
    message = (error as Error).message.replaceAll(file, 'stubs.yaml')
  }
  for (const part of [
    'stubs.yaml:1: /0/operation: options.contract has no operation `createOrders`. Did you mean `createOrder`?',
    'stubs.yaml:4: /1/when/body/customer: expected a part of the body as a JSON Pointer, such as /customer/id',
    'stubs.yaml:5: /1/respond/status: the contract documents no response 418 of createOrder (201, 402). Correct it, or set `validate: false` beside it.',
    'stubs.yaml:7: /2/when/header/X-A/like: A condition has an unknown field `like`.',
    'stubs.yaml:7: /2/when/body/~1a/matches: "(" is not a regular expression.',
    'stubs.yaml:8: /2/respond/body/id: "{$request.boddy}" names nothing. There are {$request.body#/a/b}',
    'stubs.yaml:10: /3/respond/body/total: /total: expected a number, got "5". Correct it, or set `validate: false` beside it.',
    'stubs.yaml:11: /4: it does nothing. Give it `respond` or `fault`.',
    'stubs.yaml:13: /5/fault: ',
    'stubs.yaml:14: /5/times: expected how many requests it is for, from 1; got 0.',
  ])
    expect(message).toContain(part)
})

longTest('examples make pairs up to a bound, in time that grows with their number, and the others are named', () => {
  const names = Array.from({ length: 10_002 }, (_, index) => `n${index}`)
  const examples = Object.fromEntries(names.map((name, value) => [name, { value }]))
  const contract = {
    openapi: '3.1.0',
    info: { title: 'Pairs', version: '1' },
    paths: {
      '/numbers/{id}': {
        get: {
          operationId: 'getNumber',
          'x-standin': 'generated',
          parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'integer' }, examples }],
          responses: {
            200: { description: 'It.', content: { 'application/json': { schema: { type: 'integer' }, examples } } },
          },
        },
      },
    },
  }
  expect(createStandin({ contract }).notes).toEqual([
    'options.contract: the examples of requests and responses make 10002 pairs, and the first 10000 are used. The others are examples like any.',
  ])
})
