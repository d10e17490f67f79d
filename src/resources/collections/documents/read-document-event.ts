import { EventDefect } from '../../handler.ts'
import { documentsOf } from '../collection-state.ts'
import { nearest } from '../../../errors/wording.ts'
import { shown } from '../../../errors/problem.ts'
import {
  documentsTooLarge,
  documentTooLarge,
  tooManyCollections,
  tooManyDocuments,
} from '../../../errors/resource-errors.ts'
import {
  COLLECTION_NAME,
  DOCUMENT_ID,
  findExceeded,
  isCollectionName,
  isDocumentId,
  type Limit,
  LIMITS,
} from './limits.ts'
import { type HiddenFacts, NoJson, type StoredDocument, storeDocument } from './stored-document.ts'
import type { StateEvent, State } from '../../../engine/state.ts'

/** An event of a user's handler on documents. */
export type DocumentEvent =
  | { readonly type: 'create-document'; readonly collection: string; readonly id: string; readonly document: object }
  | { readonly type: 'update-document'; readonly collection: string; readonly id: string; readonly document: object }
  | { readonly type: 'remove-document'; readonly collection: string; readonly id: string }

/** Reads the document events of one response. */
type ReadDocumentEvent = (event: DocumentEvent) => StateEvent

/**
 * Reads document events one by one. It keeps track of earlier ones, which are not in the state yet.
 *
 * @throws EventDefect for an impossible event, Problem 409 beyond a limit
 */
export function createDocumentReader(state: State): ReadDocumentEvent {
  const notes = createNotes(state)
  return (event) => {
    switch (event.type) {
      case 'create-document': {
        const { collection, id } = named(event)
        if (notes.get(collection, id))
          throw new EventDefect(
            `there is a document ${shown(id)} in ${collection} already. Update it, or take another id.`,
          )
        const document = read(event.document)
        notes.set(collection, id, document)
        return { type: 'document.created', collection, id, document }
      }
      case 'update-document': {
        const { collection, id } = present(event, notes)
        const document = read(event.document, notes.get(collection, id)?.hidden)
        notes.set(collection, id, document)
        return { type: 'document.updated', collection, id, document }
      }
      case 'remove-document': {
        const { collection, id } = present(event, notes)
        notes.set(collection, id, undefined)
        return { type: 'document.removed', collection, id }
      }
    }
  }
}

function named({ collection, id }: DocumentEvent): { readonly collection: string; readonly id: string } {
  if (!isCollectionName(collection))
    throw new EventDefect(`a collection is named by ${COLLECTION_NAME}, not ${shown(collection)}.`)
  if (!isDocumentId(id)) throw new EventDefect(`the id of a document is ${DOCUMENT_ID}, not ${shown(id)}.`)
  return { collection, id }
}

function present(event: DocumentEvent, notes: Notes): { readonly collection: string; readonly id: string } {
  const { collection, id } = named(event)
  if (notes.get(collection, id)) return { collection, id }
  const meant = nearest(collection, notes.names())
  const hint = meant === undefined || meant === collection ? '' : ` Did you mean the collection ${meant}?`
  throw new EventDefect(`there is no document ${shown(id)} in ${collection}.${hint}`)
}

function read(document: unknown, hidden?: HiddenFacts): StoredDocument {
  try {
    const stored = storeDocument(document, hidden)
    refuseExcess({ document: stored.length }, '')
    return stored
  } catch (error) {
    if (!(error instanceof NoJson)) throw error
    throw new EventDefect(`a document must be a JSON object: ${error.message}.`)
  }
}

interface Notes {
  get(collection: string, id: string): StoredDocument | undefined
  /** @throws Problem 409 */
  set(collection: string, id: string, document: StoredDocument | undefined): void
  names(): Iterable<string>
}

function createNotes(state: State): Notes {
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
      if (!collections.has(collection) && !noted.has(collection)) {
        added++
        length = (length ?? lengthOfAll()) + (known?.length ?? 0)
      }
      const note = noted.get(collection) ?? {
        documents: new Map<string, StoredDocument | undefined>(),
        size: known?.size ?? 0,
      }
      noted.set(collection, note)
      note.size += (document ? 1 : 0) - (before ? 1 : 0)
      length = (length ?? lengthOfAll()) + (document?.length ?? 0) - (before?.length ?? 0)
      refuseExcess({ collections: collections.size + added, documents: note.size, all: length }, collection)
      note.documents.set(id, document)
    },
  }
}

/** @throws Problem 409 */
function refuseExcess(sizes: Partial<Record<Limit, number>>, collection: string): void {
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
