import { completeObject } from './complete-object.ts'
import { type FollowedEntries, followEntries } from './follow-entries.ts'
import { fittedBody } from './follow-refusal.ts'
import { documentedStatus } from './follow-status.ts'
import { type IdleParts, idleParts } from './idle.ts'
import type { Refusal } from './refusal-words.ts'
import type { RenderedProblem } from './render-problem.ts'
import { type Binding, type Bindings, natureOf } from '../binding.ts'
import type { Contract } from '../contract/contract.ts'
import { type Documented, readDocumented } from '../contract/documented.ts'
import { shapeOf } from '../contract/shape.ts'
import { stringifyJson } from '../json.ts'
import type { Outcome, OutcomeBody } from '../operations/handler.ts'
import type { Follows } from '../operations/follows.ts'
import type { Role } from '../operations/roles.ts'
import { Problem } from '../problem.ts'

/** How answers follow a contract of the user's own: decisions/0016-following-the-contract.md. */
export interface Following {
  /** By operationId. */
  of(operationId: string): Followed | undefined
  /** The operation that has a role; undefined when the contract has none. */
  as(role: Role): Followed | undefined
  /** The entries of a search; undefined when the contract has none. */
  readonly entries: FollowedEntries | undefined
}

/** One operation that follows its contract. */
export interface Followed {
  readonly follows: Follows
  /** A body that somebody wrote for another contract, with what this one requires. @param written epoch ms */
  completeBody(body: Readonly<Record<string, unknown>>, written: number): unknown
  /** What the contract knows of a request, and nobody looks at. */
  idle(query: object, body: unknown): IdleParts | undefined
  /** A success as the contract documents it. */
  outcome(outcome: Outcome): Outcome
  /** A refusal under the status that the contract has for it. */
  problem(problem: Problem): Problem
  /** The body of a refusal, in the shape that the contract documents for its status. */
  refusal(refusal: Refusal, usual: RenderedProblem): RenderedProblem
}

/** What a contract asks for is read when the first request meets an operation, and kept: there are no more of these than operations. */
export function createFollowing(contract: Contract, bindings: Bindings): Following {
  const { document } = contract
  const known = new Map<string, Followed>()
  const operationOf = (role: Role) => [...bindings.values()].find((binding) => natureOf(binding) === role)?.operation
  const search = operationOf('searchFiles')
  const of = (operationId: string | undefined) => {
    const binding = bindings.get(operationId ?? '')
    if (!binding) return undefined
    const { operationId: id } = binding.operation
    const followed = known.get(id) ?? followOperation(binding, document)
    known.set(id, followed)
    return followed
  }
  return {
    entries: search && followEntries(contract, search),
    of,
    as: (role) => of(operationOf(role)?.operationId),
  }
}

function followOperation(binding: Binding, document: unknown): Followed {
  const { kind, operation } = binding
  const documented = readDocumented(document, operation)
  return {
    follows: readFollows(documented, document),
    completeBody: (body, written) =>
      completeObject(document, documented.body, body, { whenNamed: {}, whenRequired: {}, written }),
    idle: (query, body) => (binding.kind === 'stateful' ? idleParts(binding.role, query, body) : undefined),
    outcome(outcome) {
      if (kind !== 'stateful') return outcome
      const status = documentedStatus(outcome.status, documented)
      return { ...outcome, status, body: documentedBody(status, outcome.body, documented) }
    },
    problem(problem) {
      // A user's own handler says what it means.
      const status = kind === 'own' ? problem.status : documentedStatus(problem.status, documented)
      return status === problem.status ? problem : retold(problem, status)
    },
    refusal: (refusal, usual) => fittedBody(refusal, usual, { operation, documented, document }),
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

/** The same refusal under another status. Only a 401 has a challenge (RFC 9110, 15.5.2). */
function retold({ slug, title, message: detail, violations, headers, rows }: Problem, status: number): Problem {
  const { 'www-authenticate': _challenge, ...others } = headers
  return new Problem(status, slug, title, { detail, violations, headers: status === 401 ? headers : others, rows })
}

/** What the interface itself gives a body, and what only the service writes. */
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

function readFollows(documented: Documented, document: unknown): Follows {
  const body = shapeOf(document, documented.body, 'any')
  const added = (properties: ReadonlyMap<string, unknown>, usual: ReadonlySet<string>) =>
    new Set(
      [...properties]
        .filter(([name, schema]) => !usual.has(name) && shapeOf(document, schema).keywords.readOnly !== true)
        .map(([name]) => name),
    )
  const settings = shapeOf(document, body.properties.get('schedule'), 'any').properties
  return {
    members: added(body.properties, USUAL_MEMBERS),
    settings: added(settings, USUAL_SETTINGS),
    names(pointer) {
      const [, name = '', inner] = pointer.split('/')
      if (body.properties.size === 0) return true
      if (inner === undefined) return body.properties.has(name)
      return body.properties.has(name) && (settings.size === 0 || settings.has(inner))
    },
    answer(status, usual, known) {
      const { schema } = documented.answer(documentedStatus(status, documented)) ?? {}
      return schema === undefined ? usual : completeObject(document, schema, usual, known)
    },
  }
}
