import type { Operation } from '../../contract/contract.ts'

/** Whether what a request sends may be a part of what another operation shows. */
export type IsAbout = (writing: Pick<Operation, 'path'>, showing: Pick<Operation, 'path'>) => boolean

/**
 * By the words of their paths: `POST /flags/{id}/notes` may change what `GET /flags/{id}` shows, and `POST /users` does not, though members
 * of both are called alike.
 */
export function createIsAbout(operations: readonly Pick<Operation, 'path'>[]): IsAbout {
  const collections = new Set(operations.flatMap(({ path }) => withIds(path)))
  const subjects = new Map<string, ReadonlySet<string>>()
  const subjectsOf = (path: string) => {
    const known = subjects.get(path) ?? new Set(findSubjects(path, collections))
    subjects.set(path, known)
    return known
  }
  return ({ path }, showing) => {
    const shown = subjectsOf(showing.path)
    return wordsOf(path).some((word) => shown.has(word))
  }
}

/** The collection that a path is about; for a word below an item, such as `/flags/{id}/archive`, that of the item too. */
function findSubjects(path: string, collections: ReadonlySet<string>): string[] {
  const words = wordsOf(path)
  const [last = ''] = words.slice(-1)
  return collections.has(last) ? [last] : words.slice(-2)
}

function withIds(path: string): string[] {
  return [...path.matchAll(/\/([^/{}]+)\/\{/g)].map(([, word = '']) => word)
}

function wordsOf(path: string): string[] {
  return path.split('/').filter((one) => one !== '' && !one.startsWith('{'))
}
