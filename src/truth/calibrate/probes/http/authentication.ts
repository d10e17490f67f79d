import { open, settled } from '../../finding.ts'
import { probe, type Probe } from '../../probe.ts'
import type { SearchSeen } from '../../search-seen.ts'
import { agree } from '../outcomes.ts'

/** A key that no service has given out. */
const UNKNOWN_KEY = 'an-unknown-key-8f14e45f'

function isKeyless({ key }: SearchSeen): boolean {
  return key === undefined || key.trim() === ''
}

export const AUTHENTICATION: readonly Probe[] = [
  probe({
    id: 'auth.refused',
    conclude(traffic) {
      const keyless = traffic.searches.filter((one) => isKeyless(one) && traffic.isAbout(one, 'auth.refused', 'key'))
      if (keyless.some(({ outcome }) => outcome === 'page')) return open('requests without a key are served')
      const refused = keyless.filter(({ status }) => status === 401 || status === 403)
      return agree(refused.map(({ status, exchange }) => ({ value: status === 401 ? '401' : '403', exchange })))
    },
    ask: ({ search, givens }) => search({ headers: { [givens.keyHeader]: undefined } }),
  }),

  probe({
    id: 'auth.keys',
    conclude(traffic) {
      const keyless = traffic.searches.filter((one) => isKeyless(one) && traffic.isAbout(one, 'auth.refused', 'key'))
      const served = keyless.filter(({ outcome }) => outcome === 'page')
      if (served.length > 0) return settled('off', exchangesOf(served))
      if (keyless.length === 0) return undefined
      const unknown = traffic.searches.filter(({ key }) => key === UNKNOWN_KEY)
      const accepted = unknown.filter(({ outcome }) => outcome === 'page')
      if (accepted.length > 0) return settled('any', exchangesOf(accepted))
      const refused = unknown.filter(({ status }) => status === 401 || status === 403)
      return refused.length > 0 ? settled('listed', exchangesOf(refused)) : undefined
    },
    *ask({ search, givens, traffic }) {
      if (!traffic.searches.some(isKeyless)) yield* search({ headers: { [givens.keyHeader]: undefined } })
      yield* search({ headers: { [givens.keyHeader]: UNKNOWN_KEY } })
    },
  }),

  probe({
    id: 'http.order',
    conclude(traffic) {
      const plain = traffic.searches.find((one) => isKeyless(one) && traffic.isAbout(one, 'auth.refused', 'key'))
      const both = traffic.searches.filter((one) => isKeyless(one) && one.uses.has('http.json'))
      const [first] = both
      if (!first || plain?.outcome !== 'refused') return undefined
      const evidence = [plain.exchange, ...exchangesOf(both)]
      // With the status of the body alone, 400, the key was looked at later.
      if (both.every(({ status }) => status === plain.status)) return settled('fixed', evidence, 'likely')
      return open(
        `without a key, and with a body that is not JSON, the status is ${first.status}, which no setting covers`,
      )
    },
    ask: ({ search, givens }) => search({ headers: { [givens.keyHeader]: undefined }, body: '{"filters":[' }),
  }),
]

function exchangesOf(searches: readonly SearchSeen[]) {
  return searches.map(({ exchange }) => exchange)
}
