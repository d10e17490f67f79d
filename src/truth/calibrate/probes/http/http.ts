import { headerOf } from '../../../recordings/recorded-exchange.ts'
import { open, settled } from '../../finding.ts'
import { probe, type Probe } from '../../probe.ts'
import { probeBySearch } from '../outcomes.ts'
import { HTTP_DEVIATIONS } from './deviations.ts'

export const HTTP: readonly Probe[] = [
  ...HTTP_DEVIATIONS,

  probe({
    id: 'http.compression',
    conclude(traffic) {
      const asked = traffic.searches.filter(({ exchange: { request, response }, outcome }) => {
        const accepts = /\bgzip\b/i.test(headerOf(request.headers, 'accept-encoding') ?? '')
        return accepts && outcome === 'page' && (response.body ?? '').length > SHORT
      })
      const encodingOf = (one: (typeof asked)[number]) => headerOf(one.exchange.response.headers, 'content-encoding')
      const gzipped = asked.filter((one) => encodingOf(one) === 'gzip')
      if (gzipped.length > 0)
        return settled(
          'gzip',
          gzipped.map(({ exchange }) => exchange),
        )
      const other = asked.map(encodingOf).find((encoding) => encoding !== undefined)
      if (other !== undefined) return open(`the service compresses with ${other}, which no setting does`)
      return asked.length > 0
        ? settled(
            'off',
            asked.map(({ exchange }) => exchange),
          )
        : undefined
    },
    ask: ({ search }) => search({ headers: { 'Accept-Encoding': 'gzip' } }),
  }),

  probeBySearch('http.repeated', {
    applies: (search, traffic) => search.uses.has('http.repeated') && traffic.isAbout(search, 'http.repeated'),
    read({ outcome, query, files }) {
      if (outcome === 'refused') return 'error'
      const [one, two] = (query.get('limit') ?? []).map(Number)
      if (one === undefined || two === undefined || files.length <= Math.min(one, two)) return undefined
      return one > two ? 'first' : 'last'
    },
    *ask({ search }) {
      const { outcome, files } = yield* search({ query: 'limit=1&limit=50' })
      if (outcome === 'page' && files.length <= 1) yield* search({ query: 'limit=50&limit=1' })
      // A refusal is about the repetition if the limit alone is accepted.
      if (outcome === 'refused') yield* search({ query: { limit: 50 } })
    },
  }),
]

/** Characters below which responses may not be worth compressing. */
const SHORT = 2048
