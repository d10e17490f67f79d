import type { Violation } from '../problem.ts'

/**
 * A body as it was sent. A page is kept by the texts of its entries, which are there anyhow, and put together when somebody wants
 * to see it: joined texts of pages would be most of what a process holds.
 */
export type BodyText = string | { readonly fragments: readonly string[]; readonly end: string }

/** One exchange of the emulated service, as it went over the wire. It refers to what was there anyhow; keys are still in it. */
export interface Exchanged {
  /** Counts from 1 in each sandbox, over resets too. */
  readonly id: number
  /** Epoch ms by the sandbox's clock when the request came. */
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
  readonly requestBody: BodyText | undefined
  /** Whether the body was longer than what is kept of it. */
  readonly isRequestCut: boolean
  /** 0 when the connection ended without an answer. */
  readonly status: number
  /** Names and values by turns, without what the engine adds. */
  readonly answerHeaders: readonly string[]
  /** Undefined when there was none, and when it was let go: see `isAnswerForgotten`. */
  readonly answerBody: BodyText | undefined
  readonly isAnswerCut: boolean
  /** Whether the answer's body made room for later ones. */
  readonly isAnswerForgotten: boolean
  /** The token to the next page, where the answer is a page that has one. */
  readonly next: string | undefined
  /** Whether it changed the world. */
  readonly hasChanged: boolean
  /** How many request ids were given out, its own included. */
  readonly requests: number
  /** The number of the next event of the sandbox's history once it was decided, its own events included. */
  readonly nextEvent: number
  /** Rows of the ledger that the answer leaned on. */
  readonly rows: readonly string[]
  /** Why it was refused, and everything that was wrong. */
  readonly problem: string | undefined
  readonly issues: readonly Violation[]
  /** What kind of fault struck it. */
  readonly fault: string | undefined
}

/** Characters of a body that are kept. A page of a hundred files has forty thousand. */
export const LONGEST_BODY = 65_536

/** A text that is kept for a while, cut where it is too long. A part of a text would hold on to the whole of it, so it is copied. */
export function keepText(text: string): string {
  return text.length <= LONGEST_BODY ? text : Buffer.from(text.slice(0, LONGEST_BODY)).toString()
}

/** How a page begins, and what stands between its entries and its context. */
export const PAGE_START = '{"files":['
export const PAGE_MIDDLE = '],"pageContext":'

/** A page that is kept by its entries' texts; cut after so many of them as there is room for. */
export function keepPage(fragments: readonly string[], context: string): { body: BodyText; isCut: boolean } {
  let length = 0
  const beyond = fragments.findIndex((fragment) => (length += fragment.length + 1) > LONGEST_BODY)
  if (beyond < 0) return { body: { fragments, end: `${PAGE_MIDDLE}${context}}` }, isCut: false }
  return { body: { fragments: fragments.slice(0, beyond), end: ',' }, isCut: true }
}

/** The text of a body. */
export function textOf(body: BodyText): string {
  return typeof body === 'string' ? body : PAGE_START + body.fragments.join(',') + body.end
}

/** About how many bytes a body takes, the parts that it shares with others included. */
export function sizeOf(body: BodyText | undefined): number {
  if (body === undefined) return 0
  if (typeof body === 'string') return body.length
  let size = body.end.length
  for (const fragment of body.fragments) size += fragment.length
  return size
}
