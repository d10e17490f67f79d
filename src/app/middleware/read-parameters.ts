import type { IncomingHttpHeaders } from 'node:http'
import { decodeSegment, missing, type Others, readStyled, type StyledValues } from './read-styled.ts'
import type { BehaviourTracker } from '../../behaviours/tracker.ts'
import type { Stateful } from '../binding/binding.ts'
import type { Operation, Parameter } from '../../contract/contract.ts'
import { decodePercent } from '../../contract/pointer.ts'
import { refusal } from '../../behaviours/refusal.ts'
import type { IntegerBehaviours } from '../../resources/resource.ts'
import { shown, type Violation } from '../../base/errors/problem.ts'
import type { Integer } from '../../base/formats/json.ts'

/** A stateful operation, and the contract's name for its path parameter. */
type BoundOperation = Pick<Stateful, 'builtin' | 'parameter'>

const BOOLEAN: IntegerBehaviours = { form: 'http.boolean', range: 'http.boolean' }

/**
 * Only the parameters of a stateful operation have behaviours. For other operations, a `limit` is read as the contract says.
 *
 * @param bound undefined for an operation that is not stateful
 */
function behavioursOf(
  { in: place, name, type }: Parameter,
  bound: BoundOperation | undefined,
): IntegerBehaviours | undefined {
  if (!bound) return undefined
  if (type === 'boolean') return BOOLEAN
  const { query, path } = bound.builtin.integers ?? {}
  if (place === 'query') return query && Object.hasOwn(query, name) ? query[name] : undefined
  return place === 'path' && name === bound.parameter ? path : undefined
}

export interface Parameters {
  readonly path: StyledValues
  readonly query: StyledValues
  /** Those in headers and cookies; absent if the contract names none there. */
  readonly headers?: StyledValues
  readonly cookies?: StyledValues
  readonly violations: Violation[]
  /** Names of query parameters that the contract does not know. */
  readonly unknown: readonly string[]
}

/** The parts of a request that have its parameters. */
interface SentParameters {
  readonly segments: Readonly<Record<string, string>>
  /** The query, without its question mark. */
  readonly search: string
  /** For contracts that have parameters there. */
  readonly headers?: IncomingHttpHeaders
  /** Undefined for an operation that is not stateful. */
  readonly bound: BoundOperation | undefined
}

/** Decodes the parameters of an operation by the types that the contract gives them. */
export function readParameters(
  operation: Operation,
  { segments, search, headers = {}, bound }: SentParameters,
  tracker: BehaviourTracker,
): Parameters {
  const violations: Violation[] = []
  const path: StyledValues = {}
  const query: StyledValues = {}
  let others: Others | undefined
  const sent = readSearch(search)
  if (search.includes('%')) refuseBadEscapes(search, tracker, violations)
  for (const parameter of operation.parameters) {
    if (parameter.style) {
      others ??= { path, query, headers: {}, cookies: {} }
      readStyled(parameter, parameter.style, { segments, query: sent, search, headers }, others, violations)
      continue
    }
    const behaviours = behavioursOf(parameter, bound)
    const reader = { parameter, behaviours, tracker, violations }
    if (parameter.in === 'path') {
      const segment = segments[parameter.name] ?? ''
      const isEncoded = segment.includes('%')
      if (isEncoded) tracker.note('http.encoding')
      const value = decode(reader, isEncoded ? decodeSegment(segment) : segment)
      if (value !== undefined) path[parameter.name] = checked(parameter, value, violations)
      continue
    }
    const text = choose(parameter.name, sent.get(parameter.name) ?? [], tracker, violations)
    const value = text === undefined ? undefined : decode(reader, text)
    if (value !== undefined) query[parameter.name] = checked(parameter, value, violations)
    else if (parameter.required && text === undefined) violations.push(missing(parameter))
  }
  const { queryNames: known, claims } = operation
  const unknown = [...sent.keys()].filter((name) => !known.has(name) && !claims?.(name))
  if (unknown.length > 0 && tracker.ask('http.unknown-query') === 'error') {
    for (const parameter of unknown)
      violations.push(refusal('http.unknown-query', { parameter }, [...known], parameter))
  }
  return others
    ? { path, query, headers: others.headers, cookies: others.cookies, violations, unknown }
    : { path, query, violations, unknown }
}

/** Checks a value against what the contract says beyond its type. */
function checked<Value>({ check }: Parameter, value: Value, violations: Violation[]): Value {
  // Integers beyond 2^53 are bigints, which ajv does not accept.
  if (check) violations.push(...check(typeof value === 'bigint' ? Number(value) : value))
  return value
}

/** The values of each query parameter by its name, in the order in which they first occur. */
function readSearch(search: string): ReadonlyMap<string, string[]> {
  const values = new Map<string, string[]>()
  const add = (name: string, value: string) => {
    const known = values.get(name)
    if (known) known.push(value)
    else values.set(name, [value])
  }
  if (/^\?|[%+]/.test(search)) for (const [name, value] of new URLSearchParams(search)) add(name, value)
  else addPlain(search, add)
  return values
}

/** `error.bad-escape`: `URLSearchParams` would take them as they are. */
function refuseBadEscapes(search: string, tracker: BehaviourTracker, violations: Violation[]): void {
  for (const pair of search.split('&')) {
    if (isDecodable(pair) || tracker.ask('error.bad-escape') === 'literal') continue
    const parameter = decodePercent(pair.split('=', 1)[0] ?? '')
    const expected = 'percent-encoded UTF-8; write %25 for a percent sign'
    violations.push(refusal('error.bad-escape', { parameter }, expected, pair.slice(pair.indexOf('=') + 1)))
  }
}

function isDecodable(text: string): boolean {
  try {
    // Its value is used, since bundlers take the call to have no effect otherwise.
    return typeof decodeURIComponent(text) === 'string'
  } catch {
    return false
  }
}

/** What `URLSearchParams` would find in a text without escapes, at a fraction of the cost. */
function addPlain(search: string, add: (name: string, value: string) => void): void {
  if (search === '') return
  for (const pair of search.split('&')) {
    const mark = pair.indexOf('=')
    if (mark >= 0) add(pair.slice(0, mark), pair.slice(mark + 1))
    else if (pair !== '') add(pair, '')
  }
}

function choose(
  name: string,
  values: readonly string[],
  tracker: BehaviourTracker,
  violations: Violation[],
): string | undefined {
  if (values.length < 2) return values[0]
  const rule = tracker.ask('http.repeated')
  if (rule === 'error') violations.push(refusal('http.repeated', { parameter: name }, 'the parameter once', values))
  return rule === 'last' ? values.at(-1) : values[0]
}

/** What is needed to read the text of one parameter. */
interface ParameterReader {
  readonly parameter: Parameter
  /** Undefined for a parameter that no behaviour governs. */
  readonly behaviours: IntegerBehaviours | undefined
  readonly tracker: BehaviourTracker
  readonly violations: Violation[]
}

function decode(reader: ParameterReader, text: string): string | Integer | boolean | undefined {
  switch (reader.parameter.type) {
    case 'string':
      return text
    case 'boolean':
      return decodeBoolean(reader, text)
    case 'integer':
      return decodeInteger(reader, text)
  }
}

/** A refusal by the contract, in the words of JSON Schema unless a behaviour governs the parameter. */
function refuse(
  { parameter: { name, source }, violations }: ParameterReader,
  code: string,
  expected: string,
  text: string,
): void {
  const received = shown(text)
  const message = `${name}: expected ${expected}, got ${received}.`
  violations.push({ parameter: name, code, message, expected, received, source: source() })
}

function decodeBoolean(reader: ParameterReader, text: string): boolean | undefined {
  const { tracker, behaviours } = reader
  const spelt = tracker.settings['http.boolean'] === 'any-case' ? text.toLowerCase() : text
  if (spelt !== text) tracker.note('http.boolean')
  if (spelt === 'true' || spelt === 'false') return spelt === 'true'
  refuse(reader, behaviours?.form ?? 'type', 'true or false', text)
  return undefined
}

const MAX_PLAIN_DIGITS = 15
const LARGEST = { int32: 2n ** 31n - 1n, int64: 2n ** 63n - 1n } as const

function decodeInteger(reader: ParameterReader, text: string): Integer | undefined {
  const { parameter, behaviours, tracker } = reader
  if (text === '' && behaviours?.form === 'limit.format' && tracker.settings['limit.format'] === 'default-if-blank') {
    tracker.note('limit.format')
    return undefined
  }
  if (!/^-?(?:0|[1-9]\d*)$/.test(text)) {
    refuse(reader, behaviours?.form ?? 'type', 'a plain decimal integer', text)
    return undefined
  }
  // Fifteen digits are exact as a number; of an int32 they may still be too many.
  if (text.length <= MAX_PLAIN_DIGITS) {
    const plain = Number(text) + 0
    if (parameter.format !== 'int32' || plain === (plain | 0)) return plain
  }
  const value = BigInt(text)
  const largest = parameter.format === 'int32' ? LARGEST.int32 : LARGEST.int64
  if (value > largest || value < -largest - 1n) {
    if (behaviours?.range === 'limit.int32' && tracker.ask('limit.int32') === 'clamp')
      return Number(value < 0n ? -largest - 1n : largest)
    refuse(reader, behaviours?.range ?? 'format', `an integer from ${-largest - 1n} to ${largest}`, text)
    return undefined
  }
  return Number.isSafeInteger(Number(value)) ? Number(value) : value
}
