import { type Piece, shared, type Files, reader } from './columns.ts'
import { compareCodePoints } from '../../../base/formats/code-points.ts'
import { nameOf, parentOf } from './file-record.ts'
import { type Steps, runSteps } from '../../../engine/slices.ts'
import { rankTexts } from '../../../engine/sort-in-steps.ts'

/**
 * The directory tree of a file set. Directories are numbered in preorder, the root being 0, so that a subtree is a run of
 * numbers: directory `d` and all below it are `d` to `end[d] - 1`.
 */
export interface Directories {
  /** The root included. */
  readonly count: number
  /** Full path by number; the root's is the empty string. */
  readonly paths: readonly string[]
  /** Last segment by number; many directories have the same. */
  readonly name: Piece
  readonly parent: Uint32Array
  readonly end: Uint32Array
  /** The number of a directory by its exact path. */
  find(path: string): number | undefined
}

/** Builds the tree of the given directory paths; the directories above them need not be given. */
export function* createDirectories(given: Iterable<string>): Steps<Directories> {
  const children = yield* findChildren(given)
  const paths: string[] = []
  const names: string[] = []
  const parents: number[] = []
  const numbers = new Map<string, number>()
  // A stack, as directories may lie thousands deep.
  const waiting = [{ path: '', name: '', parent: 0 }]
  for (let one = waiting.pop(); one; one = waiting.pop()) {
    const own = paths.length
    numbers.set(one.path, own)
    paths.push(one.path)
    names.push(one.name)
    parents.push(one.parent)
    const below = children.get(one.path) ?? []
    for (let at = below.length - 1; at >= 0; at--) {
      const child = below[at]
      if (child) waiting.push({ path: child.path, name: child.name, parent: own })
      if ((at + 1) % MAX_LOOKED === 0) yield
    }
    if (own % MAX_LOOKED === 0) yield
  }
  const parent = Uint32Array.from(parents)
  const end = parent.map((_, own) => own + 1)
  yield
  for (let own = paths.length - 1; own > 0; own--) {
    const up = parent[own] ?? 0
    end[up] = Math.max(end[up] ?? 0, end[own] ?? 0)
    if (own % MAX_LOOKED === 0) yield
  }
  const name = shared(names, names.length)
  yield
  return { count: paths.length, paths, name, parent, end, find: (path) => numbers.get(path) }
}

/** What the paths of files begin with: the path of a directory and a slash, or nothing in the root. */
export function folderPiece({ count, paths }: Directories, directoryOf: Uint32Array): Piece {
  const text = (directory: number) => (directory === 0 ? '' : `${paths[directory] ?? ''}/`)
  return { count, isShared: true, codes: directoryOf, text }
}

interface ChildDirectory {
  readonly path: string
  readonly name: string
  /** `name/`: so compared, a directory comes right before its descendants; `a-b/` sorts before `a/`, so names would not do. */
  readonly key: string
}

/** By directory: its immediate subdirectories, in the order in which they and their contents are in a list of paths. */
function* findChildren(given: Iterable<string>): Steps<Map<string, ChildDirectory[]>> {
  const children = new Map<string, ChildDirectory[]>([['', []]])
  let looked = 0
  for (const path of given) {
    if (++looked % MAX_LOOKED === 0) yield
    const added: string[] = []
    for (let above = path; !children.has(above); above = parentOf(above)) {
      children.set(above, [])
      added.push(above)
    }
    for (const one of added) {
      const name = nameOf(one)
      children.get(parentOf(one))?.push({ path: one, name, key: `${name}/` })
    }
  }
  for (const [path, siblings] of children) {
    if (++looked % MAX_LOOKED === 0) yield
    if (siblings.length > MAX_LOOKED) children.set(path, yield* sortMany(siblings))
    else if (siblings.length > 1) siblings.sort((a, b) => compareCodePoints(a.key, b.key))
  }
  return children
}

function* sortMany(siblings: readonly ChildDirectory[]): Steps<ChildDirectory[]> {
  const ranks = yield* rankTexts(siblings.map(({ key }) => key))
  const sorted = [...siblings]
  for (const [at, one] of siblings.entries()) sorted[ranks[at] ?? 0] = one
  return sorted
}

/** Directories that are looked at in one step. */
const MAX_LOOKED = 2048

/** Looks through the one directory that could hold it; one with many files gets an index when it is first looked through. */
export function createPathIndex(files: Files, directories: Directories, first: number) {
  const segment = reader(files.text('name').pieces)
  const indexes = new Map<number, Map<string, number>>()
  const indexOf = (directory: number, from: number, to: number) => {
    const index = new Map<string, number>()
    for (let place = from; place < to; place++) index.set(segment(files.at(place)) ?? '', files.at(place))
    indexes.set(directory, index)
    return index
  }
  return (path: string): number | undefined => {
    const itself = directories.find(path)
    if (itself !== undefined) return itself === 0 ? undefined : first + itself
    const directory = directories.find(parentOf(path))
    if (directory === undefined) return undefined
    const name = nameOf(path)
    const [from = 0, to = 0] = [files.before[directory], files.before[directory + 1]]
    if (to - from > MAX_LOOKED_THROUGH) return (indexes.get(directory) ?? indexOf(directory, from, to)).get(name)
    for (let place = from; place < to; place++) if (segment(files.at(place)) === name) return files.at(place)
    return undefined
  }
}

const MAX_LOOKED_THROUGH = 512

/** The ids of all directories; created when an id is looked up that no stored entry has. */
export function createIdIndex({ paths }: Directories, idOf: (directory: number) => string) {
  let ids: ReadonlyMap<string, number> | undefined
  const make = function* (): Steps<ReadonlyMap<string, number>> {
    const made = new Map([['', 0]])
    for (let directory = 1; directory < paths.length; directory++) {
      made.set(idOf(directory), directory)
      if (directory % MAX_IDS === 0) yield
    }
    return made
  }
  return {
    find: (id: string): number | undefined => (ids ??= runSteps(make())).get(id),
    *prepare(): Steps<undefined> {
      ids ??= yield* make()
      return undefined
    },
  }
}

/** Ids that are made in one step. */
const MAX_IDS = 512
