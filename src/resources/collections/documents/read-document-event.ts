import { EventDefect } from '../../handler.ts'
import { requireDocuments } from '../collection-state.ts'
import { nearest } from '../../../base/errors/wording.ts'
import { shown } from '../../../base/errors/problem.ts'
import { createNotes, type Notes, refuseExcess } from './limit-changes.ts'
import {
  type HiddenFacts,
  NoJson,
  type StoredDocument,
  storeDocument,
  COLLECTION_NAME,
  DOCUMENT_ID,
  isCollectionName,
  isDocumentId,
} from './stored-document.ts'
import type { StateEvent, State } from '../../../engine/state.ts'

/** An event of a user's handler on documents. */
export type DocumentEvent =
  | { readonly type: 'create-document'; readonly collection: string; readonly id: string; readonly document: object }
  | { readonly type: 'update-document'; readonly collection: string; readonly id: string; readonly document: object }
  | { readonly type: 'remove-document'; readonly collection: string; readonly id: string }

/** The hidden facts of a document after a write. @param before undefined for a new one */
export type FactsOf = (
  collection: string,
  document: { readonly before: StoredDocument | undefined; readonly value: unknown },
) => HiddenFacts | undefined

/** Reads the document events of one response. */
type ReadDocumentEvent = (event: DocumentEvent) => StateEvent

/**
 * Reads document events one by one. It keeps track of earlier ones, which are not in the state yet.
 *
 * @throws EventDefect for an impossible event, Problem 409 beyond a limit, NotReady for documents that are to be made first
 */
export function createDocumentReader(state: State, factsOf: FactsOf): ReadDocumentEvent {
  const notes = createNotes(state)
  return (event) => {
    if (isCollectionName(event.collection)) requireDocuments(state, event.collection)
    switch (event.type) {
      case 'create-document': {
        const { collection, id } = named(event)
        if (notes.get(collection, id))
          throw new EventDefect(
            `there is a document ${shown(id)} in ${collection} already. Update it, or take another id.`,
          )
        const document = read(event.document, factsOf(collection, { before: undefined, value: event.document }))
        notes.set(collection, id, document)
        return { type: 'document.created', collection, id, document }
      }
      case 'update-document': {
        const { collection, id } = present(event, notes)
        const before = notes.get(collection, id)
        const document = read(event.document, factsOf(collection, { before, value: event.document }))
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
