import { FILTER_FIELDS, OPERATORS, SORT_FIELDS } from '../../../../behaviours/file-fields.ts'
import { parentOf } from '../../../../resources/file-sets/entries/file-record.ts'
import type { Probe, Questioner } from '../../probe.ts'
import { searchesToAsk, TEXT_FIELDS } from '../../search-model/candidates.ts'
import { askAbout, entriesKnown } from '../../search-model/choose-search.ts'
import { deduce } from '../../search-model/deduction.ts'
import type { SeenEntry } from '../../search-seen.ts'
import { probeByDeduction } from './deduced.ts'

const NO_DATES = 'fewer than two different dates of creation were seen'
const NO_FIELD = 'no field and operator that show it were accepted'
const NO_LIKE = 'LIKE was not accepted on a field of text, or no text shows it'
const NO_SEARCH = 'no search showed it'

const BOUNDS = ['date.start', 'date.end']
const LIKE_PARTS = ['like.shape', 'like.case', 'like.wildcards']

const DATES: readonly Probe[] = [
  probeByDeduction('date.start', { questions: [BOUNDS], missing: NO_DATES }),
  probeByDeduction('date.end', { questions: [BOUNDS], missing: NO_DATES }),

  probeByDeduction('date.open-end', { missing: NO_DATES }),
  ...(['date.open-start', 'date.inverted', 'date.format', 'date.invalid', 'date.field'] as const).map((id) =>
    probeByDeduction(id, { missing: NO_SEARCH }),
  ),
]

const fieldsOf = (fields: readonly string[]) => fields.map((field) => [`field:${field}`])
const operatorsOf = (operators: readonly string[]) => operators.map((operator) => [`operator:${operator}`])

/** What is accepted on text first, which shows what to try with numbers and timestamps, which not every operator is for. */
const FILTER_LISTS: readonly Probe[] = [
  probeByDeduction('filter.fields', {
    unknowns: ['filter.unknown', ...FILTER_FIELDS.map((field) => `field:${field}`)],
    compose: (values) => ({
      fields: FILTER_FIELDS.filter((field) => values.get(`field:${field}`) === true),
      unknown: values.get('filter.unknown') as 'error',
    }),
    missing: 'the result is the same whether a filter by some field counts or not',
    questions: [
      ...operatorsOf(['LIKE', 'EQUALS', 'IN', 'IS_NULL']),
      ['filter.unknown'],
      ...fieldsOf(TEXT_FIELDS),
      ...operatorsOf(['EQUALS', 'IN', 'IS_NULL', 'LIKE']),
      ...fieldsOf(['size', 'createdBy', 'created']),
      ...operatorsOf(OPERATORS),
      ...fieldsOf(FILTER_FIELDS),
    ],
    most: 2,
  }),

  probeByDeduction('filter.operators', {
    unknowns: OPERATORS.map((operator) => `operator:${operator}`),
    compose: (values) => OPERATORS.filter((operator) => values.get(`operator:${operator}`) === true),
    missing: 'some operator was refused where other parts of the filter may be the reason',
    questions: operatorsOf(OPERATORS),
    most: 3,
  }),
]

const FILTERS: readonly Probe[] = [
  ...(['like.shape', 'like.case', 'like.wildcards'] as const).map((id) =>
    probeByDeduction(id, { questions: [LIKE_PARTS], missing: NO_LIKE, most: 5 }),
  ),
  ...(['equals.case', 'filter.empty', 'filter.values'] as const).map((id) =>
    probeByDeduction(id, { missing: NO_FIELD }),
  ),
  probeByDeduction('filter.several', { missing: 'no two conditions that show it were accepted' }),
  probeByDeduction('filter.value-type', {
    questions: [['filter.value-type', 'body.types']],
    missing: 'values of other types are accepted, but so they may be everywhere',
  }),
  ...(['filter.numbers', 'filter.numeric-like', 'filter.created', 'filter.text-compare'] as const).map((id) =>
    probeByDeduction(id, { missing: NO_FIELD }),
  ),

  probeByDeduction('filter.is-null', {
    missing: 'IS_NULL was not accepted, or no entry is null in a field that can be filtered by',
  }),
  probeByDeduction('filter.not-null', {
    missing: 'no entry is without a value in a field that can be filtered by',
  }),
  probeByDeduction('filter.operator-absent', { missing: NO_FIELD }),
]

const SORT: readonly Probe[] = [
  probeByDeduction('sort.default', {
    missing: 'there are too few entries to tell an order from chance',
    // Every page without a sort shows it.
    questions: [],
  }),
  probeByDeduction('sort.unknown', { missing: NO_SEARCH }),
  probeByDeduction('sort.fields', {
    unknowns: SORT_FIELDS.map((field) => `sortField:${field}`),
    compose: (values) => SORT_FIELDS.filter((field) => values.get(`sortField:${field}`) === true),
    missing: 'the order by some field is the same whether the field counts or not',
    questions: [...SORT_FIELDS, ...SORT_FIELDS].map((field) => [`sortField:${field}`]),
    most: 2,
  }),
  ...(['sort.order-values', 'sort.order-absent'] as const).map((id) => probeByDeduction(id, { missing: NO_SEARCH })),
  probeByDeduction('sort.collation', { missing: 'no entries are in another order when case counts' }),
  {
    ...probeByDeduction('sort.nulls', {
      missing: 'no entry without a value was seen in a field and an order that show it',
    }),
    ask: askForNulls,
  },
  probeByDeduction('sort.tie', { missing: 'too few entries are equal in a field that can be sorted by' }),
  probeByDeduction('sort.duplicate', { missing: 'no search with two sort keys was accepted' }),
]

/** Directories, which have no size, may be listed among the children of another one only. */
function* askForNulls(questioner: Questioner) {
  const unknowns = ['sort.nulls']
  yield* askAbout(questioner, { unknowns })
  const directoryPath = directoryWithBoth(entriesKnown(questioner))
  if (deduce(questioner.traffic).domainOf('sort.nulls').length === 1 || directoryPath === undefined) return
  const query = { directoryPath, immediateChildren: true }
  yield* questioner.search({ query })
  const candidates = Array.from(searchesToAsk([]), (asked) => ({ ...asked, query }))
  yield* askAbout(questioner, { unknowns, candidates })
}

/** A directory with a file and a directory in it. */
function directoryWithBoth(entries: readonly SeenEntry[]): string | undefined {
  const parents = entries.filter(({ fileType }) => fileType !== 'DIRECTORY').map(({ path }) => parentOf(path))
  return parents.find((parent) => parent !== '' && parents.some((other) => other.startsWith(`${parent}/`)))
}

/** What dates, filters and sorts do: of the searches that can be made, those are sent that tell the settings apart. */
export const SEARCHES: readonly Probe[] = [...DATES, ...FILTER_LISTS, ...FILTERS, ...SORT]
