import fc from 'fast-check'
import request from 'supertest'
import { expect, test } from 'vitest'
import { inPath, nothing, ref, shows, takes } from '../../../support/contracts/pets.ts'
import { createContractTester, type Json, OWN_KEY } from '../../../support/contracts/small-contract.ts'
import type { StandinOptions } from '../../../../src/index.ts'
import { cases } from '../../../support/cases.ts'

const WHOLE = { type: 'integer' }
const TEXT = { type: 'string' }
const MEMBER = {
  type: 'object',
  required: ['userId', 'role'],
  properties: { userId: WHOLE, role: { ...TEXT, default: 'guest' } },
}
const TASK = {
  type: 'object',
  required: ['id', 'title', 'labels', 'watcher_ids', 'members'],
  properties: {
    id: { ...WHOLE, readOnly: true },
    title: TEXT,
    labels: { type: 'array', items: TEXT },
    watcher_ids: { type: 'array', items: WHOLE },
    members: { type: 'array', items: ref('Member') },
  },
}

const task = { 200: shows(ref('Task')) }
const done = { 204: nothing, 404: { description: 'There is none' } }
const below = (name: string, schema: Json, operations: Json) => ({
  parameters: [inPath('taskId'), { name, in: 'path', required: true, schema }],
  ...operations,
})

const LABELS = { type: 'array', items: TEXT }
const cart = { 200: shows(ref('Cart')) }

const PATHS = {
  '/tasks/{taskId}/labels': {
    parameters: [inPath('taskId')],
    get: { responses: { 200: shows(LABELS) } },
    put: { requestBody: takes(LABELS), responses: { 200: shows(LABELS) } },
    post: { requestBody: takes({ type: 'object', properties: { labels: LABELS } }), responses: { 200: shows(LABELS) } },
    patch: {
      requestBody: takes({ type: 'object', properties: { labels: LABELS } }),
      responses: { 200: shows(LABELS) },
    },
  },
  '/carts': { post: { responses: { 201: shows(ref('Cart')) } } },
  '/carts/{cartId}': { parameters: [inPath('cartId')], get: { responses: cart } },
  '/carts/{cartId}/items': {
    parameters: [inPath('cartId')],
    post: { requestBody: takes(ref('NewItem')), responses: cart },
  },
  '/carts/{cartId}/items/{productId}': {
    parameters: [inPath('cartId'), { name: 'productId', in: 'path', required: true, schema: WHOLE }],
    patch: { requestBody: takes({ type: 'object', properties: { quantity: WHOLE } }), responses: cart },
    delete: { responses: cart },
  },
  '/tasks': {
    get: {
      parameters: [{ name: 'label', in: 'query', schema: TEXT }],
      responses: { 200: shows({ type: 'array', items: ref('Task') }) },
    },
    post: { requestBody: takes(ref('NewTask')), responses: { 201: shows(ref('Task')) } },
  },
  '/tasks/{taskId}': { parameters: [inPath('taskId')], get: { responses: task } },
  '/tasks/{taskId}/labels/{label}': below('label', TEXT, { put: { responses: done }, delete: { responses: done } }),
  '/tasks/{taskId}/watchers/{userId}': below('userId', WHOLE, {
    post: { responses: task },
    delete: { responses: task },
  }),
  '/tasks/{taskId}/members/{userId}': below('userId', WHOLE, {
    put: { requestBody: takes({ type: 'object', properties: { role: TEXT } }), responses: task },
    delete: { responses: done },
  }),
}

const PRICE = { type: 'number' }
const LINE = {
  type: 'object',
  required: ['productId', 'quantity', 'price'],
  properties: { productId: WHOLE, quantity: WHOLE, price: PRICE },
}
const CART = {
  type: 'object',
  required: ['id', 'items', 'shipping', 'total'],
  properties: { id: WHOLE, items: { type: 'array', items: LINE }, shipping: PRICE, total: PRICE },
}
const NEW_ITEM = {
  type: 'object',
  required: ['productId'],
  properties: { productId: WHOLE, quantity: { ...WHOLE, default: 1 } },
}
const NEW_TASK = { type: 'object', required: ['title'], properties: { title: TEXT } }

const SCHEMAS = { Task: TASK, NewTask: NEW_TASK, Member: MEMBER, Cart: CART, NewItem: NEW_ITEM }

function createTasks(options: StandinOptions = {}) {
  const tester = createContractTester(PATHS, SCHEMAS, { selfCheck: true, ...options })
  const send = async (method: 'get' | 'post' | 'put' | 'patch' | 'delete', path: string, body?: object) => {
    const response = await request(tester.standin.app)[method](path).set(OWN_KEY).send(body)
    return {
      status: response.status,
      headers: response.headers as Readonly<Record<string, string>>,
      body: response.body as Json,
    }
  }
  const create = async () => {
    const { body } = await send('post', '/tasks', { title: 'Paint' })
    return `/tasks/${String(body.id)}`
  }
  return { ...tester, send, create }
}

test('PUT and DELETE of a label change the labels of the task, which reads and filters show', async () => {
  const { send, create } = createTasks()
  const path = await create()
  for (const label of ['red', 'blue', 'red', 'deep%20sea'])
    expect((await send('put', `${path}/labels/${label}`)).status).toBe(204)
  expect((await send('get', path)).body.labels).toEqual(['red', 'blue', 'deep sea'])
  expect((await send('get', '/tasks?label=blue')).body).toMatchObject([{ title: 'Paint' }])
  expect((await send('delete', `${path}/labels/red`)).status).toBe(204)
  expect((await send('get', path)).body.labels).toEqual(['blue', 'deep sea'])
})

test('a label that the task has not cannot be removed, nor one of an unknown task added', async () => {
  const { send, create } = createTasks()
  const path = await create()
  const missing = await send('delete', `${path}/labels/red`)
  expect(missing).toMatchObject({
    status: 404,
    body: { detail: expect.stringMatching(/^The task \d+ has no label red\.$/) as string },
  })
  expect(missing.headers['x-mock-behaviours']).toContain('collections.delete-again')
  expect((await send('put', '/tasks/999/labels/red')).status).toBe(404)
  const lenient = createTasks({ behaviours: { 'collections.delete-again': 'succeed' } })
  expect((await lenient.send('delete', `${await lenient.create()}/labels/red`)).status).toBe(204)
})

test('ids of a path are elements of the list of ids, and the response shows the task', async () => {
  const { send, create } = createTasks()
  const path = await create()
  expect((await send('post', `${path}/watchers/5`)).body.watcher_ids).toEqual([5])
  expect((await send('post', `${path}/watchers/7`)).body.watcher_ids).toEqual([5, 7])
  expect((await send('delete', `${path}/watchers/5`)).body.watcher_ids).toEqual([7])
})

test('elements that are objects are found by the member that the path names, and get what the body says', async () => {
  const { send, create } = createTasks()
  const path = await create()
  expect((await send('put', `${path}/members/5`)).body.members).toEqual([{ userId: 5, role: 'guest' }])
  expect((await send('put', `${path}/members/6`, { role: 'owner' })).body.members).toMatchObject([
    { userId: 5 },
    { userId: 6, role: 'owner' },
  ])
  expect((await send('put', `${path}/members/5`, { role: 'admin' })).body.members).toEqual([
    { userId: 5, role: 'admin' },
    { userId: 6, role: 'owner' },
  ])
  expect((await send('delete', `${path}/members/5`)).status).toBe(204)
  expect((await send('get', path)).body.members).toEqual([{ userId: 6, role: 'owner' }])
})

test('the path of the labels reads, replaces and extends them', async () => {
  const { send, create } = createTasks()
  const path = await create()
  expect((await send('get', `${path}/labels`)).body).toEqual([])
  expect((await send('put', `${path}/labels`, ['red', 'blue'])).body).toEqual(['red', 'blue'])
  expect((await send('post', `${path}/labels`, { labels: ['blue', 'green'] })).body).toEqual(['red', 'blue', 'green'])
  expect((await send('delete', `${path}/labels/blue`)).status).toBe(204)
  expect((await send('get', `${path}/labels`)).body).toEqual(['red', 'green'])
  expect((await send('get', path)).body.labels).toEqual(['red', 'green'])
  expect((await send('patch', `${path}/labels`, { labels: ['grey'] })).body).toEqual(['grey'])
})

test('a cart begins empty, more of a product adds to its quantity, and the total is what the lines cost', async () => {
  const { send } = createTasks()
  const empty = (await send('post', '/carts')).body
  expect(empty).toMatchObject({ items: [], shipping: 0, total: 0 })
  const path = `/carts/${String(empty.id)}`
  await send('post', `${path}/items`, { productId: 5 })
  await send('post', `${path}/items`, { productId: 7, quantity: 3 })
  const { items, total } = (await send('post', `${path}/items`, { productId: 5, quantity: 2 })).body as unknown as Cart
  expect(items).toMatchObject([
    { productId: 5, quantity: 3 },
    { productId: 7, quantity: 3 },
  ])
  expect(total).toBeCloseTo(
    items.reduce((sum, { quantity, price }) => sum + quantity * price, 0),
    2,
  )
  const missing = await send('patch', `${path}/items/8`, { quantity: 1 })
  expect(missing.status).toBe(404)
  expect(missing.headers['x-mock-behaviours']).not.toContain('collections.delete-again')
  expect((await send('patch', `${path}/items/7`, { quantity: 1 })).body.items).toMatchObject([
    {},
    { productId: 7, quantity: 1 },
  ])
  await send('delete', `${path}/items/5`)
  const last = (await send('get', path)).body as unknown as Cart
  expect(last).toMatchObject({ items: [{ productId: 7, quantity: 1 }], total: last.items[0]?.price })
})

interface Cart {
  readonly items: readonly { readonly quantity: number; readonly price: number }[]
  readonly total: number
}

test('an element whose body may be anything is not taken for one', async () => {
  const anything = below('label', TEXT, { put: { requestBody: takes({}), responses: { 204: nothing } } })
  const { standin } = createContractTester({ ...PATHS, '/tasks/{taskId}/labels/{label}': anything }, SCHEMAS)
  const put = request(standin.app).put('/tasks/1/labels/red').set(OWN_KEY).set('Content-Type', 'application/json')
  expect((await put.send('"any text"')).status).toBe(204)
})

test('the start says what these operations are about', () => {
  const lines = createTasks().standin.operations.filter((line) => line.includes('/labels/'))
  expect(lines).toHaveLength(2)
  for (const line of lines)
    expect(line).toMatch(/ stateful as action tasks \((PUT|DELETE) of an element of the labels of an item\)$/)
})

test('the labels are those of a set that does the same', async () => {
  const step = fc.record({
    method: fc.constantFrom('put' as const, 'delete' as const),
    label: fc.constantFrom('a', 'b', 'c'),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
      const { send, create } = createTasks({ documents: 0 })
      const path = await create()
      const set = new Set<string>()
      for (const { method, label } of steps) {
        const { status } = await send(method, `${path}/labels/${label}`)
        expect(status).toBe(method === 'put' || set.has(label) ? 204 : 404)
        if (method === 'put') set.add(label)
        else set.delete(label)
      }
      expect((await send('get', path)).body.labels).toEqual([...set])
    }),
    { numRuns: cases(15, 5) },
  )
})
