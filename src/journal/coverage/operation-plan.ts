import type { BehaviourSettings } from '../../../types/behaviour-settings.d.ts'
import type { Operation } from '../../contract/contract.ts'
import { readDocumented } from '../../contract/schemas/documented.ts'
import type { StatefulOperation } from '../../resources/resource.ts'
import { type BodyItems, type ParameterItem, readBodyItems, readParameterItems } from './contract-items.ts'

/** An operation, and what handles it. */
export interface CoverableOperation {
  readonly operation: Operation
  /** As `GET /__mock/info` names it. */
  readonly handler: string
  readonly stateful: StatefulOperation | undefined
}

/** Something that is counted of an operation: the parameter `limit`, or the sort field `created`. */
export interface CoverageItem {
  readonly kind: string
  readonly name: string
}

/** What is counted of an operation. The index of an item is that of its counter. */
export interface CoveragePlan extends CoverableOperation {
  readonly items: readonly CoverageItem[]
  readonly query: ReadonlyMap<string, ParameterItem>
  /** Parameters of headers and cookies. */
  readonly others: readonly ParameterItem[]
  readonly body: BodyItems | undefined
  /** The index of an item; a new one for what the contract does not have. Undefined where too many were added. */
  slotOf(kind: string, name: string): number | undefined
  /** What was read of earlier requests. */
  readonly known: {
    readonly endings: Remember
    readonly queries: Remember
    /** What the resource counts of requests without a body, by their query. */
    readonly bodiless: Remember
    readonly bodies: RememberBody
  }
}

/** Kinds that are not part of the share: what is beyond the contract, and what is reported of the whole server. */
export const UNDOCUMENTED = 'undocumented'
export const BEHAVIOURS = 'behaviours'
export const FAULTS = 'faults'
const NOT_SHARED: ReadonlySet<string> = new Set([UNDOCUMENTED, BEHAVIOURS, FAULTS])

export function isShared({ kind }: CoverageItem): boolean {
  return !NOT_SHARED.has(kind)
}

export const OPERATIONS = 'operations'
export const STATUSES = 'statuses'
export const WALKS = 'walks'

/** How a client walked through the pages of a list. */
export const WALK = { one: 'one page', several: 'several pages', end: 'to the end', resumed: 'resumed' } as const

/** Undocumented parameters and statuses of one operation. */
const MAX_UNDOCUMENTED = 20

/** Reads what the contract documents of an operation, and what its resource adds. */
export function planOperation(
  coverable: CoverableOperation,
  document: unknown,
  settings: BehaviourSettings,
): CoveragePlan {
  const { operation, stateful } = coverable
  const items: CoverageItem[] = []
  const slots = new Map<string, Map<string, number>>()
  const add = (kind: string, name: string): number => {
    const ofKind = slots.get(kind) ?? new Map<string, number>()
    const slot = ofKind.get(name) ?? items.push({ kind, name }) - 1
    slots.set(kind, ofKind.set(name, slot))
    return slot
  }
  add(OPERATIONS, operation.operationId)
  const parameters = readParameterItems(operation, document, add)
  const body = readBodyItems(operation, document, add)
  for (const [kind, names] of Object.entries(stateful?.coverage?.values(settings) ?? {}))
    for (const name of names) add(kind, name)
  if (stateful?.pageParameter !== undefined) for (const walk of Object.values(WALK)) add(WALKS, walk)
  for (const status of readDocumented(document, operation).statuses) add(STATUSES, status)
  const isQuery = (one: ParameterItem) => one.parameter.in === 'query'
  let undocumented = 0
  return {
    ...coverable,
    items,
    query: new Map(parameters.filter(isQuery).map((one) => [one.parameter.name, one])),
    others: parameters.filter((one) => !isQuery(one)),
    body,
    slotOf(kind, name) {
      const known = slots.get(kind)?.get(name)
      if (known !== undefined || !NOT_SHARED.has(kind)) return known
      if (kind === UNDOCUMENTED && ++undocumented > MAX_UNDOCUMENTED) return undefined
      return add(kind, name)
    },
    known: {
      endings: createMemory(),
      queries: createMemory(),
      bodiless: createMemory(),
      bodies: createBodyMemory(),
    },
  }
}

export type Slots = readonly number[]
type CountItems = (add: (slot: number | undefined) => void) => void

/** The indexes for a text, read again only where they are not known. */
type Remember = (text: string, read: CountItems) => Slots

/** The same for a body, which may be used in another way with another query. */
type RememberBody = (body: { readonly value: unknown; readonly isKnown: boolean }, search: string, read: CountItems) => Slots

/** Most clients send the same few texts again and again. */
const MAX_KNOWN = 256
const LONGEST_KNOWN = 1000

function createMemory(): Remember {
  const all = new Map<string, Slots>()
  return (text, read) => {
    const known = all.get(text)
    if (known) return known
    const slots = collect(read)
    if (text.length > LONGEST_KNOWN) return slots
    if (all.size >= MAX_KNOWN) all.clear()
    all.set(text, slots)
    return slots
  }
}

function createBodyMemory(): RememberBody {
  const all = new WeakMap<object, { readonly search: string; readonly slots: Slots }>()
  return ({ value, isKnown }, search, read) => {
    if (!isKnown || typeof value !== 'object' || value === null) return collect(read)
    const known = all.get(value)
    if (known?.search === search) return known.slots
    const slots = collect(read)
    all.set(value, { search, slots })
    return slots
  }
}

/** Each index once: they are few. */
function collect(read: CountItems): Slots {
  const slots: number[] = []
  read((slot) => {
    if (slot !== undefined && !slots.includes(slot)) slots.push(slot)
  })
  return slots
}
