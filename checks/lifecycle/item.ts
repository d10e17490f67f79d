import { isDeepStrictEqual } from 'node:util'
import { isObject } from '../../src/base/formats/json.ts'
import { follow, type Values } from '../public-documents/read-contract.ts'
import { itemsOf, keywordOf, plain, propertiesOf, singular } from './schemas.ts'

/** A part of a body, and the schema that documents it. */
export interface Located {
  readonly path: readonly string[]
  readonly value: Values
  readonly schema: unknown
}

/** The object in a body that has most names in common with an item: the body itself, or a member of an envelope. */
export function locateItem(document: Values, schema: unknown, body: unknown, names: readonly string[]): Located {
  const top: Located = { path: [], value: isObject(body) ? body : {}, schema }
  const inner = below(document, top)
  const whole = inner.find(({ path: [name] }) => name === 'data' && isEnvelope(top.value)) ?? top
  const shares = ({ value }: Located) => names.filter((name) => name in value).length
  return [whole, ...inner, ...inner.flatMap((one) => below(document, one))].reduce((best, one) =>
    shares(one) > shares(best) ? one : best,
  )
}

/** Whether a body says how a request went, and has its item in `data`. */
export function isEnvelope(body: Values): boolean {
  const { data, ...others } = body
  const names = Object.keys(others).map(plain)
  const isSaid = names.some((name) => /^(?:status|statuscode|success|code|ok)$/.test(name))
  return isObject(data) && isSaid && !names.some((name) => /^(?:id|uuid|key|name|type|title)$/.test(name))
}

function below(document: Values, { path, value, schema }: Located): Located[] {
  const properties = propertiesOf(document, schema)
  return Object.entries(value).flatMap(([name, inner]) => {
    const member = properties.get(name)
    // An item may be shown in a list that it is alone in.
    const [only, ...others] = Array.isArray(inner) ? (inner as unknown[]) : []
    if (isObject(only) && others.length === 0)
      return [{ path: [...path, name, '0'], value: only, schema: itemsOf(document, member) }]
    return isObject(inner) ? [{ path: [...path, name], value: inner, schema: member }] : []
  })
}

interface Comparison {
  /** Whether the whole may have a value at a path. */
  allows(path: readonly string[], value: unknown): boolean
  /** Whether a member is the server's to write, whatever a client sends. */
  isServers?: ((name: string, schema: unknown) => boolean) | undefined
}

/**
 * Where what is read differs from what was written, as a pointer; undefined where it does not. Members count that the read
 * documents, and that may have the written value there.
 */
export function differenceBetween(
  document: Values,
  written: unknown,
  read: Located,
  { allows, isServers }: Comparison,
): string | undefined {
  const differs = (value: unknown, held: unknown, schema: unknown): string | undefined => {
    if (isObject(value) && isObject(held)) return differsIn(value, held, schema)
    if (Array.isArray(value) && Array.isArray(held)) {
      if (value.length !== held.length) return ''
      return firstOf(value, (one, index) => prefixed(index, differs(one, held[index], itemsOf(document, schema))))
    }
    // What is written as the id of a thing may be read as the thing.
    if (isObject(held) && propertiesOf(document, schema).size > 0 && Object.values(held).includes(value))
      return undefined
    return areEqual(value, held) ? undefined : ''
  }
  const differsIn = (value: Values, held: Values, schema: unknown): string | undefined => {
    const properties = propertiesOf(document, schema)
    return firstOf(Object.entries(value), ([name, one]) => {
      const inner = properties.get(name)
      const isShown = inner !== undefined && keywordOf(document, inner, 'writeOnly') !== true
      if (isServers?.(name, inner) === true) return undefined
      if (!(name in held) && (!isShown || one === null)) return undefined
      return prefixed(name, differs(one, held[name], inner))
    })
  }
  if (!isObject(written)) return undefined
  const comparable = Object.entries(written).filter(([name, value]) => allows([...read.path, name], value))
  return differsIn(Object.fromEntries(comparable), read.value, read.schema)
}

function firstOf<T>(list: readonly T[], find: (one: T, index: number) => string | undefined): string | undefined {
  for (const [index, one] of list.entries()) {
    const found = find(one, index)
    if (found !== undefined) return found
  }
  return undefined
}

function prefixed(name: string | number, rest: string | undefined): string | undefined {
  return rest === undefined ? undefined : `/${name}${rest}`
}

const MOMENT = /^\d{4}-\d\d-\d\dT/

function areEqual(a: unknown, b: unknown): boolean {
  if ((a ?? null) === (b ?? null) || isDeepStrictEqual(a, b)) return true
  if (typeof a !== 'string' || typeof b !== 'string' || !MOMENT.test(a)) return false
  return Date.parse(a) === Date.parse(b)
}

/** A copy with another value at a path. */
export function placed(body: unknown, [name, ...rest]: readonly string[], value: unknown): unknown {
  if (name === undefined) return value
  if (Array.isArray(body)) return body.with(Number(name), placed(body[Number(name)], rest, value)) as unknown
  const held = isObject(body) ? body : {}
  return { ...held, [name]: placed(held[name], rest, value) }
}

export interface Identity {
  readonly id: string
  /** The name of the member. */
  readonly name: string
}

/** Names that identify, the likelier first, where the parameter's own is not a member. */
const USUAL = 'uuid guid sid key name slug number code token login username sha hash'.split(' ')

/** Members that an item, or a list of items, is wrapped in. */
const ENVELOPE =
  /^(?:data|attributes|items?|results?|records?|resources?|values?|entit(?:y|ies)|payload|response|objects?)$/

/** How likely a member is what a path parameter names, as a reader would see it; the less the likelier. */
function createRank(parameter: string, noun: string): (name: string, holder: string) => number | undefined {
  const words = parameter.split(/[^A-Za-z0-9]+|(?<=[a-z0-9])(?=[A-Z])/).map(plain)
  const [whole, last, rest] = [plain(parameter), words.at(-1), words.slice(0, -1).join('')]
  return (name, holder) => {
    const bare = plain(name)
    if (bare === whole) return 0
    // `number` for `issue_number`.
    if (bare === last && bare !== 'id') return 1
    // `receipt_nbr` for `receipt_number`.
    if (last === 'number' && rest !== '' && /^(?:cd|code|nbr|no|num)$/.test(after(bare, rest))) return 1
    if (bare === 'id') return 2
    if ([`${noun}id`, `${noun}sid`, `${whole}id`].includes(bare)) return 3
    // `slug` of the `group` for `group_slug`; `domain` for `domain_name`; `path` for `filepath`.
    if (`${plain(holder)}${bare}` === whole) return 4
    if (bare === rest || (bare.length > 3 && whole.endsWith(bare))) return 5
    if (bare === 'entityid' || bare === 'recordid') return 5
    const usual = USUAL.indexOf(bare)
    if (usual >= 0) return 6 + usual
    return bare.endsWith('id') || bare === noun ? 30 : undefined
  }
}

function after(name: string, start: string): string {
  return name.startsWith(start) ? name.slice(start.length) : ''
}

/** What may identify the item in a body, the likeliest first: its own members before those of objects in it. */
export function identitiesIn(body: unknown, parameter: string, collection: string): Identity[] {
  const noun = singular(collection.split('/').findLast((segment) => !segment.startsWith('{')) ?? '')
  const rankOf = createRank(parameter, noun)
  const found: (Identity & { readonly order: number })[] = []
  const visit = (shown: unknown, depth: number, holder: string): void => {
    const value: unknown = Array.isArray(shown) ? shown[0] : shown
    if (!isObject(value) || depth > 3) return
    for (const [name, inner] of Object.entries(value)) {
      const rank = rankOf(name, holder)
      if (rank !== undefined && ((typeof inner === 'string' && inner !== '') || typeof inner === 'number'))
        found.push({ id: String(inner), name, order: rank + (rank === 4 ? 0 : 100 * Math.floor(depth) + depth) })
      const isEnvelope = depth < 0.5 && (ENVELOPE.test(plain(name)) || singular(name) === noun)
      visit(inner, isEnvelope ? depth + 0.1 : Math.floor(depth) + 1, name)
    }
  }
  visit(body, 0, '')
  const sorted = found.sort((a, b) => a.order - b.order)
  return sorted.filter(({ id }, index) => sorted.findIndex((one) => one.id === id) === index).slice(0, 8)
}

/** The elements of the lists of a body: of the body itself, or of what it has within two levels. */
export function elementsOf(body: unknown, depth = 0): unknown[] {
  if (Array.isArray(body)) return body as unknown[]
  if (!isObject(body) || depth > 2) return []
  return Object.values(body).flatMap((inner) => elementsOf(inner, depth + 1))
}

/** Whether an element of a list is the item with this id. */
export function isItem(element: unknown, { id, name }: Identity): boolean {
  if (!isObject(element)) return String(element) === id
  const named = membersNamed(element, name, 0)
  // `member: { id }` for `memberId`, which a Location told.
  const inside = Object.entries(element).flatMap(([holder, inner]) =>
    Object.entries(isObject(inner) ? inner : {}).flatMap(([part, value]) =>
      plain(`${holder}${part}`) === plain(name) ? [value] : [],
    ),
  )
  const values = named.length > 0 ? named : [...Object.values(element), ...inside]
  return values.some((value) => (typeof value === 'string' || typeof value === 'number') && String(value) === id)
}

function membersNamed(value: Values, name: string, depth: number): unknown[] {
  if (name in value) return [value[name]]
  if (depth > 2) return []
  return Object.values(value).flatMap((inner) => (isObject(inner) ? membersNamed(inner, name, depth + 1) : []))
}

/** The schema of the first documented success with a JSON body. */
export function successSchema(document: Values, operation: Values): unknown {
  for (const [status, written] of Object.entries(isObject(operation.responses) ? operation.responses : {})) {
    if (!/^(?:2|default)/.test(status)) continue
    const { content } = follow(document, written)
    const types = isObject(content) ? Object.entries(content) : []
    const [, media] = types.find(([type]) => /[/+]json\b|^\*/.test(type)) ?? []
    if (media !== undefined) return follow(document, media).schema
  }
  return undefined
}
