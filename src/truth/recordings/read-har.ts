import { Buffer } from 'node:buffer'
import { shown, StartupError } from '../../base/errors/problem.ts'
import { asObject, isObject } from '../../base/formats/json.ts'
import { placeIn, type SourceFile } from '../../base/formats/source-file.ts'
import { type Header, headerOf, type RecordedExchange } from './recorded-exchange.ts'
import { counted } from '../../base/errors/wording.ts'
import type { Contract } from '../../contract/contract.ts'
import { createOperationFinder } from '../../contract/router.ts'

/** An exchange of an archive, which may hold those of many services. */
export interface ArchivedExchange extends RecordedExchange {
  /** Scheme, host and port that the request was sent to. */
  readonly origin: string
}

/**
 * Reads an HTTP Archive 1.2, such as browsers export and `GET /__mock/har` returns. Entries without a request to an HTTP service, such
 * as `data:` and `ws:`, are left out.
 *
 * @throws StartupError naming file and line for what is not an archive
 */
export function readHar(document: SourceFile): readonly ArchivedExchange[] {
  const { value } = document
  const log = asObject(value).log
  if (!isObject(log) || !Array.isArray(log.entries))
    throw new StartupError([
      `${placeIn(document, '')}: Expected an HTTP Archive, {"log": {"entries": […]}}; got ${shown(value)}. Export it from the network panel of a browser ("Save all as HAR with content").`,
    ])
  return log.entries.flatMap((entry: unknown, index) => readEntry(entry, document, index))
}

function readEntry(entry: unknown, document: SourceFile, index: number): ArchivedExchange[] {
  const { request, response, startedDateTime, time, comment } = asObject(entry)
  // As Standin writes it.
  const fault = typeof comment === 'string' ? /(?:^|; )fault: (\S+?)(?:;|$)/.exec(comment)?.[1] : undefined
  const url = isObject(request) ? URL.parse(String(request.url)) : undefined
  if (!isObject(request) || !isObject(response) || typeof request.method !== 'string' || !url)
    throw new StartupError([
      `${placeIn(document, `/log/entries/${index}`)}: Expected an entry with request and response; got ${shown(entry)}.`,
    ])
  if (!/^https?:$/.test(url.protocol)) return []
  return [
    {
      source: `${document.file}, entry ${index + 1}`,
      at: Date.parse(String(startedDateTime)) || 0,
      milliseconds: typeof time === 'number' && time > 0 ? time : 0,
      origin: url.origin,
      ...(fault === undefined ? {} : { fault }),
      request: {
        method: request.method,
        url: targetOf(String(request.url)),
        headers: withType(readHeaders(request.headers), request.postData),
        body: isObject(request.postData) ? textOf(request.postData) : undefined,
      },
      response: {
        status: Number(response.status) || 0,
        headers: readHeaders(response.headers),
        ...readContent(response.content),
      },
    },
  ]
}

/** Everything after the origin, as written: `URL` would resolve `..` and escape characters. */
function targetOf(url: string): string {
  const target = url.replace(/^[a-z]+:\/\/[^/?#]*/i, '').replace(/#.*$/s, '')
  return target.startsWith('/') ? target : `/${target}`
}

/** Browsers list the pseudo-headers of HTTP/2 among the others. */
function readHeaders(headers: unknown): readonly Header[] {
  if (!Array.isArray(headers)) return []
  return headers.flatMap((header: unknown) =>
    isObject(header) && typeof header.name === 'string' && !header.name.startsWith(':')
      ? [{ name: header.name, value: String(header.value) }]
      : [],
  )
}

/** Some recorders name the type of a body beside the body alone. */
function withType(headers: readonly Header[], postData: unknown): readonly Header[] {
  const { mimeType } = asObject(postData)
  if (typeof mimeType !== 'string' || mimeType === '' || headerOf(headers, 'content-type') !== undefined) return headers
  return [...headers, { name: 'Content-Type', value: mimeType }]
}

function textOf({ text }: Readonly<Record<string, unknown>>): string | undefined {
  return typeof text === 'string' ? text : undefined
}

/** Browsers encode as base64 what may not be text; Standin says in a comment that it cut a body. */
function readContent(content: unknown): { readonly body: string | undefined; readonly isWhole: boolean } {
  if (!isObject(content)) return { body: undefined, isWhole: false }
  const text = textOf(content)
  if (text === undefined) return { body: undefined, isWhole: content.size === 0 }
  const isWhole = !/body (is cut|was dropped)|connection ended/.test(String(content.comment))
  return { body: content.encoding === 'base64' ? decode(text) : text, isWhole }
}

function decode(base64: string): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(base64, 'base64'))
  } catch {
    return undefined
  }
}

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
  const url = addressOf(archived, contract)
  if (url === undefined) throw noService(archived)
  const exchanges = archived.flatMap(({ origin, ...exchange }) => {
    const whole = origin + exchange.request.url
    if (!whole.startsWith(`${url}/`)) return []
    return [{ ...exchange, request: { ...exchange.request, url: whole.slice(url.length) } }]
  })
  return { url, exchanges, others: archived.length - exchanges.length }
}

/** The address of the service of a contract; undefined where no request is an operation. */
export function addressOf(archived: readonly ArchivedExchange[], contract: Contract): string | undefined {
  const findOperation = createOperationFinder(contract.operations)
  const counts = new Map<string, number>()
  for (const { origin, request } of archived) {
    const base = basesOf(request.url).find((one) => findOperation(request.method, request.url.slice(one.length)))
    if (base !== undefined) counts.set(origin + base, (counts.get(origin + base) ?? 0) + 1)
  }
  return [...counts].sort(([, a], [, b]) => b - a)[0]?.[0]
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
