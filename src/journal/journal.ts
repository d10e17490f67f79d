import { type Exchange, packExchange, responsePositionOf, unpackExchange } from './exchange.ts'
import { type TextRing, createTextRing } from './text-ring.ts'
import type { SandboxObserver } from '../engine/sandbox.ts'
import { isStateEvent, replacesState } from '../engine/snapshot.ts'
import { stateChange, type StreamMessage } from '../engine/state.ts'

/** The latest requests and responses of a sandbox, oldest first. */
export interface Journal {
  readonly size: number
  /** The id of the latest exchange, kept or not; 0 before the first. */
  readonly last: number
  /** How many exchanges after an id were dropped to make room. Cleared ones do not count. */
  forgottenAfter(id: number): number
  find(id: number): Exchange | undefined
  /** The kept exchanges after an id, one by one; undefined for one that was dropped meanwhile. */
  after(id: number): Generator<Exchange | undefined>
  /** Goes on after an id, where other processes have dropped or cleared those before it. */
  skip(to: number, clearedUpTo: number): void
  /** Begins again, with the first id. */
  restart(): void
  /** Adds an exchange with the id after `last`. @param count counts it, when it is packed */
  record(exchange: Exchange, count: () => void): void
  /** Packs and counts the exchanges that wait for it, of all journals of the process. */
  settle(): void
  /** The sandbox that its first exchanges were copied from, and the id of the last of them. */
  readonly copied: { readonly from: string; readonly last: number } | undefined
  /** Begins with the exchanges of another journal, up to an id. Both share their bytes. */
  copy(journal: Journal, from: string, last: number): void
  /** Where its exchanges are kept, in the slot of their ids. */
  readonly positions: readonly number[]
  /** Where its first exchange is kept, and the first body of a response; infinite for none. All that it keeps later lies after them. */
  readonly firstPosition: number
  readonly firstResponse: number
  /** Removes all exchanges and returns how many; ids continue. */
  clear(): number
  /** Bytes of all journals of the process. Cleared exchanges count until they are overwritten. */
  readonly sharedBytes: number
}

/** How many exchanges a sandbox keeps. */
export const MAX_EXCHANGES = 1000

/** MiB of a process for response bodies, and for everything else. */
const ROOM_FOR_RESPONSES = 8
const ROOM_FOR_REST = 8

/**
 * Each journal keeps its last 1,000 exchanges, so a busy sandbox does not evict those of a quiet one. All journals share 16 MiB; the
 * oldest exchange of the process is dropped first. Response bodies, the largest part, have their own limit, so they go first.
 */
export function createJournals(): Journals {
  const store = createStore()
  return { create: () => createJournal(store), settle: store.settle }
}

export interface Journals {
  create(): Journal
  /** As that of each journal. */
  settle(): void
}

/** Where the journals of a process keep their exchanges. */
interface Store {
  readonly responses: TextRing
  readonly rest: TextRing
  /** All that keep exchanges here. */
  readonly journals: Set<WeakRef<Journal>>
  /** Stores an exchange and its position in `positions`, at the latest when settled. */
  put(waiting: WaitingExchange): void
  /** Call it before looking anything up. */
  settle(): void
}

interface WaitingExchange {
  readonly exchange: Exchange
  readonly positions: number[]
  readonly count: () => void
}

/**
 * Exchanges are packed and counted in batches. Between two requests the code and data leave the CPU caches, so packing one at a time costs four
 * times as much.
 */
const MAX_WAITING = 32
/** Characters of bodies waiting to be packed. */
const LONGEST_WAITING = 262_144

function createStore(): Store {
  const journals = new Set<WeakRef<Journal>>()
  const firstOf = (position: 'firstPosition' | 'firstResponse') => () => {
    let first = Infinity
    for (const one of journals) {
      const journal = one.deref()
      // Its sandbox was removed.
      if (!journal) journals.delete(one)
      else first = Math.min(first, journal[position])
    }
    return first
  }
  const responses = createTextRing(ROOM_FOR_RESPONSES, firstOf('firstResponse'))
  const rest = createTextRing(ROOM_FOR_REST, firstOf('firstPosition'))
  let waiting: WaitingExchange[] = []
  let length = 0
  const settle = () => {
    const batch = waiting
    waiting = []
    length = 0
    for (const { exchange, positions } of batch) {
      const { id, responseBody } = exchange
      const position = responseBody === undefined ? -1 : responses.share(keepText(responseBody))
      positions[id % MAX_EXCHANGES] = rest.write(packExchange(exchange, position))
    }
    for (const { count } of batch) count()
  }
  return {
    responses,
    rest,
    journals,
    settle,
    put(one) {
      const { requestBody, responseBody } = one.exchange
      waiting.push(one)
      length += (requestBody?.length ?? 0) + (responseBody?.length ?? 0)
      if (waiting.length >= MAX_WAITING || length > LONGEST_WAITING) settle()
    },
  }
}

function createJournal({ responses, rest, journals, put, settle }: Store): Journal {
  /** The position of each exchange, in the slot of its id. */
  let positions: number[] = []
  let copied: Journal['copied']
  let last = 0
  let clearedUpTo = 0
  /** Positions only grow, so all exchanges after the first kept one are kept too. */
  const first = () => {
    settle()
    let id = Math.max(clearedUpTo, last - MAX_EXCHANGES) + 1
    while (id <= last && !rest.has(positions[id % MAX_EXCHANGES] ?? -1)) id++
    return id
  }
  const find = (id: number) => {
    if (id <= Math.max(clearedUpTo, last - MAX_EXCHANGES) || id > last) return undefined
    settle()
    const text = rest.read(positions[id % MAX_EXCHANGES] ?? -1)
    return text === undefined ? undefined : unpackExchange(text, responses.read)
  }
  const size = () => last - first() + 1
  const journal: Journal = {
    get sharedBytes() {
      settle()
      return responses.bytes + rest.bytes
    },
    get size() {
      return size()
    },
    get last() {
      return last
    },
    forgottenAfter: (id) => Math.max(0, first() - 1 - Math.max(id, clearedUpTo)),
    find,
    *after(id) {
      const end = last
      for (let at = Math.max(id + 1, first()); at <= end; at++) yield find(at)
    },
    settle,
    skip(to, upTo) {
      settle()
      for (let id = Math.max(last, to - MAX_EXCHANGES) + 1; id <= to; id++) positions[id % MAX_EXCHANGES] = -1
      last = Math.max(last, to)
      clearedUpTo = Math.max(clearedUpTo, upTo)
    },
    restart() {
      settle()
      positions = []
      clearedUpTo = last = 0
    },
    record(exchange, count) {
      last = exchange.id
      put({ exchange, positions, count })
    },
    get copied() {
      return copied
    },
    get positions() {
      return positions
    },
    copy(journal, from, upTo) {
      settle()
      positions = [...journal.positions]
      clearedUpTo = journal.last - journal.size
      last = upTo
      copied = { from, last }
    },
    get firstPosition() {
      const id = first()
      return id > last ? Infinity : (positions[id % MAX_EXCHANGES] ?? Infinity)
    },
    get firstResponse() {
      for (let id = first(); id <= last; id++) {
        const text = rest.read(positions[id % MAX_EXCHANGES] ?? -1)
        const position = text === undefined ? -1 : responsePositionOf(text)
        if (position >= 0) return position
      }
      return Infinity
    },
    clear() {
      const removed = size()
      clearedUpTo = last
      return removed
    },
  }
  journals.add(new WeakRef(journal))
  return journal
}

/** Characters of a body that are kept. A page of 100 files has 40,000. */
export const LONGEST_BODY = 65_536

/** The part of a body that is kept. */
export function keepText(text: string): string {
  return text.length <= LONGEST_BODY ? text : text.slice(0, LONGEST_BODY)
}

/** Publishes what happens in a sandbox to its listeners, and keeps the latest messages for those that reconnect. */
export interface Feed {
  /** Distinguishes this feed from that of another process, or of an earlier sandbox with the same name. */
  readonly fingerprint: string
  /** The number of the latest message; 0 before the first. */
  readonly last: number
  /** The number of the oldest message that is kept; one more than `last` when there is none. */
  readonly first: number
  /** The message with a number; undefined when it was dropped. An exchange is published as its id in the sandbox's journal. */
  at(number: number): StreamMessage | number | undefined
  publish(message: StreamMessage | number): void
  /** @param wake is called after each message, and when the feed is closed @returns a function that stops listening */
  listen(wake: () => void): () => void
  /** The sandbox is gone: nothing more is published. */
  close(): void
  readonly isClosed: boolean
}

const MAX_MESSAGES = 4096

/** @param fingerprint a text without spaces */
function createFeed(fingerprint: string): Feed {
  const ring: (StreamMessage | number)[] = []
  const listeners = new Set<() => void>()
  let last = 0
  let isClosed = false
  const wakeAll = () => {
    for (const wake of listeners) wake()
  }
  return {
    fingerprint,
    get last() {
      return last
    },
    get first() {
      return Math.max(0, last - MAX_MESSAGES) + 1
    },
    at: (number) => (number > last - MAX_MESSAGES && number <= last ? ring[(number - 1) % MAX_MESSAGES] : undefined),
    publish(message) {
      ring[last++ % MAX_MESSAGES] = message
      wakeAll()
    },
    listen(wake) {
      listeners.add(wake)
      return () => void listeners.delete(wake)
    },
    close() {
      isClosed = true
      wakeAll()
    },
    get isClosed() {
      return isClosed
    },
  }
}

declare module '../engine/sandbox.ts' {
  interface SandboxObservers {
    /** The latest exchanges. A reset clears it. */
    readonly journal: Journal
    /** What happens, for listeners. */
    readonly feed: Feed
  }
}

/** Gives a sandbox a journal and a feed. @param fingerprint of the feed */
export function observeForJournal(createJournal: () => Journal, fingerprint: string): SandboxObserver {
  const journal = createJournal()
  const feed = createFeed(fingerprint)
  return {
    members: { journal, feed },
    onEvent(event, { model }) {
      if (isStateEvent(event)) for (const message of model.publish(event)) feed.publish(message)
      else if (replacesState(event)) {
        const isReset = event.type === 'sandbox.reset'
        if (isReset) journal.clear()
        feed.publish(stateChange(isReset ? 'sandbox.begun' : 'sandbox.restored'))
      }
    },
    onDelete() {
      journal.clear()
      feed.close()
    },
  }
}
