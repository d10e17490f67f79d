import { tryParse } from './match-values.ts'
import { stringifySorted } from '../base/formats/json.ts'
import { describeUnknown, type Evidence, type Miss, type Verdict, missOf, possibleMatches } from './verify-matches.ts'
import { counted } from '../base/errors/wording.ts'
import type { Exchange } from './exchange.ts'
import { headerOf, pathOf, queryOf } from '../base/network/http-message.ts'

/** Checks that clients honour Retry-After, do not repeat a successful create, and fetch every page once. */

/** The clock that seconds are counted by: the one that shows more, or a certain one. */
export type ClockChoice = 'either' | 'sandbox' | 'machine'

/**
 * After each 429 the same key sent nothing for some seconds. They pass on the sandbox's clock, for tests that move it, or on the
 * machine's, for clients that sleep while the sandbox's clock is frozen: the larger difference counts, unless a clock is chosen.
 */
export function* verifyBackOff(evidence: Evidence, seconds: number, clock: ClockChoice): Generator<undefined, Verdict> {
  const { forgotten, redactor } = evidence
  const matched = yield* possibleMatches(evidence)
  const followers = yield* findFollowers(matched, redactor)
  const refused = matched.filter(({ status }) => status === 429)
  const misses = refused.flatMap((refusal): Miss[] => {
    const next = followers.get(refusal)
    const waited = next ? secondsBetween(refusal, next, clock) : Infinity
    if (!next || waited >= seconds) return []
    const difference = { what: 'wait', expected: `at least ${seconds} s`, received: `${waited} s` }
    return [missOf([refusal, next], redactor, difference)]
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
  exchanges: readonly Exchange[],
  redactor: Evidence['redactor'],
): Generator<undefined, Map<Exchange, Exchange>> {
  const latest = new Map<string, Exchange>()
  const followers = new Map<Exchange, Exchange>()
  for (const exchange of exchanges) {
    yield
    const key = stringifySorted(redactor.keysOf(exchange))
    const before = latest.get(key)
    if (before) followers.set(before, exchange)
    latest.set(key, exchange)
  }
  return followers
}

/** From sending the 429 to the arrival of the next request. */
export function secondsBetween(refusal: Exchange, next: Exchange, clock: ClockChoice): number {
  const bySandbox = next.arrived - refusal.now
  const byMachine = next.answeredAt - next.milliseconds - refusal.answeredAt
  const waited = clock === 'sandbox' ? bySandbox : clock === 'machine' ? byMachine : Math.max(bySandbox, byMachine)
  return Math.round(waited) / 1000
}

/** No create was sent again after it was stored. Refused creates may be repeated. */
export function* verifyCreates(evidence: Evidence): Generator<undefined, Verdict> {
  const { forgotten, redactor, operationTraits } = evidence
  const exchanges = evidence.exchanges.filter(
    ({ operationId = '' }) => operationTraits.get(operationId)?.isCreate === true,
  )
  const creates = yield* possibleMatches({ ...evidence, exchanges })
  const stored = new Map<string, Exchange>()
  const misses: Miss[] = []
  for (const exchange of creates) {
    yield
    const create = stringifySorted([redactor.keysOf(exchange), bodyOf(exchange)])
    const before = stored.get(create)
    const keys = [before, exchange].map((one) => headerOf(one?.requestHeaders ?? [], 'idempotency-key'))
    const isSafe = keys[0] !== undefined && keys[0] === keys[1] && !exchange.hasChanged
    if (before && !isSafe) {
      const expected = 'once, or again with the same Idempotency-Key'
      const received = `stored by exchange ${before.id}, and sent again in ${exchange.id}${keys[1] === undefined ? ' without one' : ''}`
      misses.push(missOf([before, exchange], redactor, { what: 'create', expected, received }))
    } else if (exchange.hasChanged) stored.set(create, exchange)
  }
  const cut = creates.filter(({ isRequestCut }) => isRequestCut).length
  return {
    passed: misses.length === 0 && forgotten === 0 && cut === 0,
    expected: 'no create repeated after it was stored',
    received: `${counted(creates.length, 'create')}, ${misses.length} of them repeated${describeUnknown(forgotten, cut)}`,
    matched: creates,
    misses,
  }
}

function bodyOf({ requestBody }: Exchange): unknown {
  return requestBody === undefined ? null : tryParse(requestBody)
}

/** A page that the client received. Requesting a page again is fine when it was refused or its response was lost. */
interface ReceivedPage {
  readonly exchange: Exchange
  /** The token that was sent; undefined for a first page. */
  readonly token: string | undefined
  /** The token of the next page; undefined for a last one. */
  readonly next: string | undefined
  /** The search that the request asked for, apart from the token: equal for equal searches. */
  readonly search: string
}

/** Every search was paged to its end, and no page was fetched twice. */
export function* verifyWalks(evidence: Evidence): Generator<undefined, Verdict> {
  const { exchanges, forgotten } = evidence
  const searched = exchanges.filter((exchange) => isPage(exchange, evidence))
  const pages = (yield* possibleMatches({ ...evidence, exchanges: searched })).map((exchange): ReceivedPage => ({
    exchange,
    ...splitToken(exchange, evidence),
  }))
  const misses = [
    ...(yield* findRepeats(pages, evidence)),
    ...findUnfinished(pages, evidence),
    ...findUnknownTokens(pages, evidence),
  ]
  const walks = pages.filter(({ token }) => token === undefined).length
  const wrong = new Set(misses.map((miss) => miss.exchanges.at(-1))).size
  return {
    passed: misses.length === 0 && pages.length > 0 && forgotten === 0,
    expected: 'every page of each search once, to the last',
    received:
      pages.length === 0
        ? `no page was received${describeUnknown(forgotten)}`
        : `${counted(pages.length, 'page')} in ${counted(walks, 'walk')}, ${wrong} of them wrong${describeUnknown(forgotten)}`,
    matched: pages.map(({ exchange }) => exchange),
    misses,
  }
}

function isPage({ operationId = '', status, end, isResponseBinary }: Exchange, { operationTraits }: Evidence): boolean {
  const isReadable = end === 'whole' && !isResponseBinary
  return operationTraits.get(operationId)?.pageParameter !== undefined && status >= 200 && status < 300 && isReadable
}

/** Members of the body and parameters count in any order. */
function splitToken(
  { url, requestBody, operationId = '', next }: Exchange,
  { operationTraits }: Evidence,
): Omit<ReceivedPage, 'exchange'> {
  const { pageParameter, firstPage } = operationTraits.get(operationId) ?? {}
  const parameters = [...queryOf(url)]
  const token = parameters.find(([name]) => name === pageParameter)?.[1]
  const others = parameters.filter(([name]) => name !== pageParameter).sort()
  const body = requestBody === undefined ? {} : tryParse(requestBody)
  const search = stringifySorted([pathOf(url), others, body])
  const whole = (value: string | undefined) =>
    value === undefined || firstPage === undefined ? value : `${search} ${value}`
  return { token: token === '' || token === firstPage ? undefined : whole(token), next: whole(next), search }
}

function* findRepeats(pages: readonly ReceivedPage[], { redactor }: Evidence): Generator<undefined, Miss[]> {
  const received = new Map<string, Exchange>()
  const misses: Miss[] = []
  for (const { exchange, token, search } of pages) {
    yield
    const page = token === undefined ? search : `page ${token}`
    const before = received.get(page)
    received.set(page, exchange)
    if (!before) continue
    const difference = {
      what: 'page',
      expected: 'once',
      received: `in exchange ${before.id} and again in ${exchange.id}`,
    }
    misses.push(missOf([before, exchange], redactor, difference))
  }
  return misses
}

/** Searches that stop although there is another page. */
function findUnfinished(pages: readonly ReceivedPage[], { redactor }: Evidence): Miss[] {
  const sent = new Set(pages.map(({ token }) => token))
  return pages.flatMap(({ exchange, next }) => {
    if (next === undefined || sent.has(next)) return []
    const difference = { what: 'next page', expected: 'requested', received: 'no such request' }
    return [missOf([exchange], redactor, difference)]
  })
}

/** Pages whose token is from no page in the journal. */
function findUnknownTokens(pages: readonly ReceivedPage[], { redactor }: Evidence): Miss[] {
  const given = new Set(pages.map(({ next }) => next))
  return pages.flatMap(({ exchange, token }) => {
    if (token === undefined || given.has(token)) return []
    const difference = { what: 'page before', expected: 'in the journal', received: 'not there' }
    return [missOf([exchange], redactor, difference)]
  })
}

/** Each webhook that was sent to the client was accepted, at the latest when it was sent again. */
export function* verifyWebhooks({ webhooks: { webhooks, lost } }: Evidence): Generator<undefined, Verdict> {
  const sent = webhooks.filter(({ attempts }) => attempts.length > 0)
  const refused = sent.filter(({ attempts }) => !attempts.some(({ isAccepted }) => isAccepted))
  yield
  return {
    passed: sent.length > 0 && refused.length === 0 && lost === 0,
    expected: 'each webhook accepted',
    received:
      sent.length + lost === 0
        ? 'no webhook was sent'
        : `${counted(sent.length, 'webhook')}, ${refused.length} of them not accepted${lost === 0 ? '' : `; ${lost} that are no longer kept were not accepted`}`,
    misses: refused.map(({ id, method, url, event, attempts }): Miss => ({
      exchanges: [],
      summary: `${method} ${url ?? ''} ${event} ${id}`,
      differences: attempts.map(({ at, status, error }) => ({
        what: `response at ${at}`,
        expected: '2xx',
        received: status === undefined ? (error ?? 'none') : String(status),
      })),
    })),
  }
}
