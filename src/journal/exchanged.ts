import type { Violation } from '../errors/problem.ts'

/** A request to the emulated service and its response as sent, keys included. */
export interface Exchanged {
  /** Counts from 1 in each sandbox, over resets too. */
  readonly id: number
  /** Epoch ms by the sandbox's clock when the request arrived. */
  readonly arrived: number
  /** Epoch ms by the sandbox's clock when the handler ran; later than `arrived` only after a delay. */
  readonly now: number
  /** Epoch ms by the machine's clock when the response was sent. */
  readonly answeredAt: number
  /** From the head of the request to the end of the response, by the machine's steady clock. */
  readonly milliseconds: number
  readonly requestId: string
  /** Undefined for requests to no operation. */
  readonly operationId: string | undefined
  readonly method: string
  /** The request target as received. */
  readonly url: string
  /** Names and values by turns, as received. */
  readonly requestHeaders: readonly string[]
  /** Undefined when there was none or it was not read. */
  readonly requestBody: string | undefined
  /** Whether only the beginning of the body is kept. */
  readonly isRequestCut: boolean
  /** 0 when the connection ended without a response. */
  readonly status: number
  /** Names and values by turns, without those that Node adds. */
  readonly answerHeaders: readonly string[]
  /** Undefined when there was none and when it was dropped; see `isAnswerForgotten`. */
  readonly answerBody: string | undefined
  /** Whether `answerBody` is base64, since the bytes that were sent are not UTF-8. */
  readonly isAnswerBinary: boolean
  /** How the response ended. */
  readonly end: ResponseEnd
  readonly isAnswerCut: boolean
  /** Whether the response body was dropped to make room for later ones. */
  readonly isAnswerForgotten: boolean
  /** The token of the next page, for pages that have one. */
  readonly next: string | undefined
  /** Whether it changed the state. */
  readonly hasChanged: boolean
  /** How many request ids were issued, its own included. */
  readonly requests: number
  /** The number of its first event; `nextEvent` when it caused none. */
  readonly firstEvent: number
  /** The number of the sandbox's next event after it. */
  readonly nextEvent: number
  /** The behaviours that the response depended on, as in `X-Mock-Behaviours`. */
  readonly rows: string
  /** Why it was refused, and all violations. */
  readonly problem: string | undefined
  readonly issues: readonly Violation[]
  /** The kind of the fault that affected it. */
  readonly fault: string | undefined
  /** The id of the exchange that a browser silently repeated with this one. */
  readonly repeats: number | undefined
  /** The stack of an internal error. */
  readonly defect: string | undefined
}

/** Everything was sent, a fault or an internal error ended the connection, or the client left. */
export type ResponseEnd = 'whole' | 'broken' | 'left'

/** Characters of a body that are kept. A page of 100 files has 40,000. */
export const LONGEST_BODY = 65_536

/** The part of a body that is kept. */
export function keepText(text: string): string {
  return text.length <= LONGEST_BODY ? text : text.slice(0, LONGEST_BODY)
}
