import { isObject, stringifyJson } from '../../../base/formats/json.ts'

/** Which items of two lists are the same, so that order and members can be told apart. */
export interface Alignment {
  /** In the order of the first list. */
  readonly pairs: readonly (readonly [unknown, unknown])[]
  readonly isReordered: boolean
  readonly onlyOurs: readonly unknown[]
  readonly onlyTheirs: readonly unknown[]
  /** Whether those that are the same by their key are so in most of what they have. */
  readonly areAlike: boolean
}

/** Items are the same by the member that most of them share: a path, a name, an id. Without one, by their place. */
export function alignItems(ours: readonly unknown[], theirs: readonly unknown[]): Alignment {
  const keyOf = findKey(ours, theirs)
  if (!keyOf) return byPlace(ours, theirs)
  const left = new Map<string, unknown[]>()
  for (const item of theirs) left.set(keyOf(item), [...(left.get(keyOf(item)) ?? []), item])
  const pairs: [unknown, unknown][] = []
  const onlyOurs: unknown[] = []
  for (const item of ours) {
    const other = left.get(keyOf(item))?.shift()
    if (other === undefined) onlyOurs.push(item)
    else pairs.push([item, other])
  }
  const onlyTheirs = [...left.values()].flat()
  const places = new Map(theirs.map((item, at) => [item, at]))
  const isReordered = pairs.some(
    ([, other], at) => at > 0 && Number(places.get(other)) < Number(places.get(pairs[at - 1]?.[1])),
  )
  return { pairs, isReordered, onlyOurs, onlyTheirs, areAlike: areAlike(pairs) }
}

function byPlace(ours: readonly unknown[], theirs: readonly unknown[]): Alignment {
  const shared = Math.min(ours.length, theirs.length)
  return {
    pairs: ours.slice(0, shared).map((item, at) => [item, theirs[at]] as const),
    isReordered: false,
    onlyOurs: ours.slice(shared),
    onlyTheirs: theirs.slice(shared),
    areAlike: shared === 0 || ![...ours, ...theirs].every(isObject),
  }
}

/** Names that identify an item best come first. */
const PREFERRED = ['path', 'pointer', 'parameter', 'id', 'key', 'name', 'title']

function findKey(ours: readonly unknown[], theirs: readonly unknown[]): ((item: unknown) => string) | undefined {
  if (ours.length === 0 || theirs.length === 0) return undefined
  if (![...ours, ...theirs].every(isObject)) return plainKey(ours, theirs)
  const names = new Set([...PREFERRED, ...Object.keys(ours[0] as object)])
  let best: { readonly name: string; readonly shared: number } | undefined
  for (const name of names) {
    const [mine, other] = [ours, theirs].map((items) => items.map((item) => memberOf(item, name)))
    if (!mine || !other || !isIdentifying(mine) || !isIdentifying(other)) continue
    const known = new Set(other)
    const shared = mine.filter((value) => known.has(value)).length
    if (shared > (best?.shared ?? 0)) best = { name, shared }
  }
  const name = best?.name
  return name === undefined ? undefined : (item) => String(memberOf(item, name))
}

/** Texts and numbers are themselves. */
function plainKey(ours: readonly unknown[], theirs: readonly unknown[]): ((item: unknown) => string) | undefined {
  return [...ours, ...theirs].some((item) => typeof item === 'object') ? undefined : (item) => stringifyJson(item)
}

function memberOf(item: unknown, name: string): string | undefined {
  const value = isObject(item) ? item[name] : undefined
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'bigint' ? String(value) : undefined
}

function isIdentifying(values: readonly (string | undefined)[]): boolean {
  return !values.includes(undefined) && new Set(values).size === values.length
}

function areAlike(pairs: readonly (readonly [unknown, unknown])[]): boolean {
  let [same, all] = [0, 0]
  for (const [ours, theirs] of pairs)
    for (const [name, value] of isObject(ours) && isObject(theirs) ? Object.entries(ours) : []) {
      if (value === null || typeof value === 'object') continue
      all++
      if (memberOf(theirs, name) === memberOf(ours, name)) same++
    }
  return same * 2 >= all
}
