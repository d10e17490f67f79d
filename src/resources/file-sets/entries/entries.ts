import type { Base } from './base.ts'
import {
  type Added,
  addedAt,
  addedIn,
  addedWithId,
  type Changes,
  directoryIn,
  entryIn,
  folderAt,
  instantIn,
  isImpliedIn,
  isThere,
  noChanges,
  parentIn,
  recordIn,
  storedIn,
} from './changes.ts'
import type { EntryRecord, FileRecord, IntegerField, TextField } from './file-record.ts'
import { createSortedList, type SortedList } from '../../../engine/persistent.ts'
import { type Integer, stringifyJson } from '../../../base/formats/json.ts'
import type { Instant } from '../../../base/formats/instant.ts'

/**
 * Everything a search can find in one file set at one time. It never changes; a change creates other entries, which share the base
 * and nearly everything else. An entry is identified by its slot: a number of the base, or one of the entries added since.
 */
export class Entries {
  readonly fileSetId: string
  readonly base: Base
  readonly changes: Changes
  /** Whether they are those of the base and no others. */
  readonly isUnchanged: boolean
  readonly count: number
  readonly fileCount: number

  constructor(fileSetId: string, base: Base, changes: Changes = noChanges(base)) {
    this.fileSetId = fileSetId
    this.base = base
    this.changes = changes
    this.isUnchanged = changes.nextSlot === base.count && changes.gone.size === 0
    this.count = changes.count
    this.fileCount = changes.fileCount
  }

  isDirectory(slot: number): boolean {
    return slot < this.base.count ? this.base.isDirectory(slot) : directoryIn(this.changes, slot) >= 0
  }

  /** Whether the entry is a directory that is only implied by the paths of its descendants. */
  isImplied(slot: number): boolean {
    return slot < this.base.count ? !this.base.isStored(slot) : isImpliedIn(this.changes, slot)
  }

  /** Whether any of some entries is a directory, and whether any is an implied one. */
  directoriesAmong(slots: readonly number[]): { readonly any: boolean; readonly implied: boolean } {
    const directories = slots.filter((slot) => this.isDirectory(slot))
    return { any: directories.length > 0, implied: directories.some((slot) => this.isImplied(slot)) }
  }

  /** Whether a slot of the base is no longer there. */
  isGone(slot: number): boolean {
    return !this.isUnchanged && this.changes.gone.has(slot)
  }

  /** The number of the directory that the entry lies in. */
  holder(slot: number): number {
    return slot < this.base.count ? this.base.holder(slot) : (addedIn(this.changes, slot)?.holder ?? 0)
  }

  created(slot: number): Instant {
    const { base } = this
    return slot < base.count ? { ms: base.ms(slot), nanos: base.nanos(slot) } : instantIn(this.changes, slot)
  }

  record(slot: number): EntryRecord {
    return recordIn(this.changes, slot)
  }

  /** Reads a field by slot. */
  text(field: TextField): (slot: number) => string | null {
    const { base, changes } = this
    const { at } = base.text(field)
    return (slot) => (slot < base.count ? at(slot) : textIn(recordIn(changes, slot), field))
  }

  integer(field: IntegerField): (slot: number) => Integer | null {
    const { base, changes } = this
    const ofBase = base.integer(field)
    return (slot) => (slot < base.count ? ofBase(slot) : recordIn(changes, slot)[field])
  }

  slotAt(path: string): number | undefined {
    return addedAt(this.changes, path)?.slot ?? this.#ifThere(this.base.slotAt(path))
  }

  slotWithId(id: string): number | undefined {
    return addedWithId(this.changes, id)?.slot ?? this.#ifThere(this.base.slotWithId(id))
  }

  /** The stored entry with a path: a file, or an explicit directory. */
  storedAt(path: string): EntryRecord | undefined {
    return this.#storedRecord(this.slotAt(path))
  }

  /** The same by id, without making the ids of implied directories. */
  storedWithId(id: string): EntryRecord | undefined {
    return this.#storedRecord(addedWithId(this.changes, id)?.slot ?? this.#ifThere(this.base.storedWithId(id)))
  }

  #ifThere(slot: number | undefined): number | undefined {
    return slot !== undefined && isThere(this.changes, slot) ? slot : undefined
  }

  #storedRecord(slot: number | undefined): EntryRecord | undefined {
    return slot === undefined || this.isImplied(slot) ? undefined : this.record(slot)
  }

  /** The number of a directory by its exact path. */
  findDirectory(path: string): number | undefined {
    const directory = this.base.directories.find(path) ?? folderAt(this.changes, path)?.number
    return directory !== undefined && this.#isLive(directory) ? directory : undefined
  }

  /** Whether a directory exists: the root, an explicit one, or one with entries. */
  #isLive(directory: number): boolean {
    return directory === 0 || this.slotOf(directory) !== undefined || storedIn(this.changes, directory) > 0
  }

  /** All directories but the root. */
  *directories(): Generator<{ readonly number: number; readonly path: string }> {
    const { paths } = this.base.directories
    for (let number = 1; number < paths.length; number++)
      if (this.#isLive(number)) yield { number, path: paths[number] ?? '' }
    for (const folder of this.changes.foldersByPath.from(() => true)) if (this.#isLive(folder.number)) yield folder
  }

  /** Whether the second directory is the first or lies in it, at any depth. */
  isWithin(directory: number, holder: number): boolean {
    const { count, end } = this.base.directories
    let inside = holder
    while (inside >= count && inside !== directory) inside = parentIn(this.changes, inside)
    return inside === directory || (inside > directory && inside < (end[directory] ?? 0))
  }

  hasDirectoriesBelow(directory: number): boolean {
    const { count, end } = this.base.directories
    const inBase = directory < count ? (end[directory] ?? 0) - directory - 1 : 0
    return inBase + (this.isUnchanged ? 0 : this.changes.directoriesBelow.get(directory)) > 0
  }

  /** The slot of a directory's entry; undefined for the root. */
  slotOf(directory: number): number | undefined {
    return entryIn(this.changes, directory)
  }

  /** The slots of all entries: those of the base that are still there, then those that were added since. */
  *slots(): Generator<number> {
    for (let slot = 0; slot < this.base.count; slot++) if (!this.isGone(slot)) yield slot
    yield* this.addedSlots()
  }

  *addedSlots(): Generator<number> {
    if (this.isUnchanged) return
    for (let slot = this.base.count; slot < this.changes.nextSlot; slot++) if (addedIn(this.changes, slot)) yield slot
  }

  /** The stored entries: files and explicit directories, which imply the other directories. */
  *stored(): Generator<EntryRecord> {
    for (const slot of this.slots()) if (!this.isImplied(slot)) yield this.record(slot)
  }

  /** The entries that the base does not have, in an order. The order is kept up when entries are added. */
  addedIn(name: string, compare: (a: Added, b: Added) => number): SortedList<Added> {
    const { lists } = this.changes
    const known = lists.get(name)
    if (known) return known
    const added = [...this.addedSlots()].flatMap((slot) => addedIn(this.changes, slot) ?? [])
    const list = createSortedList(added, compare)
    // A cache: adding to it does not change the value.
    if (lists.size < MAX_LISTS) (lists as Map<string, SortedList<Added>>).set(name, list)
    return list
  }
}

const MAX_LISTS = 32

/** A field of an added record as a search sees it: JSON as its text. */
export function textIn(record: EntryRecord, field: TextField): string | null {
  const value = (record as Partial<FileRecord>)[field] ?? null
  return value === null || typeof value === 'string' ? value : stringifyJson(value)
}
