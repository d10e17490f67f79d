import type { Violation } from '../../base/errors/problem.ts'
import type { Operation } from '../../contract/contract.ts'

/** A response as it is learnt from. */
export interface LearntResponse {
  readonly status: number
  /** Undefined where there is none, or where it is not JSON. */
  readonly json: unknown
  readonly hasBody: boolean
  /** The body, where it is one word: the id of a new item may be all that it says. */
  readonly word: string | undefined
  /** Names in lower case. */
  readonly headers: ReadonlyMap<string, string>
}

/** One exchange of a recording, and what a stand-in responds to the same request. */
export interface ComparedExchange {
  readonly source: string
  readonly operation: Operation | undefined
  readonly method: string
  readonly url: string
  /** Epoch ms. */
  readonly at: number
  /** The parameters of the path, decoded. */
  readonly path: Readonly<Record<string, string>>
  readonly sent: unknown
  /** What the service responded, with our names for what it made. */
  readonly theirs: LearntResponse
  readonly ours: LearntResponse
  /** What the stand-in did: `ok`, `changed`, or the id of the problem: `item-not-found`, `request-invalid/body`. */
  readonly outcome: string
  /** What was wrong with the request. */
  readonly violations: readonly Violation[]
  /** The same in a sentence; undefined for a success. */
  readonly problem: string | undefined
  /** Whether it names something that the stand-in never made, so that its response says nothing. */
  readonly isLost: boolean
}
