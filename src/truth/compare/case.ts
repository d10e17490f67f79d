import { asObject } from '../../base/formats/json.ts'
import type { RecordedExchange } from '../recordings/recorded-exchange.ts'
import { createNewNames } from '../resend/new-names.ts'
import type { Planned, Responder, SeenResponse } from '../resend/responder.ts'

type CaseSteps = Generator<Planned, void, SeenResponse>

/** Requests that belong together. Both sides get them, each with its own tokens and ids. */
export interface Case {
  /** What is tried, for people: `a limit of 0`. */
  readonly name: string
  /** The behaviours that it was made for. */
  readonly about: readonly string[]
  /** Whether it may change something. */
  readonly writes: boolean
  /** What the target responded to them before, where it is not asked again. */
  readonly exchanges?: readonly RecordedExchange[]
  /** Whether the sides have other items. Then only what they look like is compared. */
  readonly hasOtherItems?: boolean
  /** Yields requests, and takes their responses. */
  steps(): CaseSteps
}

/** Sends the requests of a case, one after the other. */
export async function runCase(one: Case, side: Responder): Promise<readonly SeenResponse[]> {
  const seen: SeenResponse[] = []
  const steps = one.steps()
  let next = steps.next()
  while (next.done !== true) {
    const response = await side.send(next.value)
    seen.push(response)
    next = steps.next(response)
  }
  return seen
}

/** Requests that were sent before, each with the tokens and ids of the side that gets it. */
export function* sendAgain(seen: readonly SeenResponse[], isWrite: (one: SeenResponse) => boolean): CaseSteps {
  const names = createNewNames()
  for (const before of seen) {
    const ours = yield names.ours(before.planned)
    if (ours.unknown === undefined) names.learn(before, ours, isWrite(before))
  }
}

/** The list that a response is, or those that are members of it. */
export function listsIn(json: unknown): readonly (readonly unknown[])[] {
  return Array.isArray(json) ? [json] : Object.values(asObject(json)).filter(Array.isArray)
}
