import { type Finding, open, settled } from '../../finding.ts'
import { probe, type Probe } from '../../probe.ts'
import type { SearchSeen } from '../../search-seen.ts'
import { probeBySearch } from '../outcomes.ts'
import { FINDS_NOTHING, listingFor } from '../searches/witnesses.ts'

/** Limits and tokens that no page gave. */
export const PAGINATION: readonly Probe[] = [
  probeBySearch('limit.zero', {
    applies: (search, traffic) =>
      isFirst(search) && search.uses.has('limit.zero') && traffic.isAbout(search, 'limit.zero'),
    read(search, traffic) {
      if (search.outcome === 'refused') return 'error'
      if (search.files.length > 0) return 'default'
      // Of a file set without entries, every page is empty.
      return findsSomething(search) && listingFor(search, traffic)?.entries[0] ? 'empty' : undefined
    },
    ask: ({ search }) => search({ query: { limit: 0 } }),
  }),

  probeBySearch('limit.negative', {
    applies: (search, traffic) =>
      isFirst(search) && search.uses.has('limit.negative') && traffic.isAbout(search, 'limit.negative'),
    read: ({ outcome }) => (outcome === 'refused' ? 'error' : 'default'),
    ask: ({ search }) => search({ query: { limit: -1 } }),
  }),

  probe({
    id: 'limit.int32',
    conclude(traffic): Finding<'error' | 'clamp'> | undefined {
      const asked = traffic.searches.filter((search) => isFirst(search) && search.uses.has('limit.int32'))
      const page = asked.find(({ outcome }) => outcome === 'page')
      if (page) return settled('clamp', [page.exchange])
      const refused = asked.find((search) => search.outcome === 'refused' && traffic.isAbout(search, 'limit.int32'))
      if (!refused) return undefined
      return traffic.isAccepted('limit.max:2147483647')
        ? settled('error', [refused.exchange])
        : open('limits that are not above 2147483647 are refused as well')
    },
    *ask({ search }) {
      // What `limit.max` asked shows whether 2147483647 is accepted.
      yield* search({ query: { limit: 2_147_483_648 }, body: FINDS_NOTHING })
    },
  }),

  probeBySearch('limit.format', {
    applies: (search, traffic) =>
      isFirst(search) && search.query.get('limit')?.[0] === '' && traffic.isAbout(search, 'limit.format'),
    read: ({ outcome }) => (outcome === 'refused' ? 'strict' : 'default-if-blank'),
    ask: ({ search }) => search({ query: { limit: '' } }),
  }),

  probeBySearch('next.blank', {
    applies: (search, traffic) =>
      search.uses.has('next.blank') && isPlain(search) && traffic.isAbout(search, 'next.blank'),
    read: ({ outcome }) => (outcome === 'refused' ? 'error' : 'first'),
    ask: ({ search }) => search({ query: { next: '' } }),
  }),

  probeBySearch('next.tampered', {
    applies: (search, traffic) =>
      search.uses.has('next.tampered') && isPlain(search) && traffic.isAbout(search, 'next.tampered'),
    read(search, traffic) {
      if (search.outcome === 'refused') return 'error'
      if (search.files.length > 0) return 'first-page'
      return findsSomething(search) && listingFor(search, traffic)?.entries[0] ? 'empty' : undefined
    },
    ask: ({ search }) => search({ query: { next: 'undefined' } }),
  }),
]

/** Whether it is a search without a token. */
function isFirst(search: SearchSeen): boolean {
  return (search.query.get('next')?.[0] ?? '') === '' && isPlain(search)
}

/** Whether no parameter is repeated, since it is uncertain which of the values counts. */
function isPlain({ uses }: SearchSeen): boolean {
  return !uses.has('http.repeated')
}

/** Whether it searches for everything, so that it finds what there is. */
function findsSomething({ query, filters, dateFilters }: SearchSeen): boolean {
  return filters.length + dateFilters.length === 0 && !query.has('directoryPath')
}
