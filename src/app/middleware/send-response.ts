import { promisify } from 'node:util'
import { createGzip, gzip } from 'node:zlib'
import { isEventStream } from '../../contract/media-type.ts'
import { appendHeader, sendText, setHeader, setHeaders, type TextResponse, weightOf } from '../../http/response.ts'
import { type Slices, atEndOfTurn } from '../../engine/slices.ts'
import { stringifyJson } from '../../base/formats/json.ts'
import { drained } from '../../http/wait.ts'
import type { Listeners } from '../../journal/stream.ts'
import type { Content, LiveBody, OutcomeBody, Page } from '../../resources/handler.ts'
import { changeBody } from '../faults/change-body.ts'
import { changeResponse } from '../faults/change-response.ts'
import { sendCorrupted, wireFault } from '../faults/corrupt-response.ts'
import { type RecordExchange, traceBytes } from './record-exchange.ts'
import type { Middleware, RequestContext, Trace } from './request-context.ts'

const JSON_TYPE = 'application/json'

/** Characters that are gathered before they are handed to the socket. */
const CHUNK = 65_536

/** Sends the response that the handler decided on. */
export function sendResponse({
  slices,
  streams,
  record,
}: {
  readonly slices: Slices
  /** The streams that are open. */
  readonly streams: Listeners
  readonly record: RecordExchange
}): Middleware {
  return (_request, { locals: { context } }, next) => {
    const { status, headers, body } = context.outcome
    if (headers) setHeaders(context, headers)
    const end = () => record(context, context.tracker.used())
    // Nearly every response is sent at once, and then there is nothing to wait for.
    const sending =
      'live' in body ? sendStream(context, status, body.live, streams) : sendBody(context, status, body, slices)
    if (sending) sending.then(end).catch(next)
    else end()
  }
}

/** What sends streams is loaded with the first one. */
async function sendStream(context: RequestContext, status: number, live: LiveBody, streams: Listeners): Promise<void> {
  const { sendLive } = await import('../streams/send-live.ts')
  setBehavioursHeader(context)
  await sendLive(context, status, live, streams)
}

/** Lists undocumented behaviours, and documented ones whose setting is not the default. */
function setBehavioursHeader(context: RequestContext): void {
  const { text } = context.tracker.used()
  if (text !== '') setHeader(context, 'x-mock-behaviours', text)
}

/** Sends a body: with its exact length, or a large page in chunks, as fast as the client reads. */
function sendBody(
  context: RequestContext,
  status: number,
  body: Exclude<OutcomeBody, { readonly live: LiveBody }>,
  slices: Slices,
): Promise<void> | undefined {
  if ('json' in body) return sendJson(context, { status, text: body.text ?? stringifyJson(body.json) })
  if ('page' in body)
    return body.page.streamed ? streamPage(context, status, body.page, slices) : sendPage(context, status, body.page)
  if ('content' in body) return sendContent(context, status, body)
  setBehavioursHeader(context)
  sendNothing(context, status)
  return undefined
}

/** Sends a response without a body. */
export function sendNothing({ trace, response, headers }: RequestContext, status: number): void {
  trace.answered = ''
  response.writeHead(status, headers)
  atEndOfTurn(() => response.end())
}

/** Sends another media type, from a user's handler or a generated response. */
function sendContent(
  context: RequestContext,
  status: number,
  { content, contentType, length, encoded, next }: Content,
): Promise<void> | undefined {
  context.trace.next = next
  if (typeof content === 'string' && contentType === JSON_TYPE)
    return sendJson(context, { status, text: content, length, encoded })
  setBehavioursHeader(context)
  if (isEventStream(contentType)) return sendEvents(context, status, { content, contentType })
  if (typeof content === 'string') return sendReady(context, { status, contentType, text: content })
  const bytes = Buffer.from(content.buffer, content.byteOffset, content.byteLength)
  traceBytes(context.trace, bytes)
  const hit = wireFault(context)
  if (hit) return sendCorrupted(context, { status, contentType, chunks: [bytes], length: bytes.length }, hit)
  writeHead(context, status, contentType, bytes.length)
  atEndOfTurn(() => context.response.end(bytes))
  return undefined
}

/** Sends server-sent events each in a turn of the event loop, without a length, as servers of streams do. */
async function sendEvents(context: RequestContext, status: number, { content, contentType }: Content): Promise<void> {
  const text = typeof content === 'string' ? content : Buffer.from(content).toString()
  context.trace.answered = text
  const hit = wireFault(context)
  const events = text.split(/(?<=\n\n)/)
  const bytes = Buffer.from(text)
  if (hit?.fault.kind === 'truncated' && hit.fault.events !== undefined)
    return sendCorrupted(
      context,
      { status, contentType, chunks: events.map((one) => Buffer.from(one)), length: undefined },
      hit,
    )
  if (hit) return sendCorrupted(context, { status, contentType, chunks: [bytes], length: bytes.length }, hit)
  const { response } = context
  writeHead(context, status, contentType)
  for (const event of events) {
    if (response.destroyed) return
    if (!response.write(event)) await drained(response)
    await new Promise((resolve) => setImmediate(resolve))
  }
  response.end()
}

/** Sends JSON of a known length; only now is it known whether `http.compression` decides anything. */
function sendJson(context: RequestContext, ready: Omit<TextResponse, 'contentType'>): Promise<void> | undefined {
  const length = ready.length ?? Buffer.byteLength(ready.text)
  trackCompression(context, length)
  setBehavioursHeader(context)
  return sendReady(context, { ...ready, contentType: JSON_TYPE, length })
}

/** Sends a text, unless a fault corrupts it. */
export function sendReady(context: RequestContext, given: TextResponse): Promise<void> | undefined {
  const ready = context.faults ? changeResponse(context, changeBody(context.faults, given)) : given
  const { status, contentType, text, length = Buffer.byteLength(text) } = ready
  if (text === '' && given.text !== '') {
    sendNothing(context, status)
    return undefined
  }
  context.trace.answered = text
  const hit = context.faults && wireFault(context)
  if (hit) {
    const bytes = Buffer.from(text)
    return sendCorrupted(context, { status, contentType, chunks: [bytes], length: bytes.length }, hit)
  }
  if (startCompression(context, length)) return sendCompressed(context, ready)
  sendText(context, { ...ready, length })
  return undefined
}

/** Off the event loop's thread. */
const compress = promisify(gzip) as (text: string) => Promise<Buffer>

async function sendCompressed(context: RequestContext, { status, contentType, text }: TextResponse): Promise<void> {
  const bytes = await compress(text)
  writeHead(context, status, contentType, bytes.length).end(bytes)
}

function writeHead(context: RequestContext, status: number, contentType: string, length?: number) {
  setHeader(context, 'content-type', contentType)
  if (length !== undefined) setHeader(context, 'content-length', String(length))
  return context.response.writeHead(status, context.headers)
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
  const end = endOf(contextOf(), added, context.trace)
  if (texts.length === 0) texts.push(OPENING)
  texts.push((texts.pop() ?? '') + end)
  // Joined at once: a concatenated string is a tree of its parts, which journal and socket would each flatten.
  return sendJson(context, { status, text: texts.join(','), length: length + Buffer.byteLength(end) })
}

const OPENING = '{"files":['

/** The end of a page. The journal notes its token. */
function endOf(pageContext: unknown, added: Page['added'], trace: Trace): string {
  const { next } = pageContext as { readonly next?: unknown }
  if (typeof next === 'string' && next !== '') trace.next = next
  const end = `],"pageContext":${stringifyJson(pageContext)}`
  if (!added) return `${end}}`
  const members = stringifyJson(added).slice(1)
  return members === '}' ? `${end}}` : `${end},${members}`
}

async function streamPage(context: RequestContext, status: number, page: Page, slices: Slices): Promise<void> {
  const { response, trace } = context
  setBehavioursHeader(context)
  const texts = chunksOf(page, trace)
  const hit = wireFault(context)
  if (hit)
    return sendCorrupted(context, { status, contentType: JSON_TYPE, chunks: asBytes(texts), length: undefined }, hit)
  setHeader(context, 'content-type', JSON_TYPE)
  if (trackCompression(context, Infinity)) setBehavioursHeader(context)
  const isCompressed = startCompression(context, Infinity)
  response.writeHead(status, context.headers)
  const out = isCompressed ? compressTo(response) : response
  const pause = slices.begin()
  for (const chunk of texts) {
    if (response.destroyed) {
      trace.end = 'left'
      return
    }
    if (!out.write(chunk)) await drained(out)
    // A client that reads as fast as we write must not keep the others waiting.
    const paused = pause()
    if (paused) await paused
  }
  out.end()
}

/** The journal keeps the first chunk. */
function* chunksOf({ fragments, context: contextOf, added }: Page, trace: Trace): Generator<string> {
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
  chunk += endOf(contextOf(), added, trace)
  trace.answered ??= chunk
  yield chunk
}

function* asBytes(texts: Iterable<string>): Generator<Buffer> {
  for (const text of texts) yield Buffer.from(text)
}

/** Bytes; shorter bodies gain nothing. */
const SHORTEST_COMPRESSED = 1024

/** Whether `http.compression` decides how a body is sent, which is recorded. @param length bytes */
export function trackCompression({ request, tracker }: RequestContext, length: number): boolean {
  if (length <= SHORTEST_COMPRESSED || !acceptsGzip(request.headers['accept-encoding'])) return false
  tracker.note('http.compression')
  return true
}

/** Whether to compress a body; sets the headers that say so. @param length bytes; Infinity while it is not known */
function startCompression({ request, tracker, headers }: RequestContext, length: number): boolean {
  if (tracker.settings['http.compression'] === 'off') return false
  appendHeader({ headers }, 'vary', 'Accept-Encoding')
  if (length <= SHORTEST_COMPRESSED || !acceptsGzip(request.headers['accept-encoding'])) return false
  setHeader({ headers }, 'content-encoding', 'gzip')
  return true
}

/** A stream that compresses what is written to it for the client, and ends with it. */
function compressTo(response: RequestContext['response']) {
  const stream = createGzip()
  stream.pipe(response)
  // A stream without a reader would never drain.
  response.once('close', () => stream.destroy())
  return stream
}

/** RFC 9110, 12.5.3. */
function acceptsGzip(accepted: string | string[] | undefined): boolean {
  return accepted !== undefined && weightOf(String(accepted), ['gzip', 'x-gzip', '*']) > 0
}
