import { rememberingEach } from '../../base/cache.ts'
import { type RecordExchange, traceBytes } from '../../app/middleware/record-exchange.ts'
import type { UsedBehaviours } from '../../behaviours/tracker.ts'
import { asObject, tryParseJson } from '../../base/formats/json.ts'
import type { Problem, Violation } from '../../base/errors/problem.ts'
import { contractBroken } from '../../base/errors/proxy-errors.ts'
import { headersOf, type RecordedExchange } from '../recordings/recorded-exchange.ts'
import { decompress, textOf } from '../recordings/content.ts'
import { LONGEST } from './capture.ts'
import type { ExchangeCheck } from './check-exchange.ts'
import { type Ending, type Forwarded, type ForwardDependencies, hasBody } from './forwarded.ts'
import { fieldOf } from './forwarded-headers.ts'
import type { Shadow } from './shadow.ts'

/** A forwarded response depends on no behaviour. */
export const NO_BEHAVIOURS: UsedBehaviours = { ids: [], text: '' }

interface ObserverDependencies {
  readonly check: ExchangeCheck
  readonly record: RecordExchange
  readonly keep: ((exchange: RecordedExchange) => void) | undefined
  readonly realNow: () => number
  /** Undefined where the stand-in is not asked too. */
  readonly shadow: Shadow | undefined
}

/** Checks exchanges against the contract, and puts them into the journal and the recording. */
export function createObserver({
  check,
  record,
  keep,
  realNow,
  shadow,
}: ObserverDependencies): Pick<ForwardDependencies, 'violationsOf' | 'finish'> {
  const see = rememberingEach((forwarded: Forwarded) => look(forwarded, check))
  const asked = new WeakMap<Forwarded, Promise<readonly Violation[]>>()
  /** What the stand-in responds otherwise; asked once, where the service gave a response to an operation. */
  const differencesOf = (forwarded: Forwarded): Promise<readonly Violation[]> | undefined => {
    const seen = see(forwarded)
    const { context, incoming, sent } = forwarded
    if (!shadow || !incoming?.complete || seen.operationId === undefined || !sent.isWhole) return undefined
    const exchange = recorded(forwarded, seen, { ending: { end: 'whole' }, milliseconds: 0 })
    const asking = asked.get(forwarded) ?? shadow.ask(exchange, context.sandbox.name)
    if (asking) asked.set(forwarded, asking)
    return asking
  }
  return {
    violationsOf(forwarded) {
      const { violations } = see(forwarded)
      return differencesOf(forwarded)?.then((differences) => [...violations, ...differences]) ?? violations
    },
    finish(forwarded, ending) {
      const seen = see(forwarded)
      const { context } = forwarded
      fillTrace(forwarded, seen, ending)
      keep?.(recorded(forwarded, seen, { ending, milliseconds: realNow() - forwarded.at }))
      const end = (differences: readonly Violation[]) =>
        record(context, NO_BEHAVIOURS, problemOf([...seen.violations, ...differences], ending))
      const asking = ending.problem ? undefined : differencesOf(forwarded)
      if (asking) void asking.then(end)
      else end([])
    },
  }
}

function fillTrace(
  { context: { trace, response }, incoming, received }: Forwarded,
  seen: ObservedExchange,
  { end }: Ending,
): void {
  trace.operationId = seen.operationId
  trace.received = seen.sentText
  trace.end = end
  // What a fault or a refusal sent in its place is noted already, and of a lost response nothing was sent.
  if (seen.content && trace.answered === undefined && response.headersSent) traceBytes(trace, seen.content)
  if (incoming && !received.isWhole) trace.isPartial = true
  trace.next = nextOf(seen.receivedText)
}

/** An exchange with its bodies read. */
interface ObservedExchange {
  readonly operationId: string | undefined
  readonly violations: readonly Violation[]
  readonly sentText: string | undefined
  /** The body of the response without its compression. */
  readonly content: Buffer | undefined
  readonly receivedText: string | undefined
}

function look({ context, sent, received, incoming }: Forwarded, check: ExchangeCheck): ObservedExchange {
  const { request, path, search, tracker } = context
  const { method = '', url = '', headers, rawHeaders } = request
  const sentBytes = decompress(sent.bytes, headers['content-encoding'], 2 * LONGEST)
  const sentText = hasBody(request) ? textOf(sentBytes) : undefined
  const content = incoming && decompress(received.bytes, fieldOf(incoming.rawHeaders, 'content-encoding'), 2 * LONGEST)
  const receivedText = textOf(content)
  const message = { method, path, search, headers, rawHeaders, url, hasBody: hasBody(request) }
  const route = check.find(message)
  const ofRequest = request.complete
    ? check.request({ ...message, body: sent.isWhole ? sentText : undefined }, route, tracker)
    : []
  const ofResponse = incoming?.complete
    ? check.response(route, {
        status: incoming.statusCode ?? 0,
        contentType: fieldOf(incoming.rawHeaders, 'content-type'),
        isEmpty: received.isWhole && received.bytes.length === 0,
        body: received.isWhole ? receivedText : undefined,
      })
    : []
  const violations = [...ofRequest.map(inThe('request')), ...ofResponse.map(inThe('response'))]
  const operationId = route.kind === 'operation' ? route.operation.operationId : undefined
  return { operationId, violations, sentText, content, receivedText }
}

/** At most this many of each message. */
const MAX_VIOLATIONS = 20

function inThe(side: 'request' | 'response'): (violation: Violation) => Violation {
  return (violation) => ({ ...violation, message: `${side}: ${violation.message}` })
}

function problemOf(violations: readonly Violation[], { problem }: Ending): Problem | undefined {
  const shown = violations.slice(0, 2 * MAX_VIOLATIONS)
  if (problem) return problem.with({ violations: shown })
  const [first] = violations
  if (!first) return undefined
  const more = violations.length > 1 ? ` (and ${violations.length - 1} more)` : ''
  return contractBroken({ detail: `${first.message}${more}`, violations: shown })
}

/** The token of the next page, by which the journal follows a client through pages. */
function nextOf(body: string | undefined): string | undefined {
  if (!body?.includes('"pageContext"')) return undefined
  const value = tryParseJson(body)
  const { next } = asObject(asObject(value).pageContext)
  return typeof next === 'string' && next !== '' ? next : undefined
}

function recorded(
  { context, at, sentHeaders, sent, incoming, received }: Forwarded,
  { sentText, receivedText }: ObservedExchange,
  { ending, milliseconds }: { readonly ending: Ending; readonly milliseconds: number },
): RecordedExchange {
  const { method = '', url = '' } = context.request
  // Whatever a fault made of it for the client.
  const isWhole = incoming?.complete === true && received.isWhole && receivedText !== undefined
  return {
    source: 'proxy',
    at,
    milliseconds,
    request: { method, url, headers: headersOf(sentHeaders), body: sent.isWhole ? sentText : undefined },
    response: incoming
      ? { status: incoming.statusCode ?? 0, headers: headersOf(incoming.rawHeaders), body: receivedText, isWhole }
      : { status: 0, headers: [], body: ending.problem?.message, isWhole: false },
  }
}
