import type { IncomingMessage } from 'node:http'
import { isUnsafe } from '../../app/binding/bound-operations.ts'
import { changesBody } from '../../app/faults/change-body.ts'
import { cut, sendCorrupted, wireFault } from '../../app/faults/corrupt-response.ts'
import type { Faults, RequestContext, WireFault } from '../../app/middleware/request-context.ts'
import { sendReady } from '../../app/middleware/send-response.ts'
import { upstreamBroken } from '../../base/errors/proxy-errors.ts'
import { statusProblem } from '../../base/errors/response-errors.ts'
import { isJson } from '../../contract/media-type.ts'
import type { FaultHit, FaultOf } from '../../engine/faults/fault.ts'
import { untilStored } from '../../engine/stores/shared-log.ts'
import { showViolations, VIOLATIONS_HEADER } from '../../http/violations-header.ts'
import { decompress, textOf } from '../recordings/content.ts'
import { LONGEST } from './capture.ts'
import { brokenOf, end, fail, type Forwarded, type ForwardDependencies, type JoinBody } from './forwarded.ts'
import { endToEnd, fieldOf, isMockField, trailersOf } from './forwarded-headers.ts'

/**
 * Sends the response of the service back, as the faults of the sandbox change it. It is streamed, unless the client asks for its violations
 * by a header, or its body may change: then it is held until its end.
 */
export function sendBack(forwarded: Forwarded, incoming: IncomingMessage, deps: ForwardDependencies): void {
  const { faults } = forwarded.context
  incoming.on('error', () => fail(forwarded, deps, brokenOf(deps.upstream)))
  if (faults) orFail(forwarded, deps, meetFaults(forwarded, deps, { incoming, faults }))
  else passOn(forwarded, incoming, deps)
}

/** Fails where the response cannot be sent on: Node reads some heads that it refuses to write. */
function orFail(forwarded: Forwarded, deps: ForwardDependencies, sending: Promise<void>): void {
  sending.catch((error: unknown) => {
    forwarded.incoming?.destroy()
    fail(forwarded, deps, unsentOf(deps.upstream, error))
  })
}

function unsentOf({ name }: ForwardDependencies['upstream'], error: unknown) {
  return upstreamBroken({ detail: `${name} sent a response that cannot be sent on: ${String(error)}.` })
}

async function meetFaults(
  forwarded: Forwarded,
  deps: ForwardDependencies,
  { incoming, faults }: { readonly incoming: IncomingMessage; readonly faults: Faults },
): Promise<void> {
  const { context } = forwarded
  const { shared } = context.sandbox
  const strike = () => {
    const lost = mayLose(context, incoming) ? faults.strikes(['lost-answer']).next().value : undefined
    const isSent = !lost && hasContent(context, incoming)
    faults.wire = isSent ? [wireFault({ faults: { ...faults, wire: undefined } })] : []
    return lost
  }
  const lost = shared ? await untilStored(strike, () => shared.confirm()) : strike()
  const [hit] = faults.wire ?? []
  if (lost) await lose(forwarded, deps, { incoming, fault: lost.fault })
  else if (hit && !isHeld(forwarded, incoming, deps)) await corrupt(forwarded, deps, { incoming, hit })
  else passOn(forwarded, incoming, deps)
}

/** Whether the service may have changed something. */
function mayLose({ request: { method = '' } }: RequestContext, { statusCode = 0 }: IncomingMessage): boolean {
  return isUnsafe(method) && statusCode < 400
}

function hasContent({ request }: RequestContext, { statusCode = 0, rawHeaders }: IncomingMessage): boolean {
  return request.method !== 'HEAD' && ![204, 304].includes(statusCode) && fieldOf(rawHeaders, 'content-length') !== '0'
}

/** Whether a fault may change the body. */
function mayChange(context: RequestContext, incoming: IncomingMessage): boolean {
  const { faults, sandbox } = context
  const { statusCode = 0 } = incoming
  if (!faults || statusCode >= 300 || !hasContent(context, incoming)) return false
  return isOfJson(incoming) && changesBody(sandbox.state)
}

/** Whether the body may change, which takes all of it. */
function isHeld(forwarded: Forwarded, incoming: IncomingMessage, deps: ForwardDependencies): boolean {
  return (
    (isOfJson(incoming) && deps.joining?.(forwarded, incoming) !== undefined) || mayChange(forwarded.context, incoming)
  )
}

function isOfJson({ rawHeaders }: IncomingMessage): boolean {
  return isJson(fieldOf(rawHeaders, 'content-type') ?? '')
}

/** Takes the whole response of the service, and loses it. */
async function lose(
  forwarded: Forwarded,
  deps: ForwardDependencies,
  { incoming, fault }: { readonly incoming: IncomingMessage; readonly fault: FaultOf<'lost-answer'> },
): Promise<void> {
  const { context, received } = forwarded
  for await (const chunk of incoming as AsyncIterable<Buffer>) received.add(chunk)
  if (forwarded.isOver) return
  if (fault.by !== 'gateway-timeout') {
    cut(context, fault.by, () => end(forwarded, deps, { end: 'broken' }))
    return
  }
  const problem = statusProblem(504, { detail: 'The service did not answer in time.' })
  deps.refuse(context, problem)
  end(forwarded, deps, { end: 'whole', problem })
}

async function* captured({ received }: Forwarded, incoming: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  for await (const chunk of incoming) {
    received.add(chunk)
    yield chunk
  }
}

async function corrupt(
  forwarded: Forwarded,
  deps: ForwardDependencies,
  { incoming, hit }: { readonly incoming: IncomingMessage; readonly hit: FaultHit<WireFault> },
): Promise<void> {
  const { context } = forwarded
  const { statusCode: status = 502, rawHeaders } = incoming
  const [contentType, length] = ['content-type', 'content-length'].map((name) => fieldOf(rawHeaders, name))
  setHead(context, headOf(context, incoming, ['content-type', 'content-length']))
  const answer = { status, contentType, length: length === undefined ? undefined : Number(length) }
  await sendCorrupted(context, { ...answer, chunks: captured(forwarded, incoming) }, hit)
  end(forwarded, deps, { end: context.trace.end })
}

function passOn(forwarded: Forwarded, incoming: IncomingMessage, deps: ForwardDependencies): void {
  const { context, received } = forwarded
  const { request, response } = context
  const isAsked = (request.headers[VIOLATIONS_HEADER] ?? 'false') !== 'false'
  const join = deps.joining?.(forwarded, incoming)
  const isChanged = isHeld(forwarded, incoming, deps)
  if (!isAsked && !isChanged) sendHead(forwarded, incoming, join && NOT_JSON)
  incoming
    .on('data', (chunk: Buffer) => {
      received.add(chunk)
      if (!response.headersSent && received.isWhole) return
      if (!response.headersSent) {
        sendHead(forwarded, incoming, join && TOO_LONG)
        response.write(received.bytes)
      }
      if (!response.write(chunk)) incoming.pause()
    })
    .on('end', () => {
      if (response.headersSent) endResponse(forwarded, incoming, deps)
      else orFail(forwarded, deps, sendHeld(forwarded, deps, { incoming, isAsked, isChanged, join }))
    })
  response.on('drain', () => incoming.resume())
}

/** What is said of a list that is not held: it may be a stream. */
const NOT_JSON = ['x-mock-joined', 'no; the response is not JSON']
const TOO_LONG = ['x-mock-joined', `no; the response has more than ${LONGEST} bytes`]

interface HeldResponse {
  readonly incoming: IncomingMessage
  /** Whether the client asks for its violations. */
  readonly isAsked: boolean
  /** Whether its body may change. */
  readonly isChanged: boolean
  readonly join: JoinBody | undefined
}

/** Sends a response that was held until its end: with what is wrong in it, and with the body that faults make of it. */
async function sendHeld(
  forwarded: Forwarded,
  deps: ForwardDependencies,
  { incoming, isAsked, isChanged, join }: HeldResponse,
): Promise<void> {
  const { context, received } = forwarded
  const { statusCode: status = 502, rawHeaders } = incoming
  const violations = isAsked ? [VIOLATIONS_HEADER, showViolations(await deps.violationsOf(forwarded))] : []
  const coding = fieldOf(rawHeaders, 'content-encoding')
  const sent = isChanged ? textOf(decompress(received.bytes, coding, 2 * LONGEST)) : undefined
  const { text = sent, headers = {} } = (await join?.(sent)) ?? {}
  if (forwarded.isOver) return
  const added = [...violations, ...Object.entries(headers).flat()]
  if (text === undefined) {
    sendHead(forwarded, incoming, added)
    context.response.write(received.bytes)
    endResponse(forwarded, incoming, deps)
    return
  }
  setHead(context, [...headOf(context, incoming, [...OF_BODY, ...Object.keys(headers)]), ...added])
  await sendReady(context, { status, contentType: fieldOf(rawHeaders, 'content-type') ?? '', text })
  end(forwarded, deps, { end: context.trace.end })
}

/** Headers that describe the body. They are set again for a body that was changed. */
const OF_BODY = [
  'content-type',
  'content-length',
  'content-encoding',
  'content-md5',
  'content-digest',
  'etag',
  'last-modified',
]

function endResponse(forwarded: Forwarded, { rawTrailers }: IncomingMessage, deps: ForwardDependencies): void {
  const { response } = forwarded.context
  if (rawTrailers.length > 0) response.addTrailers(trailersOf(rawTrailers, isMockField))
  response.end()
  end(forwarded, deps, { end: 'whole' })
}

function sendHead({ context }: Forwarded, incoming: IncomingMessage, added: readonly string[] = []): void {
  const { response, headers } = context
  const head = [...headOf(context, incoming), ...added]
  response.sendDate = false
  response.writeHead(incoming.statusCode ?? 502, incoming.statusMessage, head)
  headers.splice(0, headers.length, ...head)
}

/** Sets the head of a response whose body is not sent as it came. */
function setHead({ response, headers }: RequestContext, head: readonly string[]): void {
  response.sendDate = false
  headers.splice(0, headers.length, ...head)
}

/** Pages may read what they asked for. */
const FOR_PAGES = ['Vary', 'Origin', 'Access-Control-Expose-Headers', 'X-Mock-Violations']

const OWN_FIELDS = new Set(['x-mock-sandbox', 'x-mock-answered-by', 'x-mock-fault'])

/** Of the fields that are set for every request, a forwarded response has those for pages of other origins. */
function headOf({ headers }: RequestContext, { rawHeaders }: IncomingMessage, without: readonly string[] = []) {
  const own = headers.flatMap((name, at) =>
    at % 2 === 0 && (name.startsWith('access-control-') || OWN_FIELDS.has(name)) ? [name, headers[at + 1] ?? ''] : [],
  )
  const isShared = own.includes('access-control-allow-origin')
  // Of the service's, what a page may read adds up with the proxy's own.
  const isOwn = (name: string) => name.startsWith('access-control-') && name !== 'access-control-expose-headers'
  const isDropped = (name: string) => isMockField(name) || without.includes(name) || (isShared && isOwn(name))
  return [...endToEnd(rawHeaders, isDropped), ...own, ...(isShared ? FOR_PAGES : [])]
}
