import { hash } from 'node:crypto'
import { resolve } from 'node:path'
import { deepFreeze } from './deep-freeze.ts'
import { type Naming, readText } from './read-text.ts'
import { createDocument, type SourceFile } from './source-file.ts'

/** A process rarely serves more contracts in turn, each of a few files with a few fixtures, and each can be large. */
const MOST_SHARED = 32

/** Documents that were read last, by path and name in messages. */
const sharedDocuments = new Map<string, { readonly text: string; readonly document: SourceFile }>()

/**
 * Like `readSourceFile`, for a file that several instances read in turn: it is parsed again only when its text is another. Its value is
 * frozen, so that no instance can change it for the others.
 */
export function readShared(file: string, naming: Naming = {}): SourceFile {
  return share(resolve(file), naming.shownAs ?? file, readText(file, naming))
}

/** The same for a text that several instances are given in turn. */
export function createShared(shownAs: string, text: string): SourceFile {
  return share(`text ${hash('sha256', text)}`, shownAs, text)
}

function share(source: string, shownAs: string, text: string): SourceFile {
  const key = JSON.stringify([source, shownAs])
  const known = sharedDocuments.get(key)
  const document = known?.text === text ? known.document : { ...createDocument(shownAs, text), isConstant: true }
  sharedDocuments.delete(key)
  sharedDocuments.set(key, { text, document })
  for (const oldest of sharedDocuments.keys()) {
    if (sharedDocuments.size <= MOST_SHARED) break
    sharedDocuments.delete(oldest)
  }
  if (document !== known?.document) deepFreeze(document.value)
  return document
}
