import type { Base } from './base.ts'
import { type Added, addedAt, addedWithId, AS_IN_BASE, type Changes, folderAt, NONE, noChanges } from './changes.ts'
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

  /** The same entries but for some of their differences from the base. */
  with(changes: Partial<Changes>): Entries {
    return new Entries(this.fileSetId, this.base, { ...this.changes, ...changes })
  }

  /** The entry at a slot that the base does not have. */
  added(slot: number): Added | undefined {
    return this.changes.added.get(slot - this.base.count)
  }

  isDirectory(slot: number): boolean {
    return slot < this.base.count ? this.base.isDirectory(slot) : this.directoryAt(slot) >= 0
  }

  /** The number of the directory that the entry at a slot is, or -1. */
  directoryAt(slot: number): number {
    if (slot >= this.base.count) return this.added(slot)?.directory ?? -1
    return this.base.isDirectory(slot) ? this.base.directoryAt(slot) : -1
  }

  /** Whether the entry is a directory that is only implied by the paths of its descendants. */
  isImplied(slot: number): boolean {
    return slot < this.base.count ? !this.base.isStored(slot) : (this.added(slot)?.isImplied ?? false)
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
    return slot < this.base.count ? this.base.holder(slot) : (this.added(slot)?.holder ?? 0)
  }

  created(slot: number): Instant {
    const { base } = this
    if (slot < base.count) return { ms: base.ms(slot), nanos: base.nanos(slot) }
    return this.added(slot)?.instant ?? { ms: 0, nanos: 0 }
  }

  record(slot: number): EntryRecord {
    const record = slot < this.base.count ? this.base.record(slot) : this.added(slot)?.record
    if (!record) throw new RangeError(`no entry ${slot}`)
    return record
  }

  /** Reads a field by slot. */
  text(field: TextField): (slot: number) => string | null {
    const { base } = this
    const { at } = base.text(field)
    return (slot) => (slot < base.count ? at(slot) : textIn(this.record(slot), field))
  }

  integer(field: IntegerField): (slot: number) => Integer | null {
    const { base } = this
    const ofBase = base.integer(field)
    return (slot) => (slot < base.count ? ofBase(slot) : this.record(slot)[field])
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

  /** The same by id. */
  storedWithId(id: string): EntryRecord | undefined {
    return this.#storedRecord(this.knownSlotWithId(id))
  }

  /** The slot of an entry with an id, without making the ids of the base's implied directories. */
  knownSlotWithId(id: string): number | undefined {
    return addedWithId(this.changes, id)?.slot ?? this.#ifThere(this.base.storedWithId(id))
  }

  /** A slot of the base, unless its entry is gone. */
  #ifThere(slot: number | undefined): number | undefined {
    return slot !== undefined && !this.isGone(slot) ? slot : undefined
  }

  #storedRecord(slot: number | undefined): EntryRecord | undefined {
    return slot === undefined || this.isImplied(slot) ? undefined : this.record(slot)
  }

  /** The number that a path was given, also where no directory is there any more. */
  numberOf(path: string): number | undefined {
    return this.base.directories.find(path) ?? folderAt(this.changes, path)?.number
  }

  /** The number of a directory by its exact path. */
  findDirectory(path: string): number | undefined {
    const directory = this.numberOf(path)
    return directory !== undefined && this.#isLive(directory) ? directory : undefined
  }

  /** Whether a directory exists: the root, an explicit one, or one with entries. */
  #isLive(directory: number): boolean {
    return directory === 0 || this.slotOf(directory) !== undefined || this.storedIn(directory) > 0
  }

  /** How many stored entries are below a directory, at any depth. */
  storedIn(directory: number): number {
    const { base, changes } = this
    const ofBase = directory < base.directories.count ? base.storedBelow(directory) : 0
    return ofBase + changes.storedBelow.get(directory)
  }

  /** The number of the directory above one; of the root, itself. */
  parentOf(directory: number): number {
    const { count, parent } = this.base.directories
    return (directory < count ? parent[directory] : this.changes.folders.get(directory - count)?.parent) ?? 0
  }

  pathOf(directory: number): string {
    const { count, paths } = this.base.directories
    return (directory < count ? paths[directory] : this.changes.folders.get(directory - count)?.path) ?? ''
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
    while (inside >= count && inside !== directory) inside = this.parentOf(inside)
    return inside === directory || (inside > directory && inside < (end[directory] ?? 0))
  }

  hasDirectoriesBelow(directory: number): boolean {
    const { count, end } = this.base.directories
    const inBase = directory < count ? (end[directory] ?? 0) - directory - 1 : 0
    return inBase + (this.isUnchanged ? 0 : this.changes.directoriesBelow.get(directory)) > 0
  }

  /** The slot of a directory's entry; undefined for the root. */
  slotOf(directory: number): number | undefined {
    const slot = this.changes.entryOf.get(directory)
    if (slot !== AS_IN_BASE) return slot === NONE ? undefined : slot
    return directory > 0 && directory < this.base.directories.count ? this.base.slotOf(directory) : undefined
  }

  /** The slots of all entries: those of the base that are still there, then those that were added since. */
  *slots(): Generator<number> {
    for (let slot = 0; slot < this.base.count; slot++) if (!this.isGone(slot)) yield slot
    yield* this.addedSlots()
  }

  *addedSlots(): Generator<number> {
    if (this.isUnchanged) return
    for (let slot = this.base.count; slot < this.changes.nextSlot; slot++) if (this.added(slot)) yield slot
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
    const added = [...this.addedSlots()].flatMap((slot) => this.added(slot) ?? [])
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
