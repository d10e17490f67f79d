import { asList, isObject, isTooDeep, type Members } from '../../base/formats/json.ts'
import { readJson } from '../../base/formats/json-reading.ts'
import { piecesOf } from '../../resources/file-sets/entries/match.ts'
import { headerOf, type RecordedExchange } from '../recordings/recorded-exchange.ts'
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
    ...usesOfConditions(sent),
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

function usesOfBody({ exchange: { request }, body }: SentSearch): Uses {
  const text = request.body ?? ''
  if (text.trim() === '') return ['http.empty-body']
  if (!isObject(body)) return ['http.json']
  const given = LISTS.map((name) => body[name])
  return [
    ...when(
      Object.keys(body).some((name) => !LISTS.includes(name)),
      'body.unknown',
    ),
    ...when(readJson(text, Infinity, Infinity).next().value?.duplicate !== undefined, 'http.duplicate-key'),
    ...when(given.includes(null), 'http.null-array'),
    ...when(
      given.some((list) => list !== undefined && list !== null && !(Array.isArray(list) && list.every(isObject))),
      'body.types',
    ),
    ...when(text.length > USUAL_SIZE, `http.size:${Buffer.byteLength(text)}`),
    ...when(isTooDeep(body, USUAL_DEPTH), 'http.depth'),
  ]
}

/** Hardly a service refuses a body of this size. */
const USUAL_SIZE = 4096
const USUAL_DEPTH = 4

/** What is checked whatever the conditions say: how many there are, and of which types. The rest is for the model of searches. */
function usesOfConditions({ filters, dateFilters, sorts }: SentSearch): Uses {
  const all = [...filters, ...dateFilters, ...sorts]
  const values = filters.map(({ operator, value }) => ({
    operator: String(operator),
    value: asList(value).filter(isText),
  }))
  return [
    ...when(
      all.some((one) => Object.keys(one).some((name) => !MEMBERS.has(name))),
      'body.unknown',
    ),
    ...when(!all.every(isTyped), 'body.types'),
    ...whenMany(Math.max(filters.length, dateFilters.length), 'filter.max:filters'),
    // A list may have more items than a function takes arguments.
    ...whenMany(
      most(filters, ({ value }) => asList(value).length),
      'filter.max:values',
    ),
    ...whenMany(
      most(values, ({ value }) => most(value, ({ length }) => length)),
      'filter.max:characters',
    ),
    ...whenMany(most(values, piecesOf), 'filter.work'),
    ...whenMany(sorts.length, 'sort.max'),
  ]
}

const MEMBERS = new Set(['field', 'operator', 'value', 'not', 'start', 'end', 'order'])
const SCALARS = new Set(['string', 'number', 'bigint', 'boolean'])
const isText = (value: unknown) => typeof value === 'string'

function isTyped({ field, order, value }: Members): boolean {
  const isList = Array.isArray(value) ? value.every((one) => SCALARS.has(typeof one)) : (value ?? null) === null
  return isText(field) && isList && (isText(order) || (order ?? null) === null)
}

function most<Item>(items: readonly Item[], amountOf: (item: Item) => number): number {
  return items.reduce((least, item) => Math.max(least, amountOf(item)), 0)
}
