import { createDirectories, type Directories } from './directories.ts'
import { createEntries, type DirectoryFacts, type Entries, type Files } from './entries.ts'
import { type EntryRecord, type FileRecord, type Json, parentOf } from './file-record.ts'
import { stringifyJson } from '../../json.ts'
import { parseInstant, type Instant } from '../instant.ts'

/** The entries of a set whose every record is given: from fixtures, or after a change. Paths must be distinct. */
export function createRecords(fileSetId: string, given: readonly EntryRecord[]): Entries {
  const files = given.filter(isFile)
  const folders = given.filter((record) => !isFile(record))
  const directories = createDirectories([
    ...files.map(({ path }) => parentOf(path)),
    ...folders.map(({ path }) => path),
  ])
  const explicit = new Map<number, DirectoryFacts>()
  for (const { id, path, created, createdBy } of folders) {
    explicit.set(directories.find(path) ?? 0, { id, created, instant: instantOf(created), createdBy })
  }
  return createEntries(fileSetId, recordFiles(files, directories), directories, explicit)
}

function recordFiles(records: readonly FileRecord[], directories: Directories): Files {
  const created = records.map((record) => instantOf(record.created))
  const get = (file: number): FileRecord => {
    const record = records[file]
    if (!record) throw new RangeError(`no file ${file}`)
    return record
  }
  return {
    count: records.length,
    directoryOf: Uint32Array.from(records, ({ path }) => directories.find(parentOf(path)) ?? 0),
    hasNanos: created.some(({ nanos }) => nanos !== 0),
    created: (file) => created[file] ?? { ms: 0, nanos: 0 },
    record: get,
    name: (file) => get(file).name,
    text: (field) => (file) => scalarText(get(file)[field]),
    integer: (field) => (file) => get(file)[field],
  }
}

/** What a set was told: its files and its explicit directories. The implied ones follow from these. */
export function explicitRecords(entries: Entries): EntryRecord[] {
  const records: EntryRecord[] = []
  for (let slot = 0; slot < entries.count; slot++) if (!entries.isImplied(slot)) records.push(entries.record(slot))
  return records
}

function isFile(record: EntryRecord): record is FileRecord {
  return record.fileType !== 'DIRECTORY'
}

/** The dates of records were checked when they came in. */
function instantOf(created: string): Instant {
  return parseInstant(created) ?? { ms: 0, nanos: 0 }
}

/** connectorKey, indexStatus and indexReason may hold any JSON value; a search sees its text. */
function scalarText(value: Json): string | null {
  if (value === null || typeof value === 'string') return value
  return stringifyJson(value)
}
