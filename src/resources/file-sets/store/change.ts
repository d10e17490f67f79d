import { type Base, directoryRecord, type DirectoryFacts } from './base.ts'
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
  toldIn,
} from './changes.ts'
import { type EntryRecord, parentOf } from './file-record.ts'
import { instantOf, isFile } from './records.ts'
import { compareInstants } from '../../../engine/instant.ts'
import type { Steps } from '../../../engine/steps.ts'
import { entryId } from '../../../engine/uuid.ts'

/** What a directory is that comes to exist, by its number and path. */
type FactsOf = (directory: number, path: string) => DirectoryFacts

/**
 * A directory that was there before a change is what it was: its place in a walk does not move while it exists (`dir.implied`).
 * A new one takes its date and creator from the oldest entry that the change adds below it.
 */
export function* createFactsOf(base: Base, before: Changes, added: readonly EntryRecord[]): Steps<FactsOf> {
  const oldest = yield* oldestBelow(added)
  let ids: ReadonlySet<string> | undefined
  const isTaken = (id: string) => {
    ids ??= new Set(added.map((record) => record.id))
    const slot = addedWithId(before, id)?.slot ?? base.toldWithId(id)
    return ids.has(id) || (slot !== undefined && isThere(base, before, slot))
  }
  return (directory, path) => {
    const entry = entryIn(base, before, directory)
    if (entry !== undefined) return factsOf(recordIn(base, before, entry))
    const { created = '', createdBy = 0 } = oldest.get(path) ?? {}
    return factsOf({ id: entryId(base.namespace, path, isTaken), created, createdBy })
  }
}

export function factsOf({ id, created, createdBy }: Pick<EntryRecord, 'id' | 'created' | 'createdBy'>): DirectoryFacts {
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

/** Adds an entry that was told: a file, or an explicit directory. Its path must be free, or that of an implied directory. */
export function addTold(
  base: Base,
  before: Changes,
  { record, factsOf }: { readonly record: EntryRecord; readonly factsOf: FactsOf },
): Changes {
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
  // Directories that come to exist below the one looked at.
  let fresh = isDirectory && implied === undefined ? 1 : 0
  return above(base, changes, holder, (after, one) => {
    const counted = countBelow(after, one, 1, fresh)
    if (one === 0 || exists(base, after, one)) return counted
    fresh++
    return withImplied(base, counted, one, factsOf(one, pathIn(base, counted, one)))
  })
}

/** Removes an entry that was told. A directory of which something is left is implied from then on, and otherwise what it was. */
export function removeTold(base: Base, before: Changes, slot: number): Changes {
  const directory = directoryIn(base, before, slot)
  const holder = slot < base.count ? base.holder(slot) : (addedIn(base, before, slot)?.holder ?? 0)
  let changes = withoutEntry(base, before, slot)
  // Directories that cease to exist below the one looked at.
  let ceased = 0
  if (directory >= 0) {
    if (toldIn(base, changes, directory) > 0)
      changes = withImplied(base, changes, directory, factsOf(recordIn(base, before, slot)))
    else ceased++
  }
  return above(base, changes, holder, (after, one) => {
    const counted = countBelow(after, one, -1, -ceased)
    if (one === 0 || exists(base, counted, one)) return counted
    ceased++
    const entry = entryIn(base, counted, one)
    return entry === undefined ? counted : withoutEntry(base, counted, entry)
  })
}

/** Puts another entry in the place of an implied directory's. */
export function replaceImplied(base: Base, before: Changes, directory: number, facts: DirectoryFacts): Changes {
  const entry = entryIn(base, before, directory)
  const changes = entry === undefined ? before : withoutEntry(base, before, entry)
  return withImplied(base, changes, directory, facts)
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

function withImplied(base: Base, changes: Changes, directory: number, facts: DirectoryFacts): Changes {
  const record = directoryRecord(pathIn(base, changes, directory), facts)
  const holder = parentIn(base, changes, directory)
  const { instant } = facts
  return withEntry(base, changes, { slot: changes.nextSlot, record, instant, holder, directory, isImplied: true })
}

/** Counts what comes to be below a directory, or ceases to: told entries, and directories. */
function countBelow(changes: Changes, directory: number, told: 1 | -1, directories: number): Changes {
  const { toldBelow, directoriesBelow } = changes
  return {
    ...changes,
    toldBelow: toldBelow.set(directory, toldBelow.get(directory) + told),
    directoriesBelow:
      directories === 0
        ? directoriesBelow
        : directoriesBelow.set(directory, directoriesBelow.get(directory) + directories),
  }
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
