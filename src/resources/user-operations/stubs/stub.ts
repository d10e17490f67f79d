import type { Fault } from '../../../engine/faults/fault.ts'
import type { Handler } from '../../handler.ts'
import type { StubRequest } from './condition.ts'

/** A response that is declared for the requests of an operation that are as it says. */
export interface Stub {
  /** Its own, or that of its operation with a number. */
  readonly name: string
  /** For messages: `stubs.yaml:3`. */
  readonly place: string
  /** Whether it is made of examples of the contract that have one name. */
  readonly isPair: boolean
  matches(request: StubRequest): boolean
  /** The part that it has in a story of several requests; undefined for none. */
  readonly scenario: StubScenario | undefined
  /** How many requests it is for; undefined for all. */
  readonly times: number | undefined
  /** Whether its responses begin again after the last one, in place of that one for all further requests. */
  readonly isRepeated: boolean
  /** One for each request; none where the request is handled as usual. */
  readonly responses: readonly StubResponse[]
  readonly faults: readonly Fault[]
}

/** A stub of a scenario is for requests while that is in a state, and leads it to another one. */
export interface StubScenario {
  readonly name: string
  /** Undefined for any state. */
  readonly when: string | undefined
  /** Undefined where it stays. */
  readonly becomes: string | undefined
}

/** The state in which each scenario begins, as in WireMock. */
export const FIRST_STATE = 'Started'

export interface StubResponse {
  /** Makes the response, and the changes. */
  readonly handler: Handler
  /** The response of the document that takes the place of that of the handler; undefined for that one. */
  readonly documented: { readonly code?: number; readonly example?: string } | undefined
  /** Whether it must be one that the contract allows. */
  readonly isChecked: boolean
}

/** Whether the requests that a stub is used for are counted. */
export function isCounted({ times, responses }: Pick<Stub, 'times' | 'responses'>): boolean {
  return times !== undefined || responses.length > 1
}
