import { isSteps, type Steps, type Work } from '../world/steps.ts'

/** Milliseconds after which other requests get their turn. */
export const LONGEST_SLICE = 8

/**
 * Does work without keeping other requests waiting: all of it at once where it is short, else a slice at a time.
 *
 * @param elapsed milliseconds by the machine's steady clock
 */
export function inSlices<Result extends object>(work: Work<Result>, elapsed: () => number): Result | Promise<Result> {
  if (!isSteps(work)) return work
  const first = work.next()
  return first.done ? first.value : continueSlices(work, elapsed, elapsed())
}

function continueSlices<Result>(steps: Steps<Result>, elapsed: () => number, began: number): Result | Promise<Result> {
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
    if (elapsed() - began > LONGEST_SLICE) return nextTurn().then(() => continueSlices(steps, elapsed, elapsed()))
  }
}

/** When everything that waits was done once. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}
