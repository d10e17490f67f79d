import { sample, stringMatching } from 'fast-check'
import { compilePattern } from '../contract/load/check-schema.ts'
import { leastLength, LONGEST, LONGEST_MATCH } from '../contract/schemas/pattern-length.ts'
import type { Pattern } from '../contract/schemas/patterns.ts'

/** How often a text of a pattern is drawn again because it is too long or too short. */
const MOST_DRAWS = 20

/** A text that the pattern was unfolded to; undefined for patterns that cannot be, such as those that look ahead or are too long. */
export function drawText(pattern: Pattern, seed: number, fits: (text: string) => boolean): string | undefined {
  const expression = compilePattern(pattern.source)
  if (!expression || leastLength(pattern.source, LONGEST) > LONGEST_MATCH) return undefined
  try {
    const texts = sample(stringMatching(expression), { seed, numRuns: MOST_DRAWS })
    return texts.find((text) => fits(text) && pattern.test(text) && text !== '') ?? texts.find(fits)
  } catch {
    return undefined
  }
}
