import { readDocumented } from '../../../../contract/schemas/documented.ts'
import { shapeOf } from '../../../../contract/schemas/shape.ts'
import { violation } from '../../../../base/errors/problem.ts'
import { requestInvalid } from '../../../../base/errors/request-errors.ts'
import { operationRefused } from '../../../../base/errors/response-errors.ts'
import { withArticle } from '../../../../base/errors/wording.ts'
import { asObject, isObject, type Members } from '../../../../base/formats/json.ts'
import { plainName } from '../../../../base/formats/names.ts'
import type { Outcome } from '../../../handler.ts'
import type { StoredDocument } from '../../documents/stored-document.ts'
import { idOf } from '../../documents/ids.ts'
import { asksForKinds, changeOf, type ItemChange, operatorOf } from '../../infer/actions.ts'
import { isSameItem } from '../../infer/same-item.ts'
import { readOnlyMembers } from '../../items/server-members.ts'
import { notFound } from '../instance.ts'
import { merged } from '../patch.ts'
import { refuseUnknownReferences } from '../references.ts'
import type { Item, ItemRequest, OperationWork } from '../work.ts'
import { changeItem, creationOf, newItems } from '../write.ts'

interface AskedChange {
  readonly kind: ItemChange
  /** Empty for a new item. */
  readonly id: string
  readonly given: Members
}

/** The changes of several kinds that a body asks for; undefined where its schema describes none. @throws Problem 501 for one that is not understood */
export function readChanges({ document, plan }: OperationWork, body: unknown): readonly AskedChange[] | undefined {
  const { operation, collection } = plan
  const { noun, identity, schema } = collection
  const isItem = (one: unknown) => isSameItem(document, one, schema)
  if (!asksForKinds(document, readDocumented(document, operation).input, { noun, isItem })) return undefined
  const { properties } = shapeOf(document, schema, 'any')
  const kept = readOnlyMembers(document, schema)
  const changeIn = (kind: ItemChange | undefined, sent: unknown, pointer: string): AskedChange => {
    if (!kind)
      throw operationRefused({
        detail: `${operation.method} ${operation.path}: it is not known what ${pointer} does to ${withArticle(noun)}. Write a handler for it.`,
      })
    const members = isObject(sent) ? withInner(sent, noun) : {}
    const id = isObject(sent) ? (idOf(identity, members) ?? members.id ?? members[idMember(members, noun)]) : sent
    const isNamed = typeof id === 'string' || typeof id === 'number' || typeof id === 'bigint'
    if (kind !== 'create' && !isNamed)
      throw requestInvalid([violation({ pointer }, 'required', `the id of ${withArticle(noun)}`)])
    const own = Object.entries(members).filter(
      ([name, value]) => properties.has(name) && !kept.has(name) && (kind === 'create' || value !== id),
    )
    return { kind, id: isNamed ? String(id) : '', given: Object.fromEntries(own) }
  }
  const lists = Object.entries(asObject(body)).filter(([, held]) => Array.isArray(held))
  const byKind = lists.filter(([name]) => changeOf(name, noun) !== undefined)
  if (byKind.length > 0)
    return byKind.flatMap(([name, list]) =>
      (list as readonly unknown[]).map((one, at) => changeIn(changeOf(name, noun), one, `/${name}/${at}`)),
    )
  const [name, list] = Array.isArray(body) ? ['', body as readonly unknown[]] : (lists[0] ?? ['', []])
  return (list as readonly unknown[]).map((one, at) => {
    const { kind, sent } = elementOf(one, noun)
    return changeIn(kind, sent, `${name === '' ? '' : `/${name}`}/${at}`)
  })
}

/** `{"op": "update", "id": 3, "value": {…}}`, or `{"updateNote": {"id": 3, …}}` */
function elementOf(one: unknown, noun: string): { readonly kind: ItemChange | undefined; readonly sent: unknown } {
  const members = asObject(one)
  const operator = operatorOf(Object.keys(members))
  if (operator === undefined) {
    const [[name, sent] = ['', undefined]] = Object.entries(members)
    return { kind: changeOf(name, noun), sent }
  }
  const { [operator]: asked, ...sent } = members
  return { kind: changeOf(String(asked), noun), sent }
}

/** With the members of the object that holds the item: `{"id": 3, "data": {…}}`. */
function withInner(sent: Members, noun: string): Members {
  const names = [
    'value',
    'data',
    'item',
    'object',
    'resource',
    'body',
    'record',
    'fields',
    'attributes',
    plainName(noun),
  ]
  const [, inner] = Object.entries(sent).find(([name, held]) => isObject(held) && names.includes(plainName(name))) ?? []
  return isObject(inner) ? { ...sent, ...inner } : sent
}

function idMember(members: Members, noun: string): string {
  return Object.keys(members).find((name) => plainName(name) === `${plainName(noun)}id`) ?? ''
}

/** What became of the items of a request: those that were created and changed as they are, deleted ones as they were. */
export interface ChangedItems {
  readonly items: Readonly<Record<ItemChange, readonly Item[]>>
  readonly events: Outcome['events']
}

/** Makes all changes, or none. What is not there needs no deletion. @throws Problem 404 for a change of an item that there is not */
export function applyChanges(
  work: OperationWork,
  request: ItemRequest,
  changes: readonly AskedChange[],
  remove: (item: Item) => Outcome['events'],
): ChangedItems {
  const of = (kind: ItemChange) => changes.filter((one) => one.kind === kind)
  const create = newItems(
    work,
    request,
    of('create').map(({ given }) => given),
  )
  const latest = new Map<string, StoredDocument>()
  const events = create.map(creationOf)
  const update = of('update').map(({ id, given }): Item => {
    const stored = latest.get(id) ?? request.instance.documents?.get(id)
    if (!stored) throw notFound(work.plan, request, id)
    const changed = changedItem(work, { ...request, id, stored }, given)
    latest.set(id, changed.item.stored)
    events.push(...changed.events)
    return changed.item
  })
  const removed = new Set(of('delete').map(({ id }) => id))
  const gone = [...removed].flatMap((id): Item[] => {
    const stored = request.instance.documents?.get(id)
    return stored ? [{ ...request, id, stored }] : []
  })
  return { items: { create, update, delete: gone }, events: [...events, ...gone.flatMap(remove)] }
}

/** An item after a change. */
export function changedItem(
  work: OperationWork,
  item: Item,
  given: Members,
): Pick<Outcome, 'events'> & { readonly item: Item } {
  refuseUnknownReferences(work, item, { given, before: item.stored.value })
  const { events } = changeItem(work, item, () => merged(work, item, given))
  const stored = events.flatMap((event) => (event.type === 'document.updated' ? event.document : [])).at(-1)
  return { events, item: { ...item, stored: stored ?? item.stored } }
}
