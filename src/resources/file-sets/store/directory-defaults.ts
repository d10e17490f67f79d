import type { Directories } from './directories.ts'
import type { Integer, Json } from './file-record.ts'
import type { Files } from './files.ts'
import { reader } from './rope.ts'
import type { Instant } from '../../../engine/instant.ts'
import { nameUuid } from '../../../engine/uuid.ts'

/** What is known of a directory besides its path. */
export interface DirectoryFacts {
  readonly id: string
  readonly created: string
  readonly instant: Instant
  readonly createdBy: Integer
  /** Members beyond those of the interface, of a directory that was told. */
  readonly added?: Readonly<Record<string, Json>> | undefined
}

/** What is known of directories, by number: of those that were told, and of some that are implied. */
export interface KnownDirectories {
  readonly explicit: ReadonlyMap<number, DirectoryFacts>
  readonly implied: ReadonlyMap<number, DirectoryFacts>
}

/** What is known of every directory: what a fixture says, what it was before, or else what the catalogue's row `dir.implied` derives. */
export interface Facts {
  of(directory: number): DirectoryFacts
  /** The same without the rest. */
  ms(directory: number): number
  nanos(directory: number): number
  id(directory: number): string
  createdBy(directory: number): Integer
}

/** The facts of the directories of a set. One pass over the files, made when an implied directory is first asked for. */
export function createFacts(
  namespace: string,
  files: Files,
  directories: Directories,
  { explicit, implied }: KnownDirectories,
): Facts {
  let found: Int32Array | undefined
  /** The slot of the oldest file or explicit directory at any depth below it; among equally old ones the first by slot. */
  const oldest = (directory: number) => (found ??= findOldest(files, directories, explicit))[directory] ?? -1
  const textOf = reader(files.text('created').rope)
  const authorOf = files.integer('createdBy')
  // Only what is below it speaks of an implied directory, so there is something below it: a file or an explicit directory.
  const heir = (directory: number) => {
    const slot = oldest(directory)
    return explicit.get(slot - files.count + 1) ?? slot
  }
  const known = (directory: number) => explicit.get(directory) ?? implied.get(directory)
  const id = (directory: number) => known(directory)?.id ?? nameUuid(namespace, directories.paths[directory] ?? '')
  const time = (of: (file: number) => number, part: 'ms' | 'nanos') => (directory: number) => {
    const told = known(directory) ?? heir(directory)
    return typeof told === 'number' ? of(told) : told.instant[part]
  }
  return {
    id,
    ms: time(files.ms, 'ms'),
    nanos: time(files.nanos, 'nanos'),
    createdBy(directory) {
      const told = known(directory) ?? heir(directory)
      return typeof told === 'number' ? (authorOf(told) ?? 0) : told.createdBy
    },
    of(directory) {
      const told = known(directory)
      if (told) return told
      const from = heir(directory)
      if (typeof from !== 'number') return { ...from, id: id(directory), added: undefined }
      const instant = { ms: files.ms(from), nanos: files.nanos(from) }
      return { id: id(directory), created: textOf(from) ?? '', instant, createdBy: authorOf(from) ?? 0 }
    },
  }
}

function findOldest(files: Files, directories: Directories, explicit: ReadonlyMap<number, DirectoryFacts>): Int32Array {
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
    const told = explicit.get(directory)
    if (told) offer(parent, first + directory, told.instant.ms, told.instant.nanos)
  }
  return oldest
}
