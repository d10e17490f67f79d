import type { StoredCollection } from '../../../../types/control-api.d.ts'
import type { Steps } from '../../../engine/slices.ts'
import type { StateRules, Writing } from '../../../engine/state.ts'
import { type Violation, violation } from '../../../base/errors/problem.ts'
import { requestInvalid } from '../../../base/errors/request-errors.ts'
import { createDocuments, type Documents, MOST_REMOVED } from './documents.ts'
import {
  type StoredDocument,
  storeDocument,
  writeDocument,
  entriesIn,
  COLLECTION_NAME,
  DOCUMENT_ID,
  isCollectionName,
  isDocumentId,
  type Limit,
  LIMITS,
} from './stored-document.ts'

/** A collection as state documents have it. */
export function writeCollection(name: string, documents: Documents, list: Writing['list']): StoredCollection {
  const removed = [...documents.removed]
  return {
    name,
    made: documents.made,
    documents: list(writeDocuments(documents), (written) => written),
    ...(removed.length > 0 ? { removed } : {}),
  }
}

/** The number of a creation is written where it is not the next one. */
function* writeDocuments({ entries }: Documents): Generator<StoredCollection['documents'][number]> {
  let next = 1
  for (const { id, seq, document } of entriesIn(entries)) {
    yield { id, ...writeDocument(document), ...(seq === next ? {} : { number: seq }) }
    next = seq + 1
  }
}

interface StateReading {
  readonly expect: Expect
  readonly violations: Violation[]
  readonly rules: StateRules | undefined
}

type Expect = (isSo: boolean, pointer: string, expected: string, received: unknown) => void

/**
 * @param rules how documents are checked; absent for what Standin wrote itself
 * @throws Problem 400 for what no operation could have created
 */
export function* readCollections(
  stored: readonly StoredCollection[],
  rules?: StateRules,
): Steps<ReadonlyMap<string, Documents>> {
  const violations: Violation[] = []
  const expect: Expect = (isSo, pointer, expected, received) => {
    if (!isSo) violations.push(violation({ pointer }, 'collections', expected, received))
  }
  const collections = new Map<string, Documents>()
  expectLimit(expect, 'collections', stored.length, '/collections')
  for (const [index, collection] of stored.entries()) {
    const { name } = collection
    const at = `/collections/${index}`
    expect(isCollectionName(name), `${at}/name`, COLLECTION_NAME, name)
    expect(!collections.has(name), `${at}/name`, 'each collection once', name)
    collections.set(name, yield* readCollection(collection, at, { expect, violations, rules }))
  }
  const length = [...collections.values()].reduce((sum, one) => sum + one.length, 0)
  expectLimit(expect, 'all', length, '/collections', ' characters')
  if (violations.length > 0) throw requestInvalid(violations)
  return collections
}

/** Documents that are read between two steps. */
const STEP = 256

function* readCollection(
  { name, made, documents, removed = [] }: StoredCollection,
  at: string,
  { expect, violations, rules }: StateReading,
): Steps<Documents> {
  const complete = rules?.collections.readerOf(name)
  expectLimit(expect, 'documents', documents.length, `${at}/documents`)
  expect(removed.length <= MOST_REMOVED, `${at}/removed`, `at most ${MOST_REMOVED}`, removed.length)
  const ids = new Set<string>()
  const held: [id: string, document: StoredDocument, seq: number][] = []
  let last = 0
  for (const [place, { id, document, hidden, number = last + 1 }] of documents.entries()) {
    const where = `${at}/documents/${place}`
    expect(isDocumentId(id), `${where}/id`, DOCUMENT_ID, id)
    expect(!ids.has(id), `${where}/id`, 'each id once', id)
    expect(number > last, `${where}/number`, `more than ${last}`, number)
    ids.add(id)
    last = number
    const completed = complete?.(id, document)
    violations.push(...(completed?.violations ?? []).map((one) => inDocument(one, `${where}/document`)))
    const read = storeDocument(completed?.value ?? document, hidden)
    expectLimit(expect, 'document', read.length, `${where}/document`, ' characters')
    held.push([id, read, number])
    if (complete || place % STEP === STEP - 1) yield
  }
  return createDocuments(held, made, removed)
}

/** A violation in a document as one in the body that holds it. */
function inDocument(found: Violation, at: string): Violation {
  const { pointer = '', message } = found
  const said = message.slice((pointer || WHOLE).length)
  return { ...found, pointer: `${at}${pointer}`, message: `${at}${pointer}${said} Change it, or remove it.` }
}

const WHOLE = 'the body'

function expectLimit(expect: Expect, name: Limit, size: number, pointer: string, unit = ''): void {
  expect(size <= LIMITS[name], pointer, `at most ${LIMITS[name]}${unit}`, size)
}
