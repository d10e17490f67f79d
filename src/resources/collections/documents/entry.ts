import type { Vector } from '../../../engine/persistent.ts'
import type { StoredDocument } from './stored-document.ts'

/** A document of a collection. It is never changed: another one takes its place. */
export interface Entry {
  readonly id: string
  /** The number of its creation. Those of later documents are larger. */
  readonly seq: number
  readonly document: StoredDocument
}

/** Documents in the order they were created, by place; undefined where one was removed. */
export type DocumentEntries = Vector<Entry | undefined>

/** In the order they were created. */
export function* entriesIn({ pages }: DocumentEntries): Generator<Entry, undefined> {
  for (const page of pages) {
    for (const entry of page ?? []) if (entry) yield entry
  }
}
