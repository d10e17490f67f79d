import type { LoadedParts } from '../../app/setup/load.ts'
import { isObject, type Members, tryParseJson } from '../../base/formats/json.ts'
import type { Operation } from '../../contract/contract.ts'
import { decodePercent } from '../../contract/pointer.ts'
import { createOperationFinder } from '../../contract/router.ts'
import { inferCollections } from '../../resources/collections/infer/infer.ts'
import type { CollectionPlan, OperationPlan } from '../../resources/collections/infer/plan.ts'
import { instanceName } from '../../resources/collections/operations/instance-name.ts'
import { createCollector, createRouteFinder, type SeenData } from '../recordings/collect.ts'
import type { RecordedExchange } from '../recordings/recorded-exchange.ts'

/** A request to a word below an item, such as `POST /orders/7/cancel`, with the item before and after. */
export interface SeenAction {
  readonly operation: Operation
  readonly collection: CollectionPlan
  /** Whether the service did it. */
  readonly isDone: boolean
  readonly sent: unknown
  readonly before: Members
  /** Undefined where nothing showed it before it was changed again. */
  after: Members | undefined
}

/** How long a member of an item had a value that no request changed. */
export interface SeenWait {
  readonly collection: CollectionPlan
  readonly item: string
  readonly member: string
  readonly value: unknown
  /** Milliseconds after which it was still there. */
  readonly stayed: number
  /** What it was at last without a request, and the milliseconds after which that was seen. */
  readonly became?: { readonly value: unknown; readonly after: number }
}

export interface ItemHistory {
  readonly actions: readonly SeenAction[]
  readonly waits: readonly SeenWait[]
  /** The items that were created, as they were first shown. */
  readonly created: readonly CreatedItem[]
  /** A path of each collection, as the document has it. */
  readonly paths: ReadonlyMap<CollectionPlan, string>
}

interface CreatedItem {
  readonly collection: CollectionPlan
  readonly item: Members
}

/** What is known of an item at some moment. */
interface KnownItem {
  readonly value: Members
  /** Epoch ms when it was seen, and when each member got its value; undefined where that was before the recording. */
  readonly seenAt: number
  readonly since: ReadonlyMap<string, number>
}

/** Follows each item through the recordings: what actions made of it, and what became of it without a request. */
export function followItems(
  exchanges: readonly RecordedExchange[],
  { contract, bindings }: Pick<LoadedParts, 'contract' | 'bindings'>,
): ItemHistory {
  const find = createOperationFinder(contract.operations)
  const collect = createCollector(createRouteFinder({ contract, bindings }))
  const plans = inferCollections(contract).operations
  const actions: SeenAction[] = []
  const waits: SeenWait[] = []
  const created: CreatedItem[] = []
  const known = new Map<string, KnownItem>()
  const pending = new Map<string, { readonly action: SeenAction; readonly before: KnownItem; readonly at: number }>()
  for (const exchange of exchanges) {
    const { request, response, at, milliseconds } = exchange
    const route = find(request.method, request.url)
    if (!route) continue
    const target = targetOf(route.operation, Object.values(route.parameters).map(decodePercent), plans)
    const isDone = response.status >= 200 && response.status < 300
    const isRead = request.method === 'GET' || request.method === 'HEAD'
    const before = target && known.get(target.key)
    // `POST /orders/7/notes` creates a note, though it may change the order too.
    const own = plans.get(route.operation)?.collection ?? target?.collection
    if (target?.isBelow && own === target.collection && !isRead && before) {
      const sent = tryParseJson(request.body)
      const { operation } = route
      const action = { operation, collection: target.collection, isDone, sent, before: before.value, after: undefined }
      actions.push(action)
      if (isDone) pending.set(target.key, { action, before, at })
    } else if (target && !isRead && isDone) pending.delete(target.key)
    if (!isDone) continue
    const isChange = !isRead && plans.get(route.operation)?.role !== 'search'
    // Until it is shown, a changed item is not known.
    if (isChange && target) known.delete(target.key)
    const shown: SeenData = { fileSets: new Map(), reportSchedules: new Map(), collections: new Map() }
    collect(shown, exchange)
    if (!own) continue
    for (const [name, { documents }] of shown.collections)
      for (const [id, value] of documents) {
        const key = keyOf(name, id)
        const last = known.get(key)
        const acted = pending.get(key)
        if (acted) acted.action.after = value
        pending.delete(key)
        if (isChange && request.method === 'POST' && !target) created.push({ collection: own, item: value })
        if (last && !isChange)
          waits.push(...waitsOf(last, value, { collection: own, item: key, from: at, to: at + milliseconds }))
        // What an action changed has been so since then.
        const changedAt = acted?.at ?? (isChange ? at : undefined)
        known.set(key, learnItem(acted?.before ?? last ?? before, value, { at, changedAt }))
      }
  }
  const own = [...plans.values()].filter(({ role }) => role !== 'action')
  const paths = new Map(own.map(({ collection, operation }) => [collection, operation.path]))
  return { actions, waits, created, paths }
}

function keyOf(instance: string, id: string): string {
  return `${instance}/${encodeURIComponent(id)}`
}

interface ItemTarget {
  readonly key: string
  readonly collection: CollectionPlan
  /** Whether it goes to a word below the item. */
  readonly isBelow: boolean
}

/** The item that a request names. @param values of the parameters of its path, in their order */
function targetOf(
  operation: Operation,
  values: readonly string[],
  plans: ReadonlyMap<Operation, OperationPlan>,
): ItemTarget | undefined {
  const path = operation.path.replaceAll(/\{[^}]*\}/g, '{}')
  for (const plan of plans.values()) {
    if (plan.itemParameter === undefined || plan.role === 'action') continue
    const own = plan.operation.path.replaceAll(/\{[^}]*\}/g, '{}').replace(/\/$/, '')
    const isBelow = path.startsWith(`${own}/`) && /^\/[^/{}]+\/?$/.test(path.slice(own.length))
    if (!isBelow && path.replace(/\/$/, '') !== own) continue
    const at = plan.pathParameters.indexOf(plan.itemParameter)
    const parents = plan.parents.map((parent) => values[plan.pathParameters.indexOf(parent)] ?? '')
    return {
      key: keyOf(instanceName(plan.collection, parents), values[at] ?? ''),
      collection: plan.collection,
      isBelow,
    }
  }
  return undefined
}

function* waitsOf(
  last: KnownItem,
  value: Members,
  { from, to, ...of }: Pick<SeenWait, 'collection' | 'item'> & { readonly from: number; readonly to: number },
): Generator<SeenWait> {
  for (const [member, old] of Object.entries(last.value)) {
    const since = last.since.get(member)
    if (since === undefined || !Object.hasOwn(value, member) || isObject(old) || Array.isArray(old)) continue
    const now = value[member]
    if (now === old) yield { ...of, member, value: old, stayed: from - since }
    else yield { ...of, member, value: old, stayed: last.seenAt - since, became: { value: now, after: to - since } }
  }
}

function learnItem(
  last: KnownItem | undefined,
  value: Members,
  { at, changedAt }: { readonly at: number; readonly changedAt: number | undefined },
): KnownItem {
  const since = new Map<string, number>()
  for (const [member, one] of Object.entries(value)) {
    const held = last?.since.get(member)
    const isSame = last !== undefined && last.value[member] === one
    if (isSame && held !== undefined) since.set(member, held)
    else if (!isSame && changedAt !== undefined) since.set(member, changedAt)
  }
  return { value: { ...last?.value, ...value }, seenAt: at, since }
}
