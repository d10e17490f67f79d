import type { State } from '../../../engine/state.ts'
import { refusal } from '../../../behaviours/refusal.ts'
import { itemNotFound } from '../../../base/errors/resource-errors.ts'
import { withArticle } from '../../../base/errors/wording.ts'
import type { Call } from '../../handler.ts'
import { asText, type Members } from '../../../base/formats/json.ts'
import { documentsOf } from '../collection-state.ts'
import { type Documents, firstId } from '../documents/documents.ts'
import type { CollectionPlan, OperationPlan } from '../infer/plan.ts'
import { parameterCount, parameterOf, segmentsOf } from '../infer/routes.ts'
import { isCaller } from './caller.ts'
import { idNamed, idsOf, instanceName, isNoId, type TextAt, textIn } from './instance-name.ts'

/** `collections.unknown-parent` @throws Problem 404 */
export function refuseUnknownParent(state: State, plan: OperationPlan, call: Call): void {
  const { parent } = plan
  if (!parent) return
  const { parameter, documents, id } = namedParent(state, plan, parent, textIn(call))
  // A parent such as `default` may exist from the start without being documented, and so may any that no operation creates.
  const mayBeGiven = parent.identity.isChosen || isNoId(parent.identity, id) || !parent.isCreated
  const isGiven = mayBeGiven && (documents?.made ?? 0) === 0
  if (isGiven || documents?.get(id) || isCaller(call, id)) return
  if (call.tracker.ask('collections.unknown-parent') === 'accept') return
  throw itemNotFound({
    detail: `There is no ${parent.noun} ${id}.`,
    violations: [refusal('collections.unknown-parent', { parameter }, idOfOne(parent.noun, documents), id)],
  })
}

/** The parent that the path names, with its own parents, and the instance that it is looked for in. */
export function namedParent(
  state: State,
  { pathParameters: names }: OperationPlan,
  parent: CollectionPlan,
  textAt: TextAt,
) {
  const count = parameterCount(parent)
  const parameter = names[count] ?? ''
  const above = idsOf(state, parent.parent, names.slice(0, count), textAt)
  const name = instanceName(parent, above)
  const documents = documentsOf(state, name)
  return { above, parameter, name, documents, id: idNamed(parent, parameter, textAt(parameter), documents) }
}

/** The hidden fact with the path of the parent that an item was created below, where no member names the parent. */
export const PARENT_FACT = 'parent'

/** What that fact says of an item: `issues/3`. @param ids of the parent and of its own parents, the outermost first */
export function parentPath(parent: CollectionPlan, ids: readonly string[]): string {
  return `${instanceName(parent, ids.slice(0, -1))}/${encodeURIComponent(ids.at(-1) ?? '')}`
}

/** Whether that fact says which items of a collection an operation is about. */
export function isParentHidden({ ownedBy }: OperationPlan): boolean {
  return ownedBy !== undefined && ownedBy.pointer === undefined
}

/** The fact of what a request creates or lists; undefined where items name their parent, or have none. */
export function parentFact(state: State, plan: OperationPlan, call: Call): string | undefined {
  const { parent } = plan
  if (!isParentHidden(plan)) return undefined
  if (!parent) return pathAbove(plan, call)
  const { above, id } = namedParent(state, plan, parent, textIn(call))
  return parentPath(parent, [...above, id])
}

/** The path of a parent that is of no collection, as sent: `views/vw1` of `/views/{viewId}/sorts`. */
function pathAbove({ operation, itemParameter }: OperationPlan, call: Call): string {
  const segments = segmentsOf(operation).slice(0, itemParameter === undefined ? -1 : -2)
  return segments.map((one) => encodeURIComponent(asText(call.path[parameterOf(one) ?? ''] ?? one))).join('/')
}

/** The item that the path names as the parent; undefined where it is not known. */
export function parentItem(state: State, plan: OperationPlan, call: Call): Members | undefined {
  const named = plan.parent && namedParent(state, plan, plan.parent, textIn(call))
  return named?.documents?.get(named.id)?.value
}

/** What is expected where an item is named, with the first of them. */
export function idOfOne(noun: string, documents: Documents | undefined): string {
  const first = firstId(documents)
  return `the id of ${withArticle(noun)}${first === undefined ? '' : `, such as ${first}`}`
}
