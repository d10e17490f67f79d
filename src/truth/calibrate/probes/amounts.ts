import type { ProbeRequest, Asking, Questioner } from '../questioner.ts'
import type { SearchSeen } from '../search-seen.ts'
import type { Traffic } from '../traffic.ts'
import { findBound } from './largest-accepted.ts'

/** The largest amount that is accepted of something, and the smallest one that is refused. */
export interface AmountBound {
  readonly accepted: number
  readonly acceptedBy: SearchSeen | undefined
  readonly refused: number
  readonly refusedBy: SearchSeen | undefined
}

/** @param use the amount among the uses of a search: `sort.max`, `filter.max:values` */
export function boundOf(use: string, traffic: Traffic): AmountBound {
  let bound: AmountBound = { accepted: 1, acceptedBy: undefined, refused: Infinity, refusedBy: undefined }
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

export function isExact({ accepted, refused }: AmountBound): boolean {
  return refused === accepted + 1
}

/** Something that a search may have many of. */
export interface Amount {
  /** Among the uses of a search. */
  readonly use: string
  /** The bound that is most likely. */
  readonly guess: number
  /** Undefined where no search with that amount is known to be accepted for anything else. */
  searchWith(amount: number): ProbeRequest | undefined
}

/** Finds the bound of an amount. */
export function* askForBound({ traffic, search }: Questioner, { use, guess, searchWith }: Amount): Asking {
  const isAccepted = function* (amount: number): Asking<boolean | undefined> {
    const asked = searchWith(amount)
    if (!asked) return undefined
    const seen = yield* search(asked)
    // It may be the size of the body that was refused: spaces have no meaning.
    if (traffic.suspectsOf(seen).some((suspect) => suspect.startsWith('http.size:')))
      yield* search({ body: `{${' '.repeat(JSON.stringify(asked.body).length)}}` })
    const { accepted, refused } = boundOf(use, traffic)
    return amount <= accepted ? true : amount >= refused ? false : undefined
  }
  const most = mostWithin(Math.min(MOST_BYTES, traffic.settingOf('http.size') ?? MOST_BYTES), searchWith)
  if (most > 1) yield* findBound(isAccepted, { guess: Math.min(guess, most), most })
}

/** No search is larger: larger ones are no use to clients. */
const MOST_BYTES = 524_288
const MOST = 131_072

/** The largest amount of which there is a search of no more bytes. */
function mostWithin(bytes: number, searchWith: Amount['searchWith']): number {
  let most = MOST
  while (most > 1) {
    const asked = searchWith(most)
    const size = asked ? JSON.stringify(asked.body).length : 2 * bytes
    if (size <= bytes) break
    most = Math.max(1, Math.min(most - 1, Math.floor((most * bytes) / size)))
  }
  return most
}
