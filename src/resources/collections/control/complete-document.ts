import { isSameSchema, shapeOf } from '../../../contract/schemas/shape.ts'
import { chanceKey } from '../../../engine/random.ts'
import { shown, unknownName, type Violation, violation } from '../../../base/errors/problem.ts'
import { requestInvalid } from '../../../base/errors/request-errors.ts'
import { valueAt, withValue } from '../../../contract/pointer.ts'
import { encodePointer, type Members, withNumbers } from '../../../base/formats/json.ts'
import { completeObject } from '../../../values/complete-object.ts'
import type { CollectionPlan, OperationPlan, Output } from '../infer/plan.ts'
import { SINGLETON } from '../operations/instance-name.ts'
import { idValue, parentMembers, withMembers } from '../items/server-members.ts'
import { showItem, showWhole } from '../items/show.ts'
import { findPlace } from '../seeds/instance-place.ts'
import { type KnownCollections, operationsOn } from './known-collections.ts'

interface DocumentToComplete {
  /** The name of the instance. */
  readonly name: string
  readonly id: string
  readonly value: Members
  readonly seed: number
  /** Epoch ms. */
  readonly now: number
}

/**
 * A document of a collection with its id, those of its parents, and with what its schema requires.
 *
 * @throws Problem 400 for one that a response of the contract could not show, and for members that it forbids
 */
export function completeDocument(known: KnownCollections, plan: CollectionPlan, given: DocumentToComplete): Members {
  const { name, id, seed, now } = given
  const unknown = unknownMembers(known.document, plan, given.value)
  if (unknown.length > 0) throw requestInvalid(unknown)
  const key = chanceKey(seed, `${name} ${id}`)
  const parents = parentMembers(known.document, plan, findPlace(known.collections, name)?.ids ?? [])
  const owned = withMembers(withId(plan, given), parents)
  const value = completeObject(known.document, plan.schema, owned, { written: now, key })
  const violations = checkDocument(known.document, operationsOn(known, plan), { ...given, value })
  if (violations.length > 0) throw requestInvalid(violations)
  return value
}

/** Members that no item has, where its schema allows no others: they would vanish. */
function unknownMembers(document: unknown, { schema }: CollectionPlan, value: Members): readonly Violation[] {
  const { isClosed, properties } = shapeOf(document, schema, 'any')
  if (!isClosed) return []
  const names = [...properties.keys()]
  const unknown = Object.keys(value).filter((name) => !properties.has(name))
  return unknown.map((name) => unknownName({ pointer: `/${encodePointer(name)}` }, name, names))
}

/** The violations of the first response that cannot show a document. @param views the operations that are to show it */
export function checkDocument(
  document: unknown,
  views: readonly OperationPlan[],
  given: DocumentToComplete,
): readonly Violation[] {
  return createDocumentCheck(document)(views, given)
}

/** Checks many documents: what is around an item in a response is made once. */
export function createDocumentCheck(
  document: unknown,
): (views: readonly OperationPlan[], given: DocumentToComplete) => readonly Violation[] {
  const wholes = new Map<OperationPlan, Members>()
  return (views, { name, id, value, seed, now }) => {
    const showing = { document, seed, purpose: `${name} ${id}`, now }
    const shown: unknown[] = []
    for (const view of views) {
      const { operation, output } = view
      if (!output.located || shown.some((known) => isSameSchema(known, output.located?.schema))) continue
      const { schema, isList, pointer } = output.located
      shown.push(schema)
      const item = showItem(schema, value, showing)
      const inner = isList ? [item] : item
      const known = wholes.get(view)
      const whole = known ? withValue(known, pointer, inner) : showWhole(output, inner, showing)
      if (pointer !== '') wholes.set(view, whole as Members)
      const violations = operation.checkResponse(output.status, withNumbers(whole))
      if (violations.length > 0) return violations.map((one) => inItem(one, output))
    }
    return []
  }
}

/** @throws Problem 400 for another id than that of the path */
function withId(plan: CollectionPlan, { id, value }: DocumentToComplete): Members {
  const { pointer } = plan.identity
  if (pointer === undefined || id === SINGLETON) return value
  const own = valueAt(value, pointer)
  const expected = idValue(plan, id)
  if (own !== undefined && shown(own) !== shown(expected))
    throw requestInvalid([violation({ pointer }, 'id', `${shown(expected)}, as in the path`, own)])
  return withValue(value, pointer, own ?? expected)
}

/** A violation in a response as one in the item that it shows. */
function inItem(found: Violation, { located }: Output): Violation {
  const at = `${located?.pointer ?? ''}${located?.isList ? '/0' : ''}`
  const { pointer = '', message } = found
  if (at === '' || !pointer.startsWith(at)) return found
  const inner = pointer.slice(at.length)
  return { ...found, pointer: inner, message: message.replace(pointer, () => inner || 'the body') }
}
