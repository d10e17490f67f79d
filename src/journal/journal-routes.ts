import { type ControlCall, type ControlHandler, type ControlRoutes, ok, readCount } from '../engine/control-route.ts'
import { readInstant } from '../formats/instant.ts'
import { requestInvalid } from '../errors/request-errors.ts'
import { violation } from '../errors/problem.ts'
import { createHar } from './har.ts'
import { clausesOf, holdsAll } from './verify/match-exchange.ts'
import { showExchange } from './show-exchange.ts'
import type { ExchangeList, ExchangeMatch, VerifyRequest } from '../../types/control-api.d.ts'
import { verify } from './verify/verify.ts'
import { lazily } from '../formats/json-pieces.ts'
import { inSlices } from '../engine/slices.ts'
import type { Exchanged } from './exchanged.ts'
import { MOST_EXCHANGES } from './journal.ts'
import { renderMetrics } from './metrics.ts'
import { openStream } from './stream.ts'
import { exchangeNotFound } from '../errors/control-errors.ts'

const LIMIT = { least: 1, most: MOST_EXCHANGES, otherwise: 100 }
const ID = { least: 0, most: Number.MAX_SAFE_INTEGER, otherwise: 0 }

/** With `after` the first exchanges that match, for paging; otherwise the latest ones. */
const listExchanges: ControlHandler = async (call) => {
  const limit = readCount(call, 'limit', LIMIT)
  const found = await findExchanges(call)
  const isPaged = call.query.after !== undefined
  const exchanges = isPaged ? found.slice(0, limit) : found.slice(-limit)
  const { name, journal } = call.sandbox()
  const last = exchanges.at(-1)
  return ok({
    total: found.length,
    forgotten: journal.forgottenAfter(readCount(call, 'after', ID)),
    next: isPaged && last && exchanges.length < found.length ? last.id : null,
    exchanges: lazily(exchanges, (exchange) => showExchange(exchange, name, call.redactor)),
  } satisfies ExchangeList)
}

const getExchange: ControlHandler = (call) => {
  const { name, journal } = call.sandbox()
  const { exchangeId } = call.path
  const found = typeof exchangeId === 'number' ? journal.find(exchangeId) : undefined
  if (found) return ok(showExchange(found, name, call.redactor))
  const [first] = journal.exchanges
  const kept = first ? `It keeps those from ${first.id} to ${journal.last}` : 'It is empty'
  throw exchangeNotFound({
    detail: `The journal of the sandbox ${name} has no exchange ${String(exchangeId)}. ${kept}; GET /__mock/journal lists them.`,
  })
}

const deleteJournal: ControlHandler = (call) => ok({ removed: call.sandbox().journal.clear() })

const verifyJournal: ControlHandler = async (call) => {
  const { after = 0, expectations } = call.body as VerifyRequest
  return ok(await inSlices(verify(call.sandbox().journal, { after, expectations }, call), call.pause))
}

/** Import it in the network panel of a browser. */
const exportHar: ControlHandler = async (call) =>
  ok(createHar(await findExchanges(call), call.sandbox().name, call.redactor))

/** The exchanges that match all filters of the query. */
async function findExchanges(call: ControlCall): Promise<readonly Exchanged[]> {
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
  const found: Exchanged[] = []
  for (const exchange of call.sandbox().journal.after(after)) {
    if (exchange && exchange.now >= first && holdsAll(clauses, exchange) === true) found.push(exchange)
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

/** Prometheus' text format 0.0.4. */
const METRICS_TYPE = 'text/plain; version=0.0.4; charset=utf-8'

const getMetrics: ControlHandler = (call) => ({
  status: 200,
  text: { contentType: METRICS_TYPE, content: renderMetrics(call) },
})

export const journalRoutes: ControlRoutes = {
  listExchanges,
  getExchange,
  deleteJournal,
  verifyJournal: { handle: verifyJournal, isReadOnly: true },
  exportHar,
  openStream,
  getMetrics,
}
