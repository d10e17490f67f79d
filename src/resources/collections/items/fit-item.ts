import { isDeepStrictEqual } from 'node:util'
import { isObject, type Members } from '../../../base/formats/json.ts'
import type { OperationPlan, Role } from '../infer/plan.ts'
import type { Showing } from './show.ts'
import { type View, viewOf } from './view.ts'

/**
 * An item as it is stored: as the schema of its collection allows it, and with what other responses require besides. Where bodies and
 * responses document a member differently, such as an id and the thing that it names, each response converts it.
 *
 * @param plans the operations that show items of the collection
 */
export function fitItem(plans: readonly OperationPlan[], value: Members, { written, ...showing }: Fitting): Members {
  const views = plans.filter(({ role, output }) => SHOWS.has(role) && output.located).map((plan) => viewOf(plan))
  const own = views.find(({ isOwn }) => isOwn)
  const fitting = own ? fitTo(own, value, showing) : value
  const others = views.filter(({ isOwn }) => !isOwn)
  const whole = others.reduce((item, view) => {
    const more = withMissing(item, view.show(item, showing))
    if (more === item || !own || allows(own, more, showing)) return more
    // With more members it could match several alternatives of `oneOf`.
    return allows(own, item, showing) ? fitTo(own, more, showing) : more
  }, fitting)
  return own && others.length > 0 ? agreeing([own, ...others], whole, { written, ...showing }) : whole
}

/**
 * An item whose made-up values are allowed by all responses, as far as there are such values: a role that is drawn from more roles than a
 * list may show.
 */
function agreeing([own, ...others]: readonly [View, ...View[]], value: Members, { written, ...showing }: Fitting) {
  const agreed = [own]
  let item = value
  for (const view of others) {
    const shown = view.show(item, showing)
    const fitting = view.check(shown, showing).length === 0 ? shown : (view.fit(shown, showing) ?? {})
    for (const [name, inner] of Object.entries(fitting)) {
      const held = item[name]
      const replaced = held === undefined || written.has(name) ? held : withLeaves(held, inner)
      if (replaced === held) continue
      const tried = [replaced, ...view.choicesOf(name, showing)].map((one) => ({ ...item, [name]: one }))
      item = tried.find((one) => agreed.every((known) => allows(known, one, showing))) ?? item
    }
    if (allows(view, item, showing)) agreed.push(view)
  }
  return item
}

function allows(view: View, item: Members, showing: Showing): boolean {
  return view.check(view.show(item, showing), showing).length === 0
}

/** A value with the leaves of another where both have them; the same value if none differs. */
function withLeaves(value: unknown, other: unknown): unknown {
  if (isObject(value) && isObject(other) && Object.keys(value).length > 0) {
    const changed = Object.entries(value).flatMap(([name, inner]): [string, unknown][] => {
      const replaced = name in other ? withLeaves(inner, other[name]) : inner
      return replaced === inner ? [] : [[name, replaced]]
    })
    return changed.length === 0 ? value : { ...value, ...Object.fromEntries(changed) }
  }
  if (Array.isArray(value) && Array.isArray(other) && value.length === other.length) {
    const replaced = value.map((one: unknown, index) => withLeaves(one, other[index]))
    return replaced.some((one, index) => one !== value[index]) ? replaced : value
  }
  return isDeepStrictEqual(value, other) ? value : other
}

interface Fitting extends Showing {
  /** The members that stay as they are: those that clients wrote, or that the item had. */
  readonly written: ReadonlySet<string>
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

/** An object with the missing members filled in from another, at every level. */
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
