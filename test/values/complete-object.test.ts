import { expect, test } from 'vitest'
import { completeObject } from '../../src/values/complete-object.ts'

const TEXT = { type: 'string' }
const completion = { written: 0, key: 1 }

/** A payment by card, or by bank transfer. */
const PAYMENT = {
  type: 'object',
  required: ['type'],
  oneOf: [
    {
      properties: { type: { const: 'card' }, number: { const: '4242' } },
      required: ['number'],
      additionalProperties: false,
    },
    { properties: { type: { enum: ['sepa', 'ach'] }, iban: { const: 'DE00' } }, required: ['iban'] },
    { properties: { type: { type: 'integer' }, note: { const: 'cash' } }, required: ['note'] },
  ],
}

test.each([
  [{ type: 'card' }, { type: 'card', number: '4242' }],
  [{ type: 'ach' }, { type: 'ach', iban: 'DE00' }],
  [{ type: 7 }, { type: 7, note: 'cash' }],
])('%j is completed by the alternative that it belongs to', (usual, whole) => {
  expect(completeObject({}, PAYMENT, usual, completion)).toEqual(whole)
  const order = { properties: { id: TEXT, payment: PAYMENT } }
  const nested = { id: '1', payment: usual }
  expect(completeObject({}, order, nested, completion)).toEqual({ id: '1', payment: whole })
})

test('an object that fits none better is completed by the first alternative', () => {
  expect(completeObject({}, PAYMENT, {}, completion)).toMatchObject({ number: '4242' })
})
