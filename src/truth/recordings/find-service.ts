import { StartupError } from '../../base/errors/problem.ts'
import { counted } from '../../base/errors/wording.ts'
import type { Contract } from '../../contract/contract.ts'
import { createRouter } from '../../contract/router.ts'
import type { ArchivedExchange } from './read-har.ts'
import type { RecordedExchange } from './recorded-exchange.ts'

/** The exchanges with one service. */
export interface ServiceTraffic {
  /** Origin and base path: `https://api.example.com/v2`. */
  readonly url: string
  /** In their order, with `url` relative to that address. */
  readonly exchanges: readonly RecordedExchange[]
  /** How many exchanges with others were left out. */
  readonly others: number
}

/**
 * Finds the service of a contract among all that a browser talked to: the address below which most requests are operations of the
 * contract. Requests below that address that are no operation are kept, since they may show how it refuses them.
 *
 * @throws StartupError when no request is an operation
 */
export function findService(archived: readonly ArchivedExchange[], contract: Contract): ServiceTraffic {
  const isOperation = createIsOperation(contract)
  const counts = new Map<string, number>()
  for (const { origin, request } of archived) {
    const base = basesOf(request.url).find((one) => isOperation(request.method, request.url.slice(one.length)))
    if (base !== undefined) counts.set(origin + base, (counts.get(origin + base) ?? 0) + 1)
  }
  const [best] = [...counts].sort(([, a], [, b]) => b - a)
  if (!best) throw noService(archived)
  const [url] = best
  const exchanges = archived.flatMap(({ origin, ...exchange }) => {
    const whole = origin + exchange.request.url
    if (!whole.startsWith(`${url}/`)) return []
    return [{ ...exchange, request: { ...exchange.request, url: whole.slice(url.length) } }]
  })
  return { url, exchanges, others: archived.length - exchanges.length }
}

/** A browser asks with OPTIONS before the request itself, so that one counts for any operation. */
function createIsOperation({ operations }: Contract): (method: string, url: string) => boolean {
  const router = createRouter(operations)
  return (method, url) => {
    const { kind } = router.route(method, url.split('?', 1)[0] ?? '', 'strict')
    return kind === 'operation'
  }
}

/** What may come before the path of the contract, the shortest first: ``, `/api`, `/api/v2`. */
function basesOf(url: string): string[] {
  const path = url.split('?', 1)[0] ?? ''
  return [...path.matchAll(/\//g)].slice(0, MAX_SEGMENTS).map(({ index }) => path.slice(0, index))
}

const MAX_SEGMENTS = 20

function noService(archived: readonly ArchivedExchange[]): StartupError {
  const [first] = archived
  const seen = first
    ? `the first is ${first.request.method} ${first.origin}${first.request.url.split('?', 1)[0] ?? ''}`
    : 'there is none'
  return new StartupError([
    `Expected requests to operations of the contract; got ${counted(archived.length, 'request')} to others: ${seen}. Pass the contract of the service with --contract.`,
  ])
}
