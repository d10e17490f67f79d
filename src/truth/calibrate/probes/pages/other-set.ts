import { probe, type Probe, type Asking, type Questioner } from '../../probe.ts'
import { type SeenEntry, isToken } from '../../search-seen.ts'
import type { TokenUse } from '../../token-uses.ts'
import { open, settled, type Traffic, type Walk } from '../../traffic.ts'
import { momentOf } from './continuations.ts'
import { isSameList, listingFor, usualListing } from '../searches/witnesses.ts'

/** What the token of one file set does on another one. */
export const OTHER_SET: readonly Probe[] = [
  probe('next.other-set', {
    conclude(traffic) {
      if (traffic.settingOf('next.content') === 'plain') return open('the tokens hold only the last entry')
      const uses = traffic.tokenUses()
      const asked = uses.all.filter(({ differs }) => differs.length === 1 && differs[0] === 'set')
      const refused = asked.find((use) => uses.isRefusedFor(use, 'set') && traffic.isAbout(use.search, 'next'))
      if (refused) return settled('error', [refused.search])
      for (const use of asked) {
        const value = use.search.outcome === 'page' ? shownBy(use, traffic) : undefined
        if (value) return settled(value, [use.origin, use.search])
      }
      return asked.length > 0 ? open('no entry of one file set comes after one of the other') : undefined
    },
    *ask(questioner) {
      const { traffic, givens, search } = questioner
      const listing = usualListing(questioner)
      if (givens.otherFileSet === undefined || !listing || traffic.settingOf('next.content') !== 'opaque') return
      const fileSet = givens.otherFileSet
      yield* search({ fileSet })
      const first = yield* search({ query: { limit: 1 } })
      if (!isToken(first.next)) return
      const fresh = yield* search({ fileSet, query: { limit: 1, next: first.next } })
      if (fresh.outcome !== 'page') return
      // The further the entry of the token is, the more there is before it in the other file set.
      const last = yield* lastToken(questioner, listing)
      if (last) yield* search({ fileSet, query: last })
      const front = traffic.listingsOf(fileSet, givens.key)[0]?.entries ?? []
      const order = Math.min(...listing.entries.map(momentOf)) > Math.max(...front.map(momentOf)) ? 'ASC' : 'DESC'
      const body = { fieldSort: [{ field: 'created', order }] }
      const sorted = yield* search({ query: { limit: 1 }, body })
      if (!isToken(sorted.next)) return
      yield* search({ fileSet, body })
      yield* search({ fileSet, body, query: { limit: 1, next: sorted.next } })
    },
  }),
]

/** A token of one of the last entries, with the limit that it came with. */
function* lastToken(
  { search }: Questioner,
  { pages, entries }: Walk,
): Asking<Record<string, string | number> | undefined> {
  const limit = entries.length - 1
  const { next } = yield* search({ query: { limit } })
  if (isToken(next)) return { limit, next }
  const last = pages.findLast((page) => isToken(page.next))?.next
  return isToken(last) ? { next: last } : undefined
}

/** A page that is not the first one of its search shows that the token counts; the first one shows it where its entries come before. */
function shownBy(use: TokenUse, traffic: Traffic): 'ignore' | 'reevaluate' | undefined {
  const { search, origin } = use
  const [front] = traffic.walksLike(search).map(({ entries }) => entries)
  const last = origin.files.at(-1)
  const [first] = front ?? []
  if (!front || !first || !last) return undefined
  if (!isSameList(search.files, front.slice(0, search.files.length)) || search.files.length === 0) return 'reevaluate'
  return comesBefore(first, last, use, traffic) ? 'ignore' : undefined
}

/** Whether an entry surely comes before another one in a list: by the sort of the search, or what the listing turns out to go by. */
function comesBefore(one: SeenEntry, other: SeenEntry, { search, origin }: TokenUse, traffic: Traffic): boolean {
  const [sort] = search.sorts
  if (sort) {
    const [earlier, later] = sort.order === 'ASC' ? [one, other] : [other, one]
    // A field that is no sort field may be ignored.
    const isSorted = sort.field === 'created' && traffic.settingOf('sort.fields')?.includes('created') === true
    return isSorted && momentOf(earlier) < momentOf(later)
  }
  const listing = listingFor(origin, traffic)?.entries ?? []
  return KEYS.some(
    (key) =>
      listing.length >= ENOUGH &&
      listing.every((entry, at) => at === 0 || key(listing[at - 1] ?? entry) <= key(entry)) &&
      key(one) < key(other),
  )
}

/** Entries that are not in an order by chance. */
const ENOUGH = 10

/** What lists may be in the order of. */
const KEYS: readonly ((entry: SeenEntry) => string | number)[] = [
  ({ path }) => Buffer.from(path).toString('latin1'),
  ({ path }) => path.toLowerCase(),
  ({ id }) => String(id),
  momentOf,
]
