import { isDeepStrictEqual } from 'node:util'
import type { Binding, Bindings } from '../../app/binding/binding.ts'
import type { Contract } from '../../contract/contract.ts'
import { bareType, isJson } from '../../contract/media-type.ts'
import { decodePercent, valueAt } from '../../contract/pointer.ts'
import { createOperationFinder } from '../../contract/router.ts'
import { asObject, isObject, type Members, tryParseJson } from '../../base/formats/json.ts'
import { idOf } from '../../resources/collections/documents/ids.ts'
import { inferCollections } from '../../resources/collections/infer/infer.ts'
import type { OperationPlan } from '../../resources/collections/infer/plan.ts'
import { instanceName, SINGLETON } from '../../resources/collections/operations/instance-name.ts'
import { headerOf, type RecordedExchange } from './recorded-exchange.ts'

/** What a service showed of its data, each in the order in which it was first seen. */
export interface SeenData {
  /** The entries of each file set by their paths. */
  readonly fileSets: Map<string, Map<string, Members>>
  /** Bodies of creations with what was updated since, by id. */
  readonly reportSchedules: Map<string, Members>
  /** The documents of each collection, or instance of one such as `customers/7/orders`. */
  readonly collections: Map<string, SeenCollection>
}

export interface SeenCollection {
  /** One of its items, for messages: `order`. */
  readonly noun: string
  readonly documents: Map<string, Members>
  /** Whether the documents say by themselves which ids they have. */
  readonly hasIds: boolean
}

interface CollectParts {
  readonly contract: Contract
  readonly bindings: Bindings
}

/** Collects what successful responses show. What was deleted afterwards is left out. */
export function collectData(exchanges: readonly RecordedExchange[], findRoute: FindRoute): SeenData {
  const collectFrom = createCollector(findRoute)
  const seen: SeenData = { fileSets: new Map(), reportSchedules: new Map(), collections: new Map() }
  for (const exchange of exchanges) collectFrom(seen, exchange)
  return seen
}

/** Makes a function that adds what one response shows, if it is a success. */
export function createCollector(findRoute: FindRoute): (seen: SeenData, exchange: RecordedExchange) => void {
  return (seen, exchange) => {
    const { request, response } = exchange
    if (response.status < 200 || response.status > 299) return
    const route = findRoute(request)
    if (route) collect(seen, { exchange, ...route })
  }
}

/** Finds the stateful operation of a request; undefined if there is none. */
type FindRoute = (request: Pick<RecordedExchange['request'], 'method' | 'url'>) => StatefulRoute | undefined

/** Infers the collections of a contract, so make one for all recordings. */
export function createRouteFinder({ contract, bindings }: CollectParts): FindRoute {
  const findOperation = createOperationFinder(contract.operations)
  const plans = inferCollections(contract).operations
  return ({ method, url }) => {
    const route = findOperation(method, url)
    const binding = route && bindings.get(route.operation.operationId)
    if (!route || binding?.kind !== 'stateful') return undefined
    const parameters = Object.fromEntries(
      Object.entries(route.parameters).map(([name, text]) => [name, decodePercent(text)]),
    )
    return { binding, parameters, plan: plans.get(route.operation) }
  }
}

interface StatefulRoute {
  readonly binding: Extract<Binding, { readonly kind: 'stateful' }>
  /** Of the path, decoded. */
  readonly parameters: Readonly<Record<string, string>>
  readonly plan: OperationPlan | undefined
}

interface StatefulExchange extends StatefulRoute {
  readonly exchange: RecordedExchange
}

function collect(seen: SeenData, answered: StatefulExchange): void {
  const { exchange, binding, parameters, plan } = answered
  const { request, response } = exchange
  const body = response.isWhole ? readJson(response.body, headerOf(response.headers, 'content-type')) : undefined
  const parameter = parameters[binding.parameter ?? ''] ?? ''
  if (binding.handlerKind === 'searchFiles') collectFiles(seen, parameter, body)
  else if (binding.handlerKind === 'createReportSchedule') collectSchedule(seen, request.body, body)
  else if (binding.handlerKind === 'updateReportSchedule') collectUpdate(seen, parameter, request.body)
  else if (binding.builtin.collection !== undefined && plan) collectDocuments(seen, plan, parameters, body)
}

function readJson(text: string | undefined, type = 'application/json'): unknown {
  return isJson(bareType(type)) ? tryParseJson(text) : undefined
}

function collectFiles({ fileSets }: SeenData, id: string, body: unknown): void {
  if (!isObject(body) || !Array.isArray(body.files) || id === '') return
  const files = fileSets.get(id) ?? new Map<string, Members>()
  fileSets.set(id, files)
  for (const entry of body.files as unknown[])
    if (isObject(entry) && typeof entry.path === 'string') files.set(entry.path, { ...files.get(entry.path), ...entry })
}

function collectSchedule({ reportSchedules }: SeenData, sent: string | undefined, body: unknown): void {
  const info = readJson(sent)
  const id = asObject(body).id
  if (isObject(info) && (typeof id === 'number' || typeof id === 'string'))
    reportSchedules.set(String(id), { ...info, id })
}

/** Of a schedule that was only updated, not everything is known. */
function collectUpdate({ reportSchedules }: SeenData, id: string, sent: string | undefined): void {
  const changes = readJson(sent)
  if (!isObject(changes)) return
  const number = /^\d{1,15}$/.test(id) ? Number(id) : id
  reportSchedules.set(id, { ...reportSchedules.get(id), ...changes, id: number })
}

function collectDocuments(
  { collections }: SeenData,
  plan: OperationPlan,
  parameters: Readonly<Record<string, string>>,
  body: unknown,
): void {
  const { collection, role, output, itemParameter } = plan
  const name = instanceName(
    collection,
    plan.parents.map((parent) => parameters[parent] ?? ''),
  )
  const hasIds = collection.identity.pointer !== undefined && !collection.isSingleton
  const held = collections.get(name) ?? { noun: collection.noun, documents: new Map<string, Members>(), hasIds }
  const itemId = itemParameter === undefined ? undefined : parameters[itemParameter]
  if (role === 'delete') {
    if (itemId !== undefined) held.documents.delete(itemId)
    return
  }
  if (!output.located) return
  const shown = valueAt(body, output.located.pointer)
  const items = output.located.isList ? (Array.isArray(shown) ? (shown as unknown[]) : undefined) : [shown]
  if (!items) return
  collections.set(name, held)
  for (const item of items) {
    if (!isObject(item)) continue
    const id = collection.isSingleton
      ? SINGLETON
      : (idOf(collection.identity, item) ?? itemId ?? (hasIds ? undefined : placeOf(item, held.documents)))
    if (id !== undefined) held.documents.set(id, { ...held.documents.get(id), ...item })
  }
}

/** A key for an item of a list whose items have no ids: that of the one with the same members, or the next number. */
function placeOf(item: Members, documents: ReadonlyMap<string, Members>): string {
  const [same] = [...documents].find(([, one]) => isDeepStrictEqual(one, item)) ?? []
  return same ?? String(documents.size + 1)
}
