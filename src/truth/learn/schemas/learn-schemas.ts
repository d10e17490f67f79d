import { isDeepStrictEqual } from 'node:util'
import type { Learned } from '../../../app/learned/learned.ts'
import { pointerOfPart } from '../../../app/learned/amend-contract.ts'
import { isObject, type Members, stringifyJson, tryParseJson } from '../../../base/formats/json.ts'
import { plainName } from '../../../base/formats/names.ts'
import type { Contract, Operation } from '../../../contract/contract.ts'
import { createOperationFinder } from '../../../contract/router.ts'
import { type Documented, readDocumented } from '../../../contract/schemas/documented.ts'
import { allowsNull, shapeOf, typesOf } from '../../../contract/schemas/shape.ts'
import { decodePercent, valueAt } from '../../../contract/pointer.ts'
import type { RecordedExchange } from '../../recordings/recorded-exchange.ts'
import { hasPersonal } from '../../recordings/scrub.ts'
import { isNothing, isVolatile, isWord, OWN_ID } from '../constant-values.ts'
import { OF_KINDS, schemaOfValues } from './schema-of-values.ts'
import { type SchemaPlace, visitMembers } from './schema-places.ts'
import { createIsRelated } from '../related-operations.ts'

/** What responses have at one place of the document. */
interface SeenPlace extends SchemaPlace {
  readonly values: unknown[]
  /** Of items that were seen for the first time, and that no request had. */
  readonly fresh: unknown[]
  /** How many of those items have it, whoever wrote it. */
  present: number
  /** Whether a client sent one of the values. */
  wasSent: boolean
}

/** More values of one place show nothing new. */
const MOST_VALUES = 500

/**
 * What the responses of a service show that its document does not say: members, `null`, and what a new item has that no client sent. What a
 * document says of items is what collections are inferred from, and what they are made of.
 *
 * @param isUsed whether an exchange may be learnt from, by its number
 */
export function learnSchemas(
  exchanges: readonly RecordedExchange[],
  { document, operations }: Contract,
  isUsed: (index: number) => boolean,
): Learned['schemas'] {
  const find = createOperationFinder(operations)
  const sent = new Map<string, Set<Operation | undefined>>()
  const isRelated = createIsRelated(operations)
  let showing: Operation | undefined
  // What addresses name, an item is known by: none begins as another.
  const named = new Set<string>()
  const places = new Map<string, SeenPlace>()
  // `[]`, `false` and the like are common, so only related requests count.
  const wasSent = (member: string, value: unknown) => {
    const writing = sent.get(pairOf(member, value))
    if (!writing || !isNothing(value)) return writing !== undefined
    return [...writing].some((one) => !one || !showing || isRelated(one, showing))
  }
  const note = (place: SchemaPlace, member: string, value: unknown, isNew: boolean) => {
    const key = `${place.name} ${place.pointer}`
    const seen: SeenPlace = places.get(key) ?? { ...place, values: [], fresh: [], present: 0, wasSent: false }
    places.set(key, seen)
    if (seen.values.length < MOST_VALUES) seen.values.push(value)
    if (isNew) seen.present++
    if (wasSent(member, value)) seen.wasSent = true
    else if (isNew) seen.fresh.push(value)
  }
  const run = { document, known: new Set<string>(), newItems: new Map<string, number>(), note }
  for (const [index, { request, response }] of exchanges.entries()) {
    if (!isUsed(index)) continue
    const { method, url, body } = request
    const route = find(method, url)
    const operation = route?.operation
    for (const pair of pairsIn(tryParseJson(body), '')) sent.set(pair, (sent.get(pair) ?? new Set()).add(operation))
    for (const text of Object.values(route?.parameters ?? {})) named.add(decodePercent(text))
    const json = tryParseJson(response.body)
    const isSuccess = response.status >= 200 && response.status < 300
    if (operation === undefined || !isSuccess || typeof json !== 'object' || json === null) continue
    const status = describedStatus(readDocumented(document, operation), response.status)
    const schema = valueAt(document, pointerOfPart(document, operation.pointer, String(status)))
    showing = operation
    visitMembers(run, json, { name: `${operation.operationId} ${status}`, pointer: '', schema })
  }
  const seen = [...places.values()].map((one) => ({
    ...one,
    fresh: one.fresh.filter((value) => !named.has(String(value)) || typeof value !== 'string'),
  }))
  return amendmentsOf(document, seen, run.newItems)
}

/** The status whose response says what a success shows: its own, or the one that is documented with members where its own is not. */
function describedStatus({ statuses, response }: Documented, status: number): number {
  if (response(status)?.schema !== undefined) return status
  const others = statuses.map(Number).filter((one) => one >= 200 && one < 300)
  return others.find((one) => response(one)?.schema !== undefined) ?? status
}

/** What a request says: each value with the name of its member. */
function* pairsIn(value: unknown, name: string): Generator<string> {
  if (Array.isArray(value)) for (const one of value) yield* pairsIn(one, name)
  else if (isObject(value)) for (const [member, one] of Object.entries(value)) yield* pairsIn(one, member)
  if (value !== undefined) yield pairOf(name, value)
}

function pairOf(name: string, value: unknown): string {
  return `${plainName(name)} ${stringifyJson(value)}`
}

function amendmentsOf(
  document: unknown,
  places: readonly SeenPlace[],
  newItems: ReadonlyMap<string, number>,
): Learned['schemas'] {
  const amendments: Record<string, Record<string, Members>> = {}
  // What is in an open object is what clients put there.
  const filled = new Set(places.flatMap(({ isOpen, wasSent, holder }) => (isOpen && wasSent ? [holder] : [])))
  for (const place of places) {
    if (place.schema === undefined && filled.has(place.holder)) continue
    // What only some new items have is no beginning of all.
    const isUsual = place.present >= MOST_OF_ALL * (newItems.get(place.holder) ?? 0)
    const keywords = keywordsOf(document, isUsual ? place : { ...place, fresh: [] })
    if (Object.keys(keywords).length > 0) (amendments[place.name] ??= {})[place.pointer] = keywords
  }
  return amendments
}

/** The keywords that a place lacks. */
function keywordsOf(document: unknown, { schema, values, fresh, member }: SeenPlace): Members {
  const others = schema === undefined ? undefined : otherTypes(document, schema, values)
  const initial = initialOf(
    others === 'unclear' ? fresh.filter((one) => isAllowed(document, schema, one)) : fresh,
    member,
  )
  const isNew = initial !== undefined && !isDeepStrictEqual(initial, shapeOf(document, schema).keywords.default)
  const byDefault = isNew ? { default: initial } : {}
  if (schema === undefined) return { ...schemaOfValues(values), ...byDefault }
  const types = others === 'unclear' ? undefined : others
  return { ...(types ?? (values.includes(null) && withNull(document, schema))), ...byDefault }
}

/** The types of the values besides those that a schema has; `unclear` where they stand in what it refers to. */
function otherTypes(document: unknown, schema: unknown, values: readonly unknown[]): Members | 'unclear' | undefined {
  if (values.every((one) => isAllowed(document, schema, one))) return undefined
  const seen = [schemaOfValues(values).type ?? []].flat().map(String)
  return isObject(schema) && schema.type !== undefined
    ? { type: [...new Set([...[schema.type].flat().map(String), ...seen])] }
    : 'unclear'
}

/** By its type; null is a question of its own. A value that the document does not allow could not be shown. */
function isAllowed(document: unknown, schema: unknown, value: unknown): boolean {
  const known = typesOf(document, schema)
  const type = String(schemaOfValues([value]).type)
  return (
    known.length === 0 || value === null || known.includes(type) || (type === 'integer' && known.includes('number'))
  )
}

function withNull(document: unknown, schema: unknown): Members {
  if (allowsNull(document, schema, true) || !isObject(schema)) return {}
  const { type, enum: values } = schema
  return {
    ...(type !== undefined && { type: [type, 'null'].flat() }),
    ...(Array.isArray(values) && { enum: [...(values as unknown[]), null] }),
  }
}

/** In how many of the new items a value has to be, where others have another. */
const MOST_OF_ALL = 0.75
const LEAST_SUPPORT = 4

/** What a new item has at a place, if that is the same for all; undefined where it is not known. */
function initialOf(fresh: readonly unknown[], member: string): unknown {
  if (OWN_ID.test(member)) return undefined
  const groups = [...Map.groupBy(fresh, (value) => stringifyJson(value)).values()].toSorted(
    (a, b) => b.length - a.length,
  )
  const [first = []] = groups
  const [value] = first
  if (value === undefined || !mayBegin(value, member)) return undefined
  const isOne = groups.length === 1 && (first.length > 1 || isBeginning(value, member))
  const isUsual = first.length >= LEAST_SUPPORT && first.length / fresh.length >= MOST_OF_ALL
  // Several items may have the same in a list because one client made them.
  if (Array.isArray(value) && value.length > 0 && !(isUsual && (groups.length === 1 || value.every(isObject))))
    return undefined
  return isOne || isUsual ? value : undefined
}

/** Whether one item is enough to tell: nothing, a list, a switch, and the word of a status. */
function isBeginning(value: unknown, member: string): boolean {
  if (typeof value === 'string' && value !== '') return isWord(value) && OF_KINDS.test(member)
  return isNothing(value) || typeof value === 'boolean' || typeof value === 'object'
}

/** Whether items may begin with a value: none that is made anew each time, that tells people apart, or that is made of parts. */
function mayBegin(value: unknown, member: string): boolean {
  if (isVolatile(value, member) || hasPersonal(value, member)) return false
  if (Array.isArray(value)) return value.every((one) => (isObject(one) ? areFixed(one) : mayBegin(one, member)))
  return typeof value !== 'object' || isNothing(value)
}

/** Whether no member of an object is made anew for each item, as in the environments that every new flag has. */
function areFixed(value: Members): boolean {
  return Object.entries(value).every(([name, one]) => !OWN_ID.test(name) && mayBegin(one, name))
}
