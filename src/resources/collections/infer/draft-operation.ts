import type { Operation } from '../../../contract/contract.ts'
import { type DocumentedResponse, mayBeId, readDocumented } from '../../../contract/schemas/documented.ts'
import { isObject } from '../../../base/formats/json.ts'
import { alternativesOf, shapeOf } from '../../../contract/schemas/shape.ts'
import type { ElementList } from './element-list.ts'
import { hintedRole } from './hints.ts'
import { locateItem, locateList } from './locate-items.ts'
import type { Located, OperationPlan, Role } from './plan.ts'

export interface DraftOperation extends Pick<OperationPlan, 'operation' | 'role' | 'input' | 'output' | 'reason'> {
  /** The schema of the whole body. */
  readonly body: unknown
  /** The member that the path names an item by, where that is not its id. */
  readonly key?: string
  /** The member whose value the last path parameter has, as in `/tags/{type}`; null for an unknown one, undefined where it is an id. */
  readonly selects?: string | null
  /** The list that the path names an element of. */
  readonly element?: ElementList
  /** Whether its path names the caller's own item: `/users/me`. */
  readonly isOfCaller?: boolean
}

/** What the contract documents for one operation, before its role is known. */
export interface OperationDraft {
  /** The schema of the body; undefined where there is none. */
  readonly body: unknown
  /** The schema of the response. */
  readonly schema: unknown
  readonly input: Located | undefined
  readonly item: Located | undefined
  readonly list: Located | undefined
  as(role: Role, located: Located | undefined, reason: string): DraftOperation
}

/** Undefined where the response has a body without a schema, or one that is not JSON. */
export function draftOf(document: unknown, operation: Operation, noun: string): OperationDraft | undefined {
  const documented = readDocumented(document, operation)
  const body = documented.input
  const statuses = documented.statuses.flatMap(successOf)
  const status = (operation.method === 'POST' && statuses.includes(201) ? 201 : statuses[0]) ?? 200
  // Those statuses have no body, whatever the document says (RFC 9110, 15.3.5).
  const response = status === 204 || status === 205 ? undefined : documented.response(status)
  const isUndescribed = response !== undefined && response.schema === undefined && response.types.length > 0
  if (isUndescribed && !isAcknowledged(operation, response)) return undefined
  const schema = isUndescribed ? {} : asExample(document, response?.schema, response?.example)
  const find = (held: unknown, locate: typeof locateItem) =>
    held === undefined ? undefined : locate(document, held, noun)
  const shown = find(schema, locateList)
  // An object with an object in each member may be anything where the request is not for a list.
  const list = shown?.isMap && operation.method !== 'GET' ? undefined : shown
  const input = isListSchema(document, body)
    ? find(listIn(document, body), locateList)
    : (find(body, locateItem) ?? anything(document, body ?? (documented.hasBody ? undefined : {})))
  return {
    body,
    schema,
    input,
    list,
    item: list?.pointer === '' ? undefined : find(schema, locateItem),
    as: (role, located, reason) => ({
      operation,
      body,
      role: hintedRole(operation) ?? role,
      reason,
      input: role === 'delete' ? undefined : input,
      output: { status, schema, located, text: response?.text },
    }),
  }
}

/**
 * The schema of a response whose example is an object where the schema has `items` and no type. That says nothing of a value that is no list
 * (JSON Schema 2020-12, 10.3.1.2): converters that know no `anyOf` leave the alternatives of an object in such `items`.
 */
function asExample(document: unknown, schema: unknown, example: unknown): unknown {
  const { types, items, properties, required } = shapeOf(document, schema, 'any')
  if (Array.isArray(example)) {
    const element = asExample(document, items, example[0])
    return element === items ? schema : { type: 'array', items: element }
  }
  if (!isObject(example)) return schema
  if (types.size === 0 && properties.size === 0 && items !== undefined) return items
  const members = [...properties].map(([name, one]) => [name, asExample(document, one, example[name])] as const)
  const isSame = members.every(([name, one]) => one === properties.get(name))
  return isSame ? schema : { type: 'object', required: [...required], properties: Object.fromEntries(members) }
}

/** Whether the response to a write may have a body without a schema: `{}`, the text `OK`, or the id of a new item. */
function isAcknowledged({ method }: Operation, { types, text }: DocumentedResponse): boolean {
  const isAny = types.every((type) => /json|^\*\/\*$/.test(type))
  if (method === 'POST') return text !== undefined && mayBeId(text)
  return (isAny || text !== undefined) && ['PUT', 'PATCH', 'DELETE'].includes(method)
}

/** A body of which the document says nothing, such as the patches of Kubernetes, or one that it does not mention. */
function anything(document: unknown, body: unknown): Located | undefined {
  const shape = body === undefined ? undefined : shapeOf(document, body, 'any')
  const isOpen = shape?.types.size === 0 && shape.properties.size === 0 && shape.items === undefined
  return isOpen ? { pointer: '', schema: body, isList: false } : undefined
}

function isListSchema(document: unknown, schema: unknown): boolean {
  return schema !== undefined && shapeOf(document, schema, 'any').types.has('array')
}

/** The list of a body that may also be one item: `oneOf: [{ type: array, items: Author }, Author]`. */
function listIn(document: unknown, body: unknown): unknown {
  return alternativesOf(document, body).find((one) => shapeOf(document, one).items !== undefined) ?? body
}

function successOf(status: string): number[] {
  if (/^2xx$/i.test(status)) return [200]
  return /^2\d\d$/.test(status) ? [Number(status)] : []
}
