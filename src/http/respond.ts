import { compress, compressTo, leanOnCompression, startCompression } from './compress.ts'
import { whenDecided } from './together.ts'
import { sendSpoiled, wireFault } from './spoil.ts'
import { type Trace, traceBytes, traceNext } from './trace.ts'
import { type Exchange, setBehavioursHeader, setHeader } from './underway.ts'
import { drained } from './wait.ts'
import { bareType } from '../contract/media-type.ts'
import { stringifyJson } from '../json.ts'
import type { Content, OutcomeBody, Page } from '../operations/handler.ts'

const JSON_TYPE = 'application/json'

/** Characters that are gathered before they are handed to the socket. */
const CHUNK = 65_536

/** Sends a body. A ready one goes with its exact length; a streamed page goes in chunks, as fast as the client takes them. */
export function sendBody(ex: Exchange, status: number, body: OutcomeBody): Promise<void> | undefined {
  if ('json' in body) return sendSuccess(ex, status, stringifyJson(body.json))
  if ('page' in body) return body.page.streamed ? streamPage(ex, status, body.page) : sendPage(ex, status, body.page)
  if ('content' in body) return sendContent(ex, status, body)
  sendEmpty(ex, status)
  return undefined
}

/** Sends what a user's own handler, or a generated answer, gives as another media type. */
function sendContent(ex: Exchange, status: number, { content, contentType }: Content): Promise<void> | undefined {
  if (bareType(contentType) === 'text/event-stream') return sendEvents(ex, status, { content, contentType })
  if (typeof content === 'string') return sendReady(ex, status, contentType, content)
  const bytes = Buffer.from(content.buffer, content.byteOffset, content.byteLength)
  traceBytes(ex.trace, bytes)
  const strike = wireFault(ex)
  if (strike) return sendSpoiled(ex, { status, contentType, chunks: [bytes], length: bytes.length }, strike)
  setHeader(ex, 'content-type', contentType)
  setHeader(ex, 'content-length', String(bytes.length))
  ex.response.writeHead(status, ex.headers)
  whenDecided(() => ex.response.end(bytes))
  return undefined
}

/** Sends server-sent events one by one, each in a turn of the event loop of its own, and no length, as servers of streams do. */
async function sendEvents(ex: Exchange, status: number, { content, contentType }: Content): Promise<void> {
  const text = typeof content === 'string' ? content : Buffer.from(content).toString()
  ex.trace.answered = text
  const strike = wireFault(ex)
  const bytes = Buffer.from(text)
  if (strike) return sendSpoiled(ex, { status, contentType, chunks: [bytes], length: bytes.length }, strike)
  setHeader(ex, 'content-type', contentType)
  const { response } = ex
  response.writeHead(status, ex.headers)
  for (const event of text.split(/(?<=\n\n)/)) {
    if (response.destroyed) return
    if (!response.write(event)) await drained(response)
    await new Promise((resolve) => setImmediate(resolve))
  }
  response.end()
}

/** An answer that is its status and its headers: 204. */
function sendEmpty({ response, headers, trace }: Exchange, status: number): void {
  trace.answered = ''
  response.writeHead(status, headers)
  whenDecided(() => response.end())
}

/** Sends JSON of a known length; only now is it known whether it could be compressed. */
function sendSuccess(
  ex: Exchange,
  status: number,
  text: string,
  length = Buffer.byteLength(text),
): Promise<void> | undefined {
  if (leanOnCompression(ex, length)) setBehavioursHeader(ex, ex.leaning.rows())
  return sendReady(ex, status, JSON_TYPE, text, length)
}

/** Sends a text, unless a fault spoils it on its way. @param length bytes, for who knows them already */
export function sendReady(
  ex: Exchange,
  status: number,
  contentType: string,
  text: string,
  length = Buffer.byteLength(text),
): Promise<void> | undefined {
  ex.trace.answered = text
  const strike = wireFault(ex)
  if (!strike) {
    if (startCompression(ex, length)) return sendCompressed(ex, status, contentType, text)
    sendText(ex, status, contentType, text, length)
    return undefined
  }
  const bytes = Buffer.from(text)
  return sendSpoiled(ex, { status, contentType, chunks: [bytes], length: bytes.length }, strike)
}

async function sendCompressed(ex: Exchange, status: number, contentType: string, text: string): Promise<void> {
  const bytes = await compress(text)
  setHeader(ex, 'content-type', contentType)
  setHeader(ex, 'content-length', String(bytes.length))
  ex.response.writeHead(status, ex.headers).end(bytes)
}

/** Headers and text go out as one write, with the other answers of this turn. */
export function sendText(
  ex: Pick<Exchange, 'response' | 'headers'>,
  status: number,
  contentType: string,
  text: string,
  length = Buffer.byteLength(text),
): void {
  setHeader(ex, 'content-type', contentType)
  setHeader(ex, 'content-length', String(length))
  const { response } = ex
  response.writeHead(status, ex.headers)
  // As many bytes as characters: all is ASCII, and need not be encoded.
  whenDecided(() => response.end(text, length === text.length ? 'latin1' : 'utf8'))
}

function sendPage(ex: Exchange, status: number, { fragments, context, added }: Page): Promise<void> | undefined {
  const texts: string[] = []
  let length = OPENING.length
  for (const fragment of fragments) {
    length += fragment.bytes + (texts.length === 0 ? 0 : 1)
    texts.push(texts.length === 0 ? OPENING + fragment.text : fragment.text)
  }
  const pageContext = context()
  traceNext(ex.trace, pageContext)
  const end = endOf(pageContext, added)
  if (texts.length === 0) texts.push(OPENING)
  texts.push((texts.pop() ?? '') + end)
  // Joined at once: a text that is added up is a tree of its parts, and journal and socket would each make one text of it.
  return sendSuccess(ex, status, texts.join(','), length + Buffer.byteLength(end))
}

const OPENING = '{"files":['

function endOf(pageContext: unknown, added: Page['added']): string {
  const end = `],"pageContext":${stringifyJson(pageContext)}`
  if (!added) return `${end}}`
  const members = stringifyJson(added).slice(1)
  return members === '}' ? `${end}}` : `${end},${members}`
}

async function streamPage(ex: Exchange, status: number, page: Page): Promise<void> {
  const { response } = ex
  const texts = chunks(page, ex.trace)
  const strike = wireFault(ex)
  if (strike)
    return sendSpoiled(ex, { status, contentType: JSON_TYPE, chunks: asBytes(texts), length: undefined }, strike)
  setHeader(ex, 'content-type', JSON_TYPE)
  if (leanOnCompression(ex, Infinity)) setBehavioursHeader(ex, ex.leaning.rows())
  const isCompressed = startCompression(ex, Infinity)
  response.writeHead(status, ex.headers)
  const out = isCompressed ? compressTo(response) : response
  const pause = ex.house.slices.begin()
  for (const chunk of texts) {
    if (response.destroyed) {
      ex.trace.end = 'left'
      return
    }
    if (!out.write(chunk)) await drained(out)
    // A client that reads as fast as we write must not keep the others waiting.
    const paused = pause()
    if (paused) await paused
  }
  out.end()
}

/** The first one is left behind for the journal. */
function* chunks({ fragments, context, added }: Page, trace: Trace): Generator<string> {
  let chunk = OPENING
  let separator = ''
  for (const fragment of fragments) {
    chunk += separator + fragment.text
    separator = ','
    if (chunk.length < CHUNK) continue
    trace.answered ??= chunk
    trace.isPartial = true
    yield chunk
    chunk = ''
  }
  const pageContext = context()
  chunk += endOf(pageContext, added)
  trace.answered ??= chunk
  traceNext(trace, pageContext)
  yield chunk
}

function* asBytes(texts: Iterable<string>): Generator<Buffer> {
  for (const text of texts) yield Buffer.from(text)
}
