import { ANY, type Atom, RUN } from '../entries/automaton.ts'
import type { Entries } from '../entries/entries.ts'
import {
  createFilter,
  type DateFilter,
  type DateRule,
  type Filter,
  type FilterRule,
  isComparison,
  isIntegerField,
  isTextField,
} from '../entries/filter.ts'
import { atomsOf, type LikeRule, foldCodePoint } from '../entries/like.ts'
import { type Conditions, conditionRules } from '../entries/match.ts'
import type { Listing } from '../entries/search.ts'
import type { EntryExplanation, SortedBy } from '../../../../types/control-api.d.ts'
import type { BehaviourSettings } from '../../../../types/behaviour-settings.d.ts'
import { encodeInstant, readNanosecondText } from '../../../base/formats/instant.ts'
import { shown } from '../../../base/errors/problem.ts'

export type EntryClause = NonNullable<EntryExplanation['clauses']>[number]

/** A value of an entry, as a filter or a sort sees it. Integers above 2^53 are bigints, which JSON writes as numbers. */
export type ShownValue = SortedBy[number]['value']

/** The clauses of a query in words, in the order of their tests. */
export function describeClauses(
  { filters, dateFilters }: Conditions,
  settings: BehaviourSettings,
): Omit<EntryClause, 'holds' | 'held' | 'met'>[] {
  const { filter: rule, date } = conditionRules(settings)
  return [
    ...filters.map((filter, index) => ({
      pointer: `/filters/${index}`,
      reads: describeFilter(filter, rule),
      ...(filter.operator === 'LIKE'
        ? { patterns: usedValues(filter, rule).map((value) => ({ value, means: describeLike(value, rule.like) })) }
        : {}),
    })),
    ...dateFilters.map((filter, index) => ({
      pointer: `/dateFilters/${index}`,
      reads: describeDateFilter(filter, date),
    })),
  ]
}

/** The value of an entry for each clause, and whether it matches. */
export function explainClauses(
  { entries, tests }: Listing,
  slot: number,
  query: Conditions,
  settings: BehaviourSettings,
): EntryClause[] {
  const rule = conditionRules(settings).filter
  const isUntested = settings['dir.filtered'] === 'bypass' && entries.isDirectory(slot)
  return describeClauses(query, settings).map((clause, index) => {
    const filter = query.filters[index]
    return {
      ...clause,
      ...(isUntested ? { reads: `${clause.reads}; every directory matches` } : {}),
      holds: isUntested || tests[index]?.(slot) === true,
      held: valueAt(entries, slot, filter ? filter.field : 'created'),
      met: filter ? matchingValues(entries, slot, filter, rule) : [],
    }
  })
}

/** What an entry has in a field, as filters and sorts see it. */
export function valueAt(entries: Entries, slot: number, field: string): ShownValue {
  if (field === 'created') return encodeInstant(entries.created(slot))
  if (isIntegerField(field)) return entries.integer(field)(slot) as number | null
  return isTextField(field) ? entries.text(field)(slot) : null
}

/** The values that the entry matches on their own, without `not`. */
function matchingValues(entries: Entries, slot: number, filter: Filter, rule: FilterRule): string[] {
  if (filter.operator === 'IS_NULL') return []
  return usedValues(filter, rule).filter((value) =>
    createFilter(entries, { ...filter, value: [value], not: false }, rule)(slot),
  )
}

/** The values that the filter looks at. */
function usedValues({ value }: Filter, { values }: FilterRule): readonly string[] {
  return values === 'first' ? value.slice(0, 1) : value
}

function describeFilter(filter: Filter, rule: FilterRule): string {
  const { field, operator, not } = filter
  if (field === '') return 'a field that no file has, so nothing matches'
  if (operator === 'IS_NULL') return `${field} is ${not ? 'not ' : ''}null`
  const values = usedValues(filter, rule)
  if (values.length === 0)
    return `${field} ${operator} without values, which ${rule.empty === 'all' ? 'everything' : 'nothing'} matches`
  const named = values.map((value) => (isIntegerField(field) && operator !== 'LIKE' ? value : shown(value)))
  const asked = named.length === 1 ? named[0] : `any of ${named.join(', ')}`
  const plain = `${field} ${verbOf(operator, rule)} ${asked}${noteOf(filter, values, rule)}`
  if (!not) return plain
  return `not: ${plain}; without a ${field} it ${rule.notNull === 'complement' ? 'matches' : 'does not match'}`
}

const VERBS: Readonly<Record<string, string>> = {
  LESS_THAN: 'is less than',
  LESS_THAN_OR_EQUAL: 'is at most',
  GREATER_THAN: 'is greater than',
  GREATER_THAN_OR_EQUAL: 'is at least',
}

function verbOf(operator: string, { like }: FilterRule): string {
  if (operator === 'LIKE') return SHAPES[like.shape]
  return VERBS[operator] ?? (isComparison(operator) ? operator : 'is')
}

const SHAPES = { contains: 'contains', anchored: 'is, as a whole,', prefix: 'begins with' } as const
const CASES = { insensitive: 'upper and lower case alike', sensitive: 'upper and lower case differ' } as const
const WILDCARDS = {
  sql: '% stands for any text and _ for one character',
  literal: '% and _ stand for themselves',
} as const

/** How values are compared, in brackets, where it may surprise. */
function noteOf({ field, operator }: Filter, values: readonly string[], rule: FilterRule): string {
  const notes: string[] = []
  if (operator === 'LIKE') {
    notes.push(isIntegerField(field) ? 'the number as it is written' : CASES[rule.like.case])
    if (values.some((value) => /[%_]/.test(value))) notes.push(WILDCARDS[rule.like.wildcards])
  } else if (isIntegerField(field)) return ''
  else if (field === 'created' && rule.created === 'instant') notes.push('as points in time')
  else if (isComparison(operator)) notes.push('character by character')
  else notes.push(CASES[rule.equals])
  return ` (${notes.join('; ')})`
}

function describeDateFilter({ field, start, end, not }: DateFilter, rule: DateRule): string {
  const from = start === null ? 'any time' : `${boundText(start)} (${rule.start})`
  const to = end === null ? 'any time' : `${boundText(end)} (${rule.end})`
  return `${not ? 'not: ' : ''}${field} from ${from} to ${to}`
}

/** A bound of a date filter, nanoseconds as decimal text, as an instant. */
export function boundText(bound: string): string {
  return encodeInstant(readNanosecondText(bound))
}

/**
 * What a text must be to be like a pattern, read from the very atoms that it is tested by.
 *
 * @example describeLike('50\\%_', { shape: 'contains', case: 'insensitive', wildcards: 'sql' })
 *   // 'any text, "50%", any one character, any text'
 */
function describeLike(pattern: string, rule: LikeRule): string {
  const normal = rule.case === 'insensitive' ? foldCodePoint : (codePoint: number) => codePoint
  const parts: string[] = []
  let literal = ''
  const finish = () => {
    if (literal !== '') parts.push(JSON.stringify(literal))
    literal = ''
  }
  let before: Atom | undefined
  for (const atom of atomsOf(pattern, rule, normal)) {
    if (atom === ANY || atom === RUN) {
      finish()
      if (atom === ANY || before !== RUN) parts.push(atom === ANY ? 'any one character' : 'any text')
    } else literal += String.fromCodePoint(atom)
    before = atom
  }
  finish()
  return parts.length === 0 ? 'the empty text' : parts.join(', ')
}
