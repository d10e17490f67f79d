import { type Refusal, refusalWords } from './refusal-words.ts'
import type { RenderedProblem } from '../response/render-problem.ts'
import type { Operation } from '../../contract/contract.ts'
import type { Documented } from '../../contract/schemas/documented.ts'
import { fill } from '../../contract/schemas/fill.ts'
import { isObject, parseJson, stringifyJson } from '../../formats/json.ts'

/** As many alternatives of a schema are tried. */
const MOST_TRIES = 4

interface Place {
  readonly operation: Operation
  readonly documented: Documented
  readonly document: unknown
}

/**
 * The body of a refusal as its operation documents it. The usual body stays where nothing is documented, or where it fits what
 * is and says what the documented members are for; else one is made to fit. When none that we can make fits, the first goes out:
 * its members have the names that the client knows.
 */
export function fittedBody(refusal: Refusal, usual: RenderedProblem, place: Place): RenderedProblem {
  const { operation, documented, document } = place
  const { status } = refusal
  const { contentType, schema } = documented.answer(status) ?? {}
  if (contentType === undefined) return usual
  if (schema === undefined) return { contentType, body: usual.body }
  const fits = (body: unknown) => operation.checkAnswer(status, body, contentType).length === 0
  const sent = parseJson(usual.body)
  const tries = triedBodies(refusal, document, schema)
  const fitting = tries.find(fits)
  if (fits(sent) && (fitting === undefined || saysAll(sent, fitting))) return { contentType, body: usual.body }
  // A problem document may have members of any name (RFC 9457, 3.2), so nothing need be left out of one.
  const whole = contentType === PROBLEM && isObject(sent) && isObject(fitting) ? { ...fitting, ...sent } : fitting
  return { contentType, body: stringifyJson(fits(whole) ? whole : (fitting ?? tries[0])) }
}

const PROBLEM = 'application/problem+json'

/** Whether a body has every member that the contract names for what it says: a client reads `message`, not our `detail`. */
function saysAll(sent: unknown, made: unknown): boolean {
  return !isObject(made) || (isObject(sent) && Object.keys(made).every((name) => Object.hasOwn(sent, name)))
}

/** What a schema makes of a refusal, with each of its alternatives. */
export function triedBodies(refusal: Refusal, document: unknown, schema: unknown): unknown[] {
  const words = refusalWords(refusal)
  return Array.from({ length: MOST_TRIES }, (_, branch) => fill(document, schema, words, branch))
}
