import { isCased } from '../../../../resources/file-sets/entries/filter.ts'
import { settled } from '../../finding.ts'
import { probe, type Probe } from '../../probe.ts'
import type { ProbeRequest } from '../../questioner.ts'
import type { SeenEntry } from '../../search-seen.ts'
import { entriesKnown, type SearchKnowledge } from '../../search-model/choose-search.ts'
import { deduce } from '../../search-model/deduction.ts'
import { FILTER_FIELDS, OPERATORS, ORDER_OPERATORS } from '../../../../behaviours/file-fields.ts'
import { probeByDeduction } from '../deduced.ts'
import * as witness from './filter-witnesses.ts'

const { filterBy } = witness

const LIKE_PARTS = ['like.shape', 'like.case', 'like.wildcards']
const NO_LIKE = 'LIKE was not accepted on a field of text, or no text shows it'

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
  return patterns.flatMap((pattern) => [witness.inOtherCase(pattern), pattern])
}

/** Fields of text that LIKE is tried with. */
function* likes({ deduction, entries }: SearchKnowledge): Generator<ProbeRequest> {
  for (const field of witness.fieldsAmong(witness.TEXT_FIELDS, deduction, 2)) {
    const texts = witness.valuesIn(entries, field).filter((text) => text.length > 3)
    const special = texts.filter((text) => /[%_]/.test(text))
    for (const text of [...texts.slice(0, 3), ...special.slice(0, 2), ...texts.slice(-1)])
      for (const pattern of patternsOf(text)) yield filterBy({ field, operator: 'LIKE', value: [pattern] })
  }
}

const EQUALITIES = ['EQUALS', 'IN'] as const

/** Filters by each of some fields, with each of some operators and each value. */
function* filters(
  { deduction, entries }: SearchKnowledge,
  fields: readonly (typeof FILTER_FIELDS)[number][],
  operators: readonly (typeof OPERATORS)[number][],
  valuesOf: (field: string) => Iterable<readonly unknown[]>,
): Generator<ProbeRequest> {
  for (const field of witness.fieldsAmong(fields, deduction))
    for (const operator of witness.operatorsAmong(operators, deduction))
      for (const value of entries.length > 0 ? valuesOf(field) : []) yield filterBy({ field, operator, value })
}

function one(values: readonly string[], most = 3): readonly (readonly string[])[] {
  return values.slice(0, most).map((value) => [value])
}

function* pairs(values: readonly string[]) {
  const [first, second] = values
  const last = values.at(-1)
  if (first !== undefined && last !== undefined) yield [first, last]
  if (first !== undefined && second !== undefined) yield [second, first]
}

/** The same instant with another fraction. */
function respelt(instant: string): string {
  return instant.includes('.') ? instant.replace('Z', '0Z') : instant.replace('Z', '.0Z')
}

const NO_FIELD = 'no field and operator that show it were accepted'

export const FILTERS: readonly Probe[] = [
  ...(['like.shape', 'like.case', 'like.wildcards'] as const).map((id) =>
    probeByDeduction(id, { together: LIKE_PARTS, missing: NO_LIKE, candidates: likes, most: 5 }),
  ),

  probeByDeduction('equals.case', {
    missing: NO_FIELD,
    candidates: (known) =>
      filters(known, witness.TEXT_FIELDS, EQUALITIES, (field) =>
        one(witness.valuesIn(known.entries, field).filter(isCased).map(witness.inOtherCase)),
      ),
  }),

  probeByDeduction('filter.empty', {
    missing: NO_FIELD,
    candidates: (known) => filters(known, FILTER_FIELDS, ['LIKE', ...EQUALITIES, ...ORDER_OPERATORS], () => [[]]),
  }),

  probeByDeduction('filter.values', {
    missing: NO_FIELD,
    candidates: (known) =>
      filters(known, [...witness.TEXT_FIELDS, 'createdBy', 'size'], ['IN', 'EQUALS', 'LIKE'], (field) =>
        pairs(witness.valuesIn(known.entries, field)),
      ),
  }),

  probeByDeduction('filter.several', {
    missing: 'no two conditions that show it were accepted',
    *candidates(known) {
      const dates = witness.valuesIn(known.entries, 'created').toSorted()
      const [first, last] = [dates[0], dates.at(-1)]
      const early = { field: 'created', start: '2000-01-01T00:00:00Z', end: first }
      const late = { field: 'created', start: last }
      yield { body: { dateFilters: [early, late] } }
      for (const asked of filters(known, FILTER_FIELDS, OPERATORS, (field) =>
        one(witness.valuesIn(known.entries, field)),
      ))
        yield { body: { ...(asked.body as object), dateFilters: [late] } }
    },
  }),

  probeByDeduction('filter.value-type', {
    unknowns: ['filter.value-type'],
    together: ['filter.value-type', 'body.types'],
    missing: 'values of other types are accepted, but so they may be everywhere',
    *candidates(known) {
      yield* filters(
        known,
        [...witness.NUMBER_FIELDS, ...witness.TEXT_FIELDS],
        [...EQUALITIES, 'LIKE', ...ORDER_OPERATORS],
        () => [[1]],
      )
      for (const field of witness.fieldsAmong(FILTER_FIELDS, known.deduction))
        for (const operator of witness.operatorsAmong(OPERATORS, known.deduction))
          yield filterBy({ field, operator, ...(operator === 'IS_NULL' ? {} : { value: ['1'] }), not: 'true' })
    },
  }),

  probeByDeduction('filter.numbers', {
    missing: NO_FIELD,
    candidates: (known) => filters(known, witness.NUMBER_FIELDS, [...EQUALITIES, ...ORDER_OPERATORS], () => [['x']]),
  }),

  probeByDeduction('filter.numeric-like', {
    missing: NO_FIELD,
    candidates: (known) => filters(known, witness.NUMBER_FIELDS, ['LIKE'], () => [['1']]),
  }),

  probeByDeduction('filter.created', {
    missing: NO_FIELD,
    candidates: (known) =>
      filters(known, ['created'], [...EQUALITIES, 'LIKE', ...ORDER_OPERATORS], (field) =>
        one(witness.valuesIn(known.entries, field)).map(([value = '']) => [respelt(value)]),
      ),
  }),

  probeByDeduction('filter.text-compare', {
    missing: NO_FIELD,
    candidates: (known) => filters(known, witness.TEXT_FIELDS, ORDER_OPERATORS, () => [['m']]),
  }),

  probe({
    id: 'filter.is-null',
    conclude(traffic) {
      const { contradictionOf, domainOf } = deduce(traffic)
      const shown = traffic.searches.find(({ outcome, query, filters, dateFilters, files }) => {
        const [only, another] = filters
        if (outcome !== 'page' || query.has('next') || another || dateFilters.length > 0) return false
        const field = only?.operator === 'IS_NULL' && only.not !== true ? String(only.field) : undefined
        const isKnown = domainOf(`field:${field ?? ''}`).length === 1 && domainOf(`field:${field ?? ''}`).includes(true)
        return (
          field !== undefined &&
          isKnown &&
          !contradictionOf(`field:${field}`) &&
          files.some((entry) => isNull(entry, field))
        )
      })
      return shown && settled('null-or-absent', [shown.exchange])
    },
    *ask(questioner) {
      const { domainOf } = deduce(questioner.traffic)
      const entries = entriesKnown(questioner)
      const field = FILTER_FIELDS.find(
        (one) => domainOf(`field:${one}`).every(Boolean) && entries.some((entry) => isNull(entry, one)),
      )
      if (field !== undefined && domainOf('operator:IS_NULL').includes(true))
        yield* questioner.search(filterBy({ field, operator: 'IS_NULL' }))
    },
  }),

  probeByDeduction('filter.not-null', {
    missing: 'no entry is without a value in a field that can be filtered by',
    *candidates({ deduction, entries }) {
      for (const field of witness.fieldsAmong(FILTER_FIELDS, deduction, FILTER_FIELDS.length))
        if (entries.some((entry) => isNull(entry, field)))
          for (const operator of witness.operatorsAmong([...EQUALITIES, ...ORDER_OPERATORS, 'LIKE'], deduction))
            yield filterBy({ field, operator, value: witness.someValuesIn(entries, field).slice(-1), not: true })
    },
  }),

  probeByDeduction('filter.operator-absent', {
    missing: NO_FIELD,
    *candidates({ deduction, entries }) {
      for (const field of witness.fieldsAmong(FILTER_FIELDS, deduction))
        yield filterBy({ field, value: witness.someValuesIn(entries, field).slice(-1) })
    },
  }),
]

function isNull(entry: SeenEntry, field: string): boolean {
  return (entry[field] ?? null) === null
}
