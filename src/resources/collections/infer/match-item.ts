import { shapeOf } from '../../../contract/schemas/shape.ts'
import { encodePointer } from '../../../base/formats/json.ts'
import type { DraftOperation, OperationDraft } from './draft-operation.ts'
import type { Located } from './plan.ts'
import { isOpenItem } from './open-items.ts'
import { isSameItem } from './same-item.ts'

/**
 * An operation with the items in its body and its response where the item of the collection tells them to be; undefined when its
 * response is about something else.
 */
export function matchItem(document: unknown, schema: unknown, operation: DraftOperation): DraftOperation | undefined {
  const { role, output } = operation
  const input =
    operation.input && relocated(document, schema, { located: operation.input, body: operation.body, isRequest: true })
  const located =
    output.located && relocated(document, schema, { located: output.located, body: output.schema, isRequest: false })
  // A read of which the document says no more than `{ type: object }` shows what the others describe.
  const isVague = located !== undefined && isOpenItem(document, located.schema)
  const isOpen = isVague && (role === 'read' || isOpenItem(document, schema))
  const isSame = located !== undefined && (isOpen || isSameItem(document, located.schema, schema))
  // A list in a member may be a part of something else: the lines of an order.
  const isText = shapeOf(document, input?.schema).types.has('string')
  if (role === 'create-many' && input?.pointer !== '' && !isText && !isSameItem(document, input?.schema, schema))
    return undefined
  if (role === 'bulk') return { ...operation, input, output: { ...output, located: isSame ? located : undefined } }
  if (role === 'delete')
    return {
      ...operation,
      output: { ...output, located: isSame && !isReceipt(document, located, schema) ? located : undefined },
    }
  if (isOpen) return { ...operation, input, output: { ...output, located: { ...located, schema } } }
  if (!located || isSame) return { ...operation, input, output: { ...output, located } }
  if (role === 'merge' && operation.body === undefined) return undefined
  if (!['create', 'merge', 'replace'].includes(role)) return undefined
  if (isAcknowledgement(document, located.schema, schema))
    return { ...operation, input, output: { ...output, located: undefined } }
  // A creation or a replacement may show no more than what was sent.
  if (!input || role === 'merge') return undefined
  const sent = relocated(document, input.schema, { located, body: output.schema, isRequest: false })
  return isSameItem(document, input.schema, sent.schema)
    ? { ...operation, input, output: { ...output, located: sent } }
    : undefined
}

/** Finds the item in an envelope by comparing with the items of the list: a read `{"version": 1, "tag": {…}}` beside a list `{"tags": [{…}]}`. */
export function asListed(document: unknown, operations: readonly DraftOperation[]): readonly DraftOperation[] {
  const list = operations.find(({ role }) => role === 'list')?.output.located
  if (!list) return operations
  return operations.map((one) => {
    const { located, schema: body } = one.output
    if (!located) return one
    const output = { ...one.output, located: relocated(document, list.schema, { located, body, isRequest: false }) }
    return { ...one, output }
  })
}

/** Whether a response is a list of items of a schema, and not one item that has a list. */
export function listsAlike(document: unknown, { list, item }: OperationDraft, schema: unknown): boolean {
  const isItem = item !== undefined && isSameItem(document, item.schema, schema)
  return list !== undefined && !isItem && isSameItem(document, list.schema, schema)
}

/** A GET that shows one or all items of a collection in members with unusual names. */
export function findSimilarItem(
  document: unknown,
  schema: unknown,
  { draft, isList, isOfOne }: { readonly draft: OperationDraft; readonly isList: boolean; readonly isOfOne: boolean },
): DraftOperation | undefined {
  const located = locateSimilar(document, { schema: draft.schema, pointer: '', depth: 0 }, { schema, isList })
  // `GET /invoices/{id}` that shows `{"invoices": [{…}]}`, as its list does.
  if (isOfOne && !isList && !located && listsAlike(document, draft, schema))
    return draft.as('read', draft.list, 'GET of an item, in a list that it is alone in')
  if (!located) return undefined
  return isList
    ? draft.as('list', located, 'GET of a list of items like the others of the path')
    : draft.as('read', located, 'GET of an item like the others of the path')
}

interface SchemaAtDepth {
  readonly schema: unknown
  readonly pointer: string
  readonly depth: number
}

/** How many levels of nested envelopes are searched. */
const DEEPEST = 3

function locateSimilar(
  document: unknown,
  { schema: held, pointer, depth }: SchemaAtDepth,
  wanted: { readonly schema: unknown; readonly isList: boolean },
): Located | undefined {
  const { items, properties } = shapeOf(document, held, 'any')
  const shown = wanted.isList ? items : held
  if (shown !== undefined && isSameItem(document, shown, wanted.schema))
    return { pointer, schema: shown, isList: wanted.isList }
  if (depth === DEEPEST) return undefined
  const inner = [...properties].map(([name, schema]) => ({ schema, pointer: `${pointer}/${encodePointer(name)}` }))
  return inner
    .map((one) => locateSimilar(document, { ...one, depth: depth + 1 }, wanted))
    .find((one) => one !== undefined)
}

interface InBody {
  readonly located: Located
  readonly body: unknown
  readonly isRequest: boolean
}

/** Where the item is found already, or where a member of the body is more like it. */
function relocated(document: unknown, schema: unknown, { located, body, isRequest }: InBody): Located {
  if (located.isList || isSameItem(document, located.schema, schema)) return located
  const members = [...shapeOf(document, body, 'any').properties]
  // The only object of a change may be a member of the item, not the item: `{"address": {…}}`.
  if (located.pointer !== '' && isSameItem(document, body, schema)) return { pointer: '', schema: body, isList: false }
  const own = shapeOf(document, schema, 'any').properties
  const shared = ([, one]: readonly [string, unknown]) =>
    [...shapeOf(document, one, 'any').properties.keys()].filter(
      (name) => own.has(name) && !(isRequest && REFERRING.has(name)),
    ).length
  const [[name, member] = []] = members
    .filter((one) => shared(one) > 0 && isSameItem(document, one[1], schema))
    .toSorted((one, other) => shared(other) - shared(one))
  return name === undefined ? located : { pointer: `/${encodePointer(name)}`, schema: member, isList: false }
}

/** Members of an object that only refers to another item: `{"assign_to": {"type": "folder", "id": "7"}}`. */
const REFERRING = new Set(['id', 'type', 'kind', 'href', 'url'])

/** `{"id": "1", "deleted": true}`: a confirmation that names the deleted item without showing it. */
function isReceipt(document: unknown, { schema: shown }: Located, schema: unknown): boolean {
  const [few, all] = [shown, schema].map((one) => shapeOf(document, one, 'any').properties)
  return (
    few !== undefined &&
    all !== undefined &&
    (few.size * 2 < all.size || [...few.keys()].some((name) => !all.has(name)))
  )
}

/** `{"success": true}`: a few plain members, and no object or list that could be an item. */
export function isAcknowledgement(document: unknown, shown: unknown, schema: unknown): boolean {
  const { properties } = shapeOf(document, shown, 'any')
  const isPlain = [...properties.values()].every((one) => {
    const member = shapeOf(document, one, 'any')
    return member.properties.size === 0 && !isSameItem(document, member.items, schema)
  })
  return properties.size <= MOST_MEMBERS && isPlain
}

const MOST_MEMBERS = 5

/**
 * The member of an item that a body describes, as a JSON pointer: `/rule` where items are `{ id, rule: {…} }` and a body is the rule. Empty
 * where the body has members of the item itself.
 *
 * @param word the last segment of the path below an item: a body of which the document says nothing is the member of that name, as for
 *   `PUT /groups/{name}/properties`
 */
export function partOf(document: unknown, schema: unknown, { schema: body, isList }: Located, word?: string): string {
  const sent = shapeOf(document, body, 'any').properties
  const own = shapeOf(document, schema, 'any').properties
  const meant = word === undefined || sent.size > 0 || isList ? undefined : own.get(word)
  if (meant !== undefined && [...shapeOf(document, meant, 'any').types].every((type) => type === 'object'))
    return `/${encodePointer(word ?? '')}`
  if (isList || sent.size < 2) return ''
  const shared = (names: ReadonlyMap<string, unknown>) => [...sent.keys()].filter((name) => names.has(name)).length
  if (shared(own) > 0) return ''
  const parts = [...own].filter(([, member]) => shared(shapeOf(document, member, 'any').properties) > sent.size / 2)
  const [[name] = []] = parts
  return name === undefined || parts.length > 1 ? '' : `/${encodePointer(name)}`
}
