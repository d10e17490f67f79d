import { chanceKey } from '../../../engine/random.ts'
import { completeObject } from '../../../values/complete-object.ts'
import type { Members } from '../../request-body.ts'
import type { OperationPlan, Role } from '../infer/plan.ts'
import { convertMembers } from './convert-members.ts'
import { keepNamed, showItem, type Showing, showWhole } from './show.ts'

/**
 * An item as all operations that show it can show it. Where bodies and responses document a member differently, such as an id and
 * the thing that it names, the member is converted; what no response may show is left out.
 *
 * @param views the operations that show items of the collection
 */
export function fitItem(views: readonly OperationPlan[], value: Members, showing: Showing): Members {
  return views.filter(({ role }) => SHOWS.has(role)).reduce((item, view) => fitView(view, item, showing), value)
}

/** The roles of operations that show items as they are. */
const SHOWS: ReadonlySet<Role> = new Set<Role>(['list', 'search', 'read', 'create', 'replace', 'merge'])

function fitView({ operation, output }: OperationPlan, item: Members, showing: Showing): Members {
  const { located, status } = output
  if (!located) return item
  const { document, seed, purpose, now } = showing
  const violations = (shown: Members) => {
    const whole = showWhole(output, located.isList ? [shown] : shown, showing)
    const prefix = located.isList ? `${located.pointer}/0` : located.pointer
    return operation
      .checkResponse(status, whole)
      .filter(({ pointer = '' }) => pointer.startsWith(prefix))
      .map((one) => ({ ...one, pointer: one.pointer?.slice(prefix.length) ?? '' }))
  }
  const converted = convertMembers(document, located.schema, item)
  const kept = showItem(located.schema, converted, showing)
  if (violations(kept).length === 0) return { ...converted, ...kept }
  const named = keepNamed(document, located.schema, converted) as Members
  const fitting = completeObject(document, located.schema, named, {
    written: now,
    key: chanceKey(seed, purpose),
    check: violations,
  })
  const dropped = Object.keys(named).filter((name) => !(name in fitting))
  const others = Object.entries(converted).filter(([name]) => !dropped.includes(name))
  return { ...Object.fromEntries(others), ...fitting }
}
