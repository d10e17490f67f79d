import type { DocumentList, StoredCollection } from '../../../../types/control-api.d.ts'
import {
  type ControlCall,
  type ControlHandler,
  created,
  LIMIT,
  NO_CONTENT,
  ok,
  readCount,
} from '../../../engine/control-route.ts'
import type { StateEvent } from '../../../engine/state.ts'
import { violation } from '../../../base/errors/problem.ts'
import { requestInvalid } from '../../../base/errors/request-errors.ts'
import { withArticle } from '../../../base/errors/wording.ts'
import { documentRequired, itemExists } from '../../../base/errors/resource-errors.ts'
import { lazily } from '../../../base/formats/json-pieces.ts'
import { inSlices } from '../../../engine/slices.ts'
import { EventDefect, whenReady } from '../../handler.ts'
import { documentsOf } from '../collection-state.ts'
import { firstId } from '../documents/documents.ts'
import { createDocumentReader, type DocumentEvent, type FactsOf } from '../documents/read-document-event.ts'
import { type StoredDocument, writeDocument, entriesIn } from '../documents/stored-document.ts'
import type { TimedLifecycles } from '../lifecycles/transition-scheduler.ts'
import { removeChildren } from '../operations/cascade.ts'
import { SINGLETON } from '../operations/instance-name.ts'
import { mergePatch } from '../../../base/formats/merge-patch.ts'
import { nextId, idOf } from '../documents/ids.ts'
import { findCollectionSchema } from './collection-schema.ts'
import { completeDocument } from './complete-document.ts'
import { findDocument, findInstance, type NamedInstance, notFound } from './find-instance.ts'
import type { KnownCollections } from './known-collections.ts'
import { listCollections } from './list-collections.ts'
import type { Members } from '../../../base/formats/json.ts'

const OFFSET = { least: 0, most: 2 ** 31 - 1, otherwise: 0 }

/** @param known what is known once the contract was read, as `timed` is */
export function createCollectionRoutes(known: () => KnownCollections, timed: () => TimedLifecycles) {
  const write = createWriter(known, timed)
  const find = (call: ControlCall) => findInstance(call, known())
  return {
    listCollections: (call) => ok(listCollections(call, known())),
    getCollectionSchema: async (call) => ok(await findCollectionSchema(call, known())),
    async listDocuments(call) {
      const offset = readCount(call, 'offset', OFFSET)
      const limit = readCount(call, 'limit', LIMIT)
      const { documents } = await find(call)
      const page = entriesIn(documents.entries).drop(offset).take(limit)
      return ok({
        total: documents.size,
        documents: lazily(page, ({ id, document }) => show(id, document)),
      } satisfies DocumentList)
    },
    async createDocument(call) {
      const instance = await find(call)
      const { plan, documents } = instance
      const { state } = call.sandbox()
      const value = call.body as Members
      const sent = plan?.isSingleton ? SINGLETON : plan && idOf(plan.identity, value)
      const id =
        sent ??
        (plan
          ? nextId(plan, known().document, {
              documents,
              instance: instance.name,
              seed: state.seed,
              like: firstId(documents),
            })
          : nextNumber(instance))
      if (documents.get(id))
        throw itemExists({ detail: `There is ${withArticle(plan?.noun ?? 'document')} ${id} already.` })
      return createdAt(call, instance, write(call, { instance, id, value }))
    },
    async getDocument(call) {
      const id = String(call.path.id)
      return ok(show(id, findDocument(await find(call), id)))
    },
    async putDocument(call) {
      const instance = await find(call)
      const id = String(call.path.id)
      const before = instance.documents.get(id)
      if (instance.plan?.isSingleton && !before) notFound(instance, id)
      const written = write(call, { instance, id, value: call.body as Members })
      return before ? ok(written) : createdAt(call, instance, written)
    },
    async changeDocument(call) {
      const instance = await find(call)
      const id = String(call.path.id)
      const value = mergePatch(findDocument(instance, id).value, call.body) as Members
      return ok(write(call, { instance, id, value }))
    },
    async deleteDocument(call) {
      const instance = await find(call)
      const { name, plan, parents } = instance
      const id = String(call.path.id)
      findDocument(instance, id)
      if (plan?.isSingleton) throw documentRequired({ detail: `${name} is one document that always exists.` })
      const { document, collections, operations } = known()
      const { state, settings } = call.sandbox()
      const cascade = () => settings['collections.cascade']
      const knownHere = { document, collections, operations: [...operations.values()] }
      const children = plan
        ? await inSlices(
            whenReady(() => removeChildren(knownHere, { state, collection: plan, parents, id, cascade })),
            call.pause,
          )
        : []
      store(call, { type: 'remove-document', collection: name, id }, { before: children })
      return NO_CONTENT
    },
  } satisfies Record<string, ControlHandler>
}

interface DocumentToWrite {
  readonly instance: NamedInstance
  readonly id: string
  readonly value: Members
}

/** Creates or replaces a document. @throws Problem 400 or 409 */
type WriteDocument = (call: ControlCall, written: DocumentToWrite) => WrittenRecord

function createWriter(known: () => KnownCollections, timed: () => TimedLifecycles): WriteDocument {
  return (call, { instance, id, value }) => {
    const { name, plan, documents } = instance
    const sandbox = call.sandbox()
    const now = sandbox.now()
    const document = plan ? completeDocument(known(), plan, { name, id, value, now, seed: sandbox.state.seed }) : value
    const type = documents.get(id) ? 'update-document' : 'create-document'
    const factsOf: FactsOf = (collection, written) => timed().factsOf(collection, { ...written, now })
    store(call, { type, collection: name, id, document }, { factsOf })
    return show(id, findDocument({ ...instance, documents: documentsOf(sandbox.state, name) ?? documents }, id))
  }
}

/** @throws Problem 400 or 409 */
function store(
  call: ControlCall,
  event: DocumentEvent,
  { factsOf = () => undefined, before = [] }: { readonly factsOf?: FactsOf; readonly before?: readonly StateEvent[] },
): void {
  const sandbox = call.sandbox()
  try {
    sandbox.commit([...before, createDocumentReader(sandbox.state, factsOf)(event)])
  } catch (error) {
    if (!(error instanceof EventDefect)) throw error
    throw requestInvalid([violation({ pointer: '' }, 'document', error.message)])
  }
}

/** The next id of a collection whose ids are numbers. */
function nextNumber({ documents }: NamedInstance): string {
  let next = documents.made + 1
  while (documents.get(String(next))) next++
  return String(next)
}

/** RFC 9110, 15.3.2. */
function createdAt(call: ControlCall, { name }: NamedInstance, written: WrittenRecord) {
  const path = [name, written.id].map(encodeURIComponent).join('/')
  return { ...created(written), location: `${call.address()}/__mock/collections/${path}` }
}

type WrittenRecord = StoredCollection['documents'][number]

function show(id: string, document: StoredDocument): WrittenRecord {
  return { id, ...writeDocument(document) }
}
