import { createBase, type Base, type DirectoryFields } from './base.ts'
import { createDirectories, type Directories, folderPiece } from './directories.ts'
import {
  addedMembers,
  type EntryRecord,
  type FileRecord,
  forJsonFields,
  type IntegerField,
  type JsonField,
  parentOf,
  type TextField,
} from './file-record.ts'
import {
  always,
  type Column,
  type Files,
  NOTHING,
  constant,
  type Piece,
  plain,
  type Pieces,
  reader,
  recordReader,
  shared,
} from './columns.ts'
import { type Json, textOrJson } from '../../../base/formats/json.ts'
import { parseInstant, type Instant } from '../../../base/formats/instant.ts'
import { runSteps, type Steps } from '../../../engine/slices.ts'

/** The entries of a set whose every record is given: from fixtures, or after a large change. Paths must be distinct. */
export function createRecords(fileSetId: string, given: readonly EntryRecord[]): Base {
  return runSteps(recordsInSteps(fileSetId, given))
}

/**
 * The same in steps.
 *
 * @param known the fields of directories before a change, by path; those that are only implied afterwards keep them
 */
export function* recordsInSteps(
  fileSetId: string,
  given: readonly EntryRecord[],
  known: ReadonlyMap<string, DirectoryFields> = new Map(),
): Steps<Base> {
  const files = given.filter(isFile)
  const folders = given.filter((record) => !isFile(record))
  const directories = yield* createDirectories(
    (function* () {
      for (const { path } of files) yield parentOf(path)
      for (const { path } of folders) yield path
    })(),
  )
  const explicit = new Map<number, DirectoryFields>()
  for (const [at, folder] of folders.entries()) {
    if (at % MAX_IN_A_STEP === 0) yield
    const { id, path, created, createdBy } = folder
    const fields = { id, created, instant: instantOf(created), createdBy, added: addedMembers(folder) }
    explicit.set(directories.find(path) ?? 0, fields)
  }
  const implied = new Map<number, DirectoryFields>()
  for (const [path, fields] of known) {
    if (implied.size % MAX_IN_A_STEP === 0) yield
    const directory = directories.find(path)
    if (directory !== undefined) implied.set(directory, fields)
  }
  return createBase(fileSetId, yield* createFiles(files, directories), directories, { explicit, implied })
}

/** The records as columns: a tenth of the memory of the same objects. */
function* createFiles(records: readonly FileRecord[], directories: Directories): Steps<Files> {
  const count = records.length
  const directoryOf = new Uint32Array(count)
  for (let file = 0; file < count; file++) {
    directoryOf[file] = directories.find(parentOf(records[file]?.path ?? '')) ?? 0
    if (file % MAX_IN_A_STEP === 0) yield
  }
  const { before, grouped } = group(directoryOf, directories.count)
  const times = yield* createTimes(records)
  const integers = { size: records.map(({ size }) => size), createdBy: records.map(({ createdBy }) => createdBy) }
  yield
  const json = createJson(records)
  const columns = yield* createColumns(records, folderPiece(directories, directoryOf), times.text, json)
  const integer = (field: IntegerField) => (file: number) => integers[field][file] ?? null
  const record = recordReader(columns, integer, (file) => forJsonFields((field) => json[field][file] ?? null))
  const id = reader(columns.id.pieces)
  let byId: Map<string | null, number> | undefined
  return {
    count,
    directoryOf,
    before,
    at: (place) => grouped[place] ?? 0,
    ms: (file) => times.ms[file] ?? 0,
    nanos: (file) => times.nanos?.[file] ?? 0,
    hasNanos: times.nanos !== undefined,
    record: withAdded(records, record),
    text: (field) => columns[field],
    integer,
    findId: (wanted) => (byId ??= new Map(records.map((_, file) => [id(file), file]))).get(wanted),
  }
}

/** Reads records with the members that only some contracts have, where any of them has some. */
function withAdded(records: readonly FileRecord[], read: (file: number) => FileRecord): (file: number) => FileRecord {
  const added = records.map(addedMembers)
  return added.some((members) => members !== undefined) ? (file) => ({ ...read(file), ...added[file] }) : read
}

/** The files of each directory, by a counting sort: those of `d` are `grouped[before[d]]` to `grouped[before[d + 1] - 1]`. */
function group(directoryOf: Uint32Array, directoryCount: number) {
  const before = new Uint32Array(directoryCount + 1)
  for (const directory of directoryOf) before[directory + 1] = (before[directory + 1] ?? 0) + 1
  for (let directory = 0; directory < directoryCount; directory++) {
    before[directory + 1] = (before[directory + 1] ?? 0) + (before[directory] ?? 0)
  }
  const next = before.slice()
  const grouped = new Uint32Array(directoryOf.length)
  directoryOf.forEach((directory, file) => {
    const at = next[directory] ?? 0
    grouped[at] = file
    next[directory] = at + 1
  })
  return { before, grouped }
}

/** Records per step. */
const MAX_IN_A_STEP = 2048

interface Times {
  readonly ms: Float64Array
  /** Absent where no date has any. */
  readonly nanos: Uint32Array | undefined
  readonly text: (file: number) => string
}

/** Dates as numbers; the text is kept only where it is not the usual one. */
function* createTimes(records: readonly FileRecord[]): Steps<Times> {
  const ms = new Float64Array(records.length)
  const nanos = new Uint32Array(records.length)
  const unusual = new Map<number, string>()
  for (const [file, { created }] of records.entries()) {
    const instant = instantOf(created)
    ms[file] = instant.ms
    nanos[file] = instant.nanos
    if (usual(instant.ms) !== created) unusual.set(file, created)
    if (file % MAX_IN_A_STEP === 0) yield
  }
  return {
    ms,
    nanos: nanos.some((count) => count > 0) ? nanos : undefined,
    text: (file: number) => unusual.get(file) ?? usual(ms[file] ?? 0),
  }
}

function usual(ms: number): string {
  return new Date(ms).toISOString()
}

function* createColumns(
  records: readonly FileRecord[],
  folder: Piece,
  created: (file: number) => string,
  json: JsonValues,
): Steps<Readonly<Record<TextField, Column>>> {
  const name = plain(records.map(({ name }) => name))
  const texts = function* (
    field: 'fileType' | 'contentType' | 'hash' | 'hashAlgorithm' | 'downloadUrl',
  ): Steps<Column> {
    yield
    return always(yield* compact(records.map((record) => record[field])))
  }
  yield
  return {
    id: always(plain(records.map(({ id }) => id))),
    path: always([folder, ...name]),
    name: always(name),
    fileType: yield* texts('fileType'),
    contentType: yield* texts('contentType'),
    hash: yield* texts('hash'),
    hashAlgorithm: yield* texts('hashAlgorithm'),
    downloadUrl: yield* texts('downloadUrl'),
    created: always([{ count: records.length, isShared: false, text: created }]),
    ...forJsonFields((field) => jsonColumn(json[field])),
  }
}

/** Each text once, where many are equal. */
function* compact(texts: readonly string[]): Steps<Pieces> {
  const distinct = new Set<string>()
  for (const [at, text] of texts.entries()) {
    distinct.add(text)
    if (at % MAX_IN_A_STEP === 0) yield
  }
  const [only = ''] = distinct
  if (distinct.size <= 1) return constant(only)
  return distinct.size > texts.length / 2 ? plain(texts) : [shared(texts, texts.length)]
}

type JsonValues = Readonly<Record<JsonField, readonly Json[]>>

/** The values that may be any JSON; nothing where all are null. */
function createJson(records: readonly FileRecord[]): JsonValues {
  return forJsonFields((field) =>
    records.some((record) => record[field] !== null) ? records.map((record) => record[field]) : [],
  )
}

/** A search sees the text of JSON. */
function jsonColumn(values: readonly Json[]): Column {
  if (values.length === 0) return NOTHING
  const texts = values.map((value) => textOrJson(value))
  return { pieces: plain(texts), isNull: (at) => values[at] === null }
}

export function isFile(record: EntryRecord): record is FileRecord {
  return record.fileType !== 'DIRECTORY'
}

/** The dates of records were checked when they came in. */
export function instantOf(created: string): Instant {
  return parseInstant(created) ?? { ms: 0, nanos: 0 }
}
