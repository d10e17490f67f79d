import type { Steps } from '../../../engine/slices.ts'
import { codeOf, type Codes, NO_CODES, type Piece, type Pieces } from './columns.ts'

/** One element of a pattern: a character, as a code point; any one character; any run of characters. */
export type Atom = number
export const ANY = -1
export const RUN = -2

/** Reads texts, piece by piece if need be. States are small numbers; 0 is the first. */
export interface Automaton {
  /** The state after a text, or `LOST` when there are too many states to remember. */
  advance(state: number, text: string): number
  accepts(state: number): boolean
  /** Whether it accepts a whole text, however many states that takes. */
  matches(text: string): boolean
}

const LOST = -1
const UNKNOWN = -2
/** A request can ask for patterns that have more states than there are atoms. */
const MAX_STATES = 1024

/**
 * A finite automaton for all patterns of a LIKE at once, which reads each character of a text once. A state says which positions of
 * the patterns are reached, one bit each (Glushkov's construction). States are created when a text first reaches them, so a search of
 * a million names creates a few dozen.
 *
 * @param patterns each as atoms; a text matches when all of it is like one of them
 * @param normal what of a character counts, as a code point: itself, or its folded form
 */
export function createAutomaton(
  patterns: readonly (readonly Atom[])[],
  normal: (codePoint: number) => number,
): Automaton {
  const { first, staying, final, wild, masks } = readPatterns(patterns)
  const maskOf = [wild, ...masks.values()]
  const step = (bits: bigint, kind: number) => ((bits & (maskOf[kind] ?? wild)) << 1n) | (bits & staying)
  const { kindOf, ascii } = createClasses(masks.keys(), normal)
  const width = maskOf.length
  const states = createStates(width, final, staying)
  states.intern(first)
  const follow = (state: number, kind: number): number => {
    const next = states.intern(step(states.bits[state] ?? 0n, kind))
    return (states.table[state * width + kind] = next)
  }
  const advance = (from: number, text: string): number => {
    let state = from
    for (let at = 0; at < text.length; at++) {
      if (state === LOST || ((states.verdicts[state] ?? 0) & SETTLED) !== 0) return state
      let kind = ascii[text.charCodeAt(at)]
      if (kind === undefined) {
        const codePoint = text.codePointAt(at) ?? 0
        if (codePoint > 0xffff) at++
        kind = kindOf(codePoint)
      }
      const next = states.table[state * width + kind] ?? UNKNOWN
      state = next === UNKNOWN ? follow(state, kind) : next
    }
    return state
  }
  const accepts = (state: number) => ((states.verdicts[state] ?? 0) & ACCEPTS) !== 0
  return {
    advance,
    accepts,
    matches(text) {
      const end = advance(0, text)
      if (end !== LOST) return accepts(end)
      let bits = first
      for (const character of text) bits = step(bits, kindOf(character.codePointAt(0) ?? 0))
      return (bits & final) !== 0n
    },
  }
}

/** By code point: the class of a character. Those that no pattern has are of class 0. */
function createClasses(characters: Iterable<number>, normal: (codePoint: number) => number) {
  const classes = new Map(Array.from(characters, (character, at) => [character, at + 1]))
  const kindOf = (codePoint: number) => classes.get(normal(codePoint)) ?? 0
  return { kindOf, ascii: Uint16Array.from({ length: 128 }, (_, codePoint) => kindOf(codePoint)) }
}

/** What is known of a state. */
const ACCEPTS = 1
/** Nothing that follows can change whether it accepts. */
const SETTLED = 2

/** The states met so far, and in `table` the next ones: those of state `s` begin at `s * width`, by class of character. */
function createStates(width: number, final: bigint, staying: bigint) {
  const known = new Map<bigint, number>()
  const states = {
    bits: [] as bigint[],
    verdicts: new Uint8Array(MAX_STATES),
    table: new Int16Array(16 * width).fill(UNKNOWN),
    /** The number of a state, or `LOST` when there are too many. */
    intern(bits: bigint): number {
      const old = known.get(bits)
      if (old !== undefined) return old
      const state = states.bits.length
      if (state >= MAX_STATES) return LOST
      states.bits.push(bits)
      known.set(bits, state)
      // A state that stays where it matches matches for ever, and one without positions never will.
      const isSettled = bits === 0n || (bits & final & staying) !== 0n
      states.verdicts[state] = ((bits & final) !== 0n ? ACCEPTS : 0) | (isSettled ? SETTLED : 0)
      if (state * width >= states.table.length) {
        const larger = new Int16Array(states.table.length * 2).fill(UNKNOWN)
        larger.set(states.table)
        states.table = larger
      }
      return state
    },
  }
  return states
}

/**
 * The patterns as bits. A set bit says: all atoms before this position are matched. Each pattern has a position after its last atom.
 *
 * @returns the `first` positions, those that a text stays at since a run follows, the `final` ones, those before an atom that any
 *   character matches, and by character those before an atom that it matches
 */
function readPatterns(patterns: readonly (readonly Atom[])[]) {
  const first: number[] = []
  const staying: number[] = []
  const final: number[] = []
  const wild: number[] = []
  const named = new Map<number, number[]>()
  let position = 0
  for (const atoms of patterns) {
    first.push(position)
    for (const atom of atoms) {
      if (atom === RUN) staying.push(position)
      else if (atom === ANY) wild.push(position++)
      else named.set(atom, [...(named.get(atom) ?? []), position++])
    }
    final.push(position++)
  }
  const bitsOf = (positions: readonly number[]) => toBits(positions, position)
  const masks = new Map([...named].map(([character, positions]) => [character, bitsOf(positions) | bitsOf(wild)]))
  return { first: bitsOf(first), staying: bitsOf(staying), final: bitsOf(final), wild: bitsOf(wild), masks }
}

function toBits(positions: readonly number[], count: number): bigint {
  const digits = new Uint8Array(count)
  for (const position of positions) digits[count - 1 - position] = 1
  return BigInt(`0b${digits.join('')}`)
}

/**
 * The same for the texts of a column, by their numbers. The transition of each piece from each state is computed once, so a text costs
 * one lookup per piece.
 *
 * @param matches whether a text matches, used where pieces are not shared or the automaton has too many states
 */
export function matchPieces(
  automaton: Automaton,
  pieces: Pieces,
  matches: (at: number) => boolean,
): (at: number) => boolean {
  if (pieces.length === 0) return () => false
  if (!pieces.every(({ isShared }) => isShared)) return matches
  const steps = pieces.map(createStep)
  const count = Math.max(...pieces.map(({ codes }) => codes?.length ?? 0))
  let [tested, tables]: [number, readonly Table[] | undefined] = [count > TESTED_SINGLY ? 0 : -Infinity, undefined]
  const tabulating = tabulate(automaton, steps, count)
  return (at) => {
    if (tables) return lookUp(tables, at)
    if (++tested > TESTED_SINGLY) {
      const { done, value } = tabulating.next()
      if (done) [tables, tested] = [value, -Infinity]
    }
    let state = 0
    for (const step of steps) {
      state = follow(automaton, step, state, codeOf(step.piece, at))
      if (state === LOST) return matches(at)
    }
    return automaton.accepts(state)
  }
}

/** A caller that tests more texts probably tests all of them, so all transitions are computed. */
const TESTED_SINGLY = 4096

/** The transitions of a piece: by state, then by code. */
interface Step {
  readonly piece: Piece
  readonly rows: Int16Array[]
}

function createStep(piece: Piece): Step {
  return { piece, rows: [] }
}

function follow({ advance }: Automaton, { piece, rows }: Step, state: number, code: number): number {
  const row = (rows[state] ??= new Int16Array(piece.count).fill(UNKNOWN))
  const known = row[code] ?? UNKNOWN
  return known === UNKNOWN ? (row[code] = advance(state, piece.text(code))) : known
}

/** All transitions of a piece: `leads[row + code]` is the row in the next table, and in the last one whether a text matches. */
interface Table {
  readonly codes: Codes
  readonly leads: Int32Array
}

function lookUp(tables: readonly Table[], at: number): boolean {
  let row = 0
  for (const { leads, codes } of tables) row = leads[row + (codes[at] ?? 0)] ?? 0
  return row === 1
}

/** Transitions that are computed with one text: a request may have a hundred patterns, which all get so far with the same text. */
const TRANSITIONS = 2

/** Computes all transitions of all pieces, a few with each step; undefined if that is more work than testing the texts. */
function* tabulate(automaton: Automaton, steps: readonly Step[], count: number): Steps<readonly Table[] | undefined> {
  const tables: Table[] = []
  let states: readonly number[] = [0]
  for (const [index, step] of steps.entries()) {
    const { piece } = step
    if (states.length * piece.count > count / 16) return undefined
    const width = steps[index + 1]?.piece.count
    const rows = new Map<number, number>()
    const leads = new Int32Array(states.length * piece.count)
    let at = 0
    for (const state of states) {
      for (let code = 0; code < piece.count; code++) {
        const next = follow(automaton, step, state, code)
        if (next === LOST) return undefined
        if (width !== undefined && !rows.has(next)) rows.set(next, rows.size * width)
        leads[at++] = width === undefined ? Number(automaton.accepts(next)) : (rows.get(next) ?? 0)
        if (at % TRANSITIONS === 0) yield
      }
    }
    states = [...rows.keys()]
    tables.push({ codes: piece.codes ?? NO_CODES, leads })
  }
  return tables
}
