import type { Contract, Operation } from '../../contract/contract.ts'
import type { Lookup } from '../../contract/pointer.ts'
import { readDocumented, responseName } from '../../contract/schemas/documented.ts'
import { shapeOf } from '../../contract/schemas/shape.ts'
import { keyParts } from '../../contract/template.ts'
import type { Side } from '../../contract/schemas/split-schema.ts'
import { createCache, once } from '../../base/cache.ts'
import { encodePointer, isObject, stringifyJson } from '../../base/formats/json.ts'
import type { Outcome, OutcomeBody } from '../../resources/handler.ts'
import { whyImpossible } from '../../values/impossible.ts'
import { completionShape } from './completion-shape.ts'
import { isWrittenAsJson } from './content.ts'
import type { GeneratedRequest } from './responder.ts'

/** Responds for an operation without a handler: with examples of the document or generated values. */
export interface ResponseGenerator {
  /** The statuses, ranges and `default` that the contract documents. */
  readonly statuses: readonly string[]
  /** Whether the contract documents a response with this status. */
  documents(status: number): boolean
  /** Whether a body is for a language model: what that says is generated, also where a collection could keep it. */
  completes(body: unknown): boolean
  /** @throws Problem 404 for an unknown example, 406 for media types that are not documented */
  generate(request: GeneratedRequest): Promise<Outcome>
}

/** Characters of the responses that are kept for a contract. */
const KEPT = 8_388_608
const DAY = 86_400_000
/** An estimate of what one takes besides its body. */
const EACH = 1000

/**
 * Creates the generator of each operation. Equal requests without a body get equal responses, so the latest of these are kept.
 *
 * @param isEmpty whether collections begin without documents: then generated lists are empty too
 */
export function createGenerators(
  contract: Contract,
  lookup: Lookup,
  isEmpty: boolean,
): (operation: Operation) => ResponseGenerator {
  const kept = createCache<string, Outcome>({ most: KEPT, sizeOf: ({ body }) => EACH + lengthOf(body) })
  return (operation) => {
    const generator = createGenerator(contract, operation, { lookup, isEmpty })
    return {
      ...generator,
      async generate(request) {
        const key = request.body === undefined ? keyOf(operation, request) : undefined
        const known = key === undefined ? undefined : kept.get(key)
        if (known) return known
        const outcome = withText(await generator.generate(request))
        // Errors say when they happened, and to which request.
        if (key !== undefined && outcome.status < 400) kept.set(key, outcome)
        return outcome
      },
    }
  }
}

/** All that a response to a request without a body depends on. Operations may share a path and a method, chosen by a header. */
function keyOf(
  { pointer }: Operation,
  { seed, now, path, search, accept, wanted, event = 0 }: GeneratedRequest,
): string {
  return `${pointer} ${path}?${search} ${seed} ${Math.floor(now / DAY)} ${JSON.stringify(wanted)} ${event} ${accept ?? ''}`
}

function withText(outcome: Outcome): Outcome {
  const { body } = outcome
  return 'json' in body ? { ...outcome, body: { ...body, text: stringifyJson(body.json) } } : outcome
}

function lengthOf(body: OutcomeBody): number {
  return 'json' in body ? (body.text ?? '').length : 'content' in body ? body.content.length : 0
}

/** Its libraries take half a second to load. They are loaded by `warmUp` or the first request. */
function createGenerator(
  contract: Contract,
  operation: Operation,
  { lookup, isEmpty }: { readonly lookup: Lookup; readonly isEmpty: boolean },
): ResponseGenerator {
  const responses = responsesOf(operation, lookup)
  const shape = once(() => completionShape(operation, lookup))
  let responder: Promise<(request: GeneratedRequest) => Promise<Outcome>> | undefined
  return {
    statuses: Object.keys(responses),
    documents: (status) => responseName(status, responses) !== undefined,
    completes: (body) => isObject(body) && 'messages' in body && shape() !== undefined,
    async generate(request) {
      responder ??= warmUp().then(({ createResponder }) => createResponder(contract, operation, isEmpty))
      return (await responder)(request)
    },
  }
}

/** Loads what generated operations need, once in a process. */
export function warmUp() {
  return import('./responder.ts')
}

/** The responses that the contract documents, by status, range or `default`. */
function responsesOf({ pointer }: Operation, lookup: Lookup): object {
  const held = lookup.at(`${pointer}/responses`)
  const responses = isObject(held) ? Object.entries(held) : []
  return Object.fromEntries(responses.filter(([code]) => !code.startsWith('x-')))
}

/** Why an operation cannot have a response or a valid request, as far as the document says. Undefined when it is supported. */
export function unsupportedReason(operation: Operation, lookup: Lookup): string | undefined {
  const codes = Object.keys(responsesOf(operation, lookup))
  if (codes.length === 0) return 'the contract documents no response of it'
  if (codes.every((code) => code.startsWith('1') && code !== '101'))
    return 'the contract documents no final response of it'
  return whyNoBody(operation, lookup) ?? whyNoResponse(operation, lookup, codes) ?? whyNoQuery(operation, lookup)
}

const GRAPHQL =
  'it runs GraphQL queries, and their results depend on a GraphQL schema, which an OpenAPI document does not have; handle it with --handlers'

/** GraphQL over HTTP: a path or a body made for queries, and a response with nothing but what their results have. */
function whyNoQuery({ path, method, pointer, extensions }: Operation, { document }: Lookup): string | undefined {
  if (!/^(GET|POST)$/.test(method) || extensions['x-standin'] !== undefined) return undefined
  const { body, response } = readDocumented(document, { pointer })
  const sent = shapeOf(document, body, 'any').properties
  const asks = sent.has('query') && ['variables', 'operationName', 'operation_name'].some((name) => sent.has(name))
  if (!asks && !/\/graphql(\.json)?(\/v?\d+)?\/?$/i.test(keyParts(path).template)) return undefined
  const results = [...shapeOf(document, response(200)?.schema, 'any').properties.keys()]
  return results.every((name) => ['data', 'errors', 'extensions'].includes(name)) ? GRAPHQL : undefined
}

/** A required body that no value can satisfy would make every request invalid. */
function whyNoBody({ pointer }: Operation, lookup: Lookup): string | undefined {
  const at = `${pointer}/requestBody`
  const body = lookup.at(at)
  const why = isObject(body) && body.required === true ? whyNoContent(lookup, at, 'request') : undefined
  return why && `its body is required, and no value fits the schema of that: ${why}`
}

/** Checks the responses that are sent by default: the successes, or else all that are documented. */
function whyNoResponse({ pointer, method }: Operation, lookup: Lookup, codes: readonly string[]): string | undefined {
  if (method === 'HEAD') return undefined
  const successes = codes.filter((code) => code.startsWith('2'))
  const reasons = (successes.length > 0 ? successes : codes).map((code) => {
    const why = whyNoContent(lookup, `${pointer}/responses/${code}`, 'response')
    return why && `no value fits the schema of its response ${code}: ${why}`
  })
  return reasons.includes(undefined) ? undefined : reasons[0]
}

/** Bodies that are not JSON or have an example need no generated value. */
function whyNoContent(lookup: Lookup, pointer: string, side: Side): string | undefined {
  const holder = lookup.at(pointer)
  const content = isObject(holder) && isObject(holder.content) ? holder.content : {}
  const reasons = Object.keys(content).map((type) => {
    const media = lookup.follow(content[type])
    if (!isWrittenAsJson(type) || !isObject(media) || media.example !== undefined || media.examples !== undefined)
      return undefined
    return whyImpossible(lookup, lookup.raw(`${pointer}/content/${encodePointer(type)}/schema`), side)
  })
  return reasons.includes(undefined) ? undefined : reasons[0]
}
