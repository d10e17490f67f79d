import { type Exchanged, keepText } from './exchanged.ts'
import { packExchange, unpackExchange } from './pack-exchange.ts'
import { createTextRing, type TextRing } from './text-ring.ts'

/** What was asked of a sandbox and what it answered: its latest exchanges, the oldest first. */
export interface Journal {
  readonly exchanges: readonly Exchanged[]
  readonly size: number
  /** The id of the latest exchange that was made, kept or not; 0 before the first. */
  readonly last: number
  /** How many exchanges after an id are gone because there was no more room for them. Those that were cleared do not count. */
  forgottenAfter(id: number): number
  find(id: number): Exchanged | undefined
  /** Those after an id that are kept now, one by one; undefined for one that made room meanwhile. */
  after(id: number): Generator<Exchanged | undefined>
  /** Keeps an exchange, whose id is the one after `last`. */
  record(exchange: Exchanged): void
  /** Empties it; ids go on. Answers how many exchanges were removed. */
  clear(): number
}

/** The journals of a process, which share their room. */
export interface Journals {
  create(): Journal
  /** What all of them take together. What was cleared is in it until it is written over. */
  readonly bytes: number
}

/** As many of each sandbox are kept. */
export const MOST_EXCHANGES = 1000

/** Mebibytes of a process: for the bodies of answers, and for all else. */
const ROOM_FOR_ANSWERS = 8
const ROOM_FOR_REST = 8

/**
 * Each journal keeps its last 1,000 exchanges, so that a busy sandbox does not push out those of a quiet one, and all together
 * keep within 16 MiB: there the oldest of the process makes room. The bodies of answers, which are most of an exchange, have a
 * room of their own, so they go first.
 */
export function createJournals(): Journals {
  const shelf = createLruCache()
  return {
    get bytes() {
      shelf.settle()
      return shelf.answers.bytes + shelf.rest.bytes
    },
    create: () => createJournal(shelf),
  }
}

/** Where the journals of a process keep their exchanges. */
interface LruCache {
  readonly answers: TextRing
  readonly rest: TextRing
  /** Keeps an exchange, and tells its place among the places of its journal: soon, or when it is settled. */
  put(exchange: Exchanged, places: number[]): void
  /** To be called before anything is looked for. */
  settle(): void
}

/**
 * Exchanges are packed some at a time. Between two requests the machine does so much else that code and data are out of its
 * nearest memory, and packing one takes four times as long as packing the next one after it.
 */
const MOST_WAITING = 32
/** Characters of bodies of answers that wait. */
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
  /** Where each exchange is kept, in the slot that its id has. */
  const places: number[] = []
  let last = 0
  let clearedUpTo = 0
  /** Places only grow, so all exchanges after the first that is kept are kept too. */
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
