import type { CoveragePlan } from './operation-plan.ts'
import { WALK, WALKS } from './operation-plan.ts'
import { type CoveredExchange, isAccepted } from './read-exchange.ts'

/** Follows how a client walks through the pages of lists, in one sandbox. */
export interface Walks {
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

export function createWalks(): Walks {
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
