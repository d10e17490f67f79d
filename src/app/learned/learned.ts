import type { Violation } from '../../base/errors/problem.ts'
import { type Members, splitPointer } from '../../base/formats/json.ts'
import type { Operation } from '../../contract/contract.ts'
import { pointerOf } from '../../contract/pointer.ts'
import { isNamedByClient, partSchema } from './schema-names.ts'

/**
 * How a value of the service differs from the one that follows from the contract. Values may have places: `{$request.path.id}` and the other
 * runtime expressions of OpenAPI, `{$item#/id}` for the object around it, `{$violation.member}` and `{$problem}` for what is wrong with the
 * request, `{$now}`, `{$moment}`, `{$uuid}`, `{$number}` and `{$text}`.
 */
export interface ValueRule {
  /** It is not shown, or not where it is one of these. */
  readonly drop?: true | readonly unknown[]
  /** It is shown where it would not be. */
  readonly add?: unknown
  /** It is another. */
  readonly set?: unknown
  /** It is the second of a pair where it would be the first. */
  readonly map?: readonly (readonly [from: unknown, to: unknown])[]
}

export const RULE_MEMBERS = ['drop', 'add', 'set', 'map'] as const

/** The rules of a body, by JSON pointer; `*` stands for the elements of a list, and for names that are ids. */
export type Form = Readonly<Record<string, ValueRule>>

/** Which status the service has where another follows from the contract. */
export interface LearnedStatus {
  /** Undefined for all operations, or those of a method. */
  readonly operation?: string
  readonly method?: string
  /** See `outcomeOf`. */
  readonly when: string
  /** The status that follows from the contract. */
  readonly from: number
  readonly status: number
}

/** What was learnt of a service from its traffic, besides the settings of behaviours. */
export interface Learned {
  /**
   * What responses show that the document does not say, by the name of a schema, as in `forms`, and in it by the JSON pointer of the schema
   * that gets these keywords: `{ '#/components/schemas/Pet': { '/properties/status': { default: 'new' } } }`.
   */
  readonly schemas: Readonly<Record<string, Readonly<Record<string, Members>>>>
  /** What operations do to items, and what becomes of these by themselves: `x-standin` by operationId or path. */
  readonly hints: Readonly<Record<string, Members>>
  readonly statuses: readonly LearnedStatus[]
  /** What breaks the contract and the service takes, by operationId, each as `violationKind` names it. */
  readonly accepts: Readonly<Record<string, readonly string[]>>
  /**
   * By `createPet 201`, `#/components/schemas/Pet`, `items of /pets`, one of `KINDS`, `error 422 request-invalid/body required`,
   * `error 404 item-not-found` or `error 404`.
   */
  readonly forms: Readonly<Record<string, Form>>
  /** Responses that nothing else describes. */
  readonly examples: readonly RecordedExample[]
}

/** What the service responded to exactly one request: one that changes nothing, and that no collection handles. */
export interface RecordedExample {
  readonly method: string
  /** Path and query. */
  readonly url: string
  readonly status: number
  /** Undefined for none. */
  readonly body?: unknown
}

interface CameOf {
  /** The id of the problem; undefined for none. */
  readonly problem: string | undefined
  readonly hasChanged: boolean
  readonly violations: readonly Violation[]
}

/** What came of a request, as far as services differ in how they respond to it: `ok`, `changed`, `item-not-found`, `request-invalid/body`. */
export function outcomeOf({ problem, hasChanged, violations }: CameOf): string {
  if (problem === undefined) return hasChanged ? 'changed' : 'ok'
  const [first] = violations
  if (problem !== 'request-invalid' || !first) return problem
  return `${problem}/${first.pointer !== undefined ? 'body' : first.header !== undefined ? 'header' : 'parameter'}`
}

/**
 * What is wrong with a request, in a word and a place: `required /name`, `type limit`. The elements of a list have one place, and so have
 * members that clients name: `/lines/*` stands for `/lines/0` and `/lines/7`, `/labels/*` for `/labels/colour`.
 *
 * @param body the schema of the body, where it is known
 */
export function violationKind(
  { code, pointer, parameter, header }: Violation,
  body?: { readonly document: unknown; readonly schema: unknown },
): string {
  const place = pointer === undefined ? undefined : pointerOf(placeOf(splitPointer(pointer), body))
  return `${code} ${place ?? parameter ?? header ?? ''}`.trim()
}

function placeOf(names: readonly string[], body: Parameters<typeof violationKind>[1]): string[] {
  let schema = body?.schema
  return names.map((name) => {
    const holder = schema
    const isElement = /^\d+$/.test(name)
    if (body) schema = partSchema(body.document, holder, name)
    return isElement || (body && isNamedByClient(body.document, holder, name)) ? '*' : name
  })
}

/** Nothing but what the contract says. */
export const NOTHING_LEARNED: Learned = {
  schemas: {},
  hints: {},
  statuses: [],
  accepts: {},
  forms: {},
  examples: [],
}

/** What responses of a kind have in common, whichever operation they are of. */
export const KINDS = ['all items', 'all lists', 'all deletions'] as const

type Kind = (typeof KINDS)[number]

/** The names of the forms of a response, the most particular first. */
export function formNames(
  operation: Pick<Operation, 'operationId' | 'method' | 'path'> | undefined,
  status: number,
  { outcome, violations }: { readonly outcome: string; readonly violations: readonly Violation[] },
): string[] {
  const own = operation === undefined ? [] : [`${operation.operationId} ${status}`]
  if (status < 400) return operation === undefined ? own : [...own, ...kindsOf(operation)]
  const [first, ...more] = violations
  // What is wrong in the same way is said alike by all operations; what is not there is named.
  const isKind = outcome.startsWith('request-invalid') && more.length === 0
  const ofKind = first && isKind ? [`error ${status} ${outcome} ${first.code}`] : []
  return [...ofKind, ...own, `error ${status} ${outcome}`, `error ${status}`]
}

/** What a success shows, by the method and the path. */
function kindsOf({ method, path }: Pick<Operation, 'method' | 'path'>): (Kind | `items of ${string}`)[] {
  const [, collection = '', key] = /^(.*?)(\/\{[^{}]*\})?$/.exec(path) ?? []
  // What is deleted by a filter is shown in as many ways as there are services.
  if (method === 'DELETE') return key === undefined ? [] : ['all deletions']
  const isList = (method === 'GET' || method === 'HEAD') && key === undefined
  return isList ? ['all lists'] : [`items of ${collection}`, 'all items']
}

/** The status of the rule that is the most particular; undefined for none. */
export function statusOf(
  rules: readonly LearnedStatus[],
  response: {
    readonly operationId: string | undefined
    readonly method: string
    readonly outcome: string
    readonly status: number
  },
): number | undefined {
  const fitting = rules.filter(({ when, from }) => when === response.outcome && from === response.status)
  const { operationId, method } = response
  const found =
    fitting.find((rule) => rule.operation !== undefined && rule.operation === operationId) ??
    fitting.find((rule) => rule.operation === undefined && rule.method === method) ??
    fitting.find((rule) => rule.operation === undefined && rule.method === undefined)
  return found?.status
}
