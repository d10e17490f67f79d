import { compareCodePoints, type Piece, shared } from './columns.ts'
import { nameOf, parentOf } from './file-record.ts'
import type { Steps } from '../../../engine/steps.ts'

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
    for (const { path, name } of (children.get(one.path) ?? []).toReversed()) waiting.push({ path, name, parent: own })
    if (own % MOST_LOOKED === 0) yield
  }
  const parent = Uint32Array.from(parents)
  const end = Uint32Array.from(paths, (_path, own) => own + 1)
  for (let own = paths.length - 1; own > 0; own--) {
    const up = parent[own] ?? 0
    end[up] = Math.max(end[up] ?? 0, end[own] ?? 0)
  }
  return {
    count: paths.length,
    paths,
    name: shared(names, names.length),
    parent,
    end,
    find: (path) => numbers.get(path),
  }
}

interface Child {
  readonly path: string
  readonly name: string
  /** `name/`: so compared, a directory comes right before its descendants; `a-b/` sorts before `a/`, so names would not do. */
  readonly key: string
}

/** By directory: those right below it, in the order in which they and all that they hold stand in a list of paths. */
function* findChildren(given: Iterable<string>): Steps<Map<string, Child[]>> {
  const children = new Map<string, Child[]>([['', []]])
  let looked = 0
  for (const path of given) {
    if (++looked % MOST_LOOKED === 0) yield
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
  for (const siblings of children.values()) {
    if (++looked % MOST_LOOKED === 0) yield
    if (siblings.length > 1) siblings.sort((a, b) => compareCodePoints(a.key, b.key))
  }
  return children
}

/** Directories that are looked at in one step. */
const MOST_LOOKED = 2048
