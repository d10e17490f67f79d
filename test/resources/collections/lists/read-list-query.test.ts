import { expect, test } from 'vitest'
import { readItemMembers } from '../../../../src/resources/collections/lists/item-members.ts'
import { readListParameters } from '../../../../src/resources/collections/lists/read-list-parameters.ts'
import { readListQuery } from '../../../../src/resources/collections/lists/read-list-query.ts'

const TEXT = { type: 'string' }
const WHOLE = { type: 'integer' }
const LIST = { type: 'array', items: TEXT }

const items = readItemMembers(
  {},
  {
    properties: {
      id: WHOLE,
      status: { type: 'string', enum: ['open', 'paid'] },
      note: TEXT,
      price: { type: 'number' },
      isPaid: { type: 'boolean' },
      tags: LIST,
      created_at: { type: 'string', format: 'date-time' },
      due: { type: 'string', format: 'date' },
      paid_at: WHOLE,
    },
  },
)

/** What a list is asked for by parameters with these schemas, and these values. */
function read(schemas: Readonly<Record<string, object>>, values: Readonly<Record<string, unknown>>) {
  const parameters = Object.entries(schemas).map(([name, schema]) => ({ in: 'query', name, schema }))
  const document = { paths: { '/orders': { get: { parameters } } } }
  const known = readListParameters({ pointer: '/paths/~1orders/get', parameters: [] }, { document, items })
  return readListQuery(known, values, { items })
}

test.each<[string, object, unknown, object[]]>([
  ['status', TEXT, 'open', [{ pointer: '/status', oneOf: ['open'] }]],
  ['status', TEXT, 'OPEN', [{ pointer: '/status', oneOf: ['open'] }]],
  ['status', TEXT, 'open,paid', [{ pointer: '/status', oneOf: ['open', 'paid'] }]],
  ['status', LIST, ['open', 'paid'], [{ pointer: '/status', oneOf: ['open', 'paid'] }]],
  ['price__gte', { type: 'array', items: { type: 'number' } }, [5], [{ pointer: '/price', from: { value: 5 } }]],
  ['status', TEXT, 'all', []],
  ['status', TEXT, '', []],
  ['status', { ...TEXT, default: 'open' }, undefined, [{ pointer: '/status', oneOf: ['open'] }]],
  ['note', { ...TEXT, default: 'none' }, undefined, []],
  ['note', TEXT, 'to Ann, not Bob', [{ pointer: '/note', oneOf: ['to Ann, not Bob'] }]],
  ['note_contains', TEXT, 'Ann', [{ pointers: ['/note'], text: 'Ann' }]],
  ['note_startswith', TEXT, 'Ann', [{ pointers: ['/note'], text: 'Ann', at: 'start' }]],
  ['note_endswith', TEXT, 'Ann', [{ pointers: ['/note'], text: 'Ann', at: 'end' }]],
  ['tags', TEXT, 'new,hot', [{ pointer: '/tags', oneOf: ['new,hot'] }]],
  ['tags', LIST, ['new', 'hot'], [{ pointer: '/tags', oneOf: ['new', 'hot'] }]],
  ['ids', TEXT, '1,2', [{ pointer: '/id', oneOf: [1, 2] }]],
  ['id', TEXT, 'one', [{ pointer: '/id', oneOf: [] }]],
  ['is_paid', TEXT, 'true', [{ pointer: '/isPaid', oneOf: [true] }]],
  ['price', TEXT, '9.5', [{ pointer: '/price', oneOf: [9.5] }]],
  ['price_min', TEXT, '5', [{ pointer: '/price', from: { value: 5 } }]],
  ['price[lt]', { type: 'number' }, 5, [{ pointer: '/price', to: { value: 5, exclusive: true } }]],
  [
    'created_after',
    TEXT,
    '2026-03-01T10:00:00+01:00',
    [{ pointer: '/created_at', from: { value: '2026-03-01T09:00:00.000Z', exclusive: true } }],
  ],
  ['created_since', TEXT, '1772355600', [{ pointer: '/created_at', from: { value: '2026-03-01T09:00:00.000Z' } }]],
  ['created_until', TEXT, '2026-03-01', [{ pointer: '/created_at', to: { value: '2026-03-01T23:59:59.999Z' } }]],
  [
    'created',
    TEXT,
    '2026-03-01',
    [
      { pointer: '/created_at', from: { value: '2026-03-01T00:00:00.000Z' } },
      { pointer: '/created_at', to: { value: '2026-03-01T23:59:59.999Z' } },
    ],
  ],
  ['due_before', TEXT, '2026-03-01T10:00:00Z', [{ pointer: '/due', to: { value: '2026-03-01', exclusive: true } }]],
  ['paid_since', TEXT, '2026-03-01T09:00:00Z', [{ pointer: '/paid_at', from: { value: 1_772_355_600 } }]],
  ['q', TEXT, 'lamp', [{ pointers: ['/status', '/note', '/tags'], text: 'lamp' }]],
])('the filter %s with the schema %j and the value %j', (name, schema, value, conditions) => {
  const query = read({ [name]: schema }, { [name]: value })
  expect(query).toMatchObject({ violations: [], ignored: [] })
  expect(query.conditions).toEqual(conditions)
})

test('a filter without a schema takes members by name, and names what is unknown', () => {
  const filter = { status: 'open', price: { gte: '5' }, colour: 'red' }
  expect(read({ filter: { type: 'object' } }, { filter })).toMatchObject({
    conditions: [
      { pointer: '/status', oneOf: ['open'] },
      { pointer: '/price', from: { value: 5 } },
    ],
    ignored: ['filter[colour]'],
  })
})

test.each<[Record<string, object>, Record<string, unknown>, object]>([
  [{ page: WHOLE }, {}, { position: { kind: 'start' }, size: undefined }],
  [
    { page: WHOLE, limit: { ...WHOLE, default: 20 } },
    { page: 3 },
    { position: { kind: 'page', page: 2 }, size: undefined, usualSize: 20 },
  ],
  [{ page: { ...WHOLE, minimum: 0 } }, { page: 3 }, { position: { kind: 'page', page: 3 } }],
  [
    { offset: WHOLE, limit: WHOLE },
    { offset: 5, limit: 2 },
    { position: { kind: 'offset', offset: 5 }, size: 2 },
  ],
  [{ startIndex: { ...WHOLE, default: 1 } }, {}, { position: { kind: 'start' } }],
  [{ after: TEXT }, { after: 'x' }, { position: { kind: 'after', text: 'x', where: { parameter: 'after' } } }],
  [{ starting_after: WHOLE }, { starting_after: 7 }, { position: { kind: 'after', text: '7' } }],
  [{ ending_before: TEXT }, { ending_before: 'x' }, { position: { kind: 'before', text: 'x' } }],
  [{ page: { type: 'object', properties: { number: WHOLE } } }, { page: { number: 2 } }, { position: { page: 1 } }],
])('pages: the parameters %j with the values %j', (schemas, values, expected) => {
  expect(read(schemas, values)).toMatchObject({ violations: [], ...expected })
})

test.each<[Record<string, object>, Record<string, unknown>, object[]]>([
  [{ sort: TEXT }, { sort: 'price' }, [{ pointer: '/price', descending: false }]],
  [{ sort: TEXT }, { sort: '-created' }, [{ pointer: '/created_at', descending: true }]],
  [{ sort: TEXT }, { sort: 'price:desc' }, [{ pointer: '/price', descending: true }]],
  [{ sort: TEXT }, { sort: 'price_asc' }, [{ pointer: '/price', descending: false }]],
  [{ sort: TEXT }, { sort: 'desc(price)' }, [{ pointer: '/price', descending: true }]],
  [{ sort: TEXT }, { sort: 'newest' }, [{ pointer: '/created_at', descending: true }]],
  [
    { order_by: TEXT },
    { order_by: 'created desc, id' },
    [
      { pointer: '/created_at', descending: true },
      { pointer: '/id', descending: false },
    ],
  ],
  [
    { sort: LIST },
    { sort: ['price', '-id'] },
    [
      { pointer: '/price', descending: false },
      { pointer: '/id', descending: true },
    ],
  ],
  [{ sort: TEXT, direction: TEXT }, { sort: 'price', direction: 'desc' }, [{ pointer: '/price', descending: true }]],
  [
    { sort_by: TEXT, order: { enum: ['ASC', 'DESC'] } },
    { sort_by: 'price', order: 'DESC' },
    [{ pointer: '/price', descending: true }],
  ],
  [
    { sort: { ...TEXT, default: 'created' }, direction: { enum: ['asc', 'desc'], default: 'desc' } },
    {},
    [{ pointer: '/created_at', descending: true }],
  ],
])('sorts: the parameters %j with the values %j', (schemas, values, order) => {
  expect(read(schemas, values)).toMatchObject({ order, ignored: [], violations: [] })
})

test('what has no effect is named', () => {
  const schemas = { sort: TEXT, expand: TEXT, colour: TEXT }
  expect(read(schemas, { sort: 'price,colour', expand: 'customer', colour: 'red' })).toMatchObject({
    order: [{ pointer: '/price', descending: false }],
    ignored: ['sort', 'expand', 'colour'],
  })
})

test('members are selected by names however they are written', () => {
  const { fields } = read({ fields: TEXT }, { fields: 'id, createdAt,address.city' })
  expect([...(fields ?? [])]).toEqual(['id', 'createdat', 'address'])
})

test.each<[string, object, unknown, string]>([
  ['page', WHOLE, 0, 'page: expected a whole number from 1, got 0.'],
  ['limit', WHOLE, -1, 'limit: expected a whole number from 0'],
  ['offset', { type: ['integer', 'string'] }, 'x', 'offset: expected a whole number from 0'],
  ['created_after', TEXT, 'yesterday', 'created_after: expected an instant such as'],
  ['price_min', TEXT, 'cheap', 'price_min: expected a number'],
])('%s with the schema %j cannot be %j', (name, schema, value, message) => {
  const { violations } = read({ [name]: schema }, { [name]: value })
  expect(violations).toMatchObject([{ parameter: name, message: expect.stringContaining(message) as string }])
})
