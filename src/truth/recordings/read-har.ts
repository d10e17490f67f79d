import { Buffer } from 'node:buffer'
import { shown, StartupError } from '../../base/errors/problem.ts'
import { isObject } from '../../base/formats/json.ts'
import { placeIn, type SourceFile } from '../../base/formats/source-file.ts'
import type { Header, RecordedExchange } from './recorded-exchange.ts'

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
  const log = isObject(value) ? value.log : undefined
  if (!isObject(log) || !Array.isArray(log.entries))
    throw new StartupError([
      `${placeIn(document, '')}: Expected an HTTP Archive, {"log": {"entries": […]}}; got ${shown(value)}. Export it from the network panel of a browser ("Save all as HAR with content").`,
    ])
  return log.entries.flatMap((entry: unknown, index) => readEntry(entry, document, index))
}

function readEntry(entry: unknown, document: SourceFile, index: number): ArchivedExchange[] {
  const { request, response, startedDateTime, time, comment } = isObject(entry) ? entry : {}
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
        headers: readHeaders(request.headers),
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
