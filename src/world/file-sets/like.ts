import { fold } from './code-points.ts'

/** How LIKE is read; the fields are the ledger's rows `like.shape`, `like.case` and `like.wildcards`. */
export interface LikeRule {
  readonly shape: 'contains' | 'anchored' | 'prefix'
  readonly case: 'insensitive' | 'sensitive'
  readonly wildcards: 'sql' | 'literal'
}

/** A run of the pattern between two `%`: code points, where `ANY` stands for exactly one character. */
type Segment = readonly number[]
const ANY = -1

/** Whether the pattern ends in a backslash that escapes nothing. */
export function hasDanglingEscape(pattern: string): boolean {
  let backslashes = 0
  while (pattern.at(-1 - backslashes) === '\\') backslashes++
  return backslashes % 2 === 1
}

/**
 * A test for LIKE, linear in the length of the text: a greedy walk over the pattern's segments, each found by one pass. No
 * regular expression is ever built from a request, so no pattern can make a search hang.
 *
 * @example createLike('50\\%', { shape: 'contains', case: 'insensitive', wildcards: 'sql' })('up 50% done') // true
 */
export function createLike(pattern: string, rule: LikeRule): (text: string) => boolean {
  const normal = rule.case === 'insensitive' ? fold : (text: string) => text
  const segments = split(normal(pattern), rule)
  const [only] = segments
  if (segments.length === 3 && rule.shape === 'contains' && only?.length === 0) {
    const needle = literal(segments[1] ?? [])
    // Short literals, the ordinary case, go to the engine's own search; its worst case is length × 32. It counts in UTF-16
    // units, so it would find half an emoji.
    if (needle !== undefined && needle.length <= 32 && needle.isWellFormed() && segments[2]?.length === 0)
      return (text) => normal(text).includes(needle)
  }
  const finders = segments.map(createFinder)
  return (text) => matches(codePoints(normal(text)), finders)
}

/** The pattern as segments with a `%` between each two; the shape adds the `%` that it implies. */
function split(pattern: string, { shape, wildcards }: LikeRule): Segment[] {
  const segments: number[][] = [[]]
  const characters = codePoints(pattern)
  for (let at = 0; at < characters.length; at++) {
    const character = characters[at] ?? ANY
    if (wildcards === 'literal') segments.at(-1)?.push(character)
    else if (character === PERCENT) segments.push([])
    else if (character === UNDERSCORE) segments.at(-1)?.push(ANY)
    else if (character === BACKSLASH && at + 1 < characters.length) segments.at(-1)?.push(characters[++at] ?? ANY)
    else segments.at(-1)?.push(character)
  }
  if (shape === 'contains') segments.unshift([])
  if (shape !== 'anchored') segments.push([])
  return segments
}

const PERCENT = 0x25
const UNDERSCORE = 0x5f
const BACKSLASH = 0x5c

function codePoints(text: string): number[] {
  return Array.from(text, (character) => character.codePointAt(0) ?? 0)
}

function literal(segment: Segment): string | undefined {
  return segment.includes(ANY) ? undefined : segment.map((codePoint) => String.fromCodePoint(codePoint)).join('')
}

/** The first segment must open the text and the last must close it; each one between takes its first place after the one before. */
function matches(text: readonly number[], finders: readonly Finder[]): boolean {
  const first = finders[0]
  const last = finders.at(-1)
  if (!first || !last) return text.length === 0
  if (finders.length === 1) return text.length === first.length && first.at(text, 0)
  if (text.length < first.length + last.length || !first.at(text, 0) || !last.at(text, text.length - last.length))
    return false
  let from = first.length
  for (const finder of finders.slice(1, -1)) {
    const end = finder.endOfFirst(text, from)
    if (end === undefined) return false
    from = end
  }
  return from <= text.length - last.length
}

interface Finder {
  readonly length: number
  /** Whether the segment stands at `start`. */
  at(text: readonly number[], start: number): boolean
  /** Where the first occurrence at or after `from` ends, found in one pass. */
  endOfFirst(text: readonly number[], from: number): number | undefined
}

/**
 * Shift-And (Baeza-Yates and Gonnet 1992): bit i of the state says that the first i+1 characters of the segment end here. A `_`
 * sets its bit for every character. The segment is taken 31 bits a word; a pattern has at most 1,024 characters, so a character
 * of the text costs at most 34 word operations.
 */
function createFinder(segment: Segment): Finder {
  const words = Math.ceil(segment.length / BITS)
  const wild = new Int32Array(words)
  const masks = new Map<number, Int32Array>()
  segment.forEach((character, at) => {
    if (character === ANY) setBit(wild, at)
  })
  segment.forEach((character, at) => {
    if (character === ANY) return
    const mask = masks.get(character) ?? wild.slice()
    setBit(mask, at)
    masks.set(character, mask)
  })
  return {
    length: segment.length,
    at: (text, start) => segment.every((character, at) => character === ANY || text[start + at] === character),
    endOfFirst(text, from) {
      if (segment.length === 0) return from
      const state = new Int32Array(words)
      for (let at = from; at < text.length; at++) {
        step(state, masks.get(text[at] ?? ANY) ?? wild)
        if (hasBit(state, segment.length - 1)) return at + 1
      }
      return undefined
    },
  }
}

const BITS = 31

function setBit(words: Int32Array, at: number): void {
  const word = Math.floor(at / BITS)
  words[word] = (words[word] ?? 0) | (1 << (at % BITS))
}

function hasBit(words: Int32Array, at: number): boolean {
  return (((words[Math.floor(at / BITS)] ?? 0) >> (at % BITS)) & 1) === 1
}

/** One character further: every partial match grows by one or dies, and a new one may begin. */
function step(state: Int32Array, mask: Int32Array): void {
  let carry = 1
  for (let word = 0; word < state.length; word++) {
    const before = state[word] ?? 0
    state[word] = ((before << 1) | carry) & 0x7fffffff & (mask[word] ?? 0)
    carry = (before >> (BITS - 1)) & 1
  }
}
