import type { Ask } from '../frame/ask.ts'

/** One kind of request, and the very bytes that Standin answers it with, which the others are given to answer. */
export interface Work {
  readonly title: string
  readonly kind: 'search' | 'create' | 'update'
  readonly ask: Ask
  readonly answer: string
}

export interface Start {
  readonly port: number
  /** A directory of its own, for the files that it needs. */
  readonly folder: string
  readonly work: Work
}

export interface Command {
  readonly command: string
  readonly args: readonly string[]
  readonly env?: Readonly<Record<string, string>>
  /** What to ask it instead, when it cannot be asked what the others are asked. */
  readonly ask?: Ask
}

/** A server to be measured, as its users start it. */
export interface Contender {
  readonly name: string
  /** What it does for its answer, in half a sentence. */
  readonly does: string
  start(start: Start): Command
  /** Seconds of warm-up, which do not count; as long as a sample by default. A virtual machine takes its time to compile. */
  readonly warmUp?: number
  /** The only loads that it takes part in; all by default. */
  readonly only?: readonly string[]
}
