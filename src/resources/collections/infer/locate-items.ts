import { shapeOf, allows, type Shape } from '../../../contract/schemas/shape.ts'
import { encodePointer, isObject } from '../../../base/formats/json.ts'
import type { Located } from './plan.ts'
import { plural } from '../../../base/formats/plurals.ts'
import { plainName } from '../../../base/formats/names.ts'

/** Members that usually hold the item, or the items, of a response. */
const HOLDERS = new Set(
  'data item items result results record records resource resources entity entities object payload response value values entries content rows elements list embedded'.split(
    ' ',
  ),
)

/** Members that accompany a list or an item, and belong to neither. */
const BESIDES = new Set(
  'meta metadata links link pagination paging page pagecontext pageinfo cursor cursors included jsonapi success ok status message messages error errors warnings warning code requestid total count'.split(
    ' ',
  ),
)

const PAGING =
  /^(total|count|num|page|per|limit|offset|size|skip|start|next|prev|previous|first|last|self|has|more|is|cursor|after|before|url|href|object|kind|apiversion|type|etag|incomplete|result|odata|uri|truncated|sync|result)/

function isBeside(name: string): boolean {
  return isAround(name) || PAGING.test(plainName(name))
}

/** `ErrorCode` and `error_message` too. */
function isAround(name: string): boolean {
  const plain = plainName(name)
  return BESIDES.has(plain) || /^(error|warning)(code|type|message|text|details?|description|info)$/.test(plain)
}

/** How many levels of nested envelopes are searched. */
const DEEPEST = 3

/**
 * Finds the list of items in a body: the body itself, or a member such as `data`, `orders` or `_embedded.orders`. A list may be an object,
 * `{"7": {…}}`, whose members are named after the ids of the items.
 *
 * @param noun of the items, such as `order`
 */
export function locateList(document: unknown, schema: unknown, noun: string): Located | undefined {
  return findList(document, schema, { noun, pointer: '', depth: 0 })
}

interface ItemSearch {
  readonly noun: string
  readonly pointer: string
  readonly depth: number
}

function findList(document: unknown, schema: unknown, { noun, pointer, depth }: ItemSearch): Located | undefined {
  const shape = shapeOf(document, schema, 'any')
  if (isList(shape)) {
    const isObjects = isObjectShape(shapeOf(document, shape.items))
    return isObjects ? { pointer, schema: shape.items, isList: true } : undefined
  }
  const byId = shape.properties.size === 0 ? shape.keywords.additionalProperties : undefined
  if (isObject(byId) && shapeOf(document, byId, 'any').properties.size > 0)
    return { pointer, schema: byId, isList: true, isMap: true }
  if (depth === DEEPEST) return undefined
  const named = [...shape.properties].map(([name, member]) => ({
    name,
    member,
    at: `${pointer}/${encodePointer(name)}`,
  }))
  const ranked = named.toSorted((a, b) => rank(b.name, noun) - rank(a.name, noun))
  const [first] = ranked.filter(({ member }) => isListOfObjects(document, member))
  // An order may have a list of items too, but has other members as well.
  const isAlone = ranked.every((one) => one === first || isBeside(one.name)) || first?.name === dataOf(document, shape)
  if (first && (isAlone || rank(first.name, noun) === 3 || (rank(first.name, noun) > 0 && isCounted(shape))))
    return { pointer: first.at, schema: shapeOf(document, first.member, 'any').items, isList: true }
  if (!ranked.every(({ name }) => isBeside(name) || rank(name, noun) > 0)) return undefined
  for (const { name, member, at } of ranked) {
    if (rank(name, noun) === 0) return undefined
    const found = findList(document, member, { noun, pointer: at, depth: depth + 1 })
    if (found) return found
  }
  return undefined
}

/** How likely a member holds the items: 3 for one named after them. */
function rank(name: string, noun: string): number {
  const plain = plainName(name)
  if (isNamed(plain, noun)) return 3
  return HOLDERS.has(plain) ? 2 : 0
}

/** `ssh_keys` of `/keys` too. */
function isNamed(plain: string, noun: string): boolean {
  const [one, many] = [plainName(noun), plural(noun)]
  return one.length > 2 && (plain.endsWith(one) || plain.endsWith(many))
}

function isListOfObjects(document: unknown, schema: unknown): boolean {
  const shape = shapeOf(document, schema, 'any')
  return isList(shape) && isObjectShape(shapeOf(document, shape.items))
}

function isList(shape: Shape): boolean {
  return (
    shape.properties.size === 0 && shape.items !== undefined && allows(shape, 'array') && !shape.types.has('object')
  )
}

function isObjectShape(shape: Shape): boolean {
  return shape.properties.size > 0 || (shape.types.has('object') && shape.items === undefined)
}

/** Finds the item in a body: the body itself, or the only member beside metadata, such as `data` or `order`. */
export function locateItem(document: unknown, schema: unknown, noun: string): Located | undefined {
  return findItem(document, schema, { noun, pointer: '', depth: 0 })
}

function findItem(document: unknown, schema: unknown, { noun, pointer, depth }: ItemSearch): Located | undefined {
  const shape = shapeOf(document, schema, 'any')
  if (!isObjectShape(shape)) return undefined
  const data = dataOf(document, shape)
  const own = [...shape.properties].filter(([name]) => (data ? name === data : !isAround(name)))
  const [only] = own
  if (only && own.length === 1 && depth < DEEPEST && (rank(only[0], noun) > 0 || isObjectOf(document, only[1]))) {
    const [name, member] = only
    const inner = findItem(document, member, { noun, pointer: `${pointer}/${encodePointer(name)}`, depth: depth + 1 })
    if (inner) return inner
    // An envelope around something other than an item, such as a list or a text.
    if (depth > 0 || !isScalar(document, member)) return undefined
  }
  return { pointer, schema, isList: false }
}

/**
 * The member of an envelope that says more of the request: `{ status_code, service, operation, data: {…} }`. An item with a member of this
 * name has a name or an id of its own.
 */
function dataOf(document: unknown, { properties }: Shape): string | undefined {
  const members = new Map([...properties].map(([name, member]) => [plainName(name), { name, member }]))
  if (NAMING.some((name) => members.has(name)) || !STATUS.some((name) => members.has(name))) return undefined
  const held = members.get('data')
  const others = [...members].filter(([plain]) => plain !== 'data' && !BESIDES.has(plain))
  return others.every(([, { member }]) => isScalar(document, member)) ? held?.name : undefined
}

/** A page says how many items there are, and has no name of its own: `{ count, result: […], list_columns }`. */
function isCounted({ properties }: Shape): boolean {
  const plain = new Set([...properties.keys()].map(plainName))
  return ['count', 'total'].some((name) => plain.has(name)) && !NAMING.some((name) => plain.has(name))
}

const NAMING = ['id', 'uuid', 'key', 'name', 'type', 'title']
const STATUS = ['status', 'statuscode', 'success', 'code', 'ok']

/** Whether it has other members than an id. */
function isObjectOf(document: unknown, schema: unknown): boolean {
  return shapeOf(document, schema, 'any').properties.size > 1
}

function isScalar(document: unknown, schema: unknown): boolean {
  const { types } = shapeOf(document, schema, 'any')
  return types.size > 0 && !types.has('object') && !types.has('array')
}
