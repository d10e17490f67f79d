import type { State } from '../../../engine/state.ts'
import { type Members, splitPointer } from '../../../base/formats/json.ts'
import { MAX_TARGETS, type PathValues, type NamedTarget } from '../../resource.ts'
import { documentsOf, prepareDocuments } from '../collection-state.ts'
import type { StoredDocument } from '../documents/stored-document.ts'
import type { CollectionPlan, OperationPlan, Role } from '../infer/plan.ts'
import { parameterCount } from '../infer/routes.ts'
import { instanceName } from './instance-name.ts'

/**
 * Items of a state as requests name them; empty where it has none.
 *
 * @param given values for parents that are no collection: any will do
 */
export async function findTargets(
  state: State,
  plan: OperationPlan,
  given: PathValues,
): Promise<readonly NamedTarget[]> {
  const { parent, collection, parents, itemParameter, pathParameters, isOfCaller } = plan
  const usual = pathParameters.map((name) => given[name] ?? '1')
  const above = parent ? await firstPath(state, parent, usual) : []
  if (!above) return []
  const known = {
    ...given,
    ...Object.fromEntries(pathParameters.slice(0, above.length).map((name, at) => [name, above[at] ?? ''])),
  }
  const isInBody = itemParameter === undefined && CHANGES.has(plan.role) && !collection.isSingleton && !isOfCaller
  if (itemParameter === undefined && !isInBody) return [{ path: known }]
  const instance = instanceName(
    collection,
    parents.map((name) => known[name] ?? '1'),
  )
  const found = await firstItems(state, instance, MAX_TARGETS)
  return found.map(([id, { value }]) =>
    itemParameter === undefined
      ? { path: known, body: idIn(plan, value) }
      : { path: { ...known, [itemParameter]: id } },
  )
}

const CHANGES = new Set<Role>(['replace', 'merge', 'delete', 'action'])

/** The member with the id of an item, for a body that is the item. */
function idIn({ collection: { identity }, input }: OperationPlan, item: Members): Members {
  const [name, ...deeper] = splitPointer(identity.pointer ?? '')
  return name === undefined || deeper.length > 0 || input?.pointer !== '' ? {} : { [name]: item[name] }
}

/** The ids in the path of the first item of a collection, the outermost first; undefined where there is none. */
async function firstPath(
  state: State,
  collection: CollectionPlan,
  usual: readonly string[],
): Promise<string[] | undefined> {
  const above = collection.parent ? await firstPath(state, collection.parent, usual) : []
  if (!above) return undefined
  const ids = [...above, ...usual.slice(above.length, parameterCount(collection))]
  const [first] = await firstItems(state, instanceName(collection, ids), 1)
  return first && [...ids, first[0]]
}

type StoredItem = readonly [id: string, document: StoredDocument]

async function firstItems(state: State, instance: string, most: number): Promise<readonly StoredItem[]> {
  await prepareDocuments(state, instance)
  const items: StoredItem[] = []
  for (const item of documentsOf(state, instance) ?? []) {
    if (items.length === most) break
    items.push(item)
  }
  return items
}
