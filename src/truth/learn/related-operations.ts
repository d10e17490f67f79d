import type { Operation } from '../../contract/contract.ts'
import { isParameter } from '../../contract/template.ts'

type Pathed = Pick<Operation, 'path'>

/** Whether the body of one operation can change what another one shows. */
export type IsRelated = (writing: Pathed, showing: Pathed) => boolean

/**
 * Relates operations by the words of their paths: `POST /flags/{id}/notes` can change what `GET /flags/{id}` shows. `POST /users` cannot,
 * even if its body and a flag have members of the same name.
 */
export function createIsRelated(operations: readonly Pathed[]): IsRelated {
  const collections = new Set(operations.flatMap(({ path }) => collectionsIn(path)))
  const known = new Map<string, readonly string[]>()
  return (writing, { path }) => {
    const subjects = known.get(path) ?? subjectsOf(path, collections)
    known.set(path, subjects)
    return wordsIn(writing.path).some((word) => subjects.includes(word))
  }
}

/** The collection that a path is about. For a word below an item, such as `/flags/{id}/archive`, both `archive` and `flags`. */
function subjectsOf(path: string, collections: ReadonlySet<string>): readonly string[] {
  const words = wordsIn(path)
  return collections.has(words.at(-1) ?? '') ? words.slice(-1) : words.slice(-2)
}

/** The words that an id follows: `flags` of `/flags/{id}/archive`. */
function collectionsIn(path: string): readonly string[] {
  return [...path.matchAll(/\/([^/{}]+)\/\{/g)].map(([, word = '']) => word)
}

function wordsIn(path: string): readonly string[] {
  return path.split('/').filter((segment) => segment !== '' && !isParameter(segment))
}
