import request, { type Response } from 'supertest'
import { expect, test } from 'vitest'
import { createContractTester, OWN_KEY } from '../../../support/contracts/small-contract.ts'

const text = { type: 'string' }
const object = (properties: object, required: readonly string[] = []) => ({ type: 'object', required, properties })
const listOf = (items: object) => ({ type: 'array', items })
const json = (schema: object) => ({ content: { 'application/json': { schema } } })
const answer = (schema: object) => ({ description: 'ok', ...json(schema) })
const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` })
const asked = (schema: object) => ({ name: 'q', in: 'query', ...json(schema) })

/** Items beside titles and columns to show them by, as Flask-AppBuilder has them. */
const columns = { label_columns: object({ column_name: text }), show_columns: listOf(text), show_title: text }
const page = object({
  count: { type: 'number' },
  ids: listOf(text),
  label_columns: object({ column_name: text }),
  list_columns: listOf(text),
  list_title: text,
  result: listOf(ref('Row.get_list')),
})
const listed = object({
  filters: listOf(object({ col: text, opr: text, value: {} })),
  order_column: text,
  order_direction: { ...text, enum: ['asc', 'desc'] },
  page_size: { type: 'integer' },
})
const message = answer(object({ message: text }))
const PATHS = {
  '/dataset/': {
    get: { parameters: [asked(listed)], responses: { 200: answer(page) } },
    post: {
      requestBody: { required: true, ...json(ref('Row.post')) },
      responses: { 201: answer(object({ id: { type: 'number' }, result: ref('Row.post') })) },
    },
    delete: { parameters: [asked(listOf({ type: 'integer' }))], responses: { 200: message } },
  },
  '/dataset/{pk}': {
    parameters: [{ name: 'pk', in: 'path', required: true, schema: { type: 'integer' } }],
    get: { responses: { 200: answer(object({ id: text, result: ref('Row.get'), ...columns })), 404: message } },
    delete: { responses: { 200: message, 404: message } },
  },
}
const row = { id: { type: 'integer' }, table_name: text, sql: { ...text, nullable: true } }
const SCHEMAS = {
  'Row.get': object({ ...row, database: object({ id: { type: 'integer' }, name: text }) }, ['table_name']),
  'Row.get_list': object({ ...row, kind: text }, ['table_name']),
  'Row.post': object({ table_name: text, database: { type: 'integer' } }, ['table_name']),
}

interface Row {
  readonly id: number
  readonly table_name: string
}
type Answer = Omit<Response, 'body'> & {
  readonly body: { readonly id: unknown; readonly count: number; readonly result: Row & readonly Row[] }
}

function datasets() {
  const { standin } = createContractTester(PATHS, SCHEMAS)
  return async (method: 'get' | 'post' | 'delete', path: string, { q, body }: { q?: unknown; body?: object } = {}) =>
    (await request(standin.app)
      [method](path)
      .query(q === undefined ? {} : { q: JSON.stringify(q) })
      .set(OWN_KEY)
      .send(body)) as Answer
}

test('a list and an item beside columns and titles are those of a collection', async () => {
  const send = datasets()
  const made = await send('post', '/dataset/', { body: { table_name: 'orders' } })
  expect(made).toMatchObject({ status: 201, body: { id: 11, result: { table_name: 'orders' } } })
  expect((await send('get', '/dataset/11')).body).toMatchObject({ id: '11', result: { id: 11, table_name: 'orders' } })
  expect((await send('get', '/dataset/')).body).toMatchObject({ count: 11 })
  await send('delete', '/dataset/11')
  expect((await send('get', '/dataset/11')).status).toBe(404)
})

test('an object that is shown by its id in one response has that id in all', async () => {
  const send = datasets()
  const made = await send('post', '/dataset/', { body: { table_name: 'orders', database: 7 } })
  expect(made.body).toMatchObject({ result: { table_name: 'orders', database: 7 } })
  expect((await send('get', '/dataset/11')).body).toMatchObject({ result: { database: { id: 7 } } })
})

test('its one parameter sorts, filters and sets the size of a page', async () => {
  const send = datasets()
  await send('post', '/dataset/', { body: { table_name: 'orders' } })
  const filters = [{ col: 'table_name', opr: 'eq', value: 'orders' }]
  expect((await send('get', '/dataset/', { q: { filters } })).body).toMatchObject({ count: 1, result: [{ id: 11 }] })
  const q = { page_size: 3, order_column: 'table_name', order_direction: 'desc' }
  const { result } = (await send('get', '/dataset/', { q })).body
  const names = result.map(({ table_name: name }) => name)
  expect(names).toHaveLength(3)
  expect(names).toEqual(names.toSorted().toReversed())
})

test('a list of ids in the only parameter of a deletion names what it deletes', async () => {
  const send = datasets()
  expect((await send('delete', '/dataset/', { q: [1, 2] })).status).toBe(200)
  expect((await send('get', '/dataset/1')).status).toBe(404)
  expect((await send('get', '/dataset/')).body.count).toBe(8)
})
