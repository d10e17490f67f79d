import { keyParts } from '../../../contract/template.ts'
import { allowsNull, shapeOf } from '../../../contract/schemas/shape.ts'
import { isObject, type Members, textOrJson } from '../../../base/formats/json.ts'
import { mergePatch } from '../../../base/formats/merge-patch.ts'
import { verbOfMany, wordOfBody, wordOfDeletion } from '../infer/actions.ts'
import { hintOfOperation } from '../infer/hints.ts'
import type { OperationPlan } from '../infer/plan.ts'
import { parameterOf } from '../infer/routes.ts'
import { instantFor } from '../items/server-members.ts'
import type { Lifecycle } from './lifecycle.ts'
import { effectOfWord, type MemberChanges } from './word-effect.ts'

/** What an operation sets besides what the request says; `set` is a merge patch (RFC 7396). */
export interface OperationEffect extends MemberChanges {
  /** For people, as the end of a sentence: `sets status to cancelled, because of the word in its path`. */
  readonly reason: string
}

/** The last segment of a path, where it is a word: `cancel` of `/orders/{id}/cancel`, `/orders/{id}:cancel` and `/Orders({id})/Sales.Cancel`. */
export function wordOf(path: string): string {
  const last = keyParts(path).template.replace(/\/$/, '').split('/').at(-1) ?? ''
  return parameterOf(last) === undefined ? (last.split(/[:.]/).at(-1) ?? '') : ''
}

interface ActedOn {
  readonly lifecycles: readonly Lifecycle[]
  /** Of an item, with the values that lists filter by. */
  schema(): unknown
}

/** What `x-standin` of an operation sets, or the word that its path ends with. */
export function findEffect(
  document: unknown,
  { operation, role }: OperationPlan,
  { lifecycles, schema }: ActedOn,
): OperationEffect | undefined {
  const { set } = hintOfOperation(operation)
  if (isObject(set)) return { set, moments: [], cleared: [], reason: `sets ${listMembers(set)}, by x-standin` }
  if (role !== 'action' && role !== 'bulk') return undefined
  const ofPath = wordOf(operation.path)
  const word = ofPath || (wordOfDeletion(document, operation, schema()) ?? '')
  const found = effectOfWord(document, schema(), {
    word: role === 'bulk' ? (verbOfMany(operation.method, word) ?? word) : word,
    isUndone: operation.method === 'DELETE' && ofPath !== '',
    first: lifecycles.map(({ pointer }) => pointer),
  })
  if (!found) return undefined
  const others = [...found.moments.map((name) => `${name} to the time`), ...found.cleared.map((name) => `no ${name}`)]
  const all = [...(Object.keys(found.set).length > 0 ? [listMembers(found.set)] : []), ...others].join(', ')
  return { ...found, reason: `sets ${all}, because of the word in its ${ofPath === '' ? 'summary or name' : 'path'}` }
}

/**
 * What a request says that is done, where the path does not: `{"action": "approve"}` at `/registrants/status`. Undefined for a word that means
 * nothing for the item.
 */
export function effectOfBody(document: unknown, schema: unknown, body: unknown): OperationEffect | undefined {
  const word = wordOfBody(body)
  const found = word === undefined ? undefined : effectOfWord(document, schema, { word, isUndone: false })
  return found && { ...found, reason: '' }
}

/** An item after what an operation sets. @param now epoch ms */
export function withEffect(document: unknown, schema: unknown, { value, effect, now }: Affected): Members {
  const { properties, required } = shapeOf(document, schema, 'any')
  const changed = new Map(Object.entries(mergePatch(value, effect.set) as Members))
  for (const name of effect.moments) {
    const moment = instantFor(shapeOf(document, properties.get(name)), now)
    if (moment !== undefined) changed.set(name, moment)
  }
  for (const name of effect.cleared)
    if (allowsNull(document, properties.get(name))) changed.set(name, null)
    else if (Array.isArray(value[name])) changed.set(name, [])
    else if (!required.has(name)) changed.delete(name)
  return Object.fromEntries(changed)
}

interface Affected {
  readonly value: Members
  readonly effect: MemberChanges
  readonly now: number
}

function listMembers(set: Members): string {
  const members = Object.entries(set).map(([name, value]) => `${name} to ${textOrJson(value)}`)
  return members.length === 0 ? 'nothing' : members.join(', ')
}
