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
 * A test for LIKE: whether a text is like any of the patterns. It is linear in the length of the text: a greedy walk over a
 * pattern's segments, each found by one pass. No regular expression is ever built from a request, so no pattern can make a
 * search hang; and a text is folded and cut into characters once, however many patterns there are.
 *
 * @example createLike(['50\\%'], { shape: 'contains', case: 'insensitive', wildcards: 'sql' })('up 50% done') // true
 */
export function createLike(patterns: readonly string[], rule: LikeRule): (text: string) => boolean {
  const normal = rule.case === 'insensitive' ? fold : (text: string) => text
  const needles: string[] = []
  const walks: Walk[] = []
  for (const pattern of new Set(patterns.map(normal))) {
    const segments = split(pattern, rule)
    const needle = needleOf(segments)
    if (needle === undefined) walks.push(createWalk(segments))
    else needles.push(needle)
  }
  return (text) => {
    const normalText = normal(text)
    if (needles.some((needle) => normalText.includes(needle))) return true
    if (walks.length === 0) return false
    const characters = codePoints(normalText)
    return walks.some((walk) => matches(characters, walk))
  }
}

/**
 * What `%needle%` looks for, when it is short and without wildcards. Such patterns, the ordinary case, go to the engine's own
 * search; its worst case is length × 32. It counts in UTF-16 units, so it would find half an emoji.
 */
function needleOf([before, between, after, ...more]: readonly Segment[]): string | undefined {
  if (before?.length !== 0 || after?.length !== 0 || more.length > 0 || between?.includes(ANY) !== false)
    return undefined
  const needle = between.map((codePoint) => String.fromCodePoint(codePoint)).join('')
  return needle.length <= 32 && needle.isWellFormed() ? needle : undefined
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

/** As `Array.from` cuts a text, at a fraction of its cost. */
function codePoints(text: string): number[] {
  const found: number[] = []
  for (let at = 0; at < text.length; at++) {
    const codePoint = text.codePointAt(at) ?? 0
    if (codePoint > 0xffff) at++
    found.push(codePoint)
  }
  return found
}

/** A pattern as it is walked. */
interface Walk {
  readonly finders: readonly Finder[]
  /** Characters that a text must have at least. */
  readonly shortest: number
}

function createWalk(segments: readonly Segment[]): Walk {
  return { finders: segments.map(createFinder), shortest: segments.reduce((sum, { length }) => sum + length, 0) }
}

/** The first segment must open the text and the last must close it; each one between takes its first place after the one before. */
function matches(text: readonly number[], { finders, shortest }: Walk): boolean {
  if (text.length < shortest) return false
  const first = finders[0]
  const last = finders.at(-1)
  if (!first || !last) return text.length === 0
  if (finders.length === 1) return text.length === first.length && first.at(text, 0)
  if (!first.at(text, 0) || !last.at(text, text.length - last.length)) return false
  let from = first.length
  for (let at = 1; at < finders.length - 1; at++) {
    const end = finders[at]?.endOfFirst(text, from)
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
      if (text.length - from < segment.length) return undefined
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
