import { keyParts } from '../../../contract/template.ts'
import { isObject, splitPointer, stringifyJson } from '../../../formats/json.ts'
import { parameterOf } from '../infer/routes.ts'
import type { OperationPlan } from '../infer/plan.ts'
import { hintOfOperation } from '../infer/hints.ts'
import type { Lifecycle } from './lifecycle.ts'
import { statusFor, statusMembers } from './status-words.ts'

type Members = Readonly<Record<string, unknown>>

/** What an operation sets besides what the request says. */
export interface Effect {
  /** A merge patch (RFC 7396). */
  readonly set: Members
  /** For people, as the end of a sentence: `sets status to cancelled, because of the word in its path`. */
  readonly reason: string
}

/** What `x-standin` of an operation sets, or the word that its path ends with. */
export function findEffect(
  document: unknown,
  { operation, role, collection }: OperationPlan,
  lifecycles: readonly Lifecycle[],
): Effect | undefined {
  const { set } = hintOfOperation(operation)
  if (isObject(set)) return { set, reason: `sets ${listMembers(set)}, by x-standin` }
  if (role !== 'action') return undefined
  const word = keyParts(operation.path).template.split('/').at(-1) ?? ''
  if (parameterOf(word) !== undefined) return undefined
  const members = statusMembers(document, collection.schema)
  const declared = lifecycles.flatMap(({ pointer }) => members.filter((one) => one.pointer === pointer))
  for (const { pointer, values } of new Set([...declared, ...members])) {
    const status = statusFor(word, values)
    if (status === undefined) continue
    const [name = ''] = splitPointer(pointer)
    return {
      set: { [name]: status },
      reason: `sets ${listMembers({ [name]: status })}, because of the word in its path`,
    }
  }
  return undefined
}

function listMembers(set: Members): string {
  const members = Object.entries(set).map(
    ([name, value]) => `${name} to ${typeof value === 'string' ? value : stringifyJson(value)}`,
  )
  return members.length === 0 ? 'nothing' : members.join(', ')
}
