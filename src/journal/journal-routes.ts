import { type ControlCall, type ControlHandler, type ControlRoutes, ok, readCount } from '../engine/control-route.ts'
import { inSlices, type Steps } from '../engine/slices.ts'
import { eventNotKept, exchangeNotFound } from '../base/errors/control-errors.ts'
import { violation } from '../base/errors/problem.ts'
import { requestInvalid } from '../base/errors/request-errors.ts'
import { readInstant } from '../base/formats/instant.ts'
import { lazily } from '../base/formats/json-pieces.ts'
import type { Exchange } from './exchange.ts'
import { createHar } from './har.ts'
import { type Journal, MAX_EXCHANGES } from './journal.ts'
import { clausesOf, type ExchangeMatch, type JournalNeeds, matchesAll } from './match-exchange.ts'
import { type MetricsNeeds, renderMetrics } from './metrics.ts'
import { type ShownSandbox, showExchange } from './show-exchange.ts'
import { openStream } from './stream.ts'
import { verifyGoodClient } from './verify-good-client.ts'
import {
  type ClockChoice,
  verifyBackOff,
  verifyCreates,
  verifyWebhooks,
  verifyWalks,
} from './verify-client-behaviour.ts'
import { type Bounds, type Evidence, type Miss, type Verdict, verifyCount, verifyOrder } from './verify-matches.ts'

const LIMIT = { least: 1, most: MAX_EXCHANGES, otherwise: 100 }
const ID = { least: 0, most: Number.MAX_SAFE_INTEGER, otherwise: 0 }

/** With `after` the first exchanges that match, for paging; otherwise the latest ones. */
const listExchanges: ControlHandler<JournalNeeds> = async (call) => {
  const limit = readCount(call, 'limit', LIMIT)
  const found = await findExchanges(call)
  const isPaged = call.query.after !== undefined
  const exchanges = isPaged ? found.slice(0, limit) : found.slice(-limit)
  const sandbox = call.sandbox()
  const last = exchanges.at(-1)
  return ok({
    total: found.length,
    forgotten: sandbox.journal.forgottenAfter(readCount(call, 'after', ID)),
    next: isPaged && last && exchanges.length < found.length ? last.id : null,
    exchanges: lazily(exchanges, (exchange) => showExchange(exchange, sandbox, call.redactor)),
  })
}

const getExchange: ControlHandler<JournalNeeds> = (call) => {
  const sandbox = call.sandbox()
  return ok(showExchange(findExchange(sandbox, Number(call.path.exchangeId)), sandbox, call.redactor))
}

/** @throws Problem 404 */
function findExchange({ name, journal }: ShownSandbox, id: number): Exchange {
  const found = journal.find(id)
  if (found) return found
  const { size, last } = journal
  const kept = size > 0 ? `It keeps those from ${last - size + 1} to ${last}` : 'It is empty'
  throw exchangeNotFound({
    detail: `The journal of the sandbox ${name} has no exchange ${id}. ${kept}; GET /__mock/journal lists them.`,
  })
}

/**
 * The moment before an exchange of the journal, as `Sandbox.stateAfter` takes it.
 *
 * @throws Problem 404, or 409 for an exchange that was copied from the sandbox that this one was forked from
 */
export function momentBefore(sandbox: ShownSandbox, id: number): { readonly at: number; readonly shows: number } {
  const { firstEvent, arrived } = findExchange(sandbox, id)
  const { copied } = sandbox.journal
  if (!copied || id > copied.last) return { at: firstEvent - 1, shows: arrived }
  throw eventNotKept({
    detail: `The exchange ${id} happened in the sandbox ${copied.from}, which ${sandbox.name} was forked from. Ask for it there.`,
  })
}

const deleteJournal: ControlHandler = async (call) => {
  const { journal, shared } = call.sandbox()
  await shared?.exchanges?.clear('journal')
  return ok({ removed: journal.clear() })
}

/** Import the result in the network panel of a browser. */
const exportHar: ControlHandler<JournalNeeds> = async (call) =>
  ok(createHar(await findExchanges(call), call.sandbox(), call.redactor))

/** The exchanges that match all filters of the query. */
async function findExchanges(call: ControlCall<JournalNeeds>): Promise<readonly Exchange[]> {
  const { operationId, method, status, path, body, answer, fault, header, since } = call.query
  const match = Object.fromEntries(
    Object.entries({ operationId, method, status, path, body, answer, fault }).filter(
      ([, value]) => value !== undefined,
    ),
  ) as ExchangeMatch
  const headers = header === undefined ? {} : { headers: readHeader(String(header)) }
  const clauses = clausesOf({ ...match, ...headers }, call, '')
  const after = readCount(call, 'after', ID)
  const first = typeof since === 'string' ? readInstant(since, { parameter: 'since' }) : -Infinity
  const found: Exchange[] = []
  for (const exchange of call.sandbox().journal.after(after)) {
    if (exchange && exchange.now >= first && matchesAll(clauses, exchange) === true) found.push(exchange)
    const paused = call.pause()
    if (paused) await paused
  }
  return found
}

/** `prefer` requires the header, `prefer: code=*` also a value. */
function readHeader(text: string): Readonly<Record<string, string>> {
  const [, name, value] = /^([!#$%&'*+.^_`|~\w-]+)(?:: *(.*))?$/s.exec(text) ?? []
  if (name !== undefined) return { [name]: value ?? '*' }
  const expected = 'the name of a header, or name: pattern'
  throw requestInvalid([violation({ parameter: 'header' }, 'header', expected, text)])
}

const verifyJournal: ControlHandler<JournalNeeds> = async (call) => {
  const { journal, webhooks } = call.sandbox()
  await webhooks?.settled()
  const sent = webhooks?.list(undefined, Infinity)
  return ok(await inSlices(verify(journal, call.body as Expectations, { ...call, webhooks: sent }), call.pause))
}

/** What the exchanges after an id are checked against. */
export interface Expectations {
  readonly after?: number | undefined
  readonly expectations: readonly ClientExpectation[]
}

/** How many exchanges match, or in which order, or how the client behaved; `checkOf` refuses two of these at once. */
interface ClientExpectation extends Partial<Bounds> {
  readonly name?: string | undefined
  readonly match?: ExchangeMatch | undefined
  readonly order?: readonly ExchangeMatch[] | undefined
  readonly walkedEveryPageOnce?: true | undefined
  /** In seconds. */
  readonly backedOffAtLeast?: number | undefined
  readonly clock?: ClockChoice | undefined
  readonly neverSentSameCreateTwice?: true | undefined
  readonly goodClient?: true | undefined
  readonly acceptedEveryWebhook?: true | undefined
}

const MAX_MATCHED_SHOWN = 20
const MAX_MISSES_SHOWN = 5

interface CheckedExpectations {
  readonly passed: boolean
  readonly exchanges: number
  readonly forgotten: number
  readonly results: readonly (Pick<Verdict, 'passed' | 'expected' | 'received'> & {
    readonly name: string | null
    readonly matched: readonly number[]
    readonly misses: readonly Miss[]
    readonly more: number
  })[]
}

/**
 * Checks the exchanges after an id against expectations. An expectation that depends on dropped exchanges or bodies never passes.
 * Yields after each exchange, so other requests get their turn.
 *
 * @throws Problem 400 for an expectation of nothing, or of two things at once
 */
export function* verify(
  journal: Journal,
  { after = 0, expectations }: Expectations,
  {
    redactor,
    operationTraits,
    webhooks = { lost: 0, webhooks: [] },
  }: JournalNeeds & { readonly webhooks?: Evidence['webhooks'] | undefined },
): Steps<CheckedExpectations> {
  let forgotten = journal.forgottenAfter(after)
  const exchanges: Exchange[] = []
  for (const exchange of journal.after(after)) {
    if (exchange) exchanges.push(exchange)
    else forgotten++
    yield
  }
  const results = []
  for (const [index, expectation] of expectations.entries()) {
    const pointer = `/expectations/${index}`
    const clauses = clausesOf(expectation.match ?? {}, { redactor, operationTraits }, `${pointer}/match`)
    const check = checkOf(expectation, pointer)
    const finding = yield* check({ exchanges, forgotten, clauses, redactor, operationTraits, webhooks })
    const { passed, expected, received, matched = [], misses = [] } = finding
    results.push({
      name: expectation.name ?? null,
      passed,
      expected,
      received,
      matched: matched.slice(0, MAX_MATCHED_SHOWN).map(({ id }) => id),
      misses: misses.slice(0, MAX_MISSES_SHOWN),
      more: Math.max(0, misses.length - MAX_MISSES_SHOWN),
    })
  }
  return { passed: results.every(({ passed }) => passed), exchanges: exchanges.length, forgotten, results }
}

type ExpectationCheck = (evidence: Evidence) => Generator<undefined, Verdict>

/** @throws Problem 400 */
function checkOf(expectation: ClientExpectation, pointer: string): ExpectationCheck {
  const { exactly, atLeast, atMost, order, backedOffAtLeast, clock = 'either' } = expectation
  const isCount = exactly !== undefined || atLeast !== undefined || atMost !== undefined
  const asked: (ExpectationCheck | false)[] = [
    isCount && ((evidence) => verifyCount(evidence, { exactly, atLeast, atMost })),
    order !== undefined && ((evidence) => verifyOrder(evidence, order, `${pointer}/order`)),
    expectation.walkedEveryPageOnce === true && verifyWalks,
    backedOffAtLeast !== undefined && ((evidence) => verifyBackOff(evidence, backedOffAtLeast, clock)),
    expectation.neverSentSameCreateTwice === true && verifyCreates,
    expectation.goodClient === true && verifyGoodClient,
    expectation.acceptedEveryWebhook === true && verifyWebhooks,
  ]
  const [check, second] = asked.filter((one) => one !== false)
  const refuse = (expected: string) => requestInvalid([violation({ pointer }, 'expectation', expected, expectation)])
  if (second || (exactly !== undefined && (atLeast !== undefined || atMost !== undefined)))
    throw refuse('one thing at a time; make two expectations of it')
  if (check) return check
  if (expectation.match) return (evidence) => verifyCount(evidence, { exactly, atLeast: 1, atMost })
  throw refuse(
    'match with exactly, atLeast or atMost; or order, walkedEveryPageOnce, backedOffAtLeast, neverSentSameCreateTwice, goodClient or acceptedEveryWebhook',
  )
}

/** Prometheus' text format 0.0.4. */
const METRICS_TYPE = 'text/plain; version=0.0.4; charset=utf-8'

const getMetrics: ControlHandler<MetricsNeeds> = (call) => ({
  status: 200,
  text: { contentType: METRICS_TYPE, content: renderMetrics(call) },
})

export const journalRoutes: ControlRoutes<JournalNeeds & MetricsNeeds> = {
  listExchanges,
  getExchange,
  deleteJournal,
  verifyJournal: { handle: verifyJournal, isReadOnly: true },
  exportHar,
  openStream,
  getMetrics,
}
