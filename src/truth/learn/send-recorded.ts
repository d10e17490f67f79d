import type { ControlClient } from '../../control/client/client.ts'
import type { Contract } from '../../contract/contract.ts'
import { outcomeOf } from '../../app/learned/learned.ts'
import type { Violation } from '../../base/errors/problem.ts'
import { createOperationFinder } from '../../contract/router.ts'
import { iso } from '../../base/formats/instant.ts'
import { isObject, tryParseJson } from '../../base/formats/json.ts'
import { type RecordedExchange, wordIn } from '../recordings/recorded-exchange.ts'
import type { Target } from '../recordings/target.ts'
import { createMadeNames } from './made-names.ts'
import type { LearntResponse, ComparedExchange } from './compared-exchange.ts'

export interface RecordedTarget {
  readonly control: ControlClient
  readonly target: Target
  readonly contract: Contract
}

export interface SendRecordedOptions {
  readonly signal: AbortSignal
  /** Whether only the responses count, and not what came of the requests. */
  readonly isQuick?: boolean | undefined
  /**
   * Whether a change that the service refused is taken back where the stand-in made it, so that later responses are of the same state. It is
   * of use to learn from them, and would make a stand-in look better than it is.
   */
  readonly undoesRefused?: boolean | undefined
  /** Whose state the requests read and change. */
  readonly sandbox: string
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
  { control, target, contract }: RecordedTarget,
  { signal, report, clean, sandbox, isQuick, undoesRefused }: SendRecordedOptions,
): Promise<readonly ComparedExchange[]> {
  const findOperation = createOperationFinder(contract.operations)
  const names = createMadeNames(exchanges.map(({ request }) => request))
  const compared: ComparedExchange[] = []
  let at: number | undefined
  for (const [index, exchange] of exchanges.entries()) {
    signal.throwIfAborted()
    report(index)
    const { request } = exchange
    if (exchange.at !== at) await control.putClock({ mode: 'frozen', now: iso(exchange.at) })
    at = exchange.at
    const isLost = names.areLost(request)
    const own = names.ours(request)
    const sent = own.headers.filter(({ name }) => !LEFT_OUT.has(name.toLowerCase()))
    const headers = [...sent, { name: 'X-Mock-Sandbox', value: sandbox }]
    const isRefused = undoesRefused && request.method !== 'GET' && exchange.response.status >= 400
    if (isRefused) await control.createCheckpoint({ name: BEFORE })
    const answered = await target.send({ ...own, headers })
    const ours = answerOf(answered)
    const { hasChanged, issues } = isQuick ? NOTHING_CAME : await control.getExchange(index + 1)
    const violations = issues as readonly Violation[]
    if (isRefused && ours.status < 400) await control.restoreCheckpoint(BEFORE)
    if (isRefused) await control.deleteCheckpoint(BEFORE)
    const theirs = answerOf(exchange)
    const shown = answerOf(clean(exchange))
    names.learn(index, theirs, ours)
    const found = findOperation(request.method, own.url)
    compared.push({
      at: exchange.at,
      source: exchange.source,
      operation: found?.operation,
      method: request.method,
      url: own.url,
      // Without a response of the stand-in there is nothing to compare.
      isLost: isLost || ours.status === 0,
      ours,
      path: found?.parameters ?? {},
      sent: tryParseJson(own.body),
      theirs: { ...shown, json: names.oursIn(shown.json) },
      outcome: outcomeOf({ problem: problemIn(ours), hasChanged, violations }),
      violations,
      problem: sentenceIn(ours),
    })
  }
  return compared
}

function answerOf({ response }: Pick<RecordedExchange, 'response'>): LearntResponse {
  return {
    status: response.status,
    json: tryParseJson(response.body),
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
