import { Ajv2020 } from 'ajv/dist/2020.js'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createSchemas } from '../../../src/contract/schemas/schemas.ts'
import { cases } from '../../support/cases.ts'

const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` })
const KEYS = fc.constantFrom('x', 'y', 'z', 'u', 'v')

/**
 * Schemas that refer to each other, and are so large that parts of them are compiled on their own.
 *
 * @param inPlace names of schemas that it may refer to for the same value. If all could, some would never end.
 */
function arbitrarySchema(...inPlace: string[]) {
  return fc.letrec<{ schema: object | boolean; properties: object }>((tie) => ({
    properties: fc.dictionary(KEYS, fc.oneof(tie('schema'), fc.constantFrom('a', 'b', 'c').map(ref)), { maxKeys: 5 }),
    schema: fc.oneof(
      { maxDepth: 4 },
      fc.constantFrom<object | boolean>({ type: 'string' }, { type: 'integer', minimum: 0 }, true, ...inPlace.map(ref)),
      tie('properties').map((properties) => ({ type: 'object', properties })),
      fc.tuple(tie('properties'), tie('schema')).map(([properties, one]) => ({
        properties,
        allOf: [one],
        unevaluatedProperties: false,
      })),
      fc.tuple(tie('schema'), tie('schema')).map((anyOf) => ({ anyOf, unevaluatedProperties: { type: 'integer' } })),
      fc.tuple(tie('schema'), tie('schema')).map(([one, items]) => ({ type: 'array', prefixItems: [one], items })),
      tie('properties').map((properties) => ({ properties, required: Object.keys(properties).slice(0, 1) })),
      tie('schema').map((not) => ({ not })),
    ),
  })).schema
}

const arbitraryValue = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom<unknown>('text', 1, -1, null),
    fc.dictionary(fc.constantFrom('x', 'y', 'z', 'u', 'v', 'w'), tie('value'), { maxKeys: 4 }),
    fc.array(tie('value'), { maxLength: 3 }),
  ),
})).value

test('a schema compiled in parts accepts what it accepts when compiled whole', () => {
  fc.assert(
    fc.property(
      fc.tuple(arbitrarySchema('b', 'c'), arbitrarySchema('c'), arbitrarySchema()),
      fc.array(arbitraryValue, { minLength: 1, maxLength: 8 }),
      ([a, b, c], values) => {
        const document = { components: { schemas: { a, b, c } } }
        const check = createSchemas(document, () => '').compile('/components/schemas/a')
        const whole = new Ajv2020({ strict: false }).addSchema(document, 'all').compile({
          $ref: 'all#/components/schemas/a',
        })
        for (const value of values) {
          expect(check.accepts(value)).toBe(whole(value))
          expect(check(value).length === 0).toBe(whole(value))
        }
      },
    ),
    { numRuns: cases(60, 8) },
  )
})

test('what a reference evaluates counts, elements and members alike', () => {
  const x = { contains: { type: 'string' }, properties: { x: true } }
  const a = { ...ref('x'), prefixItems: [true], unevaluatedItems: false, unevaluatedProperties: false }
  const check = createSchemas({ components: { schemas: { a, x } } }, () => '').compile('/components/schemas/a')
  expect(check.accepts([1, 'text', 'text'])).toBe(true)
  expect(check.accepts([1, 2])).toBe(false)
  expect(check.accepts({ x: 1 })).toBe(true)
  expect(check.accepts({ x: 1, y: 1 })).toBe(false)
})
