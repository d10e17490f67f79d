import { resolve } from 'node:path'
import { type Naming, readText } from './read-text.ts'
import { createDocument, type SourceFile } from './source-file.ts'

/** A process rarely serves more contracts in turn, each of a few files, and each can be large. */
const MOST_SHARED = 16

/** Documents that were read last, by path and name in messages. */
const sharedDocuments = new Map<string, { readonly text: string; readonly document: SourceFile }>()

/**
 * Like `readSourceFile`, for a file that several instances read in turn: it is parsed again only when its text is another. Its value is
 * frozen, so that no instance can change it for the others.
 */
export function readShared(file: string, naming: Naming = {}): SourceFile {
  const text = readText(file, naming)
  const shownAs = naming.shownAs ?? file
  const key = JSON.stringify([resolve(file), shownAs])
  const known = sharedDocuments.get(key)
  const document = known?.text === text ? known.document : createDocument(shownAs, text)
  sharedDocuments.delete(key)
  sharedDocuments.set(key, { text, document })
  for (const oldest of sharedDocuments.keys()) {
    if (sharedDocuments.size <= MOST_SHARED) break
    sharedDocuments.delete(oldest)
  }
  if (document !== known?.document) freeze(document.value)
  return document
}

/** Aliases of YAML lead to one object from several places. */
function freeze(value: unknown): void {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return
  Object.freeze(value)
  for (const inner of Object.values(value)) freeze(inner)
}
