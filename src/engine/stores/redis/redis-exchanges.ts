import { type ExchangeStore, MAX_STORED, MAX_STORED_LENGTH } from '../exchange-store.ts'
import type { Connection } from './connection.ts'
import { ADD, BEGIN, CLEAR, LOOK, READ_EXCHANGES } from './exchange-scripts.ts'

/** The keys of a stream that have its exchanges. */
export interface ExchangeKeys {
  image(stream: string): string
  writers(stream: string): string
  waiting(stream: string): string
  journal(stream: string): string
  /** The round that a writer added last. */
  added(stream: string, writer: string): string
}

interface ExchangeParts {
  readonly keys: ExchangeKeys
  /** A name that no other process has. */
  readonly self: string
  /** Whether the end of the server loses nothing that it acknowledged. */
  readonly isDurable: boolean
  again<Answer>(ask: () => Promise<Answer>): Promise<Answer>
}

type JournalEntry = readonly [id: string, fields: readonly [name: string, member: string]]

export function createRedisExchanges(connection: Connection, parts: ExchangeParts): ExchangeStore {
  const { keys, self, isDurable, again } = parts
  let writers = 0
  let members = 0
  return {
    isTimed: true,
    join: () => `${self}-${++writers}`,
    async begin(stream, writer, round) {
      await again(() => connection.run(BEGIN, [keys.image(stream), keys.writers(stream)], [writer, round]))
    },
    async add(stream, { writer, round, isOver, isLossy, exchanges }) {
      const used = [keys.image(stream), keys.writers(stream), keys.waiting(stream), keys.journal(stream)]
      const flags = [isOver ? 1 : 0, isLossy ? 1 : 0, MAX_STORED, MAX_STORED_LENGTH]
      const sent = exchanges.flatMap(({ moment, text }) => [
        moment,
        `${writer} ${String(++members).padStart(12, '0')} ${text}`,
      ])
      const values = [writer, round, ...flags, ...sent]
      return Number(await again(() => connection.run(ADD, [...used, keys.added(stream, writer)], values)))
    },
    async look(stream) {
      const found = await again(() => connection.run(LOOK, [keys.image(stream), keys.writers(stream)], []))
      if (!found) return undefined
      const [moment, working, isLossy, isRestarted] = found as [string, string[], 0 | 1, 0 | 1]
      const doubt = isLossy === 1 ? LOSSY : isRestarted === 1 && !isDurable ? RESTARTED : undefined
      return { moment: Number(moment), working: new Map(roundsIn(working)), doubt }
    },
    async read(stream, until, after) {
      const used = [keys.image(stream), keys.waiting(stream), keys.journal(stream)]
      const found = await again(() => connection.run(READ_EXCHANGES, used, [until, after]))
      if (!found) return undefined
      const [last, clearedUpTo, uncoveredUpTo, entries] = found as [unknown, unknown, unknown, JournalEntry[]]
      return {
        exchanges: entries.map(([id, [, member]]) => ({ number: Number(id.slice(2)), text: textOf(member) })),
        last: Number(last),
        clearedUpTo: Number(clearedUpTo),
        uncoveredUpTo: Number(uncoveredUpTo),
      }
    },
    async clear(stream, what, gone) {
      const used = [keys.image(stream), keys.waiting(stream), keys.journal(stream), keys.writers(stream)]
      await again(() => connection.run(CLEAR, used, [what, ...gone]))
    },
  }
}

const LOSSY = 'A replica had no room for exchanges while the store was away.'
const RESTARTED =
  'The server of the store was restarted since the journal began, and without appendfsync always it may have lost exchanges.'

function roundsIn(fields: readonly string[]): (readonly [string, number])[] {
  return fields.flatMap((writer, at) => (at % 2 === 0 ? [[writer, Number(fields[at + 1])] as const] : []))
}

/** Without the writer and the number. */
function textOf(member: string): string {
  return member.slice(member.indexOf(' ', member.indexOf(' ') + 1) + 1)
}
