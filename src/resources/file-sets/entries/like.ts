import { ANY, type Atom, createAutomaton, matchPieces, RUN } from './automaton.ts'
import { reader, type Pieces } from './columns.ts'
import { fold } from '../../../base/formats/code-points.ts'
import type { TextField } from './file-record.ts'
import type { Base } from './base.ts'
import { remembering } from '../../../base/cache.ts'

/** How LIKE is read; the fields are the behaviours `like.shape`, `like.case` and `like.wildcards`. */
export interface LikeRule {
  readonly shape: 'contains' | 'anchored' | 'prefix'
  readonly case: 'insensitive' | 'sensitive'
  readonly wildcards: 'sql' | 'literal'
}

/** A test for LIKE, for any text and for the texts of a column. */
export interface Like {
  matches(text: string): boolean
  /** The same for a text that is folded already, where case does not matter. */
  readonly isFolded: boolean
  matchesNormal(text: string): boolean
  /** What each text must contain that matches, on a single line; undefined where nothing is known. */
  readonly literal: string | undefined
  /** The same for the texts of a column by their numbers. No text is joined for it where pieces are shared. */
  matchesAt(pieces: Pieces): (at: number) => boolean
}

/** Whether the pattern ends in a backslash that escapes nothing. */
export function hasDanglingEscape(pattern: string): boolean {
  let backslashes = 0
  while (pattern.at(-1 - backslashes) === '\\') backslashes++
  return backslashes % 2 === 1
}

/** Patterns of more atoms are tested text by text, since the automaton for them is slow to make. */
const MAX_ATOMS = 4096

/**
 * A test for LIKE: whether a text is like any of the patterns. It reads each character of a text once. No regular expression is
 * ever built from a request, so no pattern can make a search hang.
 *
 * @example createLike(['50\\%'], { shape: 'contains', case: 'insensitive', wildcards: 'sql' }).matches('up 50% done') // true
 */
export function createLike(patterns: readonly string[], rule: LikeRule): Like {
  const isFolded = rule.case === 'insensitive'
  const normal = isFolded ? foldCodePoint : (codePoint: number) => codePoint
  const different = [...new Set(patterns)].map((pattern) => atomsOf(pattern, rule, normal))
  const plains = different.map(plainPattern)
  let test: ((text: string) => boolean) | undefined
  const createTest = () => {
    const others = different.filter((_, at) => !plains[at])
    const tests = plains.flatMap((plain) => (plain ? [createPlainTest(plain)] : []))
    if (others.length > 0) tests.push(createAutomaton(others, normal).matches)
    const [only] = tests
    return tests.length === 1 && only ? only : (text: string) => tests.some((test) => test(text))
  }
  const matchesNormal = (text: string) => (test ??= createTest())(text)
  const matches = (text: string) => matchesNormal(isFolded ? fold(text) : text)
  return {
    isFolded,
    matches,
    matchesNormal,
    literal: literalOf(plains),
    matchesAt(pieces) {
      const read = reader(pieces)
      const matchesText = (at: number) => matches(read(at) ?? '')
      const isLarge = different.reduce((sum, atoms) => sum + atoms.length, 0) > MAX_ATOMS
      return isLarge ? matchesText : matchPieces(createAutomaton(different, normal), pieces, matchesText)
    },
  }
}

/** The longest literal text of the one pattern that there is. */
function literalOf(patterns: readonly (PlainPattern | undefined)[]): string | undefined {
  const pieces = patterns.length === 1 ? (patterns[0]?.pieces ?? []) : []
  const longest = pieces.reduce((longest, piece) => (piece.length > longest.length ? piece : longest), '')
  return longest === '' || longest.includes('\n') ? undefined : longest
}

/** The pattern atom by atom; the shape adds the runs that it implies. */
export function atomsOf(
  pattern: string,
  { shape, wildcards }: LikeRule,
  normal: (codePoint: number) => number,
): Atom[] {
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

/** A pattern as the literal texts between its runs: a text is like it when it has them in this order, without overlap. */
interface PlainPattern {
  readonly pieces: readonly string[]
  /** Whether the first piece must begin the text, and the last one end it. */
  readonly begins: boolean
  readonly ends: boolean
}

/**
 * The pattern, if it needs no more than looking for literal texts, which the engine does several times as fast as an automaton
 * reads characters. Undefined for one with `_`, and for half a surrogate pair, which is not to be found in a whole one.
 */
function plainPattern(atoms: readonly Atom[]): PlainPattern | undefined {
  const pieces: string[] = []
  let piece = ''
  for (const atom of atoms) {
    if (atom === ANY) return undefined
    if (atom !== RUN) piece += String.fromCodePoint(atom)
    else if (piece !== '') {
      pieces.push(piece)
      piece = ''
    }
  }
  const ends = atoms.at(-1) !== RUN
  if (ends) pieces.push(piece)
  if (!pieces.every((one) => one.isWellFormed())) return undefined
  return { pieces, begins: atoms[0] !== RUN, ends }
}

/** A test for texts that were normalised as the pattern was. */
function createPlainTest({ pieces, begins, ends }: PlainPattern): (text: string) => boolean {
  const [first = ''] = pieces
  const last = pieces.at(-1) ?? ''
  if (!begins && !ends && pieces.length < 2) return (text) => text.includes(first)
  const length = pieces.reduce((sum, piece) => sum + piece.length, 0)
  return (text) => {
    if (text.length < length) return false
    if (begins && !text.startsWith(first)) return false
    if (ends && !text.endsWith(last)) return false
    if (begins && ends && pieces.length === 1) return text.length === length
    const stop = ends ? text.length - last.length : text.length
    let from = begins ? first.length : 0
    for (let at = begins ? 1 : 0; at < pieces.length - (ends ? 1 : 0); at++) {
      const piece = pieces[at] ?? ''
      const found = text.indexOf(piece, from)
      if (found < 0) return false
      from = found + piece.length
    }
    return from <= stop
  }
}

/** The strings of a field by slot, created on first use and kept with their base. */
export function plainTexts(base: Base, field: TextField, isFolded: boolean): readonly (string | null)[] {
  const texts = keptTexts.get(base) ?? new Map<string, readonly (string | null)[]>()
  const name = isFolded ? `folded ${field}` : field
  const known = texts.get(name)
  if (known) return known
  const made = makeTexts(base, field, isFolded)
  keptTexts.set(base, texts.set(name, made))
  return made
}

const keptTexts = new WeakMap<Base, Map<string, readonly (string | null)[]>>()

function makeTexts(base: Base, field: TextField, isFolded: boolean): (string | null)[] {
  const { at } = base.text(field)
  return Array.from({ length: base.count }, (_, slot) => {
    const text = at(slot)
    return text === null || !isFolded ? text : fold(text)
  })
}

/** A literal in a larger share of the strings than this does not narrow a search down. */
const MAX_FOUND = 1 / 4
/** Literals per field whose matches are cached: different searches look for the same words. */
const REMEMBERED = 64
const LONGEST_REMEMBERED = 200

/**
 * The slots whose texts contain a literal text, which is not empty and has no line feed: found by looking through all texts at
 * once. Undefined where testing all texts is less work, since many contain it.
 */
export function slotsWith(
  literal: string,
  base: Base,
  field: TextField,
  isFolded: boolean,
): readonly number[] | undefined {
  const joined = joinedTexts(plainTexts(base, field, isFolded))
  return literal.length <= LONGEST_REMEMBERED ? joined.find(literal).slots : findLiteral(literal, joined)
}

function findLiteral(literal: string, { text, starts }: Pick<JoinedTexts, 'text' | 'starts'>): number[] | undefined {
  const most = starts.length * MAX_FOUND
  const found: number[] = []
  let slot = 0
  for (let at = text.indexOf(literal); at >= 0; at = text.indexOf(literal, starts[slot])) {
    while ((starts[slot + 1] ?? Infinity) <= at) slot++
    found.push(slot++)
    if (found.length > most) return undefined
    if (slot >= starts.length) break
  }
  return found
}

interface JoinedTexts {
  readonly text: string
  readonly starts: Uint32Array
  /** As `findLiteral`, for literals that are short enough to be remembered. */
  find(literal: string): { readonly slots: readonly number[] | undefined }
}

const joined = new WeakMap<readonly (string | null)[], JoinedTexts>()

function joinedTexts(texts: readonly (string | null)[]): JoinedTexts {
  const known = joined.get(texts)
  if (known) return known
  // A text with a line feed of its own is still found: only literals with one could reach into the next text.
  const starts = new Uint32Array(texts.length)
  let start = 0
  texts.forEach((text, slot) => {
    starts[slot] = start
    start += (text?.length ?? 0) + 1
  })
  const text = texts.map((text) => text ?? '').join('\n')
  const find = remembering(REMEMBERED, (literal: string) => ({ slots: findLiteral(literal, { text, starts }) }))
  const made = { text, starts, find }
  joined.set(texts, made)
  return made
}

/** `fold` for one character, by its code point. */
export function foldCodePoint(codePoint: number): number {
  if (codePoint < 0x80) return codePoint >= 0x41 && codePoint <= 0x5a ? codePoint + 0x20 : codePoint
  return fold(String.fromCodePoint(codePoint)).codePointAt(0) ?? codePoint
}
