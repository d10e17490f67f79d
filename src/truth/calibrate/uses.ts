import { isObject, type Members } from '../../base/formats/json.ts'
import { headerOf, type RecordedExchange } from '../recordings/recorded-exchange.ts'
import { usesOfDateFilter, usesOfFilter } from './condition-uses.ts'
import { FILTER_FIELDS } from '../../behaviours/file-fields.ts'
import { type Uses, when, whenMany } from './use.ts'

/** A search as it was sent. */
export interface SentSearch {
  readonly exchange: RecordedExchange
  readonly fileSet: string
  /** The query parameters, decoded: all values of a name. */
  readonly query: ReadonlyMap<string, readonly string[]>
  /** The value of the key header; undefined when there was none. */
  readonly key: string | undefined
  /** The body as JSON; undefined when there was none, or it is not JSON. */
  readonly body: unknown
  readonly filters: readonly Members[]
  readonly sorts: readonly Members[]
  readonly dateFilters: readonly Members[]
}

/**
 * What a search has that a service may refuse: its file set and its key, and what the interface does not document, by ids of behaviours,
 * with a detail where the answer may differ from one value to another (`filter.operators:EQUALS`, `limit.max:100`).
 */
export function findUses(sent: SentSearch, path: string, query: string): ReadonlySet<string> {
  return new Set([
    `set:${sent.fileSet}`,
    `key:${sent.key ?? ''}`,
    ...usesOfTarget(path, query),
    ...usesOfHeaders(sent),
    ...usesOfQuery(sent.query),
    ...usesOfBody(sent),
    ...sent.filters.flatMap(usesOfFilter),
    ...usesOfSorts(sent.sorts),
    ...sent.dateFilters.flatMap(usesOfDateFilter),
  ])
}

function usesOfTarget(path: string, query: string): Uses {
  const isPlain = /^\/api\/files\/v1\/filesets\/[^/]+\/files\/search$/.test(path)
  return [
    ...when(!isPlain && !path.includes('%'), 'http.path'),
    ...when(path.includes('%'), 'http.encoding'),
    ...when(/%(?![0-9a-f]{2})/i.test(query), 'error.bad-escape'),
  ]
}

export function usesOfHeaders({ exchange: { request }, key }: Pick<SentSearch, 'exchange' | 'key'>): Uses {
  const type = headerOf(request.headers, 'content-type')
  const [essence = '', ...parameters] = (type ?? '').split(';').map((part) => part.trim().toLowerCase())
  const accept = headerOf(request.headers, 'accept')
  return [
    ...when(essence !== 'application/json', 'http.media-type'),
    ...when(
      parameters.some((one) => !/^charset="?utf-8"?$/.test(one)),
      'http.content-type-parameters',
    ),
    ...when(accept !== undefined && !/\*\/\*|application\/(json|\*)/i.test(accept), 'http.accept'),
    ...when(key === undefined || key.trim() === '', 'auth.refused'),
  ]
}

const PARAMETERS = new Set(['directoryPath', 'immediateChildren', 'limit', 'next'])

function usesOfQuery(query: SentSearch['query']): Uses {
  const names = [...query.keys()]
  const [directory, children, next] = ['directoryPath', 'immediateChildren', 'next'].map((name) => query.get(name)?.[0])
  return [
    ...when(
      [...query.values()].some(({ length }) => length > 1),
      'http.repeated',
    ),
    ...when(
      names.some((name) => !PARAMETERS.has(name)),
      'http.unknown-query',
    ),
    ...usesOfLimit(query.get('limit')?.[0]),
    ...when(next === '', 'next.blank'),
    ...when(next !== undefined && next !== '', INVENTED_TOKENS.has(next ?? '') ? 'next.tampered' : 'next'),
    ...when(children !== undefined && children !== 'true' && children !== 'false', 'http.boolean'),
    ...when(children === 'true' && (directory ?? '').replaceAll('/', '') === '', 'dir.children-root'),
    ...when(directory === '', 'dir.blank'),
    ...when(directory !== undefined && /^\/|\/$|\/\//.test(directory), 'dir.slashes'),
    ...when(directory !== undefined && /(^|\/)\.{1,2}(\/|$)|\0/.test(directory), 'dir.dots'),
  ]
}

/** What clients send that have lost a token. */
const INVENTED_TOKENS: ReadonlySet<string> = new Set(['null', 'undefined', 'NaN', '[object Object]', ' '])

function usesOfLimit(limit: string | undefined): Uses {
  if (limit === undefined) return []
  if (/^-\d+$/.test(limit)) return ['limit.negative']
  if (!/^\d+$/.test(limit)) return ['limit.format']
  if (Number(limit) === 0) return ['limit.zero']
  return Number(limit) > INT32 ? ['limit.int32'] : [`limit.max:${Number(limit)}`]
}

const INT32 = 2_147_483_647

const LISTS = ['filters', 'fieldSort', 'dateFilters']

function usesOfBody({ exchange: { request }, body, filters, dateFilters }: SentSearch): Uses {
  const text = request.body ?? ''
  if (text.trim() === '') return ['http.empty-body']
  if (!isObject(body)) return ['http.json']
  const given = LISTS.map((name) => body[name])
  return [
    ...when(
      Object.keys(body).some((name) => !LISTS.includes(name)),
      'body.unknown',
    ),
    ...when(pairsIn(text) > pairsOf(body), 'http.duplicate-key'),
    ...when(given.includes(null), 'http.null-array'),
    ...when(
      given.some((list) => list !== undefined && list !== null && !(Array.isArray(list) && list.every(isObject))),
      'body.types',
    ),
    ...when(filters.length + dateFilters.length > 1, 'filter.several'),
    ...whenMany(Math.max(filters.length, dateFilters.length), 'filter.max:filters'),
    ...when(text.length > USUAL_SIZE, `http.size:${Buffer.byteLength(text)}`),
    ...when(isDeeper(body, USUAL_DEPTH), 'http.depth'),
  ]
}

/** Hardly a service refuses a body of this size. */
const USUAL_SIZE = 4096
const USUAL_DEPTH = 4

/** How many `name: value` pairs a text has. More than its value has means that a name is there twice. */
function pairsIn(text: string): number {
  return [...text.matchAll(/"(?:[^"\\]|\\.)*"\s*(:?)/g)].filter(([, colon]) => colon === ':').length
}

function pairsOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  const inner = Object.values(value as Readonly<Record<string, unknown>>)
  return (Array.isArray(value) ? 0 : inner.length) + inner.reduce<number>((sum, one) => sum + pairsOf(one), 0)
}

/** Whether it nests more deeply than so many levels. Lists may have more values than a function takes arguments. */
function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  return (
    levels === 0 || Object.values(value as Readonly<Record<string, unknown>>).some((one) => isDeeper(one, levels - 1))
  )
}

function usesOfSorts(sorts: SentSearch['sorts']): Uses {
  const fields = sorts.map(({ field }) => field)
  return [
    ...sorts.flatMap(({ field, order, ...others }) => [
      ...when(Object.keys(others).length > 0, 'body.unknown'),
      ...when(typeof field !== 'string', 'body.types'),
      ...when(typeof field === 'string', useOfSortField(String(field))),
      ...when(order === undefined || order === null, 'sort.order-absent'),
      ...when(typeof order === 'string' && order !== 'ASC', `sort.order-values:${String(order)}`),
      ...when(order !== undefined && order !== null && typeof order !== 'string', 'body.types'),
    ]),
    ...fields.filter((field, at) => fields.indexOf(field) < at).map((field) => `sort.duplicate:${String(field)}`),
    ...whenMany(sorts.length, 'sort.max'),
  ]
}

function useOfSortField(field: string): string {
  return FILTER_FIELDS.some((one) => one === field) ? `sort.fields:${field}` : 'sort.unknown'
}
