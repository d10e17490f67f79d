import { createLookup, type Lookup } from '../contract/pointer.ts'
import { responseName } from '../contract/schemas/documented.ts'
import type { ControlCall } from '../engine/control-route.ts'
import { asObject, isObject, type Members, tryParseJson } from '../base/formats/json.ts'
import type { Exchange } from '../journal/exchange.ts'
import { cleanerOf } from '../journal/show-exchange.ts'
import { describeBehaviours } from './described-behaviours.ts'
import { CONTROL_PATH } from './path.ts'
import type { ControlNeeds } from './control-needs.ts'
import { type Answered, exampleIn, withRequest } from './working-request.ts'

/** A document with, for each operation, a request that works, a response that this server gave, and the behaviours that it may depend on. */
export async function withAnswers(document: Members, call: ControlCall<ControlNeeds>): Promise<Members> {
  const { served, pause } = call
  const journal = await readJournal(call)
  const sandbox = call.sandbox()
  const lookup = createLookup(document)
  const behaviours = describeBehaviours(sandbox.behaviours, `${call.address()}${CONTROL_PATH}/`)
  const paths: Record<string, Members> = { ...(document.paths as Record<string, Members>) }
  let tried = 0
  for (const operation of served.operations) {
    const { operationId, path, method } = operation
    const recorded = journal.latest.get(operationId)
    const isAnswered = tried++ < MAX_TRIED
    const found = await call.tryOperation(operationId, sandbox, { isAnswered, sent: recorded?.sent })
    const item = paths[path]
    const held = item?.[method.toLowerCase()]
    if (item && isObject(held)) {
      const answered = recorded?.answered ?? found?.answered
      const seen = journal.behaviours.get(operationId) ?? new Set()
      const described = describe(held, [answered?.source, behaviours(found?.dependsOn ?? [], seen)])
      const shown = answered ? withExample(described, answered, lookup) : described
      const sent = found?.request ?? { ...NO_REQUEST, body: recorded?.sent }
      paths[path] = { ...item, [method.toLowerCase()]: withRequest(shown, { operation, item, request: sent, lookup }) }
    }
    const paused = pause()
    if (paused) await paused
  }
  return { ...document, paths }
}

const NO_REQUEST = { path: {}, query: {}, headers: {} }

/** Trying an operation takes milliseconds, and a contract may have a thousand. */
const MAX_TRIED = 60

interface RecordedResponses {
  /** By operationId, what the latest success responded to, and its response where it is kept whole and has a body. */
  readonly latest: ReadonlyMap<string, { readonly sent: unknown; readonly answered: Answered | undefined }>
  /** By operationId, the ids of the behaviours that its responses depended on. */
  readonly behaviours: ReadonlyMap<string, ReadonlySet<string>>
}

async function readJournal(call: ControlCall<ControlNeeds>): Promise<RecordedResponses> {
  const latest = new Map<string, Exchange>()
  const behaviours = new Map<string, Set<string>>()
  for (const exchange of call.sandbox().journal.after(0)) {
    const { operationId } = exchange ?? {}
    if (exchange && operationId !== undefined) {
      const seen = behaviours.get(operationId) ?? new Set()
      if (exchange.behaviours !== '') for (const id of exchange.behaviours.split(', ')) seen.add(id)
      behaviours.set(operationId, seen)
      if (isWholeSuccess(exchange)) latest.set(operationId, exchange)
    }
    const paused = call.pause()
    if (paused) await paused
  }
  const shown = [...latest].map(
    ([id, exchange]) => [id, { sent: sentIn(exchange, call), answered: answeredIn(exchange, call) }] as const,
  )
  return { latest: new Map(shown), behaviours }
}

function isWholeSuccess({ status, fault, end, ...rest }: Exchange): boolean {
  const isWhole = end === 'whole' && !rest.isResponseCut && !rest.isResponseBinary && !rest.isResponseDropped
  return status >= 200 && status < 300 && fault === undefined && isWhole
}

/** Undefined for a response without a body. */
function answeredIn(exchange: Exchange, { redactor }: ControlCall<ControlNeeds>): Answered | undefined {
  const { status, id, responseBody, responseHeaders } = exchange
  const clean = cleanerOf(exchange, redactor)
  const at = responseHeaders.indexOf('content-type')
  const [mediaType = ''] = at < 0 ? [] : (responseHeaders[at + 1] ?? '').split(';')
  if (responseBody === undefined || responseBody === '' || mediaType === '') return undefined
  return {
    status,
    mediaType,
    body: valueOf(clean(responseBody), mediaType),
    source: `The example response is that of request ${id}.`,
  }
}

/** The JSON body of a request; undefined for none. */
function sentIn(exchange: Exchange, { redactor }: ControlCall<ControlNeeds>): unknown {
  const { requestBody, isRequestCut } = exchange
  return requestBody === undefined || isRequestCut
    ? undefined
    : valueOf(cleanerOf(exchange, redactor)(requestBody), 'json')
}

function valueOf(text: string, mediaType: string): unknown {
  return mediaType.endsWith('json') ? tryParseJson(text) : text
}

/** @param parts in Markdown */
function describe(operation: Members, parts: readonly (string | undefined)[]): Members {
  const all = [operation.description, ...parts].filter((part) => typeof part === 'string' && part !== '')
  return all.length === 0 ? operation : { ...operation, description: all.join('\n\n') }
}

/** An operation whose response has the example that was really sent. */
function withExample(held: Members, { status, mediaType, body }: Answered, lookup: Lookup): Members {
  const responses = asObject(held.responses)
  const name = responseName(status, responses)
  const response = name === undefined ? undefined : lookup.follow(responses[name])
  if (name === undefined || !isObject(response)) return held
  return { ...held, responses: { ...responses, [name]: exampleIn(response, { mediaType, example: body, lookup }) } }
}
