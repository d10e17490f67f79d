import { tryParse } from './match-exchange.ts'
import { stringifySorted } from '../../formats/json.ts'
import type { Expectation, Miss } from '../../../types/control-api.d.ts'
import { describeUnknown, type Evidence, type Finding, missOf, possibleMatches } from './verify-count.ts'
import { counted } from '../../errors/counted.ts'
import type { Exchanged } from '../exchanged.ts'

/** What a client of good manners does: it waits when it is told to, and does not do twice what is to be done once. */

type ClockChoice = NonNullable<Expectation['clock']>

/**
 * After each 429 the same key sent nothing for so many seconds. They may pass on the sandbox's clock, for a test that moves it, or
 * on the machine's, for a client that sleeps while the sandbox's stands still: whichever shows more, unless one is chosen.
 */
export function* verifyBackOff(evidence: Evidence, seconds: number, clock: ClockChoice): Generator<undefined, Finding> {
  const { forgotten, redactor } = evidence
  const asked = yield* possibleMatches(evidence)
  const followers = yield* findFollowers(asked, redactor)
  const refused = asked.filter(({ status }) => status === 429)
  const misses = refused.flatMap((refusal): Miss[] => {
    const next = followers.get(refusal)
    const waited = next ? secondsBetween(refusal, next, clock) : Infinity
    if (!next || waited >= seconds) return []
    const difference = { what: 'wait', expected: `at least ${seconds} s`, received: `${waited} s` }
    return [{ ...missOf([refusal, next], redactor), differences: [difference] }]
  })
  return {
    passed: misses.length === 0 && refused.length > 0 && forgotten === 0,
    expected: `nothing sent for ${seconds} s after each 429`,
    received:
      (refused.length === 0
        ? 'no 429, so there was nothing to back off from'
        : `${misses.length} of ${refused.length} followed too soon`) + describeUnknown(forgotten),
    matched: refused,
    misses,
  }
}

/** The next exchange of the same key, for each that has one. */
function* findFollowers(
  exchanges: readonly Exchanged[],
  redactor: Evidence['redactor'],
): Generator<undefined, Map<Exchanged, Exchanged>> {
  const latest = new Map<string, Exchanged>()
  const followers = new Map<Exchanged, Exchanged>()
  for (const exchange of exchanges) {
    yield
    const key = stringifySorted(redactor.keysOf(exchange))
    const before = latest.get(key)
    if (before) followers.set(before, exchange)
    latest.set(key, exchange)
  }
  return followers
}

/** From the refusal's leaving to the next request's coming. */
function secondsBetween(refusal: Exchanged, next: Exchanged, clock: ClockChoice): number {
  const bySandbox = next.arrived - refusal.now
  const byMachine = next.answeredAt - next.milliseconds - refusal.answeredAt
  const waited = clock === 'sandbox' ? bySandbox : clock === 'machine' ? byMachine : Math.max(bySandbox, byMachine)
  return Math.round(waited) / 1000
}

/** No create was sent again after it had been stored. One that was refused may be sent again. */
export function* verifyCreates(evidence: Evidence): Generator<undefined, Finding> {
  const { forgotten, redactor, handlerKinds } = evidence
  const exchanges = evidence.exchanges.filter(
    ({ operationId = '' }) => handlerKinds.get(operationId) === 'createReportSchedule',
  )
  const creates = yield* possibleMatches({ ...evidence, exchanges })
  const stored = new Map<string, Exchanged>()
  const misses: Miss[] = []
  for (const exchange of creates) {
    yield
    const create = stringifySorted([redactor.keysOf(exchange), bodyOf(exchange)])
    const before = stored.get(create)
    if (before) {
      const received = `stored by exchange ${before.id}, and sent again in ${exchange.id}`
      misses.push({
        ...missOf([before, exchange], redactor),
        differences: [{ what: 'create', expected: 'once', received }],
      })
    } else if (exchange.hasChanged) stored.set(create, exchange)
  }
  const cut = creates.filter(({ isRequestCut }) => isRequestCut).length
  return {
    passed: misses.length === 0 && forgotten === 0 && cut === 0,
    expected: 'no create again after it was stored',
    received: `${counted(creates.length, 'create')}, ${misses.length} of them again${describeUnknown(forgotten, cut)}`,
    matched: creates,
    misses,
  }
}

function bodyOf({ requestBody }: Exchanged): unknown {
  return requestBody === undefined ? null : tryParse(requestBody)
}
