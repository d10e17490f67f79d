import { isDeepStrictEqual } from 'node:util'
import { parseTarget, select } from '../../../contract/overlays/targets.ts'
import { valueAt } from '../../../contract/pointer.ts'
import { linearPattern } from '../../../contract/schemas/patterns.ts'
import { contains } from '../../../engine/faults/fault-match.ts'
import { shown } from '../../../base/errors/problem.ts'
import { didYouMean } from '../../../base/errors/wording.ts'
import { encodePointer, isObject, type Members, textOrJson } from '../../../base/formats/json.ts'
import { readMembers } from '../../fixture-reader.ts'
import type { StubReader } from './stub-reader.ts'

/** The parts of a request that a stub may ask for. */
export interface StubRequest {
  /** Parameters of the path, as sent. */
  readonly path: Readonly<Record<string, string>>
  readonly query: URLSearchParams
  /** @param name in lower case */
  header(name: string): string | undefined
  /** As it was read; undefined for none. */
  readonly body: unknown
}

type RequestTest = (request: StubRequest) => boolean

/** Whether a part of a request is as a stub wants it. @param value undefined for a part that was not sent */
type ValueTest = (value: unknown) => boolean

/** Parameters are texts, and a body is JSON. */
type TestedPart = 'parameter' | 'json'

interface ConditionReader extends StubReader {
  readonly kind: TestedPart
}

/** Reads `when` of a stub: all that it names must hold. */
export function readConditions(given: unknown, pointer: string, reader: StubReader): RequestTest {
  if (given === undefined) return () => true
  const when = readMembers(given, pointer, ['path', 'query', 'header', 'body'], 'The conditions', reader)
  const named = (name: string, valueOf: (request: StubRequest, key: string) => unknown): RequestTest[] =>
    Object.entries(readNames(when[name], `${pointer}/${name}`, reader)).map(([key, wanted]) => {
      const at = `${pointer}/${name}/${encodePointer(key)}`
      if (name === 'path' && !reader.pathNames.includes(key))
        reader.complain(at, `the path has no {${key}}.${didYouMean(key, reader.pathNames)}`)
      const holds = readCondition(wanted, at, { ...reader, kind: 'parameter' })
      return (request) => holds(valueOf(request, key))
    })
  const tests = [
    ...named('path', ({ path }, key) => path[key]),
    ...named('query', ({ query }, key) => selected(query.getAll(key))),
    ...named('header', (request, key) => request.header(key.toLowerCase())),
    ...(when.body === undefined ? [] : readBodyConditions(when.body, `${pointer}/body`, reader)),
  ]
  return (request) => tests.every((test) => test(request))
}

function readNames(given: unknown, pointer: string, { complain }: StubReader): Members {
  if (isObject(given)) return given
  if (given !== undefined) complain(pointer, `expected names with the value that each must have; got ${shown(given)}.`)
  return {}
}

/** Of the whole body, or of parts that a JSON Pointer or a JSONPath names. */
function readBodyConditions(given: unknown, pointer: string, reader: StubReader): RequestTest[] {
  const json: ConditionReader = { ...reader, kind: 'json' }
  if (!isObject(given) || Object.keys(given).every(isOperator)) {
    const holds = readCondition(given, pointer, json)
    return [({ body }) => holds(body)]
  }
  return Object.entries(given).map(([part, wanted]) => {
    const at = `${pointer}/${encodePointer(part)}`
    const valuesIn = readPart(part, at, reader)
    const holds = readCondition(wanted, at, json)
    return ({ body }) => holds(valuesIn(body))
  })
}

/** The values of a parameter that was sent several times, or that a JSONPath selects: a condition holds where it does for one of them. */
class AnyOfValues {
  readonly values: readonly unknown[]

  constructor(values: readonly unknown[]) {
    this.values = values
  }
}

function selected(values: readonly unknown[]): AnyOfValues | undefined {
  return values.length === 0 ? undefined : new AnyOfValues(values)
}

function readPart(part: string, at: string, { complain }: StubReader): (body: unknown) => unknown {
  if (part === '' || part.startsWith('/')) return (body) => valueAt(body, part)
  const target = part.startsWith('$') ? parseTarget(part) : EXPECTED_PART
  if (typeof target === 'string') {
    complain(at, target)
    return () => undefined
  }
  return (body) => {
    const found = body === undefined ? [] : select(target, body)
    return selected(typeof found === 'string' ? [] : found.map(({ value }) => value))
  }
}

const EXPECTED_PART =
  'expected a part of the body as a JSON Pointer, such as /customer/id, or as a JSONPath, such as $.items[0].price.'

type ReadOperator = (wanted: unknown, at: string, reader: ConditionReader) => ValueTest

/** Each operator by its name. A complaint is made where it is given what it cannot compare. */
const OPERATORS: Readonly<Record<string, ReadOperator>> = {
  equals: (wanted, _at, { kind }) => each((value) => isSame(value, wanted, kind)),
  not: (wanted, at, reader) => {
    const holds = readCondition(wanted, at, reader)
    return (value) => !holds(value)
  },
  allOf: (wanted, at, reader) => {
    const tests = readConditionsIn(wanted, at, reader)
    return (value) => tests.every((holds) => holds(value))
  },
  anyOf: (wanted, at, reader) => {
    const tests = readConditionsIn(wanted, at, reader)
    return (value) => tests.some((holds) => holds(value))
  },
  in: (wanted, at, { kind, complain }) => {
    if (Array.isArray(wanted)) return each((value) => wanted.some((one) => isSame(value, one, kind)))
    complain(at, `expected a list of values, got ${shown(wanted)}.`)
    return () => false
  },
  contains: (wanted) =>
    each((value) =>
      // Of a list, a text is an element.
      typeof wanted === 'string' && value !== undefined && !Array.isArray(value)
        ? textOrJson(value).includes(wanted)
        : contains(value, Array.isArray(value) && !Array.isArray(wanted) ? [wanted] : wanted),
    ),
  matches: (wanted, at, { complain }) => {
    try {
      const pattern = linearPattern(String(wanted))
      if (pattern.whySlow === undefined) return each((value) => isPlain(value) && pattern.test(String(value)))
      complain(
        at,
        `this pattern may take very long on some texts, because ${pattern.whySlow}. Rewrite it without that.`,
      )
    } catch {
      complain(at, `${shown(wanted)} is not a regular expression.`)
    }
    return () => false
  },
  min: bound((order) => order >= 0),
  max: bound((order) => order <= 0),
  above: bound((order) => order > 0),
  below: bound((order) => order < 0),
  exists: (wanted, at, { complain }) => {
    if (typeof wanted !== 'boolean') complain(at, `expected true or false, got ${shown(wanted)}.`)
    return (value) => (value !== undefined) === wanted
  },
  schema: (wanted, at, { addSchema }) => {
    const accepts = addSchema(wanted, at)
    return each((value) => value !== undefined && accepts(value))
  },
}

function isOperator(name: string): boolean {
  return Object.hasOwn(OPERATORS, name)
}

/** A value that must be the same, or an object of operators that must all hold. */
function readCondition(given: unknown, pointer: string, reader: ConditionReader): ValueTest {
  if (!isObject(given)) return each((value) => isSame(value, given, reader.kind))
  const known = Object.keys(OPERATORS)
  const wanted = readMembers(given, pointer, known, 'A condition', {
    complain: (at, text) =>
      reader.complain(at, `${text} For an object that must be the same, write \`equals: { … }\`.`),
  })
  const conditions = Object.entries(wanted).flatMap(([name, value]) => {
    const read = isOperator(name) ? OPERATORS[name] : undefined
    return read ? [read(value, `${pointer}/${name}`, reader)] : []
  })
  return (value) => conditions.every((holds) => holds(value))
}

function readConditionsIn(given: unknown, at: string, reader: ConditionReader): ValueTest[] {
  if (Array.isArray(given)) return given.map((one, index) => readCondition(one, `${at}/${index}`, reader))
  reader.complain(at, `expected a list of conditions, got ${shown(given)}.`)
  return []
}

function each(holds: ValueTest): ValueTest {
  return (value) => (value instanceof AnyOfValues ? value.values.some(holds) : holds(value))
}

function isSame(value: unknown, wanted: unknown, kind: TestedPart): boolean {
  if (kind === 'json') return isDeepStrictEqual(value, wanted)
  return isPlain(value) && isPlain(wanted) && String(value) === String(wanted)
}

function isPlain(value: unknown): value is string | number | bigint | boolean {
  return ['string', 'number', 'bigint', 'boolean'].includes(typeof value)
}

/** Numbers by their size, texts, such as dates, by their characters. */
function bound(holds: (order: number) => boolean): ReadOperator {
  return (wanted, at, { kind, complain }) => {
    if (typeof wanted !== 'number' && typeof wanted !== 'bigint' && typeof wanted !== 'string')
      complain(at, `expected a number, or a text such as a date, got ${shown(wanted)}.`)
    return each((value) => {
      const order = compare(value, wanted, kind)
      return order !== undefined && holds(order)
    })
  }
}

function compare(value: unknown, wanted: unknown, kind: TestedPart): number | undefined {
  if (typeof wanted === 'string')
    return typeof value === 'string' ? (value < wanted ? -1 : value > wanted ? 1 : 0) : undefined
  const isNumber = typeof value === 'number' || typeof value === 'bigint'
  if (!isNumber && !(kind === 'parameter' && typeof value === 'string' && value.trim() !== '')) return undefined
  const difference = Number(value) - Number(wanted)
  return Number.isNaN(difference) ? undefined : difference
}
