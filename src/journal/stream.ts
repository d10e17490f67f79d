import type { ServerResponse } from 'node:http'
import { type ResponseContext, setHeader } from '../engine/request-context.ts'
import type { Feed, Happening } from './feed.ts'
import { stringifyJson } from '../formats/json.ts'
import { tooManyListeners } from '../errors/control-errors.ts'

/** Open streams of server-sent events, which the server ends when it stops. */
export interface Listeners {
  /** @throws Problem 409 when there are too many */
  add(hangUp: () => void): void
  remove(hangUp: () => void): void
  readonly size: number
  /** Ends all streams. */
  hangUp(): void
}

const MOST_LISTENERS = 64

/** The events of a sandbox, from one of them on. */
export interface Stream {
  readonly feed: Feed
  /** The number of the last event that the listener knows. */
  readonly after: number
  /** Undefined for what is no longer known. */
  render(happening: Happening): Message | undefined
}

/** A server-sent event: its name and its data. */
export interface Message {
  readonly event: string
  readonly data: unknown
}

export function createListeners(): Listeners {
  const all = new Set<() => void>()
  return {
    add(hangUp) {
      if (all.size >= MOST_LISTENERS) {
        throw tooManyListeners({
          detail: `${all.size} streams are open; so many are allowed. Close one first.`,
        })
      }
      all.add(hangUp)
    },
    remove: (hangUp) => void all.delete(hangUp),
    get size() {
      return all.size
    },
    hangUp() {
      for (const hangUp of [...all]) hangUp()
    },
  }
}

/** Milliseconds between heartbeats, well below the idle timeout of a connection. */
const HEARTBEAT = 15_000

/** Bytes buffered for a listener; rendering pauses above it. */
const MOST_WAITING = 262_144

/** A listener keeps only its position in the feed, so slow listeners cost no more than fast ones. */
interface Listener {
  readonly response: ServerResponse
  readonly stream: Stream
  /** The number of the last event it received. */
  place: number
}

/**
 * Sends what happens until the listener leaves, the sandbox is deleted or the server stops (HTML Living Standard, 9.2). What is
 * not remembered any more when a listener comes is told as a gap; a listener that falls so far behind later is dropped, with a
 * last event that says so.
 */
export function sendStream(context: ResponseContext, stream: Stream, listeners: Listeners): void {
  const { response } = context
  const { feed } = stream
  const listener: Listener = { response, stream, place: stream.after }
  const end = (reason: string) => {
    response.end(messageText(feed.fingerprint, listener.place, { event: 'end', data: { reason } }))
    leave()
  }
  const hangUp = () => end('The server stops.')
  listeners.add(hangUp)
  let isWoken = false
  const flush = () => {
    isWoken = false
    if (response.writableEnded || response.destroyed) return
    if (!sendOn(listener))
      end('You were too slow: what came next is not remembered any more. Come again to go on with what is.')
    else if (feed.isClosed) end('The sandbox is gone.')
  }
  const wake = () => {
    if (isWoken) return
    isWoken = true
    // Once per turn of the event loop, so that a thousand runs are sent together.
    setImmediate(flush)
  }
  const stopListening = feed.listen(wake)
  const heart = setInterval(() => void response.write(':\n\n'), HEARTBEAT).unref()
  const leave = () => {
    stopListening()
    clearInterval(heart)
    listeners.remove(hangUp)
  }
  response.on('drain', wake).on('close', leave)

  setHeader(context, 'content-type', 'text/event-stream')
  setHeader(context, 'x-accel-buffering', 'no')
  response.writeHead(200, context.headers)
  // Browsers report an open stream once the first bytes arrive.
  response.write('retry: 1000\n\n')
  skipGap(listener)
  flush()
}

/** Tells a late listener how many events it missed. */
function skipGap(listener: Listener): void {
  const { stream, place, response } = listener
  const { feed } = stream
  const missed = feed.first - 1 - place
  if (missed <= 0) return
  listener.place = feed.first - 1
  response.write(messageText(feed.fingerprint, listener.place, { event: 'gap', data: { missed } }))
}

/** Sends as much as the connection takes. Returns false when the next event has been dropped. */
function sendOn(listener: Listener): boolean {
  const { response, stream } = listener
  const { feed } = stream
  while (listener.place < feed.last) {
    // The `drain` event continues; by then older events may have been dropped.
    if (response.writableLength > MOST_WAITING) return true
    const number = listener.place + 1
    const happening = feed.at(number)
    if (!happening) return false
    listener.place = number
    const message = stream.render(happening)
    if (message) response.write(messageText(feed.fingerprint, number, message))
  }
  return true
}

/** JSON has no line breaks of its own, so the data is one line. */
function messageText(fingerprint: string, number: number, { event, data }: Message): string {
  return `id: ${fingerprint}-${number}\nevent: ${event}\ndata: ${stringifyJson(data)}\n\n`
}
