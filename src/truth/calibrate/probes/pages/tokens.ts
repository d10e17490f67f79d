import type { BehaviourId, BehaviourSettings } from '../../../../../types/behaviour-settings.d.ts'
import { probe, type Probe, type Asking, type Questioner, agree } from '../../probe.ts'
import { isToken } from '../../search-seen.ts'
import type { TokenDifference, TokenUse } from '../../token-uses.ts'
import { open, settled, type Traffic } from '../../traffic.ts'
import { compareContinuations, findPart } from './continuations.ts'
import { FINDS_NOTHING, usualListing } from '../searches/witnesses.ts'

/** What a token does in a request that differs from the one it came from. Each is asked with a token that is new. */
export const TOKENS: readonly Probe[] = [
  probeByToken('limit.change', 'limit', {
    read: (use) => (isOtherLimit(use) ? 'honour' : undefined),
    *ask({ search }) {
      const { next, files } = yield* search({ query: { limit: 4 } })
      if (isToken(next) && files.length > 1) yield* search({ query: { limit: 1, next } })
    },
  }),

  probeByToken('next.other-key', 'key', {
    read: () => 'accept',
    *ask({ traffic, givens: { otherKey, keyHeader }, search }) {
      if (otherKey === undefined) return
      const headers = { [keyHeader]: otherKey }
      if (!traffic.isAccepted(`key:${otherKey}`)) yield* search({ headers })
      const next = yield* newToken(search)
      if (next !== undefined) yield* search({ headers, query: { limit: 1, next } })
    },
  }),

  probeByToken('next.omitted-query', 'omitted', {
    read({ search, origin }, traffic) {
      const shown = compareContinuations({ search, origin }, traffic)
      return shown === 'same' ? 'inherit' : shown === 'sent' ? 'reevaluate' : undefined
    },
    *ask(questioner) {
      const { search } = questioner
      const listing = usualListing(questioner)
      const part = listing && findPart(listing)
      if (!listing || !part) return
      let last = yield* search({ query: { ...part.query, limit: 1 }, body: part.body })
      for (let pages = 1; pages < MAX_PAGES && isToken(last.next); pages++) {
        const query = { limit: 1, next: last.next }
        const following = yield* search({ query: { ...part.query, ...query }, body: part.body })
        if (following.outcome !== 'page') return
        const [path, here] = [following.files[0]?.path, last.files[0]?.path]
        const at = listing.entries.findIndex((one) => one.path === here)
        if (path !== undefined && at >= 0 && listing.entries[at + 1]?.path !== path) {
          yield* search({ query })
          return
        }
        last = following
      }
    },
  }),

  probeByToken('next.conflict', 'conflict', {
    read({ search, origin }, traffic) {
      const shown = compareContinuations({ search, origin }, traffic)
      return shown === 'same' ? 'ignore' : shown === 'sent' ? 'reevaluate' : undefined
    },
    *ask(questioner) {
      const { traffic, search } = questioner
      const isKnown = traffic.searches.some(({ outcome, dateFilters }) => outcome === 'page' && dateFilters.length > 0)
      if (!isKnown) yield* search({ body: FINDS_NOTHING })
      const next = yield* newToken(search)
      if (next !== undefined) yield* search({ query: { limit: 1, next }, body: FINDS_NOTHING })
    },
  }),

  probe('next.auth', {
    conclude(traffic) {
      const uses = traffic.tokenUses().all.filter(({ search }) => search.key === undefined)
      const refused = uses.find(({ search: { status } }) => status === 401 || status === 403)
      if (refused) return settled('key-required', [refused.search])
      if (!uses.some(({ search }) => search.outcome === 'page'))
        return uses.length > 0 ? open('the token is refused for another reason') : undefined
      const isOpen = traffic.searches.some(
        (one) => one.outcome === 'page' && one.key === undefined && !one.query.has('next'),
      )
      return open(
        isOpen ? 'requests without a key are accepted' : 'a request with a token and without a key is accepted',
      )
    },
    *ask({ givens: { keyHeader }, search }) {
      const next = yield* newToken(search)
      if (next === undefined) return
      const withoutKey = yield* search({ headers: { [keyHeader]: undefined }, query: { limit: 1, next } })
      if (withoutKey.outcome === 'page') yield* search({ headers: { [keyHeader]: undefined } })
    },
  }),
]

/** Pages that are turned for a place where two searches go on differently. */
const MAX_PAGES = 8

interface TokenRule<Id extends BehaviourId> {
  /** The setting that a page shows; undefined when it leaves the question open. */
  read(use: TokenUse, traffic: Traffic): BehaviourSettings[Id] | undefined
  ask(questioner: Questioner): Asking
}

/** A behaviour of opaque tokens that refuses with the setting `error`. */
function probeByToken<Id extends 'limit.change' | 'next.other-key' | 'next.omitted-query' | 'next.conflict'>(
  id: Id,
  difference: TokenDifference,
  { read, ask }: TokenRule<Id>,
): Probe {
  return probe(id, {
    conclude(traffic) {
      if (traffic.settingOf('next.content') === 'plain') return open('the tokens hold only the last entry')
      const uses = traffic.tokenUses()
      const asked = uses.all.filter(
        ({ search, differs }) => differs.length === 1 && differs[0] === difference && !search.uses.has('http.repeated'),
      )
      return agree(
        asked.map((use) => ({ use, exchange: use.search.exchange })),
        ({ use }) => {
          if (uses.isRefusedFor(use, difference) && isElseAccepted(use, traffic)) return 'error'
          return use.search.outcome === 'page' ? read(use, traffic) : undefined
        },
      )
    },
    *ask(questioner) {
      if (questioner.traffic.settingOf('next.content') === 'opaque') yield* ask(questioner)
    },
  })
}

/**
 * Whether the search as it was sent is accepted without a token, so that a refusal is about the token. A token of a long search may
 * hold too little of it to go on with.
 */
function isElseAccepted({ search, origin }: TokenUse, traffic: Traffic): boolean {
  const { query, exchange } = origin
  const length = (query.get('directoryPath')?.[0]?.length ?? 0) + (exchange.request.body?.length ?? 0)
  const isShort = length < LONG_SEARCH
  return isShort && traffic.isAbout(search, 'next') && traffic.walksLike(search).length > 0
}

/** Characters of body and directory. */
const LONG_SEARCH = 500

/** Whether the two limits differ although a service may bound both. */
function isOtherLimit({ search, origin }: TokenUse): boolean {
  const [limit, before] = [search, origin].map(({ query }) => Number(query.get('limit')?.[0] ?? Number.NaN))
  return origin.files.length > Number(limit) || search.files.length > Number(before)
}

/** The token of the first entry. */
function* newToken(search: Questioner['search']): Asking<string | undefined> {
  const { next } = yield* search({ query: { limit: 1 } })
  return isToken(next) ? next : undefined
}
