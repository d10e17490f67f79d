import { allowsNull, shapeOf } from '../../../contract/schemas/shape.ts'
import { splitPointer } from '../../../base/formats/json.ts'
import { firstStatus, isKnownStatus } from '../../../values/new-values.ts'
import { valueAt } from '../../../contract/pointer.ts'
import type { OperationPlan } from '../infer/plan.ts'
import { findEffect } from './effect.ts'
import type { Lifecycle } from './lifecycle.ts'
import { isStatus, statusMembers } from './status-words.ts'
import { plainName } from '../../../base/formats/names.ts'

/** How much later a status comes that an action sets, and one that a date such as `picked_up_at` is kept of. */
const BY_ACTION = 4
const DATED = 2.5
const AWAITED = 0.25

/**
 * The statuses that new items begin with, by the pointers of the members: what no action sets, what no date is kept of, and what its
 * words say is early. A service tells the status of what it has created, also where its schema does not require it.
 *
 * @param views the operations on the collection
 */
export function firstStatuses(
  document: unknown,
  views: readonly OperationPlan[],
  lifecycles: readonly Lifecycle[],
): ReadonlyMap<string, unknown> {
  const [{ collection: { schema, identity } } = { collection: {} }] = views
  // Where even the id may be null, the document says it of all members, and means nothing by it.
  const saysNull = !allowsNull(document, identity?.schema)
  const { properties, required } = shapeOf(document, schema, 'any')
  const names = new Set([...properties.keys()].map(plainName))
  const effects = views.flatMap((view) =>
    view.role === 'action' ? (findEffect(document, view, { lifecycles, schema: () => schema }) ?? []) : [],
  )
  const sets = effects.flatMap(({ set, restores }) => (restores ? [] : set))
  const found = statusMembers(document, schema).flatMap(({ pointer, values }): [string, unknown][] => {
    const [name = ''] = splitPointer(pointer)
    const isTold = isStatus(name) && !(saysNull && allowsNull(document, properties.get(name)))
    const first = firstStatus(values, (value) => {
      const word = plainName(typeof value === 'string' ? value : '')
      const isSet = sets.some((set) => valueAt(set, pointer) === value)
      const isDated = !isKnownStatus(value) && ['at', 'on', 'date'].some((end) => names.has(`${word}${end}`))
      // `requires_payment_method`: what waits for a member of the item comes before what waits for anything else.
      const [, awaited] = /^(?:require|await|need)(?:s|ing)?(.+)$/.exec(word) ?? []
      const isAwaited = awaited !== undefined && names.has(awaited)
      return (isSet ? BY_ACTION : 0) + (isDated ? DATED : 0) - (isAwaited ? AWAITED : 0)
    })
    return required.has(name) || (isTold && isKnownStatus(first)) ? [[pointer, first]] : []
  })
  return new Map(found)
}
