import { requestInvalid } from '../../../../base/errors/request-errors.ts'
import { operationRefused } from '../../../../base/errors/response-errors.ts'
import { readDocumented } from '../../../../contract/schemas/documented.ts'
import { isNumeric, shapeOf } from '../../../../contract/schemas/shape.ts'
import { asObject, isObject, type Members } from '../../../../base/formats/json.ts'
import { plainName } from '../../../../base/formats/names.ts'
import { singular } from '../../../../base/formats/plurals.ts'
import type { Call, Outcome } from '../../../handler.ts'
import { select } from '../../documents/select.ts'
import { storeDocument } from '../../documents/stored-document.ts'
import {
  changeOf,
  isDeletion as isDeletionWord,
  isNameOfIds,
  namesItems,
  verbOfMany,
  wordOfBody,
} from '../../infer/actions.ts'
import type { CollectionPlan, OperationPlan } from '../../infer/plan.ts'
import { idOf } from '../../documents/ids.ts'
import { idValue } from '../../items/server-members.ts'
import { showItem } from '../../items/show.ts'
import { effectOfBody, wordOf } from '../../lifecycles/effect.ts'
import { readListPlan } from '../../lists/list-plan.ts'
import { readQuery, selectionOf } from '../../lists/list.ts'
import { refuseUnknownAction } from './act-on-item.ts'
import { notFound } from '../instance.ts'
import { respond } from '../respond.ts'
import type { Item, ItemRequest, OperationWork } from '../work.ts'
import { respondWithAll } from '../write.ts'
import { applyChanges, changedItem, type ChangedItems, readChanges } from './apply-changes.ts'

interface Named {
  readonly id: string
  /** What the request makes of it. */
  readonly given: Members
}

/**
 * Deletes the items that a request names, or changes them, or does what it says with each: all or none. What is not there needs no deletion.
 *
 * @param remove the events of a deletion
 * @throws Problem 404 for a change of an item that there is not
 */
export function actOnMany(
  given: OperationWork,
  request: ItemRequest,
  remove: (item: Item) => Outcome['events'],
): Outcome {
  const { plan, document } = given
  const effect = effectOfBody(document, given.schema(), request.call.body) ?? given.effect
  const work = { ...given, effect }
  const changes = readChanges(work, request.call.body)
  if (changes) {
    const { items, events } = applyChanges(work, request, changes, remove)
    return responseTo(work, request, items, events)
  }
  const isDeletion =
    verbOfMany(plan.operation.method, pathWord(work, plan.operation.path)) === 'delete' ||
    // `{"action": "delete", "ids": [1, 2]}`
    isDeletionWord(wordOfBody(request.call.body) ?? '')
  const isByFilters = isDeletion || changesByFilters(work)
  const named = namedIn(work, request.call) ?? (isByFilters ? matchedBy(work, request) : undefined)
  const hasEffect = isDeletion || effect !== undefined || named?.some(({ given }) => Object.keys(given).length > 0)
  if (!named || (named.length > 0 && !hasEffect)) refuseUnknownAction(work, request.call)
  const items = (named ?? []).flatMap(({ id, given }) => {
    const stored = request.instance.documents?.get(id)
    if (!stored && !isDeletion) throw notFound(plan, request, id)
    return stored ? [{ item: { ...request, id, stored }, given }] : []
  })
  const shown = items.map(({ item }) => item)
  if (isDeletion) return responseTo(work, request, { ...NO_ITEMS, delete: shown }, shown.flatMap(remove))
  if (!hasEffect) return responseTo(work, request, { ...NO_ITEMS, update: shown }, [])
  const changed = items.map(({ item, given }) => changedItem(work, item, given))
  const update = changed.map(({ item }) => item)
  const events = changed.flatMap((one) => one.events)
  return responseTo(work, request, { ...NO_ITEMS, update }, events)
}

/** `PATCH /notes?status=done {"archived": true}`, whose body has no place for ids. */
function changesByFilters(work: OperationWork): boolean {
  const { operation } = work.plan
  if (operation.method !== 'PATCH' || pathWord(work, operation.path) !== '') return false
  return !namesItems(work.document, operation, readDocumented(work.document, operation).input)
}

const NO_ITEMS: ChangedItems['items'] = { create: [], update: [], delete: [] }

/**
 * The items that the filters of a query match, all without a filter, and the members of the body for each.
 *
 * @throws Problem 400 for a wrong filter, 501 for a documented one that is not understood
 */
function matchedBy({ document, plan, collections }: OperationWork, { state, call, instance }: ItemRequest): Named[] {
  const list = readListPlan(document, plan, collections)
  // The body has no filters: it says what to change.
  const asked = { ...call, body: undefined }
  const query = readQuery(list, asked)
  if (query.violations.length > 0) throw requestInvalid(query.violations)
  const selection = selectionOf(plan, list, query, { state, call: asked })
  if (query.ignored.length > 0)
    throw operationRefused({
      detail: `${plan.operation.method} ${plan.operation.path} selects items by its filters, and it is not known what ${query.ignored.join(', ')} matches.`,
    })
  const found = instance.documents ? select(instance.documents, selection) : undefined
  const own = shapeOf(document, plan.collection.schema, 'any').properties
  const given = Object.fromEntries(Object.entries(asObject(call.body)).filter(([name]) => own.has(name)))
  return (found?.slice(0, found.count) ?? []).map(({ id }) => ({ id, given }))
}

/** The parameters that have no effect: all but the one that names ids, and none where they are filters. */
export function unusedByMany(work: OperationWork, sent: Pick<Call, 'body' | 'query'>): readonly string[] {
  const names = Object.keys(sent.query)
  const ids = nameOfIds(work.plan, sent.query)
  if (ids === undefined && !namedIn(work, sent)) return []
  return names.filter((name) => name !== ids)
}

/** The parameter that names items: `ids`, or the only one of a DELETE, where ids are numbers and it is a list of such: `?q=[1,2]`. */
function nameOfIds({ operation, collection: { identity } }: OperationPlan, query: Call['query']): string | undefined {
  const isListOfIds = (value: unknown) =>
    identity.type === 'integer' && Array.isArray(value) && value.every((one) => typeof one === 'number')
  const [only] = operation.method === 'DELETE' && operation.queryNames.size === 1 ? operation.queryNames : []
  return Object.keys(query).find((name) => isNameOfIds(name) || (name === only && isListOfIds(query[name])))
}

/** Empty for the path of the collection itself. */
function pathWord({ plan: { collection } }: OperationWork, path: string): string {
  const word = wordOf(path)
  return collection.path.endsWith(word) ? '' : word
}

/** The response, whose counts and lists are those of the items. */
function responseTo(
  work: OperationWork,
  request: ItemRequest,
  { create, update, delete: gone }: ChangedItems['items'],
  events: Outcome['events'],
): Outcome {
  const { document, plan } = work
  const all = [...create, ...update, ...gone]
  if (plan.output.located)
    return respondWithAll(work, request, create.length + update.length > 0 ? [...create, ...update] : gone, events)
  const { body, ...outcome } = respond(work, { ...request, id: all[0]?.id ?? '', stored: NOTHING }, [])
  if (!('json' in body) || !isObject(body.json)) return { ...outcome, body, events }
  const itemsOf = (name: string) => {
    const kind = changeOf(name, plan.collection.noun)
    return kind ? { create, update, delete: gone }[kind] : all
  }
  const { properties } = shapeOf(document, plan.output.schema, 'any')
  // Counts are shown even where they are optional.
  const numbers = [...properties].filter(([name, member]) => COUNT.test(name) && isNumeric(shapeOf(document, member)))
  const made = { ...Object.fromEntries(numbers.map(([name]) => [name, 0])), ...body.json }
  const counted = Object.entries(made).map(([name, value]) => {
    const isCount = typeof value === 'number' && COUNT.test(name)
    return [name, isCount ? (/fail|error|skip/i.test(name) ? 0 : itemsOf(name).length) : value]
  })
  const lists = [...properties].flatMap(([name, member]) => {
    const { items } = shapeOf(document, member)
    if (items === undefined || changeOf(name, plan.collection.noun) === undefined) return []
    const isWhole = shapeOf(document, items, 'any').properties.size > 0
    const show = ({ id, stored, state, call, instance }: Item) =>
      isWhole
        ? showItem(items, stored.value, {
            document,
            seed: state.seed,
            purpose: `${instance.name} ${id}`,
            now: call.now,
          })
        : idValue(plan.collection, id)
    return [[name, itemsOf(name).map(show)]]
  })
  return { ...outcome, body: { json: Object.fromEntries([...counted, ...lists]) as Members }, events }
}

const COUNT =
  /count|total|(affect|creat|insert|delet|remov|updat|modifi|chang|match|process|archiv|fail|skip|succeed)ed|success|errors?$|rows|items|records/i

const NOTHING = storeDocument({})

/** Whether a member is called after the items: `flags`. */
function isNoun({ noun }: CollectionPlan, name: string): boolean {
  return plainName(singular(name)) === plainName(noun)
}

/** The items that a request names, and what it says of each; undefined where it names none. */
function namedIn(
  { document, plan }: OperationWork,
  { body, query }: Pick<Call, 'body' | 'query'>,
): Named[] | undefined {
  const own = shapeOf(document, plan.collection.schema, 'any').properties
  const members = Object.entries(asObject(body))
  const [name, list] =
    members.find(
      ([one, held]) => Array.isArray(held) && (isNameOfIds(one) || isNoun(plan.collection, one) || held.some(isObject)),
    ) ?? []
  const asked = query[nameOfIds(plan, query) ?? '']
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
    const given = Object.entries(asObject(one)).filter(([member, value]) => own.has(member) && value !== id)
    return [{ id: String(id), given: Object.fromEntries([...(Array.isArray(body) ? [] : shared), ...given]) }]
  })
  // An id that comes twice is one item.
  return named && [...new Map(named.map((one) => [one.id, one])).values()]
}
