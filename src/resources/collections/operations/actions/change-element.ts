import { isDeepStrictEqual } from 'node:util'
import { refusal } from '../../../../behaviours/refusal.ts'
import { itemNotFound } from '../../../../base/errors/resource-errors.ts'
import { asList, asObject, asText, isObject, type Members } from '../../../../base/formats/json.ts'
import { singular } from '../../../../base/formats/plurals.ts'
import type { ElementList } from '../../infer/element-list.ts'
import { convertMembers } from '../../items/show.ts'
import type { Item, OperationWork } from '../work.ts'

/**
 * The list of an item with the element that the path names, or without it for `DELETE`. An element that is there already stays where it is,
 * and gets the members of the body.
 *
 * @throws Problem 404 for an element to be removed that is not there, unless `collections.delete-again` says otherwise
 */
export function changedList(
  { plan, document }: OperationWork,
  { call, stored, id }: Item,
  { name, parameter, key, keySchema }: ElementList,
): Members {
  const { value } = convertMembers(document, { properties: { value: keySchema } }, { value: call.path[parameter] })
  const held = asList(stored.value[name])
  const at = held.findIndex((one) => isDeepStrictEqual(key === undefined ? one : asObject(one)[key], value))
  if (plan.operation.method === 'DELETE') {
    if (at < 0 && call.tracker.ask('collections.delete-again') !== 'succeed')
      throw itemNotFound({
        detail: `The ${plan.collection.noun} ${id} has no ${singular(name)} ${asText(call.path[parameter])}.`,
        violations: [refusal('collections.delete-again', { parameter }, `one of its ${name}`, value)],
      })
    return { [name]: held.filter((_, index) => index !== at) }
  }
  if (key === undefined) return { [name]: at < 0 ? [...held, value] : held }
  const sent = isObject(call.body) ? call.body : {}
  const element = { ...asObject(held[at]), ...sent, [key]: value }
  return { [name]: at < 0 ? [...held, element] : held.with(at, element) }
}
