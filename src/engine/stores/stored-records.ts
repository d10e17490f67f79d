import { splitDocument } from './split-document.ts'
import { iso } from '../../base/formats/instant.ts'
import { writeEvent, writeStateDocument } from '../sandbox-document.ts'
import type { Commit } from './event-log.ts'
import type { StoredRecord } from './event-store.ts'
import type { Beginning, Image } from '../snapshot.ts'
import type { State } from '../state.ts'

/** The records of sandboxes and events, as stores keep them. `restore.ts` reads them. */

/** @param initialState its things are only named */
export function* imageRecords(image: Image, initialState: State): Generator<StoredRecord> {
  yield* stateRecords({ image: 'beginning' }, image.beginning, initialState)
  for (const [name, snapshot] of image.checkpoints)
    yield* stateRecords({ image: 'checkpoint', name, taken: iso(snapshot.taken) }, snapshot, initialState)
  yield* stateRecords({ image: 'present' }, image, initialState)
}

/** The other members of the records of a state: which one it is. */
export interface StateRecord {
  readonly image: 'beginning' | 'checkpoint' | 'present'
  readonly name?: string
  readonly taken?: string
}

function* stateRecords(of: StateRecord, { state, requests }: Beginning, initialState: State): Generator<StoredRecord> {
  for (const part of splitDocument(writeStateDocument({ state, requests }, { initialState }))) yield { ...of, ...part }
}

/** Events in one record. A larger commit has several, and is valid only with all of them. */
const MAX_EVENTS = 500

export interface EventRecord {
  readonly number: number
  readonly at: string
  readonly requests: number
  readonly requestId?: string
  readonly events: readonly { readonly type: string }[]
  /** Whether the commit continues in the next record. */
  readonly more?: true
}

export function* commitRecords(
  first: number,
  { at, requests, requestId, events }: Commit,
  initialState: State,
): Generator<StoredRecord> {
  for (let from = 0; from < events.length; from += MAX_EVENTS) {
    const some = events.slice(from, from + MAX_EVENTS)
    yield {
      number: first + from,
      at: iso(at),
      requests,
      requestId,
      events: some.map((event) => writeEvent(event, initialState)),
      ...(from + MAX_EVENTS < events.length ? { more: true } : {}),
    }
  }
}
