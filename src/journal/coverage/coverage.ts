import type { Behaviours } from '../../behaviours/behaviours.ts'
import type { Contract } from '../../contract/contract.ts'
import type { SandboxObserver } from '../../engine/sandbox.ts'
import type { Exchange } from '../exchange.ts'
import { pathOf } from '../../base/network/http-message.ts'
import { type CoverableOperation, type CoveragePlan, planOperation, WALK, WALKS } from './operation-plan.ts'
import { type SentBody, usedSlots, type CoveredExchange, isAccepted } from './read-exchange.ts'
import { addTally, countIn, createTally, type FindPlan, type Tally } from './tally.ts'

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
  /** Follows what other processes count of the same sandbox. */
  follow(others: OtherCounts): void
  /** Exchanges of other processes that were dropped before they were counted here. */
  readonly missed: number
}

interface OtherCounts {
  /** Whether the sandbox is another one than before. */
  readonly isNew: boolean
  /** The id of the latest exchange that does not count, since coverage began again after it. */
  readonly uncoveredUpTo: number
  /** How many were dropped before they were read. */
  readonly missed: number
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
      let isShared = false
      let missed = 0
      let uncovered = 0
      const coverage: SandboxCoverage = {
        count(exchange, body) {
          if (isKept && exchange.id > uncovered) count(exchange, body, counter, findPlan)
        },
        follow(others) {
          settle()
          const isOver = isShared && (others.isNew || others.uncoveredUpTo > uncovered)
          isShared = true
          uncovered = others.uncoveredUpTo
          missed = others.missed + (isOver ? 0 : missed)
          if (isOver) counter.tally = createTally()
        },
        get missed() {
          return missed
        },
      }
      counters.set(coverage, counter)
      return {
        members: { coverage },
        onDelete() {
          settle()
          // Each process has seen another part of one that they share.
          if (!isShared) addTally(removed, counter.tally, findPlan)
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

/** Follows how a client walks through the pages of lists, in one sandbox. */
interface Walks {
  read(plan: CoveragePlan, exchange: CoveredExchange): WalkedSearch
}

interface WalkedSearch {
  /** The query of the exchange, with an empty token. */
  readonly search: string
  /** The counters of what it did. */
  readonly slots: readonly number[]
}

/** Pages that were refused or lost, and may be asked for again. */
const MAX_FAILED = 50
/** Characters of what identifies one. */
const LONGEST_PAGE = 2000

function createWalks(): Walks {
  /** In the order in which they failed. */
  const failed = new Set<string>()
  const noteFailed = (page: string) => {
    failed.add(page)
    if (failed.size <= MAX_FAILED) return
    for (const oldest of failed) return void failed.delete(oldest)
  }
  return {
    read(plan, exchange) {
      const { pageParameter } = plan.stateful ?? {}
      const mark = exchange.url.indexOf('?')
      const sent = mark < 0 ? '' : exchange.url.slice(mark + 1)
      if (pageParameter === undefined) return { search: sent, slots: NONE }
      const { search, token } = splitToken(sent, pageParameter, plan)
      const isOk = isAccepted(exchange)
      if (token === undefined) {
        const isOnly = isOk && exchange.next === undefined
        return { search, slots: isOnly ? slotsOf(plan.slotOf(WALKS, WALK.one)) : NONE }
      }
      // A number of a page has a meaning only together with the rest of the request.
      const { requestBody = '' } = exchange
      const page = `${plan.operation.operationId} ${token} ${search} ${requestBody}`.slice(0, LONGEST_PAGE)
      if (!isOk) {
        noteFailed(page)
        return { search, slots: NONE }
      }
      const isLast = exchange.next === undefined
      const slots = slotsOf(
        plan.slotOf(WALKS, WALK.several),
        isLast ? plan.slotOf(WALKS, WALK.end) : undefined,
        failed.delete(page) ? plan.slotOf(WALKS, WALK.resumed) : undefined,
      )
      return { search, slots }
    },
  }
}

const NONE: readonly never[] = []

function slotsOf(...slots: readonly (number | undefined)[]): readonly number[] {
  return slots.filter((slot) => slot !== undefined)
}

interface Split {
  readonly search: string
  /** Undefined for the first page. */
  readonly token: string | undefined
}

/** The query with an empty token, so that it is the same for all pages. */
function splitToken(search: string, parameter: string, { stateful }: CoveragePlan): Split {
  const isSent = search.includes(`${parameter}=`) || search.includes(`${encodeURIComponent(parameter)}=`)
  if (!isSent) return { search, token: undefined }
  const query = new URLSearchParams(search)
  const token = query.get(parameter) ?? ''
  if (token === '' || token === stateful?.firstPage) return { search, token: undefined }
  query.set(parameter, '')
  return { search: query.toString(), token }
}
