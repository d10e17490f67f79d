import { completeObject, createPageCompleter, withoutRefused } from './complete-object.ts'
import { type AdaptedEntries, adaptEntries } from './adapt-entries.ts'
import { adaptBody, type Refusal } from './adapt-refusal.ts'
import { type UnusedInputs, unusedInputs } from './unused-inputs.ts'
import type { RenderedProblem } from '../../http/render-problem.ts'
import type { Binding, Bindings } from '../binding/binding.ts'
import type { Contract, Operation } from '../../contract/contract.ts'
import { type Documented, readDocumented } from '../../contract/schemas/documented.ts'
import { findList, shapeOf } from '../../contract/schemas/shape.ts'
import { stringifyJson, withNumbers } from '../../formats/json.ts'
import type { Outcome, OutcomeBody } from '../../resources/handler.ts'
import type { Adaptation } from '../../resources/adaptation.ts'
import type { HandlerKind } from '../../resources/resource.ts'
import { Problem, type Violation } from '../../errors/problem.ts'
import { chanceKey } from '../../engine/random.ts'

/** Adapts responses to a contract of the user: decisions/0016-adapting-to-contracts.md. */
export interface ContractAdapter {
  /** By operationId. */
  of(operationId: string): OperationAdapter | undefined
  /** Of the operation that a built-in operation handles; undefined if there is none. */
  as(handlerKind: HandlerKind): OperationAdapter | undefined
  /** The entries of searches; undefined when the contract has no search. */
  readonly entries: AdaptedEntries | undefined
}

/** Adapts the responses of one operation. */
export interface OperationAdapter {
  readonly follows: Adaptation
  /** A body that was written for another contract, with what this one requires. @param written epoch ms */
  completeBody(body: Readonly<Record<string, unknown>>, written: number): unknown
  /** Parameters and members that the contract names and the handler ignores. */
  idle(query: object, body: unknown): UnusedInputs | undefined
  /** A success as the contract documents it. @param now epoch ms */
  outcome(outcome: Outcome, now: number): Outcome
  /** A problem with the status that the contract documents for it. */
  problem(problem: Problem): Problem
  /** The body of an error response, as the contract documents it for its status. */
  refusal(refusal: Refusal, usual: RenderedProblem): RenderedProblem
}

/** What an operation documents is read with its first request and kept; there are no more of these than operations. */
export function createContractAdapter(contract: Contract, bindings: Bindings, seed: number): ContractAdapter {
  const { document } = contract
  const known = new Map<string, OperationAdapter>()
  const operationOf = (handlerKind: HandlerKind) =>
    [...bindings.values()].find((binding) => binding.handlerKind === handlerKind)?.operation
  const search = operationOf('searchFiles')
  const entries = search && adaptEntries(contract, search, seed)
  const of = (operationId: string | undefined) => {
    const binding = bindings.get(operationId ?? '')
    if (!binding) return undefined
    const { operationId: id } = binding.operation
    const adapter = known.get(id) ?? adaptOperation(binding, { document, seed, complete: entries?.complete })
    known.set(id, adapter)
    return adapter
  }
  return {
    entries,
    of,
    as: (handlerKind) => of(operationOf(handlerKind)?.operationId),
  }
}

interface AdapterParts extends Partial<Pick<AdaptedEntries, 'complete'>> {
  readonly document: unknown
  readonly seed: number
}

function adaptOperation(binding: Binding, { document, seed, complete }: AdapterParts): OperationAdapter {
  const { kind, operation } = binding
  const documented = readDocumented(document, operation)
  const { schema } = documented.answer(documented.statusFor(200)) ?? {}
  const completePage =
    binding.handlerKind === 'searchFiles' ? createPageCompleter(document, schema, chanceKey(seed, 'page')) : undefined
  return {
    follows: {
      ...readAdaptation(operation, documented, { document, seed }),
      ...(complete && { completeEntry: complete }),
    },
    completeBody: (body, written) =>
      completeObject(document, documented.body, body, {
        whenNamed: {},
        whenRequired: {},
        written,
        key: chanceKey(seed, `body ${stringifyJson(body)}`),
      }),
    idle: (query, body) => (binding.kind === 'stateful' ? unusedInputs(binding.builtin.uses, query, body) : undefined),
    outcome(outcome, now) {
      if (kind !== 'stateful') return outcome
      const status = documented.statusFor(outcome.status)
      if (completePage && 'page' in outcome.body)
        return { ...outcome, status, body: { page: completePage(outcome.body.page, now) } }
      return { ...outcome, status, body: documentedBody(status, outcome.body, documented) }
    },
    problem(problem) {
      // The status of a user's handler is what the user wants.
      const status = kind === 'own' ? problem.status : documented.statusFor(problem.status)
      return status === problem.status ? problem : withStatus(problem, status)
    },
    refusal: (refusal, usual) => adaptBody(refusal, usual, { operation, documented, document }),
  }
}

/** RFC 9110, 15.3.5 and 15.3.6. */
const HAS_NO_BODY = new Set([204, 205])

/** A body under the media type that is documented for it. */
function documentedBody(status: number, body: OutcomeBody, documented: Documented): OutcomeBody {
  if (HAS_NO_BODY.has(status)) return { empty: true }
  const { contentType = JSON_TYPE } = documented.answer(status) ?? {}
  return 'json' in body && contentType !== JSON_TYPE ? { content: stringifyJson(body.json), contentType } : body
}

const JSON_TYPE = 'application/json'

/** The same problem with another status. Only a 401 has a challenge (RFC 9110, 15.5.2). */
function withStatus(problem: Problem, status: number): Problem {
  const { 'www-authenticate': _challenge, ...others } = problem.headers
  return problem.with(status === 401 ? { status } : { status, headers: others })
}

/** Members of the interface's own body, and those that only the service writes. */
const USUAL_MEMBERS = new Set(['id', 'title', 'pageId', 'viewId', 'schedule', 'attachmentInclude'])
const USUAL_SETTINGS = new Set([
  'frequency',
  'daysToRun',
  'hourOfDay',
  'minOfHour',
  'timezone',
  'enabled',
  'additionalRecipients',
  'nextRunDate',
])

/** Members of the interface's own responses. */
const SHOWN = new Set(['id', 'reportViewId', 'pageId', 'title', 'schedule'])

function readAdaptation(
  { parameters, checkAnswer }: Operation,
  documented: Documented,
  { document, seed }: { readonly document: unknown; readonly seed: number },
): Adaptation {
  const body = shapeOf(document, documented.body, 'any')
  const added = (properties: ReadonlyMap<string, unknown>, usual: ReadonlySet<string>) =>
    new Set(
      [...properties]
        .filter(([name, schema]) => !usual.has(name) && shapeOf(document, schema).keywords.readOnly !== true)
        .map(([name]) => name),
    )
  const settings = shapeOf(document, body.properties.get('schedule'), 'any').properties
  const query = parameters.filter((one) => one.in === 'query')
  const keyOf = ({ id }: Readonly<Record<string, unknown>>) => chanceKey(seed, `report schedule ${String(id)}`)
  return {
    usualQuery: Object.fromEntries(query.flatMap(({ name, usual }) => (usual === undefined ? [] : [[name, usual]]))),
    mostEntries: query.find(({ name }) => name === 'limit')?.most,
    members: added(body.properties, USUAL_MEMBERS),
    settings: added(settings, USUAL_SETTINGS),
    names(pointer) {
      const [, name = '', inner] = pointer.split('/')
      if (body.properties.size === 0) return true
      if (inner === undefined) return body.properties.has(name)
      return body.properties.has(name) && (settings.size === 0 || settings.has(inner))
    },
    answer(status, usual, known) {
      const documentedAs = documented.statusFor(status)
      const { schema } = documented.answer(documentedAs) ?? {}
      if (schema === undefined) return usual
      const complete = (refused?: readonly Violation[]) =>
        completeObject(document, schema, usual, {
          ...known,
          refused,
          meant: SHOWN,
          key: keyOf(usual),
        })
      return withoutRefused(complete, (made) => checkAnswer(documentedAs, withNumbers(made)))
    },
    answerList(status, elements, name) {
      const { schema } = documented.answer(documented.statusFor(status)) ?? {}
      const list = findList(document, shapeOf(document, schema, 'any'))
      const made = elements.map(({ usual, known }) =>
        completeObject(document, list?.items, usual, { ...known, meant: SHOWN, key: keyOf(usual) }),
      )
      if (list && list.name === undefined) return made
      const whole = { [list?.name ?? name]: made }
      const rest = { whenNamed: {}, whenRequired: {}, written: 0, key: chanceKey(seed, 'report schedules') }
      return completeObject(document, schema, whole, rest)
    },
  }
}
