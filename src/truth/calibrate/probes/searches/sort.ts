import type { Probe } from '../../probe.ts'
import type { ProbeRequest } from '../../questioner.ts'
import type { SeenEntry } from '../../search-seen.ts'
import { askAbout, entriesKnown, type SearchKnowledge } from '../../search-model/choose-search.ts'
import { deduce } from '../../search-model/deduction.ts'
import { SORT_FIELDS } from '../../../../behaviours/file-fields.ts'
import { probeByDeduction } from '../deduced.ts'

interface SortAsked {
  readonly field: string
  readonly order?: string
}

function sortBy(...fieldSort: readonly SortAsked[]) {
  return { body: { fieldSort } }
}

type SortField = (typeof SORT_FIELDS)[number]

/** The fields that are known to be sorted by; if there are none, those that may be. */
function sortFields({ deduction: { domainOf } }: SearchKnowledge): readonly SortField[] {
  const possible = SORT_FIELDS.filter((field) => domainOf(`sortField:${field}`).includes(true))
  const known = possible.filter((field) => domainOf(`sortField:${field}`).length === 1)
  return known.length > 0 ? known : possible
}

const ASC = 'ASC'

/** Sorts by one field in each order that may be accepted. */
function* sorts(known: SearchKnowledge, fields: readonly SortField[] = sortFields(known)): Generator<ProbeRequest> {
  const { domainOf } = known.deduction
  const orders = [ASC, ...(domainOf('sort.order-values').every((rule) => rule === 'asc-only') ? [] : ['DESC'])]
  for (const order of orders) for (const field of fields) yield sortBy({ field, order })
}

/** A sort by a field shows whether the field counts if the order is not the one that there would be without it. */
function* sortsShowing(known: SearchKnowledge, field: SortField): Generator<ProbeRequest> {
  yield* sorts(known, [field])
  for (const other of sortFields(known))
    if (other !== field) yield sortBy({ field, order: ASC }, { field: other, order: ASC })
}

export const SORT: readonly Probe[] = [
  probeByDeduction('sort.default', {
    unknowns: ['sort.default'],
    missing: 'there are too few entries to tell an order from chance',
  }),

  probeByDeduction('sort.unknown', {
    missing: 'no search showed it',
    *candidates() {
      yield sortBy({ field: 'colour', order: ASC })
    },
  }),

  probeByDeduction('sort.fields', {
    unknowns: SORT_FIELDS.map((field) => `sortField:${field}`),
    compose: (values) => SORT_FIELDS.filter((field) => values.get(`sortField:${field}`) === true),
    missing: 'the order by some field is the same whether the field counts or not',
    *ask(questioner) {
      for (let round = 0; round < 2; round++)
        for (const field of SORT_FIELDS)
          yield* askAbout(questioner, {
            unknowns: [`sortField:${field}`],
            candidates: (known) => sortsShowing(known, field),
            most: 2,
          })
    },
  }),

  probeByDeduction('sort.order-values', {
    missing: 'no search showed it',
    *candidates(known) {
      for (const order of ['DESC', 'desc'])
        for (const field of [...sortFields(known).slice(0, 2), 'colour']) yield sortBy({ field, order })
    },
  }),

  probeByDeduction('sort.order-absent', {
    missing: 'no search showed it',
    *candidates(known) {
      for (const field of [...sortFields(known).slice(0, 1), 'colour']) yield sortBy({ field })
    },
  }),

  probeByDeduction('sort.collation', {
    missing: 'no entries are in another order when case counts',
    candidates: (known) => sorts(known),
  }),

  probeByDeduction('sort.nulls', {
    missing: 'no entry without a value was seen in a field and an order that show it',
    *ask(questioner) {
      const ask = (query: ProbeRequest['query']) =>
        askAbout(questioner, {
          unknowns: ['sort.nulls'],
          candidates: (known) => sorts(known).map((asked) => ({ ...asked, ...(query === undefined ? {} : { query }) })),
        })
      yield* ask(undefined)
      const directoryPath = directoryWithBoth(entriesKnown(questioner))
      if (deduce(questioner.traffic).domainOf('sort.nulls').length === 1 || directoryPath === undefined) return
      // Directories, which have no size, may be listed among the children of another one only.
      const query = { directoryPath, immediateChildren: true }
      yield* questioner.search({ query })
      yield* ask(query)
    },
  }),

  probeByDeduction('sort.tie', {
    missing: 'too few entries are equal in a field that can be sorted by',
    candidates: (known) => sorts(known),
  }),

  probeByDeduction('sort.duplicate', {
    missing: 'no search with two sort keys was accepted',
    *ask(questioner) {
      const candidates = (known: SearchKnowledge) => {
        const [field = 'created'] = sortFields(known)
        return ['DESC', ASC].map((order) => sortBy({ field, order: ASC }, { field, order }))
      }
      yield* askAbout(questioner, { unknowns: ['sort.duplicate'], candidates, most: 1 })
      const { domainOf } = deduce(questioner.traffic)
      if (domainOf('sort.duplicate').length === 1) return
      // It may be the second key that was refused.
      const [one, other = 'colour'] = SORT_FIELDS.filter((field) => domainOf(`sortField:${field}`).every(Boolean))
      if (one) yield* questioner.search(sortBy({ field: one, order: ASC }, { field: other, order: ASC }))
    },
  }),
]

/** A directory with a file and a directory in it. */
function directoryWithBoth(entries: readonly SeenEntry[]): string | undefined {
  const parents = entries
    .filter(({ fileType }) => fileType !== 'DIRECTORY')
    .map(({ path }) => path.slice(0, Math.max(0, path.lastIndexOf('/'))))
  return parents.find((parent) => parent !== '' && parents.some((other) => other.startsWith(`${parent}/`)))
}
