import { ANY, type Atom, type Automaton, createAutomaton, LOST, RUN } from './automaton.ts'
import { foldCodePoint } from './code-points.ts'
import { type Piece, reader, type Rope } from './rope.ts'

/** How LIKE is read; the fields are the ledger's rows `like.shape`, `like.case` and `like.wildcards`. */
export interface LikeRule {
  readonly shape: 'contains' | 'anchored' | 'prefix'
  readonly case: 'insensitive' | 'sensitive'
  readonly wildcards: 'sql' | 'literal'
}

/** A test for LIKE, for any text and for the texts of a rope. */
export interface Like {
  matches(text: string): boolean
  /** The same for the texts of a rope by their numbers; no text is put together for it. */
  matchesAt(rope: Rope): (at: number) => boolean
}

/** Whether the pattern ends in a backslash that escapes nothing. */
export function hasDanglingEscape(pattern: string): boolean {
  let backslashes = 0
  while (pattern.at(-1 - backslashes) === '\\') backslashes++
  return backslashes % 2 === 1
}

/**
 * A test for LIKE: whether a text is like any of the patterns. It reads each character of a text once. No regular expression is
 * ever built from a request, so no pattern can make a search hang.
 *
 * @example createLike(['50\\%'], { shape: 'contains', case: 'insensitive', wildcards: 'sql' }).matches('up 50% done') // true
 */
export function createLike(patterns: readonly string[], rule: LikeRule): Like {
  const normal = rule.case === 'insensitive' ? foldCodePoint : (codePoint: number) => codePoint
  const automata = inGroups([...new Set(patterns)].map((pattern) => atomsOf(pattern, rule, normal))).map((group) =>
    createAutomaton(group, normal),
  )
  return {
    matches: (text) => automata.some((automaton) => automaton.matches(text)),
    matchesAt(rope) {
      const tests = automata.map((automaton) => alongRope(automaton, rope))
      const [only] = tests
      return tests.length === 1 && only ? only : (at) => tests.some((test) => test(at))
    },
  }
}

/** Patterns are read together as long as their states stay small. */
const LARGEST_GROUP = 4096

function inGroups(patterns: readonly Atom[][]): Atom[][][] {
  const groups: Atom[][][] = []
  let room = 0
  for (const atoms of patterns) {
    room -= atoms.length + 1
    if (room < 0) {
      groups.push([])
      room = LARGEST_GROUP - atoms.length - 1
    }
    groups.at(-1)?.push(atoms)
  }
  return groups
}

/** The pattern atom by atom; the shape adds the runs that it implies. */
function atomsOf(pattern: string, { shape, wildcards }: LikeRule, normal: (codePoint: number) => number): Atom[] {
  const atoms: Atom[] = shape === 'contains' ? [RUN] : []
  const characters = Array.from(pattern, (character) => character.codePointAt(0) ?? 0)
  for (let at = 0; at < characters.length; at++) {
    const character = characters[at] ?? 0
    if (wildcards === 'literal') atoms.push(normal(character))
    else if (character === PERCENT) atoms.push(RUN)
    else if (character === UNDERSCORE) atoms.push(ANY)
    else if (character === BACKSLASH && at + 1 < characters.length) atoms.push(normal(characters[++at] ?? 0))
    else atoms.push(normal(character))
  }
  if (shape !== 'anchored') atoms.push(RUN)
  return atoms
}

const PERCENT = 0x25
const UNDERSCORE = 0x5f
const BACKSLASH = 0x5c

/**
 * Goes through the pieces of a text from state to state, and remembers where each piece led from each state; of the last piece,
 * whether the text then matches. This is called for every file of a set, so it does no more than look up.
 */
function alongRope(automaton: Automaton, rope: Rope): (at: number) => boolean {
  const last = rope.at(-1)
  if (!last) return () => false
  const inner = rope.slice(0, -1).map((piece) => createStep(automaton, piece))
  const { codes, isShared } = last
  const verdicts: Uint8Array[] = []
  const textAt = reader(rope)
  const judge = (state: number, code: number, at: number): boolean => {
    const end = state === LOST ? LOST : automaton.advance(state, last.text(code))
    const matches = end === LOST ? automaton.matches(textAt(at) ?? '') : automaton.accepts(end)
    if (end !== LOST && isShared) (verdicts[state] ??= new Uint8Array(last.count))[code] = matches ? YES : NO
    return matches
  }
  return (at) => {
    let state = automaton.start
    for (const step of inner) state = step(state, at)
    const code = codes === undefined ? at : (codes[at] ?? 0)
    const verdict = verdicts[state]?.[code] ?? 0
    return verdict === 0 ? judge(state, code, at) : verdict === YES
  }
}

const YES = 1
const NO = 2

/** From a state by one piece of a text to the next. */
function createStep(
  automaton: Automaton,
  { codes, count, isShared, text }: Piece,
): (state: number, at: number) => number {
  const known: Int16Array[] = []
  const follow = (state: number, code: number) => {
    const next = automaton.advance(state, text(code))
    if (isShared && state !== LOST) (known[state] ??= new Int16Array(count).fill(UNKNOWN))[code] = next
    return next
  }
  return (state, at) => {
    const code = codes === undefined ? at : (codes[at] ?? 0)
    const next = known[state]?.[code] ?? UNKNOWN
    return next === UNKNOWN ? follow(state, code) : next
  }
}

const UNKNOWN = -2
