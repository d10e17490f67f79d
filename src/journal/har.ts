import { STATUS_CODES } from 'node:http'
import { iso } from '../base/formats/instant.ts'
import { showExchange, type ShownExchange, type ShownHeader, type ShownSandbox } from './show-exchange.ts'
import { lazily } from '../base/formats/json-pieces.ts'
import type { Exchange } from './exchange.ts'
import { queryOf } from '../base/network/http-message.ts'
import type { Redactor } from './redact.ts'

/** The exchanges as an HTTP Archive 1.2, as browser developer tools import it. */
export function createHar(exchanges: readonly Exchange[], sandbox: ShownSandbox, redactor: Redactor) {
  return {
    log: {
      version: '1.2' as const,
      creator: { name: 'Standin', version: '1' },
      pages: [],
      entries: lazily(exchanges, (exchange) => harEntry(exchange, showExchange(exchange, sandbox, redactor))),
    },
  }
}

function harEntry({ answeredAt, milliseconds }: Exchange, shown: ShownExchange) {
  const { request, problem, fault, repeats } = shown
  const url = `http://${valueOf(request.headers, 'host') ?? 'localhost'}${request.url}`
  const again = repeats === undefined ? null : `the browser repeated exchange ${repeats} by itself`
  const words = [problem, fault === null ? null : `fault: ${fault}`, again].filter((word) => word !== null)
  return {
    ...writeHarEntry(shown, { started: answeredAt - milliseconds, url, comment: words.join('; ') }),
    // Custom fields begin with an underscore (HAR 1.2).
    _id: shown.id,
    _sandbox: shown.sandbox,
    _operationId: shown.operationId,
  }
}

type HarParts = Pick<ShownExchange, 'request' | 'answer' | 'milliseconds'>

/** @param url the whole one */
export function writeHarEntry(
  { request, answer, milliseconds }: HarParts,
  { started, url, comment }: { readonly started: number; readonly url: string; readonly comment: string },
) {
  return {
    startedDateTime: iso(started),
    time: milliseconds,
    request: {
      method: request.method,
      url,
      httpVersion: 'HTTP/1.1' as const,
      cookies: [],
      headers: request.headers,
      queryString: [...queryOf(request.url)].map(([name, value]) => ({ name, value })),
      headersSize: -1,
      bodySize: lengthOf(request.headers, request.body),
      ...(request.body === null ? {} : { postData: postDataOf(request) }),
    },
    response: harResponse(answer),
    cache: {},
    timings: { send: 0, wait: milliseconds, receive: 0 },
    ...(comment === '' ? {} : { comment }),
  }
}

function postDataOf({ headers, body, isCut }: ShownExchange['request']) {
  const mimeType = valueOf(headers, 'content-type') ?? ''
  return { mimeType, text: body ?? '', ...(isCut ? { comment: CUT } : {}) }
}

/** An exchange without a response has status 0, as in browsers. */
function harResponse(answer: ShownExchange['answer']) {
  const { status = 0, headers = [], body = null, encoding, isCut = false, isForgotten = false } = answer ?? {}
  const isBroken = answer?.isComplete === false
  const words = [isForgotten ? DROPPED : isCut ? CUT : '', isBroken ? BROKEN : ''].filter((word) => word !== '')
  const size = isBroken ? (isCut || isForgotten ? -1 : bytesOf(body, encoding)) : lengthOf(headers, body, encoding)
  // What was compressed is kept without its compression.
  const isCompressed = body !== null && valueOf(headers, 'content-encoding') !== undefined
  const contentSize = isCompressed ? bytesOf(body, encoding) : Math.max(0, size)
  return {
    status,
    statusText: STATUS_CODES[status] ?? '',
    httpVersion: 'HTTP/1.1' as const,
    cookies: [],
    headers,
    content: {
      size: contentSize,
      mimeType: valueOf(headers, 'content-type') ?? 'x-unknown',
      ...(body === null ? {} : { text: body }),
      ...(encoding === undefined ? {} : { encoding }),
      ...(words.length === 0 ? {} : { comment: words.join(' ') }),
    },
    redirectURL: valueOf(headers, 'location') ?? '',
    headersSize: -1,
    bodySize: size,
  }
}

const CUT = 'The body is cut: only its beginning is kept.'
const BROKEN = 'The connection ended before all of the response was sent.'
const DROPPED = 'The body was dropped to make room for later ones.'

/** Bytes by `Content-Length`, else of the kept body. */
function lengthOf(headers: readonly ShownHeader[], body: string | null, encoding?: 'base64'): number {
  const declared = valueOf(headers, 'content-length')
  if (declared !== undefined && /^\d{1,15}$/.test(declared)) return Number(declared)
  return bytesOf(body, encoding)
}

function bytesOf(body: string | null, encoding: BufferEncoding = 'utf8'): number {
  return body === null ? 0 : Buffer.byteLength(body, encoding)
}

function valueOf(headers: readonly ShownHeader[], name: string): string | undefined {
  return headers.find((header) => header.name.toLowerCase() === name)?.value
}
