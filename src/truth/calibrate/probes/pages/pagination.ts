import { type Finding, open, settled } from '../../finding.ts'
import { isFirst, PAGINATION_DEVIATIONS } from '../http/deviations.ts'
import { probe, type Probe } from '../../probe.ts'
import { FINDS_NOTHING } from '../searches/witnesses.ts'

/** Limits and tokens that no page gave. */
export const PAGINATION: readonly Probe[] = [
  ...PAGINATION_DEVIATIONS,

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
]
