import { compress, compressTo, trackCompression, startCompression } from '../response/compress.ts'
import { sendText } from '../../http/send.ts'
import { atEndOfTurn } from '../../http/tick-batching.ts'
import { sendCorrupted, wireFault } from '../../faults/corrupt-response.ts'
import { type Trace, traceBytes, traceNext } from '../../journal/trace.ts'
import { finish } from '../../journal/record-exchange.ts'
import type { Slices } from '../../engine/slices.ts'
import { type Middleware, type RequestContext, setBehavioursHeader } from '../request-context.ts'
import { setHeader, setHeaders } from '../../engine/request-context.ts'
import { drained } from '../../http/wait.ts'
import { bareType } from '../../contract/media-type.ts'
import { stringifyJson } from '../../formats/json.ts'
import type { Content, OutcomeBody, Page } from '../../resources/handler.ts'

const JSON_TYPE = 'application/json'

/** Characters that are gathered before they are handed to the socket. */
const CHUNK = 65_536

/** Sends the response that the handler decided on. */
export function sendResponse({ slices }: { readonly slices: Slices }): Middleware {
  return (_request, { locals: { context } }, next) => {
    const { status, headers, body } = context.outcome
    if (headers) setHeaders(context, headers)
    setBehavioursHeader(context, context.tracker.used())
    const end = () => finish(context, context.tracker.used())
    // Nearly every response is sent at once, and then there is nothing to wait for.
    const sending = sendBody(context, status, body, slices)
    if (sending) sending.then(end).catch(next)
    else end()
  }
}

/** Sends a body. A ready one goes with its exact length; a streamed page goes in chunks, as fast as the client takes them. */
function sendBody(
  context: RequestContext,
  status: number,
  body: OutcomeBody,
  slices: Slices,
): Promise<void> | undefined {
  if ('json' in body) return sendSuccess(context, status, stringifyJson(body.json))
  if ('page' in body)
    return body.page.streamed ? streamPage(context, status, body.page, slices) : sendPage(context, status, body.page)
  if ('content' in body) return sendContent(context, status, body)
  sendEmpty(context, status)
  return undefined
}

/** Sends what a user's own handler, or a generated answer, gives as another media type. */
function sendContent(
  context: RequestContext,
  status: number,
  { content, contentType }: Content,
): Promise<void> | undefined {
  if (bareType(contentType) === 'text/event-stream') return sendEvents(context, status, { content, contentType })
  if (typeof content === 'string') return sendReady(context, status, contentType, content)
  const bytes = Buffer.from(content.buffer, content.byteOffset, content.byteLength)
  traceBytes(context.trace, bytes)
  const strike = wireFault(context)
  if (strike) return sendCorrupted(context, { status, contentType, chunks: [bytes], length: bytes.length }, strike)
  setHeader(context, 'content-type', contentType)
  setHeader(context, 'content-length', String(bytes.length))
  context.response.writeHead(status, context.headers)
  atEndOfTurn(() => context.response.end(bytes))
  return undefined
}

/** Sends server-sent events one by one, each in a turn of the event loop of its own, and no length, as servers of streams do. */
async function sendEvents(context: RequestContext, status: number, { content, contentType }: Content): Promise<void> {
  const text = typeof content === 'string' ? content : Buffer.from(content).toString()
  context.trace.answered = text
  const strike = wireFault(context)
  const bytes = Buffer.from(text)
  if (strike) return sendCorrupted(context, { status, contentType, chunks: [bytes], length: bytes.length }, strike)
  setHeader(context, 'content-type', contentType)
  const { response } = context
  response.writeHead(status, context.headers)
  for (const event of text.split(/(?<=\n\n)/)) {
    if (response.destroyed) return
    if (!response.write(event)) await drained(response)
    await new Promise((resolve) => setImmediate(resolve))
  }
  response.end()
}

/** An answer that is its status and its headers: 204. */
function sendEmpty({ response, headers, trace }: RequestContext, status: number): void {
  trace.answered = ''
  response.writeHead(status, headers)
  atEndOfTurn(() => response.end())
}

/** Sends JSON of a known length; only now is it known whether it could be compressed. */
function sendSuccess(
  context: RequestContext,
  status: number,
  text: string,
  length = Buffer.byteLength(text),
): Promise<void> | undefined {
  if (trackCompression(context, length)) setBehavioursHeader(context, context.tracker.used())
  return sendReady(context, status, JSON_TYPE, text, length)
}

/** Sends a text, unless a fault spoils it on its way. @param length bytes, for who knows them already */
export function sendReady(
  context: RequestContext,
  status: number,
  contentType: string,
  text: string,
  length = Buffer.byteLength(text),
): Promise<void> | undefined {
  context.trace.answered = text
  const strike = wireFault(context)
  if (!strike) {
    if (startCompression(context, length)) return sendCompressed(context, status, contentType, text)
    sendText(context, status, contentType, text, length)
    return undefined
  }
  const bytes = Buffer.from(text)
  return sendCorrupted(context, { status, contentType, chunks: [bytes], length: bytes.length }, strike)
}

async function sendCompressed(
  context: RequestContext,
  status: number,
  contentType: string,
  text: string,
): Promise<void> {
  const bytes = await compress(text)
  setHeader(context, 'content-type', contentType)
  setHeader(context, 'content-length', String(bytes.length))
  context.response.writeHead(status, context.headers).end(bytes)
}

function sendPage(
  context: RequestContext,
  status: number,
  { fragments, context: contextOf, added }: Page,
): Promise<void> | undefined {
  const texts: string[] = []
  let length = OPENING.length
  for (const fragment of fragments) {
    length += fragment.bytes + (texts.length === 0 ? 0 : 1)
    texts.push(texts.length === 0 ? OPENING + fragment.text : fragment.text)
  }
  const pageContext = contextOf()
  traceNext(context.trace, pageContext)
  const end = endOf(pageContext, added)
  if (texts.length === 0) texts.push(OPENING)
  texts.push((texts.pop() ?? '') + end)
  // Joined at once: a text that is added up is a tree of its parts, and journal and socket would each make one text of it.
  return sendSuccess(context, status, texts.join(','), length + Buffer.byteLength(end))
}

const OPENING = '{"files":['

function endOf(pageContext: unknown, added: Page['added']): string {
  const end = `],"pageContext":${stringifyJson(pageContext)}`
  if (!added) return `${end}}`
  const members = stringifyJson(added).slice(1)
  return members === '}' ? `${end}}` : `${end},${members}`
}

async function streamPage(context: RequestContext, status: number, page: Page, slices: Slices): Promise<void> {
  const { response } = context
  const texts = chunks(page, context.trace)
  const strike = wireFault(context)
  if (strike)
    return sendCorrupted(context, { status, contentType: JSON_TYPE, chunks: asBytes(texts), length: undefined }, strike)
  setHeader(context, 'content-type', JSON_TYPE)
  if (trackCompression(context, Infinity)) setBehavioursHeader(context, context.tracker.used())
  const isCompressed = startCompression(context, Infinity)
  response.writeHead(status, context.headers)
  const out = isCompressed ? compressTo(response) : response
  const pause = slices.begin()
  for (const chunk of texts) {
    if (response.destroyed) {
      context.trace.end = 'left'
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
function* chunks({ fragments, context: contextOf, added }: Page, trace: Trace): Generator<string> {
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
  const pageContext = contextOf()
  chunk += endOf(pageContext, added)
  trace.answered ??= chunk
  traceNext(trace, pageContext)
  yield chunk
}

function* asBytes(texts: Iterable<string>): Generator<Buffer> {
  for (const text of texts) yield Buffer.from(text)
}
