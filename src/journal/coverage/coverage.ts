import type { Behaviours } from '../../behaviours/behaviours.ts'
import type { Contract } from '../../contract/contract.ts'
import type { SandboxObserver } from '../../engine/sandbox.ts'
import { type Exchange, pathOf } from '../exchange.ts'
import { type CoverableOperation, type CoveragePlan, planOperation } from './operation-plan.ts'
import { type SentBody, usedSlots } from './read-exchange.ts'
import { addTally, countIn, createTally, type FindPlan, type Tally } from './tally.ts'
import { createWalks, type Walks } from './walks.ts'

/** What is covered: the operations of the contract and the settings, which change when they are reloaded. */
export interface CoverageParts {
  readonly contract: Pick<Contract, 'document'>
  /** By operationId, in the order of the contract. */
  readonly operations: ReadonlyMap<string, CoverableOperation>
  readonly behaviours: Pick<Behaviours, 'settings' | 'catalog'>
  /** Ids of behaviours that are as the service was found to have them. */
  readonly calibrated: ReadonlySet<string>
}

/** Counts what exchanges used, in each sandbox. It outlives resets, and sandboxes that were deleted count for the server. */
export interface Coverage {
  readonly parts: CoverageParts
  /** Undefined for an operation that the contract does not have. */
  findPlan(operationId: string): CoveragePlan | undefined
  /** What was counted of a sandbox, or of all that there were. */
  tallyOf(sandbox?: SandboxCoverage): Tally
  /** Begins again. @returns how many requests were counted */
  clear(sandbox?: SandboxCoverage): number
  /** Takes another contract, or other settings. What both have stays counted. */
  use(parts: CoverageParts): void
  observe(): SandboxObserver
}

/** The counters of a sandbox. */
export interface SandboxCoverage {
  count(exchange: Exchange, body: SentBody): void
}

declare module '../../engine/sandbox.ts' {
  interface SandboxObservers {
    readonly coverage: SandboxCoverage
  }
}

interface Counter {
  tally: Tally
  readonly walks: Walks
}

interface CoverageOptions {
  /** False where it cannot be read: without control API and artifacts. */
  readonly isKept: boolean
  /** Counts what waits in the journals, which count exchanges in batches: one at a time costs several times as much. */
  readonly settle: () => void
}

export function createCoverage(first: CoverageParts, { isKept, settle }: CoverageOptions): Coverage {
  let parts = first
  let plans = new Map<string, CoveragePlan>()
  const counters = new Map<SandboxCoverage, Counter>()
  let removed = createTally()
  const findPlan = (operationId: string) => {
    const known = plans.get(operationId)
    const coverable = known ?? parts.operations.get(operationId)
    if (known || !coverable) return known
    const plan = planOperation(coverable, parts.contract.document, parts.behaviours.settings)
    plans.set(operationId, plan)
    return plan
  }
  return {
    get parts() {
      return parts
    },
    findPlan,
    tallyOf(sandbox) {
      settle()
      if (sandbox) return counters.get(sandbox)?.tally ?? createTally()
      const all = createTally()
      for (const one of [removed, ...[...counters.values()].map(({ tally }) => tally)]) addTally(all, one, findPlan)
      return all
    },
    clear(sandbox) {
      settle()
      const cleared = sandbox ? [counters.get(sandbox)] : [...counters.values()]
      let requests = 0
      for (const counter of cleared) {
        if (!counter) continue
        requests += counter.tally.requests
        counter.tally = createTally()
      }
      if (sandbox) return requests
      requests += removed.requests
      removed = createTally()
      return requests
    },
    use(next) {
      settle()
      parts = next
      plans = new Map()
    },
    observe() {
      const counter: Counter = { tally: createTally(), walks: createWalks() }
      const coverage: SandboxCoverage = {
        count(exchange, body) {
          if (isKept) count(exchange, body, counter, findPlan)
        },
      }
      counters.set(coverage, counter)
      return {
        members: { coverage },
        onDelete() {
          settle()
          addTally(removed, counter.tally, findPlan)
          counters.delete(coverage)
        },
      }
    },
  }
}

function count(exchange: Exchange, body: SentBody, { tally, walks }: Counter, findPlan: FindPlan): void {
  const { operationId, method, url } = exchange
  const plan = operationId === undefined ? undefined : findPlan(operationId)
  if (!plan) {
    // OPTIONS belongs to no operation, and asks what there is.
    if (method !== 'OPTIONS') tally.addUnmatched(`${method} ${pathOf(url)}`)
    return
  }
  const { search, slots } = walks.read(plan, exchange)
  const counts = countIn(tally, plan)
  counts.requests++
  tally.requests++
  tally.sandboxes = 1
  for (const used of [slots, ...usedSlots(plan, exchange, { search, body })])
    for (const slot of used) counts.bySlot[slot] = (counts.bySlot[slot] ?? 0) + 1
}
