import type { Collection, CollectionList } from '../../../../src/control/client/types.ts'

export interface TreeRow {
  readonly name: string
  /** The part of its name that its parent does not have. */
  readonly title: string
  readonly depth: number
  /** null where each parent has documents of its own, and where it is not known yet. */
  readonly count: number | null
  /** The operations that work on it; empty for a collection that only handlers know. */
  readonly operations: Collection['operations']
  /** The instances that were changed, of a nested one. */
  readonly instances: CollectionList['instances']
}

/** The collections with nested ones below their parents, then those that only handlers know. */
export function treeOf({ collections, instances }: CollectionList): readonly TreeRow[] {
  const rows: TreeRow[] = []
  const add = (one: Collection, depth: number) => {
    const { name, count, operations } = one
    const own = instances.filter(({ collection, name: instance }) => collection === name && instance !== name)
    rows.push({ name, title: titleOf(one), depth, count, operations, instances: count === null ? own : [] })
    for (const child of collections) if (child.parent === name && child !== one) add(child, depth + 1)
  }
  const names = new Set(collections.map(({ name }) => name))
  for (const one of collections) if (one.parent === null || !names.has(one.parent)) add(one, 0)
  const others = instances.filter(({ collection }) => collection === null)
  return [
    ...rows,
    ...others.map(({ name, count }) => ({ name, title: name, depth: 0, count, operations: [], instances: [] })),
  ]
}

function titleOf({ name, parent }: Collection): string {
  if (parent === null || !name.startsWith(`${parent}/`)) return name
  return name.slice(parent.length + 1).replace(/^\{[^/]*\}\//, '')
}
