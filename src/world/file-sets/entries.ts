import type { Directories } from './directories.ts'
import {
  type DirectoryRecord,
  type EntryRecord,
  type FileRecord,
  type Integer,
  type IntegerField,
  nameOf,
  type TextField,
} from './file-record.ts'
import { compareInstants, type Instant } from '../instant.ts'
import { fileSetNamespace, nameUuid } from '../uuid.ts'

/** The files of a set, numbered from 0. A generated set computes its answers; a fixture set looks them up. */
export interface Files {
  readonly count: number
  /** By file: the number of the directory that it lies in. */
  readonly directoryOf: Uint32Array
  /** Whether any `created` is finer than a millisecond. */
  readonly hasNanos: boolean
  created(file: number): Instant
  record(file: number): FileRecord
  name(file: number): string
  text(field: TextField): (file: number) => string | null
  integer(field: IntegerField): (file: number) => Integer | null
}

/** What a fixture says of a directory. */
export interface DirectoryFacts {
  readonly id: string
  readonly created: string
  readonly instant: Instant
  readonly createdBy: Integer
}

/**
 * Everything a search can find in one file set at one time: its files, then its directories. An entry is known by its slot, a
 * number from 0 to `count - 1`; the root is not an entry.
 */
export interface Entries {
  readonly count: number
  readonly files: Files
  readonly directories: Directories
  readonly hasNanos: boolean
  isDirectory(slot: number): boolean
  /** Whether the entry is a directory that only its descendants' paths speak of. */
  isImplied(slot: number): boolean
  /** The number of the directory that the entry lies in. */
  directoryOf(slot: number): number
  /** The number of the directory that the entry is; only for directories. */
  directoryAt(slot: number): number
  slotOfDirectory(directory: number): number
  created(slot: number): Instant
  record(slot: number): EntryRecord
  name(slot: number): string
  text(field: TextField): (slot: number) => string | null
  integer(field: IntegerField): (slot: number) => Integer | null
  /** Sort orders made so far, by the text of their keys; see `sort.ts`. */
  readonly orders: Map<string, Uint32Array>
}

/** Joins files and directories into the entries of the file set `fileSetId`. */
export function createEntries(
  fileSetId: string,
  files: Files,
  directories: Directories,
  explicit: ReadonlyMap<number, DirectoryFacts>,
): Entries {
  const facts = createFacts(fileSetId, files, directories, explicit)
  const first = files.count - 1
  const record = (directory: number): DirectoryRecord => {
    const path = directories.paths[directory] ?? ''
    const { id, created, createdBy } = facts(directory)
    return { id, path, name: nameOf(path), fileType: 'DIRECTORY', size: null, created, createdBy }
  }
  const directoryText = (field: TextField) => (directory: number) => {
    if (field === 'path' || field === 'name' || field === 'fileType' || field === 'id' || field === 'created')
      return record(directory)[field]
    return null
  }
  const split =
    <T>(ofFile: (file: number) => T, ofDirectory: (directory: number) => T) =>
    (slot: number) =>
      slot < files.count ? ofFile(slot) : ofDirectory(slot - first)
  return {
    count: files.count + directories.count - 1,
    files,
    directories,
    hasNanos: files.hasNanos || [...explicit.values()].some(({ instant }) => instant.nanos !== 0),
    isDirectory: (slot) => slot >= files.count,
    isImplied: (slot) => slot >= files.count && !explicit.has(slot - first),
    directoryOf: (slot) => (slot < files.count ? files.directoryOf[slot] : directories.parent[slot - first]) ?? 0,
    directoryAt: (slot) => slot - first,
    slotOfDirectory: (directory) => directory + first,
    created: split(files.created, (directory) => facts(directory).instant),
    record: split<EntryRecord>(files.record, record),
    name: split(files.name, (directory) => nameOf(directories.paths[directory] ?? '')),
    text: (field) => split(files.text(field), directoryText(field)),
    integer: (field) =>
      split(files.integer(field), (directory) => (field === 'createdBy' ? facts(directory).createdBy : null)),
    orders: new Map(),
  }
}

/**
 * What is known of each directory: what a fixture says, or else (ledger row `dir.implied`) an id from its path, and the date and
 * creator of its oldest descendant. One pass over the entries, made when an implied directory is first asked for.
 */
function createFacts(
  fileSetId: string,
  files: Files,
  directories: Directories,
  explicit: ReadonlyMap<number, DirectoryFacts>,
): (directory: number) => DirectoryFacts {
  const namespace = fileSetNamespace(fileSetId)
  const known = new Map(explicit)
  let oldest: Int32Array | undefined
  const factsOfFile = (file: number) => ({
    created: files.text('created')(file) ?? '',
    instant: files.created(file),
    createdBy: files.integer('createdBy')(file) ?? 0,
  })
  return (directory) => {
    const told = known.get(directory)
    if (told) return told
    oldest ??= findOldest(files, directories, explicit)
    // Only what is below it speaks of an implied directory, so there is something below it: a file or an explicit directory.
    const slot = oldest[directory] ?? 0
    const heir = explicit.get(slot - files.count + 1) ?? factsOfFile(slot)
    const facts = { ...heir, id: nameUuid(namespace, directories.paths[directory] ?? '') }
    known.set(directory, facts)
    return facts
  }
}

/**
 * By directory: the slot of the oldest file or explicit directory at any depth below it, or -1. Among equally old ones the first
 * by slot counts.
 */
function findOldest(files: Files, directories: Directories, explicit: ReadonlyMap<number, DirectoryFacts>): Int32Array {
  const oldest = new Int32Array(directories.count).fill(-1)
  const first = files.count - 1
  const createdAt = (slot: number) =>
    (slot < files.count ? undefined : explicit.get(slot - first)?.instant) ?? files.created(slot)
  const offer = (directory: number, slot: number) => {
    const held = oldest[directory] ?? -1
    const order = held < 0 ? -1 : compareInstants(createdAt(slot), createdAt(held)) || slot - held
    if (order < 0) oldest[directory] = slot
  }
  for (let file = 0; file < files.count; file++) offer(files.directoryOf[file] ?? 0, file)
  for (let directory = directories.count - 1; directory > 0; directory--) {
    const parent = directories.parent[directory] ?? 0
    const slot = oldest[directory] ?? -1
    if (slot >= 0) offer(parent, slot)
    if (explicit.has(directory)) offer(parent, first + directory)
  }
  return oldest
}
