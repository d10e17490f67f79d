import type { Wait } from '../middleware/request-context.ts'

/** The machine's clocks. */
export interface Machine {
  /** Epoch ms. */
  readonly realNow: () => number
  /** Milliseconds of a monotonic clock, from anywhere. */
  readonly elapsed: () => number
  /** Lets real milliseconds pass, or until the response's connection is gone; the machine's timer when absent. */
  readonly wait?: Wait
}

/** The one place where real time enters. */
export const MACHINE: Machine = { realNow: Date.now, elapsed: performance.now.bind(performance) }
