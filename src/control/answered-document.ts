import type { Operation } from '../contract/contract.ts'
import { createLookup, type Lookup } from '../contract/pointer.ts'
import { responseName } from '../contract/schemas/documented.ts'
import type { ControlCall } from '../engine/control-route.ts'
import { isObject, parseJson } from '../formats/json.ts'
import type { Exchange } from '../journal/exchange.ts'
import { cleanerOf } from '../journal/show-exchange.ts'

type Members = Readonly<Record<string, unknown>>

/** A response that the server gave, or would give, as the document shows it. */
export interface Answered {
  readonly status: number
  readonly mediaType: string
  readonly body: unknown
  /** What it responded to; undefined for no body. */
  readonly sent: unknown
  /** For people: where the example comes from. */
  readonly source: string
}

declare module '../engine/control-route.ts' {
  interface ControlNeeds {
    /** What an operation would respond now; undefined where that cannot be told. It changes nothing. */
    tryOperation(operationId: string, sandbox: ReturnType<ControlCall['sandbox']>): Promise<Answered | undefined>
  }
}

/** A document with, for each operation, a response that this server gave, and the behaviours that its responses depended on. */
export async function withAnswers(document: Members, call: ControlCall): Promise<Members> {
  const { served, pause } = call
  const { latest, behaviours } = await readJournal(call)
  const sandbox = call.sandbox()
  const lookup = createLookup(document)
  const questions = new Map(sandbox.behaviours.catalog.behaviours.map(({ id, question }) => [id, question]))
  const paths: Record<string, Members> = { ...(document.paths as Record<string, Members>) }
  let tried = 0
  for (const operation of served.operations) {
    const { operationId, path, method } = operation
    const exchange = latest.get(operationId)
    const answered = exchange
      ? answeredIn(exchange, call)
      : tried++ < MAX_TRIED
        ? await call.tryOperation(operationId, sandbox)
        : undefined
    const item = paths[path]
    const held = item?.[method.toLowerCase()]
    if (item && isObject(held)) {
      const described = describe(held, behaviours.get(operationId), { questions, source: answered?.source })
      const shown = answered ? withExample(described, operation, answered, lookup) : described
      paths[path] = { ...item, [method.toLowerCase()]: shown }
    }
    const paused = pause()
    if (paused) await paused
  }
  return { ...document, paths }
}

/** Trying an operation takes milliseconds, and a contract may have a thousand. */
const MAX_TRIED = 60

interface Recorded {
  /** By operationId, the latest success that is kept whole. */
  readonly latest: ReadonlyMap<string, Exchange>
  /** By operationId, the ids of the behaviours that its responses depended on. */
  readonly behaviours: ReadonlyMap<string, ReadonlySet<string>>
}

async function readJournal(call: ControlCall): Promise<Recorded> {
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
  return { latest, behaviours }
}

function isWholeSuccess({ status, fault, end, ...rest }: Exchange): boolean {
  const isWhole = end === 'whole' && !rest.isResponseCut && !rest.isResponseBinary && !rest.isResponseDropped
  return status >= 200 && status < 300 && fault === undefined && isWhole
}

/** Undefined for a response without a body. */
function answeredIn(exchange: Exchange, { redactor }: ControlCall): Answered | undefined {
  const { status, id, responseBody, responseHeaders, requestBody } = exchange
  const clean = cleanerOf(exchange, redactor)
  const at = responseHeaders.indexOf('content-type')
  const [mediaType = ''] = at < 0 ? [] : (responseHeaders[at + 1] ?? '').split(';')
  if (responseBody === undefined || responseBody === '' || mediaType === '') return undefined
  return {
    status,
    mediaType,
    body: valueOf(clean(responseBody), mediaType),
    sent: requestBody === undefined || exchange.isRequestCut ? undefined : valueOf(clean(requestBody), 'json'),
    source: `The example response is that of request ${id}.`,
  }
}

function valueOf(text: string, mediaType: string): unknown {
  if (!mediaType.endsWith('json')) return text
  try {
    return parseJson(text)
  } catch {
    return undefined
  }
}

interface Description {
  /** By id. */
  readonly questions: ReadonlyMap<string, string>
  readonly source: string | undefined
}

function describe(
  operation: Members,
  behaviours: ReadonlySet<string> | undefined,
  { questions, source }: Description,
): Members {
  const list = [...(behaviours ?? [])].map((id) => `- \`${id}\`: ${questions.get(id) ?? ''}`)
  const seen = list.length === 0 ? [] : [`**Behaviours that its responses depended on**\n\n${list.join('\n')}`]
  const parts = [operation.description, source, ...seen].filter((part) => typeof part === 'string' && part !== '')
  return parts.length === 0 ? operation : { ...operation, description: parts.join('\n\n') }
}

/** An operation whose response, and request, have the examples that were really sent. */
function withExample(held: Members, operation: Operation, answered: Answered, lookup: Lookup): Members {
  const { status, mediaType, body, sent } = answered
  const responses = isObject(held.responses) ? held.responses : {}
  const name = responseName(status, responses)
  const response = name === undefined ? undefined : lookup.follow(responses[name])
  const changed =
    name !== undefined && isObject(response)
      ? { responses: { ...responses, [name]: exampleIn(response, mediaType, body, lookup) } }
      : {}
  const request = lookup.at(`${operation.pointer}/requestBody`)
  const input = sent !== undefined && isObject(request) ? { requestBody: exampleIn(request, 'json', sent, lookup) } : {}
  return { ...held, ...changed, ...input }
}

/** @param mediaType as it was sent, or its end */
function exampleIn(holder: Members, mediaType: string, example: unknown, lookup: Lookup): Members {
  const content = isObject(holder.content) ? holder.content : {}
  const type = Object.keys(content).find((one) => one.split(';')[0]?.endsWith(mediaType))
  const media = type === undefined ? undefined : lookup.follow(content[type])
  if (type === undefined || !isObject(media) || example === undefined) return holder
  const { examples: _documented, ...rest } = media
  return { ...holder, content: { ...content, [type]: { ...rest, example } } }
}
