import { isIdName } from './id-names.ts'
import { namesCaller } from './people.ts'
import type { DraftOperation } from './draft-operation.ts'
import type { Located } from './plan.ts'
import { parameterOf, parametersOf, type PathItem, type Routes, shapeOf } from './routes.ts'

/** Items that are found by the name of their owner and their own name. */
interface OwnedItems {
  /** The path of an item, `/repos/{owner}/{repo}`. */
  readonly segments: readonly string[]
  /** What the operations of a path do, taken for those of a collection. */
  operationsOf(base: PathItem): readonly DraftOperation[]
  isSame(located: Located | undefined): boolean
}

/**
 * The operations that list and create the items of `/repos/{owner}/{repo}` at the paths of their owners, as services for code have them:
 * `/orgs/{org}/repos`, `/users/{name}/repos`, and `/user/repos` for those of the caller. Empty where none creates any.
 */
export function operationsOfOwners(
  routes: Routes,
  { segments, operationsOf, isSame }: OwnedItems,
): readonly DraftOperation[] {
  const word = segments.at(-3)
  const found = [...routes.values()].flatMap((base) => {
    const [owner = '', last] = base.segments.slice(-2)
    const name = parameterOf(owner)
    const isOfOne = parametersOf(base.segments).length === 1 && name !== undefined && !isIdName(name)
    const isOwn = parametersOf(base.segments).length === 0 && namesCaller(owner)
    if (last !== word || (!isOfOne && !isOwn) || routes.has(`${shapeOf(base.segments)}/{}`)) return []
    const operations = operationsOf(base).filter(
      ({ role, output: { located } }) => ['list', 'create'].includes(role) && isSame(located),
    )
    return operations.map((one) => (isOwn ? { ...one, isOfCaller: true } : one))
  })
  return found.some(({ role }) => role === 'create') ? found : []
}
