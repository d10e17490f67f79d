import { type Base, directoryRecord } from './base.ts'
import { replaceImplied } from './change.ts'
import {
  addedBelow,
  AS_IN_BASE,
  type Changes,
  directoryIn,
  type Doubt,
  entryIn,
  instantIn,
  isImpliedIn,
  isThere,
  NONE,
  pathIn,
  recordIn,
  toldIn,
} from './changes.ts'
import type { EntryRecord } from './file-record.ts'
import { compareInstants } from '../instant.ts'
import { nameUuid } from '../uuid.ts'

/**
 * Gives each implied directory below which something came or went the date and creator of the descendant that is now its oldest
 * (ledger row `dir.implied`). This waits until somebody reads, for it may have to look through the base: a change itself does not.
 */
export function settle(base: Base, doubtful: Changes): Changes {
  let changes: Changes = { ...doubtful, doubts: undefined }
  for (const [directory, doubts] of byDirectory(base, doubtful)) {
    const before = oldestIn(base, changes, directory)
    const oldest = findOldest(base, changes, directory, doubts, before)
    if (oldest !== before) changes = { ...changes, oldest: changes.oldest.set(directory, oldest) }
    const entry = entryIn(base, changes, directory)
    if (entry !== undefined && !isImpliedIn(base, changes, entry)) continue
    if (entry !== undefined && oldest === before) continue
    changes = replaceImplied(base, changes, directory, impliedRecord(base, changes, directory, oldest))
  }
  return changes
}

/** The doubts by directory, the deepest first, since the oldest of a directory may be that of one below it. */
function byDirectory(base: Base, changes: Changes): [directory: number, doubts: Doubt[]][] {
  const groups = new Map<number, Doubt[]>()
  for (let doubt = changes.doubts; doubt; doubt = doubt.earlier) {
    const group = groups.get(doubt.directory)
    if (group) group.push(doubt)
    else groups.set(doubt.directory, [doubt])
  }
  const depth = (directory: number) => pathIn(base, changes, directory).split('/').length
  return [...groups]
    .map(([directory, doubts]) => ({ directory, doubts, depth: depth(directory) }))
    .sort((a, b) => b.depth - a.depth)
    .map(({ directory, doubts }) => [directory, doubts])
    .filter((one): one is [number, Doubt[]] => hasSomething(base, changes, one[0] as number))
}

/** Whether a directory is there, or something is left in it that implies it. */
function hasSomething(base: Base, changes: Changes, directory: number): boolean {
  return entryIn(base, changes, directory) !== undefined || toldIn(base, changes, directory) > 0
}

function oldestIn(base: Base, { oldest }: Changes, directory: number): number {
  const known = oldest.get(directory)
  if (known !== AS_IN_BASE) return known
  return directory < base.directories.count ? base.facts.oldest(directory) : NONE
}

function findOldest(base: Base, changes: Changes, directory: number, doubts: readonly Doubt[], before: number): number {
  let oldest = before
  if (oldest >= 0 && !isThere(base, changes, oldest)) oldest = lookThrough(base, changes, directory)
  for (const { slot, came } of doubts) {
    if (came && isThere(base, changes, slot)) oldest = older(base, changes, oldest, slot)
  }
  return oldest
}

/** The oldest of what the base still has right in the directory, of the oldest below its directories, and of all that was added. */
function lookThrough(base: Base, changes: Changes, directory: number): number {
  const { files, directories } = base
  let oldest = NONE
  const offer = (slot: number) => {
    if (slot >= 0 && isThere(base, changes, slot)) oldest = older(base, changes, oldest, slot)
  }
  if (directory < directories.count) {
    const end = directories.end[directory] ?? 0
    for (let place = files.before[directory] ?? 0; place < (files.before[directory + 1] ?? 0); place++) {
      offer(files.at(place))
    }
    for (let child = directory + 1; child < end; child = directories.end[child] ?? end) {
      offer(oldestIn(base, changes, child))
      if (base.isTold(base.slotOf(child))) offer(base.slotOf(child))
    }
  }
  for (const { slot, isImplied } of addedBelow(changes, pathIn(base, changes, directory))) if (!isImplied) offer(slot)
  return oldest
}

/** The older of two slots, a file before a directory where they are equally old. */
function older(base: Base, changes: Changes, a: number, b: number): number {
  if (a < 0) return b
  const order = compareInstants(instantIn(base, changes, a), instantIn(base, changes, b))
  return (order || rank(base, changes, a) - rank(base, changes, b) || a - b) <= 0 ? a : b
}

function rank(base: Base, changes: Changes, slot: number): number {
  return directoryIn(base, changes, slot) >= 0 ? 1 : 0
}

function impliedRecord(base: Base, changes: Changes, directory: number, oldest: number): EntryRecord {
  const path = pathIn(base, changes, directory)
  const { created, createdBy } = recordIn(base, changes, oldest)
  return directoryRecord(path, {
    id: nameUuid(base.namespace, path),
    created,
    createdBy,
    instant: instantIn(base, changes, oldest),
  })
}
