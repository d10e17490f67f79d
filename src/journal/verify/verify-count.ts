import type { JournalNeeds } from './match-exchange.ts'
import { type Clause, holdsAll } from './match-exchange.ts'
import { cleanerOf } from '../show-exchange.ts'
import type { Miss } from '../../../types/control-api.d.ts'
import { counted } from '../../errors/counted.ts'
import type { Exchanged } from '../exchanged.ts'
import type { Redactor } from '../redact.ts'

/** What an expectation is checked against. */
export interface Evidence extends JournalNeeds {
  /** In the order in which they were answered. */
  readonly exchanges: readonly Exchanged[]
  /** How many exchanges of the time in question are not known any more. */
  readonly forgotten: number
  /** What the expectation is narrowed to. */
  readonly clauses: readonly Clause[]
}

/** What was found out about an expectation. */
export interface Finding {
  readonly passed: boolean
  readonly expected: string
  readonly received: string
  readonly matched?: readonly Exchanged[]
  /** The nearest first. */
  readonly misses?: readonly Miss[]
}

export interface Bounds {
  readonly exactly: number | undefined
  readonly atLeast: number | undefined
  readonly atMost: number | undefined
}

/** So many exchanges match. Those that may match, and those that are forgotten, count for what speaks against the expectation. */
export function* verifyCount(evidence: Evidence, { exactly, atLeast, atMost }: Bounds): Generator<undefined, Finding> {
  const { exchanges, forgotten, clauses } = evidence
  const matched: Exchanged[] = []
  let unknown = 0
  for (const exchange of exchanges) {
    const holds = holdsAll(clauses, exchange)
    if (holds === true) matched.push(exchange)
    if (holds === 'unknown') unknown++
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

/** Words for what is not known, to follow what is. */
export function describeUnknown(forgotten: number, unknown = 0): string {
  const parts = [
    forgotten === 0
      ? []
      : `${counted(forgotten, 'more exchange')} ${forgotten === 1 ? 'was' : 'were'} let go to make room, and nobody knows what was in ${forgotten === 1 ? 'it' : 'them'}`,
    unknown === 0 ? [] : `${unknown} more may match, for not all of the body is kept`,
  ].flat()
  return parts.length === 0 ? '' : `; ${parts.join('; ')}. Verify sooner, or DELETE the journal before what matters`
}

/** The exchanges that may be what all clauses ask for. */
export function* possibleMatches({ exchanges, clauses }: Evidence): Generator<undefined, Exchanged[]> {
  const possible: Exchanged[] = []
  for (const exchange of exchanges) {
    if (holdsAll(clauses, exchange) !== false) possible.push(exchange)
    yield
  }
  return possible
}

/** The exchanges that differ in the fewest clauses, with what differs. */
export function* nearestMisses(
  { exchanges, redactor }: Evidence,
  clauses: readonly Clause[],
): Generator<undefined, Miss[]> {
  const missed: { readonly exchange: Exchanged; readonly failed: readonly Clause[] }[] = []
  for (const exchange of exchanges) {
    const failed = clauses.filter((clause) => clause.holds(exchange) !== true)
    if (failed.length > 0) missed.push({ exchange, failed })
    yield
  }
  return missed
    .sort((a, b) => a.failed.length - b.failed.length)
    .slice(0, MOST_NEAREST)
    .map(({ exchange, failed }) => ({
      ...missOf([exchange], redactor),
      differences: failed.map((clause) => ({
        what: clause.what,
        expected: clause.expected,
        received: clause.received(exchange),
      })),
    }))
}

const MOST_NEAREST = 3

/** A miss that some exchanges make together; the summary tells of the last of them. */
export function missOf(exchanges: readonly Exchanged[], redactor: Redactor): Miss {
  const last = exchanges.at(-1)
  if (!last) return { exchanges: [], summary: '', differences: [] }
  const url = cleanerOf(last, redactor)(redactor.url(last.url))
  const status = last.status === 0 ? 'no answer' : String(last.status)
  return { exchanges: exchanges.map(({ id }) => id), summary: `${last.method} ${url} ${status}`, differences: [] }
}
