import type { Violation } from '../errors/problem.ts'

/** One exchange of the emulated service, as it went over the wire; keys are still in it. */
export interface Exchanged {
  /** Counts from 1 in each sandbox, over resets too. */
  readonly id: number
  /** Epoch ms by the sandbox's clock when the request arrived. */
  readonly arrived: number
  /** Epoch ms by the sandbox's clock when it was decided; later than `arrived` only after a delay. */
  readonly now: number
  /** Epoch ms by the machine's clock when the answer left. */
  readonly answeredAt: number
  /** From the head of the request to the end of the answer, by the machine's steady clock. */
  readonly milliseconds: number
  readonly requestId: string
  /** Undefined when it belonged to none. */
  readonly operationId: string | undefined
  readonly method: string
  /** The request target as it came. */
  readonly url: string
  /** Names and values by turns, as they came. */
  readonly requestHeaders: readonly string[]
  /** Undefined when there was none, or when it was not read. */
  readonly requestBody: string | undefined
  /** Whether the body was longer than what is kept of it. */
  readonly isRequestCut: boolean
  /** 0 when the connection ended without an answer. */
  readonly status: number
  /** Names and values by turns, without what the engine adds. */
  readonly answerHeaders: readonly string[]
  /** Undefined when there was none, and when it was let go: see `isAnswerForgotten`. */
  readonly answerBody: string | undefined
  /** Whether `answerBody` is base64, since the bytes that were sent are not UTF-8. */
  readonly isAnswerBinary: boolean
  /** How the response ended. */
  readonly end: ResponseEnd
  readonly isAnswerCut: boolean
  /** Whether the answer's body made room for later ones. */
  readonly isAnswerForgotten: boolean
  /** The token to the next page, where the answer is a page that has one. */
  readonly next: string | undefined
  /** Whether it changed the state. */
  readonly hasChanged: boolean
  /** How many request ids were given out, its own included. */
  readonly requests: number
  /** The number of the first event that it caused; `nextEvent` when it caused none. */
  readonly firstEvent: number
  /** The number of the next event of the sandbox's history once it was decided, its own events included. */
  readonly nextEvent: number
  /** Rows of the behaviour catalogue that the answer depended on, as `X-Mock-Behaviours` has them. */
  readonly rows: string
  /** Why it was refused, and everything that was wrong. */
  readonly problem: string | undefined
  readonly issues: readonly Violation[]
  /** What kind of fault struck it. */
  readonly fault: string | undefined
  /** The id of the exchange that a browser repeated by itself with this one, and that the fault struck. */
  readonly repeats: number | undefined
  /** The stack of a defect of the mock. */
  readonly defect: string | undefined
}

/** All of it was sent; or a fault (or a defect) ended the connection before; or the client left before. */
export type ResponseEnd = 'whole' | 'broken' | 'left'

/** Characters of a body that are kept. A page of a hundred files has forty thousand. */
export const LONGEST_BODY = 65_536

/** As much of a body as is kept. */
export function keepText(text: string): string {
  return text.length <= LONGEST_BODY ? text : text.slice(0, LONGEST_BODY)
}
