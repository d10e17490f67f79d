import { createCache } from '../cache.ts'
import { hash } from 'node:crypto'
import { resolve } from 'node:path'
import { deepFreeze } from './deep-freeze.ts'
import { type Naming, readText } from './read-text.ts'
import { createDocument, type SourceFile } from './source-file.ts'

/**
 * Documents that were read last, by path and name in messages. A process rarely serves more contracts in turn, each of a few files with a
 * few fixtures, and each can be large.
 */
const sharedDocuments = createCache<string, { readonly text: string; readonly document: SourceFile }>({ most: 64 })

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
  if (known?.text === text) return known.document
  const document = { ...createDocument(shownAs, text), isConstant: true }
  sharedDocuments.set(key, { text, document })
  deepFreeze(document.value)
  return document
}
