import { expect, test } from 'vitest'
import { cellText, columnsOf, referenceAt } from '../../../../console/src/views/collections/choose-columns.ts'
import { createForm } from '../../../../console/src/views/collections/editor/schema-form.ts'

test('the id, names, statuses, references, amounts and dates come first', () => {
  const schema = {
    properties: {
      updatedAt: { type: 'string' },
      description: { type: 'string' },
      lines: { type: 'array', items: { type: 'object' } },
      createdAt: { type: 'string' },
      total: { type: 'integer' },
      customerId: { type: 'integer' },
      status: { type: 'string' },
      name: { type: 'string' },
      id: { type: 'integer' },
    },
  }
  const sample = {
    id: 1,
    name: 'A',
    status: 'new',
    customerId: 2,
    total: 3,
    createdAt: '2026-01-01T00:00:00Z',
    more: 1,
    description: 'x',
  }
  const columns = columnsOf({ form: createForm(schema), schema, samples: [sample], identity: '/id' })
  expect(columns.map(({ title }) => title)).toEqual([
    'id',
    'name',
    'status',
    'customerId',
    'total',
    'createdAt',
    'more',
    'description',
    'updatedAt',
    'lines',
  ])
})

test('columns of longer values are wider, up to a limit', () => {
  const text = { type: 'string' }
  const schema = { type: 'object', properties: { id: text, email: text, city: text, note: text } }
  const sample = { id: 'a', email: 'kendall.cartwright@example.org', city: 'Rome', note: 'x'.repeat(500) }
  const columns = columnsOf({ form: createForm(schema), schema, samples: [sample], identity: '/id' })
  const widths = Object.fromEntries(columns.map(({ title, width }) => [title, width]))
  expect(widths).toMatchObject({
    email: 'minmax(7rem, 30fr)',
    city: 'minmax(4.5rem, 8fr)',
    note: 'minmax(7rem, 32fr)',
  })
})

test('values are short texts', () => {
  expect(
    [null, 'x', true, ['a', 'b'], [{}, {}], { name: 'Ada' }, { a: 1 }, '2026-01-12T09:30:00Z', '2026-01-12'].map(
      cellText,
    ),
  ).toEqual(['', 'x', 'true', 'a, b', '2 items', 'Ada', '{ a }', '2026-01-12 09:30', '2026-01-12'])
})

test('a member of any element of a list may be a reference', () => {
  const references = [{ member: '/lines/*/productId', collection: 'products' }]
  expect(referenceAt('/lines/12/productId', references)).toBe('products')
  expect(referenceAt('/lines/12/quantity', references)).toBeUndefined()
})
