import type { ServerResponse } from 'node:http'
import { type ResponseContext, setHeader } from '../engine/request-context.ts'
import type { Feed, Happening } from './feed.ts'
import { stringifyJson } from '../formats/json.ts'
import { tooManyListeners } from '../errors/control-errors.ts'

/** Those who listen to streams of server-sent events, so that they can be told when the server stops. */
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
  /** The number of the last happening that the listener knows. */
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

/** Milliseconds between two signs of life, well below what a connection may be silent for. */
const HEARTBEAT = 15_000

/** Bytes that wait for a listener to take them; beyond it no more are made for it. */
const MOST_WAITING = 262_144

/** A listener of the stream. It holds nothing but its place in the feed, so a slow one costs no more than a quick one. */
interface Listener {
  readonly response: ServerResponse
  readonly stream: Stream
  /** The number of the happening that it got last. */
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
    // After what is happening now, so that a thousand runs are sent together.
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
  // A browser tells its page that the stream is open when the first bytes come.
  response.write('retry: 1000\n\n')
  skipGap(listener)
  flush()
}

/** Tells a listener that comes late how much it missed. */
function skipGap(listener: Listener): void {
  const { stream, place, response } = listener
  const { feed } = stream
  const missed = feed.first - 1 - place
  if (missed <= 0) return
  listener.place = feed.first - 1
  response.write(messageText(feed.fingerprint, listener.place, { event: 'gap', data: { missed } }))
}

/** Sends as much as the connection takes. Answers false when the next happening is not remembered any more. */
function sendOn(listener: Listener): boolean {
  const { response, stream } = listener
  const { feed } = stream
  while (listener.place < feed.last) {
    // It goes on when what waits is gone, and by then the rest may be, too.
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
