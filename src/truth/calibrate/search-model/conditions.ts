import { compareCodePoints, fold } from '../../../base/formats/code-points.ts'
import {
  COMPARISONS,
  isCased,
  isComparison,
  isEquality,
  isIntegerField,
} from '../../../resources/file-sets/entries/filter.ts'
import { compareInstants } from '../../../base/formats/instant.ts'
import { instantOf } from '../condition-uses.ts'
import type { SeenEntry } from '../search-seen.ts'
import type { SentSearch } from '../uses.ts'
import { createCache } from '../../../base/cache.ts'
import { createLike, type Like, type LikeRule } from '../../../resources/file-sets/entries/like.ts'
import { asText } from './order.ts'
import { FILTER_FIELDS, OPERATORS } from '../../../behaviours/file-fields.ts'
import { type Assumption, isOneOf, type Unknown } from './unknowns.ts'
import type { Members } from '../../../base/formats/json.ts'

/** What the filters and date filters of a search mean. */
export interface SearchConditions {
  /** What the meaning depends on. */
  readonly unknowns: readonly Unknown[]
  isMet(entry: SeenEntry, assumption: Assumption): boolean
}

interface SearchClause {
  readonly unknowns: readonly Unknown[]
  /** Undefined when the clause is ignored. */
  isMet(entry: SeenEntry, assumption: Assumption): boolean | undefined
}

/** Undefined for conditions that the interface says nothing of. */
export function readConditions({ filters, dateFilters }: SentSearch): SearchConditions | undefined {
  const clauses = [...filters.map(readFilter), ...dateFilters.map(readDateFilter)]
  const known = clauses.filter((clause) => clause !== undefined)
  if (known.length < clauses.length) return undefined
  const unknowns = new Set([
    ...known.flatMap((clause) => clause.unknowns),
    ...(known.length > 0 ? ['dir.filtered'] : []),
    ...(known.length > 1 ? ['filter.several'] : []),
  ])
  return {
    unknowns: [...unknowns],
    isMet(entry, assumption) {
      const met = known.map((clause) => clause.isMet(entry, assumption)).filter((one) => one !== undefined)
      if (met.length === 0) return true
      if (entry.fileType === 'DIRECTORY' && assumption['dir.filtered'] === 'bypass') return true
      return assumption['filter.several'] === 'or' ? met.includes(true) : !met.includes(false)
    },
  }
}

interface SeenFilter {
  readonly field: string
  readonly operator: string
  readonly not: boolean
  readonly values: readonly string[]
}

function readFilter({ field, operator = 'EQUALS', value, not }: Members): SearchClause | undefined {
  const word = operator ?? 'EQUALS'
  const given: unknown = value ?? []
  if (typeof field !== 'string' || typeof word !== 'string' || !isOneOf(OPERATORS, word)) return undefined
  if ((not !== undefined && not !== null && typeof not !== 'boolean') || !Array.isArray(given)) return undefined
  const filter = { field, operator: word, not: not === true, values: given.map(String) }
  const known = `field:${field}`
  const isField = isOneOf(FILTER_FIELDS, field)
  return {
    unknowns: ['filter.unknown', ...(isField ? [known, ...unknownsOf(filter)] : [])],
    isMet(entry, assumption) {
      if (!isField || assumption[known] !== true) return assumption['filter.unknown'] === 'ignore' ? undefined : false
      return meets(entry[field] ?? null, filter, assumption)
    },
  }
}

function unknownsOf({ field, operator, values, not }: SeenFilter): Unknown[] {
  if (operator === 'IS_NULL') return ['filter.is-null']
  if (values.length === 0) return ['filter.empty']
  const isText = !isIntegerField(field)
  const likes = [
    'like.shape',
    ...(values.some(isCased) ? ['like.case'] : []),
    ...(values.some((value) => /[%_\\]/.test(value)) ? ['like.wildcards'] : []),
  ]
  return [
    ...(not ? ['filter.not-null'] : []),
    ...(values.length > 1 ? ['filter.values'] : []),
    ...(field === 'created' ? ['filter.created'] : []),
    ...(operator === 'LIKE' ? likes : []),
    ...(isText && isEquality(operator) && values.some(isCased) ? ['equals.case'] : []),
  ]
}

/** Whether a value of an entry, null when it has none, meets a filter. */
function meets(held: unknown, filter: SeenFilter, assumption: Assumption): boolean {
  const { field, operator, not, values } = filter
  if (operator === 'IS_NULL') return assumption['filter.is-null'] !== 'other' && (held === null) !== not
  if (values.length === 0) return assumption['filter.empty'] === 'all'
  if (held === null) return not && assumption['filter.not-null'] === 'complement'
  const wanted = assumption['filter.values'] === 'first' ? values.slice(0, 1) : values
  const isInstant = field === 'created' && assumption['filter.created'] === 'instant'
  const matches = wanted.some((value) => {
    if (operator === 'LIKE' && !isInstant) return isLike(asText(held), value, assumption)
    if (isEquality(operator) && !isInstant && !isIntegerField(field) && assumption['equals.case'] === 'insensitive')
      return fold(asText(held)) === fold(value)
    const order = isInstant ? orderOfInstants(held, value) : orderOf(field, held, value)
    return order !== undefined && (isComparison(operator) ? COMPARISONS[operator](order) : order === 0)
  })
  return matches !== not
}

/** Searches are asked about under thousands of assumptions, which have few patterns and rules. */
const likes = createCache<string, Like>({ most: 200 })

function isLike(text: string, pattern: string, assumption: Assumption): boolean {
  const [shape, letters, wildcards] = ['like.shape', 'like.case', 'like.wildcards'].map((id) => assumption[id])
  const key = `${String(shape)} ${String(letters)} ${String(wildcards)} ${pattern}`
  const like = likes.get(key) ?? createLike([pattern], { shape, case: letters, wildcards } as LikeRule)
  likes.set(key, like)
  return like.matches(text)
}

function orderOfInstants(held: unknown, value: unknown): number | undefined {
  const [one, other] = [instantOf(held), instantOf(value)]
  return one && other && compareInstants(one, other)
}

function orderOf(field: string, held: unknown, value: string): number | undefined {
  if (!isIntegerField(field)) return compareCodePoints(asText(held), value)
  if (!/^-?\d{1,19}$/.test(value) || !/^-?\d+$/.test(asText(held))) return undefined
  const [one, other] = [BigInt(asText(held)), BigInt(value)]
  return one < other ? -1 : one > other ? 1 : 0
}

function readDateFilter({ field, start, end, not }: Members): SearchClause | undefined {
  if (field !== 'created' || (not !== undefined && not !== null && typeof not !== 'boolean')) return undefined
  const [from, to] = [start ?? undefined, end ?? undefined].map((bound) =>
    bound === undefined ? null : instantOf(bound),
  )
  if (from === undefined || to === undefined) return undefined
  return {
    unknowns: [...(from ? ['date.start'] : []), to ? 'date.end' : 'date.open-end'],
    isMet({ created }, assumption) {
      const at = instantOf(created)
      if (!at) return undefined
      if (!to && assumption['date.open-end'] === 'other') return false
      const isFrom = isWithin(from && compareInstants(at, from), assumption['date.start'])
      const isTo = isWithin(to && compareInstants(to, at), assumption['date.end'])
      return (isFrom && isTo) !== (not === true)
    },
  }
}

/** @param order positive within the bound, zero at it; null without a bound */
function isWithin(order: number | null, rule: unknown): boolean {
  return order === null || order > 0 || (order === 0 && rule === 'inclusive')
}
