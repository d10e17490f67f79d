import { asObject } from '../../../base/formats/json.ts'
import type { OperationDraft } from './draft-operation.ts'
import type { Operation } from '../../../contract/contract.ts'
import { valueAt } from '../../../contract/pointer.ts'
import { shapeOf } from '../../../contract/schemas/shape.ts'
import { effectOfWord } from '../lifecycles/word-effect.ts'
import { hintOfOperation } from './hints.ts'
import { plural, singular } from '../../../base/formats/plurals.ts'
import type { Located } from './plan.ts'
import { isAcknowledgement } from './match-item.ts'
import { isSameItem } from './same-item.ts'
import { plainName, wordsOf } from '../../../base/formats/names.ts'

interface Below extends Pick<OperationDraft, 'input' | 'item' | 'list'> {
  readonly operation: Operation
  /** The last segment of its path. */
  readonly word: string
  /** Of an item of the collection. */
  readonly schema: unknown
}

/** What the response of an action shows, and why the operation counts as one. */
interface InferredAction {
  readonly shows: Located | undefined
  readonly reason: string
}

const METHODS = new Set(['POST', 'PUT', 'PATCH', 'DELETE'])

/** Finds whether an operation on a word below an item acts on it, such as `/orders/{id}/cancel`. */
export function findAction(document: unknown, below: Below): InferredAction | undefined {
  const { operation, word, schema, input, item, list } = below
  const { method } = operation
  if (!METHODS.has(method)) return undefined
  const reason = `${method} on a word below an item`
  const isUndone = method === 'DELETE'
  const hasEffect = effectOfWord(document, schema, { word, isUndone }) !== undefined
  if (item && isSameItem(document, item.schema, schema) && (!isUndone || hasEffect))
    return { shows: item, reason: `${reason}, which it shows` }
  const { role, set } = hintOfOperation(operation)
  if (role === 'action' || set !== undefined) return { shows: undefined, reason }
  // A response without the item is about another resource, unless it only says that something was done.
  if (list ?? (item && !isAcknowledgement(document, item.schema, schema))) return undefined
  if (hasEffect) return { shows: undefined, reason: `${reason} that means a status or a member of it` }
  const isChange = input !== undefined && !isUndone && isAboutItem(document, { word, method, schema }, input)
  return isChange ? { shows: undefined, reason: `${reason} whose body has members of it` } : undefined
}

/**
 * The verb of a DELETE that sets a status instead of removing the item, from its summary or its operationId: `cancel` for "Cancels an order".
 * Undefined for one that removes.
 */
export function wordOfDeletion(document: unknown, operation: Operation, schema: unknown): string | undefined {
  if (operation.method !== 'DELETE') return undefined
  const { summary } = asObject(valueAt(document, operation.pointer))
  const [said = ''] = wordsOf(typeof summary === 'string' ? summary : '')
  const named = wordsOf(operation.operationId)
  return [said.replace(/s$/i, ''), ...(named.some(isDeletion) ? [] : named)].find((word) => {
    const { set = {} } = effectOfWord(document, schema, { word, isUndone: false }) ?? {}
    return Object.values(set).some((value) => typeof value === 'string')
  })
}

/** Whether all that a body may have is of the item. */
function isAboutItem(document: unknown, action: ActionPath, input: Located): boolean {
  const names = [...shapeOf(document, input.schema, 'any').properties.keys()]
  return !input.isList && names.length > 0 && names.every((name) => memberMeant(document, action, name) !== undefined)
}

/** Words that are about something other than the members of the item: a message, a copy, a trial. */
const OTHERS =
  /^(add)?(repl(y|ies)|comment|message|note|notif|invit|share|send|resend|e?mail|forward|search|query|test|valid|preview|export|import|print|exec|ping|attachment|refund|payment|charge)/i

interface ActionPath {
  readonly word: string
  readonly method: string
  /** Of an item. */
  readonly schema: unknown
}

/**
 * The member of an item that a member in the body of an action is about: the one of its name, with or without `new` and `id`; or the
 * one that is called after the verb: `assignee` for `/assign {"userId": 7}`. Undefined where there is none.
 */
export function memberMeant(document: unknown, { word, method, schema }: ActionPath, name: string): string | undefined {
  if (OTHERS.test(word) || plainName(name) === 'id') return undefined
  const members = [...shapeOf(document, schema, 'any').properties]
  const [own, verb] = [plainName(name), plainName(word)]
  // A plural names what a list of the item gets more or less of: `/issues/{id}/labels`.
  const isPlural = singular(word) !== word && method !== 'PUT' && method !== 'PATCH'
  if (isPlural && !verb.includes(plainName(singular(name)))) return undefined
  const bare = own.replace(/^(?:new|to|target|updated)(?=.{2})/, '')
  const wanted = [own, bare].flatMap((one) => [one, `${one}id`, ...(one.endsWith('id') ? [one.slice(0, -2)] : [])])
  const named = wanted.flatMap((one) => members.find(([member]) => plainName(member) === one)?.[0] ?? [])
  const called = ([member, held]: readonly [string, unknown]) =>
    verb.length > 4 && new RegExp(`^${verb}(ee|ed)?(to|user)?(id)?$`).test(plainName(member)) && !isFlag(document, held)
  // `cancellationReason` for `/cancel {"reason": "ill"}`
  const stem = verb.slice(0, Math.max(4, verb.length - 1))
  const composed = ([member]: readonly [string, unknown]) =>
    own.length > 3 && verb.length > 3 && plainName(member).startsWith(stem) && plainName(member).endsWith(own)
  return named[0] ?? members.find(composed)?.[0] ?? members.find(called)?.[0]
}

function isFlag(document: unknown, schema: unknown): boolean {
  return shapeOf(document, schema).types.has('boolean')
}

/**
 * What an operation does to several items: `delete` for `/orders/bulk-delete`, `/orders/deleteMany`, `POST /orders/delete` and `DELETE /orders`,
 * `archive` for `/orders/batch_archive`. Undefined where its path does not say that they are several.
 *
 * @param word the last segment of its path; empty for the path of the collection
 */
export function verbOfMany(method: string, word: string): string | undefined {
  const words = wordsOf(word)
  const verb = words.filter((one) => !/^(bulk|batch|mass|multi|multiple|many)$/.test(one))
  if (verb.length === words.length && word !== '' && !isDeletion(word)) return undefined
  if (verb.length > 0) return isDeletion(verb[0] ?? '') ? 'delete' : verb.join('-')
  return VERB_OF_METHOD[method]
}

const VERB_OF_METHOD: Readonly<Record<string, string>> = { DELETE: 'delete', PATCH: 'update', PUT: 'update' }

/**
 * Whether the body or the query has ids of several items: `{"ids": [1, 2]}`, `[1, 2]`, `[{"id": 1}]`, `?ids=1,2`.
 *
 * @param isWrapper whether a member of the body may hold them
 */
export function namesMany(
  document: unknown,
  { queryNames, method }: Operation,
  body: unknown,
  isWrapper: (name: string) => boolean = () => true,
): boolean {
  if (method === 'DELETE' && [...queryNames].some(isNameOfIds)) return true
  const { items, properties } = shapeOf(document, body, 'any')
  const holds = (held: unknown, name: string) => {
    const inner = shapeOf(document, held, 'any')
    const isPlain = inner.types.size > 0 && !inner.types.has('object') && !inner.types.has('array')
    return isPlain ? isNameOfIds(name) : [...inner.properties.keys()].some((one) => /^_?(id|uuid)$/i.test(one))
  }
  if (items !== undefined) return holds(items, 'ids')
  return [...properties].some(([name, member]) => {
    const list = isWrapper(name) ? shapeOf(document, member, 'any').items : undefined
    return list !== undefined && holds(list, name)
  })
}

/**
 * The same for the path of the collection itself, where a body may be an item: one with `tag_ids`, or with tags that have ids, names no
 * notes.
 */
export function namesItems(document: unknown, operation: Operation, body: unknown): boolean {
  const own = plainName(singular(operation.path.split('/').findLast((one) => one !== '') ?? ''))
  return namesMany(
    document,
    operation,
    body,
    (name) => /^(ids|uuids|items|data|objects|records|resources)(\[\])?$/.test(name) || plainName(name).startsWith(own),
  )
}

/** Whether a DELETE of a whole collection says that it empties it: "Delete all messages", `clearAllCaches`. */
export function deletesAll(document: unknown, { pointer, operationId, parameters }: Operation): boolean {
  if (parameters.some((one) => one.in === 'query')) return false
  const { summary = '', description = '' } = asObject(valueAt(document, pointer))
  const [sentence] = String(description).split(/[.\n]/)
  return DELETES_ALL.test(`${wordsOf(operationId).join(' ')}. ${String(summary)}. ${sentence}`)
}

const DELETES_ALL = /\b(?:delete|remove|clear|purge|erase|empty)[a-z]*[\s*_]+(?:all|every)\b/i

/** `ids`, `orderIds`, `order_ids[]` */
export function isNameOfIds(name: string): boolean {
  return /^(.+_)?(ids|uuids)(\[\])?$|[a-z](Ids|IDs)(\[\])?$/.test(name)
}

/** `POST /orders/{id}/delete` */
export function isDeletion(word: string): boolean {
  return /^(delete|remove|destroy)$/i.test(word)
}

/** `/orders/{id}/duplicate` */
export function isCopy(word: string): boolean {
  return /^(copy|clone|duplicate|fork)$/i.test(word)
}

/** What a request does to one of several items. */
export type ItemChange = 'create' | 'update' | 'delete'

const VERBS: ReadonlyMap<string, ItemChange> = new Map([
  ...['create', 'creates', 'created', 'add', 'added', 'insert', 'inserts', 'inserted', 'new', 'post'].map(
    (verb) => [verb, 'create'] as const,
  ),
  ...['update', 'updates', 'updated', 'edit', 'change', 'changed', 'modify', 'modified', 'patch', 'put'].map(
    (verb) => [verb, 'update'] as const,
  ),
  ...['delete', 'deletes', 'deleted', 'remove', 'removed', 'destroy'].map((verb) => [verb, 'delete'] as const),
])

/** Words beside the verb, such as in `toDelete`, `itemsToAdd` and `deleteRequest`. */
const BESIDES = new Set([
  'to',
  'item',
  'items',
  'request',
  'requests',
  'operation',
  'record',
  'records',
  'ids',
  'id',
  'count',
  'number',
])

/** What a word asks for: `create` for `create`, `toAdd`, `INSERT` and, of notes, `createNote`. Undefined for the things of others. */
export function changeOf(word: string, noun: string): ItemChange | undefined {
  const own = [noun, plural(noun)].map(plainName)
  const words = wordsOf(word).filter((one) => !BESIDES.has(one))
  const things = words.filter((one) => !VERBS.has(one))
  const [verb, ...others] = words.filter((one) => VERBS.has(one))
  const isOwn = others.length === 0 && (things.length === 0 || own.includes(things.join('')))
  return isOwn ? VERBS.get(verb ?? '') : undefined
}

/** Members that say what an element of a list asks for: `{"op": "create", …}`. */
const OPERATORS = ['op', 'operation', 'action', 'method', 'verb']

/** The member of an element that says what is done. */
export function operatorOf(names: Iterable<string>): string | undefined {
  return [...names].find((name) => OPERATORS.includes(plainName(name)))
}

/** The word in a body that says what is done: `approve` of `{"action": "approve"}`. */
export function wordOfBody(body: unknown): string | undefined {
  const members = asObject(body)
  const word = members[operatorOf(Object.keys(members)) ?? '']
  return typeof word === 'string' ? word : undefined
}

interface ItemKind {
  readonly noun: string
  /** Whether a schema describes an item of the collection. */
  isItem(schema: unknown): boolean
}

/**
 * Whether a body asks for changes of several kinds: `{"create": […], "delete": […]}`, `{"operations": [{"op": "create", …}]}` or
 * `{"requests": [{"createNote": {…}}]}`.
 */
export function asksForKinds(document: unknown, body: unknown, { noun, isItem }: ItemKind): boolean {
  const { items: own, properties } = shapeOf(document, body, 'any')
  const lists = [...properties].flatMap(([name, member]) => {
    const { items } = shapeOf(document, member, 'any')
    return items === undefined ? [] : [{ name, items }]
  })
  const isNamed = (schema: unknown) => {
    const shape = shapeOf(document, schema, 'any')
    return shape.properties.size === 0 ? !shape.types.has('object') : shape.properties.has('id')
  }
  const kinds = lists.filter(
    ({ name, items }) => changeOf(name, noun) !== undefined && (isItem(items) || isNamed(items)),
  )
  if (kinds.length > 1 && kinds.some(({ items }) => isItem(items))) return true
  const list = own === undefined ? lists[0] : { items: own }
  if (!list || (own === undefined && lists.length > 1)) return false
  const { properties: parts } = shapeOf(document, list.items, 'any')
  if (parts.size > 0 && [...parts.keys()].every((name) => changeOf(name, noun) !== undefined)) return true
  const operator = operatorOf(parts.keys())
  if (operator === undefined) return false
  const { keywords } = shapeOf(document, parts.get(operator))
  const isOpen = keywords.enum === undefined
  const values = Array.isArray(keywords.enum) ? keywords.enum.map(String) : []
  const isAbout = [list.items, ...parts.values()].some(isItem)
  return isAbout && (isOpen || values.some((one) => changeOf(one, noun) !== undefined))
}
