/**
 * A search done in the most obvious way: a list that is filtered and sorted, texts as lists of code points, instants as counts
 * of nanoseconds, LIKE as a recursion. It shares no line with the product, and cares for nothing but being right.
 */

/** A record as it came over the wire; its integers are decimal texts, so that no digit is lost. */
export interface Entry {
  readonly id: string
  readonly path: string
  readonly created: string
  readonly [field: string]: unknown
}

export interface SortKey {
  readonly field: string
  readonly order?: 'ASC' | 'DESC'
}

export interface Filter {
  readonly field: string
  readonly operator: string
  readonly value?: readonly string[]
  readonly not?: boolean
}

export interface DateFilter {
  readonly field: 'created'
  readonly start?: string | null
  readonly end?: string | null
  readonly not?: boolean
}

export interface Query {
  readonly directoryPath?: string
  readonly immediateChildren?: boolean
  readonly body: {
    readonly fieldSort?: readonly SortKey[]
    readonly filters?: readonly Filter[]
    readonly dateFilters?: readonly DateFilter[]
  }
}

/** The whole result, as if there were no pages. */
export function searchNaively(entries: readonly Entry[], query: Query): Entry[] {
  const { fieldSort = [], filters = [], dateFilters = [] } = query.body
  return entries
    .filter((entry) => isWithin(entry, query))
    .filter((entry) => filters.every((filter) => holds(entry, filter)))
    .filter((entry) => dateFilters.every((filter) => isDated(entry, filter)))
    .sort((a, b) => compareEntries(a, b, fieldSort.length > 0 ? fieldSort : [{ field: 'path' }]))
}

function isWithin({ path }: Entry, { directoryPath = '', immediateChildren = false }: Query): boolean {
  const directory = directoryPath.split('/').filter((segment) => segment !== '')
  const segments = path.split('/')
  const isBelow = segments.length > directory.length && directory.every((segment, at) => segments[at] === segment)
  return isBelow && (!immediateChildren || segments.length === directory.length + 1)
}

function holds(entry: Entry, filter: Filter): boolean {
  return isMet(entry, filter) !== (filter.not ?? false)
}

function isMet(entry: Entry, { field, operator, value = [] }: Filter): boolean {
  const held = entry[field] ?? null
  if (operator === 'IS_NULL') return held === null
  if (held === null) return false
  const text = typeof held === 'string' ? held : JSON.stringify(held)
  return value.some((wanted) => {
    if (operator === 'LIKE') return isLike(text, wanted)
    const order = compareValues(text, wanted, field)
    switch (operator) {
      case 'EQUALS':
      case 'IN':
        return isInteger(field) || field === 'created' ? order === 0 : text === wanted
      case 'GREATER_THAN':
        return order > 0
      case 'GREATER_THAN_OR_EQUAL':
        return order >= 0
      case 'LESS_THAN':
        return order < 0
      case 'LESS_THAN_OR_EQUAL':
        return order <= 0
      default:
        throw new Error(`no operator ${operator}`)
    }
  })
}

function isInteger(field: string): boolean {
  return field === 'size' || field === 'createdBy'
}

/** Integers as such, `created` as an instant, any other value as text. */
function compareValues(a: string, b: string, field: string): number {
  if (!isInteger(field) && field !== 'created') return compareTexts(a, b)
  const count = field === 'created' ? nanoseconds : BigInt
  const difference = count(a) - count(b)
  return difference < 0n ? -1 : difference > 0n ? 1 : 0
}

function compareTexts(a: string, b: string): number {
  const [as, bs] = [a, b].map((text) => Array.from(text, (character) => character.codePointAt(0) ?? 0))
  for (const [at, codePoint] of as?.entries() ?? []) {
    const other = bs?.[at]
    if (other === undefined) return 1
    if (codePoint !== other) return codePoint - other
  }
  return (as?.length ?? 0) - (bs?.length ?? 0)
}

function isDated({ created }: Entry, { start, end, not = false }: DateFilter): boolean {
  const isAfter = typeof start !== 'string' || nanoseconds(created) >= nanoseconds(start)
  const isBefore = typeof end !== 'string' || nanoseconds(created) <= nanoseconds(end)
  return (isAfter && isBefore) !== not
}

function nanoseconds(timestamp: string): bigint {
  const [, seconds = '', fraction = '', zone = ''] = /^(.{19})(?:\.(\d+))?(.+)$/.exec(timestamp) ?? []
  return BigInt(Date.parse(`${seconds}${zone}`)) * 1_000_000n + BigInt(fraction.padEnd(9, '0'))
}

function compareEntries(a: Entry, b: Entry, keys: readonly SortKey[]): number {
  for (const { field, order = 'ASC' } of keys) {
    const ascending = compareField(a, b, field)
    if (ascending !== 0) return order === 'ASC' ? ascending : -ascending
  }
  return compareTexts(a.id, b.id)
}

/** A null is the largest of all. */
function compareField(a: Entry, b: Entry, field: string): number {
  const [left = null, right = null] = [a[field], b[field]] as (string | null | undefined)[]
  if (left === null || right === null) return left === right ? 0 : left === null ? 1 : -1
  return compareValues(left, right, field)
}

/** LIKE means "contains". */
function isLike(text: string, pattern: string): boolean {
  return isWhole(Array.from(text), ['%', ...Array.from(pattern), '%'])
}

/** Whether a pattern matches all of a text. */
function isWhole(text: readonly string[], [wanted, ...rest]: readonly string[]): boolean {
  if (wanted === undefined) return text.length === 0
  if (wanted === '%') return isWhole(text, rest) || (text.length > 0 && isWhole(text.slice(1), [wanted, ...rest]))
  const [character, ...others] = text
  if (character === undefined) return false
  if (wanted === '_') return isWhole(others, rest)
  if (wanted !== '\\') return isSame(character, wanted) && isWhole(others, rest)
  const [escaped = '', ...afterEscape] = rest
  return isSame(character, escaped) && isWhole(others, afterEscape)
}

/** Equal but for case, by the engine's regular expressions, which fold as Unicode says. */
function isSame(a: string, b: string): boolean {
  return a === b || new RegExp(`^\\u{${(a.codePointAt(0) ?? 0).toString(16)}}$`, 'iu').test(b)
}
