import type { Measured } from './result.ts'

export interface Run {
  /** A short form, for trying out: fewer and shorter rounds. Its figures are marked, and are no figures. */
  readonly quick: boolean
  /** The long form where there is one: 10,000,000 files besides the rest. */
  readonly large: boolean
  /** Tells a step on the standard error, with the time since the start. */
  readonly progress: (step: string) => void
}

/** One benchmark: `npm run bench -- <name>`. */
export interface Bench {
  /** One sentence that says what is measured and how, for the pages and the result. */
  readonly about: string
  run(run: Run): Promise<Measured>
}
