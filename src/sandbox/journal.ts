import type { Exchanged } from './exchanged.ts'
import { sizeOf } from './exchanged.ts'
import { createRoom, type Place, type Room } from './room.ts'

/** What was asked of a sandbox and what it answered: its latest exchanges, the oldest first. */
export interface Journal {
  readonly exchanges: readonly Exchanged[]
  readonly size: number
  /** The id of the latest exchange that was made, kept or not; 0 before the first. */
  readonly last: number
  /** How many exchanges after an id are gone because there was no more room for them. Those that were cleared do not count. */
  forgottenAfter(id: number): number
  find(id: number): Exchanged | undefined
  /** Keeps an exchange, whose id is the one after `last`; it belongs to the journal from then on. */
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

/** An exchange in the journals' own hands, and where it is in the rooms that they share. */
interface Entry {
  readonly exchange: OwnedExchanged
  readonly home: Home
  /** Of the answer's body; undefined when there is none, or no more. */
  inAnswers: Place<Entry> | undefined
  inRest: Place<Entry> | undefined
}

interface OwnedExchanged extends Exchanged {
  requestHeaders: Exchanged['requestHeaders']
  answerBody: Exchanged['answerBody']
  isAnswerForgotten: boolean
}

/** What a journal keeps: the entries from `first` to `last`, each in the slot that its id has. */
interface Home {
  readonly slots: (Entry | undefined)[]
  first: number
  last: number
}

function entryOf({ slots, first, last }: Home, id: number): Entry | undefined {
  return id >= first && id <= last ? slots[id % MOST_EXCHANGES] : undefined
}

/**
 * Each journal keeps its last 1,000 exchanges, so that a busy sandbox does not push out those of a quiet one, and all together
 * keep within 16 MiB: there the oldest of the process makes room, first its answer's body, which is most of it, and then itself.
 */
export function createJournals(): Journals {
  const forgetAnswer = (entry: Entry) => {
    const { exchange, inAnswers } = entry
    if (!inAnswers) return
    answers.leave(inAnswers)
    entry.inAnswers = undefined
    exchange.answerBody = undefined
    exchange.isAnswerForgotten = true
  }
  const remove = (entry: Entry) => {
    forgetAnswer(entry)
    if (entry.inRest) rest.leave(entry.inRest)
  }
  /** The oldest of its journal, for that one comes before all others of it in every room. */
  const forget = (entry: Entry) => {
    const { home, exchange } = entry
    remove(entry)
    home.slots[exchange.id % MOST_EXCHANGES] = undefined
    home.first = exchange.id + 1
  }
  const answers = createRoom(MOST_OF_ANSWERS, forgetAnswer)
  const rest = createRoom(MOST_OF_REST, forget)
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
  const home: Home = { slots: [], first: 1, last: 0 }
  let clearedUpTo = 0
  const entries = () => {
    const ids = Array.from({ length: home.last - home.first + 1 }, (_, index) => home.first + index)
    return ids.map((id) => entryOf(home, id)).filter((entry) => entry !== undefined)
  }
  return {
    get exchanges() {
      return entries().map(({ exchange }) => exchange)
    },
    get size() {
      return home.last - home.first + 1
    },
    get last() {
      return home.last
    },
    forgottenAfter: (id) => Math.max(0, home.first - 1 - Math.max(id, clearedUpTo)),
    find: (id) => entryOf(home, id)?.exchange,
    record(given) {
      const exchange: OwnedExchanged = given
      const before = entryOf(home, home.last)?.exchange
      if (before) exchange.requestHeaders = share(before.requestHeaders, exchange.requestHeaders)
      const inTheWay = home.slots[exchange.id % MOST_EXCHANGES]
      if (inTheWay) forget(inTheWay)
      const entry: Entry = { exchange, home, inAnswers: undefined, inRest: undefined }
      home.slots[exchange.id % MOST_EXCHANGES] = entry
      home.last = exchange.id
      entry.inRest = rest.add(entry, sizeOfRest(exchange))
      if (exchange.answerBody !== undefined) entry.inAnswers = answers.add(entry, sizeOf(exchange.answerBody))
    },
    clear() {
      const removed = entries()
      removed.forEach(remove)
      home.slots.length = 0
      home.first = home.last + 1
      clearedUpTo = home.last
      return removed.length
    },
  }
}

/**
 * A client sends nearly the same headers each time, and the engine makes new texts of them each time. Those that are equal to the
 * last ones are taken from there, so the new ones need not be kept: of what is kept on every request they are the larger part.
 */
function share(before: readonly string[], headers: readonly string[]): readonly string[] {
  let isSame = before.length === headers.length
  for (let at = 0; isSame && at < headers.length; at++) isSame = before[at] === headers[at]
  return isSame ? before : headers.map((text, at) => (text === before[at] ? (before[at] ?? text) : text))
}

function sizeOfRest(exchange: Exchanged): number {
  const { url, requestHeaders, answerHeaders, requestBody, problem, next, issues } = exchange
  let size = OVERHEAD + url.length + sizeOf(requestBody) + (problem?.length ?? 0) + (next?.length ?? 0)
  for (const text of requestHeaders) size += text.length
  for (const text of answerHeaders) size += text.length
  for (const { message, expected } of issues) size += 2 * (message.length + expected.length)
  return size
}
