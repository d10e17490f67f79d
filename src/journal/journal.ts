import { type Exchanged, keepText } from './exchanged.ts'
import { packExchange, unpackExchange } from './pack-exchange.ts'
import { createTextRing, type TextRing } from './text-ring.ts'

/** The latest requests and responses of a sandbox, oldest first. */
export interface Journal {
  readonly exchanges: readonly Exchanged[]
  readonly size: number
  /** The id of the latest exchange, kept or not; 0 before the first. */
  readonly last: number
  /** How many exchanges after an id were dropped to make room. Cleared ones do not count. */
  forgottenAfter(id: number): number
  find(id: number): Exchanged | undefined
  /** The kept exchanges after an id, one by one; undefined for one that was dropped meanwhile. */
  after(id: number): Generator<Exchanged | undefined>
  /** Adds an exchange with the id after `last`. */
  record(exchange: Exchanged): void
  /** Removes all exchanges and returns how many; ids continue. */
  clear(): number
  /** Bytes of all journals of the process. Cleared exchanges count until they are overwritten. */
  readonly sharedBytes: number
}

/** How many exchanges a sandbox keeps. */
export const MOST_EXCHANGES = 1000

/** MiB of a process for response bodies, and for everything else. */
const ROOM_FOR_ANSWERS = 8
const ROOM_FOR_REST = 8

/**
 * Each journal keeps its last 1,000 exchanges, so a busy sandbox does not evict those of a quiet one. All journals share 16 MiB; the
 * oldest exchange of the process is dropped first. Response bodies, the largest part, have their own limit, so they go first.
 */
export function createJournals(): () => Journal {
  const shelf = createLruCache()
  return () => createJournal(shelf)
}

/** Where the journals of a process keep their exchanges. */
interface LruCache {
  readonly answers: TextRing
  readonly rest: TextRing
  /** Stores an exchange and its position in `places`, at the latest when settled. */
  put(exchange: Exchanged, places: number[]): void
  /** Call it before looking anything up. */
  settle(): void
}

/**
 * Exchanges are packed in batches. Between two requests the code and data leave the CPU caches, so packing one at a time costs four
 * times as much.
 */
const MOST_WAITING = 32
/** Characters of response bodies waiting to be packed. */
const LONGEST_WAITING = 262_144

function createLruCache(): LruCache {
  const answers = createTextRing(ROOM_FOR_ANSWERS)
  const rest = createTextRing(ROOM_FOR_REST)
  let waiting: { readonly exchange: Exchanged; readonly places: number[] }[] = []
  let length = 0
  const settle = () => {
    for (const { exchange, places } of waiting) {
      const { id, answerBody } = exchange
      const answerPlace = answerBody === undefined ? -1 : answers.write(keepText(answerBody))
      places[id % MOST_EXCHANGES] = rest.write(packExchange(exchange, answerPlace))
    }
    waiting = []
    length = 0
  }
  return {
    answers,
    rest,
    settle,
    put(exchange, places) {
      waiting.push({ exchange, places })
      length += exchange.answerBody?.length ?? 0
      if (waiting.length >= MOST_WAITING || length > LONGEST_WAITING) settle()
    },
  }
}

function createJournal({ answers, rest, put, settle }: LruCache): Journal {
  /** The position of each exchange, in the slot of its id. */
  const places: number[] = []
  let last = 0
  let clearedUpTo = 0
  /** Positions only grow, so all exchanges after the first kept one are kept too. */
  const first = () => {
    settle()
    let id = Math.max(clearedUpTo, last - MOST_EXCHANGES) + 1
    while (id <= last && !rest.has(places[id % MOST_EXCHANGES] ?? -1)) id++
    return id
  }
  const find = (id: number) => {
    if (id <= Math.max(clearedUpTo, last - MOST_EXCHANGES) || id > last) return undefined
    settle()
    const text = rest.read(places[id % MOST_EXCHANGES] ?? -1)
    return text === undefined ? undefined : unpackExchange(text, answers.read)
  }
  const size = () => last - first() + 1
  return {
    get sharedBytes() {
      settle()
      return answers.bytes + rest.bytes
    },
    get exchanges() {
      const start = first()
      return Array.from({ length: last - start + 1 }, (_, index) => find(start + index)).filter(
        (one) => one !== undefined,
      )
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
      put(exchange, places)
    },
    clear() {
      const removed = size()
      clearedUpTo = last
      return removed
    },
  }
}
