import type { Learned } from '../../app/learned/learned.ts'
import type { LoadedParts } from '../../app/setup/load.ts'
import { isObject, type Members, tryParseJson } from '../../base/formats/json.ts'
import { decodePercent, valueAt } from '../../contract/pointer.ts'
import { textOf } from '../../contract/runtime-expression.ts'
import { createOperationFinder } from '../../contract/router.ts'
import type { Operation } from '../../contract/contract.ts'
import { inferCollections } from '../../resources/collections/infer/infer.ts'
import type { OperationPlan } from '../../resources/collections/infer/plan.ts'
import { idFrom } from '../../resources/collections/items/derived-id.ts'
import type { RecordedExchange } from '../recordings/recorded-exchange.ts'
import { OWN_ID } from './constant-values.ts'

/** Of one item alone it may have been chance. */
const LEAST_ITEMS = 2

interface MadeItem {
  readonly sent: Members
  readonly id: string
}

/**
 * Finds which members the ids of new items are made of, as `x-standin: { id: '{name}.' }` of the operation that creates them: all items
 * that were created with these members have such an id.
 */
export function learnIds(
  exchanges: readonly RecordedExchange[],
  { contract }: Pick<LoadedParts, 'contract'>,
): Learned['hints'] {
  const find = createOperationFinder(contract.operations)
  const plans = inferCollections(contract).operations
  const created = new Map<Operation, MadeItem[]>()
  for (const { request, response } of exchanges) {
    const route = find(request.method, request.url)
    const plan = route && plans.get(route.operation)
    if (plan?.role !== 'create' || plan.itemParameter !== undefined || response.status >= 300) continue
    const sent = valueAt(tryParseJson(request.body), plan.input?.pointer ?? '')
    const id = idOf(plan, response)
    if (!isObject(sent) || id === undefined) continue
    created.set(plan.operation, [...(created.get(plan.operation) ?? []), { sent, id }])
  }
  return Object.fromEntries(
    [...created].flatMap(([{ operationId }, items]) => {
      const template = templatesOf(items[0]).find((one) => isOfAll(one, items))
      return template === undefined ? [] : [[operationId, { id: template }]]
    }),
  )
}

/** The id in the response, or at the end of its `Location`. */
function idOf(
  { output, collection }: OperationPlan,
  { body, headers }: RecordedExchange['response'],
): string | undefined {
  const { pointer } = collection.identity
  const item = valueAt(tryParseJson(body), output.located?.pointer ?? '')
  const shown = pointer === undefined ? undefined : textOf(valueAt(item, pointer))
  const location = headers.find(({ name }) => name.toLowerCase() === 'location')?.value
  const last = location?.split('?')[0]?.split('/').findLast(Boolean)
  return shown ?? (last === undefined ? undefined : decodePercent(last))
}

/** What an id may be made of: a member, with something before or after it. A client that sends the id itself chooses it. */
function templatesOf(item: MadeItem | undefined): string[] {
  if (!item) return []
  const { sent, id } = item
  const named = Object.entries(sent).flatMap(([name, value]) => {
    const text = textOf(value)
    return text !== undefined && text !== '' && id.includes(text) && !/[{}]/.test(name) ? [{ name, text }] : []
  })
  if (named.some(({ name, text }) => text === id && OWN_ID.test(name))) return []
  return named
    .toSorted((a, b) => b.text.length - a.text.length)
    .map(({ name, text }) => id.replace(text, () => `{${name}}`))
}

function isOfAll(template: string, items: readonly MadeItem[]): boolean {
  const made = items.flatMap(({ sent, id }) => {
    const own = idFrom(template, sent)
    return own === undefined ? [] : [{ own, id }]
  })
  return new Set(made.map(({ id }) => id)).size >= LEAST_ITEMS && made.every(({ own, id }) => own === id)
}
