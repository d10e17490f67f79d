import { plainName } from '../../../base/formats/names.ts'
import { follow } from '../../../contract/pointer.ts'
import { readDocumented } from '../../../contract/schemas/documented.ts'
import { documentsOf, requireDocuments } from '../collection-state.ts'
import type { StoredDocument } from '../documents/stored-document.ts'
import type { CollectionPlan } from '../infer/plan.ts'
import { isSameItem } from '../infer/same-item.ts'
import { isCaller } from '../operations/caller.ts'
import { notFound } from '../operations/instance.ts'
import { idNamed } from '../operations/instance-name.ts'
import type { ItemRequest, OperationWork } from '../operations/work.ts'

interface LinkedItem {
  readonly id: string
  readonly stored: StoredDocument
}

/**
 * The item of a collection of its own that a path adds to what is below another item: that of `/members` for
 * `PUT /teams/{teamId}/members/{memberId}`, which has no body. Undefined where there is no such collection.
 *
 * @throws Problem 404 where clients create its items and have not created this one
 * @throws NotReady
 */
export function linkedItem(
  { plan, document, collections }: OperationWork,
  { state, call, instance }: ItemRequest,
  named: string,
): LinkedItem | undefined {
  const { collection, operation, itemParameter = '' } = plan
  if (!collection.parent || readDocumented(document, operation).hasBody) return undefined
  const described = follow(document, collection.schema)
  // `/dataset_labels` has the labels of `/datasets/{id}/labels`.
  const isRoot = ({ path, isSingleton, schema, noun }: CollectionPlan) =>
    !path.includes('{') &&
    !isSingleton &&
    (follow(document, schema) === described ||
      (plainName(noun).endsWith(plainName(collection.noun)) && isSameItem(document, schema, collection.schema)))
  const root = collections.find(isRoot)
  if (!root) return undefined
  requireDocuments(state, root.name)
  const documents = documentsOf(state, root.name)
  const id = idNamed(root, itemParameter, named, documents)
  const stored = documents?.get(id)
  if (!stored && root.isCreated && !isCaller(call, named)) throw notFound(plan, { call, instance }, named)
  return stored && { id, stored }
}
