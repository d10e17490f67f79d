import { instanceName } from '../operations/instance-name.ts'
import { parameterCount } from '../infer/routes.ts'
import { singular } from '../../../base/formats/plurals.ts'
import type { CollectionPlan } from '../infer/plan.ts'
import { plainName } from '../../../base/formats/names.ts'

/** Which collection an instance belongs to, and the ids of its parents. */
export interface InstancePlace {
  readonly plan: CollectionPlan
  readonly name: string
  /** The ids in its path, the outermost first. */
  readonly ids: readonly string[]
}

/** The place of an instance such as `customers/1/orders`; undefined where no collection has such a name. */
export function findPlace(plans: readonly CollectionPlan[], name: string): InstancePlace | undefined {
  const parts = name.split('/')
  for (const plan of plans) {
    const template = templateOf(plan)
    if (template.length !== parts.length) continue
    if (!template.every((one, at) => isParameter(one) || one === parts[at])) continue
    const ids = parts.filter((_, at) => isParameter(template[at] ?? ''))
    return { plan, name, ids: ids.map(decodeURIComponent) }
  }
  return undefined
}

/** The instance that the parent of an instance is in, and the parent's id; undefined where there is no parent. */
export function parentOf({ plan: { parent }, ids }: InstancePlace) {
  if (!parent) return undefined
  const count = parameterCount(parent)
  return { name: instanceName(parent, ids.slice(0, count)), id: ids[count] ?? '', noun: parent.noun }
}

function templateOf({ path, name }: CollectionPlan): string[] {
  return name === path ? path.split('/') : [name, ...path.split('/').filter(isParameter)]
}

function isParameter(segment: string): boolean {
  return segment.startsWith('{')
}

/** What the ids in a collection's path are of, in lower case without separators: `customer` for `customers/{customerId}/orders`. */
export function nounsOfPath({ path }: CollectionPlan): string[] {
  const segments = path.split('/')
  return segments.flatMap((segment, at) => {
    if (!isParameter(segment)) return []
    const own = plainName(segment.slice(1, -1)).replace(/(id|uuid|key|slug)$/, '')
    return [own === '' ? plainName(singular(segments[at - 1] ?? '')) : own]
  })
}
