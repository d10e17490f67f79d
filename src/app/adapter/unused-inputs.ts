import { encodePointer, isObject } from '../../formats/json.ts'
import type { BuiltinOperation, UsedParts } from '../../resources/resource.ts'

/** The most that are listed. */
const MOST_NAMED = 20

/** Parts of a request that have no effect: names of query parameters, and pointers into the body. */
export interface UnusedInputs {
  readonly query: readonly string[]
  readonly body: readonly string[]
}

/** What the user's contract names in a request and the handler ignores. */
export function unusedInputs(uses: BuiltinOperation['uses'], query: object, body: unknown): UnusedInputs {
  return {
    query: Object.keys(query).filter((name) => !uses.query.includes(name)),
    body: uses.storesBody ? unusedBelow(body, uses.body, '') : unusedMembers(body, uses.body, ''),
  }
}

/** The same of members that are used only in part; all others of the body are stored. */
function unusedBelow(value: unknown, used: UsedParts, pointer: string): string[] {
  if (used === true || isList(used)) return unusedMembers(value, used, pointer)
  if (!isObject(value)) return []
  return Object.entries(used).flatMap(([name, inner]) =>
    unusedBelow(value[name], inner, `${pointer}/${encodePointer(name)}`),
  )
}

function unusedMembers(value: unknown, used: UsedParts, pointer: string): string[] {
  if (used === true) return []
  if (isList(used)) {
    const list = Array.isArray(value) ? value.slice(0, MOST_NAMED) : []
    return list
      .flatMap((one: unknown, index) => unusedMembers(one, used[0], `${pointer}/${index}`))
      .slice(0, MOST_NAMED)
  }
  if (!isObject(value)) return []
  return Object.entries(value)
    .flatMap(([name, inner]) => {
      const at = `${pointer}/${encodePointer(name)}`
      const below = Object.hasOwn(used, name) ? used[name] : undefined
      return below === undefined ? [at] : unusedMembers(inner, below, at)
    })
    .slice(0, MOST_NAMED)
}

function isList(used: UsedParts): used is readonly [UsedParts] {
  return Array.isArray(used)
}
