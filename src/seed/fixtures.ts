import type { Complaint } from '../behaviours/behaviours.ts'
import { completeRecord } from '../resources/file-sets/complete-record.ts'
import {
  type CollectionFixtures,
  createCollections,
  readCollections,
} from '../resources/collections/fixture-collections.ts'
import type { SourceFile } from '../formats/source-file.ts'
import { nearest } from '../errors/nearest.ts'
import { shown, StartupError, type Violation } from '../errors/problem.ts'
import type { Entries } from '../resources/file-sets/store/entries.ts'
import type { FileChoices, EntryRecord } from '../resources/file-sets/store/file-record.ts'
import type { Integer } from '../formats/json.ts'
import type { Documents } from '../resources/collections/collection-store.ts'
import { ID_LISTS, type IdList, type KnownIds } from '../engine/known-ids.ts'
import { runSteps, type Steps } from '../engine/steps.ts'
import type { Overrides } from '../engine/state.ts'

/** What fixture files ask for. */
export interface Fixtures {
  readonly fileSets: readonly FileSetFixture[]
  readonly reportSchedules: readonly ReportScheduleFixture[]
  /** Documents for handlers of the user's own. */
  readonly collections: ReadonlyMap<string, Documents>
  readonly knownIds: KnownIds
}

interface ReadFixtures extends Fixtures {
  /** Files that come with the package, and what of each a contract of the user's own leaves no place for. */
  readonly leftOut: ReadonlyMap<string, LeftOut>
}

interface LeftOut {
  readonly count: number
  /** The complaint about the first: where, what was expected, and the line of the contract that says so. */
  readonly first: string
}

export type FileSetFixture =
  | { readonly id: string; readonly records: readonly EntryRecord[] }
  /** So many files, made from the seed. */
  | { readonly id: string; readonly generate: number }

interface ReportScheduleFixture {
  readonly id?: number | undefined
  readonly ownerId?: Integer | undefined
  /** The body of a create. */
  readonly info: unknown
}

export interface FixtureRules {
  /** Epoch ms; the date of files that have none. */
  readonly firstMoment: number
  /** What files have that say nothing of it; the usual when absent. */
  readonly choices?: FileChoices | undefined
  /** Whether a contract of the user's own names a member beyond those of the interface. */
  isAdded(of: 'file' | 'report-schedule', name: string): boolean
  /** Holds a finished record against the contract. */
  checkRecord(record: EntryRecord): readonly Violation[]
  /** Holds the body of a create against the contract and the behaviour catalogue. */
  checkReportSchedule(info: unknown): readonly Violation[]
  /** What is wrong with settings of behaviours that shall be otherwise. */
  checkOverrides(overrides: Overrides): readonly Complaint[]
}

/** What Standin wrote itself was checked before, and by other settings may be refused today. */
export const TRUSTED: FixtureRules = {
  firstMoment: 0,
  isAdded: () => true,
  checkRecord: () => [],
  checkReportSchedule: () => [],
  checkOverrides: () => [],
}

/** As many files are made at most. */
export const MOST_FILES = 10_000_000
const MOST_COMPLAINTS = 20

/** Fixtures that a contract of the user's own was not written for: what it refuses of them is left out. */
export interface Spare {
  has(document: SourceFile): boolean
  /** The body of a create with all that the contract requires of it. */
  completeReportSchedule(info: Members): unknown
}

/**
 * Reads fixture files. A file set that several files name is taken from the last of them, and so is a document of a collection.
 *
 * @throws StartupError with file, line and remedy of everything that is wrong
 */
export function readFixtures(documents: readonly SourceFile[], rules: FixtureRules, spare?: Spare): ReadFixtures {
  const complaints: string[] = []
  const fileSets = new Map<string, FileSetFixture>()
  const reportSchedules: ReportScheduleFixture[] = []
  const collections: CollectionFixtures = new Map()
  const knownIds: Partial<Record<IdList, Set<string>>> = {}
  const leftOut = new Map<string, LeftOut>()
  for (const document of documents) {
    const complain = (pointer: string, complaint: string) => {
      if (complaints.length < MOST_COMPLAINTS)
        complaints.push(`${document.file}:${document.lineOf(pointer)}: ${complaint}`)
    }
    const leaveOut = (why: string) => {
      const { count = 0, first = why } = leftOut.get(document.file) ?? {}
      leftOut.set(document.file, { count: count + 1, first })
    }
    const reader: FixtureReader = {
      rules,
      complain,
      ...(spare?.has(document) ? { spare: { ...spare, leaveOut } } : {}),
    }
    const top = members(
      document.value,
      '',
      ['fileSets', 'reportSchedules', 'collections', ...ID_LISTS],
      'The file',
      reader,
    )
    const ids = new Set<string>()
    for (const [index, value] of list(top.fileSets, '/fileSets', reader).entries()) {
      const fileSet = readFileSet(value, `/fileSets/${index}`, reader)
      if (!fileSet) continue
      if (ids.has(fileSet.id))
        complain(`/fileSets/${index}/id`, `The file set ${shown(fileSet.id)} is there twice. Join them, or rename one.`)
      ids.add(fileSet.id)
      fileSets.set(fileSet.id, fileSet)
    }
    for (const [index, value] of list(top.reportSchedules, '/reportSchedules', reader).entries()) {
      const pointer = `/reportSchedules/${index}`
      const read = readOrLeaveOut(reader, (strict) => readReportSchedule(value, pointer, strict))
      if (read) reportSchedules.push(read)
    }
    readCollections(top.collections, collections, complain)
    readIdLists(top, knownIds, reader)
  }
  if (complaints.length > 0) throw new StartupError(complaints)
  return {
    fileSets: [...fileSets.values()],
    reportSchedules,
    collections: createCollections(collections),
    knownIds,
    leftOut,
  }
}

/** Adds the ids of one file to those of the files before. */
function readIdLists(top: Members, into: Partial<Record<IdList, Set<string>>>, reader: FixtureReader): void {
  for (const name of ID_LISTS) {
    if (top[name] === undefined) continue
    const ids = (into[name] ??= new Set())
    for (const [index, id] of list(top[name], `/${name}`, reader).entries()) {
      const isId =
        typeof id === 'bigint' || Number.isSafeInteger(id) || (typeof id === 'string' && /^\d{1,19}$/.test(id))
      if (isId) ids.add(BigInt(id as string | number | bigint).toString())
      else reader.complain(`/${name}/${index}`, `\`${name}\` lists ids, which are integers; ${shown(id)} is none.`)
    }
  }
}

/** By which rules is read, and where what is wrong goes to. */
export interface FixtureReader {
  readonly rules: FixtureRules
  complain(pointer: string, complaint: string): void
  /** To be told of what is wrong and therefore left out; undefined where it is refused instead. */
  readonly spare?: Spare & { leaveOut(why: string): void }
  /** Whether an entry that the set holds already has the id; none does when absent. */
  readonly isTaken?: (id: string) => boolean
}

/** Reads a thing; undefined when something is wrong with it and it may be left out. */
function readOrLeaveOut<Thing>(reader: FixtureReader, read: (reader: FixtureReader) => Thing): Thing | undefined {
  const { spare } = reader
  if (!spare) return read(reader)
  const complaints: string[] = []
  const thing = read({ ...reader, complain: (pointer, complaint) => void complaints.push(`${pointer}: ${complaint}`) })
  if (complaints.length === 0) return thing
  spare.leaveOut(complaints[0] ?? '')
  return undefined
}

type Members = Readonly<Record<string, unknown>>

function members(
  value: unknown,
  pointer: string,
  known: readonly string[],
  what: string,
  { complain, isAdded }: Pick<FixtureReader, 'complain'> & { isAdded?: (name: string) => boolean },
): Members {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    if (value !== null || pointer !== '')
      complain(pointer, `${what} must be a mapping with ${known.join(', ')}; it is ${shown(value)}.`)
    return {}
  }
  for (const name of Object.keys(value)) {
    if (known.includes(name) || isAdded?.(name)) continue
    const meant = nearest(name, known)
    complain(
      `${pointer}/${name}`,
      `${what} has an unknown field \`${name}\`. ${meant ? `Did you mean \`${meant}\`?` : `Known: ${known.join(', ')}.`}`,
    )
  }
  return value as Members
}

function list(value: unknown, pointer: string, { complain }: FixtureReader): readonly unknown[] {
  if (value === undefined || value === null) return []
  if (Array.isArray(value)) return value
  complain(
    pointer,
    `\`${pointer.split('/').at(-1) ?? ''}\` must be a list; it is ${shown(value)}. Begin each element with a dash.`,
  )
  return []
}

function readFileSet(value: unknown, pointer: string, reader: FixtureReader): FileSetFixture | undefined {
  const { id, files, generate } = members(value, pointer, ['id', 'files', 'generate'], 'A file set', reader)
  if (typeof id !== 'string' || id === '') {
    const given =
      id === undefined ? 'The file set has no `id`. Add one' : `The \`id\` of the file set is ${shown(id)}. Give it one`
    reader.complain(pointer, `${given}: any text that is not empty, in quotes if it looks like a number.`)
    return undefined
  }
  if (generate !== undefined) {
    const fits = typeof generate === 'number' && Number.isInteger(generate) && generate >= 0 && generate <= MOST_FILES
    if (files !== undefined)
      reader.complain(pointer, `The file set ${id} has both \`files\` and \`generate\`. Remove one of them.`)
    else if (!fits)
      reader.complain(
        `${pointer}/generate`,
        `\`generate\` must be a number of files from 0 to ${MOST_FILES}; it is ${shown(generate)}.`,
      )
    else return { id, generate }
    return undefined
  }
  const records = list(files, `${pointer}/files`, reader).flatMap(
    (file, index) => readOrLeaveOut(reader, (strict) => readFile(file, id, `${pointer}/files/${index}`, strict)) ?? [],
  )
  runSteps(refuseClashes(records, pointer, reader))
  return { id, records }
}

/**
 * Reads files that are added to a set which holds `present` already, each written as in a fixture.
 *
 * @throws StartupError as `readFixtures` does
 */
export function readFiles(
  fileSetId: string,
  values: readonly unknown[],
  present: Entries,
  rules: FixtureRules,
): EntryRecord[] {
  const complaints: string[] = []
  const complain = (pointer: string, complaint: string) => complaints.push(`${fileSetId} ${pointer}: ${complaint}`)
  const records = runSteps(readGivenFiles(fileSetId, values, present, { rules, complain }))
  if (complaints.length > 0) throw new StartupError(complaints.slice(0, MOST_COMPLAINTS))
  return records
}

/** The same in steps. The caller receives the complaints, each with the pointer `/files/…` of its location. */
export function* readGivenFiles(
  fileSetId: string,
  values: readonly unknown[],
  present: Entries | undefined,
  reader: FixtureReader,
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

const FILE_FIELDS = [
  'id',
  'path',
  'name',
  'fileType',
  'contentType',
  'size',
  'hash',
  'hashAlgorithm',
  'downloadUrl',
  'created',
  'createdBy',
  'connectorKey',
  'indexStatus',
  'indexReason',
]

function readFile(value: unknown, fileSetId: string, pointer: string, reader: FixtureReader): EntryRecord | undefined {
  const number = Number(pointer.split('/').at(-1)) + 1
  const given = members(value, pointer, FILE_FIELDS, `File ${number}`, {
    ...reader,
    isAdded: (field) => reader.rules.isAdded('file', field),
  })
  const { path, name } = given
  if (path === undefined) {
    reader.complain(pointer, `File ${number} has no \`path\`. Add one, or remove the file.`)
    return undefined
  }
  const fault = pathFault(path)
  if (fault !== undefined || typeof path !== 'string') {
    reader.complain(`${pointer}/path`, `File ${number} has the path ${shown(path)}, which ${fault ?? 'is no text'}.`)
    return undefined
  }
  if (name !== undefined && name !== path.split('/').at(-1)) {
    reader.complain(
      `${pointer}/name`,
      `File ${number} has the name ${shown(name)}, but its path ends otherwise. Leave the name out.`,
    )
  }
  const { fileType } = given
  if (typeof fileType === 'string' && fileType !== 'DIRECTORY' && /^(directory|dir|folder)$/i.test(fileType)) {
    reader.complain(
      `${pointer}/fileType`,
      `File ${number} has the fileType ${shown(fileType)}. Write DIRECTORY for a directory.`,
    )
  }
  const record = completeRecord(
    fileSetId,
    { ...given, path: path },
    { ...reader.rules, isTaken: reader.isTaken ?? (() => false) },
  )
  for (const { pointer: at = '', expected, received = 'nothing', source } of reader.rules
    .checkRecord(record)
    .slice(0, 3)) {
    reader.complain(
      `${pointer}${at}`,
      `File ${number} (${path}): ${at.slice(1) || 'the record'} must be ${expected}; it is ${received}.${saidBy(source, reader)}`,
    )
  }
  return record
}

/** What is left out is not the user's to mend, but the line of the contract that leaves it out is. */
function saidBy(source: string | undefined, { spare }: FixtureReader): string {
  return spare && source !== undefined ? ` ${source} says so.` : ''
}

/** Bytes. */
export const LONGEST_PATH = 4096

function pathFault(path: unknown): string | undefined {
  if (typeof path !== 'string') return 'is no text; put it in quotes'
  if (path === '') return 'is empty; a path names the file and the directories above it'
  if (path.includes('\0')) return 'holds a NUL character; remove it'
  if (path.startsWith('/') || path.endsWith('/')) return 'begins or ends with a slash; remove it'
  if (path.split('/').some((segment) => segment === '' || segment === '.' || segment === '..'))
    return 'has an empty, `.` or `..` segment; remove it'
  return Buffer.byteLength(path) > LONGEST_PATH ? `is longer than ${LONGEST_PATH} bytes; shorten it` : undefined
}

/** One path is one entry, one id is one entry, and nothing lies within a file. */
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
      if (above && above.fileType !== 'DIRECTORY') {
        complain(
          `${pointer}/files/${index}/path`,
          `${shown(path)} lies within ${shown(above.path)}, which is a file. Rename one of them.`,
        )
      }
    }
    yield
  }
  return undefined
}

function readReportSchedule(value: unknown, pointer: string, reader: FixtureReader): ReportScheduleFixture {
  const known = ['id', 'ownerId', 'title', 'pageId', 'viewId', 'attachmentInclude', 'schedule']
  const { id, ownerId, ...given } = members(value, pointer, known, 'A report schedule', {
    ...reader,
    isAdded: (name) => reader.rules.isAdded('report-schedule', name),
  })
  const info = reader.spare ? reader.spare.completeReportSchedule(given) : given
  const number = Number(pointer.split('/').at(-1)) + 1
  const isId = typeof id === 'number' && Number.isSafeInteger(id) && id > 0
  if (id !== undefined && !isId)
    reader.complain(
      `${pointer}/id`,
      `\`id\` must be a positive integer below 2^53; it is ${shown(id)}. Leave it out to have one given.`,
    )
  const isOwner = (typeof ownerId === 'number' && Number.isSafeInteger(ownerId)) || typeof ownerId === 'bigint'
  if (ownerId !== undefined && !isOwner)
    reader.complain(`${pointer}/ownerId`, `\`ownerId\` must be an integer; it is ${shown(ownerId)}.`)
  for (const { pointer: at = '', expected, received = 'nothing', source } of reader.rules.checkReportSchedule(info)) {
    reader.complain(
      `${pointer}${at}`,
      `Report schedule ${number}: ${at.slice(1) || 'it'} must be ${expected}; it is ${received}.${saidBy(source, reader)}`,
    )
  }
  return { id: isId ? id : undefined, ownerId: isOwner ? ownerId : undefined, info }
}
