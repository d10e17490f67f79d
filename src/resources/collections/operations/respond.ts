import { derivedNow } from '../items/derived-members.ts'
import { completeObject } from '../../../values/complete-object.ts'
import { outcomeMembers } from '../../../values/consistency/outcome.ts'
import { fitObject } from '../../../values/fit-object.ts'
import { chanceKey } from '../../../engine/random.ts'
import { valueAt } from '../../../contract/pointer.ts'
import { mayBeId } from '../../../contract/schemas/documented.ts'
import { isObject, type Members, stringifyJson, asText } from '../../../base/formats/json.ts'
import { type Shape, shapeOf } from '../../../contract/schemas/shape.ts'
import { Defect } from '../../../base/errors/problem.ts'
import { requestInvalid } from '../../../base/errors/request-errors.ts'
import type { Call, Outcome } from '../../handler.ts'
import type { OperationPlan } from '../infer/plan.ts'
import { idValue, isUpdateStamp } from '../items/server-members.ts'
import { saidValue } from '../items/said-members.ts'
import { listedIn, type Showing, showWhole } from '../items/show.ts'
import type { StoredDocument } from '../documents/stored-document.ts'
import type { Instance } from './instance.ts'
import type { Item, ItemRequest, OperationWork } from './work.ts'
import { plainName } from '../../../base/formats/names.ts'
import { hash } from 'node:crypto'
import { preconditionFailed, preconditionRequired } from '../../../base/errors/resource-errors.ts'
import { keyParts } from '../../../contract/template.ts'

/** The response that shows an item. @throws Problem 400 when the item would break the contract */
export function respond(
  work: OperationWork,
  { id, stored, state, call, instance, withRelated }: Item,
  events: Outcome['events'],
): Outcome {
  const { plan, document } = work
  const { output } = plan
  const { status, located } = output
  const headers = tagHeader(work, stored)
  if (output.text !== undefined)
    return { status, headers, body: { content: textOf(plan, output.text, id), contentType: 'text/plain' }, events }
  if (!located)
    return {
      status,
      headers,
      body: isWithoutBody(output.status, output.schema)
        ? { empty: true }
        : { json: listShown(plan, stored.value) ?? emptyBody(work, { id, call }) },
      events,
    }
  const showing = { document, seed: state.seed, purpose: `${instance.name} ${id}`, now: call.now }
  const shown = derivedNow(work, { state, call }, { instance: instance.name, id, stored })
  const own = shownItem(work, shown, showing, events.length > 0)
  const item = withRelated?.(own, showing) ?? own
  const json = showWhole(output, listedIn(located, item), { ...showing, id: idValue(plan.collection, id) })
  return { status, headers, body: { json }, events }
}

/** The text of a plain text response. For a new item it is the id, which the client can learn nowhere else. */
function textOf({ role, itemParameter, collection: { identity } }: OperationPlan, text: string, id: string): string {
  const isNew = role === 'create' && itemParameter === undefined && !identity.isChosen
  return isNew && mayBeId(text) ? id : text || 'OK'
}

/** The list of an item whose path this is, where the response may be it. */
function listShown({ element, operation, output }: OperationPlan, value: Members): unknown {
  const list = element && (value[element.name] ?? [])
  return list !== undefined && operation.checkResponse(output.status, list).length === 0 ? list : undefined
}

function isWithoutBody(status: number, schema: unknown): boolean {
  return status === 204 || status === 205 || schema === undefined
}

/** Usual members of an acknowledgement, and their values. */
const DONE = new Map<string, unknown>([
  ['success', true],
  ['ok', true],
  ['deleted', true],
  ['message', 'OK'],
  ['status', 'success'],
])

/** Examples of the contract come first. */
function done(plain: string, { keywords }: Shape): unknown {
  const value = DONE.get(plain)
  const documented = [keywords.example, keywords.examples, keywords.default].flat()
  return typeof value === 'string' && documented.some((one) => typeof one === 'string') ? undefined : value
}

/** A body that shows no item, such as `{"success": true}`, or some members that the request had. */
function emptyBody(
  { document, views, plan }: OperationWork,
  { id, call }: { readonly id: string; readonly call: Call },
): unknown {
  const { output, collection, operation, input } = plan
  const { types, properties } = shapeOf(document, output.schema, 'any')
  const own = collection.identity.pointer?.split('/').at(-1) ?? 'id'
  // `{"key": "x7"}` of what is then read at `/form-data/{key}`.
  const isHidden = collection.identity.pointer === undefined
  const inPath = isHidden ? views.flatMap(({ itemParameter }) => itemParameter ?? []) : []
  const ids = ['id', plainName(own), `${plainName(collection.noun)}id`, ...inPath.map(plainName)]
  const isId = (name: string) => ids.includes(plainName(name))
  const shown = [...properties].flatMap(([name, schema]): [string, unknown][] => {
    const shape = shapeOf(document, schema)
    // `{"data": {"id": "7"}}`
    const inner = shape.types.has('array') ? undefined : [...shape.properties.keys()].find(isId)
    if (inner !== undefined) return [[name, { [inner]: idValue(collection, id) }]]
    // `{"data": {}}`: an envelope is there, though it holds nothing.
    const nothing = properties.size === 1 && shape.types.has('object') && shape.properties.size === 0 ? {} : undefined
    const value = isId(name) ? idValue(collection, id) : (done(plainName(name), shape) ?? saidValue(shape) ?? nothing)
    return value === undefined ? [] : [[name, value]]
  })
  const check = (made: unknown) => operation.checkResponse(output.status, made)
  const made = { document, now: call.now, key: chanceKey(0, id) }
  if (types.size > 0 && !types.has('object')) {
    const known = [idValue(collection, id), id, [], null, true].find((one) => check(one).length === 0)
    const schema = { type: 'object', required: ['body'], properties: { body: output.schema } }
    const inHolder = ({ body }: Members) => check(body).map((one) => ({ ...one, pointer: `/body${one.pointer ?? ''}` }))
    return known === undefined ? validObject({}, { ...made, schema, check: inHolder }).body : known
  }
  const sent = [call.body, valueAt(call.body, input?.pointer ?? '')].filter(isObject)
  const echoed = Object.entries(Object.assign({}, ...sent) as object).filter(([name]) => properties.has(name))
  const ended = Object.entries(outcomeMembers(document, output.schema, output.status))
  const known = Object.fromEntries([...ended.filter(([, one]) => one !== undefined), ...echoed, ...shown])
  return validObject(known, { ...made, schema: output.schema, check })
}

/** The response that says only what is known of an instance, such as how many items it has. */
export function respondWithFacts(
  { plan, document }: OperationWork,
  known: Members,
  { state, call, name }: Omit<ItemRequest, 'instance'> & Pick<Instance, 'name'>,
): Outcome {
  const { status, schema } = plan.output
  const fitting = { document, schema, now: call.now, key: chanceKey(state.seed, name) }
  const json = validObject(known, { ...fitting, check: (made) => plan.operation.checkResponse(status, made) })
  return { status, body: { json }, events: [] }
}

/** An object with what a schema requires besides. An example may break its own schema; another value takes its place then. */
function validObject(known: Members, fitting: Omit<Parameters<typeof fitObject>[1], 'fixed'>): Members {
  const { document, schema, now, check } = fitting
  const made = completeObject(document, schema, known, { ...fitting, written: now })
  if (check(made).length === 0) return made
  const fitted = fitObject(made, { ...fitting, fixed: undefined }) ?? made
  const told = { ...fitted, ...known }
  return check(told).length === 0 ? told : fitted
}

/** A write is refused if a response could not show the item later. @throws Problem 400 */
function shownItem(work: OperationWork, stored: StoredDocument, showing: Showing, isWrite: boolean) {
  try {
    return work.shown.of(stored, showing)
  } catch (error) {
    if (!isWrite || !(error instanceof Defect)) throw error
    const { length = 0 } = work.plan.output.located?.pointer ?? {}
    throw requestInvalid(error.violations.map((one) => ({ ...one, pointer: one.pointer?.slice(length) ?? '' })))
  }
}

/** The entity tag of an item (RFC 9110, 8.8.3): its own member where it has one, else of its content. */
function tagOf({ headers }: OperationWork, { value }: StoredDocument): string {
  const { etag } = value
  if (headers().hasNumericTag) return `"${BigInt(`0x${hash('sha1', stringifyJson(value), 'hex').slice(0, 12)}`)}"`
  if (typeof etag === 'string' && /^(W\/)?"[^"]*"$/.test(etag)) return etag
  return `"${typeof etag === 'string' && /^[\w-]+$/.test(etag) ? etag : hash('sha1', stringifyJson(value), 'base64url').slice(0, 16)}"`
}

/** @returns the header of a response that shows an item */
export function tagHeader(work: OperationWork, stored: StoredDocument): Record<string, string> {
  const { showsTag, showsModified } = work.headers()
  const modified = showsModified ? modifiedAt(stored) : undefined
  return {
    ...(showsTag ? { etag: tagOf(work, stored) } : {}),
    ...(modified === undefined ? {} : { 'last-modified': new Date(modified).toUTCString() }),
  }
}

/** When an item was changed, in ms without those of the second; undefined where it does not show it. */
function modifiedAt({ value }: StoredDocument): number | undefined {
  const [, at] = Object.entries(value).find(([name]) => isUpdateStamp(name)) ?? []
  // Seconds or milliseconds since 1970.
  const ms = typeof at === 'number' ? (at < FIRST_MS ? at * 1000 : at) : typeof at === 'string' ? Date.parse(at) : NaN
  return Number.isNaN(ms) ? undefined : Math.floor(ms / 1000) * 1000
}

const FIRST_MS = 100_000_000_000

/** Whether an item is as it was at the moment that a header of a request names; undefined where that says nothing. */
function isSince({ headers }: OperationWork, header: string | undefined, stored: StoredDocument): boolean | undefined {
  const [since, modified] = [Date.parse(header ?? ''), headers().showsModified ? modifiedAt(stored) : undefined]
  return modified === undefined || Number.isNaN(since) ? undefined : modified <= since
}

/** @throws Problem 412 for a write whose condition is not met, 428 for one without a condition where one is required */
export function refuseUnmet(work: OperationWork, call: Call, stored: StoredDocument | undefined): void {
  const { headers, plan } = work
  const { isConditional, needsCondition } = headers()
  if (stored && isSince(work, call.header('if-unmodified-since'), stored) === false)
    throw preconditionFailed({
      detail: `The ${plan.collection.noun} was changed since, so If-Unmodified-Since is not met.`,
    })
  if (!isConditional) return
  const [match, noneMatch] = [call.header('if-match'), call.header('if-none-match')]
  const { noun } = plan.collection
  if (match === undefined && noneMatch === undefined && needsCondition && stored)
    throw preconditionRequired({ detail: `Send If-Match with the ETag of the ${noun} that is to be changed.` })
  if (match !== undefined && (!stored || !listsTag(match, tagOf(work, stored))))
    throw preconditionFailed({
      detail: stored
        ? `The ${noun} was changed: its ETag is ${tagOf(work, stored)}, not ${match}.`
        : `There is no such ${noun}, so If-Match is not met.`,
    })
  if (noneMatch !== undefined && stored && listsTag(noneMatch, tagOf(work, stored)))
    throw preconditionFailed({ detail: `There is such a ${noun} already, so If-None-Match is not met.` })
}

/** Whether the client has the item as it is, so that a read needs no body. */
export function isUnchanged(work: OperationWork, call: Call, stored: StoredDocument): boolean {
  const { isConditional, hasNotModified } = work.headers()
  const known = isConditional && hasNotModified ? call.header('if-none-match') : undefined
  // RFC 9110, 13.1.3: a tag counts before a date.
  if (known !== undefined) return listsTag(known, tagOf(work, stored))
  return hasNotModified && isSince(work, call.header('if-modified-since'), stored) === true
}

function listsTag(header: string, tag: string): boolean {
  const plain = (one: string) => one.trim().replace(/^W\//, '')
  return header.trim() === '*' || header.split(',').some((one) => plain(one) === plain(tag))
}

/** Tells the path of a new item, beginning as the request was sent; undefined where no operation has a path for items. */
export function createLocation({ plan, views }: Pick<OperationWork, 'plan' | 'views'>): OperationWork['locationOf'] {
  const target = views.find(
    ({ role, itemParameter, element }) => role === 'read' && itemParameter !== undefined && !element,
  )
  const route = target ?? views.find(({ itemParameter }) => itemParameter !== undefined)
  if (!route || route.operation.written) return () => undefined
  const own = segmentsOf(plan).length
  const segments = segmentsOf(route)
  const { template, query } = keyParts(route.operation.path)
  const search = new URLSearchParams(query.map(([name, value]) => [name, value])).toString()
  // Frameworks such as Django end the paths of items with a slash, and know none without it.
  const end = `${template.endsWith('/') ? '/' : ''}${search === '' ? '' : `?${search}`}`
  return ({ id, call }) => {
    const sent = (call.url().split('?', 1)[0] ?? '').replace(/\/$/, '').split('/')
    const before = sent.slice(0, sent.length - own)
    const values = new Map(
      route.parents.flatMap((name, at): [string, string][] => {
        const parent = plan.parents[at]
        return parent === undefined ? [] : [[name, asText(call.path[parent])]]
      }),
    )
    if (route.itemParameter !== undefined) values.set(route.itemParameter, id)
    if (!route.pathParameters.every((name) => values.has(name))) return undefined
    const path = segments.map((segment) =>
      segment.replace(/\{([^{}]+)\}/, (_, name: string) => encodeURIComponent(values.get(name) ?? '')),
    )
    return [...before, ...path].join('/') + end
  }
}

function segmentsOf({ operation }: OperationPlan): string[] {
  return keyParts(operation.path).template.replace(/\/$/, '').split('/').slice(1)
}
