import type { Base } from './base.ts'
import { directoryRecord } from './base.ts'
import {
  type Added,
  addedIn,
  type Changes,
  directoryIn,
  entryIn,
  folderAt,
  isImpliedIn,
  NONE,
  parentIn,
  pathIn,
  toldIn,
} from './changes.ts'
import { type EntryRecord, parentOf } from './file-record.ts'
import { instantOf, isFile } from './records.ts'
import { nameUuid } from '../uuid.ts'

/** Adds an entry that was told: a file, or an explicit directory. Its path must be free, or that of an implied directory. */
export function addTold(base: Base, before: Changes, record: EntryRecord): Changes {
  const isDirectory = !isFile(record)
  const [holder, withHolder] = directoryFor(base, before, parentOf(record.path))
  const [directory, numbered] = isDirectory ? directoryFor(base, withHolder, record.path) : ([-1, withHolder] as const)
  const implied = isDirectory ? entryIn(base, numbered, directory) : undefined
  const cleared = implied === undefined ? numbered : withoutEntry(base, numbered, implied)
  const added = {
    slot: cleared.nextSlot,
    record,
    instant: instantOf(record.created),
    holder,
    directory,
    isImplied: false,
  }
  const changes = withEntry(base, cleared, added)
  const isNew = isDirectory && implied === undefined
  return above(base, isNew ? countDirectory(base, changes, directory, 1) : changes, holder, (after, one) => {
    const counted = countTold(after, one, 1)
    if (one === 0) return counted
    if (exists(base, after, one)) return doubt(counted, one, added.slot, true)
    return comeToExist(base, counted, one, added)
  })
}

/** Removes an entry that was told. A directory of which something is left is implied from then on. */
export function removeTold(base: Base, before: Changes, slot: number): Changes {
  const directory = directoryIn(base, before, slot)
  const holder = slot < base.count ? base.holder(slot) : (addedIn(base, before, slot)?.holder ?? 0)
  let changes = withoutEntry(base, before, slot)
  if (directory >= 0) {
    const isLeft = toldIn(base, changes, directory) > 0
    changes = isLeft ? doubt(changes, directory, NONE, false) : countDirectory(base, changes, directory, -1)
  }
  return above(base, changes, holder, (after, one) => {
    const counted = countTold(after, one, -1)
    if (one === 0) return counted
    const entry = entryIn(base, counted, one)
    const isExplicit = entry !== undefined && !isImpliedIn(base, counted, entry)
    if (isExplicit || toldIn(base, counted, one) > 0) return doubt(counted, one, slot, false)
    const ceased = entry === undefined ? counted : withoutEntry(base, counted, entry)
    return countDirectory(base, ceased, one, -1)
  })
}

/** Puts another entry in the place of an implied directory's. */
export function replaceImplied(base: Base, before: Changes, directory: number, record: EntryRecord): Changes {
  const entry = entryIn(base, before, directory)
  const changes = entry === undefined ? before : withoutEntry(base, before, entry)
  return withEntry(base, changes, impliedEntry(base, changes, directory, record))
}

/** The number of a directory; it and those above it get numbers if they have none. */
function directoryFor(base: Base, before: Changes, path: string): [number, Changes] {
  const known = base.directories.find(path) ?? folderAt(before, path)?.number
  if (known !== undefined) return [known, before]
  const [parent, changes] = directoryFor(base, before, parentOf(path))
  const folder = { number: base.directories.count + changes.foldersByPath.length, path, parent }
  const folders = changes.folders.set(changes.foldersByPath.length, folder)
  return [folder.number, { ...changes, folders, foldersByPath: changes.foldersByPath.add(folder) }]
}

/** Applies a step to a directory and to all above it, the root last. */
function above(
  base: Base,
  before: Changes,
  directory: number,
  step: (changes: Changes, directory: number) => Changes,
): Changes {
  let changes = before
  for (let one = directory; ; one = parentIn(base, changes, one)) {
    changes = step(changes, one)
    if (one === 0) return changes
  }
}

function exists(base: Base, changes: Changes, directory: number): boolean {
  const entry = entryIn(base, changes, directory)
  if (entry !== undefined && !isImpliedIn(base, changes, entry)) return true
  return toldIn(base, changes, directory) > 0
}

/** The first entry below a directory makes it one, and is its oldest. */
function comeToExist(base: Base, before: Changes, directory: number, first: Added): Changes {
  const path = pathIn(base, before, directory)
  const id = nameUuid(base.namespace, path)
  const { created, createdBy } = first.record
  const record = directoryRecord(path, { id, created, createdBy, instant: first.instant })
  const changes = withEntry(base, before, impliedEntry(base, before, directory, record))
  return countDirectory(base, { ...changes, oldest: changes.oldest.set(directory, first.slot) }, directory, 1)
}

function impliedEntry(base: Base, changes: Changes, directory: number, record: EntryRecord): Added {
  const holder = parentIn(base, changes, directory)
  return { slot: changes.nextSlot, record, instant: instantOf(record.created), holder, directory, isImplied: true }
}

/** Another directory, or one less, below all that are above it. */
function countDirectory(base: Base, before: Changes, directory: number, change: 1 | -1): Changes {
  return above(base, before, parentIn(base, before, directory), (changes, one) => ({
    ...changes,
    directoriesBelow: changes.directoriesBelow.set(one, changes.directoriesBelow.get(one) + change),
  }))
}

function countTold(changes: Changes, directory: number, change: 1 | -1): Changes {
  const toldBelow = changes.toldBelow.set(directory, changes.toldBelow.get(directory) + change)
  return { ...changes, toldBelow }
}

function doubt(changes: Changes, directory: number, slot: number, came: boolean): Changes {
  return { ...changes, doubts: { directory, slot, came, earlier: changes.doubts } }
}

function withEntry(base: Base, before: Changes, added: Added): Changes {
  const { count, fileCount, entryOf, lists } = before
  const isDirectory = added.directory >= 0
  return {
    ...before,
    added: before.added.set(added.slot - base.count, added),
    nextSlot: added.slot + 1,
    count: count + 1,
    fileCount: fileCount + (isDirectory ? 0 : 1),
    entryOf: isDirectory ? entryOf.set(added.directory, added.slot) : entryOf,
    lists: new Map([...lists].map(([name, list]) => [name, list.add(added)])),
  }
}

function withoutEntry(base: Base, before: Changes, slot: number): Changes {
  const added = addedIn(base, before, slot)
  const directory = directoryIn(base, before, slot)
  const rest = {
    count: before.count - 1,
    fileCount: before.fileCount - (directory >= 0 ? 0 : 1),
    entryOf: directory >= 0 ? before.entryOf.set(directory, NONE) : before.entryOf,
  }
  if (!added) return { ...before, ...rest, gone: before.gone.add(slot) }
  return {
    ...before,
    ...rest,
    added: before.added.set(slot - base.count, undefined),
    lists: new Map([...before.lists].map(([name, list]) => [name, list.remove(added)])),
  }
}
