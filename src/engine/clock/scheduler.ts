import type { AdvancePlan, DueEvent, Scheduler } from '../state.ts'

/** The schedulers of all parts of the state as one. */
export function joinSchedulers(all: readonly Scheduler[]): Scheduler {
  const [only] = all
  if (only && all.length === 1) return only
  return {
    quietUntil: () => Math.min(Infinity, ...all.map((one) => one.quietUntil())),
    next() {
      const instants = all.map((one) => one.next()).filter((at) => at !== undefined)
      return instants.length === 0 ? undefined : Math.min(...instants)
    },
    due: (until) => inOrder(all.flatMap((one) => one.due(until))),
    *plan(until) {
      const plans: AdvancePlan[] = []
      for (const one of all) plans.push(yield* one.plan(until))
      return { due: inOrder(plans.flatMap(({ due }) => due)), take: () => plans.forEach((plan) => plan.take()) }
    },
    onEvent: (event) => all.forEach((one) => one.onEvent(event)),
    onRepeat: (event) => all.forEach((one) => one.onRepeat(event)),
    forget: () => all.forEach((one) => one.forget()),
  }
}

function inOrder(due: readonly DueEvent[]): readonly DueEvent[] {
  return due.toSorted((a, b) => a.at - b.at)
}

/** What one step of an advance stores, and listeners receive, at once. */
const MAX_EVENTS_OF_SLICE = 500
const MAX_PARTS_OF_SLICE = 2000

export function* sliceDue(due: readonly DueEvent[]): Generator<readonly DueEvent[]> {
  let slice: DueEvent[] = []
  let parts = 0
  for (const one of due) {
    slice.push(one)
    parts += one.parts
    if (slice.length < MAX_EVENTS_OF_SLICE && parts < MAX_PARTS_OF_SLICE) continue
    yield slice
    slice = []
    parts = 0
  }
  if (slice.length > 0) yield slice
}
