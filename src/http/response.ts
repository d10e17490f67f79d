import type { ResponseContext } from '../engine/control-route.ts'
import { type Pause, atEndOfTurn } from '../engine/slices.ts'
import { drained } from './wait.ts'

const JSON_TYPE = 'application/json'

type WithHeaders = Pick<ResponseContext, 'headers'>
type Unsent = Pick<ResponseContext, 'response' | 'headers'>

/** Sets a response header and replaces one of the same name. */
export function setHeader({ headers }: WithHeaders, name: string, value: string): void {
  const at = indexOfHeader(headers, name)
  if (at < 0) headers.push(name, value)
  else headers[at + 1] = value
}

export function headerNamed({ headers }: { readonly headers: readonly string[] }, name: string): string | undefined {
  const at = indexOfHeader(headers, name)
  return at < 0 ? undefined : headers[at + 1]
}

/** Adds a value to a response header that is a list, such as `Vary`. */
export function appendHeader({ headers }: WithHeaders, name: string, value: string): void {
  const at = indexOfHeader(headers, name)
  if (at < 0) headers.push(name, value)
  else headers[at + 1] = `${headers[at + 1] ?? ''}, ${value}`
}

export function removeHeader({ headers }: WithHeaders, name: string): void {
  const at = indexOfHeader(headers, name)
  if (at >= 0) headers.splice(at, 2)
}

/** The index of a name among alternating names and values: a value may be the same text. */
function indexOfHeader(headers: readonly string[], name: string): number {
  for (let at = 0; at < headers.length; at += 2) if (headers[at] === name) return at
  return -1
}

export function setHeaders(context: WithHeaders, headers: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(headers)) setHeader(context, name, value)
}

/** A response that is a text. */
export interface TextResponse {
  readonly status: number
  readonly contentType: string
  readonly text: string
  /** Bytes, where they are known. */
  readonly length?: number | undefined
  /** The text as it is sent, where it is known. */
  readonly encoded?: Uint8Array | undefined
}

/** Sends headers and a text in one write, together with the other responses of this turn. */
export function sendText(context: Unsent, ready: TextResponse): void {
  const { status, contentType, text, encoded, length = Buffer.byteLength(text) } = ready
  setHeader(context, 'content-type', contentType)
  // RFC 9112, 6.2: a body in chunks has no length.
  if (headerNamed(context, 'transfer-encoding') === undefined) setHeader(context, 'content-length', String(length))
  const { response } = context
  response.writeHead(status, context.headers)
  // With as many bytes as characters, all of it is ASCII, which need not be encoded.
  atEndOfTurn(() => (encoded ? response.end(encoded) : response.end(text, length === text.length ? 'latin1' : 'utf8')))
}

/** Characters. A longer body is sent while it is made, without its length. */
const LONGEST_WHOLE = 1_048_576

/** Sends a text that is made in pieces, JSON unless it says otherwise, as fast as the client reads, and lets other requests have their turn. */
export async function sendPieces(
  context: Unsent,
  { status, contentType = JSON_TYPE }: Pick<TextResponse, 'status'> & Partial<Pick<TextResponse, 'contentType'>>,
  pieces: Iterable<string>,
  pause: Pause,
): Promise<void> {
  const { response } = context
  let text = ''
  let isStreamed = false
  for (const piece of pieces) {
    text += piece
    if (text.length > LONGEST_WHOLE) {
      if (!isStreamed) {
        setHeader(context, 'content-type', contentType)
        response.writeHead(status, context.headers)
      }
      isStreamed = true
      if (!response.write(text)) await drained(response)
      text = ''
    }
    const paused = pause()
    if (paused) await paused
  }
  if (isStreamed) response.end(text)
  else sendText(context, { status, contentType, text })
}

/** The weight that a header such as `Accept` gives to the first of these names that it lists (RFC 9110, 12.4.2); 0 when it lists none. */
export function weightOf(header: string, names: readonly string[]): number {
  const weights = new Map<string, number>()
  for (const item of header.split(',')) {
    const [name = '', ...parameters] = item.split(';').map((part) => part.trim().toLowerCase())
    const weight = parameters.find((one) => one.startsWith('q='))?.slice(2) ?? '1'
    if (name !== '') weights.set(name, Number(weight))
  }
  return names.map((name) => weights.get(name)).find((weight) => weight !== undefined) ?? 0
}
