import { isObject } from '../../../formats/json.ts'
import type { Members } from '../../request-body.ts'
import type { OperationPlan, Role } from '../infer/plan.ts'
import type { Showing } from './show.ts'
import { type View, viewOf } from './view.ts'

/**
 * An item as it is stored: as the schema of its collection allows it, and with what other responses require besides. Where bodies and
 * responses document a member differently, such as an id and the thing that it names, each response converts it.
 *
 * @param plans the operations that show items of the collection
 */
export function fitItem(plans: readonly OperationPlan[], value: Members, showing: Showing): Members {
  const views = plans.filter(({ role, output }) => SHOWS.has(role) && output.located).map((plan) => viewOf(plan))
  const own = views.find(({ isOwn }) => isOwn)
  const fitting = own ? fitTo(own, value, showing) : value
  return views.reduce((item, view) => (view.isOwn ? item : withMissing(item, view.show(item, showing))), fitting)
}

/** The roles of operations that show items as they are. */
const SHOWS: ReadonlySet<Role> = new Set<Role>(['list', 'search', 'read', 'create', 'replace', 'merge'])

function fitTo(view: View, value: Members, showing: Showing): Members {
  const converted = view.convert(value, showing)
  const item = view.show(value, showing)
  if (view.check(item, showing).length === 0) return withMissing(converted, item)
  const fitting = view.fit(item, showing)
  if (!fitting) return value
  const changed = Object.entries(fitting).filter(([name, inner]) => inner !== item[name])
  const kept = Object.entries(converted).filter(([name]) => !(name in item) || name in fitting)
  return withMissing(Object.fromEntries([...kept, ...changed]), fitting)
}

/** An object with the members of another one that it does not have, at every level. */
function withMissing(value: Members, other: Members): Members {
  const added = Object.entries(other).flatMap(([name, more]): [string, unknown][] => {
    if (!Object.hasOwn(value, name)) return [[name, more]]
    const joined = joinedWith(value[name], more)
    return joined === value[name] ? [] : [[name, joined]]
  })
  return added.length === 0 ? value : { ...value, ...Object.fromEntries(added) }
}

function joinedWith(value: unknown, other: unknown): unknown {
  if (isObject(value) && isObject(other)) return withMissing(value, other)
  if (!Array.isArray(value) || !Array.isArray(other) || value.length !== other.length) return value
  const joined = value.map((one: unknown, index) => joinedWith(one, other[index]))
  return joined.some((one, index) => one !== value[index]) ? joined : value
}
