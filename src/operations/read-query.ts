import type { Leaning } from '../behaviours/leaning.ts'
import { isMembers, type Members } from './soften.ts'
import { refusal } from './handler.ts'
import { nearest } from '../nearest.ts'
import type { Violation } from '../problem.ts'
import { isIntegerField } from '../world/file-sets/file-record.ts'
import { isComparison } from '../world/file-sets/filter.ts'
import { hasDanglingEscape } from '../world/file-sets/like.ts'
import type { DateFilter, FieldSort, Filter } from '../world/file-sets/query.ts'
import { nanoseconds, parseInstant } from '../world/instant.ts'

/** The body of a search as it was meant; a part that was not sent is undefined. */
export interface QueryBody {
  readonly fieldSort?: readonly FieldSort[]
  readonly filters?: readonly Filter[]
  readonly dateFilters?: readonly DateFilter[]
}

/** One part of a request being read: what was found wrong goes to `violations`, and reading goes on. */
interface Reader {
  readonly leaning: Leaning
  readonly violations: Violation[]
}

/** Reads the three arrays of a search. Elements that are not objects are left to the contract, which has refused them. */
export function readQueryBody(body: unknown, leaning: Leaning): { query: QueryBody; violations: Violation[] } {
  const violations: Violation[] = []
  const reader = { leaning, violations }
  if (!isMembers(body)) return { query: {}, violations }
  const { fieldSort, filters, dateFilters } = body
  const bound = leaning.answers['filter.max'].filters
  for (const [name, list] of Object.entries({ filters, dateFilters })) {
    if (Array.isArray(list) && list.length > bound) {
      violations.push(refusal('filter.max', { pointer: `/${name}` }, `at most ${bound} elements`, list.length))
    }
  }
  const query: { -readonly [Part in keyof QueryBody]: QueryBody[Part] } = {}
  if (Array.isArray(fieldSort)) query.fieldSort = readFieldSort(fieldSort, reader)
  if (Array.isArray(filters)) query.filters = readEach(filters.slice(0, bound), '/filters', reader, readFilter)
  if (Array.isArray(dateFilters))
    query.dateFilters = readEach(dateFilters.slice(0, bound), '/dateFilters', reader, readDateFilter)
  return { query, violations }
}

function readEach<T>(
  list: readonly unknown[],
  pointer: string,
  reader: Reader,
  read: (element: Members, at: string, reader: Reader) => T | undefined,
): T[] {
  return list.flatMap((element, index) => {
    const value = isMembers(element) ? read(element, `${pointer}/${index}`, reader) : undefined
    return value === undefined ? [] : [value]
  })
}

function readFieldSort(list: readonly unknown[], reader: Reader): FieldSort[] {
  const { leaning, violations } = reader
  const most = leaning.answers['sort.max']
  if (list.length > most)
    violations.push(refusal('sort.max', { pointer: '/fieldSort' }, `at most ${most} sort keys`, list.length))
  const keys = readEach(list.slice(0, most), '/fieldSort', reader, readSortKey)
  const seen = new Set<string>()
  return keys
    .filter(({ field, at }) => {
      if (!seen.has(field)) return seen.add(field)
      if (leaning.ask('sort.duplicate') === 'error') {
        violations.push(refusal('sort.duplicate', { pointer: `${at}/field` }, 'each field once', field))
      }
      return false
    })
    .map(({ field, order }) => ({ field, order }))
}

function readSortKey(
  element: Members,
  at: string,
  { leaning, violations }: Reader,
): (FieldSort & { at: string }) | undefined {
  const order = readOrder(element.order, at, leaning, violations)
  const { field } = element
  const fields: readonly string[] = leaning.answers['sort.fields']
  if (typeof field === 'string' && fields.includes(field)) {
    if (field !== 'created') leaning.lean('sort.fields')
    return { field, order, at }
  }
  if (field !== undefined && typeof field !== 'string') return undefined
  if (leaning.ask('sort.unknown') === 'error')
    violations.push(refusal('sort.unknown', { pointer: `${at}/field` }, oneOf(fields, field), field))
  return undefined
}

function readOrder(order: unknown, at: string, leaning: Leaning, violations: Violation[]): 'ASC' | 'DESC' {
  const pointer = `${at}/order`
  if (order === undefined) {
    if (leaning.ask('sort.order-absent') === 'error')
      violations.push(refusal('sort.order-absent', { pointer }, 'ASC or DESC'))
    return 'ASC'
  }
  if (typeof order !== 'string') return 'ASC'
  const rule = leaning.answers['sort.order-values']
  const spelt = rule === 'any-case' ? order.toUpperCase() : order
  if (order !== 'ASC') leaning.lean('sort.order-values')
  if (spelt === 'ASC' || (spelt === 'DESC' && rule !== 'asc-only')) return spelt
  violations.push(refusal('sort.order-values', { pointer }, rule === 'asc-only' ? 'ASC' : 'ASC or DESC', order))
  return 'ASC'
}

function readFilter(element: Members, at: string, { leaning, violations }: Reader): Filter | undefined {
  const { field, not } = element
  const operator = readOperator(element.operator, at, leaning, violations)
  const values = readValues(element.value, at, leaning, violations)
  const known = readFilterField(field, at, leaning, violations)
  if (operator === 'IS_NULL') leaning.lean('filter.is-null')
  else if (!Array.isArray(element.value) ? element.value === undefined : element.value.length === 0) {
    if (leaning.ask('filter.empty') === 'error')
      violations.push(refusal('filter.empty', { pointer: `${at}/value` }, 'at least one value', element.value))
  }
  if (known === 'none') return NOTHING
  if (known === undefined || operator === undefined) return undefined
  checkValues({ field: known.field, operator, values, at }, leaning, violations)
  if (not === true) leaning.lean('filter.not-null')
  return {
    field: known.field,
    operator,
    value: operator === 'IS_NULL' ? [] : values.map(({ text }) => text),
    not: not === true,
  }
}

/** A filter that no entry satisfies: on a field that none has. */
const NOTHING: Filter = { field: '', operator: 'IN', value: ['none'], not: false }

function readFilterField(
  field: unknown,
  at: string,
  leaning: Leaning,
  violations: Violation[],
): { readonly field: string } | 'none' | undefined {
  if (field !== undefined && typeof field !== 'string') return undefined
  const { fields, unknown }: { fields: readonly string[]; unknown: 'error' | 'ignore' | 'none' } =
    leaning.answers['filter.fields']
  if (field !== 'name') leaning.lean('filter.fields')
  if (field !== undefined && fields.includes(field)) return { field }
  if (unknown === 'error')
    violations.push(refusal('filter.fields', { pointer: `${at}/field` }, oneOf(fields, field), field))
  return unknown === 'none' ? 'none' : undefined
}

function readOperator(operator: unknown, at: string, leaning: Leaning, violations: Violation[]): string | undefined {
  const pointer = `${at}/operator`
  const known: readonly string[] = leaning.answers['filter.operators']
  if (operator === undefined) {
    if (leaning.ask('filter.operator-absent') === 'EQUALS') return 'EQUALS'
    violations.push(refusal('filter.operator-absent', { pointer }, oneOf(known, undefined)))
    return undefined
  }
  if (typeof operator !== 'string') return undefined
  if (operator !== 'LIKE') leaning.lean('filter.operators')
  if (known.includes(operator)) return operator
  violations.push(refusal('filter.operators', { pointer }, oneOf(known, operator), operator))
  return undefined
}

interface Value {
  readonly text: string
  readonly pointer: string
}

/** The values that are texts; the contract refuses the others. */
function readValues(value: unknown, at: string, leaning: Leaning, violations: Violation[]): Value[] {
  if (!Array.isArray(value)) return []
  const { values: most, characters } = leaning.answers['filter.max']
  if (value.length > most)
    violations.push(refusal('filter.max', { pointer: `${at}/value` }, `at most ${most} values`, value.length))
  return value.slice(0, most).flatMap((text: unknown, index) => {
    if (typeof text !== 'string') return []
    const pointer = `${at}/value/${index}`
    // A text has at most as many code points as UTF-16 units, so only long ones need counting.
    const length = text.length > characters ? Array.from(text).length : 0
    if (length > characters)
      violations.push(refusal('filter.max', { pointer }, `at most ${characters} characters`, length))
    return [{ text, pointer }]
  })
}

interface ReadFilter {
  readonly field: string
  readonly operator: string
  readonly values: readonly Value[]
  readonly at: string
}

/** What the values must be depends on the field and on the operator. */
function checkValues({ field, operator, values, at }: ReadFilter, leaning: Leaning, violations: Violation[]): void {
  if (operator === 'IS_NULL') return
  const refuse = (...args: Parameters<typeof refusal>) => void violations.push(refusal(...args))
  if (values.length > 1) {
    leaning.lean('filter.values')
    if (isComparison(operator) && leaning.answers['filter.values'] === 'any') {
      const texts = values.map(({ text }) => text)
      refuse('filter.values', { pointer: `${at}/value` }, `exactly one value for ${operator}`, texts)
    }
  }
  if (isIntegerField(field)) leaning.lean('filter.numbers')
  else if (isComparison(operator) && leaning.ask('filter.text-compare') === 'error') {
    refuse(
      'filter.text-compare',
      { pointer: `${at}/operator` },
      `an operator for text; ${operator} is for size and createdBy`,
      operator,
    )
  }
  if (operator === 'LIKE' && values.length > 0) leaning.lean('like.shape')
  for (const { text, pointer } of values) {
    if (isIntegerField(field)) {
      if (!/^-?\d{1,19}$/.test(text))
        refuse('filter.numbers', { pointer }, 'a decimal integer of at most 19 digits', text)
    } else if (operator === 'LIKE') checkLike(text, pointer, leaning, violations)
    else if (!isComparison(operator) && isCased(text)) leaning.lean('equals.case')
  }
}

function checkLike(pattern: string, pointer: string, leaning: Leaning, violations: Violation[]): void {
  if (isCased(pattern)) leaning.lean('like.case')
  if (!/[%_\\]/.test(pattern)) return
  if (leaning.ask('like.wildcards') === 'sql' && hasDanglingEscape(pattern)) {
    violations.push(
      refusal('like.wildcards', { pointer }, 'no lone backslash at the end; write \\\\ for a backslash', pattern),
    )
  }
}

function isCased(text: string): boolean {
  return text.toLowerCase() !== text || text.toUpperCase() !== text
}

function readDateFilter(element: Members, at: string, { leaning, violations }: Reader): DateFilter | undefined {
  const { field, not } = element
  const start = readBound(element.start, `${at}/start`, leaning, violations)
  const end = readBound(element.end, `${at}/end`, leaning, violations)
  if (start === null) {
    if (leaning.ask('date.open-start') === 'error')
      violations.push(refusal('date.open-start', { pointer: `${at}/start` }, 'a timestamp'))
  } else leaning.lean('date.start')
  leaning.lean(end === null ? 'date.open-end' : 'date.end')
  if (
    typeof start === 'string' &&
    typeof end === 'string' &&
    BigInt(start) > BigInt(end) &&
    leaning.ask('date.inverted') === 'error'
  ) {
    violations.push(refusal('date.inverted', { pointer: at }, 'a start that is not after the end', element.start))
  }
  const fields: readonly string[] = leaning.answers['date.field']
  if (typeof field === 'string' && fields.includes(field))
    return { field, start: start ?? null, end: end ?? null, not: not === true }
  if (field === undefined || typeof field === 'string') {
    violations.push(refusal('date.field', { pointer: `${at}/field` }, oneOf(fields, field), field))
  }
  return undefined
}

/** A bound as nanoseconds since the epoch; null when it is open, undefined when it is refused. */
function readBound(
  bound: unknown,
  pointer: string,
  leaning: Leaning,
  violations: Violation[],
): string | null | undefined {
  if (bound === undefined || bound === null) return null
  if (typeof bound !== 'string') return undefined
  const format = leaning.answers['date.format']
  if (format === 'plus-epoch-ms' && /^-?\d{1,15}$/.test(bound)) {
    leaning.lean('date.format')
    return (BigInt(bound) * 1_000_000n).toString()
  }
  const instant = parseInstant(bound)
  if (instant && (format !== 'strict-z' || bound.endsWith('Z'))) return nanoseconds(instant).toString()
  const row = instant ? 'date.format' : 'date.invalid'
  const zone = format === 'strict-z' ? 'Z' : 'Z or a numeric offset'
  violations.push(
    refusal(row, { pointer }, `an RFC 3339 timestamp with ${zone}, such as 2026-01-31T00:00:00.000Z`, bound),
  )
  return undefined
}

/** `one of a, b, c`, and which of them was probably meant. */
export function oneOf(known: readonly string[], received: unknown): string {
  const meant = typeof received === 'string' ? nearest(received, known) : undefined
  return `one of ${known.join(', ')}${meant === undefined ? '' : ` (did you mean ${meant}?)`}`
}
