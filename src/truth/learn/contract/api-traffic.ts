import { StartupError } from '../../../base/errors/problem.ts'
import { isObject, tryParseJson } from '../../../base/formats/json.ts'
import { bareType } from '../../../contract/media-type.ts'
import type { ArchivedExchange } from '../../recordings/read-har.ts'
import { headerOf, type RecordedExchange } from '../../recordings/recorded-exchange.ts'

/** An exchange with an API, taken apart. */
export interface ApiExchange {
  readonly method: string
  /** The path below the address of the service, in its segments as sent. */
  readonly segments: readonly string[]
  readonly query: URLSearchParams
  readonly status: number
  readonly exchange: RecordedExchange
  /** The JSON that was sent and received; undefined where it was none. */
  readonly sent: unknown
  readonly json: unknown
}

/** What a browser talked to of one API. */
export interface ApiTraffic {
  /** Origin and what comes before all paths: `https://api.example.com/v2`. */
  readonly url: string
  readonly exchanges: readonly ApiExchange[]
}

const NO_API_TYPE = /^(?:text\/(?:html|css|javascript)|application\/(?:x-)?javascript|image\/|font\/|audio\/|video\/)/i
const NO_API_PATH = /\.(?:m?js|css|map|png|jpe?g|gif|svg|ico|woff2?|ttf|html?)$/i
/** With what the part of addresses ends that is that of the API itself: `/hub/api`, `/rest/v2`. */
const BASE = /^(?:api|rest|v?\d+(?:[.-]\d+)*)$/i

/**
 * Finds the API among all that a browser talked to: the origin that responded most often with JSON, without pages, scripts and pictures.
 *
 * @throws StartupError where nothing is JSON
 */
export function findApi(archived: readonly ArchivedExchange[]): ApiTraffic {
  const counts = new Map<string, number>()
  for (const { origin, response } of archived)
    if (isObject(tryParseJson(response.body)) || Array.isArray(tryParseJson(response.body)))
      counts.set(origin, (counts.get(origin) ?? 0) + 1)
  const [best] = [...counts].toSorted(([, a], [, b]) => b - a)
  if (!best)
    throw new StartupError([
      `--har: Expected responses that are JSON, since a contract is written from them; none of ${archived.length} is. Record requests to an API, with their bodies.`,
    ])
  const own = archived.filter((one) => one.origin === best[0] && isOfApi(one)).map(readExchange)
  if (!own.some(isSuccess))
    throw new StartupError([
      `--har: Expected successful requests; got ${own.length} to ${best[0]}, all of them refused. Record what clients do.`,
    ])
  const base = own.map(({ segments }) => segments.slice(0, -1)).reduce(sharedBeginning)
  base.length = base.findLastIndex((segment) => BASE.test(segment)) + 1
  return {
    url: [best[0], ...base].join('/'),
    exchanges: own.map((one) => ({ ...one, segments: one.segments.slice(base.length) })),
  }
}

function sharedBeginning(a: readonly string[], b: readonly string[]): string[] {
  const end = a.findIndex((segment, at) => b[at] !== segment)
  return a.slice(0, end === -1 ? a.length : end)
}

/** Deeper paths are none that anybody describes. */
const MOST_SEGMENTS = 40

function isOfApi({ request: { method, url, headers }, response }: RecordedExchange): boolean {
  // What a browser asks before a request to another origin.
  if (method === 'OPTIONS' && headerOf(headers, 'access-control-request-method') !== undefined) return false
  if (response.status === 0 || response.status === 304) return false
  const path = url.split('?', 1)[0] ?? ''
  if (path.split('/').length > MOST_SEGMENTS) return false
  const isRead = method === 'GET' || method === 'HEAD'
  const type = headerOf(response.headers, 'content-type') ?? ''
  return !isRead || !(NO_API_TYPE.test(bareType(type)) || NO_API_PATH.test(path))
}

function readExchange(exchange: RecordedExchange): ApiExchange {
  const { request, response } = exchange
  const [path = '', query = ''] = request.url.split(/\?(.*)/s)
  return {
    method: request.method,
    segments: path.split('/').slice(1),
    query: new URLSearchParams(query),
    status: response.status,
    exchange,
    sent: tryParseJson(request.body),
    json: tryParseJson(response.body),
  }
}

/** Whether a response is a success. */
export function isSuccess({ status }: Pick<ApiExchange, 'status'>): boolean {
  return status >= 200 && status < 300
}
