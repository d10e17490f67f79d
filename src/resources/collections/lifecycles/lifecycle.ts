import { valueAt } from '../../../contract/pointer.ts'
import { isScalar, type Json, splitPointer } from '../../../base/formats/json.ts'
import { iso, parseInstant } from '../../../base/formats/instant.ts'
import type { HiddenFacts, StoredDocument } from '../documents/stored-document.ts'

/** How a status of items may change. */
export interface Lifecycle {
  /** The member that holds the status, as a JSON pointer. */
  readonly pointer: string
  /** The status that `x-standin` names first. */
  readonly first: Json
  /** By the status as a text. */
  readonly statuses: ReadonlyMap<string, Status>
}

/** What may follow a status. */
export interface Status {
  readonly value: Json
  /** What requests may set it to. */
  readonly next: readonly string[]
  /** The status that follows after a time; undefined if none does. */
  readonly timed: Timed | undefined
}

export interface Timed {
  readonly to: string
  /** Milliseconds. */
  readonly after: number
}

/** The status of an item as a text; undefined where it has none. */
export function statusOf({ pointer }: Lifecycle, item: unknown): string | undefined {
  const value = valueAt(item, pointer)
  return isScalar(value) ? String(value) : undefined
}

/** The hidden fact with the instants since when statuses hold, by the pointer of the status. */
const SINCE = 'since'

/** The hidden facts of a document after a write: when each new status was set. @param now epoch ms */
export function factsAfter(
  lifecycles: readonly Lifecycle[],
  {
    before,
    value,
    now,
  }: { readonly before: StoredDocument | undefined; readonly value: unknown; readonly now: number },
): HiddenFacts {
  const { [SINCE]: known, ...others } = before?.hidden ?? {}
  const since = lifecycles.flatMap((lifecycle): [string, Json][] => {
    const status = statusOf(lifecycle, value)
    if (status === undefined) return []
    const held = before && status === statusOf(lifecycle, before.value) ? sinceIn(known, lifecycle) : iso(now)
    return held === undefined ? [] : [[lifecycle.pointer, held]]
  })
  return since.length === 0 ? others : { ...others, [SINCE]: Object.fromEntries(since) }
}

function sinceIn(known: Json | undefined, { pointer }: Lifecycle): Json | undefined {
  return typeof known === 'object' && known !== null ? (known as Readonly<Record<string, Json>>)[pointer] : undefined
}

/** A change of status after a time. */
export interface Transition extends Timed {
  readonly lifecycle: Lifecycle
  readonly from: Json
  /** The status after. */
  readonly value: Json
  /** Epoch ms. */
  readonly at: number
}

/** The next change by time of a document. Statuses of initial documents do not change by time. */
export function nextTransition(lifecycles: readonly Lifecycle[], document: StoredDocument): Transition | undefined {
  let next: Transition | undefined
  for (const lifecycle of lifecycles) {
    const status = lifecycle.statuses.get(statusOf(lifecycle, document.value) ?? '')
    const since = sinceIn(document.hidden?.[SINCE], lifecycle)
    const instant = typeof since === 'string' ? parseInstant(since) : undefined
    if (!status?.timed || !instant) continue
    const at = instant.ms + status.timed.after
    const value = lifecycle.statuses.get(status.timed.to)?.value ?? status.timed.to
    if (!next || at < next.at) next = { ...status.timed, lifecycle, from: status.value, value, at }
  }
  return next
}

/** A member's name, for messages. */
export function memberName({ pointer }: Lifecycle): string {
  return splitPointer(pointer).at(-1) ?? ''
}
