import { invalid, violation } from '../../errors/violation.ts'
import type { StoredCollection } from '../../../types/control-api.d.ts'
import type { Violation } from '../../errors/problem.ts'
import {
  COLLECTION_NAME,
  createDocuments,
  DOCUMENT_ID,
  type Documents,
  isCollectionName,
  isDocumentId,
  LONGEST_COLLECTIONS,
  LONGEST_DOCUMENT,
  MOST_COLLECTIONS,
  MOST_DOCUMENTS,
  storeDocument,
} from './collection-store.ts'

/** The collections of a state. @throws Problem 400 for what no operation could have made */
export function readCollections(stored: readonly StoredCollection[]): ReadonlyMap<string, Documents> {
  const violations: Violation[] = []
  const expect = (isSo: boolean, pointer: string, expected: string, received: unknown) => {
    if (!isSo) violations.push(violation({ pointer }, 'collections', expected, received))
  }
  const collections = new Map<string, Documents>()
  expect(stored.length <= MOST_COLLECTIONS, '/collections', `at most ${MOST_COLLECTIONS}`, stored.length)
  for (const [index, { name, made, documents }] of stored.entries()) {
    const at = `/collections/${index}`
    expect(isCollectionName(name), `${at}/name`, COLLECTION_NAME, name)
    expect(!collections.has(name), `${at}/name`, 'each collection once', name)
    expect(documents.length <= MOST_DOCUMENTS, `${at}/documents`, `at most ${MOST_DOCUMENTS}`, documents.length)
    const ids = new Set<string>()
    const held = documents.map(({ id, document }, place) => {
      const where = `${at}/documents/${place}`
      expect(isDocumentId(id), `${where}/id`, DOCUMENT_ID, id)
      expect(!ids.has(id), `${where}/id`, 'each id once', id)
      ids.add(id)
      const read = storeDocument(document)
      expect(
        read.length <= LONGEST_DOCUMENT,
        `${where}/document`,
        `at most ${LONGEST_DOCUMENT} characters`,
        read.length,
      )
      return [id, read] as const
    })
    collections.set(name, createDocuments(held, made))
  }
  const length = [...collections.values()].reduce((sum, one) => sum + one.length, 0)
  expect(length <= LONGEST_COLLECTIONS, '/collections', `at most ${LONGEST_COLLECTIONS} characters`, length)
  if (violations.length > 0) throw invalid(violations)
  return collections
}
