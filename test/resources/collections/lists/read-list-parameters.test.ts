import { expect, test } from 'vitest'
import { readItemMembers } from '../../../../src/resources/collections/lists/item-members.ts'
import {
  readBodyParameters,
  readListParameters,
} from '../../../../src/resources/collections/lists/read-list-parameters.ts'

const TEXT = { type: 'string' }
const WHOLE = { type: 'integer' }
const INSTANT = { type: 'string', format: 'date-time' }

/** An order, as the tests list it. */
const ORDER = {
  type: 'object',
  properties: {
    id: WHOLE,
    status: { type: 'string', enum: ['open', 'paid', 'shipped'] },
    note: TEXT,
    customer_id: WHOLE,
    price: { type: 'number' },
    tags: { type: 'array', items: TEXT },
    address: { type: 'object', properties: { city: TEXT } },
    created_at: INSTANT,
    updatedAt: INSTANT,
    secret: { ...TEXT, writeOnly: true },
  },
}

interface Documented {
  readonly name: string
  readonly schema?: object
  readonly description?: string
}

const itemsOf = (schema: object) => readItemMembers({}, schema)

/** What parameters of a list mean, in words: `page of the list, from 1`. */
function understood(parameters: readonly Documented[], items: object = ORDER): Record<string, string> {
  const listed = parameters.map(({ schema = TEXT, ...rest }) => ({ in: 'query', schema, ...rest }))
  const document = { paths: { '/orders': { get: { parameters: listed } } } }
  const operation = { pointer: '/paths/~1orders/get', parameters: [] }
  const read = readListParameters(operation, { document, items: itemsOf(items) })
  return Object.fromEntries(read.map(({ name, says }) => [name, says]))
}

const NOT_UNDERSTOOD = 'not understood: the items have no member of that name'
const AFTER = 'continues after a page, by its token, or after an item, by its id'
const BEFORE = 'continues before a page, by its token, or before an item, by its id'

test.each<[string, object, string]>([
  ['page', WHOLE, 'page of the list, from 1'],
  ['pageNumber', WHOLE, 'page of the list, from 1'],
  ['page', { ...WHOLE, minimum: 0 }, 'page of the list, from 0'],
  ['pageIndex', WHOLE, 'page of the list, from 0'],
  ['Page', { ...WHOLE, default: 1 }, 'page of the list, from 1'],
  ['page[number]', WHOLE, 'page of the list, from 1'],
  ['page[size]', WHOLE, 'size of a page'],
  ['per_page', { ...WHOLE, default: 30 }, 'size of a page, 30 by default'],
  ['PageSize', WHOLE, 'size of a page'],
  ['limit', WHOLE, 'size of a page'],
  ['maxResults', WHOLE, 'size of a page'],
  ['$top', WHOLE, 'size of a page'],
  ['first', WHOLE, 'size of a page'],
  ['size', WHOLE, 'size of a page'],
  ['count', WHOLE, 'size of a page'],
  ['offset', WHOLE, 'number of items to skip'],
  ['$skip', WHOLE, 'number of items to skip'],
  ['start', WHOLE, 'number of items to skip'],
  ['startIndex', { ...WHOLE, minimum: 1 }, 'number of the first item, from 1'],
  ['offset', TEXT, 'number of items to skip, or the token of a page'],
  ['startAt', { ...TEXT, default: '0' }, 'number of items to skip'],
  ['page', TEXT, 'page of the list, from 1'],
  ['cursor', TEXT, AFTER],
  ['after', TEXT, AFTER],
  ['starting_after', TEXT, AFTER],
  ['page_token', TEXT, AFTER],
  ['next_token', TEXT, AFTER],
  ['continue', TEXT, AFTER],
  ['marker', TEXT, AFTER],
  ['ending_before', TEXT, BEFORE],
  ['before', TEXT, BEFORE],
])('the paging parameter %s with the schema %j', (name, schema, says) => {
  expect(understood([{ name, schema }])).toEqual({ [name]: says })
})

test.each<[string, object, string]>([
  ['status', TEXT, 'filters by /status'],
  ['Status', { type: 'array', items: TEXT }, 'filters by /status, one value or several'],
  ['statuses', TEXT, 'filters by /status, one value or several'],
  ['status[]', { type: 'array', items: TEXT }, 'filters by /status, one value or several'],
  ['status', { ...TEXT, default: 'open' }, 'filters by /status, open by default'],
  ['tag', TEXT, 'filters by /tags'],
  ['customerId', WHOLE, 'filters by /customer_id'],
  ['customer', WHOLE, 'filters by /customer_id'],
  ['ids', { type: 'array', items: WHOLE }, 'filters by /id, one value or several'],
  ['address.city', TEXT, 'filters by /address/city'],
  ['address[city]', TEXT, 'filters by /address/city'],
  ['filter[status]', TEXT, 'filters by /status'],
  ['filterStatus', TEXT, 'filters by /status'],
  ['status[in]', TEXT, 'filters by /status, one value or several'],
  ['note_like', TEXT, 'searches /note'],
  ['note_pattern', TEXT, 'searches /note'],
  ['note__startswith', TEXT, 'searches the start of /note'],
  ['note_prefix_pattern', TEXT, 'searches the start of /note'],
  ['ends_with_note', TEXT, 'searches the end of /note'],
  ['note__icontains', TEXT, 'searches /note'],
  ['secret', TEXT, NOT_UNDERSTOOD],
  ['colour', TEXT, NOT_UNDERSTOOD],
  ['filter[colour]', TEXT, NOT_UNDERSTOOD],
  ['pretty', { type: 'boolean' }, NOT_UNDERSTOOD],
])('the filter %s with the schema %j', (name, schema, says) => {
  expect(understood([{ name, schema }])).toEqual({ [name]: says })
})

test.each<[string, object, string]>([
  ['created_after', TEXT, 'filters by /created_at, after this value'],
  ['created_before', TEXT, 'filters by /created_at, before this value'],
  ['createdSince', TEXT, 'filters by /created_at, from this value on'],
  ['created_at_min', TEXT, 'filters by /created_at, from this value on'],
  ['min_price', { type: 'number' }, 'filters by /price, from this value on'],
  ['maxPrice', { type: 'number' }, 'filters by /price, up to this value'],
  ['price_gte', { type: 'number' }, 'filters by /price, from this value on'],
  ['price[lt]', { type: 'number' }, 'filters by /price, before this value'],
  ['UpdatedAt>', TEXT, 'filters by /updatedAt, from this value on'],
  ['since', INSTANT, 'filters by /created_at, from this value on'],
  ['until', INSTANT, 'filters by /created_at, up to this value'],
  ['after', INSTANT, 'filters by /created_at, after this value'],
  ['from', { ...TEXT, format: 'date' }, 'filters by /created_at, from this value on'],
  ['end_date', TEXT, 'filters by /created_at, up to this value'],
  ['min_weight', { type: 'number' }, NOT_UNDERSTOOD],
])('the range %s with the schema %j', (name, schema, says) => {
  expect(understood([{ name, schema }])).toEqual({ [name]: says })
})

test.each<[string, object, string]>([
  ['q', TEXT, 'searches the texts of the items'],
  ['searchTerm', TEXT, 'searches the texts of the items'],
  ['keyword', TEXT, 'searches the texts of the items'],
  ['sort', TEXT, 'sorts by the members that it names'],
  ['order_by', { ...TEXT, default: 'created' }, 'sorts by the members that it names, created by default'],
  ['order', { enum: ['asc', 'desc'] }, 'the direction of the sort'],
  ['order', TEXT, 'sorts by the members that it names'],
  ['fields', TEXT, 'selects the optional members that are shown'],
  ['$select', TEXT, 'selects the optional members that are shown'],
  ['expand', TEXT, 'ignored: items have no place for related items'],
  ['include', TEXT, 'ignored: items have no place for related items'],
])('the parameter %s with the schema %j', (name, schema, says) => {
  expect(understood([{ name, schema }])).toEqual({ [name]: says })
})

test('a member of the items counts before a usual meaning that is not the only one', () => {
  const items = { type: 'object', properties: { size: WHOLE, order: WHOLE, start: INSTANT, limit: WHOLE } }
  const names = ['size', 'order', 'start', 'limit']
  expect(
    understood(
      names.map((name) => ({ name, schema: WHOLE })),
      items,
    ),
  ).toEqual({
    size: 'filters by /size',
    order: 'filters by /order',
    start: 'filters by /start',
    limit: 'size of a page',
  })
})

test('a date is no token, even where the items have no date', () => {
  const items = { properties: { id: WHOLE } }
  const names = ['since', 'until', 'after', 'before', 'from', 'start']
  const parameters = names.map((name) => ({ name, schema: INSTANT }))
  expect(new Set(Object.values(understood(parameters, items)))).toEqual(new Set([NOT_UNDERSTOOD]))
  const described = names.map((name) => ({ name, description: 'A date, as yyyy-mm-dd.' }))
  expect(new Set(Object.values(understood(described, items)))).toEqual(new Set([NOT_UNDERSTOOD]))
})

test('descriptions decide where names do not', () => {
  expect(
    understood([{ name: 'since', schema: INSTANT, description: 'Only those updated at or after this time.' }]),
  ).toEqual({ since: 'filters by /updatedAt, from this value on' })
  expect(understood([{ name: 'since', schema: WHOLE, description: 'An order ID.' }])).toEqual({ since: AFTER })
  expect(understood([{ name: 'note', description: 'Orders whose note contains this text.' }])).toEqual({
    note: 'searches /note',
  })
  expect(understood([{ name: 'status', description: 'A comma-separated list.' }])).toEqual({
    status: 'filters by /status, one value or several',
  })
})

test('a switch that says what is shown of each item filters by no member of its name', () => {
  const items = { type: 'object', properties: { id: TEXT, signed: { type: 'boolean' } } }
  const described = (description: string) =>
    understood([{ name: 'signed', schema: { type: 'boolean', default: true }, description }], items)
  expect(described('Whether to include the “signed” and “serial” fields in the zones.')).toEqual({
    signed: NOT_UNDERSTOOD,
  })
  expect(described('Whether to show signed zones alone.')).not.toEqual({ signed: NOT_UNDERSTOOD })
})

test('`order` beside `sort` is its direction', () => {
  expect(understood([{ name: 'sort' }, { name: 'dir' }])).toMatchObject({ dir: 'the direction of the sort' })
  expect(understood([{ name: 'dir' }])).toEqual({ dir: NOT_UNDERSTOOD })
})

test('objects are understood part by part', () => {
  const page = { type: 'object', properties: { number: WHOLE, size: WHOLE } }
  const filter = {
    type: 'object',
    properties: { status: TEXT, colour: TEXT, price: { type: 'object', properties: { gte: WHOLE } } },
  }
  const created = { anyOf: [{ type: 'object', properties: { gte: WHOLE, lt: WHOLE } }, WHOLE] }
  expect(
    understood([
      { name: 'page', schema: page },
      { name: 'filter', schema: filter },
      { name: 'created', schema: created },
      { name: 'where', schema: { type: 'object' } },
    ]),
  ).toEqual({
    'page[number]': 'page of the list, from 1',
    'page[size]': 'size of a page',
    'filter[status]': 'filters by /status',
    'filter[colour]': NOT_UNDERSTOOD,
    'filter[price][gte]': 'filters by /price, from this value on',
    created: 'filters by /created_at',
    'created[gte]': 'filters by /created_at, from this value on',
    'created[lt]': 'filters by /created_at, before this value',
    where: 'filters by the members that it names',
  })
})

test('the body of a search is read alike', () => {
  const body = {
    type: 'object',
    properties: {
      filters: { type: 'object', properties: { statuses: { type: 'array', items: TEXT }, minPrice: WHOLE } },
      query: TEXT,
      sort: { type: 'object', properties: { field: TEXT, direction: { enum: ['ASC', 'DESC'] } } },
      pagination: { type: 'object', properties: { page: WHOLE, pageSize: WHOLE } },
      mood: TEXT,
    },
  }
  const read = readBodyParameters(body, { document: {}, items: itemsOf(ORDER) })
  expect(Object.fromEntries(read.map(({ name, says }) => [name, says]))).toEqual({
    '/filters/statuses': 'filters by /status, one value or several',
    '/filters/minPrice': 'filters by /price, from this value on',
    '/query': 'searches the texts of the items',
    '/sort/field': 'sorts by the members that it names',
    '/sort/direction': 'the direction of the sort',
    '/pagination/page': 'page of the list, from 1',
    '/pagination/pageSize': 'size of a page',
    '/mood': NOT_UNDERSTOOD,
  })
})

test('items of JSON:API are filtered by their attributes', () => {
  const items = { properties: { id: TEXT, type: TEXT, attributes: { properties: { title: TEXT } } } }
  expect(understood([{ name: 'filter[title]' }, { name: 'title' }], items)).toEqual({
    'filter[title]': 'filters by /attributes/title',
    title: 'filters by /attributes/title',
  })
})
