import type { Codes, Piece, Pieces } from './columns.ts'

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
const MOST_STATES = 1024

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
  // Characters that no pattern has are of class 0.
  const classes = new Map([...masks.keys()].map((character, at) => [character, at + 1]))
  const maskOf = [wild, ...masks.values()]
  const step = (bits: bigint, kind: number) => ((bits & (maskOf[kind] ?? wild)) << 1n) | (bits & staying)
  const kinds: number[] = []
  const kindOf = (codePoint: number) => (kinds[codePoint] ??= classes.get(normal(codePoint)) ?? 0)
  const { states, intern } = createStates(maskOf.length, final, staying)
  intern(first)
  const advance = (from: number, text: string): number => {
    let state = from
    for (let at = 0; at < text.length; at++) {
      const current = states[state]
      if (!current) return LOST
      const codePoint = text.codePointAt(at) ?? 0
      if (codePoint > 0xffff) at++
      const kind = kindOf(codePoint)
      const next = current.next[kind] ?? UNKNOWN
      state = next === UNKNOWN ? (current.next[kind] = intern(step(current.bits, kind))) : next
    }
    return state
  }
  const accepts = (state: number) => states[state]?.accepts === true
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

interface AutomatonState {
  readonly bits: bigint
  readonly accepts: boolean
  /** By class of character: the next state, or `UNKNOWN`. */
  readonly next: Int16Array
}

/** The states met so far. `intern` returns the number of a state, or `LOST` when there are too many. */
function createStates(classes: number, final: bigint, staying: bigint) {
  const states: AutomatonState[] = []
  const known = new Map<bigint, number>()
  const intern = (bits: bigint): number => {
    const old = known.get(bits)
    if (old !== undefined) return old
    if (states.length >= MOST_STATES) return LOST
    const state = states.length
    // A state that stays where it matches matches for ever, and one without positions never will.
    const isSettled = bits === 0n || (bits & final & staying) !== 0n
    const next = new Int16Array(classes).fill(isSettled ? state : UNKNOWN)
    states.push({ bits, accepts: (bits & final) !== 0n, next })
    known.set(bits, state)
    return state
  }
  return { states, intern }
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
  const { length } = steps
  return (at) => {
    let state = 0
    for (let index = 0; index < length; index++) {
      const step = steps[index]
      if (!step) break
      const code = step.codes === undefined ? at : (step.codes[at] ?? 0)
      const known = step.rows[state]?.[code] ?? UNKNOWN
      state = known === UNKNOWN ? takeStep(automaton, step, state, code) : known
      if (state === LOST) return matches(at)
    }
    return automaton.accepts(state)
  }
}

/** The transitions of a piece: by state, then by code. */
interface Step {
  readonly piece: Piece
  readonly codes: Codes | undefined
  readonly rows: Int16Array[]
}

function createStep(piece: Piece): Step {
  return { piece, codes: piece.codes, rows: [] }
}

function takeStep({ advance }: Automaton, { piece, rows }: Step, state: number, code: number): number {
  const row = (rows[state] ??= new Int16Array(piece.count).fill(UNKNOWN))
  return (row[code] = advance(state, piece.text(code)))
}
