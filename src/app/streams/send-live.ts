import { setHeader } from '../../http/response.ts'
import { drained } from '../../http/wait.ts'
import { LONGEST_BODY } from '../../journal/journal.ts'
import type { Listeners, OpenStream } from '../../journal/stream.ts'
import type { LiveBody } from '../../resources/handler.ts'
import { sendCorrupted, wireFault } from '../faults/corrupt-response.ts'
import { traceBytes } from '../middleware/record-exchange.ts'
import type { RequestContext } from '../middleware/request-context.ts'
import { aboutStream } from './about-stream.ts'

/** Milliseconds between heartbeats of server-sent events, well below the idle timeout of a connection. */
const HEARTBEAT = 15_000

/**
 * Sends the parts of a body as they come, until there are no more, the client leaves or the server stops.
 *
 * @throws Problem when too many streams are open
 */
export async function sendLive(
  context: RequestContext,
  status: number,
  body: LiveBody,
  streams: Listeners,
): Promise<void> {
  const { response, request } = context
  const leaving = new AbortController()
  const end = () => leaving.abort()
  const about = aboutStream(context, 0)
  streams.add(end, about)
  response.once('close', end)
  try {
    const hit = request.method === 'HEAD' ? undefined : wireFault(context)
    setHeader(context, 'x-accel-buffering', 'no')
    if (hit) {
      const { contentType } = body
      await sendCorrupted(
        context,
        { status, contentType, chunks: bytesOf({ ...body, opening: '' }, leaving.signal), length: undefined },
        hit,
      )
      return
    }
    setHeader(context, 'content-type', body.contentType)
    response.writeHead(status, context.headers)
    response.flushHeaders()
    if (request.method !== 'HEAD') await sendParts(context, { ...body, parts: counting(body, about) }, leaving.signal)
    response.end()
  } finally {
    end()
    response.off('close', end)
    streams.remove(end)
  }
}

function counting({ parts }: LiveBody, about: OpenStream): LiveBody['parts'] {
  return async function* (signal) {
    for await (const part of parts(signal)) {
      about.sent = (about.sent ?? 0) + 1
      yield part
    }
  }
}

async function sendParts({ response, trace }: RequestContext, body: LiveBody, signal: AbortSignal): Promise<void> {
  const isEvents = body.contentType === 'text/event-stream'
  const heart = isEvents ? setInterval(() => void response.write(':\n\n'), HEARTBEAT).unref() : undefined
  const sent: Buffer[] = []
  let length = 0
  try {
    for await (const bytes of bytesOf(body, signal)) {
      if (response.destroyed) break
      if (length <= LONGEST_BODY) sent.push(bytes)
      length += bytes.length
      if (!response.write(bytes)) await drained(response)
    }
  } finally {
    clearInterval(heart)
    traceBytes(trace, Buffer.concat(sent))
    if (response.destroyed) trace.end = 'left'
  }
}

async function* bytesOf({ opening, parts }: LiveBody, signal: AbortSignal): AsyncGenerator<Buffer> {
  if (opening !== '') yield Buffer.from(opening)
  for await (const part of parts(signal)) yield Buffer.from(part)
}
