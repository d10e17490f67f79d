import { rememberingAll } from '../../base/cache.ts'
import { adaptBody } from './adapt-refusal.ts'
import { adaptEntries, createPageCompleter } from './adapt-search.ts'
import { createErrorDialect, type ErrorDialect } from './error-dialect.ts'
import { listsValidationErrors } from './pydantic-error.ts'
import type { RefusedRequest } from './refusal-values.ts'
import { weightOf } from '../../http/response.ts'
import { contentOf, isStructured } from '../generated/content.ts'
import type { RenderedProblem } from '../../http/format-problem.ts'
import type { BehaviourSettings } from '../../../types/behaviour-settings.d.ts'
import type { Binding, Bindings } from '../binding/binding.ts'
import type { Contract, Operation } from '../../contract/contract.ts'
import { type Documented, readDocumented } from '../../contract/schemas/documented.ts'
import { type KnownMembers, unknownMembers } from '../../contract/schemas/known-members.ts'
import { findList, type Shape, shapeOf } from '../../contract/schemas/shape.ts'
import {
  encodePointer,
  isObject,
  parseJson,
  splitPointer,
  stringifyJson,
  withNumbers,
} from '../../base/formats/json.ts'
import type { Call, Outcome, OutcomeBody } from '../../resources/handler.ts'
import type { Adaptation } from '../../resources/adaptation.ts'
import type { BuiltinOperation, HandlerKind, UnusedInputs, UsualMembers, UsedParts } from '../../resources/resource.ts'
import type { Problem } from '../../base/errors/problem.ts'
import { itemNotFound } from '../../base/errors/resource-errors.ts'
import { completeObject } from '../../values/complete-object.ts'
import { chanceKey } from '../../engine/random.ts'

/** Adapts responses to a contract of the user: decisions/0016-adapting-to-contracts.md. */
export interface ContractAdapter {
  /** By operationId. */
  of(operationId: string): OperationAdapter | undefined
  /** Of the operation that a built-in operation handles; undefined if there is none. */
  as(handlerKind: HandlerKind): OperationAdapter | undefined
  /** The body of an error response to a request that met no operation, in the dialect of the contract. */
  refusal: OperationAdapter['refusal']
}

/** Adapts the responses of one operation. */
export interface OperationAdapter {
  readonly adaptation: Adaptation
  /** A body that was written for another contract, with what this one requires. @param written epoch ms */
  completeBody(body: Readonly<Record<string, unknown>>, written: number): unknown
  /** Parameters and members that the contract names and the handler ignores. */
  unused(query: Call['query'], body: unknown): UnusedInputs | undefined
  /** A success as the contract documents it. @param now epoch ms @param accept the request header */
  outcome(outcome: Outcome, now: number, accept?: string): Outcome
  /** A problem with the status that the contract documents for it. */
  problem(problem: Problem, rule: UndocumentedRule): Problem
  /** The body of an error response, as the contract documents it for its status. */
  refusal(refusal: RefusedRequest, usual: RenderedProblem): RenderedProblem
}

type UndocumentedRule = BehaviourSettings['error.undocumented']

/** What an operation documents is read with its first request and kept; there are no more of these than operations. */
export function createContractAdapter(contract: Contract, bindings: Bindings, seed: number): ContractAdapter {
  const { document } = contract
  const operationOf = (handlerKind: HandlerKind) =>
    [...bindings.values()].find((binding) => binding.handlerKind === handlerKind)?.operation
  const search = [...bindings.values()].find(isSearch)?.operation
  const entries = search && adaptEntries(contract, search, seed)
  const dialect = createErrorDialect(contract)
  const adapterOf = rememberingAll((binding: Binding) =>
    adaptOperation(binding, { document, seed, dialect, ...(entries && { entries }) }),
  )
  const of = (operationId: string | undefined) => {
    const binding = bindings.get(operationId ?? '')
    return binding && adapterOf(binding)
  }
  return {
    of,
    as: (handlerKind) => of(operationOf(handlerKind)?.operationId),
    refusal: (refusal, usual) => adaptBody(refusal, usual, { document, dialect }),
  }
}

function isSearch(binding: Binding): boolean {
  return binding.kind === 'stateful' && binding.builtin.hasEntries === true
}

interface AdapterParts extends Pick<Adaptation, 'entries'> {
  readonly document: unknown
  readonly seed: number
  readonly dialect: ErrorDialect
}

function adaptOperation(binding: Binding, { document, seed, dialect, entries }: AdapterParts): OperationAdapter {
  const { kind, operation } = binding
  const documented = readDocumented(document, operation)
  const { schema } = documented.response(documented.statusFor(200)) ?? {}
  const completePage = isSearch(binding) ? createPageCompleter(document, schema, chanceKey(seed, 'page')) : undefined
  return {
    adaptation: {
      ...readAdaptation(binding, documented, { document, seed }),
      ...(entries && { entries }),
    },
    completeBody: (body, written) =>
      completeObject(document, documented.body, body, {
        written,
        key: chanceKey(seed, `body ${stringifyJson(body)}`),
      }),
    unused(query, body) {
      if (binding.kind !== 'stateful') return undefined
      const { builtin } = binding
      return builtin.unused?.(query, body) ?? unusedInputs(builtin.uses, query, body)
    },
    outcome(outcome, now, accept) {
      if (kind !== 'stateful') return outcome
      const status = documented.statusFor(outcome.status)
      if (completePage && 'page' in outcome.body)
        return { ...outcome, status, body: { page: completePage(outcome.body.page, now) } }
      return {
        ...outcome,
        status,
        body: documentedBody(outcome.body, { response: documented.response(status), status, accept, document }),
      }
    },
    problem(given, rule) {
      const problem = kind !== 'own' && namesNothing(operation, documented, given) ? unknownItem(given) : given
      // The status of a user's handler is what the user wants.
      const usual = isListedAs422(document, documented, problem) ? 422 : documented.statusFor(problem.status, rule)
      const found = kind === 'own' ? problem.status : usual
      const isDocumented = kind === 'own' || found !== 400 || documented.response(400) !== undefined
      const status = isDocumented ? found : dialect.invalidStatus()
      const isOpen =
        kind !== 'own' &&
        documented.statusFor(problem.status, 'usual') !== documented.statusFor(problem.status, 'documented')
      const named = isOpen ? problem.with({ behaviours: [...problem.behaviours, 'error.undocumented'] }) : problem
      return status === problem.status ? named : withStatus(named, status)
    },
    refusal: (refusal, usual) => adaptBody(refusal, usual, { own: { operation, documented }, document, dialect }),
  }
}

/**
 * Whether the request is invalid, and the operation documents the list of violations for 422 but not for 400, as FastAPI does, or describes
 * 422 alone as the one for validation: "Validation failed", "The input was not valid".
 */
function isListedAs422(document: unknown, documented: Documented, { id, status, violations }: Problem): boolean {
  if (status !== 400 || violations.length === 0 || !documented.statuses.includes('422')) return false
  const lists = (one: number) => {
    const { schema } = documented.response(one) ?? {}
    return schema !== undefined && listsValidationErrors(document, schema)
  }
  // Of what else is validated, such as an uploaded schema, the document says more.
  const isSaid = (one: number) =>
    /^validation\b|\b(?:input|request) validation\b|\bvalidation errors?\b|\binput\b.*\b(?:not valid|invalid)\b/i.test(
      documented.described(one),
    )
  // A body that cannot be read has no input to validate.
  const isValidation = id === 'request-invalid' && isSaid(422) && !isSaid(400)
  return !lists(400) && (lists(422) || isValidation)
}

/** Whether all that is wrong is an id that the path cannot have, and the operation documents no error for it but that there is no such item. */
function namesNothing({ parameters }: Operation, { statuses }: Documented, { status, violations }: Problem): boolean {
  if (status !== 400 || violations.length === 0 || !statuses.includes('404')) return false
  if (['400', '422', '4XX', 'default'].some((one) => statuses.includes(one))) return false
  const inPath = new Set(parameters.flatMap(({ in: place, name }) => (place === 'path' ? [name] : [])))
  return violations.every(({ parameter }) => parameter !== undefined && inPath.has(parameter))
}

function unknownItem({ message: detail, violations, behaviours, headers }: Problem): Problem {
  return itemNotFound({ detail, violations, behaviours, headers })
}

/** RFC 9110, 15.3.5 and 15.3.6. */
const HAS_NO_BODY = new Set([204, 205])

interface Documenting {
  readonly status: number
  readonly response: ReturnType<Documented['response']>
  readonly accept: string | undefined
  readonly document: unknown
}

/** A body under the media type that is documented for it: JSON, unless the client likes another better. */
function documentedBody(body: OutcomeBody, { status, response, accept, document }: Documenting): OutcomeBody {
  if (HAS_NO_BODY.has(status)) return { empty: true }
  const { contentType = JSON_TYPE, types = [], schema } = response ?? {}
  const type = preferredType(accept, contentType, types)
  if ('content' in body) {
    const { content, contentType: given } = body
    if (type === contentType || given !== contentType || typeof content !== 'string') return body
    return contentOf(parseJson(content), type, { document, schema })
  }
  if (!('json' in body)) return body
  if (type !== contentType) return contentOf(body.json, type, { document, schema })
  return contentType === JSON_TYPE ? body : { content: stringifyJson(body.json), contentType }
}

/** Of the documented media types that a value can be written in, the one that the client likes best; JSON where it likes that as much. */
function preferredType(accept: string | undefined, usual: string, types: readonly string[]): string {
  if (accept === undefined || types.length < 2) return usual
  const weigh = (type: string) => weightOf(accept, [type, `${type.split('/')[0] ?? ''}/*`, '*/*'])
  return types.filter(isStructured).reduce((best, type) => (weigh(type) > weigh(best) ? type : best), usual)
}

const JSON_TYPE = 'application/json'

/** The same problem with another status. Only a 401 has a challenge (RFC 9110, 15.5.2). */
function withStatus(problem: Problem, status: number): Problem {
  const { 'www-authenticate': _challenge, ...others } = problem.headers
  return problem.with(status === 401 ? { status } : { status, headers: others })
}

function readAdaptation(
  binding: Binding,
  documented: Documented,
  { document, seed }: Pick<AdapterParts, 'document' | 'seed'>,
): Adaptation {
  const { parameters, checkResponse } = binding.operation
  const known = (binding.kind === 'stateful' ? binding.builtin.members : undefined) ?? NO_MEMBERS
  const body = shapeOf(document, documented.body, 'any')
  const completionOf = (usual: Readonly<Record<string, unknown>>) => ({
    sameInEveryContract: known.response,
    key: chanceKey(seed, `${known.noun} ${String(usual.id)}`),
  })
  return {
    ...queryLimits(parameters),
    added: Object.fromEntries(
      Object.entries(known.body).map(([pointer, usual]) => {
        const { properties } = splitPointer(pointer).reduce((shape, name) => memberShape(document, shape, name), body)
        return [pointer, addedMembers(document, properties, usual)]
      }),
    ),
    names: (pointer) => namesMember(document, body, splitPointer(pointer)),
    complete(status, usual, more) {
      const documentedAs = documented.statusFor(status)
      const { schema } = documented.response(documentedAs) ?? {}
      if (schema === undefined) return usual
      const check = (made: object) => checkResponse(documentedAs, withNumbers(made))
      return completeObject(document, schema, usual, { ...more, ...completionOf(usual), check })
    },
    completeList(status, elements, name) {
      const { schema } = documented.response(documented.statusFor(status)) ?? {}
      const list = findList(document, shapeOf(document, schema, 'any'))
      const made = elements.map(({ usual, known: more }) =>
        completeObject(document, list?.items, usual, { ...more, ...completionOf(usual) }),
      )
      if (list && list.name === undefined) return made
      const whole = { [list?.name ?? name]: made }
      return completeObject(document, schema, whole, { written: 0, key: chanceKey(seed, `${known.noun}s`) })
    },
  }
}

function queryLimits(parameters: Operation['parameters']): Pick<Adaptation, 'usualQuery' | 'mostEntries'> {
  const query = parameters.filter((one) => one.in === 'query')
  return {
    usualQuery: Object.fromEntries(query.flatMap(({ name, usual }) => (usual === undefined ? [] : [[name, usual]]))),
    mostEntries: query.find(({ name }) => name === 'limit')?.most,
  }
}

const NO_MEMBERS: UsualMembers = { noun: '', body: {}, response: new Set() }

function memberShape(document: unknown, { properties }: Shape, name: string): Shape {
  return shapeOf(document, properties.get(name), 'any')
}

/** The members of a body that a contract names beyond the usual ones, and that a request may write. */
function addedMembers(document: unknown, properties: Shape['properties'], usual: ReadonlySet<string>): Set<string> {
  const added = [...properties].filter(([name]) => !usual.has(name))
  return new Set(
    added.flatMap(([name, schema]) => (shapeOf(document, schema).keywords.readOnly === true ? [] : [name])),
  )
}

/** Whether a body names the member of a path; one that names no members at all takes any. */
function namesMember(document: unknown, shape: Shape, [name, ...rest]: readonly string[]): boolean {
  if (name === undefined || shape.properties.size === 0) return true
  return shape.properties.has(name) && namesMember(document, memberShape(document, shape, name), rest)
}

/** What the user's contract names in a request and the handler ignores. */
function unusedInputs(uses: BuiltinOperation['uses'], query: object, body: unknown): UnusedInputs {
  return {
    query: Object.keys(query).filter((name) => !uses.query.includes(name)),
    body: uses.storesBody ? unusedBelow(body, uses.body, '') : unknownMembers(body, knownIn(uses.body), ''),
  }
}

/** The unused parts of members that are used only in part; all others of the body are stored. */
function unusedBelow(value: unknown, used: UsedParts, pointer: string): string[] {
  if (used === true || isList(used)) return unknownMembers(value, knownIn(used), pointer)
  if (!isObject(value)) return []
  return Object.entries(used).flatMap(([name, inner]) =>
    unusedBelow(value[name], inner, `${pointer}/${encodePointer(name)}`),
  )
}

function knownIn(used: UsedParts): KnownMembers {
  if (used === true) return {}
  if (isList(used)) return { items: knownIn(used[0]) }
  return { properties: Object.fromEntries(Object.entries(used).map(([name, inner]) => [name, knownIn(inner)])) }
}

function isList(used: UsedParts): used is readonly [UsedParts] {
  return Array.isArray(used)
}
