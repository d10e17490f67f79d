import { asObject, tryParseJson } from '../../../../base/formats/json.ts'
import { headerOf } from '../../../recordings/recorded-exchange.ts'
import { agree, probe, type Probe, type Questioner } from '../../probe.ts'
import { open, settled, type Traffic } from '../../traffic.ts'
import type { SearchSeen } from '../../search-seen.ts'
import { HTTP_DEVIATIONS, probeByDeviation } from './deviations.ts'

export const HTTP: readonly Probe[] = [
  ...HTTP_DEVIATIONS,

  probe('http.compression', {
    conclude(traffic) {
      const asked = traffic.searches.filter(({ exchange: { request, response }, outcome }) => {
        const accepts = /\bgzip\b/i.test(headerOf(request.headers, 'accept-encoding') ?? '')
        return accepts && outcome === 'page' && (response.body ?? '').length > SHORT
      })
      const encodingOf = ({ exchange }: SearchSeen) => headerOf(exchange.response.headers, 'content-encoding')
      const gzipped = asked.filter((one) => encodingOf(one) === 'gzip')
      if (gzipped.length > 0) return settled('gzip', gzipped)
      const other = asked.map(encodingOf).find((encoding) => encoding !== undefined)
      if (other !== undefined) return open(`the service compresses with ${other}, which no setting does`)
      return asked.length > 0 ? settled('off', asked) : undefined
    },
    ask: ({ search }) => search({ headers: { 'Accept-Encoding': 'gzip' } }),
  }),

  probeByDeviation('http.repeated', {
    refused: 'error',
    accepted({ query, files }) {
      const [one, two] = (query.get('limit') ?? []).map(Number)
      if (one === undefined || two === undefined || files.length <= Math.min(one, two)) return undefined
      return one > two ? 'first' : 'last'
    },
    *asked({ search }) {
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

/** Searches without a key, and nothing else in them that could be refused. */
function keylessIn(traffic: Traffic): readonly SearchSeen[] {
  return traffic.searches.filter((one) => isKeyless(one) && traffic.isAbout(one, 'auth.refused', 'key'))
}

function isUnauthorised({ status }: SearchSeen): boolean {
  return status === 401 || status === 403
}

function isPage({ outcome }: SearchSeen): boolean {
  return outcome === 'page'
}

const askWithoutKey = ({ search, givens }: Questioner, body?: string) =>
  search({ headers: { [givens.keyHeader]: undefined }, body })

export const AUTHENTICATION: readonly Probe[] = [
  probe('auth.refused', {
    conclude(traffic) {
      const keyless = keylessIn(traffic)
      if (keyless.some(isPage)) return open('requests without a key are served')
      return agree(keyless.filter(isUnauthorised), ({ status }) => (status === 401 ? '401' : '403'))
    },
    ask: (questioner) => askWithoutKey(questioner),
  }),

  probe('auth.keys', {
    conclude(traffic) {
      const keyless = keylessIn(traffic)
      const served = keyless.filter(isPage)
      if (served.length > 0) return settled('off', served)
      if (keyless.length === 0) return undefined
      const unknown = traffic.searches.filter(({ key }) => key === UNKNOWN_KEY)
      const accepted = unknown.filter(isPage)
      if (accepted.length > 0) return settled('any', accepted)
      const refused = unknown.filter(isUnauthorised)
      return refused.length > 0 ? settled('listed', refused) : undefined
    },
    *ask(questioner) {
      const { search, givens, traffic } = questioner
      if (!traffic.searches.some(isKeyless)) yield* askWithoutKey(questioner)
      yield* search({ headers: { [givens.keyHeader]: UNKNOWN_KEY } })
    },
  }),

  probe('http.order', {
    conclude(traffic) {
      const [plain] = keylessIn(traffic)
      const both = traffic.searches.filter((one) => isKeyless(one) && one.uses.has('http.json'))
      const [first] = both
      if (!first || plain?.outcome !== 'refused') return undefined
      // With the status of the body alone, 400, the key was looked at later.
      if (both.every(({ status }) => status === plain.status)) return settled('fixed', [plain, ...both], 'likely')
      return open(
        `without a key, and with a body that is not JSON, the status is ${first.status}, which no setting covers`,
      )
    },
    ask: (questioner) => askWithoutKey(questioner, '{"filters":['),
  }),
]

/** No setting accepts this spelling of a limit. */
const askWrongLimit = ({ search }: Questioner) => search({ query: { limit: 'abc' } })

function bodyOf({ exchange: { response } }: SearchSeen): Readonly<Record<string, unknown>> {
  return asObject(tryParseJson(response.body))
}

export const ERRORS: readonly Probe[] = [
  probe('error.invalid-status', {
    conclude({ searches }) {
      const refused = searches.filter(
        (one) => one.query.get('limit')?.[0] === 'abc' && isRefusedFor(one, 'limit.format'),
      )
      const [first] = refused
      if (!first) return undefined
      if (first.status === 422) return settled('422', refused)
      if (first.status === 400) return settled('400', refused)
      return open(`limit=abc is refused with ${first.status}, which no setting does`)
    },
    ask: askWrongLimit,
  }),

  probe('error.body', {
    conclude({ searches }) {
      const refused = searches.filter(({ outcome, exchange }) => outcome === 'refused' && exchange.response.isWhole)
      if (refused.length === 0) return undefined
      if (refused.every(isProblem)) return settled('problem', refused)
      if (refused.every((one) => 'statusReason' in bodyOf(one))) return settled('service', refused)
      return open('errors have a body of their own: write it as error.body, an object with `template`')
    },
    ask: askWrongLimit,
  }),

  probe('error.several', {
    conclude: ({ searches }) =>
      agree(searches, (search) => {
        const isWrong = ({ query }: SearchSeen) =>
          query.get('limit')?.[0] === 'abc' && query.get('immediateChildren')?.[0] === 'perhaps'
        const { errors } = search.outcome === 'refused' && isWrong(search) ? bodyOf(search) : {}
        if (!Array.isArray(errors) || errors.length === 0) return undefined
        return errors.length > 1 ? 'all' : 'first'
      }),
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
