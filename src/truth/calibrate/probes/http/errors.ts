import { isObject, tryParseJson } from '../../../../base/formats/json.ts'
import { headerOf } from '../../../recordings/recorded-exchange.ts'
import { open, settled } from '../../finding.ts'
import { probe, type Probe } from '../../probe.ts'
import type { Asking, Questioner } from '../../questioner.ts'
import type { SearchSeen } from '../../search-seen.ts'
import { probeBySearch } from '../outcomes.ts'

/** No setting accepts this spelling of a limit. */
function* askWrongLimit({ search }: Questioner): Asking {
  yield* search({ query: { limit: 'abc' } })
}

function bodyOf({ exchange: { response } }: SearchSeen): Readonly<Record<string, unknown>> {
  const body = tryParseJson(response.body)
  return isObject(body) ? body : {}
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
