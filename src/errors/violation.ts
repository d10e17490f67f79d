import { nearest } from './nearest.ts'
import { shown, type Violation } from './problem.ts'

/** Where in a request a violation is: a JSON pointer into the body, or the name of a parameter. */
export type Where = { readonly pointer: string } | { readonly parameter: string }

export function violation(where: Where, code: string, expected: string, received?: unknown): Violation {
  const place = 'pointer' in where ? where.pointer || 'the body' : where.parameter
  const came = received === undefined ? 'nothing' : shown(received)
  const message = `${place}: expected ${expected}, got ${came}.`
  return { ...where, code, message, expected, ...(received === undefined ? {} : { received: came }) }
}

/** An unknown member or parameter, with the known name that was probably meant. */
export function unknownName(where: Where, name: string, known: readonly string[]): Violation {
  const meant = nearest(name, known)
  const expected = known.length === 0 ? 'nothing' : `one of ${known.join(', ')}`
  const remedy = meant === undefined ? `Expected ${expected}.` : `Did you mean ${meant}?`
  const place = 'pointer' in where ? where.pointer : where.parameter
  return { ...where, code: 'unknown', message: `${place} is not known. ${remedy}`, expected }
}
