import { headerOf, type RecordedExchange } from '../../../recordings/recorded-exchange.ts'
import { probe, type Probe, type Questioner } from '../../probe.ts'
import { type Finding, open, settled } from '../../traffic.ts'

const SEARCH_PATH = /^\/api\/files\/v1\/filesets\/[^/]+\/files\/search$/

function pathOf({ givens }: Questioner): string {
  return `/api/files/v1/filesets/${encodeURIComponent(givens.fileSet)}/files/search`
}

/** The one setting of a behaviour, where responses are as it says. */
function confirm<const Value>(
  value: Value,
  exchanges: readonly RecordedExchange[],
  isAsSaid: (exchange: RecordedExchange) => boolean,
): Finding<Value> | undefined {
  const other = exchanges.find((exchange) => !isAsSaid(exchange))
  if (!other) return exchanges.length > 0 ? settled(value, exchanges) : undefined
  const { source, request, response } = other
  return open(`${request.method} ${request.url} had the status ${response.status} (${source}), which no setting covers`)
}

function has({ response }: RecordedExchange, name: string): boolean {
  return headerOf(response.headers, name) !== undefined
}

/** Behaviours that requests show which are no operation of the interface. */
export const ROUTES: readonly Probe[] = [
  probe('http.method', {
    conclude({ exchanges }) {
      const found = exchanges.filter(({ request: { method, url } }) => method === 'GET' && SEARCH_PATH.test(url))
      if (found.some(({ response }) => response.status === 404))
        return confirm('404', found, (one) => one.response.status === 404 && !has(one, 'allow'))
      return confirm('405', found, (one) => one.response.status === 405 && has(one, 'allow'))
    },
    ask: (questioner) => questioner.send({ method: 'GET', path: pathOf(questioner), body: '' }),
  }),

  probe('http.options', {
    conclude({ exchanges }) {
      const found = exchanges.filter(({ request: { method, url, headers } }) => {
        const isPreflight = headerOf(headers, 'access-control-request-method') !== undefined
        return method === 'OPTIONS' && SEARCH_PATH.test(url) && !isPreflight
      })
      return confirm('preflight-or-204', found, (one) => one.response.status === 204 && has(one, 'allow'))
    },
    ask: (questioner) => questioner.send({ method: 'OPTIONS', path: pathOf(questioner), body: '' }),
  }),

  probe('error.unknown-path', {
    conclude: ({ exchanges }) =>
      confirm('404', postsTo(UNKNOWN_PATH, exchanges), ({ response }) => response.status === 404),
    ask: ({ send }) => send({ method: 'POST', path: UNKNOWN_PATH }),
  }),

  probe('http.encoding', {
    conclude({ exchanges, searches }) {
      const found = postsTo(ENCODED, exchanges)
      const decoded = found.filter(({ response }) => response.status === 200)
      if (decoded.length > 0) return settled('decode', decoded)
      const isServed = searches.some(({ outcome }) => outcome === 'page')
      const refused = found.filter(({ response }) => response.status === 404)
      return isServed && refused.length > 0 ? settled('literal', refused) : undefined
    },
    ask: (questioner) => questioner.send({ method: 'POST', path: pathOf(questioner).replace('/api/files/', ENCODED) }),
  }),

  probe('cors', {
    conclude({ exchanges }) {
      const [foreign, local] = [FOREIGN, LOCAL].map((origin) =>
        exchanges.filter(
          ({ request, response }) => response.status > 0 && headerOf(request.headers, 'origin') === origin,
        ),
      ) as [RecordedExchange[], RecordedExchange[]]
      const isAllowed = (one: RecordedExchange) => has(one, 'access-control-allow-origin')
      if (foreign.some(isAllowed)) return settled('any', foreign.filter(isAllowed))
      if (foreign.length > 0 && local.some(isAllowed)) return settled('local', [...foreign, ...local])
      if (foreign.length === 0 || local.length === 0) return undefined
      return open('neither a local page nor one of another site may call, as with `list` and with `off`')
    },
    *ask({ search }) {
      const { exchange } = yield* search({ headers: { Origin: FOREIGN } })
      if (!has(exchange, 'access-control-allow-origin')) yield* search({ headers: { Origin: LOCAL } })
    },
  }),

  probe('response.headers', {
    conclude({ searches }) {
      const pages = searches.filter(({ outcome }) => outcome === 'page').map(({ exchange }) => exchange)
      const sizes = ['content-length', 'transfer-encoding', 'content-encoding']
      const isAsSaid = (one: RecordedExchange) =>
        sizes.some((name) => has(one, name)) &&
        ['content-type', 'x-request-id'].every((name) => has(one, name)) &&
        headerOf(one.response.headers, 'cache-control') === 'no-store'
      return confirm('always', pages, isAsSaid)
    },
  }),
]

function postsTo(path: string, exchanges: readonly RecordedExchange[]): readonly RecordedExchange[] {
  return exchanges.filter(({ request: { method, url } }) => method === 'POST' && url.startsWith(path))
}

const UNKNOWN_PATH = '/api/files/v1/fileset-without-s'
const ENCODED = '/api/%66iles/'
const FOREIGN = 'https://page.example'
const LOCAL = 'http://localhost:3000'
