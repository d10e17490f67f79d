import { isDeepStrictEqual } from 'node:util'
import { once, rememberingAll } from '../../base/cache.ts'
import type { Problem, Violation } from '../../base/errors/problem.ts'
import { isObject, parseJson, stringifyJson, tryParseJson } from '../../base/formats/json.ts'
import type { Contract, Operation } from '../../contract/contract.ts'
import { bareType } from '../../contract/media-type.ts'
import { headerValues } from '../../contract/parameters/credential-location.ts'
import { readDocumented } from '../../contract/schemas/documented.ts'
import type { RenderedProblem } from '../../http/format-problem.ts'
import { setHeader } from '../../http/response.ts'
import type { Outcome, OutcomeBody } from '../../resources/handler.ts'
import type { RequestContext } from '../middleware/request-context.ts'
import { decodeSegment } from '../middleware/read-styled.ts'
import type { FillSource } from './fill.ts'
import { formNames, type Learned, outcomeOf, statusOf, violationKind } from './learned.ts'
import { compileForm, reshape } from './reshape.ts'
import { schemaAt } from './schema-names.ts'

/** Responds as a service does whose traffic was learnt, where that differs from what follows from its contract. */
export interface LearnedResponses {
  /** Whether the service takes anything of an operation that breaks the contract. */
  mayAccept(operation: Operation): boolean
  /** Whether the service takes a request with all that is wrong with it. */
  accepts(operation: Operation, violations: readonly Violation[]): boolean
  outcome(context: RequestContext, outcome: Outcome): Outcome
  /** @param sent the refusal as it would be sent */
  refusal(context: RequestContext, problem: Problem, sent: LearnedBody): LearnedBody
}

/** A response as it follows from the contract. */
interface LearnedResponse {
  readonly status: number
  readonly json: unknown
  readonly violations?: readonly Violation[]
  /** Why it is refused, in a sentence. */
  readonly problem?: string
}

interface LearnedBody extends RenderedProblem {
  readonly status: number
}

const HAS_NO_BODY = new Set([204, 205, 304])
const LEARNED_HEADER = 'x-mock-learned'

export function createLearnedResponses(contract: Contract, learned: Learned): LearnedResponses {
  const { document } = contract
  const forms = new Map(Object.entries(learned.forms).map(([name, form]) => [name, compileForm(form)]))
  const examples = new Map(learned.examples.map((one) => [`${one.method} ${one.url}`, one]))
  const documentedBy = rememberingAll((operation: Operation) => readDocumented(document, operation))
  const respond = (
    context: RequestContext,
    outcome: string,
    { status, json, violations = [], problem }: LearnedResponse,
  ) => {
    const operation = operationOf(context)
    const { operationId } = operation ?? {}
    const { method = '', url = '' } = context.request
    const example = examples.get(`${method} ${url}`)
    if (example) {
      setHeader(context, LEARNED_HEADER, 'example')
      return { status: example.status, json: example.body }
    }
    const found = statusOf(learned.statuses, { operationId, method, outcome, status }) ?? status
    const names = formNames(operation, found, { outcome, violations }).filter((name) => forms.has(name))
    const documented = operation && documentedBy(operation)
    // A status that is not documented shows what the documented one does.
    const schema = documented?.response(found)?.schema ?? documented?.response(status)?.schema
    const nodes = names.flatMap((name) => forms.get(name) ?? [])
    const body = reshape(
      { document, schemas: forms, source: { ...sourceOf(context, found), violation: violations[0], problem } },
      json,
      { schema, nodes },
    )
    const isOfSchema = names.length === 0 && !isDeepStrictEqual(body, json)
    const used = [...(found === status ? [] : [`status ${status}`]), ...names, ...(isOfSchema ? ['schema'] : [])]
    if (used.length > 0) setHeader(context, LEARNED_HEADER, headerText(used.join(', ')))
    return { status: found, json: HAS_NO_BODY.has(found) ? undefined : body }
  }
  // The schema that a value of another type was taken for, as JSON; a bare type says too little to be recognised elsewhere.
  const takenAt = (operation: Operation, kind: string): string[] => {
    const [, place] = /^type (\/.*)$/.exec(kind) ?? []
    const schema = place === undefined ? undefined : schemaAt(document, documentedBy(operation).input, place)
    return isObject(schema) && Object.keys(schema).length > 1 ? [JSON.stringify(schema)] : []
  }
  // The same schema elsewhere takes the same: an id in the place of an object that has one.
  const takenBySchema = once(() => {
    const taken = contract.operations.flatMap((operation) =>
      (learned.accepts[operation.operationId] ?? []).flatMap((kind) => takenAt(operation, kind)),
    )
    return new Set(taken)
  })
  return {
    mayAccept: ({ operationId }) => learned.accepts[operationId] !== undefined || takenBySchema().size > 0,
    accepts(operation, violations) {
      const known = learned.accepts[operation.operationId] ?? []
      const body = { document, schema: documentedBy(operation).input }
      return violations.every((one) => {
        const kinds = [violationKind(one), violationKind(one, body)]
        return kinds.some(
          (kind) => known.includes(kind) || takenAt(operation, kind).some((held) => takenBySchema().has(held)),
        )
      })
    },
    outcome(context, outcome) {
      const { body } = outcome
      if ('page' in body || 'live' in body || context.stub?.response) return outcome
      const json = jsonOf(body)
      const { hasChanged } = context.trace
      const came = outcomeOf({ problem: undefined, hasChanged, violations: [] })
      const { status, json: shown } = respond(context, came, { status: outcome.status, json })
      if (HAS_NO_BODY.has(status)) return { ...outcome, status, body: { empty: true } }
      if (shown === json) return { ...outcome, status }
      return { ...outcome, status, body: shown === undefined ? { empty: true } : { json: shown } }
    },
    refusal(context, { id, violations, message: problem }, sent) {
      const came = outcomeOf({ problem: id, hasChanged: false, violations })
      const { status, json } = respond(context, came, {
        status: sent.status,
        json: tryParseJson(sent.body),
        violations,
        problem,
      })
      const body = json === undefined ? '' : stringifyJson(json)
      return { ...sent, status, body }
    },
  }
}

/** Names of operations may have any characters. */
function headerText(text: string): string {
  return text.replaceAll(/[^ -~]/g, '?')
}

/** The value of a body; undefined for none, and for one that is not JSON. */
function jsonOf(body: Exclude<OutcomeBody, { readonly page: unknown } | { readonly live: unknown }>): unknown {
  if ('json' in body) return body.json
  if ('empty' in body || typeof body.content !== 'string') return undefined
  return /[/+]json$/.test(bareType(body.contentType)) ? parseJson(body.content) : undefined
}

/** Undefined for a request that met none. */
function operationOf({ route, trace }: RequestContext): Operation | undefined {
  return trace.operationId === undefined ? undefined : route.operation
}

function sourceOf(context: RequestContext, status: number): FillSource {
  const { request, path, search, body, now } = context
  const query = new URLSearchParams(search)
  const operation = operationOf(context)
  const { parameters = {} } = operation ? context.route : {}
  return {
    method: request.method ?? '',
    url: () => path + search,
    status,
    header: (side, name) => (side === 'request' ? headerValues(request.rawHeaders, name)[0] : undefined),
    query: (name) => query.get(name) ?? undefined,
    path: (name) => (parameters[name] === undefined ? undefined : decodeSegment(parameters[name])),
    requestBody: body,
    responseBody: undefined,
    template: operation?.path,
    now,
  }
}
