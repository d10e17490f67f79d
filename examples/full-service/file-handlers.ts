import { createHash } from 'node:crypto'
import { type CallView, events, type FileSetView, operationsOf, problem, type StateView } from 'standin'
import type { components, operations } from './contract.d.ts'
import { noFileSet } from './file-set-handlers.ts'

const defineOperation = operationsOf<operations>()

type FileRecord = components['schemas']['FileRecord']

/** The bytes of an uploaded file, by the file's id. */
interface Content {
  readonly base64: string
}

const CONTENTS = 'contents'

export const fileHandlers = [
  defineOperation('getFile', (state, { path }) => {
    const found = find(state, path)
    return found.kind === 'file' ? { status: 200, body: found.file } : found
  }),

  defineOperation('getFileByPath', (state, { path: { fileSetId }, query: { path } }) => {
    const fileSet = state.fileSets.get(fileSetId)
    if (!fileSet) return noFileSet(fileSetId)
    const file = fileIn(fileSet.at(path))
    return file
      ? { status: 200, body: file }
      : problem(404, 'There is no such file', `${fileSetId} has no file ${path}.`)
  }),

  defineOperation('uploadFile', (state, call) => {
    const { fileSetId } = call.path
    const fileSet = state.fileSets.get(fileSetId)
    if (!fileSet) return noFileSet(fileSetId)
    const { path, content } = call.body
    if (fileSet.at(path)) return problem(409, 'The path is taken', `${fileSetId} has ${path} already.`)
    const file = createRecord(call)
    return {
      status: 201,
      body: file,
      events: [events.addFiles(fileSetId, [file]), events.create(CONTENTS, file.id, { base64: content })],
    }
  }),

  defineOperation('downloadFile', (state, { path }) => {
    const found = find(state, path)
    if (found.kind !== 'file') return found
    const content = state.collection<Content>(CONTENTS).get(path.fileId)
    if (!content) return problem(404, 'There is no content', `${found.file.path} was not uploaded here.`)
    return {
      status: 200,
      body: Buffer.from(content.base64, 'base64'),
      contentType: found.file.contentType ?? 'application/octet-stream',
    }
  }),

  defineOperation('deleteFile', (state, { path }) => {
    const found = find(state, path)
    if (found.kind !== 'file') return found
    const hasContent = state.collection(CONTENTS).has(path.fileId)
    return {
      status: 204,
      events: [
        events.removeFiles(path.fileSetId, [found.file.path]),
        ...(hasContent ? [events.remove(CONTENTS, path.fileId)] : []),
      ],
    }
  }),
]

interface Place {
  readonly fileSetId: string
  readonly fileId: string
}

function find(state: StateView, { fileSetId, fileId }: Place) {
  const fileSet = state.fileSets.get(fileSetId)
  if (!fileSet) return noFileSet(fileSetId)
  const file = fileIn(fileSet.get(fileId))
  return file
    ? { kind: 'file' as const, file }
    : problem(404, 'There is no such file', `${fileSetId} has no file ${fileId}.`)
}

/** A file set holds directories too, which have no record of a file. */
function fileIn(entry: ReturnType<FileSetView['get']>): FileRecord | undefined {
  return entry && 'contentType' in entry ? (entry as FileRecord) : undefined
}

function createRecord({ body, identity, now, uuid }: CallView<operations['uploadFile']>): FileRecord {
  const { path, content, contentType = 'application/octet-stream' } = body
  const bytes = Buffer.from(content, 'base64')
  return {
    id: uuid(),
    path,
    name: path.slice(path.lastIndexOf('/') + 1),
    fileType: contentType.startsWith('image/') ? 'IMAGE' : 'DOCUMENT',
    contentType,
    size: bytes.length,
    hash: createHash('sha256').update(bytes).digest('hex'),
    hashAlgorithm: 'SHA_256_HEX',
    downloadUrl: '',
    created: new Date(now).toISOString(),
    createdBy: Number(identity.userId),
    connectorKey: null,
    indexStatus: null,
    indexReason: null,
  }
}
