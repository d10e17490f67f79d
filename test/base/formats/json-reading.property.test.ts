import fc from 'fast-check'
import { visit } from 'jsonc-parser'
import { expect, test } from 'vitest'
import { findDuplicate, findFault } from '../../../src/base/formats/json.ts'
import { readJson } from '../../../src/base/formats/json-reading.ts'
import { cases } from '../../support/cases.ts'

/** JSON texts as people write them, and as they should not. */
const space = fc.constantFrom('', '', '', ' ', '\n', '\r\n', '\r', '\t ')
/** Without escapes: `JSON.parse` of Node 26.10 now and then reads `\u0061` as another key where a key is there twice. */
const name = fc.constantFrom('""', '"a"', '"b"', '"__proto__"', '"0"', '"constructor"', '"a,b:{"')
const scalar = fc.constantFrom(
  ...['0', '-1.5', '1e300', '9007199254740993', '-9007199254740993.0', '12345678901234567.5', 'true', 'null'],
  ...['""', '"9007199254740993"', String.raw`"\\"`, String.raw`"\",[{"`, '"]"', '"é\u2028"'],
)
const spaced = (text: fc.Arbitrary<string>) => fc.tuple(space, text, space).map((parts) => parts.join(''))
const { value: json } = fc.letrec<{ value: string }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 5, withCrossShrink: true },
    spaced(scalar),
    spaced(fc.array(tie('value'), { maxLength: 5 }).map((elements) => `[${elements.join(',')}]`)),
    spaced(
      fc
        .array(fc.tuple(spaced(name), tie('value')), { maxLength: 5 })
        .map((members) => `{${members.map((pair) => pair.join(':')).join(',')}}`),
    ),
  ),
}))
/** Nested deeply. */
const deep = fc
  .tuple(json, fc.nat(30), fc.constantFrom('[', '[1,', '{"a":', '{"a":1,"a":'))
  .map(([text, depth, open]) => open.repeat(depth) + text + (open.startsWith('[') ? ']' : '}').repeat(depth))
/** With a fault, which may leave valid JSON. */
const faulty = fc
  .tuple(
    deep,
    fc.nat(),
    fc.constantFrom('', ',', ':', '"', ']', '}', '[', '{', '.', '0', 'x', '\\', '\n', '""'),
    fc.nat(2),
  )
  .map(([text, at, put, gone]) => {
    const place = at % (text.length + 1)
    return text.slice(0, place) + put + text.slice(place + gone)
  })

test.each([
  ['valid', deep],
  ['faulty', faulty],
])('a text that is read in pieces has the value, the fault and the duplicate of the whole: %s', (_, texts) => {
  fc.assert(
    fc.property(texts, fc.integer({ min: 1, max: 40 }), (text, size) => {
      expect(inPieces(text, size)).toEqual(atOnce(text))
    }),
    { numRuns: cases(2000) },
  )
})

test('white space before a fault moves its place and nothing else', () => {
  const blank = '\n'.repeat(150)
  fc.assert(
    fc.property(faulty, (text) => {
      const { line, ...fault } = findFault(text)
      expect(findFault(blank + text)).toEqual({ ...fault, line: 'reason' in fault ? line + 150 : line })
      expect(findFault(`${' '.repeat(300)}\n${text}`)).toEqual({ ...fault, line: 'reason' in fault ? line + 1 : line })
    }),
    { numRuns: cases(500) },
  )
})

test('a text is refused at the same depth, whatever the pieces', () => {
  fc.assert(
    fc.property(deep, fc.nat(20), fc.integer({ min: 1, max: 40 }), (text, levels, size) => {
      const isDeeper = run(readJson(text, levels, size)).isDeeper
      expect(isDeeper).toBe(run(readJson(text, levels, Infinity)).isDeeper)
    }),
  )
})

test('a text of megabytes takes a step for each 64 K characters, also with a long integer', () => {
  const text = JSON.stringify({ id: 'LONG', list: Array.from({ length: 30_000 }, (_, id) => ({ id, name: `n${id}` })) })
  const steps = [...readJson(text.replace('"LONG"', '9007199254740993'), 10)]
  expect(steps.length).toBeGreaterThanOrEqual(Math.floor(text.length / 66_000))
})

function run<Result>(steps: Generator<undefined, Result>): Result {
  for (;;) {
    const step = steps.next()
    if (step.done === true) return step.value
  }
}

function inPieces(text: string, size: number): object {
  const { value, fault, duplicate } = run(readJson(text, 1000, size))
  if (fault) return findFault(text, fault)
  return { value: show(value), duplicate: duplicate && findDuplicate(text, duplicate) }
}

function atOnce(text: string): object {
  try {
    return { value: show(parseExactly(text)), duplicate: firstDuplicate(text) }
  } catch {
    return findFault(text)
  }
}

function parseExactly(text: string): unknown {
  return JSON.parse(text, (_key, value: unknown, context?: { readonly source?: string }) => {
    const digits = /^(-?\d+)(?:\.0+)?$/.exec(context?.source ?? '')?.[1]
    return typeof value !== 'number' || Number.isSafeInteger(value) || digits === undefined ? value : BigInt(digits)
  })
}

function firstDuplicate(text: string): object | undefined {
  const objects: string[][] = []
  let found: object | undefined
  visit(text, {
    onObjectBegin: () => void objects.push([]),
    onObjectEnd: () => void objects.pop(),
    onObjectProperty(key, _offset, _length, line, character) {
      if (objects.at(-1)?.includes(key) === true)
        found ??= { line: line + 1, column: character + 1, reason: JSON.stringify(key) }
      objects.at(-1)?.push(key)
    },
  })
  return found
}

/** Members in their order, with `__proto__` as a member, and types. */
function show(value: unknown): string {
  if (typeof value === 'bigint') return `${value}n`
  if (typeof value !== 'object' || value === null) return Object.is(value, -0) ? '-0' : JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map(show).join()}]`
  if (Object.getPrototypeOf(value) !== Object.prototype) return 'another prototype'
  return `{${Object.entries(value)
    .map(([key, inner]) => `${JSON.stringify(key)}:${show(inner)}`)
    .join()}}`
}
