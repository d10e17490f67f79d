import { createCache } from '../../../base/cache.ts'
import { asObject, stringifyJson } from '../../../base/formats/json.ts'
import type { SandboxEvent } from '../../../engine/snapshot.ts'
import type { State } from '../../../engine/state.ts'
import type { StoredDocument } from '../documents/stored-document.ts'
import type { Happening } from './webhook-plan.ts'

/** A change of an item. */
export interface ItemHappening extends Happening {
  readonly collection: string
  readonly id: string
  /** When it happened, epoch ms, where the item says so; now otherwise. */
  readonly at: number | undefined
}

/** Items of a sandbox whose latest version is remembered. */
const MOST_ITEMS = 10_000

/** Reads from the events of a sandbox what has changed in which item; undefined for other events, and for changes of nothing. */
export function createChangeReader(): (event: SandboxEvent, state: State) => ItemHappening | undefined {
  // Events have an item as it is after them.
  const latest = createCache<string, StoredDocument>({ most: MOST_ITEMS })
  return (event, state) => {
    if (event.type !== 'document.created' && event.type !== 'document.updated' && event.type !== 'document.removed')
      return undefined
    const { type, collection, id } = event
    const key = `${collection} ${id}`
    const seeds = state.collectionSeeds.get(state.collectionSeed, collection)
    const before = type === 'document.created' ? undefined : (latest.get(key) ?? seeds?.get(id))
    const after = type === 'document.removed' ? undefined : event.document
    if (after) latest.set(key, after)
    if (before && after && stringifyJson(before.value) === stringifyJson(after.value)) return undefined
    const change = type === 'document.created' ? 'created' : after ? 'updated' : 'deleted'
    return { change, collection, id, before: before?.value, after: after?.value, at: whenChanged(before, after) }
  }
}

/** When a status of an item was set, epoch ms: time may have set it earlier than now. */
function whenChanged(before: StoredDocument | undefined, after: StoredDocument | undefined): number | undefined {
  const [old, now] = [before, after].map((one) => asObject(one?.hidden?.since))
  const set = Object.entries(now ?? {}).flatMap(([pointer, since]) =>
    typeof since === 'string' && since !== old?.[pointer] ? [Date.parse(since)] : [],
  )
  return before && set.length > 0 ? Math.max(...set) : undefined
}
