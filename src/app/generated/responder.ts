import { complete } from './completion.ts'
import { completionShape, type CompletionShape } from './completion-shape.ts'
import { asksForStream, eventSchema, eventsOfKinds, writeEvents } from './stream.ts'
import { asEvents, responsesOf } from './write-completion.ts'
import { type Agree, createAgreement } from './agree.ts'
import { knownValues, toldExample, withCount } from './known-values.ts'
import { contentOf, isStructured, isWrittenAsJson } from './content.ts'
import {
  type Choice,
  createResource,
  markedPlace,
  negotiate,
  type NoChoice,
  type PrismOperation,
  type PreferredResponse,
} from './prism.ts'
import type { Contract, Operation } from '../../contract/contract.ts'
import { isJson, isEventStream } from '../../contract/media-type.ts'
import { createLookup, type Lookup, pointerOf } from '../../contract/pointer.ts'
import { chanceKey } from '../../engine/random.ts'
import type { Problem } from '../../base/errors/problem.ts'
import { notAcceptable } from '../../base/errors/request-errors.ts'
import { operationRefused, preferenceUnknown } from '../../base/errors/response-errors.ts'
import {
  asObject,
  encodePointer,
  isObject,
  mapMembers,
  type Members,
  stringifyJson,
  withNumbers,
} from '../../base/formats/json.ts'
import { readDocumented, responseName } from '../../contract/schemas/documented.ts'
import { shapeOf } from '../../contract/schemas/shape.ts'
import type { Outcome, ParameterValue } from '../../resources/handler.ts'
import { generateValue, type ValueStyle, type ValueOptions } from '../../values/generate-value.ts'
import { whyImpossible } from '../../values/impossible.ts'
import { findValid, placeOf } from '../../values/repair-value.ts'

/** Everything that a response depends on: equal requests get equal responses. */
export interface GeneratedRequest {
  readonly seed: number
  /** Epoch ms by the sandbox's clock. Dates lie near its day, so a response stays the same for that day. */
  readonly now: number
  /** As sent, without the query. */
  readonly path: string
  readonly search: string
  /** The parameters of the path, decoded. */
  readonly parameters: Readonly<Record<string, ParameterValue>>
  /** Undefined when there was none. */
  readonly body: unknown
  /** The request header. */
  readonly accept: string | undefined
  readonly wanted: PreferredResponse
  /** The id of the request, which only what it creates depends on. */
  readonly requestId: string
  /** The number of the one event of a stream that it is for, from 1; undefined for the first ones. */
  readonly event?: number
  /** Whether an Accept that no response fits gets the default media type all the same. */
  ignoresAccept(): boolean
  /** Error bodies for a status from 400 on, to be tried in this order. @param schema of the response */
  wordedBodies(status: number, schema: unknown): readonly unknown[]
}

/** What the responses of an operation are made from. */
interface ResponseSource {
  readonly contract: Contract
  readonly operation: Operation
  readonly lookup: Lookup
  readonly resource: PrismOperation
  /** Why no value fits the schema at a pointer, by pointer; undefined where one may. */
  readonly impossible: Map<string, string | undefined>
  readonly agree: Agree
  /** Whether collections begin without documents. */
  readonly isEmpty: boolean
  /** How a language model responds; undefined for other operations. */
  readonly completion: CompletionShape | undefined
  /** The default of the member of its body that says how many things it makes. */
  readonly usualCount: unknown
}

/** A body to be generated. */
interface BodyRequest {
  readonly source: ResponseSource
  readonly request: GeneratedRequest
  readonly status: number
  /** As the contract has it. */
  readonly mediaType: string
  readonly values: ValueOptions
  /** The pointer of the schema. */
  readonly pointer: string
}

/** Responds for one operation. What the document says about it is read once. */
export function createResponder(contract: Contract, operation: Operation, isEmpty: boolean) {
  const lookup = createLookup(contract.document)
  const resource = createResource(contract, operation, lookup)
  const source: ResponseSource = {
    contract,
    operation,
    lookup,
    resource,
    impossible: new Map(),
    agree: createAgreement(contract, operation),
    isEmpty,
    completion: completionShape(operation, lookup),
    usualCount: usualOf(contract.document, operation, 'n'),
  }
  return (request: GeneratedRequest): Promise<Outcome> => respond(source, request)
}

/** The default of a member of a body. */
function usualOf(document: unknown, operation: Operation, name: string): unknown {
  const { properties } = shapeOf(document, readDocumented(document, operation).body, 'any')
  return shapeOf(document, properties.get(name)).keywords.default
}

const EVENT_STREAM = 'text/event-stream'
const FIRST: ValueStyle = { examples: true, requiredOnly: false, turn: 0 }

async function respond(source: ResponseSource, request: GeneratedRequest): Promise<Outcome> {
  const { contract, operation, lookup } = source
  const said = await completed(source, request)
  if (said) return said
  const choice = asksForStream(request.body)
    ? await choose(source, { ...request, accept: EVENT_STREAM }).catch(() => choose(source, request))
    : await choose(source, request)
  const { status } = choice
  const purpose = purposeOf(operation, request)
  const valuesFor = (event: string) => ({
    lookup,
    key: chanceKey(request.seed, `${purpose}${event}`),
    now: request.now,
  })
  const values = valuesFor('')
  const headers = await headersOf(choice.headers, values)
  const mediaType = choice.headers['Content-type']
  if (typeof mediaType !== 'string' || choice.body === undefined || isBodiless(status, operation)) {
    // No other protocol follows after 101.
    const closing = status === 101 ? { connection: 'close' } : {}
    return { status, headers: { ...headers, ...closing }, body: { empty: true }, events: [] }
  }
  const pointer = markedPlace(choice.body)
  if (pointer === undefined) {
    const told = await contract.inTurns(() => toldExample(operation, request, choice))
    // A text is the body as it is written.
    const media = typeof told === 'string' ? undefined : mediaOf(source, status, mediaType)
    const origin = media && { document: contract.document, schema: media.schema, media }
    const made = await created(source, request, { status, mediaType, schema: media?.schema, value: told, headers })
    return { status, headers: made.headers, body: contentOf(made.value, mediaType, origin), events: [] }
  }
  const streamed = asksForStream(request.body) && (isEventStream(mediaType) ? pointer : eventSchema(lookup, pointer))
  const events = streamed ? await eventsOfKinds(values, streamed) : undefined
  if (events) return { status, headers, body: contentOf(events, EVENT_STREAM, undefined), events: [] }
  const generate = (from: ValueOptions) => generateBody({ source, request, status, mediaType, values: from, pointer })
  if (isEventStream(mediaType)) {
    const valueOf = (number: number) => generate(valuesFor(number === 1 ? '' : ` event ${number - 1}`))
    const content = await writeEvents(valueOf, { one: request.event, isNumbered: operation.method === 'GET' })
    return { status, headers, body: { content, contentType: EVENT_STREAM }, events: [] }
  }
  const schema = lookup.raw(pointer)
  const origin = { document: contract.document, schema, media: mediaOf(source, status, mediaType) }
  const value = await generate(values)
  const made = await created(source, request, { status, mediaType, schema, value, headers })
  return { status, headers: made.headers, body: contentOf(made.value, mediaType, origin), events: [] }
}

interface WrittenResponse {
  readonly status: number
  readonly mediaType: string
  readonly schema: unknown
  readonly value: unknown
  readonly headers: Record<string, string>
}

/** What a create made is new, where the contract allows that and the request did not ask for an example by its name. */
async function created(source: ResponseSource, request: GeneratedRequest, response: WrittenResponse) {
  const { operation, contract } = source
  const { status, mediaType, schema, value, headers } = response
  const isCreate = operation.method === 'POST' && (status === 201 || status === 202)
  if (!isCreate || !isObject(value) || request.wanted.example !== undefined) return response
  const sent = asObject(request.body)
  const item = {
    document: contract.document,
    schema,
    key: chanceKey(request.seed, `created ${request.path} ${request.requestId}`),
    now: request.now,
    isSent: (name: string) => Object.hasOwn(sent, name),
  }
  const { asNew } = await import('./new-item.ts')
  const made = asNew({ value, headers }, item)
  const isValid = await contract.inTurns(() => operation.acceptsResponse(status, made.value, mediaType))
  return isValid ? made : response
}

/** What the document has for a media type of a response. */
function mediaOf({ operation, lookup }: ResponseSource, status: number, mediaType: string): Members {
  const at = `${operation.pointer}/responses`
  const name = responseName(status, asObject(lookup.at(at))) ?? ''
  return asObject(lookup.at(`${at}/${name}/content/${encodePointer(mediaType)}`))
}

const JSON_TYPE = 'application/json'

/** What a language model responds; undefined where the operation is of none, or the document wants another form. */
async function completed(source: ResponseSource, request: GeneratedRequest): Promise<Outcome | undefined> {
  const { completion: shape, operation, contract, lookup } = source
  const { body, wanted, now } = request
  if (shape === undefined || !isObject(body) || Object.keys(wanted).length > 0) return undefined
  const choice = await choose(source, { ...request, accept: JSON_TYPE })
  const pointer = markedPlace(choice.body)
  // A stream says the same as the response that is whole.
  const { stream: _stream, stream_options: _options, ...same } = body
  const key = chanceKey(request.seed, purposeOf(operation, { ...request, body: same }))
  const values = { lookup, key, now }
  const form = { source, request, status: choice.status, mediaType: JSON_TYPE, values }
  const base = pointer === undefined ? choice.body : await generateBody({ ...form, pointer })
  if (!isObject(base)) return undefined
  // A document that knows no tools has no response that calls one.
  for (const asked of Array.isArray(body.tools) ? [body, { ...body, tools: undefined }] : [body]) {
    const told = await complete({ body: asked, key, now })
    for (const one of responsesOf(shape, told, base)) {
      const made = withCount(one, { n: body.n }) as Members
      const broken = await contract.inTurns(() => operation.checkResponse(choice.status, withNumbers(made), JSON_TYPE))
      if (broken.length > 0) continue
      const headers = await headersOf(choice.headers, values)
      const id = typeof base.id === 'string' ? base.id : `completion-${key >>> 0}`
      const content = asEvents(shape, told, { id, body })
      const answer = asksForStream(body) ? { content, contentType: EVENT_STREAM } : { json: made }
      return { status: choice.status, headers, body: answer, events: [] }
    }
  }
  return undefined
}

/** Requests with the same purpose get the same response. */
function purposeOf({ method }: Operation, { path, search, body }: GeneratedRequest): string {
  return `generated ${method} ${path}?${search} ${body === undefined ? '' : stringifyJson(body)}`
}

/** RFC 9110, 15: no content, whatever the contract says. */
function isBodiless(status: number, { method }: Operation): boolean {
  return method === 'HEAD' || status < 200 || status === 204 || status === 205 || status === 304
}

/** Headers that the server sets itself. */
const FRAMING = new Set([
  ...['content-type', 'content-length', 'transfer-encoding', 'connection', 'keep-alive'],
  // Documents written from real traffic have those of a body that was compressed, or of a part of one.
  ...['upgrade', 'trailer', 'date', 'content-encoding', 'content-range'],
])

/** Headers to send. Those without an example are generated, and those that HTTP cannot carry are left out. */
async function headersOf(chosen: Choice['headers'], values: ValueOptions): Promise<Record<string, string>> {
  const headers: Record<string, string> = {}
  for (const [written, value] of Object.entries(chosen)) {
    const name = written.toLowerCase()
    if (FRAMING.has(name) || !/^[!#$%&'*+.^_`|~\w-]{1,256}$/.test(name)) continue
    const text = await headerText(value, values)
    if (text !== undefined) headers[name] = text
  }
  return headers
}

async function headerText(value: unknown, values: ValueOptions): Promise<string | undefined> {
  const pointer = markedPlace(value)
  const held = pointer === undefined ? value : await generateValue(values, pointer, FIRST)
  const parts: readonly unknown[] = Array.isArray(held) ? held : [held]
  if (parts.some((part) => part === null || part === undefined || typeof part === 'object')) return undefined
  const text = parts.map(String).join(', ')
  return /^[\t\x20-\x7e\x80-\xff]{0,8192}$/.test(text) ? text : undefined
}

async function generateBody(body: BodyRequest): Promise<unknown> {
  const { source, request, status, mediaType, values, pointer } = body
  const { operation, contract } = source
  // Only JSON-like bodies can be checked against a schema.
  if (!isStructured(mediaType)) return generateValue(values, pointer, FIRST)
  const impossible = impossibleReason(source, pointer)
  if (impossible !== undefined)
    throw refused(operation, status, `no value fits the schema of that response: ${impossible}.`)
  const worded = await contract.inTurns(() => wordedBody(body))
  if (worded !== undefined) return worded
  let given: string[] = []
  const found = await findValid({
    generate: (style) => generateValue(values, pointer, style, (given = [])),
    check: (value) => contract.inTurns(() => operation.checkResponse(status, value, mediaType)),
    known: knownValues(operation, request),
  })
  if ('value' in found) {
    const counted = withCount(found.value, request.body, source.usualCount)
    const isEmpty = source.isEmpty && status < 300
    const whole = { document: contract.document, isRead: operation.method === 'GET' }
    const tried = [...(isEmpty ? [emptied(counted, source.lookup.raw(pointer), whole)] : []), counted]
    const made = tried.find((one) => operation.acceptsResponse(status, one, mediaType)) ?? found.value
    const known = Object.keys(knownValues(operation, request)).flatMap((name) => {
      const place = isObject(made) ? placeOf(made, name) : undefined
      return place ? [pointerOf(place)] : []
    })
    return contract.inTurns(() =>
      source.agree(made, {
        path: operation.method === 'GET' ? request.path : undefined,
        status,
        mediaType,
        values,
        schema: source.lookup.raw(pointer),
        kept: [...given, ...known],
      }),
    )
  }
  const why = found[0] ? ` The last one that was tried: ${found[0].message}` : ''
  throw refused(
    operation,
    status,
    `no value was found that fits the schema of that response. Give it an example.${why}`,
  )
}

interface EmptiedBody {
  readonly document: unknown
  readonly isRead: boolean
}

/** What a server without documents responds has none in its lists, where it is read, and none in its maps from keys to values. */
function emptied(value: unknown, schema: unknown, body: EmptiedBody): unknown {
  const { keywords, properties, items } = shapeOf(body.document, schema, 'any')
  if (Array.isArray(value)) return body.isRead ? [] : value.map((one) => emptied(one, items, body))
  if (!isObject(value)) return value
  if (properties.size === 0 && isObject(keywords.additionalProperties)) return {}
  return mapMembers(value, (one, name) => emptied(one, properties.get(name), body))
}

function refused({ method, path }: Operation, status: number, why: string): Problem {
  return operationRefused({ detail: `${method} ${path} is not answered with ${status}: ${why}` })
}

/** Operations that are supported may still document a response that is not, and `Prefer` may ask for it. */
function impossibleReason({ impossible, lookup }: ResponseSource, pointer: string): string | undefined {
  if (!impossible.has(pointer)) impossible.set(pointer, whyImpossible(lookup, lookup.raw(pointer), 'response'))
  return impossible.get(pointer)
}

/** An error body that says what its status means. Undefined where the schema has an example or none fits. */
function wordedBody({ source, request, status, mediaType, pointer }: BodyRequest): unknown {
  const schema = source.lookup.at(pointer)
  if (status < 400 || !isObject(schema) || schema.example !== undefined || schema.examples !== undefined)
    return undefined
  return request.wordedBodies(status, schema).find((body) => source.operation.acceptsResponse(status, body, mediaType))
}

/** Skips an example that breaks its own schema, unless the request asked for it by name. */
async function choose({ contract, operation, resource }: ResponseSource, request: GeneratedRequest): Promise<Choice> {
  const { wanted } = request
  const choice = chosen(await negotiateLeniently(resource, request), operation, wanted.example)
  const { body, status } = choice
  const isExample = body !== undefined && markedPlace(body) === undefined
  const mediaType = String(choice.headers['Content-type'])
  if (!isExample || wanted.example !== undefined || !isWrittenAsJson(mediaType)) return choice
  if (await contract.inTurns(() => operation.acceptsResponse(status, body, mediaType))) return choice
  const dynamic = { ...request, wanted: { ...wanted, dynamic: true } }
  return chosen(await negotiate(resource, dynamic), operation, undefined)
}

/**
 * Responds to an Accept that no response fits as services do: with JSON where any JSON is asked for, such as
 * `application/vnd.github.v3+json`, and with the default media type where Accept may be ignored (RFC 9110, 12.5.1).
 */
async function negotiateLeniently(resource: PrismOperation, request: GeneratedRequest): Promise<Choice | NoChoice> {
  const choice = await negotiate(resource, request)
  if (!('detail' in choice) || choice.status !== 406) return choice
  const usual = await negotiate(resource, { ...request, accept: undefined })
  const asksJson = request.accept?.split(',').some((range) => isJson(range) && !/;\s*q=0(\.0*)?\s*$/.test(range))
  const isAsked = asksJson && !('detail' in usual) && isJson(String(usual.headers['Content-type']))
  return isAsked || request.ignoresAccept() ? usual : choice
}

function chosen(choice: Choice | NoChoice, { method, path }: Operation, example: string | undefined): Choice {
  if (!('detail' in choice)) return choice
  const { status } = choice
  if (status === 406)
    throw notAcceptable({
      detail: `${method} ${path} has no response of a media type that Accept asks for.`,
      behaviours: ['http.accept'],
    })
  const what = example === undefined ? choice.detail : `this response has no example ${JSON.stringify(example)}.`
  throw preferenceUnknown({ status, detail: `Prefer: ${method} ${path}: ${what}` })
}
