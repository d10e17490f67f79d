import type { Answers, BehaviourId } from './answers.ts'
import type { Behaviours } from './behaviours.ts'

/** The ledger as one request sees it: asking a row records that the answer leaned on it. */
export interface Leaning {
  /** The answer of a row, which is recorded. */
  ask<Id extends BehaviourId>(id: Id): Answers[Id]
  /** Records rows without asking them. */
  lean(...ids: readonly BehaviourId[]): void
  /** To be read without recording: for what a row says only in a case that has not come up. */
  readonly answers: Answers
  /** The ids that were recorded and are not documented, each once, in the order of the ledger. */
  rows(): string[]
}

/**
 * A record for one request, empty at first. It is one bit a row, for it is made and written to on every request.
 *
 * @example
 * const leaning = createLeaning(behaviours)
 * if (leaning.ask('limit.zero') === 'error') throw limitZero()
 * leaning.rows() // ['limit.zero']
 */
export function createLeaning({ answers, ledger, places }: Behaviours): Leaning {
  const bits = new Uint32Array((ledger.rows.length + 31) >>> 5)
  const record = (id: BehaviourId): void => {
    const place = places[id] ?? -1
    if (place >= 0) bits[place >>> 5] = (bits[place >>> 5] ?? 0) | (1 << (place & 31))
  }
  return {
    answers,
    ask: (id) => {
      record(id)
      return answers[id]
    },
    lean: (...ids) => ids.forEach(record),
    rows: () => {
      const ids: string[] = []
      bits.forEach((word, at) => {
        for (let rest = word; rest !== 0; rest &= rest - 1) {
          const row = ledger.rows[at * 32 + 31 - Math.clz32(rest & -rest)]
          if (row !== undefined) ids.push(row.id)
        }
      })
      return ids
    },
  }
}
