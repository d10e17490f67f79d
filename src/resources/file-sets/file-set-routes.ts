import type { FileChange, FileSetRequest, FileSetSummary } from '../../../types/control-api.d.ts'
import {
  type ControlCall,
  type ControlHandler,
  type ControlRoutes,
  created,
  LIMIT,
  NO_CONTENT,
  ok,
  readCount,
} from '../../engine/control-route.ts'
import { runSteps, type Steps } from '../../engine/slices.ts'
import { nearest } from '../../base/errors/wording.ts'
import { type Problem, shown, violation } from '../../base/errors/problem.ts'
import { requestInvalid } from '../../base/errors/request-errors.ts'
import {
  directoryHeld,
  fileNotFound,
  fileSetExists,
  fileSetNotFound,
  tooManyFiles,
  tooManyFileSets,
} from '../../base/errors/resource-errors.ts'
import { lazily } from '../../base/formats/json-pieces.ts'
import { type EntryRecord, nameOf } from './entries/file-record.ts'
import { childrenOf, describeFolder, directoriesIn } from './entries/children.ts'
import type { Entries } from './entries/entries.ts'
import { changeEntries, type FileSet, fileSetInSteps, MAX_FILE_SETS, prepareAdded } from './entries/file-set.ts'
import { isAddedField, readSentFiles } from './read-files.ts'

/** Each file set may be as large as one that is configured; all sets of a sandbox together this large. */
const MAX_ENTRIES = 20_000_000

const listFileSets: ControlHandler = (call) =>
  ok({ fileSets: [...call.sandbox().state.fileSets.values()].map(showFileSet) })

const readFileSet: ControlHandler = (call) => ok(showFileSet(getFileSet(call)))

const createFileSet: ControlHandler = function* (call) {
  const { id, files, generate } = call.body as FileSetRequest
  if (files !== undefined && generate !== undefined)
    throw requestInvalid([violation({ pointer: '/generate' }, 'generate', 'either files or generate', generate)])
  refuseOneMore(call)
  const fixture =
    generate === undefined ? { id, records: yield* readSentFiles(call.rules.files, id, files ?? []) } : { id, generate }
  const { seed } = call.sandbox().state
  const { firstMoment, choices } = call.rules.files
  const fileSet = yield* fileSetInSteps(fixture, { seed, firstMoment, choices })
  // Other requests may have made file sets meanwhile.
  refuseOneMore(call)
  call.sandbox().commit([{ type: 'file-set.created', fileSet }])
  return created(showFileSet(fileSet))
}

const deleteFileSet: ControlHandler = (call) => {
  const { id } = getFileSet(call)
  call.sandbox().commit([{ type: 'file-set.removed', fileSetId: id }])
  return NO_CONTENT
}

function showFileSet({ id, entries, version }: FileSet): FileSetSummary {
  const files = entries.fileCount
  return { id, files, directories: entries.count - files, version }
}

/** @throws Problem 409 when the sandbox has such a file set, or too many, or too many files */
function refuseOneMore(call: ControlCall): void {
  const { id, files, generate } = call.body as FileSetRequest
  const { name, state } = call.sandbox()
  const { fileSets } = state
  if (fileSets.has(id))
    throw fileSetExists({
      detail: `The sandbox ${name} has a file set ${shown(id)}. Take another id, or DELETE that one first.`,
    })
  if (fileSets.size >= MAX_FILE_SETS)
    throw tooManyFileSets({ detail: `A sandbox has at most ${MAX_FILE_SETS} file sets. Delete one first.` })
  const present = [...fileSets.values()].map(({ entries }) => entries.count)
  refuseTooManyEntries([...present, generate ?? files?.length ?? 0])
}

/** @throws Problem 409 when a sandbox would hold too much */
export function refuseTooManyEntries(numbers: readonly number[]): void {
  const entries = numbers.reduce((sum, each) => sum + each, 0)
  if (entries <= MAX_ENTRIES) return
  throw tooManyFiles({
    detail: `A sandbox holds at most ${MAX_ENTRIES} files and directories; this would make ${entries}. Delete a file set first.`,
  })
}

/** @throws Problem 404 */
function getFileSet(call: ControlCall): FileSet {
  const { name, state } = call.sandbox()
  const id = String(call.path.fileSetId)
  const found = state.fileSets.get(id)
  if (found) return found
  const meant = nearest(id, state.fileSets.keys())
  throw fileSetNotFound({
    detail: `The sandbox ${name} has no file set ${shown(id)}. ${meant === undefined ? 'GET /__mock/file-sets lists them.' : `Did you mean ${shown(meant)}?`}`,
  })
}

const OFFSET = { least: 0, most: 2 ** 31 - 1, otherwise: 0 }

const listFiles: ControlHandler = (call) => {
  const offset = readCount(call, 'offset', OFFSET)
  const limit = readCount(call, 'limit', LIMIT)
  const { entries } = getFileSet(call)
  const { path, directory } = call.query
  if (path !== undefined && directory !== undefined)
    throw requestInvalid([violation({ parameter: 'directory' }, 'directory', 'either path or directory', directory)])
  if (directory !== undefined) {
    const holder = entries.findDirectory(String(directory))
    const slots = holder === undefined ? [] : childrenOf(entries, holder)
    return ok({ total: slots.length, files: recordsOf(entries, slots.slice(offset, offset + limit)) })
  }
  if (path === undefined) {
    const slots = [...entries.slots().drop(offset).take(limit)]
    return ok({ total: entries.count, files: recordsOf(entries, slots) })
  }
  const slot = entries.slotAt(String(path))
  return ok(slot === undefined ? { total: 0, files: [] } : { total: 1, files: [entries.record(slot)] })
}

function recordsOf(entries: Entries, slots: readonly number[]) {
  return lazily(slots, (slot) => entries.record(slot))
}

const listDirectories: ControlHandler = (call) => {
  const offset = readCount(call, 'offset', OFFSET)
  const limit = readCount(call, 'limit', LIMIT)
  const { entries } = getFileSet(call)
  const directory = entries.findDirectory(String(call.query.directory ?? ''))
  const paths = directory === undefined ? [] : directoriesIn(entries, directory)
  const shown = paths.slice(offset, offset + limit).map((path) => describeFolder(entries, path))
  return ok({ total: paths.length, directories: shown })
}

const addFiles: ControlHandler = function* (call) {
  const { files } = call.body as { readonly files: readonly unknown[] }
  // Files without a date get the present one.
  const rules = { ...call.rules.files, firstMoment: call.sandbox().now() }
  for (;;) {
    const { id, entries } = getFileSet(call)
    const records = yield* readSentFiles(rules, id, files, { present: entries })
    yield* prepareAdded(entries, records)
    // Another request may have changed the file set between two steps: then the files are read again.
    if (getFileSet(call).entries !== entries) continue
    call.sandbox().commit([{ type: 'files.added', fileSetId: id, files: records }])
    return created({ total: records.length, files: records })
  }
}

const getFile: ControlHandler = function* (call) {
  const { entries, slot } = yield* getEntry(call)
  return ok(entries.record(slot))
}

const changeFile: ControlHandler = function* (call) {
  const found = yield* getEntry(call)
  const { path } = found.entries.record(found.slot)
  const file = readChanged(call, found)
  call.sandbox().commit([{ type: 'file.changed', fileSetId: found.entries.fileSetId, path, file }])
  return ok(file)
}

const deleteFile: ControlHandler = function* (call) {
  const { entries, slot } = yield* getEntry(call)
  const { path } = entries.record(slot)
  if (entries.isDirectory(slot) && holdsEntries(entries, path)) throw nonEmptyDirectory(path, 'holds entries')
  call.sandbox().commit([{ type: 'files.removed', fileSetId: entries.fileSetId, paths: [path] }])
  return NO_CONTENT
}

interface FoundEntry {
  readonly entries: Entries
  readonly slot: number
}

/** The entry that the path names. @throws Problem 404 */
function* getEntry(call: ControlCall): Steps<FoundEntry> {
  const id = String(call.path.fileId)
  const before = getFileSet(call).entries
  // The ids of implied directories are made in steps before they are looked up.
  if (before.storedWithId(id) === undefined) yield* before.base.indexIds()
  const { entries } = getFileSet(call)
  const slot = entries.slotWithId(id)
  if (slot !== undefined) return { entries, slot }
  throw fileNotFound({
    detail: `The file set ${shown(entries.fileSetId)} has no entry with the id ${shown(id)}. GET its files with ?path= to find one by path.`,
  })
}

function readChanged(call: ControlCall, { entries, slot }: FoundEntry): EntryRecord {
  const before = entries.record(slot)
  const change = call.body as FileChange
  const { path = before.path, fileType = before.fileType } = change
  const isDirectory = before.fileType === 'DIRECTORY'
  if (isDirectory !== (fileType === 'DIRECTORY')) {
    const expected = isDirectory ? 'DIRECTORY, which it stays' : 'the type of a file; directories are added'
    throw requestInvalid([violation({ pointer: '/fileType' }, 'fileType', expected, fileType)])
  }
  if (isDirectory) {
    const unknown = Object.keys(change).filter((name) => !(name in before) && !call.rules.files.isAdded(name))
    if (unknown.length > 0)
      throw requestInvalid(
        unknown.map((name) => violation({ pointer: `/${name}` }, 'directory', 'no such field of a directory')),
      )
    if (entries.isImplied(slot)) throw nonEmptyDirectory(before.path, 'is there only because something lies in it')
    if (path !== before.path && holdsEntries(entries, before.path))
      throw nonEmptyDirectory(before.path, 'holds entries')
  }
  const others = changeEntries(entries, { removed: [before.path] })
  // The body is the file itself, not a list of files.
  const changed = { ...before, ...change, name: nameOf(path) }
  const [file] = runSteps(
    readSentFiles(call.rules.files, entries.fileSetId, [changed], { present: others, pointer: '' }),
  )
  if (!file) throw new Error(`the entry ${before.path} was neither read nor refused`)
  return file
}

/** Whether a directory contains entries, which imply it. */
function holdsEntries(entries: Entries, path: string): boolean {
  return changeEntries(entries, { removed: [path] }).findDirectory(path) !== undefined
}

function nonEmptyDirectory(path: string, why: string): Problem {
  return directoryHeld({ detail: `The directory ${shown(path)} ${why}. Move or delete the entries in it.` })
}

export const fileSetRoutes: ControlRoutes = {
  listFileSets,
  createFileSet: { handle: createFileSet, accepts: (pointer, { rules }) => isAddedField(pointer, rules) },
  getFileSet: readFileSet,
  deleteFileSet,
  listFiles,
  listDirectories,
  addFiles: { handle: addFiles, accepts: (pointer, { rules }) => isAddedField(pointer, rules) },
  getFile,
  changeFile: { handle: changeFile, accepts: (pointer, { rules }) => rules.files.isAdded(pointer.slice(1)) },
  deleteFile,
}
