import { type ExpectedWords, inWords, nameOf, shown, type Violation, type Where } from '../base/errors/problem.ts'
import type { BehaviourId } from '../../types/behaviour-settings.d.ts'

/** What a request has in a place, and the known word that was probably meant, where `expected` does not list them. */
type Received = readonly [received?: unknown, meant?: string]

/** A violation of what a behaviour asks for. */
export function refusal(
  id: BehaviourId,
  where: Where,
  expected: ExpectedWords,
  ...[received, meant]: Received
): Violation {
  const came = received === undefined ? 'nothing' : shown(received)
  const { words, hint } = inWords(expected, received)
  const refused = refusalInWords(id, where, words, came)
  const suggestion = meant === undefined ? hint : ` Did you mean ${meant}?`
  return { ...refused, message: refused.message + suggestion, ...(received === undefined ? {} : { received: came }) }
}

/**
 * A violation by a value that must not be shown, such as a key.
 *
 * @param came describes the value, to follow "got"
 */
export function refusalInWords(id: BehaviourId, where: Where, expected: string, came: string): Violation {
  const place = nameOf(where) || 'the body'
  return {
    ...where,
    code: id,
    message: `${place}: expected ${expected}, got ${came}.`,
    expected,
    source: `spec/behaviours.yaml#${id}`,
  }
}
