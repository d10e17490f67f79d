import type { SeenEntry } from '../search-seen.ts'
import type { SentSearch } from '../uses.ts'
import { type SearchConditions, readConditions } from './conditions.ts'
import { compareIds, defaultOrder, type SearchOrder, readOrder } from './order.ts'
import { type Found, idOf, type Scope } from './scope.ts'
import type { Assumption, Unknown } from './unknowns.ts'

/** What a search means, as far as this model knows. */
export interface SearchMeaning {
  readonly unknowns: readonly Unknown[]
  readonly conditions: SearchConditions
  readonly order: SearchOrder
  readonly isSorted: boolean
  readonly isFiltered: boolean
}

/** Larger searches are sent to find a bound; what they find says nothing else, and takes long to work out. */
const MOST_BYTES = 16_384

export function readMeaning(search: SentSearch): SearchMeaning | undefined {
  if ((search.exchange.request.body ?? '').length > MOST_BYTES) return undefined
  const conditions = readConditions(search)
  const order = readOrder(search)
  if (!conditions || !order) return undefined
  const isSorted = search.sorts.length > 0
  const unknowns = isSorted ? order.unknowns : ['sort.default', 'sort.collation']
  return {
    unknowns: [...new Set([...conditions.unknowns, ...unknowns])],
    conditions,
    order,
    isSorted,
    isFiltered: search.filters.length + search.dateFilters.length > 0,
  }
}

/** Whether a service with these settings could have found this. */
export function explains(meaning: SearchMeaning, found: Found, scope: Scope, assumption: Assumption): boolean {
  return hasRightEntries(meaning, found, scope, assumption) && isInOrder(meaning, found, scope, assumption)
}

/** All that it found meet the conditions; what it would have found before the last of them does not. */
function hasRightEntries(meaning: SearchMeaning, found: Found, scope: Scope, assumption: Assumption): boolean {
  const { isMet } = meaning.conditions
  const { entries, isComplete } = found
  if (!entries.every((entry) => isMet(entry, assumption))) return false
  const ids = new Set(entries.map(idOf))
  const last = entries.at(-1)
  const comesBefore = isComplete || !last ? () => isComplete : createComesBefore(meaning, last, scope, assumption)
  for (const [id, entry] of scope.known)
    if (!ids.has(id) && comesBefore(entry) && isMet(entry, assumption)) return false
  return true
}

function createComesBefore({ order }: SearchMeaning, last: SeenEntry, { places }: Scope, assumption: Assumption) {
  const compare = order.comparator(assumption)
  const end = places.get(idOf(last))
  return (entry: SeenEntry): boolean => {
    if (compare) return compare(entry, last) < 0
    const place = places.get(idOf(entry))
    return end !== undefined && place !== undefined && place < end
  }
}

function isInOrder(meaning: SearchMeaning, { entries }: Found, { places }: Scope, assumption: Assumption): boolean {
  const compare = meaning.order.comparator(assumption)
  if (compare) return isSortedBy(entries, compare, assumption['sort.tie'])
  const known = entries.flatMap((entry) => places.get(idOf(entry)) ?? [])
  if (known.some((place, at) => place < (known[at - 1] ?? -1))) return false
  return meaning.isSorted || isInDefaultOrder(entries, assumption)
}

/** A random order is what no other explains; a few entries can be in any order by chance. */
function isInDefaultOrder(entries: readonly SeenEntry[], assumption: Assumption): boolean {
  const compare = defaultOrder(assumption)
  if (compare) return isSortedBy(entries, compare, 'id-asc')
  return (
    entries.length < FEW ||
    !['path', 'created', 'id'].some((field) =>
      ['codepoint', 'case-insensitive'].some((collation) => {
        const other = defaultOrder({ 'sort.default': field, 'sort.collation': collation })
        return other !== undefined && isSortedBy(entries, other, 'id-asc')
      }),
    )
  )
}

const FEW = 10
/** So many neighbours with equal keys are not in the order of their ids by chance. */
const MANY_TIES = 5

/** Ties go by id; if ties are broken in another way, some are not in the order of their ids. */
function isSortedBy(
  entries: readonly SeenEntry[],
  compare: (a: SeenEntry, b: SeenEntry) => number,
  ties: unknown,
): boolean {
  let [equal, others] = [0, 0]
  for (const [at, entry] of entries.entries()) {
    const before = entries[at - 1]
    const order = before ? compare(before, entry) : -1
    if (order > 0) return false
    if (order < 0 || !before) continue
    equal++
    if (compareIds(before, entry) > 0) others++
  }
  return ties === 'id-asc' ? others === 0 : equal < MANY_TIES || others > 0
}
