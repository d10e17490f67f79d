import type { Base } from './base.ts'
import { compareCodePoints } from '../../../base/formats/code-points.ts'
import type { EntryRecord } from './file-record.ts'
import {
  type Bits,
  createBits,
  createSortedList,
  createVector,
  type SortedList,
  type Vector,
} from '../../../engine/persistent.ts'
import type { Instant } from '../../../base/formats/instant.ts'

/** An entry that a base does not have. Its slot follows those of the base. */
export interface Added {
  readonly slot: number
  readonly record: EntryRecord
  readonly instant: Instant
  /** The number of the directory that it lies in. */
  readonly holder: number
  /** The number of the directory that it is, or -1. */
  readonly directory: number
  /** Whether it is a directory that is only implied by the paths of its descendants. */
  readonly isImplied: boolean
}

/** A directory that the base does not know. Its number follows those of the base, and stays when the directory is gone. */
export interface AddedDirectory {
  readonly number: number
  readonly path: string
  readonly parent: number
}

/**
 * How a file set differs from its base. It never changes, and shares nearly everything with the differences that it was made from,
 * so a change costs the logarithm of the changes before it, whatever the size of the base and whatever orders are made.
 */
export interface Changes {
  readonly base: Base
  /** Slots of the base that are no longer there. */
  readonly gone: Bits
  /** By slot, less those of the base. */
  readonly added: Vector<Added | undefined>
  readonly nextSlot: number
  /** Entries and files that there are now. */
  readonly count: number
  readonly fileCount: number
  /** By directory number, less those of the base; and by path. */
  readonly folders: Vector<AddedDirectory | undefined>
  readonly foldersByPath: SortedList<AddedDirectory>
  /** By directory: how many more stored entries, and how many more directories, are below it than in the base. */
  readonly storedBelow: Vector<number>
  readonly directoriesBelow: Vector<number>
  /** By directory: the slot of its entry, `AS_IN_BASE` or `NONE`. */
  readonly entryOf: Vector<number>
  /** The added entries in each requested order, by the name of the order. */
  readonly lists: ReadonlyMap<string, SortedList<Added>>
}

const AS_IN_BASE = -1
export const NONE = -2

/** The orders in which added entries are always kept, to find them by. */
const BY_PATH = 'by path'
const BY_ID = 'by id'

export function noChanges(base: Base): Changes {
  return {
    base,
    gone: createBits(),
    added: createVector<Added | undefined>(undefined),
    nextSlot: base.count,
    count: base.count,
    fileCount: base.files.count,
    folders: createVector<AddedDirectory | undefined>(undefined),
    foldersByPath: createSortedList<AddedDirectory>([], (a, b) => compareCodePoints(a.path, b.path)),
    storedBelow: createVector(0),
    directoriesBelow: createVector(0),
    entryOf: createVector(AS_IN_BASE),
    lists: new Map([
      [BY_PATH, createSortedList<Added>([], (a, b) => compareCodePoints(a.record.path, b.record.path))],
      [BY_ID, createSortedList<Added>([], (a, b) => compareCodePoints(a.record.id, b.record.id) || a.slot - b.slot)],
    ]),
  }
}

/** The added entry at a path. */
export function addedAt({ lists }: Changes, path: string): Added | undefined {
  return findFirst(lists.get(BY_PATH), path, ({ record }) => record.path)
}

export function addedWithId({ lists }: Changes, id: string): Added | undefined {
  return findFirst(lists.get(BY_ID), id, ({ record }) => record.id)
}

export function folderAt({ foldersByPath }: Changes, path: string): AddedDirectory | undefined {
  return findFirst(foldersByPath, path, (folder) => folder.path)
}

function findFirst<Item>(
  list: SortedList<Item> | undefined,
  key: string,
  keyOf: (item: Item) => string,
): Item | undefined {
  const found = list?.from((item) => compareCodePoints(keyOf(item), key) >= 0).next().value
  return found !== undefined && keyOf(found) === key ? found : undefined
}

/** The number of the directory above one; of the root, itself. */
export function parentIn({ base, folders }: Changes, directory: number): number {
  const { count, parent } = base.directories
  return (directory < count ? parent[directory] : folders.get(directory - count)?.parent) ?? 0
}

export function pathIn({ base, folders }: Changes, directory: number): string {
  const { count, paths } = base.directories
  return (directory < count ? paths[directory] : folders.get(directory - count)?.path) ?? ''
}

/** The slot of a directory's entry; undefined when there is none. */
export function entryIn({ base, entryOf }: Changes, directory: number): number | undefined {
  const slot = entryOf.get(directory)
  if (slot !== AS_IN_BASE) return slot === NONE ? undefined : slot
  return directory > 0 && directory < base.directories.count ? base.slotOf(directory) : undefined
}

export function storedIn({ base, storedBelow }: Changes, directory: number): number {
  return (directory < base.directories.count ? base.storedBelow(directory) : 0) + storedBelow.get(directory)
}

/** The entry at a slot that the base does not have. */
export function addedIn({ base, added }: Changes, slot: number): Added | undefined {
  return added.get(slot - base.count)
}

/** The number of the directory that the entry at a slot is, or -1. */
export function directoryIn(changes: Changes, slot: number): number {
  if (slot >= changes.base.count) return addedIn(changes, slot)?.directory ?? -1
  return changes.base.isDirectory(slot) ? changes.base.directoryAt(slot) : -1
}

export function isImpliedIn(changes: Changes, slot: number): boolean {
  return slot < changes.base.count ? !changes.base.isStored(slot) : (addedIn(changes, slot)?.isImplied ?? false)
}

export function instantIn(changes: Changes, slot: number): Instant {
  return addedIn(changes, slot)?.instant ?? { ms: 0, nanos: 0 }
}

export function recordIn(changes: Changes, slot: number): EntryRecord {
  const record = slot < changes.base.count ? changes.base.record(slot) : addedIn(changes, slot)?.record
  if (!record) throw new RangeError(`no entry ${slot}`)
  return record
}

export function isThere(changes: Changes, slot: number): boolean {
  return slot < changes.base.count ? !changes.gone.has(slot) : addedIn(changes, slot) !== undefined
}
