import {
  type ControlCall,
  type ControlHandler,
  type ControlRoutes,
  created,
  NO_CONTENT,
  LIMIT,
  ok,
  readCount,
} from '../../../engine/control-route.ts'
import { requestInvalid } from '../../../errors/request-errors.ts'
import { violation, type Problem, shown } from '../../../errors/problem.ts'
import { getFileSet, getSlot, holdsEntries, ofPresent } from './file-sets.ts'
import { isAddedField, readSentFiles } from '../read-files.ts'
import { slotsOf, prepareAdded } from '../store/entries.ts'
import type { FileChange } from '../../../../types/control-api.d.ts'
import { lazily } from '../../../formats/json-pieces.ts'
import { type EntryRecord, nameOf } from '../store/file-record.ts'
import { runSteps, type Steps } from '../../../engine/steps.ts'
import type { FileSet } from '../store/file-set.ts'
import { directoryHeld } from '../../../errors/resource-errors.ts'

const OFFSET = { least: 0, most: 2 ** 31 - 1, otherwise: 0 }

const listFiles: ControlHandler = (call) => {
  const offset = readCount(call, 'offset', OFFSET)
  const limit = readCount(call, 'limit', LIMIT)
  const { entries } = getFileSet(call)
  const { path } = call.query
  if (path === undefined) {
    const slots = [...slotsOf(entries).drop(offset).take(limit)]
    return ok({ total: entries.count, files: lazily(slots, (slot) => entries.record(slot)) })
  }
  const slot = entries.slotAt(String(path))
  return ok(slot === undefined ? { total: 0, files: [] } : { total: 1, files: [entries.record(slot)] })
}

const addFiles: ControlHandler = function* (call) {
  const { files } = call.body as { readonly files: readonly unknown[] }
  const event = yield* ofPresent(call, function* ({ id, entries }) {
    const records = yield* readSentFiles(call.rules, id, files, { present: entries })
    yield* prepareAdded(entries, records)
    return { type: 'files.added', fileSetId: id, files: records } as const
  })
  call.sandbox().commit([event])
  return created({ total: event.files.length, files: event.files })
}

const getFile: ControlHandler = function* (call) {
  yield* findId(call)
  const fileSet = getFileSet(call)
  return ok(fileSet.entries.record(getSlot(fileSet, String(call.path.fileId))))
}

const changeFile: ControlHandler = function* (call) {
  yield* findId(call)
  const fileSet = getFileSet(call)
  const slot = getSlot(fileSet, String(call.path.fileId))
  const before = fileSet.entries.record(slot)
  const file = readChanged(call, fileSet, slot, before)
  call.sandbox().commit([{ type: 'file.changed', fileSetId: fileSet.id, path: before.path, file }])
  return ok(file)
}

/** Makes in steps what it takes to find an entry that is no file by its id. */
function* findId(call: ControlCall): Steps<undefined> {
  const { entries } = getFileSet(call)
  if (entries.storedWithId(String(call.path.fileId)) === undefined) yield* entries.base.indexIds()
  return undefined
}

function readChanged(call: ControlCall, { id, entries }: FileSet, slot: number, before: EntryRecord): EntryRecord {
  const change = call.body as FileChange
  const { path = before.path, fileType = before.fileType } = change
  const isDirectory = before.fileType === 'DIRECTORY'
  if (isDirectory !== (fileType === 'DIRECTORY')) {
    const expected = isDirectory ? 'DIRECTORY, which it stays' : 'the type of a file; directories are added'
    throw requestInvalid([violation({ pointer: '/fileType' }, 'fileType', expected, fileType)])
  }
  if (isDirectory) {
    const strange = Object.keys(change).filter((name) => !(name in before) && !call.rules.isAdded('file', name))
    if (strange.length > 0)
      throw requestInvalid(
        strange.map((name) => violation({ pointer: `/${name}` }, 'directory', 'no such field of a directory')),
      )
    if (entries.isImplied(slot)) throw nonEmptyDirectory(before.path, 'is there only because something lies in it')
    if (path !== before.path && holdsEntries(entries, before.path))
      throw nonEmptyDirectory(before.path, 'holds entries')
  }
  const others = entries.with({ removed: [before.path] })
  // The pointer of the first file of a list is not what was sent: it is the body itself.
  const changed = { ...before, ...change, name: nameOf(path) }
  const [file] = runSteps(readSentFiles(call.rules, id, [changed], { present: others, pointer: '' }))
  if (!file) throw new Error(`the entry ${before.path} was neither read nor refused`)
  return file
}

const deleteFile: ControlHandler = function* (call) {
  yield* findId(call)
  const fileSet = getFileSet(call)
  const { id, entries } = fileSet
  const slot = getSlot(fileSet, String(call.path.fileId))
  const { path } = entries.record(slot)
  if (entries.isDirectory(slot) && holdsEntries(entries, path)) throw nonEmptyDirectory(path, 'holds entries')
  call.sandbox().commit([{ type: 'files.removed', fileSetId: id, paths: [path] }])
  return NO_CONTENT
}

function nonEmptyDirectory(path: string, why: string): Problem {
  return directoryHeld({
    detail: `The directory ${shown(path)} ${why}. Move or delete the entries in it.`,
  })
}

export const fileRoutes: ControlRoutes = {
  listFiles,
  addFiles: { handle: addFiles, accepts: (pointer, { rules }) => isAddedField(pointer, rules) },
  getFile,
  changeFile: { handle: changeFile, accepts: (pointer, { rules }) => rules.isAdded('file', pointer.slice(1)) },
  deleteFile,
}
