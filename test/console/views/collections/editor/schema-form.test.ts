import { expect, test } from 'vitest'
import { createForm } from '../../../../../console/src/views/collections/editor/schema-form.ts'

const ORDER = {
  $ref: '#/$defs/Order',
  $defs: {
    Order: {
      type: 'object',
      required: ['id', 'lines'],
      properties: {
        id: { type: 'integer', readOnly: true, minimum: 1 },
        status: { type: 'string', enum: ['placed', 'shipped'], default: 'placed', description: 'Where it is.' },
        isGift: { type: 'boolean' },
        note: { type: ['string', 'null'], maxLength: 200 },
        due: { type: 'string', format: 'date' },
        lines: { type: 'array', items: { $ref: '#/$defs/Line' } },
        address: { allOf: [{ $ref: '#/$defs/Place' }, { properties: { zip: { type: 'string' } }, required: ['zip'] }] },
      },
    },
    Line: { type: 'object', required: ['quantity'], properties: { quantity: { type: 'integer', default: 1 } } },
    Place: { type: 'object', properties: { city: { type: 'string' } } },
  },
}

const kinds = (schema: object, value: unknown = {}) =>
  Object.fromEntries(
    createForm(schema)
      .fieldsOf(schema, value)
      .map(({ label, kind }) => [label, kind]),
  )

test('each member gets the field that its schema asks for', () => {
  expect(kinds(ORDER)).toEqual({
    id: 'number',
    status: 'choice',
    isGift: 'choice',
    note: 'text',
    due: 'date',
    lines: 'list',
    address: 'object',
  })
})

test('a field says what is required, read-only, nullable and allowed', () => {
  const fields = createForm(ORDER).fieldsOf(ORDER, {})
  const field = (label: string) => fields.find((one) => one.label === label)
  expect(field('id')).toMatchObject({ pointer: '/id', isRequired: true, isReadOnly: true, hint: 'at least 1' })
  expect(field('status')).toMatchObject({
    isRequired: false,
    choices: ['placed', 'shipped'],
    description: 'Where it is.',
    hint: 'default placed',
  })
  expect(field('isGift')?.choices).toEqual([true, false])
  expect(field('note')).toMatchObject({ mayBeNull: true, hint: 'at most 200 characters' })
})

test('members of allOf are those of one object', () => {
  const form = createForm(ORDER)
  const address = form.fieldsOf(ORDER, {}).find(({ label }) => label === 'address')
  expect(form.fieldsOf(address?.schema, {}, '/address')).toMatchObject([
    { pointer: '/address/city', isRequired: false },
    { pointer: '/address/zip', isRequired: true },
  ])
})

test('elements of lists have fields, and begin with the defaults of what they require', () => {
  const form = createForm(ORDER)
  const { properties } = ORDER.$defs.Order
  expect(form.elementOf(properties.lines, { quantity: 2 }, '/lines/0')).toMatchObject({
    kind: 'object',
    label: '1',
    pointer: '/lines/0',
  })
  expect(form.initialElementOf(properties.lines, '/lines')).toEqual({ quantity: 1 })
})

test('what a form cannot say is edited as JSON', () => {
  const schema = {
    properties: {
      either: { oneOf: [{ type: 'string' }, { type: 'integer' }] },
      types: { type: ['string', 'integer'] },
      map: { type: 'object', additionalProperties: { type: 'string' } },
      anything: {},
      lists: { type: 'array', items: { anyOf: [{ type: 'string' }, { type: 'integer' }] } },
    },
  }
  expect(new Set(Object.values(kinds(schema)))).toEqual(new Set(['json']))
})

test('an alternative to null alone is no alternative', () => {
  const Owner = { type: 'object', properties: { name: { type: 'string' } } }
  const schema = {
    properties: {
      owner: { oneOf: [{ type: 'null' }, { $ref: '#/$defs/Owner' }] },
      old: { type: 'string', nullable: true },
    },
    $defs: { Owner },
  }
  expect(createForm(schema).fieldsOf(schema, {})).toMatchObject([
    { kind: 'object', mayBeNull: true },
    { kind: 'text', mayBeNull: true },
  ])
})

test('a value that its schema does not allow is edited as what it is', () => {
  expect(kinds(ORDER, { status: { a: 1 }, lines: 'none', address: 7 })).toMatchObject({
    status: 'json',
    lines: 'json',
    address: 'json',
  })
})

test('members that are not documented are shown too', () => {
  const form = createForm(ORDER)
  expect(form.fieldsOf(ORDER, { 'a/b': 'x', extra: { c: 1 } }).slice(-2)).toMatchObject([
    { pointer: '/a~1b', label: 'a/b', kind: 'text', isRequired: false },
    { pointer: '/extra', kind: 'json' },
  ])
})

test('a schema that contains itself is read as deep as the value goes', () => {
  const schema = {
    $ref: '#/$defs/Folder',
    $defs: { Folder: { type: 'object', required: ['parent'], properties: { parent: { $ref: '#/$defs/Folder' } } } },
  }
  const form = createForm(schema)
  const [parent] = form.fieldsOf(schema, { parent: {} })
  expect(form.fieldsOf(parent?.schema, {}, '/parent')).toMatchObject([{ pointer: '/parent/parent', kind: 'object' }])
  expect(JSON.stringify(parent && form.initialOf(parent)).length).toBeLessThan(100)
})

test('of alternatives, a document has the members of the one that knows most of its own', () => {
  const schema = {
    anyOf: [{ $ref: '#/$defs/Gone' }, { $ref: '#/$defs/Customer' }],
    $defs: {
      Gone: { type: 'object', required: ['gone'], properties: { id: { type: 'string' }, gone: { type: 'boolean' } } },
      Customer: {
        type: 'object',
        properties: { id: { type: 'string' }, name: { type: 'string' }, email: { type: 'string' } },
      },
    },
  }
  expect(kinds(schema)).toEqual({ id: 'text', name: 'text', email: 'text' })
  expect(kinds(schema, { id: 'a', gone: true })).toEqual({ id: 'text', gone: 'choice' })
})
