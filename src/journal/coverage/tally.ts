import type { CoveragePlan } from './operation-plan.ts'

/** What was counted of some exchanges. */
export interface Tally {
  /** To operations of the contract. */
  requests: number
  /** How many sandboxes they were sent to. */
  sandboxes: number
  readonly operations: Map<string, OperationTally>
  /** Requests to no operation: `GET /orders`. */
  readonly unmatched: Map<string, number>
  addUnmatched(request: string, count?: number): void
}

export interface OperationTally {
  readonly plan: CoveragePlan
  requests: number
  /** Counters by the index of an item. */
  readonly bySlot: number[]
}

/** Different requests to no operation; more are counted together. */
const MAX_UNMATCHED = 20
const OTHERS = 'other paths'
const LONGEST_PATH = 200

export function createTally(): Tally {
  const unmatched = new Map<string, number>()
  return {
    requests: 0,
    sandboxes: 0,
    operations: new Map(),
    unmatched,
    addUnmatched(request, count = 1) {
      const short = request.slice(0, LONGEST_PATH)
      const name = unmatched.has(short) || unmatched.size < MAX_UNMATCHED ? short : OTHERS
      unmatched.set(name, (unmatched.get(name) ?? 0) + count)
    },
  }
}

/** The counters of an operation in a tally, which may have been counted by another contract or other settings. */
export function countIn(tally: Tally, plan: CoveragePlan): OperationTally {
  const { operationId } = plan.operation
  const known = tally.operations.get(operationId)
  if (known?.plan === plan) return known
  const counts = { plan, requests: 0, bySlot: plan.items.map(() => 0) }
  tally.operations.set(operationId, counts)
  if (known) addCounts(counts, known)
  return counts
}

/** @param findPlan undefined for an operation that a changed contract no longer has */
export function addTally(tally: Tally, other: Tally, findPlan: FindPlan): void {
  for (const [operationId, counts] of other.operations) {
    const plan = findPlan(operationId)
    if (plan) addCounts(countIn(tally, plan), counts)
  }
  for (const [request, count] of other.unmatched) tally.addUnmatched(request, count)
  tally.requests += other.requests
  tally.sandboxes += other.sandboxes
}

export type FindPlan = (operationId: string) => CoveragePlan | undefined

function addCounts(counts: OperationTally, { plan, requests, bySlot }: OperationTally): void {
  counts.requests += requests
  // Behaviours and faults get counters when they are met first, so that there may be holes.
  bySlot.forEach((count, slot) => {
    const item = plan.items[slot]
    const here = plan === counts.plan ? slot : item && counts.plan.slotOf(item.kind, item.name)
    if (here !== undefined && count > 0) counts.bySlot[here] = (counts.bySlot[here] ?? 0) + count
  })
}
