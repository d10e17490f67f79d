import { compareCodePoints } from '../../../base/formats/code-points.ts'
import type { Entries } from './entries.ts'
import { nameOf } from './file-record.ts'

/** A directory, as a tree shows it. */
interface TreeDirectory {
  readonly path: string
  readonly name: string
  /** How many files and explicit directories are below it, at any depth. */
  readonly entries: number
  readonly hasDirectories: boolean
}

/** The paths of the directories directly in a directory, by name. */
export function directoriesIn(entries: Entries, directory: number): string[] {
  const { base, changes } = entries
  const { count, end, paths } = base.directories
  const found: string[] = []
  const last = directory < count ? (end[directory] ?? 0) : 0
  for (let child = directory + 1; child < last; child = end[child] ?? last) found.push(paths[child] ?? '')
  for (const { number, path } of changes.foldersByPath.from(() => true))
    if (entries.parentOf(number) === directory) found.push(path)
  const names = found
    .filter((path) => entries.findDirectory(path) !== undefined)
    .map((path) => ({ path, name: nameOf(path) }))
  return names.sort((a, b) => compareCodePoints(a.name, b.name)).map(({ path }) => path)
}

export function describeFolder(entries: Entries, path: string): TreeDirectory {
  const directory = entries.findDirectory(path) ?? 0
  return {
    path,
    name: nameOf(path),
    entries: entries.storedIn(directory),
    hasDirectories: entries.hasDirectoriesBelow(directory),
  }
}

/** The slots of the entries directly in a directory: its directories by name, then its files in the order of slots. */
export function childrenOf(entries: Entries, directory: number): number[] {
  const { files } = entries.base
  const found = directoriesIn(entries, directory).flatMap((path) => entries.slotAt(path) ?? [])
  if (directory < entries.base.directories.count) {
    const end = files.before[directory + 1] ?? 0
    for (let place = files.before[directory] ?? 0; place < end; place++) {
      const slot = files.at(place)
      if (!entries.isGone(slot)) found.push(slot)
    }
  }
  for (const slot of entries.addedSlots())
    if (entries.holder(slot) === directory && !entries.isDirectory(slot)) found.push(slot)
  return found
}
