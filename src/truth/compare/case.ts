import { type ReadExchange, readExchange } from '../recordings/differences/find-differences.ts'
import { headerOf, type Header, type RecordedExchange } from '../recordings/recorded-exchange.ts'

/** A request as it is to be sent. The side that sends it adds the key. */
export interface Planned {
  readonly method: string
  /** Path and query. */
  readonly url: string
  readonly headers: readonly Header[]
  readonly body?: string | undefined
  /** Which key it has: `usual` when absent. */
  readonly key?: 'usual' | 'other' | 'none' | 'blank'
  /** What of a list this request tries, such as the operator `LIKE`: the setting of a behaviour is made of those that work. */
  readonly tries?: string
  /** Epoch ms when it was recorded. */
  readonly at?: number
  /** Why it cannot be sent. */
  readonly unknown?: string
  /** Whether there were more pages than were recorded. */
  readonly isCut?: boolean
}

/** A response as one side gave it. */
export interface Seen extends ReadExchange {
  readonly planned: Planned
  readonly exchange: RecordedExchange
  /** What the response depended on, where the stand-in gave it. */
  readonly behaviours: readonly string[]
  /** Why it cannot be compared. */
  readonly unknown?: string | undefined
}

export type Steps = Generator<Planned, unknown, Seen>

/** Requests that belong together. Both sides get them, each with its own tokens and ids. */
export interface Case {
  /** What is tried, for people: `a limit of 0`. */
  readonly name: string
  /** The behaviours that it was made for. */
  readonly about: readonly string[]
  /** Whether it may change something. */
  readonly writes: boolean
  /** Whether the sides have other items. Then only what they look like is compared. */
  readonly hasOtherItems?: boolean
  /** Numbers that a setting may have: the sizes that were tried. */
  readonly sizes?: readonly number[]
  /** Yields requests, and takes their responses. */
  steps(own: Own): Steps
}

/** What requests are made with where the sides differ. */
export interface Own {
  /** An entry of the file set as this side shows it. */
  entry(path: string): Entry | undefined
}

/** What requests need to know of an entry of a file set. */
export interface Entry {
  readonly id: string
  readonly path: string
  readonly created: string
}

/** More requests than any case has. */
const MOST_STEPS = 400

/** Someone who responds. */
export interface Side extends Own {
  send(planned: Planned): Promise<Seen>
}

/** Sends the requests of a case, one after the other. */
export async function runCase(one: Case, side: Side): Promise<readonly Seen[]> {
  const seen: Seen[] = []
  const steps = one.steps(side)
  let next = steps.next()
  while (next.done !== true && seen.length < MOST_STEPS) {
    const response = await side.send(next.value)
    seen.push(response)
    next = steps.next(response)
  }
  return seen
}

export function readSeen(planned: Planned, exchange: RecordedExchange): Seen {
  const listed = headerOf(exchange.response.headers, 'x-mock-behaviours')
  return { planned, ...readExchange(exchange), behaviours: listed?.split(', ') ?? [] }
}
