import { Problem } from './problem.ts'

/**
 * To be called at every step of long work. Undefined while the slice lasts; else it resolves in a later turn of the event loop, so
 * that other requests are answered meanwhile.
 *
 * @throws Problem 499 when nobody waits for the work any more, and a promise of it
 */
export type Pause = () => Promise<void> | undefined

/** Divides the long work of a process into slices, of which one is done in each turn of the event loop. */
export interface Slices {
  /** @param isGone whether whoever asked for the work is gone */
  begin(isGone: () => boolean): Pause
}

/** Milliseconds. */
const SLICE = 10

/** @param elapsed milliseconds by a steady clock */
export function createSlices(elapsed: () => number): Slices {
  const waiting: (() => void)[] = []
  const wakeOne = () => {
    waiting.shift()?.()
    if (waiting.length > 0) setImmediate(wakeOne)
  }
  const nextTurn = () =>
    new Promise<void>((resolve) => {
      if (waiting.length === 0) setImmediate(wakeOne)
      waiting.push(resolve)
    })
  return {
    begin(isGone) {
      let until = elapsed() + SLICE
      const pause = async () => {
        await nextTurn()
        if (isGone()) throw gone()
        until = elapsed() + SLICE
      }
      return () => (elapsed() < until ? undefined : pause())
    },
  }
}

/** Does work whose steps are a generator's, in slices. */
export async function inSlices<Result>(steps: Generator<undefined, Result>, pause: Pause): Promise<Result> {
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
    const paused = pause()
    if (paused) await paused
  }
}

function gone(): Problem {
  return new Problem(499, 'client-gone', 'The client is gone', { detail: 'The client left before the work was done.' })
}
