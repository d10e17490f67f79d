import { textOfPattern } from '../../../src/values/pattern.ts'
import { isObject } from '../../../src/base/formats/json.ts'

type Values = Readonly<Record<string, unknown>>

/** Which of the members that it need not have an alternative of several shows: they may set it apart from the others. */
type Shown = (names: readonly string[]) => readonly string[]

const SHOWN: readonly Shown[] = [() => [], (names) => names, (names) => names.slice(-1)]

/** Values that a schema of a document may let pass, the least one first. Only a try shows which of several alternatives is valid. */
export function samplesOf(document: unknown, schema: unknown): readonly unknown[] {
  return [false, true].flatMap((isMade) =>
    [0, 1, 2, 3].flatMap((pick) => SHOWN.map((shown) => sampleOf(document, schema, { depth: 0, shown, isMade, pick }))),
  )
}

interface Way {
  readonly depth: number
  readonly shown: Shown
  /** Whether examples and defaults are ignored: documents have wrong ones. */
  readonly isMade?: boolean
  /** Which of several alternatives is taken, from 0. */
  readonly pick?: number
}

function deeper(way: Way): Way {
  return { ...way, depth: way.depth + 1 }
}

/** A value that a schema of a document lets pass: its own example where there is one, else the least that it asks for. */
export function sampleOf(document: unknown, schema: unknown, way: Way = { depth: 0, shown: () => [] }): unknown {
  const whole = merged(document, schema, way)
  const { depth } = way
  if (depth > 12) return null
  for (const keyword of way.isMade ? (['const'] as const) : (['const', 'default', 'example'] as const))
    if (whole[keyword] !== undefined) return whole[keyword]
  for (const keyword of way.isMade ? (['enum'] as const) : (['examples', 'enum'] as const)) {
    const list = whole[keyword]
    if (Array.isArray(list) && list.length > 0) return list[0]
  }
  switch ([whole.type].flat().find((type) => type !== 'null') ?? impliedType(whole)) {
    case 'object':
      return sampleObject(document, whole, way)
    case 'array':
      return Array.from({ length: Number(whole.minItems ?? (depth < 3 ? 1 : 0)) }, () =>
        sampleOf(document, whole.items, deeper(way)),
      )
    case 'integer':
    case 'number':
      return sampleNumber(whole)
    case 'boolean':
      return true
    default:
      return sampleText(whole)
  }
}

/** What a reference leads to; the value itself when it is none. */
export function follow(document: unknown, value: unknown): Values {
  if (!isObject(value)) return {}
  if (typeof value.$ref !== 'string') return value
  const parts = value.$ref.slice(2).split('/')
  const target = parts.reduce<unknown>(
    (at, part) => membersOf(at)[decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~')],
    document,
  )
  return follow(document, target)
}

/** A schema with all that must hold besides, and the first of its alternatives. */
function merged(document: unknown, schema: unknown, way: Way): Values {
  const { allOf, oneOf, anyOf, ...own } = follow(document, schema)
  const beside = isObject(schema) && typeof schema.$ref === 'string' ? schema : {}
  const isDeep = way.depth > 20
  const picked = (list: unknown) => {
    const alternatives = listOf(list)
    return alternatives.length === 0 ? [] : [alternatives[(way.pick ?? 0) % alternatives.length]]
  }
  const parts = isDeep ? [] : [...listOf(allOf), ...picked(anyOf)]
  const only = isDeep ? [] : picked(oneOf)
  return [
    ...parts.map((part) => merged(document, part, deeper(way))),
    ...only.map((part) => showing(merged(document, part, deeper(way)), way)),
    own,
    beside,
  ].reduce<Values>((whole, part) => {
    const properties = { ...membersOf(whole.properties), ...membersOf(part.properties) }
    const required = [...listOf(whole.required), ...listOf(part.required)]
    return {
      ...whole,
      ...part,
      ...(Object.keys(properties).length > 0 ? { properties } : {}),
      ...(required.length > 0 ? { required } : {}),
    }
  }, {})
}

function showing(schema: Values, { depth, shown }: Way): Values {
  const names = depth > 2 ? [] : shown(Object.keys(membersOf(schema.properties)))
  return names.length === 0 ? schema : { ...schema, required: [...listOf(schema.required), ...names] }
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

/** Of an object, or of a list by its numbers. */
function membersOf(value: unknown): Values {
  return typeof value === 'object' && value !== null ? (value as Values) : {}
}

function impliedType({ properties, items, required }: Values): string {
  if (properties !== undefined || required !== undefined) return 'object'
  return items === undefined ? 'string' : 'array'
}

function sampleObject(document: unknown, schema: Values, way: Way): Values {
  const { properties, required, minProperties, additionalProperties } = schema
  const known = isObject(properties) ? properties : {}
  const needed = new Set(Array.isArray(required) ? (required as string[]) : [])
  const least = Number(minProperties ?? 0)
  for (const name of Object.keys(known)) if (needed.size < least) needed.add(name)
  for (let number = 1; needed.size < least; number++) needed.add(`member${number}`)
  const others = isObject(additionalProperties) ? additionalProperties : {}
  return Object.fromEntries([...needed].map((name) => [name, sampleOf(document, known[name] ?? others, deeper(way))]))
}

function sampleNumber({ minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf }: Values): number {
  const least = typeof exclusiveMinimum === 'number' ? exclusiveMinimum + 1 : minimum
  const most = typeof exclusiveMaximum === 'number' ? exclusiveMaximum - 1 : maximum
  const wanted = typeof least === 'number' ? least : typeof most === 'number' ? Math.min(most, 1) : 1
  return typeof multipleOf === 'number' ? Math.ceil(wanted / multipleOf) * multipleOf : wanted
}

const FORMATS: Readonly<Record<string, string>> = {
  date: '2026-03-05',
  'date-time': '2026-03-05T14:30:00Z',
  time: '14:30:00Z',
  duration: 'P1D',
  email: 'jane@example.com',
  hostname: 'example.com',
  ipv4: '192.0.2.1',
  ipv6: '2001:db8::1',
  uri: 'https://example.com/',
  url: 'https://example.com/',
  'uri-reference': '/a',
  uuid: '37de7c91-2f70-47c0-8ac1-8d3d5907582b',
  'json-pointer': '/a',
  regex: 'a',
}

function sampleText({ format, minLength, maxLength, pattern }: Values): string {
  const known = typeof format === 'string' ? FORMATS[format] : undefined
  if (known !== undefined) return known
  if (typeof pattern === 'string') return samplePattern(pattern, Number(minLength ?? 0), Number(maxLength ?? Infinity))
  const length = Math.max(Number(minLength ?? 1), Math.min(8, Number(maxLength ?? 8)))
  return 'a'.repeat(length)
}

/** Patterns of the documents that are tried; a few words do for all of them. */
function samplePattern(pattern: string, least: number, most: number): string {
  const words = [
    'a',
    'abc',
    'abcdefgh',
    'A',
    'ABC',
    '1',
    '12',
    '123',
    '1234',
    '12345678',
    '2026-03-05',
    'a-b',
    'AB',
    '1.0',
    '+15555550100',
    '0'.repeat(24),
    '#aabbcc',
    'text/plain',
    'a.json',
    '0'.repeat(32),
    '/branches/1.0/categories/guides/a',
  ]
  const fits = (word: string) => word.length >= least && word.length <= most
  const expression = expressionOf(pattern)
  const known = words.find((word) => expression?.test(word) && fits(word))
  return known ?? (expression && textOfPattern(expression, 1, fits)) ?? 'a'.repeat(Math.max(1, least))
}

function expressionOf(pattern: string): RegExp | undefined {
  try {
    return new RegExp(pattern)
  } catch {
    return undefined
  }
}
