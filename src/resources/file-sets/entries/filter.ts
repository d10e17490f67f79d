import { codeOf, type Column, reader, SMALL_SET } from './columns.ts'
import { compareCodePoints, fold } from '../../../base/formats/code-points.ts'
import { type TextField, type IntegerField, USUAL_FIELDS } from './file-record.ts'
import type { Entries } from './entries.ts'
import type { Integer } from '../../../base/formats/json.ts'
import { createLike, type Like, type LikeRule, plainTexts, slotsWith } from './like.ts'
import { type Instant, parseEpochMs, parseInstant, readNanosecondText } from '../../../base/formats/instant.ts'

export interface Filter {
  readonly field: string
  readonly operator: string
  readonly value: readonly string[]
  readonly not: boolean
}

/** Bounds in nanoseconds since the epoch, as decimal text; null leaves a side open. */
export interface DateFilter {
  readonly field: string
  readonly start: string | null
  readonly end: string | null
  readonly not: boolean
}

/** Whether the entry in a slot satisfies a condition. */
export interface Test {
  (slot: number): boolean
  /** Slots of the base, among them all that pass; undefined where testing each slot is quicker. */
  readonly candidates?: (() => readonly number[] | undefined) | undefined
}

/** How conditions are read; the fields name their behaviours. */
export interface FilterRule {
  readonly like: LikeRule
  /** `equals.case` */
  readonly equals: 'sensitive' | 'insensitive'
  /** `filter.values`: a filter of several values holds when any of them does, or looks at the first alone. */
  readonly values: 'any' | 'first'
  /** `filter.created` */
  readonly created: 'instant' | 'text'
  /** `filter.empty`: what a filter without values means, where it is not refused. */
  readonly empty: 'none' | 'all'
  /** `filter.not-null`: whether an inverted filter takes entries whose field is null. */
  readonly notNull: 'complement' | 'sql'
}

export const COMPARISONS = {
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
  if (field === 'id' && isEquality(operator) && rule.equals === 'sensitive')
    return createIdFilter(entries, filter, rule)
  const nullHolds = operator === 'IS_NULL' ? !not : not && rule.notNull === 'complement'
  if (field === 'created' && rule.created === 'instant' && operator !== 'IS_NULL') {
    const holds = createInstantCondition(filter, rule)
    return byInstant(entries, (ms, nanos) => holds(ms, nanos) !== not)
  }
  if (isIntegerField(field)) {
    const read = entries.integer(field)
    const holds = createIntegerCondition(filter, rule)
    return (slot) => {
      const held = read(slot)
      return held === null ? nullHolds : holds(held) !== not
    }
  }
  return isTextField(field)
    ? createTextFilter(entries, field, createTextCondition(filter, rule), { not, nullHolds })
    : () => nullHolds
}

/** The same for a value as responses show it; an instant for the field `created`, where it is one. */
export function createValueTest(
  filter: Filter,
  rule: FilterRule,
): (held: string | Integer | Instant | null) => boolean {
  const { field, operator, value, not } = filter
  if (operator === 'IS_NULL') return (held) => (held === null) !== not
  if (value.length === 0) return () => rule.empty === 'all'
  const isInstant = field === 'created' && rule.created === 'instant'
  const ofInstant = isInstant ? createInstantCondition(filter, rule) : () => false
  const ofInteger = isIntegerField(field) ? createIntegerCondition(filter, rule) : undefined
  const ofText = isInstant || ofInteger ? undefined : createTextCondition(filter, rule)
  return (held) => {
    if (held === null) return not && rule.notNull === 'complement'
    if (typeof held === 'object') return ofInstant(held.ms, held.nanos) !== not
    if (ofInteger && typeof held !== 'string') return ofInteger(held) !== not
    return (ofText?.matches(String(held)) ?? false) !== not
  }
}

function isEquality(operator: string): boolean {
  return operator === 'EQUALS' || operator === 'IN'
}

/** Looks the ids up, which is quicker than to make all ids and compare them. */
function createIdFilter(entries: Entries, { value, not }: Filter, { values }: FilterRule): Test {
  const wanted = values === 'first' ? value.slice(0, 1) : value
  const slots = new Set(wanted.map((id) => entries.slotWithId(id)))
  return (slot) => slots.has(slot) !== not
}

/** A condition on texts, and the same on the texts of a column by their numbers. */
type TextCondition = Omit<Like, 'literal'> & Partial<Pick<Like, 'literal'>>

/** The base is tested by the pieces of its texts; what was added is tested text by text. */
function createTextFilter(
  entries: Entries,
  field: TextField,
  condition: TextCondition,
  { not, nullHolds }: { readonly not: boolean; readonly nullHolds: boolean },
): Test {
  const { base } = entries
  const added = entries.text(field)
  const ofAdded = (slot: number) => {
    const held = added(slot)
    return held === null ? nullHolds : condition.matches(held) !== not
  }
  if (base.count <= SMALL_SET) {
    const texts = plainTexts(base, field, condition.isFolded)
    const test = (slot: number) => {
      if (slot >= base.count) return ofAdded(slot)
      const held = texts[slot] ?? null
      return held === null ? nullHolds : condition.matchesNormal(held) !== not
    }
    const { literal } = condition
    if (literal === undefined || not) return test
    return Object.assign(test, { candidates: () => slotsWith(literal, base, field, condition.isFolded) })
  }
  const { files, directories } = base.text(field)
  const test = ({ pieces, isNull }: Column) => {
    const matches = condition.matchesAt(pieces)
    if (!isNull) return not ? (at: number) => !matches(at) : matches
    return (at: number) => (isNull(at) ? nullHolds : matches(at) !== not)
  }
  const [ofFile, ofDirectory, fileCount] = [test(files), test(directories), base.files.count]
  return (slot) => {
    if (slot < fileCount) return ofFile(slot)
    if (slot < base.count) return ofDirectory(slot - fileCount + 1)
    return ofAdded(slot)
  }
}

function createTextCondition({ operator, value }: Filter, rule: FilterRule): TextCondition {
  const wanted = rule.values === 'first' ? value.slice(0, 1) : value
  if (operator === 'LIKE') return createLike(wanted, rule.like)
  if (isComparison(operator)) {
    const compare = COMPARISONS[operator]
    const [bound = ''] = wanted
    return textByText((held) => compare(compareCodePoints(held, bound)))
  }
  if (operator === 'IS_NULL') return textByText(() => false)
  const normal = rule.equals === 'insensitive' ? fold : (text: string) => text
  const set = new Set(wanted.map(normal))
  return textByText((held) => set.has(normal(held)))
}

/** A condition for which a text is put together, except where a column has few: there each is tested once. */
function textByText(matches: (text: string) => boolean): TextCondition {
  return {
    matches,
    isFolded: false,
    matchesNormal: matches,
    matchesAt(pieces) {
      const [only, another] = pieces
      const read = reader(pieces)
      if (!only?.isShared || another) return (at) => matches(read(at) ?? '')
      const known: boolean[] = []
      return (at) => {
        const code = codeOf(only, at)
        return (known[code] ??= matches(only.text(code)))
      }
    },
  }
}

function createIntegerCondition({ operator, value }: Filter, rule: FilterRule): (held: Integer) => boolean {
  const texts = rule.values === 'first' ? value.slice(0, 1) : value
  if (operator === 'LIKE') {
    const like = createLike(texts, rule.like)
    return (held) => like.matches(String(held))
  }
  const wanted = texts.map(BigInt)
  if (isComparison(operator)) {
    const compare = COMPARISONS[operator]
    const bound = simplest(wanted[0] ?? 0n)
    return (held) => compare(held < bound ? -1 : held > bound ? 1 : 0)
  }
  // A number and a bigint of the same value are different elements of a Set.
  const set = new Set(wanted.map(simplest))
  return (held) => set.has(simplest(held))
}

/** A condition on instants; its values were checked to be timestamps. */
function createInstantCondition({ operator, value }: Filter, rule: FilterRule): (ms: number, nanos: number) => boolean {
  const texts = rule.values === 'first' ? value.slice(0, 1) : value
  const wanted = texts.flatMap((text) => parseInstant(text) ?? parseEpochMs(text) ?? [])
  if (!isComparison(operator)) {
    const times = new Set(wanted.map(({ ms, nanos }) => `${ms} ${nanos}`))
    return (ms, nanos) => times.has(`${ms} ${nanos}`)
  }
  const compare = COMPARISONS[operator]
  const [{ ms: boundMs, nanos: boundNanos } = { ms: 0, nanos: 0 }] = wanted
  return (ms, nanos) => compare(ms - boundMs || nanos - boundNanos)
}

function byInstant(entries: Entries, holds: (ms: number, nanos: number) => boolean): Test {
  const { base } = entries
  return (slot) => {
    if (slot < base.count) return holds(base.ms(slot), base.nanos(slot))
    const { ms, nanos } = entries.created(slot)
    return holds(ms, nanos)
  }
}

/** An integer as a number where that is exact. */
function simplest(integer: Integer): Integer {
  return integer >= Number.MIN_SAFE_INTEGER && integer <= Number.MAX_SAFE_INTEGER ? Number(integer) : integer
}

/** Whether the bounds themselves belong to the range: the behaviours `date.start` and `date.end`. */
export interface DateRule {
  readonly start: 'inclusive' | 'exclusive'
  readonly end: 'inclusive' | 'exclusive'
}

/** The test for one date filter, by instants: how a timestamp was written does not matter. */
export function createDateFilter(entries: Entries, filter: DateFilter, rule: DateRule): Test {
  return byInstant(entries, createRangeCondition(filter, rule))
}

/** The same for an instant. */
export function createRangeCondition(
  { start, end, not }: DateFilter,
  rule: DateRule,
): (ms: number, nanos: number) => boolean {
  const from = start === null ? undefined : readNanosecondText(start)
  const to = end === null ? undefined : readNanosecondText(end)
  const isWithin = (ms: number, nanos: number) => {
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
  return (ms, nanos) => isWithin(ms, nanos) !== not
}

export function isIntegerField(field: string): field is IntegerField {
  return field === 'size' || field === 'createdBy'
}

export function isTextField(field: string): field is TextField {
  return USUAL_FIELDS.has(field) && !isIntegerField(field)
}

/** Whether a text has letters that could be in another case. */
export function isCased(text: string): boolean {
  return text.toLowerCase() !== text || text.toUpperCase() !== text
}
