/** Longer texts are not made: a value of a million characters is no use to a test, and one of a hundred million exhausts the memory. */
export const LONGEST_TEXT = 100_000

/** Texts of patterns are made character by character. */
export const LONGEST_MATCH = 2000

/** What counts of several alternatives: the shortest, or the longest. */
export type Choose = (lengths: readonly number[]) => number

export const SHORTEST: Choose = (lengths) => Math.min(...lengths)
export const LONGEST: Choose = (lengths) => Math.max(...lengths)

/**
 * The length of the shortest text that a regular expression finds, in characters.
 *
 * @param choose which alternative counts
 * @example leastLength('^(a|bcd){3}$', SHORTEST) === 3
 */
export function leastLength(source: string, choose: Choose): number {
  return readAlternatives({ source, at: 0, choose })
}

interface Reading {
  readonly source: string
  at: number
  readonly choose: Choose
}

function readAlternatives(reading: Reading): number {
  const lengths = [0]
  for (; reading.at < reading.source.length && reading.source[reading.at] !== ')';) {
    if (reading.source[reading.at] === '|') {
      reading.at++
      lengths.push(0)
      continue
    }
    const one = readAtom(reading)
    const last = lengths.length - 1
    lengths[last] = (lengths[last] ?? 0) + one * readTimes(reading)
  }
  return reading.choose(lengths)
}

/** A character, a class, or a group. */
function readAtom(reading: Reading): number {
  const { source, at } = reading
  if (source[at] === '(') {
    const [opening = '('] = /^\((?:\?(?:<?[=!]|<[^>]*>|[^:]*:))?/.exec(source.slice(at, at + 100)) ?? []
    reading.at += opening.length
    const inner = readAlternatives(reading)
    reading.at++
    return /[=!]$/.test(opening) ? 0 : inner
  }
  const token = /\[(?:[^\]\\]|\\.)*\]|\\(?:[pPu]\{[^}]*\}|u[\da-fA-F]{4}|x[\da-fA-F]{2}|c[A-Za-z]|k<[^>]*>|\d+|.)|./suy
  token.lastIndex = at
  const [text = ''] = token.exec(source) ?? []
  reading.at += Math.max(text.length, 1)
  return /^(?:[\^$]|\\(?:[bB]|k<|[1-9]))/.test(text) && !text.startsWith('[') ? 0 : 1
}

function readTimes(reading: Reading): number {
  const [all, sign, least = '1'] = /^(?:([*+?])|\{(\d+)(?:,\d*)?\})\??/.exec(
    reading.source.slice(reading.at, reading.at + 40),
  ) ?? ['']
  reading.at += all.length
  return sign === undefined ? Number(least) : sign === '+' ? 1 : 0
}
