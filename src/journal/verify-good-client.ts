import { counted } from '../base/errors/wording.ts'
import { stringifySorted } from '../base/formats/json.ts'
import type { Exchange } from './exchange.ts'
import { headerOf } from '../base/network/http-message.ts'
import { secondsBetween, verifyCreates, verifyWalks } from './verify-client-behaviour.ts'
import { describeUnknown, type Evidence, type Miss, type Verdict, missOf, possibleMatches } from './verify-matches.ts'

/** What holds for clients of any service. Nothing to judge is no mistake. */
export function* verifyGoodClient(evidence: Evidence): Generator<undefined, Verdict> {
  const { forgotten } = evidence
  const { misses: pages = [] } = yield* verifyWalks(evidence)
  const { misses: creates = [] } = yield* verifyCreates(evidence)
  const sent = (yield* possibleMatches(evidence)).filter(({ repeats }) => repeats === undefined)
  const misses = [
    ...pages,
    ...creates,
    ...(yield* findImpatience(sent, evidence)),
    ...(yield* findNeedless(sent, evidence)),
  ]
  return {
    passed: misses.length === 0 && forgotten === 0,
    expected:
      'every page once, no create twice, waits after 429 and Retry-After, no request again that was refused or has its response',
    received: counted(misses.length, 'mistake') + describeUnknown(forgotten),
    misses,
  }
}

/** Seconds that Retry-After asks for (RFC 9110, 10.2.3). A 429 without one asks for the shortest that it could say. */
function secondsAsked({ status, responseHeaders, now }: Exchange): number {
  const text = headerOf(responseHeaders, 'retry-after')
  if ((status !== 429 && status !== 503) || (text === undefined && status === 503)) return 0
  const seconds = text === undefined ? 1 : /^\d+$/.test(text) ? Number(text) : (Date.parse(text) - now) / 1000
  return Number.isNaN(seconds) ? 0 : seconds
}

function* findImpatience(exchanges: readonly Exchange[], { redactor }: Evidence): Generator<undefined, Miss[]> {
  const misses: Miss[] = []
  const waiting = new Map<string, Exchange>()
  for (const exchange of exchanges) {
    yield
    const key = stringifySorted(redactor.keysOf(exchange))
    const refusal = waiting.get(key)
    // One that was under way already could not know.
    const waited = refusal ? secondsBetween(refusal, exchange, 'either') : -1
    if (refusal && waited >= 0) {
      waiting.delete(key)
      const asked = secondsAsked(refusal)
      const difference = {
        what: 'wait',
        expected: `at least ${asked} s after the ${refusal.status}`,
        received: `${waited} s`,
      }
      if (waited < asked) misses.push(missOf([refusal, exchange], redactor, difference))
    }
    if (secondsAsked(exchange) > 0) waiting.set(key, exchange)
  }
  return misses
}

/** Refusals that only another request can change. A 404 or a 409 may change by itself. */
const FINAL = new Set([400, 401, 403, 405, 406, 411, 413, 414, 415, 422, 431])

/** Who asks again later, in seconds, polls. */
const POLLING = 1

/** Requests that were sent again unchanged although they were refused, or their response was there and nothing had changed. */
function* findNeedless(
  exchanges: readonly Exchange[],
  { redactor, operationTraits }: Evidence,
): Generator<undefined, Miss[]> {
  const latest = new Map<string, Exchange>()
  const misses: Miss[] = []
  for (const exchange of exchanges) {
    yield
    const { method, url, requestBody = '', status, id, operationId = '' } = exchange
    const request = stringifySorted([
      method,
      url,
      requestBody,
      headerOf(exchange.requestHeaders, 'accept') ?? '',
      redactor.keysOf(exchange),
    ])
    const before = latest.get(request)
    latest.set(request, exchange)
    if (!before || before.fault !== undefined || before.status !== status || before.end !== 'whole') continue
    const isSettled = status >= 200 && status < 300 && method === 'GET' && before.nextEvent === exchange.firstEvent
    const isPage = operationTraits.get(operationId)?.pageParameter !== undefined
    if (FINAL.has(status)) {
      const received = `refused by exchange ${before.id}, and sent again in ${id}`
      misses.push(
        missOf([before, exchange], redactor, {
          what: 'refused request',
          expected: 'not sent again unchanged',
          received,
        }),
      )
    } else if (isSettled && !isPage && secondsBetween(before, exchange, 'either') < POLLING) {
      const received = `in exchange ${before.id} and again in ${id}, with nothing changed between`
      misses.push(missOf([before, exchange], redactor, { what: 'request', expected: 'once', received }))
    }
  }
  return misses
}
