import type { ServerResponse } from 'node:http'
import { type Trace, traceNext } from './trace.ts'
import { type Exchange, setHeader } from './underway.ts'
import { stringifyJson } from '../json.ts'
import type { OutcomeBody, Page } from '../operations/handler.ts'

/** Characters that are gathered before they are handed to the socket. */
const CHUNK = 65_536

/** Sends a body. A ready one goes with its exact length; a streamed page goes in chunks, as fast as the client takes them. */
export function sendBody(ex: Exchange, status: number, body: OutcomeBody): Promise<void> | undefined {
  if ('page' in body) {
    if (body.page.streamed) return streamPage(ex, status, body.page)
    sendPage(ex, status, body.page)
    return undefined
  }
  const text = stringifyJson(body.json)
  ex.trace.answered = text
  sendText(ex, status, 'application/json', text)
  return undefined
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

function sendPage(ex: Exchange, status: number, { fragments, context }: Page): void {
  let text = '{"files":['
  let separator = ''
  for (const fragment of fragments) {
    text += separator + fragment
    separator = ','
  }
  const pageContext = context()
  text += `],"pageContext":${stringifyJson(pageContext)}}`
  ex.trace.answered = text
  traceNext(ex.trace, pageContext)
  sendText(ex, status, 'application/json', text)
}

async function streamPage(ex: Exchange, status: number, page: Page): Promise<void> {
  const { response } = ex
  setHeader(ex, 'content-type', 'application/json')
  response.writeHead(status, ex.headers)
  for (const chunk of chunks(page, ex.trace)) {
    if (response.destroyed) return
    // As bytes, for the length of a chunk stands before it, and a text would be gone over twice to find it.
    if (!response.write(Buffer.from(chunk))) await drained(response)
  }
  response.end()
}

/** The first one is left behind for the journal. */
function* chunks({ fragments, context }: Page, trace: Trace): Generator<string> {
  let chunk = '{"files":['
  let separator = ''
  for (const fragment of fragments) {
    chunk += separator + fragment
    separator = ','
    if (chunk.length < CHUNK) continue
    trace.answered ??= chunk
    trace.isPartial = true
    yield chunk
    chunk = ''
  }
  const pageContext = context()
  chunk += `],"pageContext":${stringifyJson(pageContext)}}`
  trace.answered ??= chunk
  traceNext(trace, pageContext)
  yield chunk
}

/** Resolves when the socket takes more, or is gone: a client that stops reading is cut off by the server's idle time. */
function drained(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const goOn = () => {
      response.off('drain', goOn).off('close', goOn)
      resolve()
    }
    response.on('drain', goOn).on('close', goOn)
  })
}
