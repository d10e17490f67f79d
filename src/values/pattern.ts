import { generateSync } from 'json-schema-faker'
import { leastLength, LONGEST, LONGEST_MATCH, type Pattern } from '../contract/schemas/patterns.ts'

/** json-schema-faker ignores lookaheads and repeats at most five extra times, so we test each text and try again. */
const MAX_ATTEMPTS = 48

/** After this many attempts, each further attempt raises the minimum repetitions by one. */
const FIRST_ATTEMPTS = 8

/** Nested repetitions multiply the length, so patterns with more groups are skipped. */
const MAX_REPEATED_GROUPS = 8

/** A text that matches a pattern and passes `fits`. Undefined when none was found or when its texts are too long. */
export function textOfPattern(pattern: Pattern, seed: number, fits: (text: string) => boolean): string | undefined {
  const { source } = pattern
  if ((source.match(/\)[*+{]/g)?.length ?? 0) > MAX_REPEATED_GROUPS) return undefined
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const stretched = attempt < FIRST_ATTEMPTS ? source : repeatMore(source, attempt - FIRST_ATTEMPTS + 1)
    if (leastLength(stretched, LONGEST) > LONGEST_MATCH) return undefined
    const text = generateText(stretched, seed + attempt)
    if (text !== undefined && text !== '' && fits(text) && pattern.test(text)) return text
  }
  return fits('') && pattern.test('') ? '' : undefined
}

/** @example repeatMore('^[+*]+-a{2,4}$', 2) // '^[+*]{3,}-a{4,4}$' */
function repeatMore(source: string, times: number): string {
  return source.replaceAll(
    /\[(?:[^\]\\]|\\.)*\]|\\.|([*+])|\{(\d+),(\d*)\}/g,
    (token, sign?: string, least?: string, most?: string) => {
      if (sign === undefined && least === undefined) return token
      const from = (sign === '+' ? 1 : Number(least ?? 0)) + times
      return most ? `{${Math.min(from, Number(most))},${most}}` : `{${from},}`
    },
  )
}

function generateText(pattern: string, seed: number): string | undefined {
  try {
    return String(generateSync({ type: 'string', pattern }, { seed }))
  } catch {
    return undefined
  }
}
