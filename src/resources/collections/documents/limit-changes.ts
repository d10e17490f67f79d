import { documentsOf } from '../collection-state.ts'
import type { State, StateEvent } from '../../../engine/state.ts'
import { violation } from '../../../base/errors/problem.ts'
import { requestInvalid } from '../../../base/errors/request-errors.ts'
import {
  documentsTooLarge,
  documentTooLarge,
  tooManyCollections,
  tooManyDocuments,
} from '../../../base/errors/resource-errors.ts'
import {
  type StoredDocument,
  COLLECTION_NAME,
  DOCUMENT_ID,
  findExceeded,
  isCollectionName,
  isDocumentId,
  type Limit,
  LIMITS,
} from './stored-document.ts'

/** Refuses changes beyond the limits of a state. @throws Problem 409 beyond a limit, 400 for an id that is too long */
export function refuseBeyondLimits(state: State, events: readonly StateEvent[]): void {
  const notes = createNotes(state)
  for (const event of events) {
    if (event.type === 'document.removed') notes.set(event.collection, event.id, undefined)
    if (event.type !== 'document.created' && event.type !== 'document.updated') continue
    const { collection, id, document } = event
    if (!isCollectionName(collection)) throw refuseId(COLLECTION_NAME, collection)
    if (!isDocumentId(id)) throw refuseId(DOCUMENT_ID, id)
    refuseExcess({ document: document.length }, collection)
    notes.set(collection, id, document)
  }
}

function refuseId(expected: string, received: string) {
  return requestInvalid([violation({ parameter: 'id' }, 'collections', expected, received)])
}

/** The documents of a state and of changes that are not stored yet. */
export interface Notes {
  get(collection: string, id: string): StoredDocument | undefined
  /** @throws Problem 409 */
  set(collection: string, id: string, document: StoredDocument | undefined): void
  names(): Iterable<string>
}

export function createNotes(state: State): Notes {
  const { collections } = state
  const noted = new Map<string, { readonly documents: Map<string, StoredDocument | undefined>; size: number }>()
  let length: number | undefined
  const get = (collection: string, id: string) => {
    const documents = noted.get(collection)?.documents
    return documents?.has(id) ? documents.get(id) : documentsOf(state, collection)?.get(id)
  }
  /** Collections that the state does not have yet. */
  let added = 0
  const lengthOfAll = () => [...collections.values()].reduce((sum, one) => sum + one.length, 0)
  return {
    get,
    names: () => [...collections.keys(), ...noted.keys()],
    set(collection, id, document) {
      const before = get(collection, id)
      const known = documentsOf(state, collection)
      const isNew = !collections.has(collection) && !noted.has(collection)
      if (isNew) {
        added++
        length = (length ?? lengthOfAll()) + (known?.length ?? 0)
      }
      const note = noted.get(collection) ?? {
        documents: new Map<string, StoredDocument | undefined>(),
        size: known?.size ?? 0,
      }
      noted.set(collection, note)
      const grown = (document?.length ?? 0) - (before?.length ?? 0)
      note.size += (document ? 1 : 0) - (before ? 1 : 0)
      length = (length ?? lengthOfAll()) + grown
      // A state that already exceeds a limit may still shrink.
      const sizes = {
        ...(isNew ? { collections: collections.size + added } : {}),
        ...(document && !before ? { documents: note.size } : {}),
        ...(grown > 0 ? { all: length } : {}),
      }
      refuseExcess(sizes, collection)
      note.documents.set(id, document)
    },
  }
}

/** @throws Problem 409 */
export function refuseExcess(sizes: Partial<Record<Limit, number>>, collection: string): void {
  const [[limit, size] = []] = findExceeded(sizes)
  if (limit === undefined || size === undefined) return
  const most = LIMITS[limit]
  switch (limit) {
    case 'collections':
      throw tooManyCollections({ detail: `A sandbox has at most ${most} collections.` })
    case 'documents':
      throw tooManyDocuments({
        detail: `A collection holds at most ${most} documents, and ${collection} is full. Remove some, or reset the sandbox.`,
      })
    case 'document':
      throw documentTooLarge({
        detail: `A document has at most ${most} characters of JSON; this one has ${size}.`,
      })
    case 'all':
      throw documentsTooLarge({
        detail: `The documents of a sandbox have at most ${most} characters of JSON together. Remove some, or reset the sandbox.`,
      })
  }
}
