import type { ControlCall } from '../../../engine/control-route.ts'
import { shown } from '../../../base/errors/problem.ts'
import { collectionNotFound, itemNotFound } from '../../../base/errors/resource-errors.ts'
import { didYouMean } from '../../../base/errors/wording.ts'
import { documentsOf, prepareDocuments } from '../collection-state.ts'
import { createDocuments, type Documents } from '../documents/documents.ts'
import type { StoredDocument } from '../documents/stored-document.ts'
import type { CollectionPlan } from '../infer/plan.ts'
import { findPlace, parentOf } from '../seeds/instance-place.ts'
import type { KnownCollections } from './known-collections.ts'

/** The documents that a request names. */
export interface NamedInstance {
  readonly name: string
  /** Undefined for a collection that only handlers know. */
  readonly plan: CollectionPlan | undefined
  readonly documents: Documents
  /** The ids of the parents, the outermost first. */
  readonly parents: readonly string[]
}

/** @throws Problem 404 */
export async function findInstance(call: ControlCall, known: KnownCollections): Promise<NamedInstance> {
  const name = String(call.path.collection)
  const place = findPlace(known.collections, name)
  const before = call.sandbox()
  if (!place) {
    const documents = before.state.collections.get(name)
    if (documents) return { name, plan: undefined, documents, parents: [] }
    const names = [...known.collections.map((one) => one.name), ...before.state.collections.keys()]
    const hint = didYouMean(name, names) || ' GET /__mock/collections lists them.'
    throw collectionNotFound({ detail: `The sandbox ${before.name} has no collection ${shown(name)}.${hint}` })
  }
  const parent = parentOf(place)
  if (parent) await prepareDocuments(before.state, parent.name)
  await prepareDocuments(before.state, name)
  const { state, name: sandbox } = call.sandbox()
  if (parent && !documentsOf(state, parent.name)?.get(parent.id))
    throw collectionNotFound({
      detail: `The sandbox ${sandbox} has no collection ${shown(name)}: there is no ${parent.noun} ${parent.id}.`,
    })
  return { name, plan: place.plan, documents: documentsOf(state, name) ?? createDocuments(), parents: place.ids }
}

/** @throws Problem 404 */
export function findDocument(instance: NamedInstance, id: string): StoredDocument {
  return instance.documents.get(id) ?? notFound(instance, id)
}

/** @throws Problem 404 */
export function notFound({ name, plan, documents }: NamedInstance, id: string): never {
  const noun = plan?.noun ?? 'document'
  const detail = documents.wasRemoved(id)
    ? `The ${noun} ${id} of ${name} was deleted.`
    : `The collection ${name} has no ${noun} ${id}.`
  throw itemNotFound({ detail })
}
