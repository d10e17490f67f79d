import { contentOf, isEventStream, isStructured, isWrittenAsJson } from './content.ts'
import type { GeneratedRequest } from './generator.ts'
import { headersOf } from './headers.ts'
import { whyImpossible } from '../values/impossible.ts'
import { createMaker } from '../values/maker.ts'
import { makeValid, type GenerationRequest } from '../values/repair-value.ts'
import { type Choice, negotiate, type NoChoice } from './negotiate.ts'
import { createResource, markedPlace, type Resource } from './prism-operation.ts'
import type { Contract, Operation } from '../contract/contract.ts'
import { createLookup, type Lookup } from '../contract/schemas/lookup.ts'
import { isObject, stringifyJson } from '../formats/json.ts'
import type { Outcome } from '../resources/handler.ts'
import { chanceKey } from '../engine/random.ts'
import { notAcceptable } from '../errors/request-errors.ts'
import { operationRefused, preferenceUnknown } from '../errors/response-errors.ts'

interface Answering {
  readonly contract: Contract
  readonly operation: Operation
  readonly lookup: Lookup
  readonly resource: Resource
  /** Why no value fits the schema at a place, by places; undefined for those that some value may fit. */
  readonly impossible: Map<string, string | undefined>
}

/** Answers one operation. What the document says of it is read once. */
export function createAnswerer(contract: Contract, operation: Operation) {
  const lookup = createLookup(contract.document)
  const answering: Answering = {
    contract,
    operation,
    lookup,
    resource: createResource(contract, operation, lookup),
    impossible: new Map(),
  }
  return (request: GeneratedRequest): Promise<Outcome> => answer(answering, request)
}

async function answer(answering: Answering, request: GeneratedRequest): Promise<Outcome> {
  const { contract, operation, lookup } = answering
  const choice = await choose(answering, request)
  const { status } = choice
  const key = chanceKey(request.seed, questionOf(operation, request))
  const maker = createMaker({ lookup, key, now: request.now, takeTurn: contract.takeTurn })
  const { mediaType, headers } = headersOf(choice.headers, maker)
  if (mediaType === undefined || choice.body === undefined || isBodiless(status, operation))
    return { status, headers: { ...headers, ...afterwards(status) }, body: { empty: true }, events: [] }
  const place = markedPlace(choice.body)
  if (place === undefined) return { status, headers, body: contentOf(choice.body, mediaType, undefined), events: [] }
  const wish = { ...answering, request, status, mediaType, maker, place }
  const made = await contract.inTurns(() => make(wish))
  const value = isEventStream(mediaType) ? await eventsFrom(made, wish, key) : made
  const origin = { document: contract.document, schema: lookup.raw(place) }
  return { status, headers, body: contentOf(value, mediaType, origin), events: [] }
}

/** Nothing can follow a switch to a protocol that the mock does not speak. */
function afterwards(status: number): Readonly<Record<string, string>> {
  return status === 101 ? { connection: 'close' } : {}
}

/** A stream of one event would not show whether a client reads a stream. */
const EVENTS = 3

/** The data of a stream's events: those that the schema lists, or some that each fit it. */
async function eventsFrom(
  first: unknown,
  wish: GenerationRequest & Answering,
  key: number,
): Promise<readonly unknown[]> {
  if (Array.isArray(first)) return first as readonly unknown[]
  const events = [first]
  while (events.length < EVENTS) {
    const { lookup, contract, request } = wish
    const next = chanceKey(key, `event ${events.length}`)
    const maker = createMaker({ lookup, key: next, now: request.now, takeTurn: contract.takeTurn })
    events.push(await wish.contract.inTurns(() => make({ ...wish, maker })))
  }
  return events
}

/** What is not made of parts cannot be held against a schema. */
function make(wish: GenerationRequest & Answering): unknown {
  if (!isStructured(wish.mediaType))
    return wish.maker.make(wish.place, { examples: true, requiredOnly: false, turn: 0 })
  refuseImpossible(wish)
  return worded(wish) ?? makeValid(wish)
}

/** An operation that can be answered otherwise may document an answer that cannot be: `Prefer` may ask for it. */
function refuseImpossible({ operation, status, place, lookup, impossible }: GenerationRequest & Answering): void {
  if (!impossible.has(place)) impossible.set(place, whyImpossible(lookup, lookup.raw(place), 'response'))
  const why = impossible.get(place)
  if (why === undefined) return
  const { method, path } = operation
  throw operationRefused({
    detail: `${method} ${path} is not answered with ${status}: no value fits the schema of that answer: ${why}.`,
  })
}

/** An error says what its status means, unless its schema shows an example of it; undefined where no words make it valid. */
function worded({ operation, request, status, mediaType, place, lookup }: GenerationRequest & Answering): unknown {
  const schema = lookup.at(place)
  if (status < 400 || !isObject(schema) || schema.example !== undefined || schema.examples !== undefined)
    return undefined
  return request.wordedBodies(status, schema).find((body) => operation.acceptsAnswer(status, body, mediaType))
}

/** An example that breaks its own schema is passed over, unless it was asked for by name. */
async function choose({ contract, operation, resource }: Answering, request: GeneratedRequest): Promise<Choice> {
  const { wanted } = request
  const choice = chosen(await negotiate(resource, request), operation, wanted.example)
  const { body, status } = choice
  const isExample = body !== undefined && markedPlace(body) === undefined
  const mediaType = String(choice.headers['Content-type'])
  if (!isExample || wanted.example !== undefined || !isWrittenAsJson(mediaType)) return choice
  if (await contract.inTurns(() => operation.acceptsAnswer(status, body, mediaType))) return choice
  const wantedAnew = { ...request, wanted: { ...wanted, dynamic: true } }
  return chosen(await negotiate(resource, wantedAnew), operation, undefined)
}

function chosen(choice: Choice | NoChoice, { method, path }: Operation, example: string | undefined): Choice {
  if (!('detail' in choice)) return choice
  const { status } = choice
  if (status === 406)
    throw notAcceptable({
      detail: `${method} ${path} has no answer of a media type that Accept asks for.`,
    })
  const what = example === undefined ? choice.detail : `this answer has no example ${JSON.stringify(example)}.`
  throw preferenceUnknown({ status: status, detail: `Prefer: ${method} ${path}: ${what}` })
}

/** What two requests have in common that get the same answer. */
function questionOf({ method }: Operation, { path, search, body }: GeneratedRequest): string {
  return `generated ${method} ${path}?${search} ${body === undefined ? '' : stringifyJson(body)}`
}

/** RFC 9110, 15: no content, whatever the contract says. */
function isBodiless(status: number, { method }: Operation): boolean {
  return method === 'HEAD' || status < 200 || status === 204 || status === 205 || status === 304
}
