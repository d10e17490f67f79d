import type { ControlClient } from '../../control/client/client.ts'
import type { Contract } from '../../contract/contract.ts'
import { outcomeOf } from '../../app/learned/learned.ts'
import type { Violation } from '../../base/errors/problem.ts'
import { createOperationFinder } from '../../contract/router.ts'
import { isObject } from '../../base/formats/json.ts'
import { type RecordedExchange, wordIn } from '../recordings/recorded-exchange.ts'
import { createMadeNames } from '../resend/made-names.ts'
import { numberedResources } from '../resend/resource-ids.ts'
import { type Planned, readSeen, type Responder, type SeenResponse } from '../resend/responder.ts'
import type { LearntResponse, ComparedExchange } from './compared-exchange.ts'

interface SendRecordedOptions {
  readonly contract: Contract
  /** Of the sandbox whose state the requests read and change. */
  readonly control: ControlClient
  readonly signal: AbortSignal
  /** Whether only the responses count, and not what came of the requests. */
  readonly isQuick?: boolean | undefined
  /**
   * Whether a change that the service refused is taken back where the stand-in made it, so that later responses are of the same state. It is
   * of use to learn from them, and would make a stand-in look better than it is.
   */
  readonly undoesRefused?: boolean | undefined
  readonly report: (done: number) => void
  /** Removes the secrets of what is learnt from. */
  readonly clean: (exchange: RecordedExchange) => RecordedExchange
}

/** Headers of the connection, and those that a client adds by itself. */
const LEFT_OUT = new Set([
  ...['host', 'connection', 'content-length', 'transfer-encoding', 'keep-alive', 'accept-encoding', 'upgrade'],
  ...['expect', 'te', 'trailer', 'proxy-connection', 'origin', 'referer'],
])

/**
 * Sends the requests of recordings again, in their order and at their times. What the service made, such as ids, is replaced in later
 * requests by what the stand-in made in its place.
 */
export async function sendRecorded(
  exchanges: readonly RecordedExchange[],
  standin: Responder,
  { signal, report, clean, contract, control, isQuick, undoesRefused }: SendRecordedOptions,
): Promise<readonly ComparedExchange[]> {
  const findOperation = createOperationFinder(contract.operations)
  const names = createMadeNames(exchanges.map(planOf), numberedResources(exchanges))
  const compared: ComparedExchange[] = []
  for (const [index, exchange] of exchanges.entries()) {
    signal.throwIfAborted()
    report(index)
    const { request, source, at } = exchange
    const theirs = readSeen(planOf(exchange), exchange)
    const isLost = names.areLost(theirs.planned)
    const own = names.ours(theirs.planned)
    const isRefused = undoesRefused && request.method !== 'GET' && exchange.response.status >= 400
    if (isRefused) await control.createCheckpoint({ name: BEFORE })
    const seen = await standin.send(own)
    const ours = answerOf(seen)
    const { hasChanged, issues } = isQuick ? NOTHING_CAME : await control.getExchange(index + 1)
    const violations = issues as readonly Violation[]
    if (isRefused && ours.status < 400) await control.restoreCheckpoint(BEFORE)
    if (isRefused) await control.deleteCheckpoint(BEFORE)
    const shown = answerOf(readSeen(own, clean(exchange)))
    names.learn(index, theirs, seen)
    const found = findOperation(request.method, own.url)
    compared.push({
      at,
      source,
      operation: found?.operation,
      method: request.method,
      url: own.url,
      // Without a response of the stand-in there is nothing to compare.
      isLost: isLost || ours.status === 0,
      ours,
      path: found?.parameters ?? {},
      sent: seen.sent,
      theirs: { ...shown, json: names.oursIn(shown.json, request.url) },
      outcome: outcomeOf({ problem: problemIn(ours), hasChanged, violations }),
      violations,
      problem: sentenceIn(ours),
    })
  }
  return compared
}

/** With its own key, if it has one. */
function planOf({ request, at }: RecordedExchange): Planned {
  return { ...request, headers: request.headers.filter(({ name }) => !LEFT_OUT.has(name.toLowerCase())), key: null, at }
}

function answerOf({ exchange: { response }, json }: SeenResponse): LearntResponse {
  return {
    json,
    status: response.status,
    hasBody: (response.body ?? '') !== '',
    word: wordIn(response.body),
    headers: new Map(response.headers.map(({ name, value }) => [name.toLowerCase(), value])),
  }
}

/** What the stand-in says of a refusal. */
function sentenceIn({ headers, json }: LearntResponse): string | undefined {
  const told = headers.get('x-mock-problem')?.replace(/^[^:]*: /, '')
  const detail = isObject(json) ? json.detail : undefined
  return told ?? (typeof detail === 'string' ? detail : undefined)
}

/** The checkpoint before a request that the service refused. */
const BEFORE = 'before'

const NOTHING_CAME = { hasChanged: false, issues: [] }

/** The id of the problem: by the header that responses have whose bodies are as the contract has them, else by the problem document. */
function problemIn({ status, headers, json }: LearntResponse): string | undefined {
  if (status < 400) return undefined
  const told = headers.get('x-mock-problem')
  if (told !== undefined) return told.split(':', 1)[0]
  const type = isObject(json) ? json.type : undefined
  return typeof type === 'string' ? type.split('/').at(-1) : 'unknown'
}
