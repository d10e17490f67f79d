import { type Directories, createIdIndex, createPathIndex } from './directories.ts'
import {
  fileSetNamespace,
  type DirectoryRecord,
  type EntryRecord,
  type IntegerField,
  nameOf,
  type TextField,
} from './file-record.ts'
import type { Integer, Json } from '../../../base/formats/json.ts'
import { always, type Column, type Files, NOTHING, constant, plain, reader, type Pieces } from './columns.ts'
import { firstIndex } from '../../../base/first-index.ts'
import { type Cache, createCache } from '../../../base/cache.ts'
import { nameUuid } from '../../../engine/random.ts'
import type { Steps } from '../../../engine/slices.ts'
import type { Instant } from '../../../base/formats/instant.ts'

/**
 * The initial entries of a file set: its files, then its directories. It never changes, and all changed sets share it. An entry is
 * identified by its slot, a number from 0 to `count - 1`; the root is not an entry.
 */
export interface Base {
  readonly namespace: string
  readonly count: number
  readonly files: Files
  readonly directories: Directories
  readonly defaults: DirectoryDefaults
  isDirectory(slot: number): boolean
  /** Whether it is stored: a file, or a directory that is not only implied by other paths. */
  isStored(slot: number): boolean
  /** The number of the directory that the entry lies in. */
  holder(slot: number): number
  /** The slot of a directory, and the number of the directory at a slot. */
  slotOf(directory: number): number
  directoryAt(slot: number): number
  ms(slot: number): number
  nanos(slot: number): number
  record(slot: number): EntryRecord
  /** Columns by slot. */
  text(field: TextField): SlotColumn
  integer(field: IntegerField): (slot: number) => Integer | null
  /** How many files are at any depth below a directory, and how many files and explicit directories. */
  filesBelow(directory: number): number
  storedBelow(directory: number): number
  slotAt(path: string): number | undefined
  slotWithId(id: string): number | undefined
  /** Makes the ids of all directories in steps; else `slotWithId` makes them at once for an id that no file has. */
  indexIds(): Steps<undefined>
  /** The same without implied directories, whose ids take a while to make. */
  storedWithId(id: string): number | undefined
  /** Orders of all slots made so far, by name, and what searches found; see `sort.ts` and `search.ts`. */
  readonly orders: Cache<string, Uint32Array>
  readonly selections: Cache<string, Uint32Array>
}

/** A column of texts by slot, and its two halves: by file and by directory. */
export interface SlotColumn {
  at(slot: number): string | null
  readonly files: Column
  readonly directories: Column
}

/** Bytes that the orders of one base may take. */
const ORDERS_KEPT = 256 * 2 ** 20

/** Bytes for its selections: those of small sets are quick to make again, so they get little. */
function roomForSelections(entries: number): number {
  return Math.min(32 * 2 ** 20, Math.max(2 ** 20, 32 * entries))
}

/** Bytes of a list of slots, its name included. */
function bytesOf(slots: Uint32Array): number {
  return slots.byteLength + 512
}

/** Joins files and directories into the entries of the file set `fileSetId`. */
export function createBase(fileSetId: string, files: Files, directories: Directories, known: KnownDirectories): Base {
  const namespace = fileSetNamespace(fileSetId)
  const { explicit } = known
  const defaults = createDirectoryDefaults(namespace, files, directories, known)
  const first = files.count - 1
  const columns = createDirectoryColumns(directories, defaults)
  const count = files.count + directories.count - 1
  const split =
    <T>(ofFile: (file: number) => T, ofDirectory: (directory: number) => T) =>
    (slot: number) =>
      slot < files.count ? ofFile(slot) : ofDirectory(slot - first)
  return {
    namespace,
    count,
    files,
    directories,
    defaults,
    isDirectory: (slot) => slot >= files.count,
    isStored: (slot) => slot < files.count || explicit.has(slot - first),
    holder: (slot) => (slot < files.count ? files.directoryOf[slot] : directories.parent[slot - first]) ?? 0,
    slotOf: (directory) => directory + first,
    directoryAt: (slot) => slot - first,
    ms: split(files.ms, defaults.ms),
    nanos: split(files.nanos, defaults.nanos),
    record: split<EntryRecord>(files.record, (directory) =>
      directoryRecord(directories.paths[directory] ?? '', defaults.of(directory)),
    ),
    text(field) {
      const [ofFiles, ofDirectories] = [files.text(field), columns[field] ?? NOTHING]
      return { files: ofFiles, directories: ofDirectories, at: split(textOf(ofFiles), textOf(ofDirectories)) }
    },
    integer: (field) =>
      split(files.integer(field), (directory) => (field === 'createdBy' ? defaults.createdBy(directory) : null)),
    ...createCounts(files, directories, explicit),
    ...createIndexes(files, directories, explicit, defaults),
    orders: createCache({ most: ORDERS_KEPT, sizeOf: bytesOf }),
    selections: createCache({ most: roomForSelections(count), sizeOf: bytesOf }),
  }
}

function createCounts(files: Files, directories: Directories, explicit: KnownDirectories['explicit']) {
  const numbers = [...explicit.keys()].sort((a, b) => a - b)
  const filesBelow = (directory: number) =>
    (files.before[directories.end[directory] ?? 0] ?? 0) - (files.before[directory] ?? 0)
  const storedBelow = (directory: number) =>
    filesBelow(directory) + countBetween(numbers, directory + 1, directories.end[directory] ?? 0)
  return { filesBelow, storedBelow }
}

function createIndexes(
  files: Files,
  directories: Directories,
  explicit: KnownDirectories['explicit'],
  defaults: DirectoryDefaults,
) {
  const first = files.count - 1
  const explicitIds = new Map([...explicit].map(([directory, { id }]) => [id, first + directory]))
  const storedWithId = (id: string) => files.findId(id) ?? explicitIds.get(id)
  const directoryIds = createIdIndex(directories, defaults.id)
  return {
    slotAt: createPathIndex(files, directories, first),
    storedWithId,
    slotWithId(id: string) {
      const stored = storedWithId(id)
      if (stored !== undefined) return stored
      const directory = directoryIds.find(id) ?? 0
      return directory === 0 ? undefined : first + directory
    },
    indexIds: () => directoryIds.prepare(),
  }
}

/** The fields of a directory, by its number; its name always comes from its path. */
function createDirectoryColumns(
  directories: Directories,
  defaults: DirectoryDefaults,
): Partial<Record<TextField, Column>> {
  const computed = (text: (directory: number) => string): Pieces => [
    { count: directories.count, isShared: false, text },
  ]
  return {
    path: always(plain(directories.paths)),
    name: always([directories.name]),
    fileType: always(constant('DIRECTORY')),
    id: always(computed(defaults.id)),
    created: always(computed((directory) => defaults.of(directory).created)),
  }
}

export function directoryRecord(path: string, { id, created, createdBy, added }: DirectoryFields): DirectoryRecord {
  const usual = { id, path, name: nameOf(path), fileType: 'DIRECTORY', size: null, created, createdBy } as const
  return added ? { ...usual, ...added } : usual
}

function textOf({ pieces, isNull }: Column): (at: number) => string | null {
  const read = reader(pieces)
  return isNull ? (at) => (isNull(at) ? null : read(at)) : read
}

/** How many of some ascending numbers are at least `from` and below `to`. */
function countBetween(numbers: readonly number[], from: number, to: number): number {
  const below = (bound: number) => firstIndex(numbers.length, (at) => (numbers[at] ?? 0) >= bound)
  return below(to) - below(from)
}

/** The fields of a directory besides its path. */
export interface DirectoryFields {
  readonly id: string
  readonly created: string
  readonly instant: Instant
  readonly createdBy: Integer
  /** Members beyond those of the interface, of a stored directory. */
  readonly added?: Readonly<Record<string, Json>> | undefined
}

/** Known fields of directories, by number: of explicit directories, and of some implied ones. */
export interface KnownDirectories {
  readonly explicit: ReadonlyMap<number, DirectoryFields>
  readonly implied: ReadonlyMap<number, DirectoryFields>
}

/** Fields of every directory: from a fixture, from before a change, or else derived as `dir.implied` says. */
interface DirectoryDefaults {
  of(directory: number): DirectoryFields
  /** The same without the rest. */
  ms(directory: number): number
  nanos(directory: number): number
  id(directory: number): string
  createdBy(directory: number): Integer
}

/** The defaults of the directories of a set. One pass over the files, made when an implied directory is first asked for. */
function createDirectoryDefaults(
  namespace: string,
  files: Files,
  directories: Directories,
  { explicit, implied }: KnownDirectories,
): DirectoryDefaults {
  let found: Int32Array | undefined
  /** The slot of the oldest file or explicit directory at any depth below it; among equally old ones the first by slot. */
  const oldest = (directory: number) => (found ??= findOldest(files, directories, explicit))[directory] ?? -1
  const textOf = reader(files.text('created').pieces)
  const authorOf = files.integer('createdBy')
  // An implied directory exists because of an entry below it, so there is at least one.
  const source = (directory: number) => {
    const slot = oldest(directory)
    return explicit.get(slot - files.count + 1) ?? slot
  }
  const known = (directory: number) => explicit.get(directory) ?? implied.get(directory)
  const id = (directory: number) => known(directory)?.id ?? nameUuid(namespace, directories.paths[directory] ?? '')
  const time = (of: (file: number) => number, part: 'ms' | 'nanos') => (directory: number) => {
    const fields = known(directory) ?? source(directory)
    return typeof fields === 'number' ? of(fields) : fields.instant[part]
  }
  return {
    id,
    ms: time(files.ms, 'ms'),
    nanos: time(files.nanos, 'nanos'),
    createdBy(directory) {
      const fields = known(directory) ?? source(directory)
      return typeof fields === 'number' ? (authorOf(fields) ?? 0) : fields.createdBy
    },
    of(directory) {
      const fields = known(directory)
      if (fields) return fields
      const from = source(directory)
      if (typeof from !== 'number') return { ...from, id: id(directory), added: undefined }
      const instant = { ms: files.ms(from), nanos: files.nanos(from) }
      return { id: id(directory), created: textOf(from) ?? '', instant, createdBy: authorOf(from) ?? 0 }
    },
  }
}

function findOldest(
  files: Files,
  directories: Directories,
  explicit: ReadonlyMap<number, DirectoryFields>,
): Int32Array {
  const oldest = new Int32Array(directories.count).fill(-1)
  const first = files.count - 1
  const ms = new Float64Array(directories.count)
  const nanos = new Int32Array(directories.count)
  const offer = (directory: number, slot: number, slotMs: number, slotNanos: number) => {
    const held = oldest[directory] ?? -1
    const order = held < 0 ? -1 : slotMs - (ms[directory] ?? 0) || slotNanos - (nanos[directory] ?? 0) || slot - held
    if (order >= 0) return
    oldest[directory] = slot
    ms[directory] = slotMs
    nanos[directory] = slotNanos
  }
  for (let file = 0; file < files.count; file++) {
    offer(files.directoryOf[file] ?? 0, file, files.ms(file), files.hasNanos ? files.nanos(file) : 0)
  }
  for (let directory = directories.count - 1; directory > 0; directory--) {
    const parent = directories.parent[directory] ?? 0
    const slot = oldest[directory] ?? -1
    if (slot >= 0) offer(parent, slot, ms[directory] ?? 0, nanos[directory] ?? 0)
    const fields = explicit.get(directory)
    if (fields) offer(parent, first + directory, fields.instant.ms, fields.instant.nanos)
  }
  return oldest
}
