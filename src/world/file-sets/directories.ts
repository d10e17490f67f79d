import { compareCodePoints } from './code-points.ts'
import { parentOf } from './file-record.ts'

/**
 * The directory tree of a file set. Directories are numbered in preorder, the root being 0, so that a subtree is a run of
 * numbers: directory `d` and all below it are `d` to `end[d] - 1`.
 */
export interface Directories {
  /** The root included. */
  readonly count: number
  /** Full path by number; the root's is the empty string. */
  readonly paths: readonly string[]
  readonly parent: Uint32Array
  readonly end: Uint32Array
  /** The number of a directory by its exact path. */
  find(path: string): number | undefined
}

/** Builds the tree of the given directory paths; the directories above them need not be given. */
export function createDirectories(given: Iterable<string>): Directories {
  const known = new Set([''])
  for (const path of given) {
    for (let up = path; !known.has(up); up = parentOf(up)) known.add(up)
  }
  // Sorted as `path/`, a directory comes right before its descendants; `a-b/` sorts before `a/`, so plain paths would not do.
  const paths = [...known].sort((a, b) => (a === '' ? -1 : b === '' ? 1 : compareCodePoints(`${a}/`, `${b}/`)))
  const numbers = new Map(paths.map((path, number) => [path, number]))
  const parent = Uint32Array.from(paths, (path) => numbers.get(parentOf(path)) ?? 0)
  const end = Uint32Array.from(paths, (_path, number) => number + 1)
  for (let number = paths.length - 1; number > 0; number--) {
    const up = parent[number] ?? 0
    end[up] = Math.max(end[up] ?? 0, end[number] ?? 0)
  }
  return { count: paths.length, paths, parent, end, find: (path) => numbers.get(path) }
}
