import type { BehaviourSettings, BehaviourId } from './settings.ts'
import type { Behaviours } from './behaviours.ts'
import type { BehaviourCatalog } from './catalog.ts'

/** The behaviour catalogue as one request sees it: asking a row records that the answer depended on it. */
export interface BehaviourTracker {
  /** The answer of a row, which is recorded. */
  ask<Id extends BehaviourId>(id: Id): BehaviourSettings[Id]
  /** Records rows without asking them. */
  note(...ids: readonly BehaviourId[]): void
  /** To be read without recording: for what a row says only in a case that has not come up. */
  readonly answers: BehaviourSettings
  /**
   * The recorded behaviours, each once, in the order of the catalogue. A documented behaviour is listed only when its setting is
   * not the default.
   */
  rows(): UsedBehaviours
  /** Makes something and tells which behaviours that recorded, for `repeat` to record them when the same is used again. */
  record<Made>(make: () => Made): Recorded<Made>
  repeat(recorded: Recorded<unknown>): void
}

/** Something that was made, and the behaviours that it depends on. */
export interface Recorded<Made> {
  readonly made: Made
  readonly bits: Uint32Array
}

/** The rows that an answer depended on. */
export interface UsedBehaviours {
  readonly ids: readonly string[]
  /** As `X-Mock-Behaviours` has them: `limit.zero, page.last`; the empty string for none. */
  readonly text: string
}

/**
 * A record for one request, empty at first. It is one bit a row, for it is made and written to on every request.
 *
 * @example
 * const tracker = createBehaviourTracker(behaviours)
 * if (tracker.ask('limit.zero') === 'error') throw limitZero()
 * tracker.rows().ids // ['limit.zero']
 */
export function createBehaviourTracker(behaviours: Behaviours): BehaviourTracker {
  const { answers, ledger, places } = behaviours
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
    note: (...ids) => {
      for (const id of ids) record(id)
    },
    rows: () => findRows(bits, ledger),
    record(make) {
      const before = bits.slice()
      bits.fill(0)
      try {
        const made = make()
        return { made, bits: bits.slice() }
      } finally {
        addBits(bits, before)
      }
    },
    repeat: (recorded) => addBits(bits, recorded.bits),
  }
}

function addBits(bits: Uint32Array, added: Uint32Array): void {
  for (let at = 0; at < bits.length; at++) bits[at] = (bits[at] ?? 0) | (added[at] ?? 0)
}

interface KnownBehaviours extends UsedBehaviours {
  readonly bits: Uint32Array
}

/**
 * Most answers depend on the same few combinations of rows, so those that came up are kept for each catalogue, by a hash of their
 * bits. Of two with one hash the later is kept.
 */
const knownBehaviours = new WeakMap<BehaviourCatalog, Map<number, KnownBehaviours>>()
const MOST_KNOWN = 1024

function findRows(bits: Uint32Array, ledger: BehaviourCatalog): UsedBehaviours {
  const known = knownBehaviours.get(ledger) ?? new Map<number, KnownBehaviours>()
  let hash = 0
  for (const word of bits) hash = Math.imul(hash ^ word, 0x9e3779b1) ^ (hash >>> 15)
  const found = known.get(hash)
  if (found?.bits.every((word, at) => word === bits[at])) return found
  const ids = idsOf(bits, ledger)
  const rows = { ids, text: ids.join(', '), bits: bits.slice() }
  if (known.size >= MOST_KNOWN) known.clear()
  known.set(hash, rows)
  knownBehaviours.set(ledger, known)
  return rows
}

function idsOf(bits: Uint32Array, { rows }: BehaviourCatalog): string[] {
  const ids: string[] = []
  bits.forEach((word, at) => {
    for (let rest = word; rest !== 0; rest &= rest - 1) {
      const row = rows[at * 32 + 31 - Math.clz32(rest & -rest)]
      if (row !== undefined) ids.push(row.id)
    }
  })
  return ids
}
