/**
 * Work in steps: its caller may do something else between two of them. The work reads no clock and waits for nothing, so it stays a
 * pure function of its input.
 */
export type Steps<Result> = Generator<undefined, Result, undefined>

/** Does all steps at once. */
export function runSteps<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
  }
}

/** Work that is done at once or in steps. */
export type Work<Result> = Result | Steps<Result>

export function isSteps<Result extends object>(work: Work<Result>): work is Steps<Result> {
  return 'next' in work && typeof work.next === 'function'
}

export function runWork<Result extends object>(work: Work<Result>): Result {
  return isSteps(work) ? runSteps(work) : work
}
