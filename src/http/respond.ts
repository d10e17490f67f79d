import { sendSpoiled, wireFault } from './spoil.ts'
import { type Exchange, setHeader } from './underway.ts'
import { drained } from './wait.ts'
import { stringifyJson } from '../json.ts'
import type { OutcomeBody, Page } from '../operations/handler.ts'

const JSON_TYPE = 'application/json'

/** Characters that are gathered before they are handed to the socket. */
const CHUNK = 65_536

/** Sends a body. A ready one goes with its exact length; a streamed page goes in chunks, as fast as the client takes them. */
export function sendBody(ex: Exchange, status: number, body: OutcomeBody): Promise<void> | undefined {
  if ('page' in body && body.page.streamed) return streamPage(ex, status, body.page)
  return sendReady(ex, status, JSON_TYPE, 'json' in body ? stringifyJson(body.json) : pageText(body.page))
}

/** Sends a text, unless a fault spoils it on its way. */
export function sendReady(ex: Exchange, status: number, contentType: string, text: string): Promise<void> | undefined {
  const strike = wireFault(ex)
  if (!strike) {
    sendText(ex, status, contentType, text)
    return undefined
  }
  const bytes = Buffer.from(text)
  return sendSpoiled(ex, { status, contentType, chunks: [bytes], length: bytes.length }, strike)
}

/** Headers and text go out as one write. */
export function sendText(
  ex: Pick<Exchange, 'response' | 'headers'>,
  status: number,
  contentType: string,
  text: string,
): void {
  const length = Buffer.byteLength(text)
  setHeader(ex, 'content-type', contentType)
  setHeader(ex, 'content-length', String(length))
  // As many bytes as characters: all is ASCII, and need not be encoded.
  ex.response.writeHead(status, ex.headers).end(text, length === text.length ? 'latin1' : 'utf8')
}

function pageText({ fragments, context }: Page): string {
  let text = '{"files":['
  let separator = ''
  for (const fragment of fragments) {
    text += separator + fragment
    separator = ','
  }
  return `${text}],"pageContext":${stringifyJson(context())}}`
}

async function streamPage(ex: Exchange, status: number, page: Page): Promise<void> {
  const { response } = ex
  const strike = wireFault(ex)
  if (strike)
    return sendSpoiled(ex, { status, contentType: JSON_TYPE, chunks: asBytes(chunks(page)), length: undefined }, strike)
  setHeader(ex, 'content-type', JSON_TYPE)
  response.writeHead(status, ex.headers)
  for (const chunk of chunks(page)) {
    if (response.destroyed) return
    if (!response.write(chunk)) await drained(response)
  }
  response.end()
}

function* chunks({ fragments, context }: Page): Generator<string> {
  let chunk = '{"files":['
  let separator = ''
  for (const fragment of fragments) {
    chunk += separator + fragment
    separator = ','
    if (chunk.length < CHUNK) continue
    yield chunk
    chunk = ''
  }
  yield `${chunk}],"pageContext":${stringifyJson(context())}}`
}

function* asBytes(texts: Iterable<string>): Generator<Buffer> {
  for (const text of texts) yield Buffer.from(text)
}
