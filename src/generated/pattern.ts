import { sample, stringMatching } from 'fast-check'

/** How often a text of a pattern is drawn again because it is too long or too short. */
const MOST_DRAWS = 20

/** A text that the pattern was unfolded to; undefined for patterns that cannot be, such as those that look ahead. */
export function drawText(pattern: RegExp, seed: number, fits: (text: string) => boolean): string | undefined {
  try {
    const texts = sample(stringMatching(pattern), { seed, numRuns: MOST_DRAWS })
    return texts.find((text) => fits(text) && pattern.test(text) && text !== '') ?? texts.find(fits)
  } catch {
    return undefined
  }
}
