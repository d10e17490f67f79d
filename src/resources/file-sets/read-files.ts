import type { StateRules } from '../../engine/state.ts'
import { isObject } from '../../base/formats/json.ts'
import { shown, StartupError, type Violation } from '../../base/errors/problem.ts'
import { requestInvalid } from '../../base/errors/request-errors.ts'
import { runSteps, type Steps } from '../../engine/slices.ts'
import { type FixtureReader, readList, readMembers, readOrLeaveOut, saidBy } from '../fixture-reader.ts'
import { completeRecord, type EntryRecord, FIELDS, type FileRules } from './entries/file-record.ts'
import type { Entries } from './entries/entries.ts'
import type { FileSetFixture } from './entries/file-set.ts'

/** For files that Standin wrote itself: they were checked before, and the present settings may refuse them. */
export const TRUSTED: FileRules = { firstMoment: 0, isAdded: () => true, checkRecord: () => [] }

export interface FileReader extends FixtureReader {
  readonly rules: FileRules
  /** Whether the file set already has an entry with the id; none has when absent. */
  readonly isTaken?: (id: string) => boolean
}

/** A file set has at most as many generated files. */
export const MAX_FILES = 10_000_000

export function readFileSetFixture(value: unknown, pointer: string, reader: FileReader): FileSetFixture | undefined {
  const { id, files, generate } = readMembers(value, pointer, ['id', 'files', 'generate'], 'A file set', reader)
  if (typeof id !== 'string' || id === '') {
    const given =
      id === undefined ? 'The file set has no `id`. Add one' : `The \`id\` of the file set is ${shown(id)}. Give it one`
    reader.complain(pointer, `${given}: any text that is not empty, in quotes if it looks like a number.`)
    return undefined
  }
  if (generate !== undefined) {
    const fits = typeof generate === 'number' && Number.isInteger(generate) && generate >= 0 && generate <= MAX_FILES
    if (files !== undefined)
      reader.complain(pointer, `The file set ${id} has both \`files\` and \`generate\`. Remove one of them.`)
    else if (!fits)
      reader.complain(
        `${pointer}/generate`,
        `\`generate\` must be a number of files from 0 to ${MAX_FILES}; it is ${shown(generate)}.`,
      )
    else return { id, generate }
    return undefined
  }
  const list = readList(files, `${pointer}/files`, reader)
  if (!reader.isChecked) return { id, records: readRecordsOf(id, list, pointer, reader) }
  const complain = (at: string, complaint: string) => {
    throw new Error(`a fixture of the package is wrong: ${at}: ${complaint}`)
  }
  return {
    id,
    files: list.filter((file) => !isObject(file) || file.fileType !== 'DIRECTORY').length,
    readRecords: () => readRecordsOf(id, list, pointer, { ...reader, complain }),
  }
}

function readRecordsOf(id: string, files: readonly unknown[], pointer: string, reader: FileReader): EntryRecord[] {
  const records = files.flatMap(
    (file, index) => readOrLeaveOut(reader, (strict) => readFile(file, id, `${pointer}/files/${index}`, strict)) ?? [],
  )
  runSteps(refuseClashes(records, pointer, reader))
  return records
}

const MAX_COMPLAINTS = 20

/**
 * Reads files to be added to `present`, each written as in a fixture.
 *
 * @throws StartupError with everything that is wrong
 */
export function readAddedFiles(
  fileSetId: string,
  values: readonly unknown[],
  present: Entries,
  rules: FileRules,
): EntryRecord[] {
  const complaints: string[] = []
  const complain = (pointer: string, complaint: string) => complaints.push(`${fileSetId} ${pointer}: ${complaint}`)
  const records = runSteps(readGivenFiles(fileSetId, values, present, { rules, complain }))
  if (complaints.length > 0) throw new StartupError(complaints.slice(0, MAX_COMPLAINTS))
  return records
}

/**
 * Reads files from the body of a request, to be added to `present`.
 *
 * @param pointer of the list in the body
 * @throws Problem 400 with everything that is wrong
 */
export function* readSentFiles(
  rules: FileRules,
  fileSetId: string,
  values: readonly unknown[],
  { present, pointer = '/files' }: { readonly present?: Entries; readonly pointer?: string } = {},
): Steps<EntryRecord[]> {
  const violations: Violation[] = []
  const complain = (at: string, message: string) => {
    const place = pointer + at.slice('/files'.length)
    violations.push({ pointer: place, code: 'file', message, expected: 'a file as in a fixture' })
  }
  const records = yield* readGivenFiles(fileSetId, values, present, { rules, complain })
  if (violations.length > 0) throw requestInvalid(violations)
  return records
}

/** Reads files to be added to `present`. The reader receives the complaints, each with a pointer that begins with `/files`. */
export function* readGivenFiles(
  fileSetId: string,
  values: readonly unknown[],
  present: Entries | undefined,
  reader: FileReader,
): Steps<EntryRecord[]> {
  const isTaken = (id: string) => present?.storedWithId(id) !== undefined
  const records: EntryRecord[] = []
  for (const [index, value] of values.entries()) {
    const record = readFile(value, fileSetId, `/files/${index}`, { ...reader, isTaken })
    if (record) records.push(record)
    yield
  }
  yield* refuseClashes(records, '', reader, present)
  return records
}

function readFile(value: unknown, fileSetId: string, pointer: string, reader: FileReader): EntryRecord | undefined {
  const { rules, complain, isTaken = () => false } = reader
  const isAdded = (field: string) => rules.isAdded(field)
  const given = readMembers(value, pointer, FIELDS, pointer, { complain, isAdded })
  const { path, name, fileType } = given
  if (path === undefined) {
    complain(pointer, `${pointer} has no \`path\`. Add one, or remove the file.`)
    return undefined
  }
  const fault = findPathFault(path)
  if (fault !== undefined || typeof path !== 'string') {
    complain(`${pointer}/path`, `${pointer} has the path ${shown(path)}, which ${fault ?? 'is not text'}.`)
    return undefined
  }
  if (name !== undefined && name !== path.split('/').at(-1))
    complain(
      `${pointer}/name`,
      `${pointer} has the name ${shown(name)}, but its path ends otherwise. Leave the name out.`,
    )
  if (typeof fileType === 'string' && fileType !== 'DIRECTORY' && /^(directory|dir|folder)$/i.test(fileType))
    complain(`${pointer}/fileType`, `${pointer} has the fileType ${shown(fileType)}. Write DIRECTORY for a directory.`)
  const record = completeRecord(fileSetId, { ...given, path }, { ...rules, isTaken })
  for (const { pointer: at = '', expected, received = 'nothing', source } of rules.checkRecord(record).slice(0, 3))
    complain(
      `${pointer}${at}`,
      `${pointer} (${path}): ${at.slice(1) || 'the record'} must be ${expected}; it is ${received}.${saidBy(source, reader)}`,
    )
  return record
}

/** Bytes. */
export const LONGEST_PATH = 4096

function findPathFault(path: unknown): string | undefined {
  if (typeof path !== 'string') return 'is not text; put it in quotes'
  if (path === '') return 'is empty; a path names the file and the directories above it'
  if (path.includes('\0')) return 'holds a NUL character; remove it'
  if (path.startsWith('/') || path.endsWith('/')) return 'begins or ends with a slash; remove it'
  if (path.split('/').some((segment) => segment === '' || segment === '.' || segment === '..'))
    return 'has an empty, `.` or `..` segment; remove it'
  return Buffer.byteLength(path) > LONGEST_PATH ? `is longer than ${LONGEST_PATH} bytes; shorten it` : undefined
}

/** Each path and each id belongs to one entry, and no entry lies inside a file. */
function* refuseClashes(
  records: readonly EntryRecord[],
  pointer: string,
  { complain }: FixtureReader,
  present?: Entries,
): Steps<undefined> {
  const paths = new Map<string, EntryRecord>()
  const ids = new Set<string>()
  for (const [index, record] of records.entries()) {
    const at = `${pointer}/files/${index}`
    if (paths.has(record.path) || present?.storedAt(record.path))
      complain(`${at}/path`, `The path ${shown(record.path)} is there twice. Remove one, or rename it.`)
    else if (ids.has(record.id) || present?.storedWithId(record.id))
      complain(`${at}/id`, `The id ${shown(record.id)} is there twice. Leave it out to have one made.`)
    else if (record.fileType !== 'DIRECTORY' && present?.findDirectory(record.path) !== undefined)
      complain(`${at}/path`, `${shown(record.path)} is a directory already, with files in it. Rename one of them.`)
    paths.set(record.path, record)
    ids.add(record.id)
    yield
  }
  for (const [index, { path }] of records.entries()) {
    for (let slash = path.indexOf('/'); slash > 0; slash = path.indexOf('/', slash + 1)) {
      const above = paths.get(path.slice(0, slash)) ?? present?.storedAt(path.slice(0, slash))
      if (above && above.fileType !== 'DIRECTORY')
        complain(
          `${pointer}/files/${index}/path`,
          `${shown(path)} lies within ${shown(above.path)}, which is a file. Rename one of them.`,
        )
    }
    yield
  }
  return undefined
}

/** Whether a member of a list of files is a field that the user's contract adds, by its JSON pointer. */
export function isAddedField(pointer: string, { files }: StateRules): boolean {
  const [holder = '', name = ''] = pointer.split(/\/(?=[^/]*$)/)
  return /\/files\/\d+$/.test(holder) && files.isAdded(name)
}
