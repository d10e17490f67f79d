import { directoryRecord, type DirectoryFields } from './base.ts'
import {
  type Added,
  addedIn,
  type Changes,
  addedWithId,
  directoryIn,
  entryIn,
  folderAt,
  isImpliedIn,
  isThere,
  NONE,
  parentIn,
  pathIn,
  recordIn,
  storedIn,
} from './changes.ts'
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
export function* createFieldsOf(before: Changes, added: readonly EntryRecord[]): Steps<FieldsOf> {
  const oldest = yield* oldestBelow(added)
  let ids: ReadonlySet<string> | undefined
  const isTaken = (id: string) => {
    ids ??= new Set(added.map((record) => record.id))
    const slot = addedWithId(before, id)?.slot ?? before.base.storedWithId(id)
    return ids.has(id) || (slot !== undefined && isThere(before, slot))
  }
  return (directory, path) => {
    const entry = entryIn(before, directory)
    if (entry !== undefined) return fieldsOf(recordIn(before, entry))
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
  before: Changes,
  { record, fieldsOf }: { readonly record: EntryRecord; readonly fieldsOf: FieldsOf },
): Changes {
  const isDirectory = !isFile(record)
  const [holder, withHolder] = directoryFor(before, parentOf(record.path))
  const [directory, numbered] = isDirectory ? directoryFor(withHolder, record.path) : ([-1, withHolder] as const)
  const implied = isDirectory ? entryIn(numbered, directory) : undefined
  const cleared = implied === undefined ? numbered : withoutEntry(numbered, implied)
  const added = {
    slot: cleared.nextSlot,
    record,
    instant: instantOf(record.created),
    holder,
    directory,
    isImplied: false,
  }
  const changes = withEntry(cleared, added)
  // New directories below the current one.
  let newBelow = isDirectory && implied === undefined ? 1 : 0
  return above(changes, holder, (after, one) => {
    const counted = countBelow(after, one, 1, newBelow)
    if (one === 0 || exists(after, one)) return counted
    newBelow++
    return withImplied(counted, one, fieldsOf(one, pathIn(counted, one)))
  })
}

/** Removes a file or an explicit directory. A directory that still contains entries becomes implied and keeps its fields. */
export function removeStored(before: Changes, slot: number): Changes {
  const directory = directoryIn(before, slot)
  const holder = slot < before.base.count ? before.base.holder(slot) : (addedIn(before, slot)?.holder ?? 0)
  let changes = withoutEntry(before, slot)
  // Removed directories below the current one.
  let removedBelow = 0
  if (directory >= 0) {
    if (storedIn(changes, directory) > 0) changes = withImplied(changes, directory, fieldsOf(recordIn(before, slot)))
    else removedBelow++
  }
  return above(changes, holder, (after, one) => {
    const counted = countBelow(after, one, -1, -removedBelow)
    if (one === 0 || exists(counted, one)) return counted
    removedBelow++
    const entry = entryIn(counted, one)
    return entry === undefined ? counted : withoutEntry(counted, entry)
  })
}

/** Gives an implied directory other fields; does nothing to others. */
export function replaceImplied(before: Changes, directory: number, fields: DirectoryFields): Changes {
  const entry = entryIn(before, directory)
  if (entry === undefined || !isImpliedIn(before, entry)) return before
  return withImplied(withoutEntry(before, entry), directory, fields)
}

/** The number of a directory; it and those above it get numbers if they have none. */
function directoryFor(before: Changes, path: string): [number, Changes] {
  const known = before.base.directories.find(path) ?? folderAt(before, path)?.number
  if (known !== undefined) return [known, before]
  const [parent, changes] = directoryFor(before, parentOf(path))
  const folder = { number: before.base.directories.count + changes.foldersByPath.length, path, parent }
  const folders = changes.folders.set(changes.foldersByPath.length, folder)
  return [folder.number, { ...changes, folders, foldersByPath: changes.foldersByPath.add(folder) }]
}

/** Applies a step to a directory and to all above it, the root last. */
function above(before: Changes, directory: number, step: (changes: Changes, directory: number) => Changes): Changes {
  let changes = before
  for (let one = directory; ; one = parentIn(changes, one)) {
    changes = step(changes, one)
    if (one === 0) return changes
  }
}

function exists(changes: Changes, directory: number): boolean {
  const entry = entryIn(changes, directory)
  if (entry !== undefined && !isImpliedIn(changes, entry)) return true
  return storedIn(changes, directory) > 0
}

function withImplied(changes: Changes, directory: number, fields: DirectoryFields): Changes {
  const record = directoryRecord(pathIn(changes, directory), fields)
  const holder = parentIn(changes, directory)
  const { instant } = fields
  return withEntry(changes, { slot: changes.nextSlot, record, instant, holder, directory, isImplied: true })
}

/** Counts entries and directories that are added or removed below a directory. */
function countBelow(changes: Changes, directory: number, stored: 1 | -1, directories: number): Changes {
  const { storedBelow, directoriesBelow } = changes
  return {
    ...changes,
    storedBelow: storedBelow.set(directory, storedBelow.get(directory) + stored),
    directoriesBelow:
      directories === 0
        ? directoriesBelow
        : directoriesBelow.set(directory, directoriesBelow.get(directory) + directories),
  }
}

function withEntry(before: Changes, added: Added): Changes {
  const { count, fileCount, entryOf, lists } = before
  const isDirectory = added.directory >= 0
  return {
    ...before,
    added: before.added.set(added.slot - before.base.count, added),
    nextSlot: added.slot + 1,
    count: count + 1,
    fileCount: fileCount + (isDirectory ? 0 : 1),
    entryOf: isDirectory ? entryOf.set(added.directory, added.slot) : entryOf,
    lists: new Map([...lists].map(([name, list]) => [name, list.add(added)])),
  }
}

function withoutEntry(before: Changes, slot: number): Changes {
  const added = addedIn(before, slot)
  const directory = directoryIn(before, slot)
  const rest = {
    count: before.count - 1,
    fileCount: before.fileCount - (directory >= 0 ? 0 : 1),
    entryOf: directory >= 0 ? before.entryOf.set(directory, NONE) : before.entryOf,
  }
  if (!added) return { ...before, ...rest, gone: before.gone.add(slot) }
  return {
    ...before,
    ...rest,
    added: before.added.set(slot - before.base.count, undefined),
    lists: new Map([...before.lists].map(([name, list]) => [name, list.remove(added)])),
  }
}
