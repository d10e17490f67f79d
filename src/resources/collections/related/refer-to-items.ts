import { isObject, type Members } from '../../../base/formats/json.ts'
import { plainName } from '../../../base/formats/names.ts'
import { allowsNull, shapeOf } from '../../../contract/schemas/shape.ts'
import { documentsOf, requireDocuments } from '../collection-state.ts'
import { firstId } from '../documents/documents.ts'
import type { StoredDocument } from '../documents/stored-document.ts'
import type { CollectionPlan } from '../infer/plan.ts'
import { isCallerWord, isOfPeople, namesCreator } from '../infer/people.ts'
import { keepNamed } from '../items/show.ts'
import type { ItemRequest, OperationWork } from '../operations/work.ts'
import { itemShown } from './embedded-members.ts'

type Write = Pick<ItemRequest, 'state' | 'call'>

/** The account that sends the request: the first, which `/me` shows too (`collections.caller`). @throws NotReady */
function callerIn({ state, call }: Write, { name }: CollectionPlan): StoredDocument | undefined {
  if (call.tracker.ask('collections.caller') === 'generated') return undefined
  requireDocuments(state, name)
  const documents = documentsOf(state, name)
  return documents?.get(firstId(documents) ?? '')
}

/** Members that say who changed an item last, as plain names. */
const UPDATERS = /^(updated|modified|lastmodified|lastupdated|lastedited|edited|changed)by$/

interface WrittenReferences {
  /** What the request says. */
  readonly given: Members
  /** Undefined for a new item. */
  readonly before: Members | undefined
}

/**
 * A written item with the items that it shows in members such as `owner` and `assignee`: the ones that the request names, by
 * `assignee_id`, `assignee: 7`, `assignee: {id: 7}` or `projects: [7]`; and of a new item, the caller who made it, or the first where one is required.
 */
export function withShownItems(
  { document, plan, embedded, embeddedLists }: OperationWork,
  { state, call }: Write,
  value: Members,
  { given, before }: WrittenReferences,
): Members {
  const { properties, required } = shapeOf(document, plan.collection.schema, 'any')
  const made = new Map(Object.entries(value))
  for (const one of embedded()) {
    const { name, schema, target, idName } = one
    const plain = plainName(name)
    const isAlias = (other: string) => plainName(other) === `${plain}id`
    const alias = [...properties.keys()].find(isAlias)
    const sentAs = Object.keys(given).find(isAlias)
    const isNull = allowsNull(document, properties.get(name))
    const show = (item: StoredDocument | undefined) => {
      if (item) made.set(name, keepNamed(document, schema, item.value))
      if (item && alias !== undefined) made.set(alias, item.value[idName])
    }
    if (sentAs !== undefined || name in given) {
      const id = sentAs === undefined ? idSent(given[name], before?.[name], idName) : given[sentAs]
      if (id === null && isNull) made.set(name, null)
      // Where the item has both, and need not show the other one, requests ask for it: `?expand=customer`.
      if (sentAs === undefined || alias === undefined || isNull || required.has(name)) show(itemShown(state, one, id))
      if (sentAs !== undefined && alias === undefined && made.has(name)) made.delete(sentAs)
    } else if (
      UPDATERS.test(plain) ||
      (!before &&
        ((namesCreator(plain) && (isOfPeople(target) || target.isSingleton)) || (required.has(name) && !isNull)))
    )
      show(callerIn({ state, call }, target))
  }
  for (const one of embeddedLists()) {
    const { [one.name]: sent } = given
    if (!Array.isArray(sent)) continue
    const shown = sent.map((each: unknown) => {
      const item = itemShown(state, one, idSent(each, undefined, one.idName))
      return item ? keepNamed(document, one.schema, item.value) : each
    })
    made.set(one.name, shown)
  }
  return Object.fromEntries(made)
}

/** `7`, and the id of `{"id": 7}`; an object with more than that stays as it was sent. */
function idSent(sent: unknown, before: unknown, idName: string): unknown {
  if (!isObject(sent)) return sent
  // A merge keeps the other members of the item that was shown before.
  const isOther = isObject(before) && before[idName] !== sent[idName]
  return isOther || Object.keys(sent).length === 1 ? sent[idName] : undefined
}

/** A patch whose `assignee_id: null` means the `assignee` of the item. */
export function withShownNulls({ document, plan, embedded }: OperationWork, patch: Members): Members {
  const members = Object.entries(patch)
  if (!members.some(([, value]) => value === null)) return patch
  const { properties } = shapeOf(document, plan.collection.schema, 'any')
  const named = members.map(([name, value]): [string, unknown] => {
    const isMember = value !== null || properties.has(name)
    const shown = isMember ? undefined : embedded().find((one) => `${plainName(one.name)}id` === plainName(name))
    return [shown?.name ?? name, value]
  })
  return Object.fromEntries(named)
}

/** Members such as `owner_id` and `created_by` of a new item, which only the service writes: the id of the caller. */
export function idsOfCaller({ document, plan, collections }: OperationWork, write: Write, value: Members): Members {
  const sent = shapeOf(document, plan.input?.schema, 'any').properties
  const people = collections.find(
    (one) => !one.path.includes('{') && (one.isSingleton ? isCallerWord(one.noun) : isOfPeople(one)),
  )
  const [key = ''] = people?.identity.pointer?.split('/').slice(1) ?? []
  const ids = [...shapeOf(document, plan.collection.schema, 'any').properties].flatMap(([name, member]) => {
    const plain = plainName(name)
    const { types, keywords } = shapeOf(document, member)
    const own = shapeOf(document, people?.identity.schema)
    const isOpen = !(name in value) && !sent.has(name) && people !== plan.collection
    const isNamed = plain.endsWith('id') && namesCreator(plain.slice(0, -2))
    const isIdType = types.has('integer') || keywords.format === 'uuid'
    const isAlike = keywords.format === own.keywords.format && [...own.types].every((type) => types.has(type))
    const isMeant = isOpen && (isNamed || (namesCreator(plain) && isIdType))
    const caller = people && isMeant && isAlike ? callerIn(write, people) : undefined
    return caller ? [[name, caller.value[key]] as const] : []
  })
  return Object.fromEntries(ids)
}
