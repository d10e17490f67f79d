import { FILTER_FIELDS, ORDER_OPERATORS, SORT_FIELDS } from '../../../behaviours/file-fields.ts'
import type { Case } from '../case.ts'
import { filter, type Kit, reads, readsInTurn, type SearchOptions, sort } from './search.ts'

/** Counts that may be the largest one: the usual bounds, and one more. */
const COUNTS = [2, 4, 5, 8, 10, 16, 17, 20, 32, 50, 100, 101]
const POWERS = [1e3, 1e4, 1e5, 1e6, 1e7, 1e8]

/** Orders. */
export function sortCases({ search }: Kit): Case[] {
  const by = (...fieldSort: readonly unknown[]) => search({ query: 'limit=30', body: { fieldSort } })
  const atTop = (order: string) => search({ query: 'limit=1000', body: { fieldSort: [sort('size', order)] } })
  return [
    reads('sort.default', 'a search without an order', [search({ query: 'limit=30' })]),
    reads('sort.order-absent', 'a sort without an order', [by(sort('created')), by(sort('created', null))]),
    reads(
      'sort.order-values',
      'orders',
      ['ASC', 'DESC', 'asc', 'Desc'].map((order) => by(sort('created', order))),
    ),
    reads(
      'sort.fields',
      'a sort by each field',
      SORT_FIELDS.map((field) => ({ ...by(sort(field, 'ASC')), tries: field })),
    ),
    reads('sort.unknown', 'a sort by an unknown field', [by(sort('colour', 'ASC'))]),
    reads('sort.duplicate', 'a sort by the same field twice', [by(sort('created', 'ASC'), sort('created', 'DESC'))]),
    reads('sort.nulls', 'a sort by a field that is null', [atTop('ASC'), atTop('DESC')]),
    reads('sort.collation', 'a sort by name', [
      search({ query: 'limit=1000', body: { fieldSort: [sort('name', 'ASC')] } }),
    ]),
    reads('sort.tie', 'a sort where many are equal', [by(sort('fileType', 'ASC'))]),
    reads(
      'sort.max',
      'many sort keys',
      COUNTS.map((count) =>
        by(
          ...SORT_FIELDS.concat(...Array.from({ length: 12 }, () => SORT_FIELDS))
            .slice(0, count)
            .map((field) => sort(field, 'ASC')),
        ),
      ),
      COUNTS,
    ),
  ]
}

/** Filters by fields. */
export function filterCases({ facts, search }: Kit): Case[] {
  const { file, otherFile } = facts
  const { name } = file
  const options = (filters: readonly unknown[]): SearchOptions => ({ query: 'limit=50', body: { filters } })
  const by = (...filters: readonly unknown[]) => search(options(filters))
  const other = name === name.toUpperCase() ? name.toLowerCase() : name.toUpperCase()
  const [start, middle] = [name.slice(0, 4), name.slice(2, 7)]
  return [
    reads('filter.operators', 'each operator', [
      ...['LIKE', 'EQUALS', 'IN'].map((operator) => ({ ...by(filter('name', operator, name)), tries: operator })),
      ...ORDER_OPERATORS.map((operator) => ({ ...by(filter('size', operator, '1000')), tries: operator })),
      { ...by({ field: 'name', operator: 'IS_NULL' }), tries: 'IS_NULL' },
      by(filter('name', 'SOUNDS_LIKE', name)),
    ]),
    reads('filter.fields', 'a filter by each field', [
      ...FILTER_FIELDS.map((field) => ({ ...by({ field, operator: 'IS_NULL' }), tries: field })),
      by(filter('colour', 'EQUALS', 'red')),
    ]),
    reads('like.shape', 'LIKE with parts of a name', [
      by(filter('name', 'LIKE', middle)),
      by(filter('name', 'LIKE', start)),
      by(filter('name', 'LIKE', name)),
    ]),
    reads('like.case', 'LIKE in other letters', [by(filter('name', 'LIKE', other))]),
    reads('like.wildcards', 'wildcards in LIKE', [
      by(filter('name', 'LIKE', `${name.slice(0, 1)}_${name.slice(2)}`)),
      by(filter('name', 'LIKE', `${name.slice(0, 2)}%${name.slice(-5)}`)),
    ]),
    reads('equals.case', 'EQUALS in other letters', [by(filter('name', 'EQUALS', other))]),
    reads('filter.empty', 'a filter without a value', [
      by(filter('name', 'LIKE')),
      by({ field: 'name', operator: 'LIKE', value: null }),
      by({ field: 'name', operator: 'LIKE' }),
    ]),
    reads('filter.values', 'several values in a filter', [
      by(filter('name', 'EQUALS', name, otherFile.name)),
      by(filter('name', 'LIKE', otherFile.name, name)),
    ]),
    reads('filter.several', 'two filters that no entry meets', [
      by(filter('name', 'EQUALS', name), filter('name', 'EQUALS', otherFile.name)),
    ]),
    reads('filter.value-type', 'a value that is no text', [by(filter('size', 'GREATER_THAN', 10))]),
    reads('filter.numbers', 'a filter by a number', [
      by(filter('size', 'GREATER_THAN', '9')),
      by(filter('size', 'GREATER_THAN', 'abc')),
    ]),
    reads('filter.numeric-like', 'LIKE on a number', [by(filter('size', 'LIKE', '1'))]),
    readsInTurn('filter.created', 'a filter by created', function* (own) {
      const created = own.entry(file.path)?.created ?? file.created
      for (const value of [
        created,
        created.replace(/(\.\d+)?Z$/, (digits) => `${digits.replace('Z', '')}000Z`.replace(/^000/, '.000')),
      ])
        yield by(filter('created', 'EQUALS', value))
      yield by(filter('created', 'LIKE', created.slice(0, 10)))
    }),
    reads('filter.text-compare', 'a comparison of texts', [by(filter('name', 'GREATER_THAN', 'm'))]),
    reads('filter.is-null', 'a field that is null', [by({ field: 'connectorKey', operator: 'IS_NULL' })]),
    reads('filter.not-null', 'not, where the field is null', [
      search({ query: 'limit=1000', body: { filters: [{ ...filter('size', 'EQUALS', '0'), not: true }] } }),
    ]),
    reads('filter.operator-absent', 'a filter without an operator', [
      by({ field: 'name', value: [name] }),
      by({ field: 'name', value: [name], operator: null }),
    ]),
    reads(
      'filter.max',
      'many filters',
      COUNTS.map((count) => by(...Array.from({ length: count }, () => filter('name', 'LIKE', start)))),
      COUNTS,
    ),
    reads(
      'filter.max',
      'many values',
      [...COUNTS, 1000, 1001].map((count) =>
        by(filter('name', 'IN', ...Array.from({ length: count }, (_, at) => `${at}`))),
      ),
      [...COUNTS, 1000],
    ),
    reads(
      'filter.max',
      'long values',
      [16, 100, 255, 256, 1024, 1025].map((length) => by(filter('name', 'LIKE', 'x'.repeat(length)))),
      [16, 100, 255, 256, 1024],
    ),
    reads(
      'filter.work',
      'a filter that is much work',
      [10, 40].map((patterns) =>
        by(filter('name', 'LIKE', ...Array.from({ length: patterns }, (_, at) => `${'x%'.repeat(30)}${at}`))),
      ),
      POWERS,
    ),
  ]
}

/** Date filters. */
export function dateCases({ facts, search }: Kit): Case[] {
  const { file } = facts
  const within = (range: Readonly<Record<string, unknown>>) =>
    search({
      query: 'limit=1000',
      body: { dateFilters: [{ field: 'created', ...range }], filters: [filter('name', 'EQUALS', file.name)] },
    })
  const day = 86_400_000
  return [
    readsInTurn('date.start date.end', 'the bounds of a date filter', function* (own) {
      const created = own.entry(file.path)?.created ?? file.created
      const moved = (by: number) => new Date(Date.parse(created) + by).toISOString()
      yield within({ start: created, end: moved(day) })
      yield within({ start: moved(-day), end: created })
      yield within({ start: moved(day), end: moved(-day) })
    }),
    reads('date.open-end', 'a date filter without an end', [
      within({ start: '2000-01-01T00:00:00Z', end: null }),
      within({ start: '2000-01-01T00:00:00Z' }),
    ]),
    reads('date.open-start', 'a date filter without a start', [
      within({ end: '2100-01-01T00:00:00Z' }),
      within({ start: null, end: '2100-01-01T00:00:00Z' }),
    ]),
    reads('date.inverted', 'a date filter that ends before it starts', [
      within({ start: '2030-01-02T00:00:00Z', end: '2030-01-01T00:00:00Z' }),
    ]),
    reads('date.format', 'ways to write an instant', [
      within({ start: '2001-01-01T00:00:00Z', end: null }),
      within({ start: '2001-01-01T01:00:00+01:00', end: null }),
      within({ start: 978_307_200_000, end: null }),
      within({ start: '978307200000', end: null }),
    ]),
    reads('date.invalid', 'a date that does not exist', [within({ start: '2026-02-30T00:00:00Z', end: null })]),
    reads('date.field', 'a date filter on another field', [
      search({ body: { dateFilters: [{ field: 'name', start: '2001-01-01T00:00:00Z', end: null }] } }),
    ]),
  ]
}
