import type { Contract } from '../../../contract/contract.ts'
import type { RecordedExchange } from '../../recordings/recorded-exchange.ts'
import { type Planned, readSeen } from '../../resend/responder.ts'
import { type SeenEntry, entriesOf } from '../../calibrate/search-seen.ts'
import { createOperationFinder } from '../../../contract/router.ts'

interface RecordedPlan {
  readonly exchange: RecordedExchange
  readonly hasKey: boolean
  readonly isWrite: boolean
  /** The tokens and ids that no earlier response of the recording gave. */
  readonly lacks: readonly string[]
}

/** Headers that make a difference for the response. Others are of the browser, or of the connection. */
const SENT = new Set(['accept', 'content-type', 'if-match', 'if-none-match', 'origin', 'prefer', 'idempotency-key'])

/** A recorded request as another side gets it, once it has the tokens and ids of that side. */
export function planRecorded({ exchange, hasKey, isWrite, lacks }: RecordedPlan, contract: Contract): Planned {
  const { method, url, headers, body } = exchange.request
  const [lack] = lacks
  return {
    method,
    url: withoutKey(url, contract),
    headers: headers.filter(({ name }) => SENT.has(name.toLowerCase())),
    // HAR has an empty text where there was no body.
    ...(body === '' ? {} : { body }),
    ...(hasKey ? {} : { key: null }),
    ...(isWrite ? { at: exchange.at } : {}),
    ...(lack === undefined ? {} : { unknown: whyNot(lack) }),
  }
}

function whyNot(lack: string): string {
  return lack.startsWith('token')
    ? 'a page whose token no recorded response has'
    : `something that the recording does not create: ${lack}`
}

function withoutKey(url: string, { credentialLocations }: Contract): string {
  const names = credentialLocations.flatMap((place) => (place.in === 'query' ? [encodeURIComponent(place.name)] : []))
  const [path = '', query] = url.split(/\?(.*)/s)
  if (query === undefined) return url
  const kept = query.split('&').filter((pair) => !names.includes(pair.split('=', 1)[0] ?? ''))
  return kept.length === 0 ? path : `${path}?${kept.join('&')}`
}

/** The entries that a recording shows, by file set. */
export function entriesIn(
  exchanges: readonly RecordedExchange[],
  { operations }: Contract,
  search: string,
): Map<string, SeenEntry[]> {
  const findOperation = createOperationFinder(operations)
  const sets = new Map<string, Map<string, SeenEntry>>()
  for (const exchange of exchanges) {
    const { method, url } = exchange.request
    const found = findOperation(method, url)
    if (!found || found.operation.basePath + found.operation.path !== search) continue
    const id = decodeURIComponent(Object.values(found.parameters)[0] ?? '')
    const known = sets.get(id) ?? new Map<string, SeenEntry>()
    sets.set(id, known)
    const { json } = readSeen({ method, url, headers: [] }, exchange)
    for (const entry of entriesOf(json) ?? []) known.set(entry.path, entry)
  }
  return new Map([...sets].map(([id, known]) => [id, [...known.values()]]))
}
