import { asObject, tryParseJson } from '../../../../base/formats/json.ts'
import { headerOf } from '../../../recordings/recorded-exchange.ts'
import { probe, type Probe, type Asking, type Questioner, agree, probeBySearch } from '../../probe.ts'
import { open, settled } from '../../traffic.ts'
import type { SearchSeen } from '../../search-seen.ts'
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

/** No setting accepts this spelling of a limit. */
function* askWrongLimit({ search }: Questioner): Asking {
  yield* search({ query: { limit: 'abc' } })
}

function bodyOf({ exchange: { response } }: SearchSeen): Readonly<Record<string, unknown>> {
  return asObject(tryParseJson(response.body))
}

export const ERRORS: readonly Probe[] = [
  probe({
    id: 'error.invalid-status',
    conclude(traffic) {
      const refused = traffic.searches.filter(
        (one) => one.query.get('limit')?.[0] === 'abc' && isRefusedFor(one, 'limit.format'),
      )
      const [first] = refused
      if (!first) return undefined
      const evidence = refused.map(({ exchange }) => exchange)
      if (first.status === 422) return settled('422', evidence)
      return first.status === 400
        ? settled('400', evidence)
        : open(`limit=abc is refused with ${first.status}, which no setting does`)
    },
    ask: askWrongLimit,
  }),

  probe({
    id: 'error.body',
    conclude({ searches }) {
      const refused = searches.filter(({ outcome, exchange }) => outcome === 'refused' && exchange.response.isWhole)
      const evidence = refused.map(({ exchange }) => exchange)
      const [first] = refused
      if (!first) return undefined
      if (refused.every(isProblem)) return settled('problem', evidence)
      if (refused.every((one) => 'statusReason' in bodyOf(one))) return settled('service', evidence)
      return open('errors have a body of their own: write it as error.body, an object with `template`')
    },
    ask: askWrongLimit,
  }),

  probeBySearch('error.several', {
    applies: ({ query, outcome }) =>
      outcome === 'refused' && query.get('limit')?.[0] === 'abc' && query.get('immediateChildren')?.[0] === 'perhaps',
    read(search) {
      const { errors } = bodyOf(search)
      if (!Array.isArray(errors) || errors.length === 0) return undefined
      return errors.length > 1 ? 'all' : 'first'
    },
    ask: ({ search }) => search({ query: { limit: 'abc', immediateChildren: 'perhaps' } }),
  }),
]

function isRefusedFor({ outcome, uses }: SearchSeen, id: string): boolean {
  return outcome === 'refused' && [...uses].every((use) => use === id || /^(set|key):/.test(use))
}

function isProblem(search: SearchSeen): boolean {
  const type = headerOf(search.exchange.response.headers, 'content-type') ?? ''
  return type.startsWith('application/problem+json') && 'title' in bodyOf(search)
}
