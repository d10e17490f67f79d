import { isDeepStrictEqual } from 'node:util'
import { refusal } from '../../../../behaviours/refusal.ts'
import { violation } from '../../../../base/errors/problem.ts'
import { itemNotFound } from '../../../../base/errors/resource-errors.ts'
import { asList, asObject, asText, type Members } from '../../../../base/formats/json.ts'
import { singular } from '../../../../base/formats/plurals.ts'
import { shapeOf } from '../../../../contract/schemas/shape.ts'
import type { ElementList } from '../../infer/element-list.ts'
import { convertMembers } from '../../items/show.ts'
import { wordOf } from '../../lifecycles/effect.ts'
import { withDefaults } from '../../items/unsent-members.ts'
import type { Item, OperationWork } from '../work.ts'

/**
 * The list of an item after a request to its path, or to that of an element. An element that is there already stays where it is, and gets
 * the members of the body.
 *
 * @throws Problem 404 for an element to be removed or changed that is not there; `collections.delete-again` decides about the former
 */
export function changedList(work: OperationWork, item: Item, element: ElementList): Members {
  const { call, stored } = item
  const held = asList(stored.value[element.name])
  const sent = Array.isArray(call.body) ? call.body : asObject(call.body)[element.name]
  const isWhole = element.parameter === undefined && Array.isArray(sent)
  if (!isWhole) return { [element.name]: changedOne(work, item, element) }
  const { method, path } = work.plan.operation
  return { [element.name]: inList(method, wordOf(path), { before: held, value: sent }) }
}

/** `/addTags`, `/removeTags`, `POST` and `DELETE /tags` change a list; other words replace it. */
export function inList(
  method: string,
  word: string,
  { before, value }: { readonly before: unknown; readonly value: unknown },
): unknown {
  if (!Array.isArray(before) || !Array.isArray(value)) return value
  const [held, sent] = [before as readonly unknown[], value as readonly unknown[]]
  const isIn = (list: readonly unknown[], one: unknown) => list.some((other) => isDeepStrictEqual(one, other))
  if (/^(remove|detach|delete|un)/i.test(word) || method === 'DELETE') return held.filter((one) => !isIn(sent, one))
  const isMore = /^(add|attach|append)/i.test(word) || (singular(word) !== word && method === 'POST')
  return isMore ? [...held, ...sent.filter((one) => !isIn(held, one))] : value
}

function changedOne(
  { plan, document }: OperationWork,
  { call, stored, id }: Item,
  { name, parameter, key, schema }: ElementList,
): readonly unknown[] {
  const { method } = plan.operation
  const held = asList(stored.value[name])
  const sent = asObject(withDefaults(document, plan.input?.schema, call.body))
  const keySchema = key === undefined ? schema : shapeOf(document, schema, 'any').properties.get(key)
  const named = parameter === undefined ? sent[key ?? ''] : call.path[parameter]
  const { value } = convertMembers(document, { properties: { value: keySchema } }, { value: named })
  const at = held.findIndex((one) => isDeepStrictEqual(key === undefined ? one : asObject(one)[key], value))
  const isRemoved = method === 'DELETE'
  const isRefused = isRemoved ? call.tracker.ask('collections.delete-again') !== 'succeed' : method === 'PATCH'
  const place = { parameter: parameter ?? '' }
  if (at < 0 && isRefused)
    throw itemNotFound({
      detail: `The ${plan.collection.noun} ${id} has no ${singular(name)} ${asText(call.path[parameter ?? ''])}.`,
      violations: [
        isRemoved
          ? refusal('collections.delete-again', place, `one of its ${name}`, value)
          : violation(place, 'collections', `one of its ${name}`, value),
      ],
    })
  if (isRemoved) return held.filter((_, index) => index !== at)
  if (key === undefined) return at < 0 ? [...held, value] : held
  const before = asObject(held[at])
  const given = parameter === undefined && at >= 0 ? withSums(before, sent) : sent
  const element = { ...before, ...given, ...(value === undefined ? {} : { [key]: value }) }
  return at < 0 ? [...held, element] : held.with(at, element)
}

/** Who adds two more of what is in a cart has more of it then. */
function withSums(before: Members, sent: Members): Members {
  const summed = Object.entries(sent).map(([name, value]) => {
    const held = before[name]
    const isCount = /^(quantity|qty|count|amount)$/i.test(name) && typeof value === 'number' && typeof held === 'number'
    return [name, isCount ? held + value : value] as const
  })
  return Object.fromEntries(summed)
}
