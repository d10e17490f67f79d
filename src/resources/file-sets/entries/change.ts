import { directoryRecord, type DirectoryFields } from './base.ts'
import { type Added, NONE } from './changes.ts'
import type { Entries } from './entries.ts'
import { entryId, type EntryRecord, parentOf } from './file-record.ts'
import { instantOf, isFile } from './records.ts'
import { compareInstants } from '../../../base/formats/instant.ts'
import type { Steps } from '../../../engine/slices.ts'

/** The fields of a new directory, by its number and path. */
type FieldsOf = (directory: number, path: string) => DirectoryFields

/**
 * A directory that existed before a change keeps its fields, so its position in a walk does not move (`dir.implied`). A new one takes
 * its date and creator from the oldest entry that the change adds below it.
 */
export function* createFieldsOf(before: Entries, added: readonly EntryRecord[]): Steps<FieldsOf> {
  const oldest = yield* oldestBelow(added)
  let ids: ReadonlySet<string> | undefined
  const isTaken = (id: string) => {
    ids ??= new Set(added.map((record) => record.id))
    return ids.has(id) || before.knownSlotWithId(id) !== undefined
  }
  return (directory, path) => {
    const entry = before.slotOf(directory)
    if (entry !== undefined) return fieldsOf(before.record(entry))
    const { created = '', createdBy = 0 } = oldest.get(path) ?? {}
    return fieldsOf({ id: entryId(before.base.namespace, path, isTaken), created, createdBy })
  }
}

export function fieldsOf({
  id,
  created,
  createdBy,
}: Pick<EntryRecord, 'id' | 'created' | 'createdBy'>): DirectoryFields {
  return { id, created, createdBy, instant: instantOf(created) }
}

/** By directory path: the oldest of some entries below it, a file before a directory where they are equally old. */
function* oldestBelow(added: readonly EntryRecord[]): Steps<ReadonlyMap<string, EntryRecord>> {
  const oldest = new Map<string, EntryRecord>()
  for (const record of added) {
    for (let path = parentOf(record.path); path !== ''; path = parentOf(path)) {
      const known = oldest.get(path)
      if (!known || isOlder(record, known)) oldest.set(path, record)
    }
    yield
  }
  return oldest
}

function isOlder(a: EntryRecord, b: EntryRecord): boolean {
  const order = compareInstants(instantOf(a.created), instantOf(b.created))
  return order < 0 || (order === 0 && isFile(a) && !isFile(b))
}

/** Adds a file or an explicit directory. Its path must be free, or that of an implied directory. */
export function addStored(
  before: Entries,
  { record, fieldsOf }: { readonly record: EntryRecord; readonly fieldsOf: FieldsOf },
): Entries {
  const isDirectory = !isFile(record)
  const [holder, withHolder] = directoryFor(before, parentOf(record.path))
  const [directory, numbered] = isDirectory ? directoryFor(withHolder, record.path) : ([-1, withHolder] as const)
  const implied = isDirectory ? numbered.slotOf(directory) : undefined
  const cleared = implied === undefined ? numbered : withoutEntry(numbered, implied)
  const added = {
    slot: cleared.changes.nextSlot,
    record,
    instant: instantOf(record.created),
    holder,
    directory,
    isImplied: false,
  }
  const grown = withEntry(cleared, added)
  // New directories below the current one.
  let newBelow = isDirectory && implied === undefined ? 1 : 0
  return above(grown, holder, (after, one) => {
    const counted = countBelow(after, one, 1, newBelow)
    if (one === 0 || exists(after, one)) return counted
    newBelow++
    return withImplied(counted, one, fieldsOf(one, counted.pathOf(one)))
  })
}

/** Removes a file or an explicit directory. A directory that still contains entries becomes implied and keeps its fields. */
export function removeStored(before: Entries, slot: number): Entries {
  const directory = before.directoryAt(slot)
  const holder = before.holder(slot)
  let left = withoutEntry(before, slot)
  // Removed directories below the current one.
  let removedBelow = 0
  if (directory >= 0) {
    if (left.storedIn(directory) > 0) left = withImplied(left, directory, fieldsOf(before.record(slot)))
    else removedBelow++
  }
  return above(left, holder, (after, one) => {
    const counted = countBelow(after, one, -1, -removedBelow)
    if (one === 0 || exists(counted, one)) return counted
    removedBelow++
    const entry = counted.slotOf(one)
    return entry === undefined ? counted : withoutEntry(counted, entry)
  })
}

/** Gives an implied directory other fields; does nothing to others. */
export function replaceImplied(before: Entries, directory: number, fields: DirectoryFields): Entries {
  const entry = before.slotOf(directory)
  if (entry === undefined || !before.isImplied(entry)) return before
  return withImplied(withoutEntry(before, entry), directory, fields)
}

/** The number of a directory; it and those above it get numbers if they have none. */
function directoryFor(before: Entries, path: string): [number, Entries] {
  const known = before.numberOf(path)
  if (known !== undefined) return [known, before]
  const [parent, after] = directoryFor(before, parentOf(path))
  const { folders, foldersByPath } = after.changes
  const folder = { number: before.base.directories.count + foldersByPath.length, path, parent }
  const changes = { folders: folders.set(foldersByPath.length, folder), foldersByPath: foldersByPath.add(folder) }
  return [folder.number, after.with(changes)]
}

/** Applies a step to a directory and to all above it, the root last. */
function above(before: Entries, directory: number, step: (entries: Entries, directory: number) => Entries): Entries {
  let entries = before
  for (let one = directory; ; one = entries.parentOf(one)) {
    entries = step(entries, one)
    if (one === 0) return entries
  }
}

function exists(entries: Entries, directory: number): boolean {
  const entry = entries.slotOf(directory)
  if (entry !== undefined && !entries.isImplied(entry)) return true
  return entries.storedIn(directory) > 0
}

function withImplied(entries: Entries, directory: number, fields: DirectoryFields): Entries {
  const record = directoryRecord(entries.pathOf(directory), fields)
  const holder = entries.parentOf(directory)
  const { instant } = fields
  return withEntry(entries, { slot: entries.changes.nextSlot, record, instant, holder, directory, isImplied: true })
}

/** Counts entries and directories that are added or removed below a directory. */
function countBelow(entries: Entries, directory: number, stored: 1 | -1, directories: number): Entries {
  const { storedBelow, directoriesBelow } = entries.changes
  return entries.with({
    storedBelow: storedBelow.set(directory, storedBelow.get(directory) + stored),
    directoriesBelow:
      directories === 0
        ? directoriesBelow
        : directoriesBelow.set(directory, directoriesBelow.get(directory) + directories),
  })
}

function withEntry(before: Entries, added: Added): Entries {
  const { changes } = before
  const { count, fileCount, entryOf, lists } = changes
  const isDirectory = added.directory >= 0
  return before.with({
    added: changes.added.set(added.slot - before.base.count, added),
    nextSlot: added.slot + 1,
    count: count + 1,
    fileCount: fileCount + (isDirectory ? 0 : 1),
    entryOf: isDirectory ? entryOf.set(added.directory, added.slot) : entryOf,
    lists: new Map([...lists].map(([name, list]) => [name, list.add(added)])),
  })
}

function withoutEntry(before: Entries, slot: number): Entries {
  const { changes } = before
  const added = before.added(slot)
  const directory = before.directoryAt(slot)
  const rest = {
    count: changes.count - 1,
    fileCount: changes.fileCount - (directory >= 0 ? 0 : 1),
    entryOf: directory >= 0 ? changes.entryOf.set(directory, NONE) : changes.entryOf,
  }
  if (!added) return before.with({ ...rest, gone: changes.gone.add(slot) })
  return before.with({
    ...rest,
    added: changes.added.set(slot - before.base.count, undefined),
    lists: new Map([...changes.lists].map(([name, list]) => [name, list.remove(added)])),
  })
}
