import { type Exchange, keepText, packExchange, unpackExchange } from './exchange.ts'

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
  /** Adds an exchange with the id after `last`. */
  record(exchange: Exchange): void
  /** The sandbox that its first exchanges were copied from, and the id of the last of them. */
  readonly copied: { readonly from: string; readonly last: number } | undefined
  /** Begins with the exchanges of another journal, up to an id. Both share their bytes. */
  copy(journal: Journal, from: string, last: number): void
  /** Where its exchanges are kept, in the slot of their ids. */
  readonly positions: readonly number[]
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
export function createJournals(): () => Journal {
  const store = createStore()
  return () => createJournal(store)
}

/** Where the journals of a process keep their exchanges. */
interface Store {
  readonly responses: TextRing
  readonly rest: TextRing
  /** Stores an exchange and its position in `positions`, at the latest when settled. */
  put(exchange: Exchange, positions: number[]): void
  /** Call it before looking anything up. */
  settle(): void
}

/**
 * Exchanges are packed in batches. Between two requests the code and data leave the CPU caches, so packing one at a time costs four
 * times as much.
 */
const MAX_WAITING = 32
/** Characters of response bodies waiting to be packed. */
const LONGEST_WAITING = 262_144

function createStore(): Store {
  const responses = createTextRing(ROOM_FOR_RESPONSES)
  const rest = createTextRing(ROOM_FOR_REST)
  let waiting: { readonly exchange: Exchange; readonly positions: number[] }[] = []
  let length = 0
  const settle = () => {
    for (const { exchange, positions } of waiting) {
      const { id, responseBody } = exchange
      const position = responseBody === undefined ? -1 : responses.write(keepText(responseBody))
      positions[id % MAX_EXCHANGES] = rest.write(packExchange(exchange, position))
    }
    waiting = []
    length = 0
  }
  return {
    responses,
    rest,
    settle,
    put(exchange, positions) {
      waiting.push({ exchange, positions })
      length += exchange.responseBody?.length ?? 0
      if (waiting.length >= MAX_WAITING || length > LONGEST_WAITING) settle()
    },
  }
}

function createJournal({ responses, rest, put, settle }: Store): Journal {
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
  return {
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
    record(exchange) {
      last = exchange.id
      put(exchange, positions)
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
    clear() {
      const removed = size()
      clearedUpTo = last
      return removed
    },
  }
}

/**
 * Texts in a bounded number of bytes outside of the JavaScript heap; new texts overwrite the oldest. On the heap, texts that live for
 * a thousand requests are the worst case for the garbage collector, which copies each twice and then has to find it again.
 */
interface TextRing {
  /** Bytes in use. */
  readonly bytes: number
  /** Stores a text and returns its position, which is greater than all before. */
  write(text: string): number
  /** The text at a position; undefined when it was overwritten. */
  read(position: number): string | undefined
  has(position: number): boolean
}

/** Bytes that are overwritten at once. A text lies in one segment, so none may be longer. */
const SEGMENT = 2 ** 20

/** Each text follows its length in bytes. */
const HEAD = 4

/** The most bytes of a UTF-16 code unit in UTF-8. */
const MAX_BYTES = 3

/** @param segments how many, of one MiB each, allocated as they fill */
function createTextRing(segments: number): TextRing {
  const buffers: Buffer[] = []
  const used: number[] = []
  /** Counts all segments so far. */
  let newest = 0
  let offset = 0
  const begin = () => {
    if (buffers.length > 0) newest++
    offset = 0
    buffers[newest % segments] ??= Buffer.allocUnsafeSlow(SEGMENT)
    used[newest % segments] = 0
  }
  const has = (position: number) => {
    const segment = Math.floor(position / SEGMENT)
    return segment <= newest && segment > newest - segments && position % SEGMENT < (used[segment % segments] ?? 0)
  }
  const write = (text: string): number => {
    // Counting bytes takes as long as writing them, so count only when the text might not fit.
    if (buffers.length === 0 || offset + HEAD + MAX_BYTES * text.length > SEGMENT) {
      const length = Buffer.byteLength(text)
      if (length + HEAD > SEGMENT) return write(text.slice(0, SEGMENT / (2 * MAX_BYTES)))
      if (buffers.length === 0 || offset + HEAD + length > SEGMENT) begin()
    }
    const buffer = buffers[newest % segments]
    if (!buffer) throw new Error('a started segment is missing')
    const position = newest * SEGMENT + offset
    const length = buffer.write(text, offset + HEAD)
    buffer.writeUInt32LE(length, offset)
    offset += HEAD + length
    used[newest % segments] = offset
    return position
  }
  return {
    get bytes() {
      return used.reduce((sum, one) => sum + one, 0)
    },
    has,
    write,
    read(position) {
      const buffer = buffers[Math.floor(position / SEGMENT) % segments]
      if (!buffer || !has(position)) return undefined
      const at = position % SEGMENT
      return buffer.toString('utf8', at + HEAD, at + HEAD + buffer.readUInt32LE(at))
    },
  }
}
