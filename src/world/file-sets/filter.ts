import { compareCodePoints, fold } from './code-points.ts'
import type { Entries } from './entries.ts'
import { isIntegerField, isTextField } from './file-record.ts'
import { createLike, type LikeRule } from './like.ts'
import type { DateFilter, Filter } from './query.ts'

/** Whether the entry in a slot satisfies a condition. */
export type Test = (slot: number) => boolean

/** How conditions are read; the fields name their rows of the ledger. */
export interface FilterRule {
  readonly like: LikeRule
  /** `equals.case` */
  readonly equals: 'sensitive' | 'insensitive'
  /** `filter.values`: a filter of several values holds when any of them does, or looks at the first alone. */
  readonly values: 'any' | 'first'
  /** `filter.empty`: what a filter without values means, where it is not refused. */
  readonly empty: 'none' | 'all'
  /** `filter.not-null`: whether an inverted filter takes entries whose field is null. */
  readonly notNull: 'complement' | 'sql'
}

const COMPARISONS = {
  GREATER_THAN: (order: number) => order > 0,
  GREATER_THAN_OR_EQUAL: (order: number) => order >= 0,
  LESS_THAN: (order: number) => order < 0,
  LESS_THAN_OR_EQUAL: (order: number) => order <= 0,
} as const

export function isComparison(operator: string): operator is keyof typeof COMPARISONS {
  return Object.hasOwn(COMPARISONS, operator)
}

/** The test for one filter. A field that no record has is null everywhere. */
export function createFilter(entries: Entries, filter: Filter, rule: FilterRule): Test {
  const { field, operator, value: wanted, not } = filter
  // Without values a filter means none or all, and `not` has nothing to invert.
  if (operator !== 'IS_NULL' && wanted.length === 0) return () => rule.empty === 'all'
  const read = isIntegerField(field) ? entries.integer(field) : isTextField(field) ? entries.text(field) : () => null
  const holds = createCondition(filter, rule)
  const nullHolds = operator === 'IS_NULL' ? !not : not && rule.notNull === 'complement'
  return (slot) => {
    const value = read(slot)
    return value === null ? nullHolds : holds(value) !== not
  }
}

type Scalar = string | number | bigint

function createCondition({ field, operator, value }: Filter, rule: FilterRule): (held: Scalar) => boolean {
  if (operator === 'IS_NULL') return () => false
  const wanted = rule.values === 'first' ? value.slice(0, 1) : value
  if (operator === 'LIKE') {
    const like = createLike(wanted, rule.like)
    return (held) => like(String(held))
  }
  const numeric = isIntegerField(field)
  if (isComparison(operator)) {
    const compare = COMPARISONS[operator]
    const order = numeric ? integerOrder(wanted[0]) : textOrder(wanted[0])
    return (held) => compare(order(held))
  }
  // As bigints and as strings, equal values are equal elements of a Set.
  const normal = numeric ? BigInt : rule.equals === 'insensitive' ? (held: Scalar) => fold(String(held)) : String
  const set = new Set<bigint | string>(wanted.map((text) => normal(text)))
  return (held) => set.has(normal(held))
}

function integerOrder(wanted = '0'): (held: Scalar) => number {
  const value = BigInt(wanted)
  return (held) => {
    const integer = BigInt(held)
    return integer < value ? -1 : integer > value ? 1 : 0
  }
}

function textOrder(wanted = ''): (held: Scalar) => number {
  return (held) => compareCodePoints(String(held), wanted)
}

/** Whether the bounds themselves belong to the range: the ledger's rows `date.start` and `date.end`. */
export interface DateRule {
  readonly start: 'inclusive' | 'exclusive'
  readonly end: 'inclusive' | 'exclusive'
}

/** The test for one date filter, by instants: how a timestamp was written does not matter. */
export function createDateFilter(entries: Entries, { start, end, not }: DateFilter, rule: DateRule): Test {
  const from = start === null ? undefined : bound(start)
  const to = end === null ? undefined : bound(end)
  const within = (slot: number) => {
    const { ms, nanos } = entries.created(slot)
    if (from) {
      const order = ms - from.ms || nanos - from.nanos
      if (order < 0 || (order === 0 && rule.start === 'exclusive')) return false
    }
    if (to) {
      const order = ms - to.ms || nanos - to.nanos
      if (order > 0 || (order === 0 && rule.end === 'exclusive')) return false
    }
    return true
  }
  return (slot) => within(slot) !== not
}

/** Floors towards the past, so that moments before 1970 keep 0–999,999 nanoseconds. */
function bound(text: string): { ms: number; nanos: number } {
  const total = BigInt(text)
  const nanos = ((total % 1_000_000n) + 1_000_000n) % 1_000_000n
  return { ms: Number((total - nanos) / 1_000_000n), nanos: Number(nanos) }
}
