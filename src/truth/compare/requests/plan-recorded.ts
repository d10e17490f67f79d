import type { Contract } from '../../../contract/contract.ts'
import type { RecordedExchange } from '../../recordings/recorded-exchange.ts'
import type { Planned } from '../case.ts'

export interface RecordedPlan {
  readonly exchange: RecordedExchange
  readonly hasKey: boolean
  readonly isCut: boolean
  readonly isWrite: boolean
  /** The tokens and ids that no earlier response of the recording gave. */
  readonly lacks: readonly string[]
}

/** Headers that make a difference for the response. Others are of the browser, or of the connection. */
const SENT = new Set(['accept', 'content-type', 'if-match', 'if-none-match', 'origin', 'prefer', 'idempotency-key'])

/**
 * A recorded request as another side gets it.
 *
 * @param own what that side gave where the recording has other tokens and ids
 */
export function planRecorded(plan: RecordedPlan, own: ReadonlyMap<string, string>, contract: Contract): Planned {
  const { exchange, hasKey, isCut, isWrite, lacks } = plan
  const { method, url, headers, body } = exchange.request
  const [lack] = lacks
  return {
    method,
    url: replaceIn(withoutKey(url, contract), own),
    headers: headers.filter(({ name }) => SENT.has(name.toLowerCase())),
    // HAR has an empty text where there was no body.
    ...(body === undefined || body === '' ? {} : { body: replaceWords(body, own) }),
    key: hasKey ? 'usual' : 'none',
    isCut,
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

/** In the segments of the path and the values of the query. */
function replaceIn(url: string, own: ReadonlyMap<string, string>): string {
  return url.replaceAll(/[^/?&=]+/g, (part) => {
    const other = own.get(decode(part))
    return other === undefined ? part : encodeURIComponent(other)
  })
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

/** Tokens, and ids of three digits and more as whole values: shorter ones are likely to be something else. */
function replaceWords(body: string, own: ReadonlyMap<string, string>): string {
  return body.replaceAll(/"(?:[^"\\]|\\.)*"|-?\d+/g, (word) => {
    const text = word.startsWith('"') ? word.slice(1, -1) : word
    const other = text.length > 2 ? own.get(text) : undefined
    return other === undefined ? word : word.replace(text, other)
  })
}
