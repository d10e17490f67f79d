import { compilePattern } from './check-schema.ts'
import { allows, type Branch, type Shape, shapeOf } from './shape.ts'
import { isObject } from '../json.ts'

/** What a value is made from where a schema asks for one. */
export interface Words {
  /** The value for a member of a name; undefined when there is no word for it. It is taken where it fits. */
  member(name: string, shape: Shape): unknown
  /** The words for each element of a list of a name; undefined when there is no such list. */
  elements(name: string, shape: Shape): readonly Words[] | undefined
  /** Whether a member that the schema does not require, and that is an object, is about the same as its holder. */
  isSame(name: string): boolean
  /** Epoch ms, for dates that nobody tells. */
  readonly now: number
  /** A UUID, for those that nobody tells. */
  readonly uuid: string
}

/** Recursive schemas have no end. */
const DEEPEST = 8

/** Makes a value that a schema describes: members that the words know, and those that it requires. */
export function fill(document: unknown, schema: unknown, words: Words, branch: Branch = 0, depth = 0): unknown {
  const shape = shapeOf(document, schema, branch)
  if (depth >= DEEPEST || !isObjectShape(shape)) return plainValue(document, shape, words, branch, depth)
  const made: [string, unknown][] = []
  for (const [name, inner] of shape.properties) {
    const value = fillMember(
      document,
      { name, schema: inner, isRequired: shape.required.has(name) },
      words,
      branch,
      depth,
    )
    if (value !== undefined) made.push([name, value])
  }
  for (const name of shape.required) if (!shape.properties.has(name)) made.push([name, words.member(name, ANY) ?? null])
  return Object.fromEntries(made)
}

interface Member {
  readonly name: string
  readonly schema: unknown
  readonly isRequired: boolean
}

function fillMember(
  document: unknown,
  { name, schema, isRequired }: Member,
  words: Words,
  branch: Branch,
  depth: number,
): unknown {
  const shape = shapeOf(document, schema, branch)
  const list = allows(shape, 'array') ? words.elements(name, shape) : undefined
  if (list && !allows(shape, 'string')) {
    const { minItems, maxItems = Infinity } = shape.keywords
    if (list.length > 0 || isRequired) {
      const filled = list.slice(0, Number(maxItems)).map((one) => fill(document, shape.items, one, branch, depth + 1))
      return filled.length >= Number(minItems ?? 0) ? filled : plainValue(document, shape, words, branch, depth)
    }
  }
  const word = fitted(words.member(name, shape), shape)
  if (word !== undefined) return word
  if (!isRequired && !(words.isSame(name) && isObjectShape(shape))) return undefined
  return fill(document, schema, words, branch, depth + 1)
}

const ANY: Shape = {
  types: new Set(),
  properties: new Map(),
  required: new Set(),
  items: undefined,
  isClosed: false,
  keywords: {},
}

function isObjectShape({ types, properties }: Shape): boolean {
  return types.has('object') || (types.size === 0 && properties.size > 0)
}

/** The word where the schema lets it pass, a text cut to the length that it allows; undefined where it does not. */
function fitted(word: unknown, shape: Shape): unknown {
  if (word === undefined) return undefined
  const { const: constant, enum: allowed, maxLength, pattern } = shape.keywords
  const text = typeof word === 'string' && typeof maxLength === 'number' ? word.slice(0, maxLength) : word
  if (constant !== undefined && text !== constant) return undefined
  if (Array.isArray(allowed) && !allowed.includes(text)) return undefined
  if (!allows(shape, typeOf(text))) return undefined
  // What is no pattern was refused, or let pass, when the contract was loaded.
  if (typeof text === 'string' && typeof pattern === 'string' && compilePattern(pattern)?.test(text) === false)
    return undefined
  return text
}

function typeOf(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  return Number.isInteger(value) ? 'integer' : typeof value
}

/** A value that a schema allows: what it names itself, else the least one of its type. */
function plainValue(document: unknown, shape: Shape, words: Words, branch: Branch, depth: number): unknown {
  const { const: constant, default: usual, examples, example, enum: allowed, minItems } = shape.keywords
  const first: unknown = Array.isArray(examples) ? examples[0] : undefined
  const named = constant ?? usual ?? first ?? example
  if (named !== undefined) return named
  if (Array.isArray(allowed)) return allowed[0]
  if (shape.types.has('null')) return null
  if (shape.types.has('boolean')) return false
  if (shape.types.has('integer') || shape.types.has('number')) return leastNumber(shape)
  if (shape.types.has('array')) {
    const least = depth >= DEEPEST ? 0 : Math.min(Number(minItems ?? 0), MOST_FILLED)
    return Array.from({ length: least }, () => fill(document, shape.items, words, branch, depth + 1))
  }
  return shape.types.has('object') || isObject(shape.keywords.additionalProperties) ? {} : leastText(shape, words)
}

const MOST_FILLED = 100

function leastNumber({ keywords }: Shape): number {
  const { minimum, exclusiveMinimum, maximum, multipleOf } = keywords
  const step = typeof multipleOf === 'number' ? multipleOf : 1
  if (typeof exclusiveMinimum === 'number') return Math.floor(exclusiveMinimum / step + 1) * step
  if (typeof minimum === 'number') return Math.ceil(minimum / step) * step
  return typeof maximum === 'number' ? Math.min(0, maximum) : 0
}

function leastText({ keywords }: Shape, { now, uuid }: Words): string {
  const { format, minLength } = keywords
  const instant = new Date(now).toISOString()
  const known: Readonly<Record<string, string>> = {
    'date-time': instant,
    date: instant.slice(0, 10),
    time: instant.slice(11),
    uuid,
    uri: 'https://example.com/',
    'uri-reference': '/',
    email: 'nobody@example.com',
    hostname: 'example.com',
    ipv4: '192.0.2.1',
    ipv6: '2001:db8::1',
  }
  const text = typeof format === 'string' && Object.hasOwn(known, format) ? (known[format] ?? '') : ''
  return text.padEnd(Math.min(Number(minLength ?? 0), LONGEST_FILLED), '-')
}

const LONGEST_FILLED = 10_000
