import { readFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { validatorsMade } from '../../scripts/bundle/made-ahead.ts'
import { readPackaged } from '../../src/base/formats/source-file.ts'
import { createSchemas } from '../../src/contract/schemas/schemas.ts'
import type { ReadyMade } from '../../src/contract/schemas/ready-made.ts'

const PATH = 'src/contract/schemas/ready-made.ts'

async function readyMade(): Promise<ReadyMade> {
  const { transform } = validatorsMade()
  if (typeof transform !== 'function') throw new Error('it has another form')
  const made = Reflect.apply(transform, undefined, [readFileSync(PATH, 'utf8'), `/${PATH}`]) as { code: string }
  const code = encodeURIComponent(stripTypeScriptTypes(made.code))
  const { READY_MADE } = (await import(/* @vite-ignore */ `data:text/javascript,${code}`)) as {
    READY_MADE: Record<string, ReadyMade>
  }
  return READY_MADE['spec/openapi.yaml'] ?? {}
}

/** Members of requests with values that fit, nearly fit, or do not. */
const value = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    true,
    'MON',
    '',
    0,
    -1,
    1.5,
    2 ** 31,
    2 ** 53,
    [],
    {},
    ['a'],
    [1],
    [{ type: 'USER', value: 'a' }],
  ),
  fc.integer(),
)
const of = (...names: string[]) =>
  fc.record(Object.fromEntries(names.map((name) => [name, value])), { requiredKeys: [] })
const search = fc.record(
  {
    fieldSort: fc.oneof(value, fc.array(of('field', 'order'))),
    filters: fc.oneof(value, fc.array(of('field', 'operator', 'value', 'not'))),
    dateFilters: fc.oneof(value, fc.array(of('field', 'start', 'end', 'not'))),
  },
  { requiredKeys: [] },
)
const schedule = of('frequency', 'daysToRun', 'hourOfDay', 'minOfHour', 'timezone', 'enabled')
const body = fc.oneof(
  value,
  search,
  fc.record({ title: value, pageId: value, viewId: value, schedule: fc.oneof(value, schedule) }, { requiredKeys: [] }),
)

test('a validator that the build makes accepts what ajv accepts', async () => {
  const ready = await readyMade()
  const document = readPackaged('spec/openapi.yaml').value as Readonly<Record<string, unknown>>
  const { compile } = createSchemas(document, () => '', {})
  expect(Object.keys(ready)).not.toEqual([])
  for (const [pointer, accepts] of Object.entries(ready)) {
    const check = compile(pointer, 'request')
    fc.assert(fc.property(body, (one) => accepts?.(one) === check.accepts(one)))
  }
})
