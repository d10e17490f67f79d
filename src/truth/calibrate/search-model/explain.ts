import type { SearchSeen, SeenEntry } from '../search-seen.ts'
import { type AssumedSearch, assumeSearch, compareIds, defaultOrder } from './read-search.ts'
import { type Found, idOf, type Scope } from './scope.ts'
import type { Assume } from './unknowns.ts'

/** A page, and what is known of the entries that it is of. */
interface ScopedPage {
  readonly search: SearchSeen
  readonly found: Found
  readonly scope: Scope
}

/** Whether a service with the assumed settings could have found this. */
export function explains(page: ScopedPage, assume: Assume): boolean {
  const read = assumeSearch(page.search, assume)
  if (read.refusals.length > 0) return false
  return read.isStrange || (hasRightEntries(page, read) && isInOrder(page, read, assume))
}

/** All that it found meet the conditions; what it would have found before the last of them does not. */
function hasRightEntries({ found, scope }: ScopedPage, { isMet, compare }: AssumedSearch): boolean {
  const { entries, isComplete } = found
  if (!entries.every(isMet)) return false
  const ids = new Set(entries.map(idOf))
  const last = entries.at(-1)
  const comesBefore = isComplete || !last ? () => isComplete : createComesBefore(last, scope, compare)
  for (const [id, entry] of scope.known) if (!ids.has(id) && comesBefore(entry) && isMet(entry)) return false
  return true
}

function createComesBefore(last: SeenEntry, { places }: Scope, compare: AssumedSearch['compare']) {
  const end = places.get(idOf(last))
  return (entry: SeenEntry): boolean => {
    if (compare) return compare(entry, last) < 0
    const place = places.get(idOf(entry))
    return end !== undefined && place !== undefined && place < end
  }
}

function isInOrder({ search, found: { entries }, scope }: ScopedPage, { compare }: AssumedSearch, assume: Assume) {
  if (compare) return isSortedBy(entries, compare, () => assume('sort.tie'))
  const known = entries.flatMap((entry) => scope.places.get(idOf(entry)) ?? [])
  if (known.some((place, at) => place < (known[at - 1] ?? -1))) return false
  return search.sorts.length > 0 || isInDefaultOrder(entries, assume)
}

/** A random order is what no other explains; a few entries can be in any order by chance. */
function isInDefaultOrder(entries: readonly SeenEntry[], assume: Assume): boolean {
  const isById = (field: unknown, given: Assume) => {
    const compare = defaultOrder(field, given)
    return compare !== undefined && isSortedBy(entries, compare, () => 'id-asc')
  }
  const field = assume('sort.default')
  if (field !== 'shuffled') return isById(field, assume)
  const collations = ['codepoint', 'case-insensitive']
  return (
    entries.length < FEW ||
    !['path', 'created', 'id'].some((one) => collations.some((collation) => isById(one, () => collation)))
  )
}

const FEW = 10
/** So many neighbours with equal keys are not in the order of their ids by chance. */
const MANY_TIES = 5

/** Ties go by id; if ties are broken in another way, some are not in the order of their ids. */
function isSortedBy(
  entries: readonly SeenEntry[],
  compare: (a: SeenEntry, b: SeenEntry) => number,
  ties: () => unknown,
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
  return equal === 0 || (ties() === 'id-asc' ? others === 0 : equal < MANY_TIES || others > 0)
}
