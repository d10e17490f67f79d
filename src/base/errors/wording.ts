/**
 * The word of `known` that was probably meant by `word`: one that begins with it, or the nearest by edit distance; undefined when none is near.
 * Only the first 64 characters count, so that a long request cannot buy a long computation.
 *
 * @example nearest('page.lst', ['page.last', 'page.short']) // 'page.last'
 */
export function nearest(word: string, known: Iterable<string>): string | undefined {
  const meant = word.slice(0, 64).toLowerCase()
  let best: string | undefined
  let least = Math.max(2, Math.floor(meant.length / 2)) + 1
  for (const candidate of known) {
    const other = candidate.slice(0, 64).toLowerCase()
    const away = meant.length >= SHORTEST_BEGINNING && other.startsWith(meant) ? 1 : distance(meant, other)
    // A word with all letters wrong is another word; `di` has the letters of `id`.
    const isOther =
      away >= Math.max(meant.length, other.length) && !Array.from(meant).some((one) => other.includes(one))
    if (away < least && !isOther) {
      least = away
      best = candidate
    }
  }
  return best
}

/** The letters to insert, remove or replace between two words (Levenshtein), row by row of the table of their beginnings. */
function distance(one: string, other: string): number {
  let above = Array.from({ length: other.length + 1 }, (_, at) => at)
  for (const [row, letter] of one.split('').entries()) {
    const current = [row + 1]
    for (let at = 0; at < other.length; at++) {
      const replaced = (above[at] ?? 0) + (letter === other[at] ? 0 : 1)
      current.push(Math.min(replaced, (above[at + 1] ?? 0) + 1, (current[at] ?? 0) + 1))
    }
    above = current
  }
  return above.at(-1) ?? 0
}

/** Letters that say which word was meant. */
const SHORTEST_BEGINNING = 3

/**
 * The word of `known` that `word` is a slip of: written in another case, with letters in another order, or with one letter in three wrong,
 * missing or added. Words with another meaning are seldom so near. Only the first 64 characters count, as in `nearest`.
 *
 * @example misspelt('respnses', ['responses', 'required']) // 'responses'
 */
export function misspelt(word: string, known: Iterable<string>): string | undefined {
  const meant = word.slice(0, 64).toLowerCase()
  const letters = lettersOf(meant)
  let best: string | undefined
  let least = Infinity
  for (const candidate of known) {
    const other = candidate.slice(0, 64).toLowerCase()
    const away = lettersOf(other) === letters ? 0 : distance(meant, other)
    if (away > Math.min(meant.length, other.length) / 3) continue
    // A letter is more often forgotten than confused with another.
    const cost = away === Math.abs(meant.length - other.length) ? away - 0.5 : away
    if (cost < least) [best, least] = [candidate, cost]
  }
  return best
}

function lettersOf(word: string): string {
  return Array.from(word).sort().join('')
}

/** A contract may have hundreds of a kind. */
const MAX_NAMED = 50

/** `one of a, b, c`, as what was expected. */
export function oneOf(known: readonly string[]): string {
  return `one of ${(known.length > MAX_NAMED ? [...known.slice(0, MAX_NAMED), '…'] : known).join(', ')}`
}

/**
 * The end of a message about a wrong word: the known word that was probably meant, or nothing.
 *
 * @example didYouMean('runing', ['frozen', 'running']) // ' Did you mean running?'
 */
export function didYouMean(received: unknown, known: Iterable<string>): string {
  const meant = typeof received === 'string' ? nearest(received, known) : undefined
  return meant === undefined ? '' : ` Did you mean ${meant}?`
}

/** Words that begin with a vowel and not with its sound, such as `user`, and the other way round. */
const SOUNDS_OTHERWISE = /^(?:eu|uni(?!n|m)|ur[il]|us|ut|uu|hono|hour|heir)/i

/**
 * A noun after its article.
 *
 * @example withArticle('order') // 'an order'
 * @example withArticle('user') // 'a user'
 */
export function withArticle(noun: string): string {
  return `${/^[aeiou]/i.test(noun) === SOUNDS_OTHERWISE.test(noun) ? 'a' : 'an'} ${noun}`
}

/** A text whose control characters are written as escapes, so that it cannot move the cursor of a terminal. */
export function visible(text: string): string {
  return text.replaceAll(/\p{Cc}/gu, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

/**
 * A number with the noun that it counts.
 *
 * @param count as it is shown: a text where it has separators
 * @param many for nouns that do not just take an s
 * @example counted(1, 'request') // '1 request'
 * @example counted('1,135', 'file') // '1,135 files'
 */
export function counted(count: number | string, one: string, many = `${one}s`): string {
  return `${count} ${String(count) === '1' ? one : many}`
}

/**
 * A whole number with its thousands apart. `toLocaleString` takes a start 10 ms the first time.
 *
 * @example grouped(1135) // '1,135'
 */
export function grouped(count: number): string {
  return String(count).replace(/\B(?=(?:\d{3})+$)/g, ',')
}

/** A type of JSON Schema. */
export function typeInWords(type: string): string {
  if (type === 'null') return type
  return type === 'boolean' ? 'true or false' : withArticle(type)
}
