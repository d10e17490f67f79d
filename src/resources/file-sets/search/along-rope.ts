import { type Automaton, LOST, MOST_STATES } from './automaton.ts'
import { codeOf, type Codes, NO_CODES, type Piece, reader, type Rope } from '../store/columns.ts'

/** Up to this many strings are tested one by one; a caller that tests more probably tests all. */
const MOST_SINGLY = 4096

/**
 * Whether an automaton accepts a string of a rope, by its number. The transition of each piece from each state is cached, so a string
 * costs one lookup per piece. After many tests strings are tested in blocks, piece by piece, which is faster.
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
  let judged: Judged | undefined
  return (at) => {
    if (judged) return judged.accepts(at)
    if (++asked > MOST_SINGLY) judged = createJudged(automaton, steps, count, verdict)
    let state = automaton.start
    for (const step of steps) state = step.follow(state, codeOf(step.piece, at))
    return verdict(state, at)
  }
}

/** The transitions of a piece, filled on demand: `table[rows[state] + code]`. */
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

/** Verdicts on the strings of a rope, one block at a time when its first string is tested. */
interface Judged {
  accepts(at: number): boolean
}

/** Strings tested together: few enough not to hold the event loop, and to stay in the CPU cache. */
const BLOCK = 4096
/** The same where each string is followed on its own, which is slow and gains nothing from larger blocks. */
const SMALL_BLOCK = 64

const REFUSED = 1
const ACCEPTED = 2

function createJudged(
  automaton: Automaton,
  steps: readonly Step[],
  count: number,
  verdict: (state: number, at: number) => boolean,
): Judged {
  // 0 where nothing is known.
  const verdicts = new Uint8Array(count)
  const tables = tabulate(automaton, steps, count)
  const rows = new Int32Array(BLOCK)
  const block = tables ? BLOCK : SMALL_BLOCK
  const judge = (from: number) => {
    const to = Math.min(count, from + block)
    if (tables) {
      lookUp(tables, rows, from, to - from)
      for (let at = from; at < to; at++) verdicts[at] = REFUSED + (rows[at - from] ?? 0)
    } else
      for (let at = from; at < to; at++) {
        let state = automaton.start
        for (const step of steps) state = step.follow(state, codeOf(step.piece, at))
        verdicts[at] = verdict(state, at) ? ACCEPTED : REFUSED
      }
  }
  return {
    accepts(at) {
      if (verdicts[at] === 0) judge(at - (at % block))
      return verdicts[at] === ACCEPTED
    },
  }
}

/** The transitions of a piece, by row: `leads[row + code]` is the row of the next table, and in the last one the verdict. */
interface Table {
  readonly codes: Codes
  readonly leads: Int32Array
}

/** Computes all transitions of all pieces; undefined if that is more work than following the strings. */
function tabulate(automaton: Automaton, steps: readonly Step[], count: number): Table[] | undefined {
  const found: { readonly piece: Piece; readonly next: Int16Array; readonly rows: Map<number, number> }[] = []
  let states = [automaton.start]
  for (const step of steps) {
    const { piece } = step
    if (states.includes(LOST) || states.length * piece.count > count / 16) return undefined
    const next = new Int16Array(states.length * piece.count)
    const rows = new Map(states.map((state, index) => [state, index * piece.count]))
    for (const [state, row] of rows)
      for (let code = 0; code < piece.count; code++) next[row + code] = step.follow(state, code)
    found.push({ piece, next, rows })
    states = [...new Set(next)]
  }
  if (states.includes(LOST)) return undefined
  return found.map(({ piece, next }, index) => {
    const following = found[index + 1]
    const lead = (state: number) => (following ? (following.rows.get(state) ?? 0) : Number(automaton.accepts(state)))
    return { codes: piece.codes ?? NO_CODES, leads: Int32Array.from(next, lead) }
  })
}

function lookUp(tables: readonly Table[], rows: Int32Array, from: number, size: number): void {
  rows.fill(0)
  for (const { codes, leads } of tables)
    for (let at = 0; at < size; at++) rows[at] = leads[(rows[at] ?? 0) + (codes[from + at] ?? 0)] ?? 0
}
