import { type Automaton, LOST, MOST_STATES } from './automaton.ts'
import { codeOf, type Piece, reader, type Rope } from './rope.ts'

/** So many texts are judged one by one; whoever asks for more is likely to ask for all. */
const MOST_SINGLY = 4096

/**
 * Whether an automaton accepts a text of a rope, by its number. Where a piece leads from a state is remembered, so a text costs a
 * lookup for each piece; and somebody who asks for many gets all judged at once, piece after piece, which is several times quicker.
 */
export function alongRope(automaton: Automaton, rope: Rope): (at: number) => boolean {
  const textAt = reader(rope)
  if (rope.length === 0) return () => false
  if (!rope.every(({ isShared }) => isShared)) return (at) => automaton.matches(textAt(at) ?? '')
  const steps = rope.map((piece) => createStep(automaton, piece))
  const verdict = (state: number, at: number) =>
    state === LOST ? automaton.matches(textAt(at) ?? '') : automaton.accepts(state)
  const count = Math.max(...rope.map(({ codes }) => codes?.length ?? 0))
  let asked = count > MOST_SINGLY ? 0 : -Infinity
  let verdicts: Uint8Array | undefined
  return (at) => {
    if (verdicts) return verdicts[at] === 1
    if (++asked > MOST_SINGLY) verdicts = judgeAll(automaton, steps, count, verdict)
    let state = automaton.start
    for (const step of steps) state = step.follow(state, codeOf(step.piece, at))
    return verdict(state, at)
  }
}

/** A piece and where it leads: `table[rows[state] + code]`, filled as it is asked for. */
interface Step {
  readonly piece: Piece
  /** By state: where its row begins, or -1 when it has none yet. */
  readonly rows: Int32Array
  table: Int16Array
  follow(state: number, code: number): number
}

const UNKNOWN = -2

function createStep(automaton: Automaton, piece: Piece): Step {
  let used = 0
  return {
    piece,
    rows: new Int32Array(MOST_STATES).fill(-1),
    table: new Int16Array(piece.count).fill(UNKNOWN),
    follow(state, code) {
      if (state === LOST) return LOST
      let row = this.rows[state] ?? -1
      if (row < 0) {
        row = this.rows[state] = used
        used += piece.count
        if (used > this.table.length) this.table = grown(this.table)
      }
      const known = this.table[row + code] ?? UNKNOWN
      return known === UNKNOWN ? (this.table[row + code] = automaton.advance(state, piece.text(code))) : known
    },
  }
}

function grown(table: Int16Array): Int16Array {
  const larger = new Int16Array(table.length * 2).fill(UNKNOWN)
  larger.set(table)
  return larger
}

/** All texts piece by piece: 1 where the automaton accepts. The loop does nothing but look up, for it is run a million times. */
function judgeAll(
  automaton: Automaton,
  steps: readonly Step[],
  count: number,
  verdict: (state: number, at: number) => boolean,
): Uint8Array {
  const states = new Int16Array(count).fill(automaton.start)
  for (const step of steps) {
    const { piece, rows } = step
    const codes = piece.codes ?? new Uint8Array(0)
    let { table } = step
    for (let at = 0; at < count; at++) {
      const state = states[at] ?? LOST
      const code = codes[at] ?? 0
      const row = state < 0 ? -1 : (rows[state] ?? -1)
      const known = row < 0 ? UNKNOWN : (table[row + code] ?? UNKNOWN)
      if (known === UNKNOWN) {
        states[at] = step.follow(state, code)
        table = step.table
      } else states[at] = known
    }
  }
  const accepting = Uint8Array.from({ length: MOST_STATES }, (_, state) => Number(automaton.accepts(state)))
  const verdicts = new Uint8Array(count)
  for (let at = 0; at < count; at++) {
    const state = states[at] ?? LOST
    verdicts[at] = state < 0 ? Number(verdict(state, at)) : (accepting[state] ?? 0)
  }
  return verdicts
}
