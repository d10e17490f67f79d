import { valueAt } from '../../../contract/pointer.ts'
import type { Operation } from '../../../contract/contract.ts'
import { shapeOf } from '../../../contract/schemas/shape.ts'
import type { OperationWork } from './work.ts'
import { asObject } from '../../../base/formats/json.ts'
import { readDocumented } from '../../../contract/schemas/documented.ts'
import type { Call } from '../../handler.ts'

/** Whether the description of a creation says that it changes what there is. */
export function updatesToo(document: unknown, { pointer }: Operation): boolean {
  const held = valueAt(document, pointer)
  const { summary = '', description = '' } = asObject(held)
  return /\b(or|and) (updates?|replaces?|overwrites?|modif(y|ies)|edits?)\b|\bupserts?\b/i.test(
    `${String(summary)} ${String(description)}`,
  )
}

/**
 * Whether a PUT changes what is sent alone: its description says so ("unspecified fields will remain unchanged"), or it requires nothing of what a
 * creation requires and does not say that it replaces.
 */
export function keepsUnsent({ document, plan: { operation, input }, views }: OperationWork): boolean {
  const held = valueAt(document, operation.pointer)
  const { summary = '', description = '' } = asObject(held)
  if (KEPT.test(String(description))) return true
  if (/\b(replac|overwrit)\w+/i.test(`${String(summary)} ${String(description)}`)) return false
  const creation = views.find(({ role }) => role === 'create')?.input
  return (
    creation !== undefined &&
    input !== undefined &&
    shapeOf(document, input.schema).required.size === 0 &&
    shapeOf(document, creation.schema).required.size > 0
  )
}

const KEPT =
  /\b(unspecified|omitted|missing|(not|un)[- ]?(specified|provided|passed|sent|set|supplied|included|mentioned))\b[^.]{0,80}\b(unchanged|(left|remain)\w* (as|intact|untouched)|(not|n't) (be )?(changed|modified|updated|altered))/i

/** `collections.put-unknown`. By default a PUT creates the item if 201 is documented, or if no other operation creates items. */
export function mayCreate({ plan: { operation }, document, views }: OperationWork, { tracker }: Call): boolean {
  const setting = tracker.ask('collections.put-unknown')
  if (setting !== 'as-documented') return setting === 'create'
  const isOnly = views.every(({ role }) => role !== 'create' && role !== 'create-many')
  return isOnly || readDocumented(document, operation).statuses.includes('201')
}

/** Whether a POST to the path of an item creates a missing one: `POST /contents/{path}` beside a PUT that updates it. */
export function createsByName({ plan: { operation, role, input, collection }, document }: OperationWork): boolean {
  const isMade = role === 'merge' && operation.method === 'POST' && input !== undefined && !collection.isSingleton
  return isMade && readDocumented(document, operation).statuses.includes('201')
}
