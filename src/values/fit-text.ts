import type { Hint } from './faker-values.ts'
import { LONGEST_TEXT } from '../contract/schemas/pattern-length.ts'
import { linearPattern, type Pattern } from '../contract/schemas/patterns.ts'

/** Finds a text of a pattern that fits; undefined where it cannot. */
export type DrawText = (pattern: Pattern, seed: number, fits: (text: string) => boolean) => string | undefined

/** A text as its schema wants it: of its pattern, and neither too short nor too long. @param hasForm whether cutting it would spoil it */
export function fitText(text: string, { schema, seed, draw }: Hint, hasForm: boolean): string {
  const least = typeof schema.minLength === 'number' ? Math.min(schema.minLength, LONGEST_TEXT) : 0
  const most = typeof schema.maxLength === 'number' ? schema.maxLength : Infinity
  const fits = (candidate: string) => Array.from(candidate).length >= least && Array.from(candidate).length <= most
  const pattern = typeof schema.pattern === 'string' ? linearPattern(schema.pattern) : undefined
  if (pattern) {
    if (fits(text) && pattern.test(text)) return text
    return draw(pattern, seed, fits) ?? fitLength(text, least, most)
  }
  return fits(text) || (hasForm && most === Infinity) ? text : fitLength(text, least, most)
}

function fitLength(text: string, least: number, most: number): string {
  const long = text.length >= least ? text : text.padEnd(least, ` ${text}`)
  const cut = Array.from(long).slice(0, most).join('')
  // A space at the end would be an odd place to stop.
  return cut.trimEnd().length >= least ? cut.trimEnd() : cut.replaceAll(' ', 'x')
}
