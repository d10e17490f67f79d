import type { Config } from '../../config/config.ts'
import type { Bindings } from './binding.ts'
import type { Keys } from '../middleware/authenticate.ts'
import { nearest } from '../../base/errors/wording.ts'
import { StartupError } from '../../base/errors/problem.ts'

/** The identity of a key that the configuration does not list. */
const ANYONE = { userId: 1 }

/**
 * The identity and the rights of each configured key.
 *
 * @throws StartupError for a right that is not an operation of the contract
 */
export function createKeys({ keys, names }: Config, bindings: Bindings): Keys {
  const operations = operationsByRight(bindings)
  const ids = [...operations.keys()]
  const complaints = keys.flatMap(({ rights = [] }, index) =>
    rights.flatMap((right, at) => {
      if (operations.has(right)) return []
      const place = names.keys?.(`/${index}/rights/${at}`) ?? 'keys'
      const meant = nearest(right, ids)
      const remedy = meant === undefined ? `Rights: ${ids.join(', ')}.` : `Did you mean \`${meant}\`?`
      return [`${place}: Key ${index + 1} has the unknown right \`${right}\`. ${remedy}`]
    }),
  )
  if (complaints.length > 0) throw new StartupError(complaints)
  const holders = keys.map(
    ({ key, userId = ANYONE.userId, rights, directories }) =>
      [
        key,
        {
          userId,
          rights: rights && new Set(rights.flatMap((right) => operations.get(right) ?? [])),
          directories: directories && directoriesBySet(directories),
        },
      ] as const,
  )
  const listed = new Map(holders)
  return { listed, isListed: (key) => listed.has(key), anyone: ANYONE }
}

/** The operations that a right stands for: the one with this id, or those bound to the built-in operation of this name. */
function operationsByRight(bindings: Bindings): ReadonlyMap<string, readonly string[]> {
  const operations = new Map<string, string[]>([...bindings.keys()].map((id) => [id, [id]]))
  for (const [id, binding] of bindings) {
    if (binding.kind !== 'stateful' || bindings.has(binding.handlerKind)) continue
    const known = operations.get(binding.handlerKind)
    if (known) known.push(id)
    else operations.set(binding.handlerKind, [id])
  }
  return operations
}

function directoriesBySet(listed: Readonly<Record<string, readonly string[]>>): ReadonlyMap<string, readonly string[]> {
  const bare = (path: string) =>
    path
      .split('/')
      .filter((segment) => segment !== '')
      .join('/')
  return new Map(Object.entries(listed).map(([fileSetId, paths]) => [fileSetId, paths.map(bare)]))
}
