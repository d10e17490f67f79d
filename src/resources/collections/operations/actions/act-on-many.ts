import { shapeOf } from '../../../../contract/schemas/shape.ts'
import { isObject, type Members } from '../../../../base/formats/json.ts'
import type { Call, Outcome } from '../../../handler.ts'
import { storeDocument } from '../../documents/stored-document.ts'
import { isNameOfIds, verbOfMany } from '../../infer/actions.ts'
import { idOf } from '../../infer/identity.ts'
import { wordOf } from '../../lifecycles/effect.ts'
import { refuseUnknownAction } from './act-on-item.ts'
import { notFound } from '../instance.ts'
import { merged } from '../patch.ts'
import { refuseUnknownReferences } from '../references.ts'
import { respond } from '../respond.ts'
import type { Item, ItemRequest, OperationWork } from '../work.ts'
import { changeItem, respondWithAll } from '../write.ts'

interface Named {
  readonly id: string
  /** What the request makes of it. */
  readonly given: Members
}

/**
 * Deletes the items that a request names, or changes them: all or none. What is not there needs no deletion.
 *
 * @param remove the events of a deletion
 * @throws Problem 404 for a change of an item that there is not
 */
export function actOnMany(
  work: OperationWork,
  request: ItemRequest,
  remove: (item: Item) => Outcome['events'],
): Outcome {
  const { plan, effect } = work
  const { method, path } = plan.operation
  const named = namedIn(work, request.call)
  const isDeletion = verbOfMany(method, pathWord(work, path)) === 'delete'
  const hasEffect = isDeletion || effect !== undefined || named?.some(({ given }) => Object.keys(given).length > 0)
  if (!named || (named.length > 0 && !hasEffect)) refuseUnknownAction(work, request.call)
  const items = (named ?? []).flatMap(({ id, given }) => {
    const stored = request.instance.documents?.get(id)
    if (!stored && !isDeletion) throw notFound(plan, request, id)
    return stored ? [{ item: { ...request, id, stored }, given }] : []
  })
  if (isDeletion || !hasEffect) {
    const shown = items.map(({ item }) => item)
    return responseTo(work, request, shown, isDeletion ? shown.flatMap(remove) : [])
  }
  const changes = items.map(({ item, given }) => {
    refuseUnknownReferences(work, item, { given, before: item.stored.value })
    const { events } = changeItem(work, item, () => merged(work, item, given))
    const stored = events.flatMap((event) => (event.type === 'document.updated' ? event.document : [])).at(-1)
    return { events, item: { ...item, stored: stored ?? item.stored } }
  })
  const written = changes.map(({ item }) => item)
  return responseTo(
    work,
    request,
    written,
    changes.flatMap(({ events }) => events),
  )
}

/** Empty for the path of the collection itself. */
function pathWord({ plan: { collection } }: OperationWork, path: string): string {
  const word = wordOf(path)
  return collection.path.endsWith(word) ? '' : word
}

/** The response, whose counts are those of the items. */
function responseTo(
  work: OperationWork,
  request: ItemRequest,
  items: readonly Item[],
  events: Outcome['events'],
): Outcome {
  const { located } = work.plan.output
  if (located) return respondWithAll(work, request, items, events)
  const { body, ...outcome } = respond(work, { ...request, id: items[0]?.id ?? '', stored: NOTHING }, [])
  if (!('json' in body) || !isObject(body.json)) return { ...outcome, body, events }
  const counted = Object.entries(body.json).map(([name, value]) => {
    const isCount = typeof value === 'number' && COUNT.test(name)
    return [name, isCount ? (/fail|error|skip/i.test(name) ? 0 : items.length) : value]
  })
  return { ...outcome, body: { json: Object.fromEntries(counted) as Members }, events }
}

const COUNT =
  /count|total|(affect|delet|remov|updat|modifi|chang|match|process|archiv|fail|skip|succeed)ed|success|errors?$|rows|items|records/i

const NOTHING = storeDocument({})

/** The items that a request names, and what it says of each; undefined where it names none. */
function namedIn(
  { document, plan }: OperationWork,
  { body, query }: Pick<Call, 'body' | 'query'>,
): Named[] | undefined {
  const own = shapeOf(document, plan.collection.schema, 'any').properties
  const members = isObject(body) ? Object.entries(body) : []
  const [name, list] =
    members.find(([one, held]) => Array.isArray(held) && (isNameOfIds(one) || held.some(isObject))) ?? []
  const asked = Object.entries(query).find(([one]) => isNameOfIds(one))?.[1]
  const texts = typeof asked === 'string' ? asked.split(',') : asked
  const held = [body, list, texts].find((one) => Array.isArray(one)) as readonly unknown[] | undefined
  // `{"ids": […], "status": "done"}`, or `{"ids": […], "changes": {"status": "done"}}`
  const inner = members.filter(([one, value]) => one !== name && !own.has(one) && isObject(value)).map(([, one]) => one)
  const shared = Object.entries(Object.assign({}, body, ...inner) as Members).filter(
    ([one]) => one !== name && own.has(one),
  )
  const named = held?.flatMap((one): Named[] => {
    const id = isObject(one) ? (idOf(plan.collection.identity, one) ?? one.id) : one
    if (typeof id !== 'string' && typeof id !== 'number' && typeof id !== 'bigint') return []
    const given = Object.entries(isObject(one) ? one : {}).filter(([member, value]) => own.has(member) && value !== id)
    return [{ id: String(id), given: Object.fromEntries([...(Array.isArray(body) ? [] : shared), ...given]) }]
  })
  // An id that comes twice is one item.
  return named && [...new Map(named.map((one) => [one.id, one])).values()]
}
