import { clientGone } from '../base/errors/request-errors.ts'

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

/** Does at most so many steps at once; undefined where that was not all of them, and the rest can be done later. */
export function runFewSteps<Result extends object>(steps: Steps<Result>, most: number): Result | undefined {
  for (let step = 0; step < most; step++) {
    const { done, value } = steps.next()
    if (done === true) return value
  }
  return undefined
}

/** Collects the items that meet a condition, a part of them in each step. */
export function* collect<Item>(items: Iterable<Item>, holds: (item: Item) => boolean = () => true): Steps<Item[]> {
  const collected: Item[] = []
  let looked = 0
  for (const item of items) {
    if (holds(item)) collected.push(item)
    if (++looked % MAX_COLLECTED === 0) yield
  }
  return collected
}

/** Items that are looked at in one step. */
const MAX_COLLECTED = 4096

/** Work that is done at once or in steps. */
export type Work<Result> = Result | Steps<Result>

export function isSteps<Result extends object>(work: Work<Result>): work is Steps<Result> {
  return 'next' in work && typeof work.next === 'function'
}

export function runWork<Result extends object>(work: Work<Result>): Result {
  return isSteps(work) ? runSteps(work) : work
}

/**
 * Long work is done in slices of a few milliseconds, one in each turn of the event loop, so that other requests are handled
 * meanwhile. Call the pause at every step: it returns undefined while the slice lasts, then a promise of the next slice, which is
 * rejected with a Problem 499 when the client has left.
 *
 * @example
 * const paused = pause()
 * if (paused) await paused
 */
export type Pause = () => Promise<void> | undefined

export interface Slices {
  /** Starts work. @param isGone whether its client has left; without it the work is always finished */
  begin(isGone?: () => boolean): Pause
}

/** Milliseconds. */
const SLICE = 8

/** @param elapsed milliseconds by a monotonic clock */
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
      let until: number | undefined
      const pause = async () => {
        await nextTurn()
        if (isGone?.()) throw clientGone({ detail: 'The client left before the work was done.' })
        until = elapsed() + SLICE
      }
      return () => {
        until ??= elapsed() + SLICE
        return elapsed() < until ? undefined : pause()
      }
    },
  }
}

/** Does work in slices. Work shorter than a slice is done at once. */
export function inSlices<Result extends object>(work: Work<Result>, pause: Pause): Result | Promise<Result> {
  if (!isSteps(work)) return work
  for (;;) {
    const step = work.next()
    if (step.done) return step.value
    const paused = pause()
    if (paused) return paused.then(() => inSlices(work, pause))
  }
}

/**
 * Batches work by the turn of the event loop (decisions/0008-request-performance.md). Requests that were read in one turn are decided one
 * after the other, and their responses are written together: the first write wakes a sleeping client, which takes longer than the rest
 * of a response, and the others find it awake. No request waits longer, since a turn ends when nothing more is there to be read.
 */
type Gathering = (task: () => void) => void

/** Runs tasks with the others of their turn, in their order. They must not throw. */
function batchPerTick(atEnd: (run: () => void) => void): Gathering {
  let tasks: (() => void)[] = []
  const run = () => {
    const gathered = tasks
    tasks = []
    for (const task of gathered) task()
  }
  return (task) => {
    if (tasks.length === 0) atEnd(run)
    tasks.push(task)
  }
}

/** After everything that had arrived is read. */
export const atEndOfRead = batchPerTick(setImmediate)

/** After everything that was read is decided, or failed, or waits. */
export const atEndOfTurn = batchPerTick((run) => process.nextTick(run))
