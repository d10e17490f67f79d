import type { ServerResponse } from 'node:http'
import type { ControlHandler, EngineNeeds, ResponseContext } from '../engine/control-route.ts'
import type { Sandbox } from '../engine/sandbox.ts'
import { tooManyListeners } from '../base/errors/control-errors.ts'
import { stringifyJson } from '../base/formats/json.ts'
import { collectWhatIsThere } from './collect-exchanges.ts'
import type { Feed } from './journal.ts'
import type { JournalNeeds } from './match-exchange.ts'
import type { Redactor } from './redact.ts'
import { showExchange } from './show-exchange.ts'

/** Sends the events of a sandbox from now on, or those after the event that the listener received last. */
export const openStream: ControlHandler<Pick<JournalNeeds, 'redactor'> & { readonly listeners: Listeners }> = (
  call,
) => {
  const sandbox = call.sandbox()
  const { feed } = sandbox
  const known = call.query.lastEventId ?? call.lastEventId
  const after = known === undefined ? feed.last : positionOf(String(known), feed)
  const render = (number: number) => renderEvent(sandbox, number, call.redactor)
  const stream = (context: ResponseContext) => {
    if (sandbox.shared) context.response.once('close', followOthers(call, sandbox))
    sendStream(context, { feed, position: after, render }, call.listeners)
  }
  return { status: 200, stream }
}

/** Milliseconds between two looks at what other processes did. */
const LOOK = 250

/** @returns a function that stops it */
function followOthers({ sandboxes }: Pick<EngineNeeds, 'sandboxes'>, sandbox: Sandbox): () => void {
  let isLooking = false
  const look = async () => {
    await sandboxes.refresh((all) => all.filter((name) => name === sandbox.name))
    await collectWhatIsThere(sandbox)
  }
  const timer = setInterval(() => {
    if (isLooking || sandbox.feed.isClosed) return
    isLooking = true
    // The log says that the store is away.
    look()
      .catch(() => undefined)
      .finally(() => (isLooking = false))
  }, LOOK).unref()
  return () => clearInterval(timer)
}

/** 0 for an id of another feed, such as that of an earlier process. */
function positionOf(eventId: string, { fingerprint, last }: Feed): number {
  const [, of, number] = /^([\da-z]{1,16})-(\d{1,15})$/.exec(eventId) ?? []
  const position = Number(number)
  return of === fingerprint && position <= last ? position : 0
}

/** Empty for an exchange that the journal has dropped; undefined for an event that the feed has dropped. */
function renderEvent(sandbox: Sandbox, number: number, redactor: Redactor): string | undefined {
  const { feed, journal } = sandbox
  const published = feed.at(number)
  if (published === undefined) return undefined
  if (typeof published !== 'number') {
    const { event, data } = published
    return eventText(feed, number, event, typeof data === 'function' ? data() : data)
  }
  const exchange = journal.find(published)
  return exchange === undefined ? '' : eventText(feed, number, 'exchange', showExchange(exchange, sandbox, redactor))
}

/** A server-sent event (HTML Living Standard, 9.2). JSON has no line breaks of its own, so the data is one line. */
function eventText({ fingerprint }: Feed, number: number, event: string, data: unknown): string {
  return `id: ${fingerprint}-${number}\nevent: ${event}\ndata: ${stringifyJson(data)}\n\n`
}

/** A stream of an operation that is open, or a request that waits. */
export interface OpenStream {
  readonly requestId: string
  readonly sandbox: string
  readonly operationId: string
  readonly method: string
  readonly url: string
  /** Of its request, names and values by turns. */
  readonly headers: readonly string[]
  /** When it was opened, epoch ms by the sandbox's clock. */
  readonly since: number
  /** How many events were sent; undefined for a request that waits. */
  sent: number | undefined
}

/** Open streams of server-sent events, which the server ends when it stops. */
export interface Listeners {
  /** @throws Problem 409 when there are too many */
  add(hangUp: () => void, about?: OpenStream): void
  remove(hangUp: () => void): void
  readonly size: number
  /** Those of operations. */
  open(): readonly OpenStream[]
  /** Ends all streams, or those of operations of one sandbox. */
  hangUp(sandbox?: string): void
}

const MAX_LISTENERS = 64

export function createListeners(): Listeners {
  const all = new Map<() => void, OpenStream | undefined>()
  return {
    add(hangUp, about) {
      if (all.size >= MAX_LISTENERS) {
        throw tooManyListeners({
          detail: `${all.size} streams are open or requests wait; so many are allowed. Close one first.`,
        })
      }
      all.set(hangUp, about)
    },
    remove: (hangUp) => void all.delete(hangUp),
    get size() {
      return all.size
    },
    open: () => [...all.values()].filter((about) => about !== undefined),
    hangUp(sandbox) {
      for (const [hangUp, about] of [...all]) if (sandbox === undefined || about?.sandbox === sandbox) hangUp()
    },
  }
}

/** Milliseconds between heartbeats, well below the idle timeout of a connection. */
const HEARTBEAT = 15_000

/** Bytes buffered for a listener; rendering pauses above it. */
const MAX_WAITING = 262_144

interface Stream {
  readonly feed: Feed
  /** The number of the last event that the listener knows. */
  position: number
  /** The text of an event; undefined when it was dropped. */
  render(number: number): string | undefined
}

/**
 * Sends events until the listener leaves, the sandbox is deleted or the server stops. A listener keeps only its position in the feed.
 * Events that were dropped before it connected are reported as a gap; when later ones are dropped before it has read them, it is
 * disconnected with a last event that says so.
 */
function sendStream(context: ResponseContext, stream: Stream, listeners: Listeners): void {
  const { response } = context
  const { feed } = stream
  const end = (reason: string) => {
    response.end(eventText(feed, stream.position, 'end', { reason }))
    leave()
  }
  const hangUp = () => end('The server stops.')
  listeners.add(hangUp)
  let isWoken = false
  const flush = () => {
    isWoken = false
    if (response.writableEnded || response.destroyed) return
    if (!sendEvents(response, stream))
      end('You were too slow: later events were dropped. Reconnect to continue with those that are kept.')
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
  context.headers.push('content-type', 'text/event-stream', 'x-accel-buffering', 'no')
  response.writeHead(200, context.headers)
  if (context.request.method === 'HEAD') {
    response.end()
    return
  }
  // Browsers report an open stream once the first bytes arrive.
  response.write('retry: 1000\n\n')
  skipDropped(response, stream)
  flush()
}

/** Reports the events that were dropped before the listener connected. */
function skipDropped(response: ServerResponse, stream: Stream): void {
  const { feed } = stream
  const missed = feed.first - 1 - stream.position
  if (missed <= 0) return
  stream.position += missed
  response.write(eventText(feed, stream.position, 'gap', { missed }))
}

/** Sends as much as the connection takes. Returns false when the next event was dropped. */
function sendEvents(response: ServerResponse, stream: Stream): boolean {
  // The `drain` event continues where this stops.
  while (stream.position < stream.feed.last && response.writableLength <= MAX_WAITING) {
    const text = stream.render(stream.position + 1)
    if (text === undefined) return false
    stream.position++
    if (text !== '') response.write(text)
  }
  return true
}
