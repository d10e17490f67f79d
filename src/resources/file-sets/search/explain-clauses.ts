import { ANY, type Atom, RUN } from '../entries/automaton.ts'
import { foldCodePoint } from '../../../formats/code-points.ts'
import type { Entries } from '../entries/entries.ts'
import { isIntegerField, isTextField } from '../entries/file-record.ts'
import {
  createFilter,
  type DateFilter,
  type DateRule,
  type Filter,
  type FilterRule,
  isComparison,
} from '../entries/filter.ts'
import { atomsOf, type LikeRule } from '../entries/like.ts'
import type { Conditions } from '../entries/match.ts'
import type { Listing } from '../entries/search.ts'
import type { EntryExplanation, SortedBy } from '../../../../types/control-api.d.ts'
import type { BehaviourSettings } from '../../../../types/behaviour-settings.d.ts'
import { encodeInstant, readNanosecondText } from '../../../formats/instant.ts'
import { shown } from '../../../errors/problem.ts'
import { conditionRules } from './listing.ts'

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
      ...(isUntested ? { reads: `${clause.reads}; directories always match` } : {}),
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
  if (field === '') return 'a field that no entry has: nothing matches it'
  if (operator === 'IS_NULL') return `${field} is ${not ? 'not ' : ''}null`
  const values = usedValues(filter, rule)
  if (values.length === 0)
    return `${field} ${operator} without values: ${rule.empty === 'all' ? 'everything' : 'nothing'} matches it`
  const asked = values.length === 1 ? shown(values[0]) : `any of ${values.map(shown).join(', ')}`
  const nulls = rule.notNull === 'complement' ? 'an entry without one matches' : 'an entry without one does not match'
  return `${not ? 'not: ' : ''}${field} ${operator} ${asked}: ${describeComparison(field, operator, rule)}${not ? `; ${nulls}` : ''}`
}

function describeComparison(field: string, operator: string, rule: FilterRule): string {
  if (operator === 'LIKE')
    return `${describeLikeRule(rule.like)}${isIntegerField(field) ? ', on its decimal digits' : ''}`
  if (isIntegerField(field)) return 'as numbers'
  if (field === 'created' && rule.created === 'instant') return 'as instants'
  if (isComparison(operator)) return 'text by code points'
  return rule.equals === 'insensitive' ? 'equal but for case' : 'equal, case counts'
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

/** How a LIKE is read, whatever its patterns: `contains, case folded, % and _ wild`. */
function describeLikeRule({ shape, case: letters, wildcards }: LikeRule): string {
  return [SHAPES[shape], CASES[letters], WILDCARDS[wildcards]].join(', ')
}

const SHAPES = { contains: 'contains', anchored: 'the whole text', prefix: 'begins with' } as const
const CASES = { insensitive: 'case folded', sensitive: 'case counts' } as const
const WILDCARDS = { sql: '% and _ wild', literal: '% and _ as they are' } as const

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
