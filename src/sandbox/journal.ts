import type { Exchanged } from './exchanged.ts'
import { sizeOf } from './exchanged.ts'
import { createRoom, type Room } from './room.ts'

/** What was asked of a sandbox and what it answered: its latest exchanges, the oldest first. */
export interface Journal {
  readonly exchanges: readonly Exchanged[]
  readonly size: number
  /** The id of the latest exchange that was made, kept or not; 0 before the first. */
  readonly last: number
  /** How many exchanges after an id are gone because there was no more room for them. Those that were cleared do not count. */
  forgottenAfter(id: number): number
  find(id: number): Exchanged | undefined
  /** Keeps an exchange, whose id is the one after `last`. */
  record(exchange: Exchanged): void
  /** Empties it; ids go on. Answers how many exchanges were removed. */
  clear(): number
}

/** The journals of a process, which share their room. */
export interface Journals {
  create(): Journal
  /** What all of them take together, in bytes, by estimate. */
  readonly bytes: number
}

/** As many of each sandbox are kept. */
export const MOST_EXCHANGES = 1000

/** Bytes of a process: for the bodies of answers, and for all else. 16 MiB together. */
const MOST_OF_ANSWERS = 8 * 2 ** 20
const MOST_OF_REST = 8 * 2 ** 20

/** The engine's bookkeeping of an exchange: its members, the list of its headers, the request's id. */
const OVERHEAD = 600

/** An exchange in the journals' own hands. */
interface Entry {
  readonly exchange: OwnedExchanged
  /** Bytes without the answer's body. */
  readonly size: number
  readonly answerSize: number
  readonly home: Home
  isGone: boolean
}

interface OwnedExchanged extends Exchanged {
  answerBody: Exchanged['answerBody']
  isAnswerForgotten: boolean
}

/** What a journal keeps. */
interface Home {
  entries: Entry[]
  forgottenUpTo: number
}

/**
 * Each journal keeps its last 1,000 exchanges, so that a busy sandbox does not push out those of a quiet one, and all together
 * keep within 16 MiB: there the oldest of the process makes room, first its answer's body, which is most of it, and then itself.
 */
export function createJournals(): Journals {
  const answers = createRoom<Entry>({
    most: MOST_OF_ANSWERS,
    sizeOf: ({ answerSize }) => answerSize,
    isIn: ({ isGone, exchange }) => !isGone && exchange.answerBody !== undefined,
    makeRoom(entry) {
      answers.leave(entry)
      entry.exchange.answerBody = undefined
      entry.exchange.isAnswerForgotten = true
    },
  })
  const rest = createRoom<Entry>({
    most: MOST_OF_REST,
    sizeOf: ({ size }) => size,
    isIn: ({ isGone }) => !isGone,
    makeRoom: (entry) => forget(entry),
  })
  const remove = (entry: Entry) => {
    entry.isGone = true
    rest.leave(entry)
    if (entry.exchange.answerBody !== undefined) answers.leave(entry)
  }
  /** The oldest of its journal, for that one comes before all others of it in every queue. */
  const forget = (entry: Entry) => {
    remove(entry)
    entry.home.entries.shift()
    entry.home.forgottenUpTo = entry.exchange.id
  }
  return {
    get bytes() {
      return answers.bytes + rest.bytes
    },
    create: () => createJournal({ forget, remove, answers, rest }),
  }
}

interface Hands {
  forget(entry: Entry): void
  remove(entry: Entry): void
  readonly answers: Room<Entry>
  readonly rest: Room<Entry>
}

function createJournal({ forget, remove, answers, rest }: Hands): Journal {
  const home: Home = { entries: [], forgottenUpTo: 0 }
  let last = 0
  let clearedUpTo = 0
  return {
    get exchanges() {
      return home.entries.map(({ exchange }) => exchange)
    },
    get last() {
      return last
    },
    forgottenAfter: (id) => Math.max(0, home.forgottenUpTo - Math.max(id, clearedUpTo)),
    get size() {
      return home.entries.length
    },
    // Only the oldest ever leave, so those that are kept have ids without gaps.
    find: (id) => home.entries[id - (home.entries[0]?.exchange.id ?? 0)]?.exchange,
    record(exchange) {
      last = exchange.id
      const answerSize = sizeOf(exchange.answerBody)
      const entry: Entry = { exchange, size: sizeOfRest(exchange), answerSize, home, isGone: false }
      home.entries.push(entry)
      const [oldest] = home.entries
      if (home.entries.length > MOST_EXCHANGES && oldest) forget(oldest)
      rest.add(entry)
      if (exchange.answerBody !== undefined) answers.add(entry)
    },
    clear() {
      const { entries } = home
      entries.forEach(remove)
      home.entries = []
      clearedUpTo = last
      return entries.length
    },
  }
}

function sizeOfRest(exchange: Exchanged): number {
  const { url, requestHeaders, answerHeaders, requestBody, problem, next, issues } = exchange
  let size = OVERHEAD + url.length + sizeOf(requestBody) + (problem?.length ?? 0) + (next?.length ?? 0)
  for (const text of requestHeaders) size += text.length
  for (const text of answerHeaders) size += text.length
  for (const { message, expected } of issues) size += 2 * (message.length + expected.length)
  return size
}
