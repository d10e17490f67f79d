import { probe, type Probe, type Asking, type ProbeRequest, type Questioner } from '../probe.ts'
import type { SearchSeen } from '../search-seen.ts'
import { open, type Finding, settled, type Traffic } from '../traffic.ts'
import type { RecordedExchange } from '../../recordings/recorded-exchange.ts'

/** A bound that requests find by doubling and halving. */
interface RequestBound {
  readonly id: 'http.size' | 'http.depth'
  readonly usual: number
  /** The least that any setting accepts. */
  readonly min: number
  readonly max: number
  /** A search with that much, which nothing else in it is refused for. */
  bodyOf(amount: number): string
  /** How much of it a search has; undefined for those that were not made here. */
  amountOf(search: SearchSeen): number | undefined
  readonly unit: string
}

function probeBound({ id, usual, min, max, bodyOf, amountOf, unit }: RequestBound): Probe {
  return probe(id, {
    conclude(traffic) {
      const about = traffic.searches.filter((search) => traffic.isAbout(search, id))
      if (about.some((search) => search.outcome === 'page' && (amountOf(search) ?? 0) >= max))
        return open(`${max} ${unit} were accepted, and more are not tried`)
      const isAccepted = ({ outcome }: SearchSeen) => outcome === 'page'
      return boundBetween(about, { amountOf, isAccepted, isRefused: ({ outcome }) => outcome === 'refused' })
    },
    *ask({ search }): Asking {
      const isAccepted = function* (amount: number): Asking<boolean> {
        const { outcome } = yield* search({ body: bodyOf(amount) })
        // A server that refuses a body before it is sent may break the connection first.
        return (outcome === 'failed' ? yield* search({ body: bodyOf(amount) }) : { outcome }).outcome === 'page'
      }
      if (yield* isAccepted(min)) yield* findBound(isAccepted, { guess: usual, most: max })
    },
  })
}

/** White space counts, and changes nothing. */
function padded(bytes: number): string {
  return `{${' '.repeat(Math.max(0, bytes - 2))}}`
}

/** An unknown member that nests. The body itself is the first level. */
function nested(levels: number): string {
  const lists = Math.max(0, levels - 1)
  return `{"nested":${'['.repeat(lists)}${']'.repeat(lists)}${lists === 0 ? '0' : ''}}`
}

export const BOUNDS: readonly Probe[] = [
  probeBound({
    id: 'http.size',
    usual: 1_048_576,
    min: 1024,
    max: 4_194_304,
    bodyOf: padded,
    amountOf({ exchange: { request } }) {
      const { body = '' } = request
      // An expression with `+` exhausts the stack on megabytes of spaces.
      return body.startsWith('{ ') && body.slice(1).trimStart() === '}' ? body.length : undefined
    },
    unit: 'bytes',
  }),
  probeBound({
    id: 'http.depth',
    usual: 32,
    min: 4,
    max: 1001,
    bodyOf: nested,
    amountOf({ exchange: { request } }) {
      const [, lists] = /^\{"nested":(\[*)\]*\}$/.exec(request.body ?? '') ?? []
      return lists === undefined ? undefined : lists.length + 1
    },
    unit: 'levels',
  }),
]

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

interface AmountGuess {
  /** The bound that is most likely: two requests are enough then. */
  readonly guess: number
  /** Nothing larger is asked for. */
  readonly most: number
}

/**
 * Looks for the largest number that is accepted: the guess, then by doubling, then between the two that enclose it.
 *
 * @param isAccepted undefined when the response does not tell, which ends it
 */
export function* findBound(isAccepted: (number: number) => Asking<boolean | undefined>, bounds: AmountGuess): Asking {
  const { guess, most } = bounds
  let [low, high] = [0, most + 1]
  const tryOut = function* (number: number): Asking<boolean> {
    const accepted = yield* isAccepted(number)
    if (accepted) low = number
    else high = accepted === undefined ? low : number
    return accepted === true
  }
  if (yield* tryOut(guess)) for (let next = guess + 1; next < high && (yield* tryOut(next));) next = grow(next, most)
  // Small bounds are as likely as large ones, so the middle is that of the magnitudes.
  while (high - low > 1 && high <= most) yield* tryOut(Math.max(low + 1, Math.min(high - 1, middleOf(low, high))))
}

function grow(number: number, most: number): number {
  return number === most ? most + 1 : Math.min(most, number * 2)
}

function middleOf(low: number, high: number): number {
  return Math.floor(Math.sqrt(Math.max(1, low) * high))
}

/** How a request shows a bound. */
interface BoundReading<Seen> {
  /** Undefined for one that is not about it. */
  amountOf(seen: Seen): number | undefined
  isAccepted(seen: Seen): boolean
  isRefused(seen: Seen): boolean
}

/** Settled when one more than what was accepted was refused. */
export function boundBetween<Seen extends { readonly exchange: RecordedExchange }>(
  all: readonly Seen[],
  { amountOf, isAccepted, isRefused }: BoundReading<Seen>,
): Finding<number> | undefined {
  const trials = all
    .flatMap((seen) => {
      const amount = amountOf(seen)
      return amount === undefined ? [] : [{ seen, amount, exchange: seen.exchange }]
    })
    .sort((a, b) => a.amount - b.amount)
  const most = trials.findLast(({ seen }) => isAccepted(seen))
  const least = trials.find(({ seen }) => isRefused(seen))
  if (!least) return most && open(`${most.amount} were accepted, and more were not asked for`)
  if (most && most.amount >= least.amount)
    return open(
      `the responses contradict each other: ${least.amount} (${least.exchange.source}) and ${most.amount} (${most.exchange.source})`,
    )
  if (least.amount - (most?.amount ?? 0) > 1) return open(`it is from ${most?.amount ?? 0} to ${least.amount - 1}`)
  return most && settled(most.amount, [most, least])
}
