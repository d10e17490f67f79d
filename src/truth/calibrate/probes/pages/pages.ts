import { probe, type Probe, type Asking, type Questioner } from '../../probe.ts'
import { isToken, type SearchSeen } from '../../search-seen.ts'
import { open, settled, type Finding, type Traffic } from '../../traffic.ts'
import { findBound } from '../bounds.ts'
import { fullPages, isFirstPage, limitOf, shortPages } from './page-sizes.ts'
import { isFirst, PAGINATION_DEVIATIONS } from '../http/deviations.ts'
import { FINDS_NOTHING, plainDirectories, usualListing } from '../searches/witnesses.ts'

/** Pages that must be compared before a pattern in their sizes is one. */
const ENOUGH_PAGES = 14

/** A file set of so many entries shows that there is no bound that matters. */
const MANY = 10_000

const INT32 = 2_147_483_647

/** How large pages are, and where they end. */
export const PAGES: readonly Probe[] = [
  probe('page.short', {
    conclude(traffic) {
      const found = shortPages(traffic)
      let count = 0
      while (found.has(count + 1)) count++
      const numbers = Array.from({ length: count }, (_, at) => at + 1)
      const short = numbers.filter((page) => found.get(page)?.isShort === true)
      const [first] = short
      const evidence = (first === undefined ? numbers : short).flatMap((page) => found.get(page)?.search ?? [])
      if (first !== undefined && numbers.some((page) => short.includes(page) !== (page % first === 0)))
        return settled('random', evidence)
      if (count === 0) return undefined
      if (traffic.settingOf('next.content') === 'plain') return open('the tokens hold no page number')
      if (count < ENOUGH_PAGES) return open(`only ${count} pages that others follow were seen`)
      return settled(first === undefined ? 'never' : `every-${first}`, evidence, 'likely')
    },
    ask: ({ traffic, walk }) => walk({ query: { limit: 2 } }, traffic.settingOf('next.content') === 'plain' ? 3 : 20),
  }),

  probe('limit.max', {
    conclude(traffic) {
      const [least] = traffic.searches
        .filter((search) => isFirstPage(search) && search.outcome === 'refused' && limitOf(search) !== undefined)
        .filter((search) => traffic.isAbout(search, 'limit.max') && traffic.suspectsOf(search).length > 0)
        .sort((a, b) => Number(limitOf(a)) - Number(limitOf(b)))
      if (!least) return concludeClamp(traffic)
      const most = Number(limitOf(least)) - 1
      return traffic.isAccepted(`limit.max:${most}`)
        ? settled(`error:${most}`, [least])
        : open(`limit=${most + 1} is refused, and smaller ones were not tried`)
    },
    *ask(questioner) {
      const { traffic, search, walk } = questioner
      // Only what is known to be accepted without a limit shows what the limit does.
      if (!traffic.searches.some(({ outcome, dateFilters }) => outcome === 'page' && dateFilters.length > 0))
        yield* search({ body: FINDS_NOTHING })
      const huge = yield* search({ query: { limit: INT32 }, body: FINDS_NOTHING })
      if (huge.outcome === 'refused') yield* findLargest(questioner)
      else yield* walk({ query: { limit: MANY } }, 4)
    },
  }),

  probe('page.window', {
    conclude(traffic) {
      if (traffic.settingOf('next.content') !== 'opaque') return open('the tokens do not say how deep a walk is')
      const uses = traffic.tokenUses()
      const refused = uses.all.find((use) => uses.isTooDeep(use) && traffic.isAbout(use.search, 'next'))
      if (refused) return settled(`${refused.given}`, [refused.search])
      const complete = traffic.searches
        .filter(isFirstPage)
        .map(traffic.walkFrom)
        .filter(({ isComplete }) => isComplete)
      const most = Math.max(0, ...complete.map(({ entries }) => entries.length))
      if (complete.length === 0) return undefined
      if (most < MANY) return open(`the longest walk ends after ${most} entries`)
      const longest = complete.filter(({ entries }) => entries.length === most)
      return settled(
        'none',
        longest.flatMap(({ pages }) => pages.slice(-1)),
        'likely',
      )
    },
  }),

  probe('page.exact-end', {
    conclude(traffic) {
      const end = traffic.searches.find(
        (search) => search.outcome === 'page' && !isToken(search.next) && limitOf(search) === search.files.length,
      )
      if (end) return settled('lookahead', [end])
      const empty = traffic
        .tokenUses()
        .all.find(
          ({ search, differs }) =>
            search.outcome === 'page' && differs.length === 0 && search.files.length === 0 && isAnyLimit(search),
        )
      return empty && settled('full-page-implies-next', [empty.origin, empty.search])
    },
    ask: askForExactEnd,
  }),
]

/** Limits and tokens that no page gave. */
export const PAGINATION: readonly Probe[] = [
  ...PAGINATION_DEVIATIONS,

  probe('limit.int32', {
    conclude(traffic) {
      const asked = traffic.searches.filter((search) => isFirst(search) && search.uses.has('limit.int32'))
      const page = asked.find(({ outcome }) => outcome === 'page')
      if (page) return settled('clamp', [page])
      const refused = asked.find((search) => search.outcome === 'refused' && traffic.isAbout(search, 'limit.int32'))
      if (!refused) return undefined
      return traffic.isAccepted('limit.max:2147483647')
        ? settled('error', [refused])
        : open('limits that are not above 2147483647 are refused as well')
    },
    // What `limit.max` asked shows whether 2147483647 is accepted.
    ask: ({ search }) => search({ query: { limit: 2_147_483_648 }, body: FINDS_NOTHING }),
  }),
]

function isAnyLimit(search: SearchSeen): boolean {
  return !search.query.has('limit') || limitOf(search) !== undefined
}

/** Pages that are smaller than was asked for, and not because their walk may go no further. */
function concludeClamp(traffic: Traffic): Finding<'none' | `clamp:${number}`> | undefined {
  const short = shortPages(traffic)
  const rule = traffic.settingOf('page.short')
  const isFull = (page: number) =>
    rule?.startsWith('every-') === true
      ? page % Number(rule.slice(6)) !== 0
      : rule === 'never' || short.get(page)?.isShort === false
  const cut = fullPages(traffic).filter(({ limit, size }) => size < limit)
  const clamped = cut.filter(({ page, given }) => isFull(page) && traffic.tokenUses().isContinuedAfter(given))
  const [size, another] = new Set(clamped.map(({ size }) => size))
  if (cut.length > 0 && traffic.settingOf('next.content') !== 'opaque')
    return open('the tokens do not say whether pages or walks are bounded')
  if (size !== undefined)
    return another === undefined
      ? settled(
          `clamp:${size}`,
          clamped.map(({ search }) => search),
        )
      : open(`full pages have ${size} and ${another} entries`)
  const largest = Math.max(0, ...traffic.searches.map(({ files }) => files.length))
  const fullest = traffic.searches.filter(({ files }) => files.length === largest)
  if (largest >= MANY && cut.length === 0) return settled('none', fullest, 'likely')
  if (largest === 0) return undefined
  return open(`pages can have at least ${largest} entries, and nothing shows what bounds them`)
}

/** Finds the largest limit that is accepted: from what the first page had. */
function* findLargest(questioner: Questioner): Asking {
  const { traffic, search } = questioner
  const isAccepted = function* (limit: number): Asking<boolean> {
    if (traffic.isAccepted(`limit.max:${limit}`)) return true
    return (yield* search({ query: { limit }, body: FINDS_NOTHING })).outcome === 'page'
  }
  const usual = usualListing(questioner)?.pages[0]?.files.length ?? 0
  const isShort = shortPages(traffic).get(1)?.isShort === true
  yield* findBound(isAccepted, { guess: Math.max(1, isShort ? usual * 2 : usual), most: INT32 - 1 })
}

/** Asks for pages that hold just what there is: one entry that is alone in its directory in its moment, or a whole directory. */
function* askForExactEnd(questioner: Questioner): Asking {
  const { walk } = questioner
  const listing = usualListing(questioner)
  if (!listing) return
  const [directoryPath] = plainDirectories(listing)
  const inside =
    directoryPath === undefined
      ? listing.entries
      : listing.entries.filter(({ path }) => path.startsWith(`${directoryPath}/`))
  const moments = inside.map(({ created }) => Date.parse(String(created)))
  const alone = moments.find((one) => moments.filter((other) => Math.abs(other - one) < 5).length === 1)
  const place = directoryPath === undefined ? {} : { directoryPath }
  if (alone !== undefined && !Number.isNaN(alone)) {
    const [start, end] = [alone - 1, alone + 2].map((moment) => new Date(moment).toISOString())
    const body = { dateFilters: [{ field: 'created', start, end }] }
    const { pages, isComplete } = yield* walk({ query: { ...place, limit: 1 }, body }, 2)
    if (isComplete && (pages[1]?.files.length ?? 0) === 0) return
  }
  const { entries } = yield* walk({ query: place })
  if (entries.length > 0) yield* walk({ query: { ...place, limit: entries.length } }, 3)
}
