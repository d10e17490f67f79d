import { distance } from 'fastest-levenshtein'

/**
 * The word of `known` that was probably meant by `word`, by edit distance, or undefined when none is near.
 * Only the first 64 characters count, so that a long request cannot buy a long computation.
 *
 * @example nearest('page.lst', ['page.last', 'page.short']) // 'page.last'
 */
export function nearest(word: string, known: Iterable<string>): string | undefined {
  const meant = word.slice(0, 64).toLowerCase()
  let best: string | undefined
  let least = Math.max(2, Math.floor(meant.length / 2)) + 1
  for (const candidate of known) {
    const away = distance(meant, candidate.slice(0, 64).toLowerCase())
    if (away < least) {
      least = away
      best = candidate
    }
  }
  return best
}

/** A contract may have hundreds of a kind. */
const MOST_NAMED = 50

/**
 * `one of a, b, c`, and which of them was probably meant.
 *
 * @example oneOf(['frozen', 'running'], 'runing') // 'one of frozen, running (did you mean running?)'
 */
export function oneOf(known: readonly string[], received: unknown): string {
  const meant = typeof received === 'string' ? nearest(received, known) : undefined
  const named = known.length > MOST_NAMED ? [...known.slice(0, MOST_NAMED), '…'] : known
  return `one of ${named.join(', ')}${meant === undefined ? '' : ` (did you mean ${meant}?)`}`
}
