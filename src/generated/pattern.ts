import { sample, stringMatching } from 'fast-check'
import type { Hint } from './believable.ts'
import { compilePattern } from '../contract/check-schema.ts'

/** How often a text of a pattern is drawn again because it is too long or too short. */
const MOST_DRAWS = 20

/** A text as its schema wants it: of its pattern, and neither too short nor too long. @param hasForm whether cutting it would spoil it */
export function fitText(text: string, { schema, seed }: Hint, hasForm: boolean): string {
  const least = typeof schema.minLength === 'number' ? schema.minLength : 0
  const most = typeof schema.maxLength === 'number' ? schema.maxLength : Infinity
  const fits = (candidate: string) => Array.from(candidate).length >= least && Array.from(candidate).length <= most
  const pattern = typeof schema.pattern === 'string' ? compilePattern(schema.pattern) : undefined
  if (pattern) {
    if (fits(text) && pattern.test(text)) return text
    return drawn(pattern, seed, fits) ?? fitLength(text, least, most)
  }
  return fits(text) || (hasForm && most === Infinity) ? text : fitLength(text, least, most)
}

function fitLength(text: string, least: number, most: number): string {
  const long = text.length >= least ? text : text.padEnd(least, ` ${text}`)
  const cut = Array.from(long).slice(0, most).join('')
  // A space at the end would be an odd place to stop.
  return cut.trimEnd().length >= least ? cut.trimEnd() : cut.replaceAll(' ', 'x')
}

/** A text that the pattern was unfolded to; undefined for patterns that cannot be, such as those that look ahead. */
function drawn(pattern: RegExp, seed: number, fits: (text: string) => boolean): string | undefined {
  try {
    const texts = sample(stringMatching(pattern), { seed, numRuns: MOST_DRAWS })
    return texts.find((text) => fits(text) && pattern.test(text) && text !== '') ?? texts.find(fits)
  } catch {
    return undefined
  }
}
