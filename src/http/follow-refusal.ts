import { type Refusal, refusalWords } from './refusal-words.ts'
import type { RenderedProblem } from './render-problem.ts'
import type { Operation } from '../contract/contract.ts'
import type { Documented } from '../contract/documented.ts'
import { fill } from '../contract/fill.ts'
import { parseJson, stringifyJson } from '../json.ts'

/** As many alternatives of a schema are tried. */
const MOST_TRIES = 4

interface Place {
  readonly operation: Operation
  readonly documented: Documented
  readonly document: unknown
}

/**
 * The body of a refusal as its operation documents it. The usual body stays where nothing is documented, or where it fits what
 * is; else one is made to fit. When none that we can make fits, the first goes out: its members have the names that the client knows.
 */
export function fittedBody(refusal: Refusal, usual: RenderedProblem, place: Place): RenderedProblem {
  const { operation, documented, document } = place
  const { status } = refusal
  const { contentType, schema } = documented.answer(status) ?? {}
  if (contentType === undefined) return usual
  if (schema === undefined || operation.checkAnswer(status, parseJson(usual.body), contentType).length === 0)
    return { contentType, body: usual.body }
  const tries = triedBodies(refusal, document, schema)
  const best = tries.find((body) => operation.checkAnswer(status, body, contentType).length === 0) ?? tries[0]
  return { contentType, body: stringifyJson(best) }
}

/** What a schema makes of a refusal, with each of its alternatives. */
export function triedBodies(refusal: Refusal, document: unknown, schema: unknown): unknown[] {
  const words = refusalWords(refusal)
  return Array.from({ length: MOST_TRIES }, (_, branch) => fill(document, schema, words, branch))
}
