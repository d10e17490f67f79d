import { refusal } from '../../../behaviours/refusal.ts'
import { readDocumented } from '../../../contract/schemas/documented.ts'
import { shapeOf } from '../../../contract/schemas/shape.ts'
import type { Violation } from '../../../errors/problem.ts'
import { requestInvalid } from '../../../errors/request-errors.ts'
import { withArticle } from '../../../errors/wording.ts'
import { encodePointer, isObject } from '../../../formats/json.ts'
import type { Members } from '../../request-body.ts'
import { hasDocument } from '../collection-state.ts'
import { plainName } from '../infer/names.ts'
import type { CollectionPlan } from '../infer/plan.ts'
import type { Asked, Work } from './work.ts'

/** Refuses ids of items that do not exist, in the members that a request has. @throws Problem 400, or 422 where that is documented */
export function refuseUnknownReferences(work: Work, { state, call }: Asked, given: Members): void {
  const { plan, collections, document } = work
  const pointer = plan.collection.identity.pointer
  const targets = new Map(collections.filter(isReferable).map((one) => [plainName(one.noun), one]))
  const found: Violation[] = []
  const check = (target: CollectionPlan, id: unknown, at: string) => {
    if (!isIdFor(target, id) || hasDocument(state, target.name, String(id))) return
    if (call.tracker.ask('collections.reference') === 'error')
      found.push(refusal('collections.reference', { pointer: at }, `the id of ${withArticle(target.noun)}`, id))
  }
  const visit = (schema: unknown, value: unknown, at: string): void => {
    const shape = shapeOf(document, schema, 'any')
    if (Array.isArray(value)) value.forEach((one: unknown, index) => visit(shape.items, one, `${at}/${index}`))
    if (!isObject(value)) return
    for (const [name, inner] of Object.entries(value)) {
      const place = `${at}/${encodePointer(name)}`
      if (place === pointer) continue
      const plain = plainName(name)
      const [one, many] = [targets.get(plain.replace(/id$/, '')), targets.get(plain.replace(/ids$/, ''))]
      const whole = targets.get(plain)
      if (plain.endsWith('ids') && many && Array.isArray(inner))
        inner.forEach((id: unknown, index) => check(many, id, `${place}/${index}`))
      else if (plain.endsWith('id') && one) check(one, inner, place)
      else if (whole && isObject(inner) && Object.keys(inner).length === 1) check(whole, inner.id, `${place}/id`)
      else visit(shape.properties.get(name), inner, place)
    }
  }
  visit(plan.collection.schema, given, '')
  if (found.length === 0) return
  const { statuses } = readDocumented(document, plan.operation)
  throw requestInvalid(found, statuses.includes('422') ? { status: 422 } : {})
}

/** Items of collections below others are known by more than one id. */
function isReferable({ isSingleton, path }: CollectionPlan): boolean {
  return !isSingleton && !path.includes('{')
}

/** Whether a value could be the id of an item at all. */
function isIdFor({ identity: { type } }: CollectionPlan, id: unknown): boolean {
  if (typeof id !== 'string' && typeof id !== 'number' && typeof id !== 'bigint') return false
  return type !== 'integer' || /^-?\d+$/.test(String(id))
}
