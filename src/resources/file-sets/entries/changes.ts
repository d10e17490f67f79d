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
 * How a file set differs from its base (`Entries` reads it, `change.ts` makes it). It never changes, and shares nearly everything with the differences that it was made from,
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

export const AS_IN_BASE = -1
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
