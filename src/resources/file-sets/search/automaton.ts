/**
 * Finite automata over the characters of a text, for all patterns of a LIKE at once. A pattern is a row of positions; a state says
 * which positions are reached, one bit each (Glushkov's construction). States are created when a string first reaches them, so a
 * search of a million names creates a few dozen.
 */

/** One element of a pattern: a character, as a code point; any one character; any run of characters. */
export type Atom = number
export const ANY = -1
export const RUN = -2

/** Reads texts, piece by piece if need be. States are small numbers. */
export interface Automaton {
  readonly start: number
  /** The state after a text, or `LOST` when there are too many states to remember. */
  advance(state: number, text: string): number
  accepts(state: number): boolean
  /** Whether it accepts a whole text, however many states that takes. */
  matches(text: string): boolean
}

export const LOST = -1

/** At most as many states are remembered; a request can ask for patterns that have more than there are atoms. */
export const MOST_STATES = 1024
/** Bits of a word of a state. */
const BITS = 32

/**
 * @param patterns each as atoms; a text matches when all of it is like one of them
 * @param normal what of a character counts, as a code point: itself, or its folded form
 */
export function createAutomaton(
  patterns: readonly (readonly Atom[])[],
  normal: (codePoint: number) => number,
): Automaton {
  const machine = createMachine(patterns)
  const classOf = createClasses(machine, normal)
  const classes = machine.masks.length
  const states: Int32Array[] = []
  const known = new Map<string, number>()
  // The next state by state and character class, or `UNKNOWN`.
  let table = new Int16Array(FEW_STATES * classes).fill(UNKNOWN)
  const verdicts = new Uint8Array(MOST_STATES)
  const intern = (bits: Int32Array): number => {
    const key = keyOf(bits)
    const old = known.get(key)
    if (old !== undefined) return old
    if (states.length >= MOST_STATES) return LOST
    const state = states.push(bits) - 1
    known.set(key, state)
    verdicts[state] = judge(machine, bits)
    if (state * classes >= table.length) table = grown(table)
    return state
  }
  const follow = (state: number, kind: number): number => {
    const next = intern(step(machine, states[state] ?? machine.first, machine.masks[kind] ?? machine.wild))
    table[state * classes + kind] = next
    return next
  }
  const advance = (from: number, text: string): number => {
    let state = from
    for (let index = 0; index < text.length; index++) {
      if (state === LOST || ((verdicts[state] ?? 0) & SETTLED) !== 0) return state
      let kind = classOf.ascii[text.charCodeAt(index)]
      if (kind === undefined) {
        const codePoint = text.codePointAt(index) ?? 0
        if (codePoint > 0xffff) index++
        kind = classOf.other(codePoint)
      }
      const next = table[state * classes + kind] ?? UNKNOWN
      state = next === UNKNOWN ? follow(state, kind) : next
    }
    return state
  }
  const start = intern(machine.first)
  const accepts = (state: number) => ((verdicts[state] ?? 0) & ACCEPTS) !== 0
  return {
    start,
    advance,
    accepts,
    matches(text) {
      const end = advance(start, text)
      return end === LOST ? simulate(machine, classOf, text) : accepts(end)
    },
  }
}

const FEW_STATES = 16
const UNKNOWN = -2

/** What is known of a state. */
const ACCEPTS = 1
/** Nothing that follows can change whether it accepts. */
const SETTLED = 2

function grown(table: Int16Array): Int16Array<ArrayBuffer> {
  const larger = new Int16Array(table.length * 2).fill(UNKNOWN)
  larger.set(table)
  return larger
}

/** The patterns as bits. A set bit says: all atoms before this position are matched. Each pattern has a position after its last atom. */
interface Machine {
  readonly first: Int32Array
  /** Positions that a text stays at, whatever comes: those before a run. */
  readonly staying: Int32Array
  /** Positions at which a text matches. */
  readonly final: Int32Array
  /** Positions before an atom that any character matches. */
  readonly wild: Int32Array
  /** By class of character: the positions before an atom that it matches. Class 0 is of all characters that no pattern names. */
  readonly masks: readonly Int32Array[]
  /** The class of each character that a pattern names. */
  readonly classes: ReadonlyMap<number, number>
}

function createMachine(patterns: readonly (readonly Atom[])[]): Machine {
  const positions = patterns.reduce((sum, atoms) => sum + atoms.filter((atom) => atom !== RUN).length + 1, 0)
  const bits = () => new Int32Array(Math.ceil(positions / BITS))
  const [first, staying, final, wild] = [bits(), bits(), bits(), bits()]
  const named = new Map<number, number[]>()
  let position = 0
  for (const atoms of patterns) {
    setBit(first, position)
    for (const atom of atoms) {
      if (atom === RUN) setBit(staying, position)
      else if (atom === ANY) setBit(wild, position++)
      else named.set(atom, [...(named.get(atom) ?? []), position++])
    }
    setBit(final, position++)
  }
  const masks = [...named.values()].map((places) => {
    const mask = wild.slice()
    for (const place of places) setBit(mask, place)
    return mask
  })
  const classes = new Map([...named.keys()].map((character, at) => [character, at + 1]))
  return { first, staying, final, wild, masks: [wild, ...masks], classes }
}

function setBit(words: Int32Array, at: number): void {
  words[at >>> 5] = (words[at >>> 5] ?? 0) | (1 << (at & 31))
}

/** One character further: what it matches moves on by one position, and what stands before a run also stays. */
function step({ staying }: Machine, bits: Int32Array, mask: Int32Array): Int32Array {
  const next = new Int32Array(bits.length)
  let carry = 0
  for (let word = 0; word < bits.length; word++) {
    const before = bits[word] ?? 0
    const moving = before & (mask[word] ?? 0)
    next[word] = (moving << 1) | carry | (before & (staying[word] ?? 0))
    carry = moving >>> (BITS - 1)
  }
  return next
}

/** A state that stays where it matches will match for ever; one without positions never will. */
function judge({ final, staying }: Machine, bits: Int32Array): number {
  let accepts = false
  let staysAccepting = false
  let isAnywhere = false
  for (let word = 0; word < bits.length; word++) {
    const reached = (bits[word] ?? 0) & (final[word] ?? 0)
    accepts ||= reached !== 0
    staysAccepting ||= (reached & (staying[word] ?? 0)) !== 0
    isAnywhere ||= bits[word] !== 0
  }
  return (accepts ? ACCEPTS : 0) | (staysAccepting || !isAnywhere ? SETTLED : 0)
}

/** Runs without cached states, for a string that needs more states than are kept. */
function simulate(machine: Machine, classOf: Classes, text: string): boolean {
  let bits = machine.first
  for (let index = 0; index < text.length; index++) {
    const codePoint = text.codePointAt(index) ?? 0
    if (codePoint > 0xffff) index++
    bits = step(machine, bits, machine.masks[classOf.ascii[codePoint] ?? classOf.other(codePoint)] ?? machine.wild)
  }
  return (judge(machine, bits) & ACCEPTS) !== 0
}

/** The class of each character: a table for ASCII, and a lookup for the rest. */
interface Classes {
  readonly ascii: Uint16Array
  other(codePoint: number): number
}

function createClasses({ classes }: Machine, normal: (codePoint: number) => number): Classes {
  const classFor = (codePoint: number) => classes.get(normal(codePoint)) ?? 0
  const others = new Map<number, number>()
  return {
    ascii: Uint16Array.from({ length: 128 }, (_, codePoint) => classFor(codePoint)),
    other(codePoint) {
      const known = others.get(codePoint)
      if (known !== undefined) return known
      const found = classFor(codePoint)
      others.set(codePoint, found)
      return found
    },
  }
}

function keyOf(bits: Int32Array): string {
  if (bits.length === 1) return String(bits[0])
  return String.fromCharCode(...new Uint16Array(bits.buffer, bits.byteOffset, bits.length * 2))
}
