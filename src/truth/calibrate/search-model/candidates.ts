import { textOrJson } from '../../../base/formats/json.ts'
import { FILTER_FIELDS, OPERATORS, SORT_FIELDS } from '../../../behaviours/file-fields.ts'
import { compareInstants, encodeInstant } from '../../../base/formats/instant.ts'
import { isCased, isIntegerField } from '../../../resources/file-sets/entries/filter.ts'
import type { ProbeRequest } from '../probe.ts'
import type { SeenEntry } from '../search-seen.ts'
import { instantOf } from './read-search.ts'

type Operator = (typeof OPERATORS)[number]

const isText = (field: string) => field !== 'created' && !isIntegerField(field)

/** Fields of text, those first of which entries differ most. */
export const TEXT_FIELDS = FILTER_FIELDS.filter(isText).toSorted(
  (a, b) => Number(b === 'name') - Number(a === 'name') || Number(b === 'path') - Number(a === 'path'),
)

export function filterBy(...filters: readonly object[]): ProbeRequest {
  return { body: { filters } }
}

/** A value that no entry is likely to have. It is short, since a service may refuse long ones. */
function absentIn(field: string): string {
  return field === 'created' ? '2001-01-01T00:00:00Z' : isText(field) ? 'x' : '1'
}

/**
 * Searches that could be sent, the plain ones first: by each field, operator and order, with bounds and values that entries have, and
 * with each deviation that a service may read in its own way. Which of them tell settings apart is for the deduction to say.
 */
export function* searchesToAsk(entries: readonly SeenEntry[]): Generator<ProbeRequest> {
  yield* dateSearches(entries)
  yield* sortSearches()
  for (const field of ['colour', ...TEXT_FIELDS, ...FILTER_FIELDS.filter(isIntegerField), 'created'])
    yield* filterSearches(field, entries)
  yield* filtersAndDates(entries)
}

function within(...ranges: readonly object[]): ProbeRequest {
  return { body: { dateFilters: ranges.map((range) => ({ field: 'created', ...range })) } }
}

const [YEAR_2000, YEAR_2001] = ['2000-01-01T00:00:00Z', '2001-01-01T00:00:00Z']

/** The instants at which entries were created, each once. */
function instantsOf(entries: readonly SeenEntry[]): readonly string[] {
  const instants = entries.flatMap(({ created }) => instantOf(created) ?? []).sort(compareInstants)
  return [...new Set(instants.map(encodeInstant))]
}

function* dateSearches(entries: readonly SeenEntry[]): Generator<ProbeRequest> {
  const instants = instantsOf(entries)
  for (let at = 0; at + 1 < instants.length; at += 1 + (instants.length >> 3))
    yield within({ start: instants[at], end: instants[at + 1] })
  yield within({ start: instants[instants.length >> 1] ?? YEAR_2000 })
  yield within({ end: instants[0] ?? YEAR_2000 })
  yield within({ start: YEAR_2001, end: YEAR_2000 })
  yield within({ start: '2000-01-01T01:00:00+01:00' })
  yield within({ start: Date.parse(YEAR_2000) })
  yield within({ start: '2026-02-30T00:00:00Z' })
  yield within({ field: 'name', start: YEAR_2000 })
  // Both hold for no entry, and one of them for each.
  yield within({ start: YEAR_2000, end: instants[0] }, { start: instants.at(-1) })
}

function* sortSearches(): Generator<ProbeRequest> {
  const sortBy = (...fieldSort: readonly object[]) => ({ body: { fieldSort } })
  const [ASC, DESC] = [{ order: 'ASC' }, { order: 'DESC' }]
  for (const order of [ASC, DESC, { order: 'desc' }, {}])
    for (const field of ['colour', ...SORT_FIELDS]) yield sortBy({ field, ...order })
  for (const order of [DESC, ASC]) for (const field of SORT_FIELDS) yield sortBy({ field, ...ASC }, { field, ...order })
  for (const field of SORT_FIELDS)
    for (const other of SORT_FIELDS) if (other !== field) yield sortBy({ field, ...ASC }, { field: other, ...ASC })
}

function* filterSearches(field: string, entries: readonly SeenEntry[]): Generator<ProbeRequest> {
  const values = valuesIn(entries, field)
  const some = [...values.slice(0, 1), ...values.slice(values.length >> 1).slice(0, 1), absentIn(field)]
  for (const operator of OPERATORS) {
    const ask = (value: readonly unknown[], others = {}) => filterBy({ field, operator, value, ...others })
    if (operator === 'IS_NULL') {
      for (const not of [false, true]) yield filterBy({ field, operator, ...(not ? { not } : {}) })
      continue
    }
    for (const value of operator === 'LIKE' ? some.slice(-1) : some) yield ask([value])
    for (const value of oddValues(field, operator, values)) yield ask(value)
    for (const value of some) yield ask([value], { not: true })
    yield ask(some.slice(-1), { not: 'true' })
  }
  for (const value of some.slice(-1)) yield filterBy({ field, value: [value] })
}

/** Lists of values that services read in several ways. */
function* oddValues(field: string, operator: Operator, values: readonly string[]): Generator<readonly unknown[]> {
  yield []
  yield [1]
  const [first, second] = values
  const last = values.at(-1)
  if (first !== undefined && last !== undefined) yield [first, last]
  if (first !== undefined && second !== undefined) yield [second, first]
  if (field === 'created') for (const value of values.slice(0, 3)) yield [respelt(value)]
  if (isIntegerField(field)) yield ['x']
  if (!isText(field) || operator.includes('_THAN')) return
  if (operator !== 'LIKE') for (const value of values.filter(isCased).slice(0, 3)) yield [inOtherCase(value)]
  const long = values.filter((text) => text.length > 3)
  const special = long.filter((text) => /[%_]/.test(text))
  if (operator === 'LIKE')
    for (const text of new Set([...long.slice(0, 3), ...special.slice(0, 2), ...long.slice(-1)]))
      for (const pattern of patternsOf(text)) yield [pattern]
}

/** Conditions that hold together for other entries than each alone. */
function* filtersAndDates(entries: readonly SeenEntry[]): Generator<ProbeRequest> {
  const late = { field: 'created', start: instantsOf(entries).at(-1) }
  for (const field of FILTER_FIELDS)
    for (const operator of OPERATORS)
      for (const value of valuesIn(entries, field).slice(0, 2))
        yield { body: { filters: [{ field, operator, value: [value] }], dateFilters: [late] } }
}

/** The values that some entries have in a field as text, the short ones first. */
function valuesIn(entries: readonly SeenEntry[], field: string): readonly string[] {
  const held = entries.map((entry) => entry[field] ?? null).filter((value) => value !== null && value !== '')
  return [...new Set(held.map(textOrJson))].sort((a, b) => a.length - b.length)
}

/** Patterns made of a text: parts of it, in both cases, with and without wildcards. */
function patternsOf(text: string): readonly string[] {
  const part = text.slice(1, 4)
  const patterns = [
    part,
    `${part.slice(0, 1)}_${part.slice(2)}`,
    `${text.slice(0, 1)}%${text.slice(-1)}`,
    `${part.slice(0, 1)}%${text.slice(-1)}`,
    text.slice(0, 3),
    text,
  ]
  return patterns.flatMap((pattern) => [inOtherCase(pattern), pattern])
}

/** A text with its letters in the other case. */
function inOtherCase(text: string): string {
  return Array.from(text, (letter) =>
    letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
  ).join('')
}

/** The same instant with another fraction. */
function respelt(instant: string): string {
  return instant.includes('.') ? instant.replace('Z', '0Z') : instant.replace('Z', '.0Z')
}
