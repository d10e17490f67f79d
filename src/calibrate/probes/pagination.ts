import type { Probe } from '../probe.ts'
import { probeBySearch } from './outcomes.ts'

export const PAGINATION: readonly Probe[] = [
  probeBySearch('limit.zero', {
    applies: (search, traffic) => search.uses.has('limit.zero') && traffic.isAbout(search, 'limit.zero'),
    read({ outcome, files, fileSet }, traffic) {
      if (outcome === 'refused') return 'error'
      if (files.length > 0) return 'default'
      // Of a file set without entries, every page is empty.
      return traffic.listingsOf(fileSet).some(({ entries }) => entries.length > 0) ? 'empty' : undefined
    },
    *ask({ search }) {
      yield* search({ query: { limit: 0 } })
    },
  }),

  probeBySearch('limit.negative', {
    applies: (search, traffic) => search.uses.has('limit.negative') && traffic.isAbout(search, 'limit.negative'),
    read: ({ outcome }) => (outcome === 'refused' ? 'error' : 'default'),
    *ask({ search }) {
      yield* search({ query: { limit: -1 } })
    },
  }),

  probeBySearch('limit.int32', {
    applies: (search, traffic) => search.uses.has('limit.int32') && traffic.isAbout(search, 'limit.int32'),
    read: ({ outcome }) => (outcome === 'refused' ? 'error' : 'clamp'),
    *ask({ search }) {
      yield* search({ query: { limit: 2_147_483_648 } })
    },
  }),
]
