import { Ajv2020 } from 'ajv/dist/2020.js'
import fc from 'fast-check'
import { assert, expect, test } from 'vitest'
import { createDirectory, runCommand } from '../../support/command.ts'
import { documentOf, returns, takes } from './cases.ts'
import { cases } from '../../support/cases.ts'

/** Small schemas, so that two random ones often have something to do with each other. */
const { schema } = fc.letrec<{ schema: object; leaf: object }>((tie) => {
  const leaf = fc.oneof(
    fc.record({ type: fc.constant('string'), minLength: fc.nat(2), maxLength: fc.integer({ min: 1, max: 3 }) }),
    fc.record({
      type: fc.constantFrom('integer', 'number'),
      minimum: fc.integer({ min: -1, max: 1 }),
      maximum: fc.integer({ min: 1, max: 3 }),
    }),
    fc.record({ enum: fc.uniqueArray(fc.constantFrom<unknown>('a', 'b', 1, null), { minLength: 1 }) }),
    fc.record({ type: fc.constantFrom('boolean', 'null', ['string', 'null'], ['integer', 'object']) }),
    fc.constant({}),
  )
  return {
    leaf,
    schema: fc.oneof(
      { maxDepth: 3, depthSize: 'small' },
      leaf,
      fc.record({
        type: fc.constant('object'),
        properties: fc.dictionary(fc.constantFrom('a', 'b'), tie('schema'), { maxKeys: 2 }),
        required: fc.uniqueArray(fc.constantFrom('a', 'b')),
        // Where a schema does not say which other members it allows, only those that it names count.
        additionalProperties: fc.oneof(fc.constant(false), tie('leaf')),
      }),
      fc.record({
        type: fc.constant('array'),
        items: tie('schema'),
        minItems: fc.nat(1),
        maxItems: fc.integer({ min: 1, max: 2 }),
      }),
      // Alternatives of which a value fits one at most: others are read as `anyOf`.
      fc.tuple(tie('schema'), tie('leaf')).map(([items, leaf]) => ({
        oneOf: [
          { type: 'array', items },
          { ...leaf, not: { type: 'array' } },
        ],
      })),
      ...['anyOf', 'allOf'].map((keyword) =>
        fc.array(tie('schema'), { minLength: 1, maxLength: 2 }).map((parts) => ({ [keyword]: parts })),
      ),
    ),
  }
})

const VALUE = fc.letrec<{ value: unknown; leaf: unknown }>((tie) => ({
  leaf: fc.constantFrom<unknown>('', 'a', 'b', 'ab', 'abc', -1, 0, 0.5, 1, 2, 3, true, null, {}, []),
  value: fc.oneof(
    { maxDepth: 2 },
    tie('leaf'),
    fc.dictionary(fc.constantFrom('a', 'b', 'c'), tie('value'), { maxKeys: 3 }),
    fc.array(tie('value'), { maxLength: 2 }),
  ),
})).value

const COUNT = cases(400, 50)
const SEED = 20261123

test(`of ${COUNT} pairs of random schemas, none is called compatible where a value shows that it is not`, async () => {
  const pairs = fc.sample(fc.tuple(schema, schema), { numRuns: COUNT, seed: SEED })
  const values = fc.sample(VALUE, { numRuns: 400, seed: SEED })
  const { path, remove } = createDirectory({
    'old.json': JSON.stringify(documentOf(pairs.flatMap(([old]) => [takes(old), returns(old)]))),
    'new.json': JSON.stringify(documentOf(pairs.flatMap(([, now]) => [takes(now), returns(now)]))),
  })
  const command = runCommand(['diff', 'old.json', 'new.json', '--format', 'json'], { cwd: path })
  await command.ended
  remove()
  const { changes } = JSON.parse(command.stdout()) as Changes
  const alarming = changes.filter(({ level }) => level !== 'compatible')
  const alarms = new Set(alarming.flatMap(({ uses }) => uses.map(({ operation }) => operation)))
  const ajv = new Ajv2020({ strict: false })
  const find = (isIt: (value: unknown) => boolean) => values.find(isIt)
  let broken = 0
  for (const [at, [old, now]] of pairs.entries()) {
    const [before, after] = [ajv.compile(old), ajv.compile(now)]
    const requestBreaks = find((value) => before(value) && !after(value))
    const responseBreaks = find((value) => after(value) && !before(value))
    for (const [index, value] of [requestBreaks, responseBreaks].entries()) {
      if (value === undefined) continue
      broken++
      const side = index === 0 ? 'request' : 'response'
      assert(alarms.has(`POST /${2 * at + index}`), JSON.stringify({ side, value, old, now }, undefined, 1))
    }
  }
  expect(broken).toBeGreaterThan(COUNT / 2)
})

interface Changes {
  readonly changes: readonly { readonly level: string; readonly uses: readonly { readonly operation: string }[] }[]
}
