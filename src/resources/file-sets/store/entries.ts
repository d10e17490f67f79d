import type { Base, DirectoryFields } from './base.ts'
import { addStored, createFieldsOf, fieldsOf, removeStored, replaceImplied } from './change.ts'
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
import type { EntryRecord, FileRecord } from './file-record.ts'
import { createSortedList, type SortedList } from './persistent.ts'
import { recordsInSteps } from './records.ts'
import { runSteps, type Steps } from '../../../engine/steps.ts'
import { type Integer, stringifyJson } from '../../../formats/json.ts'
import type { Instant } from '../../../engine/instant.ts'
import type { IntegerField, TextField } from './columns.ts'

/**
 * Everything a search can find in one file set at one time. It never changes; a change creates other entries, which share the base
 * and nearly everything else. An entry is identified by its slot: a number of the base, or one of the entries added since.
 */
export interface Entries {
  readonly base: Base
  /** Whether they are those of the base and no others. */
  readonly isUnchanged: boolean
  readonly count: number
  readonly fileCount: number
  isDirectory(slot: number): boolean
  /** Whether the entry is a directory that is only implied by the paths of its descendants. */
  isImplied(slot: number): boolean
  /** Whether a slot of the base is no longer there. */
  isGone(slot: number): boolean
  /** The number of the directory that the entry lies in. */
  holder(slot: number): number
  created(slot: number): Instant
  record(slot: number): EntryRecord
  text(field: TextField): (slot: number) => string | null
  integer(field: IntegerField): (slot: number) => Integer | null
  slotAt(path: string): number | undefined
  slotWithId(id: string): number | undefined
  /** The stored entry with a path or an id: a file, or an explicit directory. */
  storedAt(path: string): EntryRecord | undefined
  storedWithId(id: string): EntryRecord | undefined
  /** The number of a directory by its exact path. */
  findDirectory(path: string): number | undefined
  /** The paths of all directories. */
  directoryPaths(): Generator<string>
  /** The numbers of the directories whose paths pass a test. */
  directoriesWhere(test: (path: string) => boolean): number[]
  /** Whether the second directory is the first or lies in it, at any depth. */
  isWithin(directory: number, holder: number): boolean
  hasDirectoriesBelow(directory: number): boolean
  /** The slot of a directory's entry; undefined for the root. */
  slotOf(directory: number): number | undefined
  /** The entries that the base does not have, in an order. */
  addedIn(name: string, compare: (a: Added, b: Added) => number): SortedList<Added>
  /** The stored entries: files and explicit directories, which imply the other directories. */
  stored(): Generator<EntryRecord>
  /** The same entries without some paths and with other records; each path must be there, or free. */
  with(change: EntriesChange): Entries
  /** The same in steps. */
  changed(change: EntriesChange): Steps<Entries>
}

/** What a change takes away, by path, and then adds. */
export interface EntriesChange {
  readonly removed?: readonly string[]
  readonly added?: readonly EntryRecord[]
  /** Implied directories that are otherwise than their oldest descendant has it; see `keptDirectories`. */
  readonly directories?: readonly EntryRecord[]
}

export function createEntries(fileSetId: string, base: Base, changes: Changes = noChanges(base)): Entries {
  const isUnchanged = changes.nextSlot === base.count && changes.gone.size === 0
  return {
    base,
    isUnchanged,
    count: changes.count,
    fileCount: changes.fileCount,
    isDirectory: (slot) => (slot < base.count ? base.isDirectory(slot) : directoryIn(changes, slot) >= 0),
    isImplied: (slot) => (slot < base.count ? !base.isStored(slot) : isImpliedIn(changes, slot)),
    isGone: isUnchanged ? () => false : (slot) => changes.gone.has(slot),
    holder: (slot) => (slot < base.count ? base.holder(slot) : (addedIn(changes, slot)?.holder ?? 0)),
    created: (slot) => (slot < base.count ? { ms: base.ms(slot), nanos: base.nanos(slot) } : instantIn(changes, slot)),
    record: (slot) => recordIn(changes, slot),
    text(field) {
      const { at } = base.text(field)
      return (slot) => (slot < base.count ? at(slot) : textIn(recordIn(changes, slot), field))
    },
    integer(field) {
      const ofBase = base.integer(field)
      return (slot) => (slot < base.count ? ofBase(slot) : recordIn(changes, slot)[field])
    },
    slotAt: (path) => addedAt(changes, path)?.slot ?? stillThere(changes, base.slotAt(path)),
    slotWithId: (id) => addedWithId(changes, id)?.slot ?? stillThere(changes, base.slotWithId(id)),
    storedAt: (path) => storedRecord(changes, addedAt(changes, path)?.slot ?? base.slotAt(path)),
    storedWithId: (id) => storedRecord(changes, addedWithId(changes, id)?.slot ?? base.storedWithId(id)),
    findDirectory(path) {
      const directory = base.directories.find(path) ?? folderAt(changes, path)?.number
      return directory !== undefined && isLive(changes, directory) ? directory : undefined
    },
    *directoryPaths() {
      for (const [, path] of liveDirectories(changes)) yield path
    },
    directoriesWhere: (test) => [...liveDirectories(changes)].filter(([, path]) => test(path)).map(([one]) => one),
    isWithin(directory, holder) {
      let inside = holder
      while (inside >= base.directories.count && inside !== directory) inside = parentIn(changes, inside)
      return inside === directory || (inside > directory && inside < (base.directories.end[directory] ?? 0))
    },
    hasDirectoriesBelow(directory) {
      const inBase = directory < base.directories.count ? (base.directories.end[directory] ?? 0) - directory - 1 : 0
      return inBase + (isUnchanged ? 0 : changes.directoriesBelow.get(directory)) > 0
    },
    slotOf: (directory) => entryIn(changes, directory),
    addedIn: (name, compare) => listOf(changes, base, name, compare),
    *stored() {
      for (let slot = 0; slot < base.count; slot++)
        if (base.isStored(slot) && !changes.gone.has(slot)) yield base.record(slot)
      for (let slot = base.count; slot < changes.nextSlot; slot++) {
        const added = addedIn(changes, slot)
        if (added && !added.isImplied) yield added.record
      }
    },
    with(change) {
      return takePrepared(this, change) ?? runSteps(this.changed(change))
    },
    changed(change) {
      return changed(fileSetId, base, this, changes, change)
    },
  }
}

/** Entries with some records added, by the list of the records. */
const prepared = new WeakMap<readonly EntryRecord[], { readonly before: Entries; readonly after: Entries }>()

/** Adds records in steps, ahead of the event that adds them: `with` then finds what was made here. */
export function* prepareAdded(entries: Entries, added: readonly EntryRecord[]): Steps<undefined> {
  prepared.set(added, { before: entries, after: yield* entries.changed({ added }) })
  return undefined
}

function takePrepared(entries: Entries, { added, removed, directories }: EntriesChange): Entries | undefined {
  if (!added || removed || directories) return undefined
  const known = prepared.get(added)
  prepared.delete(added)
  return known?.before === entries ? known.after : undefined
}

/** Larger changes, if they also affect a fourth of the set, rebuild the set, which is faster. */
const MOST_SINGLY = 1024

function* changed(
  fileSetId: string,
  base: Base,
  entries: Entries,
  before: Changes,
  { removed = [], added = [], directories = [] }: EntriesChange,
): Steps<Entries> {
  const size = removed.length + added.length
  // Slots are never reused, so a small set that changes often is rebuilt from time to time.
  const isWorn = before.nextSlot - base.count > MOST_SINGLY + 4 * before.count
  if (isWorn || (size > MOST_SINGLY && size > before.count / 4)) {
    const gone = new Set(removed)
    const left: EntryRecord[] = []
    let looked = 0
    for (const record of entries.stored()) {
      if (!gone.has(record.path)) left.push(record)
      if (++looked % MOST_LOOKED === 0) yield
    }
    return createEntries(
      fileSetId,
      yield* recordsInSteps(fileSetId, [...left, ...added], yield* directoryFields(entries)),
    )
  }
  let changes = before
  for (const path of removed) {
    const slot = addedAt(changes, path)?.slot ?? stillThere(changes, base.slotAt(path))
    if (slot !== undefined && !isImpliedIn(changes, slot)) changes = removeStored(changes, slot)
    yield
  }
  const ofDirectory = yield* createFieldsOf(before, added)
  for (const record of added) {
    changes = addStored(changes, { record, fieldsOf: ofDirectory })
    yield
  }
  for (const record of directories) {
    const directory = base.directories.find(record.path) ?? folderAt(changes, record.path)?.number
    const slot = directory === undefined ? undefined : entryIn(changes, directory)
    if (directory !== undefined && slot !== undefined && isImpliedIn(changes, slot))
      changes = replaceImplied(changes, directory, fieldsOf(record))
    yield
  }
  return createEntries(fileSetId, base, changes)
}

/** Records per step: a larger change at once would rebuild the set, which would no longer share its base. */
const STEP = 1000

/** The same change, a part at a time, on the same base. */
export function* inSteps(
  entries: Entries,
  { removed = [], added = [], directories = [] }: EntriesChange,
): Steps<Entries> {
  let changed = entries
  for (let at = 0; at < removed.length; at += STEP)
    changed = yield* changed.changed({ removed: removed.slice(at, at + STEP) })
  for (let at = 0; at < added.length; at += STEP)
    changed = yield* changed.changed({ added: added.slice(at, at + STEP) })
  return directories.length === 0 ? changed : yield* changed.changed({ directories })
}

/** Entries that are looked at in one step. */
const MOST_LOOKED = 1024

/** What every directory is, by its path. */
export function* directoryFields(entries: Entries): Steps<ReadonlyMap<string, DirectoryFields>> {
  const fields = new Map<string, DirectoryFields>()
  let looked = 0
  for (const path of entries.directoryPaths()) {
    if (++looked % MOST_LOOKED === 0) yield
    const slot = entries.slotAt(path)
    if (slot !== undefined) fields.set(path, fieldsOf(entries.record(slot)))
  }
  return fields
}

/** The implied directories that are otherwise than in a set that was made of the same files. */
export function* keptDirectories(entries: Entries, again: Entries): Steps<EntryRecord[]> {
  const kept: EntryRecord[] = []
  let looked = 0
  for (const path of entries.directoryPaths()) {
    if (++looked % MOST_LOOKED === 0) yield
    const [slot, other] = [entries.slotAt(path), again.slotAt(path)]
    if (slot === undefined || other === undefined || !entries.isImplied(slot)) continue
    const [record, derived] = [entries.record(slot), again.record(other)]
    const isSame =
      record.id === derived.id && record.created === derived.created && record.createdBy === derived.createdBy
    if (!isSame) kept.push(record)
  }
  return kept
}

function storedRecord(changes: Changes, slot: number | undefined): EntryRecord | undefined {
  if (slot === undefined || !isThere(changes, slot) || isImpliedIn(changes, slot)) return undefined
  return recordIn(changes, slot)
}

function stillThere(changes: Changes, slot: number | undefined): number | undefined {
  return slot !== undefined && isThere(changes, slot) ? slot : undefined
}

/** Whether a directory exists: the root, an explicit one, or one with entries. */
function isLive(changes: Changes, directory: number): boolean {
  return directory === 0 || entryIn(changes, directory) !== undefined || storedIn(changes, directory) > 0
}

function* liveDirectories(changes: Changes): Generator<[directory: number, path: string]> {
  const { paths } = changes.base.directories
  for (let directory = 1; directory < paths.length; directory++) {
    if (isLive(changes, directory)) yield [directory, paths[directory] ?? '']
  }
  for (const { number, path } of changes.foldersByPath.from(() => true)) {
    if (isLive(changes, number)) yield [number, path]
  }
}

/** A field of an added record as a search sees it: JSON as its text. */
export function textIn(record: EntryRecord, field: TextField): string | null {
  const value = (record as Partial<FileRecord>)[field] ?? null
  return value === null || typeof value === 'string' ? value : stringifyJson(value)
}

/** At most so many orders are kept up when entries are added. */
const LISTS_KEPT = 32

function listOf(
  { lists, added, nextSlot }: Changes,
  base: Base,
  name: string,
  compare: (a: Added, b: Added) => number,
): SortedList<Added> {
  const known = lists.get(name)
  if (known) return known
  const all: Added[] = []
  for (let slot = base.count; slot < nextSlot; slot++) {
    const one = added.get(slot - base.count)
    if (one) all.push(one)
  }
  const list = createSortedList(all, compare)
  // A cache: adding to it does not change the value.
  if (lists.size < LISTS_KEPT) (lists as Map<string, SortedList<Added>>).set(name, list)
  return list
}

/** The slots of all entries: those of the base that are still there, then those that were added since. */
export function* slotsOf(entries: Entries): Generator<number> {
  for (let slot = 0; slot < entries.base.count; slot++) if (!entries.isGone(slot)) yield slot
  yield* addedSlots(entries)
}

export function* addedSlots(entries: Entries): Generator<number> {
  if (entries.isUnchanged) return
  for (const { slot } of entries.addedIn('as added', (a, b) => a.slot - b.slot).from(() => true)) yield slot
}
