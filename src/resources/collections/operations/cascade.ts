import type { StateEvent } from '../../../engine/state.ts'
import { asText, type ParameterValue } from '../../handler.ts'
import { valueAt } from '../../../contract/pointer.ts'
import { itemHeld } from '../../../errors/resource-errors.ts'
import { documentsOf } from '../collection-state.ts'
import type { Asked, Work } from './work.ts'

/** The events that remove what lies below an item that is deleted, as `collections.cascade` says. @throws Problem 409 */
export function removeChildren(work: Work, asked: Asked, id: string): StateEvent[] {
  const { call } = asked
  const children = childrenOf(work, asked, id)
  if (children.length === 0) return []
  switch (call.tracker.ask('collections.cascade')) {
    case 'keep':
      return []
    case 'refuse':
      throw itemHeld({
        detail: `The ${work.plan.collection.noun} ${id} has ${children[0]?.collection ?? ''}, which must be deleted first.`,
        behaviours: ['collections.cascade'],
      })
    case 'delete':
      return children.map((child) => ({ type: 'document.removed', ...child }))
  }
}

interface Child {
  readonly collection: string
  readonly id: string
}

function childrenOf({ plan, operations }: Work, { state, instance }: Asked, id: string): Child[] {
  const prefix = `${instance.name}/${encodeURIComponent(id)}/`
  // What a collection begins with below the item goes with it, and was never changed.
  const below = [...state.collections].flatMap(([collection, documents]) =>
    collection.startsWith(prefix) ? [...documents].map(([child]) => ({ collection, id: child })) : [],
  )
  const owned = operations.filter(({ ownedBy, parent }) => ownedBy && parent === plan.collection)
  const views = new Map(
    owned.flatMap(({ collection, ownedBy }) => (ownedBy ? [[collection.name, ownedBy.pointer]] : [])),
  )
  const listed = [...views].flatMap(([collection, pointer]) =>
    [...(documentsOf(state, collection) ?? [])].flatMap(([child, { value }]) =>
      asText(valueAt(value, pointer) as ParameterValue) === id ? [{ collection, id: child }] : [],
    ),
  )
  return [...below, ...listed]
}
