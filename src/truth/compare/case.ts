import { asObject } from '../../base/formats/json.ts'
import { type ReadExchange, readExchange } from '../recordings/differences/find-differences.ts'
import { headerOf, type Header, type RecordedExchange } from '../recordings/recorded-exchange.ts'

/** A request as it is to be sent. The side that sends it adds the key. */
export interface Planned {
  readonly method: string
  /** Path and query. */
  readonly url: string
  readonly headers: readonly Header[]
  readonly body?: string | undefined
  /** The usual one when absent, and none for null. */
  readonly key?: string | null
  /** Epoch ms when it was recorded. */
  readonly at?: number
  /** Why it cannot be sent. */
  readonly unknown?: string
}

/** A response as one side gave it. */
export interface SeenResponse extends ReadExchange {
  readonly planned: Planned
  readonly exchange: RecordedExchange
  /** What the response depended on, where the stand-in gave it. */
  readonly behaviours: readonly string[]
  /** Why it cannot be compared. */
  readonly unknown?: string | undefined
}

type CaseSteps = Generator<Planned, unknown, SeenResponse>

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

/** More requests than any case has. */
const MOST_STEPS = 400

/** Someone who responds. */
export interface Responder {
  send(planned: Planned): Promise<SeenResponse>
}

/** Sends the requests of a case, one after the other. */
export async function runCase(one: Case, side: Responder): Promise<readonly SeenResponse[]> {
  const seen: SeenResponse[] = []
  const steps = one.steps()
  let next = steps.next()
  while (next.done !== true && seen.length < MOST_STEPS) {
    const response = await side.send(next.value)
    seen.push(response)
    next = steps.next(response)
  }
  return seen
}

export function readSeen(planned: Planned, exchange: RecordedExchange): SeenResponse {
  const listed = headerOf(exchange.response.headers, 'x-mock-behaviours')
  return { planned, ...readExchange(exchange), behaviours: listed?.split(', ') ?? [] }
}

/** The list that a response is, or those that are members of it. */
export function listsIn(json: unknown): readonly (readonly unknown[])[] {
  return Array.isArray(json) ? [json] : Object.values(asObject(json)).filter(Array.isArray)
}
