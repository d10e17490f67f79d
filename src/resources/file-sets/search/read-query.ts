import { counted } from '../../../base/errors/wording.ts'
import {
  isObject,
  type Members,
  coerceBoolean,
  coerceText,
  mapElements,
  mapMembers,
  readEach,
} from '../../../base/formats/json.ts'
import type { Call, Reader } from '../../handler.ts'
import { readDateFilter, readFilter, refuse } from './read-filter.ts'
import { type BehaviourTracker, splitSetting } from '../../../behaviours/tracker.ts'
import type { Violation } from '../../../base/errors/problem.ts'
import type { Query } from './cursor.ts'
import type { FieldSort } from '../entries/order.ts'
import type { DateFilter, Filter } from '../entries/filter.ts'

/** The meaning of a search request without its token. */
export interface SearchInput {
  readonly body: QueryBody
  /** Normalised; undefined when the parameter was not sent or blank. */
  readonly directoryPath?: string | undefined
  readonly immediateChildren?: boolean | undefined
  readonly limit: number
  readonly token?: string | undefined
}

/** The body of a search; undefined for a part that was not sent. */
interface QueryBody {
  readonly fieldSort?: readonly FieldSort[]
  readonly filters?: readonly Filter[]
  readonly dateFilters?: readonly DateFilter[]
}

/** Reads the three arrays of a search. Elements that are not objects were refused by the contract and are skipped. */
function readQueryBody(body: unknown, reader: Reader): QueryBody {
  if (!isObject(body)) return {}
  const { fieldSort, filters, dateFilters } = body
  const most = reader.tracker.settings['filter.max'].filters
  for (const [name, list] of Object.entries({ filters, dateFilters }))
    if (Array.isArray(list) && list.length > most)
      refuse(reader, 'filter.max', { pointer: `/${name}` }, `at most ${counted(most, 'element')}`, list.length)
  const query: { -readonly [Part in keyof QueryBody]: QueryBody[Part] } = {}
  if (Array.isArray(fieldSort)) query.fieldSort = readFieldSort(fieldSort, reader)
  if (Array.isArray(filters)) query.filters = readEach(filters.slice(0, most), '/filters', reader, readFilter)
  if (Array.isArray(dateFilters))
    query.dateFilters = readEach(dateFilters.slice(0, most), '/dateFilters', reader, readDateFilter)
  return query
}

/** Reads `fieldSort`, each field once. */
export function readFieldSort(list: readonly unknown[], reader: Reader): FieldSort[] {
  const { tracker } = reader
  const most = tracker.settings['sort.max']
  if (list.length > most)
    refuse(reader, 'sort.max', { pointer: '/fieldSort' }, `at most ${counted(most, 'sort key')}`, list.length)
  const keys: FieldSort[] = []
  for (const { field, order, at } of readEach(list.slice(0, most), '/fieldSort', reader, readSortKey)) {
    if (!keys.some((key) => key.field === field)) keys.push({ field, order })
    else if (tracker.ask('sort.duplicate') === 'error')
      refuse(reader, 'sort.duplicate', { pointer: `${at}/field` }, 'each field once', field)
  }
  return keys
}

function readSortKey(element: Members, at: string, reader: Reader): (FieldSort & { at: string }) | undefined {
  const { tracker } = reader
  const order = readOrder(element.order, at, reader)
  const { field } = element
  const fields: readonly string[] = tracker.settings['sort.fields']
  if (typeof field === 'string' && fields.includes(field)) {
    if (field !== 'created') tracker.note('sort.fields')
    return { field, order, at }
  }
  if (field !== undefined && typeof field !== 'string') return undefined
  if (tracker.ask('sort.unknown') === 'error') refuse(reader, 'sort.unknown', { pointer: `${at}/field` }, fields, field)
  return undefined
}

function readOrder(order: unknown, at: string, reader: Reader): 'ASC' | 'DESC' {
  const { tracker } = reader
  const pointer = `${at}/order`
  if (order === undefined) {
    if (tracker.ask('sort.order-absent') === 'error') refuse(reader, 'sort.order-absent', { pointer }, 'ASC or DESC')
    return 'ASC'
  }
  if (typeof order !== 'string' || order === 'ASC') return 'ASC'
  const rule = tracker.settings['sort.order-values']
  const spelt = rule === 'any-case' ? order.toUpperCase() : order
  tracker.note('sort.order-values')
  if (spelt === 'ASC' || (spelt === 'DESC' && rule !== 'asc-only')) return spelt
  refuse(reader, 'sort.order-values', { pointer }, rule === 'asc-only' ? 'ASC' : 'ASC or DESC', order)
  return 'ASC'
}

/** Records the behaviours that a query from a token depends on: the same as for a query in a body. */
export function trackQuery({ filters, dateFilters, fieldSort }: Query, tracker: BehaviourTracker): void {
  // The query was accepted on the first page, so violations are ignored.
  const reader = { tracker, violations: [] }
  for (const filter of filters) if (filter.field !== '') readFilter({ ...filter }, '', reader)
  for (const { start, end } of dateFilters) {
    tracker.note(start === null ? 'date.open-start' : 'date.start')
    tracker.note(end === null ? 'date.open-end' : 'date.end')
  }
  readFieldSort(fieldSort, reader)
}

/** Normalises the body of a search: `http.null-array`, `body.null`, `body.types: coerce`, `filter.value-type: coerce`, and dates as epoch milliseconds. */
export function normalizeSearch(body: unknown, tracker: BehaviourTracker): unknown {
  if (!isObject(body)) return body
  const { settings } = tracker
  const coerceNot = (value: unknown) => {
    const coerced = coerceBoolean(value)
    if (coerced === value || settings['body.types'] !== 'coerce') return value
    tracker.note('body.types')
    return coerced
  }
  const coerceTexts = (values: readonly unknown[]) => {
    if (values.every((one) => typeof one === 'string')) return values
    if (settings['filter.value-type'] !== 'coerce' && settings['body.types'] !== 'coerce') return values
    tracker.note('filter.value-type')
    return values.map(coerceText)
  }
  const normalizeFilter = (filter: Members) =>
    mapMembers(withoutNulls(filter, tracker), (value, name) => {
      if (name === 'not') return coerceNot(value)
      return name === 'value' && Array.isArray(value) ? coerceTexts(value) : value
    })
  const normalizeDateFilter = (filter: Members) =>
    mapMembers(withoutNulls(filter, tracker, OPEN_END), (value, name) => {
      if (name === 'not') return coerceNot(value)
      const isBound = name === 'start' || name === 'end'
      return isBound && typeof value === 'number' && settings['date.format'] === 'plus-epoch-ms' ? String(value) : value
    })
  return mapMembers(body, (value, name) => {
    if (name === 'fieldSort' || name === 'filters' || name === 'dateFilters') {
      if (value === null) return tracker.ask('http.null-array') === 'as-absent' ? undefined : value
      if (name === 'fieldSort') return mapElements(value, (key) => withoutNulls(key, tracker))
      return mapElements(value, name === 'filters' ? normalizeFilter : normalizeDateFilter)
    }
    return value
  })
}

const OPEN_END = new Set(['end'])

/** The page size when neither the request nor the contract gives one. */
const DEFAULT_LIMIT = 100

/** Reads a search request; the token is not decoded yet. */
export function readSearch(call: Call): { input: SearchInput; violations: Violation[] } {
  const reader: Reader = { tracker: call.tracker, violations: [] }
  const body = readQueryBody(call.body, reader)
  const directoryPath = readDirectoryPath(readQuery(call, 'directoryPath'), reader)
  const { next: token } = call.query
  if (token === '' && call.tracker.ask('next.blank') === 'error')
    refuse(reader, 'next.blank', { parameter: 'next' }, 'a token from `pageContext.next`, or no `next` at all', token)
  const limit = readLimit(call, reader)
  const immediateChildren = readQuery(call, 'immediateChildren')
  const input = {
    body,
    directoryPath,
    immediateChildren: typeof immediateChildren === 'boolean' ? immediateChildren : undefined,
    limit,
    token: typeof token === 'string' && token !== '' ? token : undefined,
  }
  return { input, violations: reader.violations }
}

/** A query parameter as sent, or its default in the user's contract. A token already contains the parameters of the first page. */
function readQuery({ query, adaptation, tracker }: Call, name: string): unknown {
  const sent = query[name]
  if (sent !== undefined || !adaptation) return sent
  const isInToken = Boolean(query.next) && tracker.settings['next.content'] !== 'plain'
  return isInToken ? undefined : adaptation.usualQuery[name]
}

export function readDirectoryPath(sent: unknown, reader: Reader): string | undefined {
  const { tracker } = reader
  if (typeof sent !== 'string' || sent === '') return undefined
  const segments = sent.split('/')
  const hasDots = segments.some((segment) => segment === '.' || segment === '..' || segment.includes('\0'))
  if (hasDots && tracker.ask('dir.dots') === 'error') {
    refuse(reader, 'dir.dots', { parameter: 'directoryPath' }, 'no segment `.` or `..` and no NUL', sent)
  }
  if (segments.every((segment) => segment !== '')) return sent
  return tracker.ask('dir.slashes') === 'exact' ? sent : segments.filter((segment) => segment !== '').join('/')
}

function readLimit(call: Call, reader: Reader): number {
  const { tracker } = call
  const sent = call.query.limit
  const { word, numbers } = splitSetting(tracker.settings['limit.max'])
  const most = word === 'none' ? Infinity : numbers[0]
  const usual = call.adaptation?.usualQuery.limit
  // The largest limit also bounds the default.
  const byDefault = Math.min(isCount(usual) ? usual : DEFAULT_LIMIT, call.adaptation?.mostEntries ?? Infinity, most)
  if (typeof sent !== 'number') {
    if (byDefault === most) tracker.note('limit.max')
    return byDefault
  }
  const where = { parameter: 'limit' }
  if (sent === 0) {
    const answer = tracker.ask('limit.zero')
    if (answer === 'error') refuse(reader, 'limit.zero', where, 'an integer from 1 to 2147483647', sent)
    return answer === 'empty' ? 0 : byDefault
  }
  if (sent < 0) {
    if (tracker.ask('limit.negative') === 'error')
      refuse(reader, 'limit.negative', where, 'an integer from 1 to 2147483647', sent)
    return byDefault
  }
  if (sent <= most) return sent
  tracker.note('limit.max')
  if (word === 'error') refuse(reader, 'limit.max', where, `at most ${most}`, sent)
  return most
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) > 0
}

/** The search as sent, with omitted parts empty. */
export function wholeQuery({ body, directoryPath, immediateChildren }: SearchInput): Query {
  const { fieldSort = [], filters = [], dateFilters = [] } = body
  return {
    directoryPath: directoryPath ?? '',
    immediateChildren: immediateChildren ?? false,
    fieldSort,
    filters,
    dateFilters,
  }
}

/** A copy without the members that are null (`body.null`); those named in `kept` may be. */
function withoutNulls(members: Members, tracker: BehaviourTracker, kept?: ReadonlySet<string>): Members {
  return mapMembers(members, (value, name) => {
    if (value !== null || kept?.has(name)) return value
    tracker.note('body.null')
    return undefined
  })
}
