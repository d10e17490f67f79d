import type { Asked, Asking, Questioner } from '../questioner.ts'
import type { SearchSeen } from '../search-seen.ts'
import type { Traffic } from '../traffic.ts'

/** The largest amount that is accepted of something, and the smallest one that is refused. */
export interface Bound {
  readonly accepted: number
  readonly acceptedBy: SearchSeen | undefined
  readonly refused: number
  readonly refusedBy: SearchSeen | undefined
}

/** @param use the amount among the uses of a search: `sort.max`, `filter.max:values` */
export function boundOf(use: string, traffic: Traffic): Bound {
  let bound: Bound = { accepted: 1, acceptedBy: undefined, refused: Infinity, refusedBy: undefined }
  for (const search of traffic.searches) {
    const found = [...search.uses].find((one) => one.startsWith(`${use}:`))
    if (found === undefined || search.query.has('next')) continue
    const amount = Number(found.slice(use.length + 1))
    if (search.outcome === 'page' && amount > bound.accepted) bound = { ...bound, accepted: amount, acceptedBy: search }
    if ((search.status === 400 || search.status === 422) && amount < bound.refused) {
      const suspects = traffic.suspectsOf(search)
      const isAbout = suspects.length > 0 && suspects.every((one) => one.startsWith(`${use}:`))
      if (isAbout) bound = { ...bound, refused: amount, refusedBy: search }
    }
  }
  return bound
}

export function isExact({ accepted, refused }: Bound): boolean {
  return refused === accepted + 1
}

/** No search is larger: larger ones are no use to clients. */
const MOST_BYTES = 524_288

/** Finds the bound: larger and larger amounts first, then between what was accepted and what was refused. */
export function* askForBound(
  questioner: Questioner,
  use: string,
  searchWith: (amount: number) => Asked | undefined,
): Asking {
  for (let count = 0; count < MAX_SEARCHES; count++) {
    const bound = boundOf(use, questioner.traffic)
    const { accepted, refused } = bound
    if (isExact(bound)) return
    const amount =
      refused === Infinity ? accepted * STEP : Math.max(accepted + 1, Math.floor(Math.sqrt(accepted * refused)))
    const asked = withinSize(amount, searchWith, questioner.traffic)
    if (!asked || asked.amount <= accepted) return
    const search = yield* questioner.search(asked.search)
    // It may be the size of the body that was refused: spaces have no meaning.
    if (questioner.traffic.suspectsOf(search).some((suspect) => suspect.startsWith('http.size:')))
      yield* questioner.search({ body: `{${' '.repeat(JSON.stringify(asked.search.body).length)}}` })
    const after = boundOf(use, questioner.traffic)
    // Refused for another reason, or not at all.
    if (after.accepted === accepted && after.refused === refused) return
    if (search.outcome === 'failed') return
  }
}

/** The search with that amount, or with as much as a body may have. */
function withinSize(amount: number, searchWith: (amount: number) => Asked | undefined, traffic: Traffic) {
  const most = Math.min(MOST_BYTES, traffic.settingOf('http.size') ?? MOST_BYTES)
  const search = searchWith(amount)
  const size = search ? JSON.stringify(search.body).length : 0
  if (!search || size <= most) return search && { amount, search }
  const less = Math.floor((amount * (most - SLACK)) / size)
  const smaller = searchWith(less)
  return smaller && { amount: less, search: smaller }
}

/** Bytes that a body has besides the amount. */
const SLACK = 200

const STEP = 4
const MAX_SEARCHES = 24
