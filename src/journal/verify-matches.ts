import { type JournalNeeds, type Clause, clausesOf, type ExchangeMatch, matchesAll } from './match-exchange.ts'
import { cleanerOf } from './show-exchange.ts'
import { counted } from '../base/errors/wording.ts'
import type { Exchange } from './exchange.ts'
import type { Redactor } from './redact.ts'

/** What an expectation is checked against. */
export interface Evidence extends JournalNeeds {
  /** In the order of their responses. */
  readonly exchanges: readonly Exchange[]
  /** How many exchanges of the period were dropped. */
  readonly forgotten: number
  /** Which exchanges the expectation is about. */
  readonly clauses: readonly Clause[]
  /** What the service sent by itself, the oldest first. */
  readonly webhooks: { readonly lost: number; readonly webhooks: readonly SentWebhook[] }
}

/** A message that the service sends by itself, as the control API shows it. */
interface SentWebhook {
  readonly id: string
  readonly event: string
  readonly method: string
  readonly url: string | null
  readonly attempts: readonly {
    readonly at: string
    readonly isAccepted: boolean
    readonly status?: number | undefined
    readonly error?: string | undefined
  }[]
}

/** Exchanges that do not meet an expectation. */
export interface Miss {
  /** Their ids. */
  readonly exchanges: readonly number[]
  /** Method, target and status of the last of them. */
  readonly summary: string
  /** By part of the exchange: what was expected there, and what was received. */
  readonly differences: readonly { readonly what: string; readonly expected: string; readonly received: string }[]
}

/** The result of an expectation. */
export interface Verdict {
  readonly passed: boolean
  readonly expected: string
  readonly received: string
  readonly matched?: readonly Exchange[]
  /** The nearest first. */
  readonly misses?: readonly Miss[]
}

export interface Bounds {
  readonly exactly: number | undefined
  readonly atLeast: number | undefined
  readonly atMost: number | undefined
}

/** Checks how many exchanges match. Exchanges that may match and dropped ones count against the expectation. */
export function* verifyCount(evidence: Evidence, { exactly, atLeast, atMost }: Bounds): Generator<undefined, Verdict> {
  const { exchanges, forgotten, clauses } = evidence
  const matched: Exchange[] = []
  let unknown = 0
  for (const exchange of exchanges) {
    const matches = matchesAll(clauses, exchange)
    if (matches === true) matched.push(exchange)
    if (matches === 'unknown') unknown++
    yield
  }
  const least = exactly ?? atLeast ?? 0
  const most = exactly ?? atMost ?? Infinity
  const count = matched.length
  const expected = [
    exactly === undefined ? [] : `exactly ${exactly}`,
    atLeast === undefined ? [] : `at least ${atLeast}`,
    atMost === undefined ? [] : `at most ${atMost}`,
  ].flat()
  return {
    passed: count >= least && count + unknown + forgotten <= most,
    expected: `${expected.join(' and ')} of ${describe(clauses)}`,
    received: `${count} of ${counted(exchanges.length, 'exchange')}${describeUnknown(forgotten, unknown)}`,
    matched,
    misses: count < least ? yield* nearestMisses(evidence, clauses) : [],
  }
}

function describe(clauses: readonly Clause[]): string {
  return clauses.length === 0 ? 'any exchange' : clauses.map(({ what, expected }) => `${what} ${expected}`).join(', ')
}

/** Describes what cannot be known, to append to a result. */
export function describeUnknown(forgotten: number, unknown = 0): string {
  const dropped = `${counted(forgotten, 'more exchange')} ${forgotten === 1 ? 'was' : 'were'} dropped to make room, so what ${forgotten === 1 ? 'it' : 'they'} had is unknown`
  const parts = [
    ...(forgotten === 0 ? [] : [dropped]),
    ...(unknown === 0 ? [] : [`${unknown} more may match, because not all of the body is kept`]),
  ]
  return parts.length === 0 ? '' : `; ${parts.join('; ')}. Verify sooner, or DELETE the journal before what matters`
}

/** The exchanges that meet, or may meet, all conditions. */
export function* possibleMatches({ exchanges, clauses }: Evidence): Generator<undefined, Exchange[]> {
  const possible: Exchange[] = []
  for (const exchange of exchanges) {
    if (matchesAll(clauses, exchange) !== false) possible.push(exchange)
    yield
  }
  return possible
}

/** The exchanges that fail the fewest conditions, with the differences. */
function* nearestMisses({ exchanges, redactor }: Evidence, clauses: readonly Clause[]): Generator<undefined, Miss[]> {
  const missed: { readonly exchange: Exchange; readonly failed: readonly Clause[] }[] = []
  for (const exchange of exchanges) {
    const failed = clauses.filter((clause) => clause.matches(exchange) !== true)
    if (failed.length > 0) missed.push({ exchange, failed })
    yield
  }
  return missed
    .sort((a, b) => a.failed.length - b.failed.length)
    .slice(0, MAX_NEAREST)
    .map(({ exchange, failed }) => {
      const differences = failed.map((clause) => ({
        what: clause.what,
        expected: clause.expected,
        received: clause.received(exchange),
      }))
      return missOf([exchange], redactor, ...differences)
    })
}

const MAX_NEAREST = 3

/** A miss of one or more exchanges; the summary describes the last. */
export function missOf(
  exchanges: readonly Exchange[],
  redactor: Redactor,
  ...differences: Miss['differences'][number][]
): Miss {
  const last = exchanges.at(-1)
  if (!last) return { exchanges: [], summary: '', differences }
  const url = cleanerOf(last, redactor)(redactor.url(last.url))
  const status = last.status === 0 ? 'no response' : String(last.status)
  return { exchanges: exchanges.map(({ id }) => id), summary: `${last.method} ${url} ${status}`, differences }
}

/** Exchanges match the steps in order; others may come between. */
export function* verifyOrder(
  evidence: Evidence,
  order: readonly ExchangeMatch[],
  pointer: string,
): Generator<undefined, Verdict> {
  const { exchanges, forgotten, clauses, redactor } = evidence
  const matched: Exchange[] = []
  let from = 0
  const steps = order.map((step, index) => [...clauses, ...clausesOf(step, evidence, `${pointer}/${index}`)])
  for (const [index, asked] of steps.entries()) {
    let at = from
    for (; at < exchanges.length; at++) {
      const exchange = exchanges[at]
      yield
      if (exchange && matchesAll(asked, exchange) === true) break
    }
    const found = exchanges[at]
    if (!found) {
      const last = matched.at(-1)
      const after = last ? ` after exchange ${last.id}` : ''
      return {
        passed: false,
        expected: `${counted(order.length, 'step')} in this order`,
        received: `nothing that matches step ${index + 1}${after}${describeUnknown(forgotten)}`,
        matched,
        // An exchange that came too early meets every condition except its position.
        misses: [
          ...(yield* tooEarly(exchanges.slice(0, from), asked, redactor, last)),
          ...(yield* nearestMisses({ ...evidence, exchanges: exchanges.slice(from) }, asked)),
        ],
      }
    }
    matched.push(found)
    from = at + 1
  }
  return { passed: true, expected: `${counted(order.length, 'step')} in this order`, received: 'all of them', matched }
}

function* tooEarly(
  exchanges: readonly Exchange[],
  clauses: readonly Clause[],
  redactor: Redactor,
  last: Exchange | undefined,
): Generator<undefined, Miss[]> {
  let early: Exchange | undefined
  for (const exchange of exchanges) {
    yield
    if (matchesAll(clauses, exchange) === true) early = exchange
  }
  if (!early || !last) return []
  const difference = { what: 'place', expected: `after exchange ${last.id}`, received: `exchange ${early.id}` }
  return [missOf([early], redactor, difference)]
}
