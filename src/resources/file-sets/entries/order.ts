import type { Base } from './base.ts'
import type { Added } from './changes.ts'
import { compareCodePoints, fold } from '../../../base/formats/code-points.ts'
import type { Field } from './file-record.ts'
import { isIntegerField } from './filter.ts'
import { type Entries, textIn } from './entries.ts'
import type { Integer } from '../../../base/formats/json.ts'
import type { SortedList } from '../../../engine/persistent.ts'
import { shuffledSlots, sortedSlots, type SortKey, type SortRule } from './sort.ts'
import type { Steps } from '../../../engine/slices.ts'
import { compareInstants, type Instant } from '../../../base/formats/instant.ts'
import { chanceKey, draw } from '../../../engine/random.ts'
import type { BehaviourSettings } from '../../../../types/behaviour-settings.d.ts'

/** A value as a sort sees it, and as a cursor remembers it. */
export type SortValue = string | Integer | Instant | null

/** An order of the entries of a set, in which a position can be found again by its sort values. */
export interface Order {
  /** The same for orders by the same keys and rule, whatever the set. */
  readonly name: string
  /** Computed when a cursor first needs it. */
  readonly memory: { mark?: string }
  /** All slots of the base, in order; created on first use. */
  slots(): Steps<Uint32Array>
  readonly isMade: boolean
  /** The entries that the base does not have, in order. */
  readonly added: SortedList<Added>
  /** The values of the keys at a slot, the id that breaks ties last. */
  valuesAt(slot: number): SortValue[]
  /** The same from what is known of an entry's fields; undefined when that is not enough. */
  valuesOf(known: KnownFields): SortValue[] | undefined
  /** Negative when the slot comes before the place that has these values. */
  compareTo(slot: number, values: readonly SortValue[]): number
  compareValues(a: readonly SortValue[], b: readonly SortValue[]): number
  /** What it goes by: the fields of the keys, `draw` for the shuffled order, and the id last. */
  readonly by: readonly string[]
  /** The index in `by` of the first field in which two slots differ; -1 for a slot and itself. */
  decider(a: number, b: number): number
  /** Whether two neighbours of a list are equal in every key, so that only their ids order them. */
  hasTie(slots: readonly number[]): boolean
}

/** What is known of the fields of an entry, which may be gone; undefined for a field that nothing is known of. */
type KnownFields = (field: Field) => SortValue | undefined

/** The order by `keys`, then by id ascending. */
function orderBy(entries: Entries, keys: readonly SortKey[], rule: SortRule): Order {
  const [first] = keys
  // No two entries have the same path, so what comes after it never counts.
  const counting = first?.field === 'path' && rule.collation === 'codepoint' ? [first] : keys
  const key = keyOf(counting, rule)
  const orders = ordersOf.get(entries) ?? new Map<string, Order>()
  const known = orders.get(key)
  if (known) return known
  const name = JSON.stringify([counting, rule])
  const columns = [...counting.map((key) => createColumn(entries, key, rule)), idColumn(entries)]
  const order = createOrder(entries, columns, name, (base) => sortedSlots(base, counting, rule, name))
  if (orders.size >= MAX_ORDERS) orders.clear()
  ordersOf.set(entries, orders.set(key, order))
  return order
}

/** Entries never change, so their orders are cached for later searches. */
const ordersOf = new WeakMap<Entries, Map<string, Order>>()
/** Orders that are cached for the same entries. */
const MAX_ORDERS = 32

/** What an order goes by, as a text that is made quicker than its name. */
function keyOf(keys: readonly SortKey[], { nulls, collation }: SortRule): string {
  let key = `${nulls} ${collation}`
  for (const { field, descending } of keys) key += descending ? ` -${field}` : ` ${field}`
  return key
}

/** An arbitrary but stable order, by a draw from each id: it finds clients that rely on an order that is not documented. */
function shuffled(entries: Entries, seed: number): Order {
  const key = chanceKey(seed, 'shuffled')
  const drawOf = (id: string) => draw(key, chanceKey(key, id))
  const id = entries.text('id')
  const column: SortColumn = {
    by: 'draw',
    value: (slot) => drawOf(id(slot) ?? ''),
    valueOf(known) {
      const id = known('id')
      return typeof id === 'string' ? drawOf(id) : undefined
    },
    compare: (a, b) => Number(a) - Number(b),
  }
  const name = `shuffled ${seed}`
  return createOrder(entries, [column, idColumn(entries)], name, (base) => shuffledSlots(base, drawOf, name))
}

interface SortColumn {
  readonly by: string
  value(slot: number): SortValue
  valueOf(known: KnownFields): SortValue | undefined
  compare(a: SortValue, b: SortValue): number
}

function idColumn(entries: Entries): SortColumn {
  return createColumn(entries, { field: 'id', descending: false }, { nulls: 'largest', collation: 'codepoint' })
}

/** Compares values of a field. */
export function createComparator(
  { field, descending }: SortKey,
  rule: SortRule,
): (a: SortValue, b: SortValue) => number {
  const direction = descending ? -1 : 1
  const compareValues = comparatorOf(field, rule)
  // A null counts as the largest value unless the rule pins it to one end whatever the direction.
  const nullSide = () => (rule.nulls === 'largest' ? direction : rule.nulls === 'last' ? 1 : -1)
  return (a, b) => {
    if (a === null || b === null) return a === b ? 0 : a === null ? nullSide() : -nullSide()
    return direction * compareValues(a, b)
  }
}

function createColumn(entries: Entries, key: SortKey, rule: SortRule): SortColumn {
  const { field } = key
  const value =
    field === 'created'
      ? (slot: number) => entries.created(slot)
      : isIntegerField(field)
        ? entries.integer(field)
        : entries.text(field)
  return { by: field, value, valueOf: (known) => known(field), compare: createComparator(key, rule) }
}

function comparatorOf(field: Field, rule: SortRule): (a: SortValue, b: SortValue) => number {
  if (field === 'created') return (a, b) => compareInstants(a as Instant, b as Instant)
  if (isIntegerField(field))
    return (a, b) => ((a as Integer) < (b as Integer) ? -1 : (a as Integer) > (b as Integer) ? 1 : 0)
  if (rule.collation === 'case-insensitive') return (a, b) => compareCodePoints(fold(a as string), fold(b as string))
  return (a, b) => compareCodePoints(a as string, b as string)
}

/** Sorts all slots of a base. */
type Sort = (base: Base) => Steps<Uint32Array>

function createOrder(entries: Entries, columns: readonly SortColumn[], name: string, sort: Sort): Order {
  const keys = columns.slice(0, -1)
  const isEqual = (column: SortColumn, a: number, b: number) => column.compare(column.value(a), column.value(b)) === 0
  const addedValue = (column: SortColumn, added: Added) => column.valueOf(knownOf(added)) ?? null
  return {
    name,
    memory: {},
    *slots() {
      return entries.base.orders.get(name) ?? (yield* sort(entries.base))
    },
    get isMade() {
      return entries.base.orders.get(name) !== undefined
    },
    get added() {
      return entries.addedIn(name, (a, b) => {
        const values = columns.map((column) => addedValue(column, b))
        return compareBy(columns, (column) => addedValue(column, a), values) || a.slot - b.slot
      })
    },
    valuesAt: (slot) => columns.map((column) => column.value(slot)),
    valuesOf(known) {
      const values = columns.map((column) => column.valueOf(known)).filter((value) => value !== undefined)
      return values.length === columns.length ? values : undefined
    },
    compareTo: (slot, values) => compareBy(columns, (column) => column.value(slot), values),
    compareValues(a, b) {
      let at = 0
      return compareBy(columns, () => a[at++] ?? null, b)
    },
    by: columns.map(({ by }) => by),
    decider: (a, b) => columns.findIndex((column) => !isEqual(column, a, b)),
    hasTie: (slots) =>
      slots.some((slot, at) => {
        const before = slots[at - 1]
        return before !== undefined && keys.every((column) => isEqual(column, before, slot))
      }),
  }
}

/** Compares what is read of an entry, column by column, with some values. */
function compareBy(
  columns: readonly SortColumn[],
  read: (column: SortColumn) => SortValue,
  values: readonly SortValue[],
): number {
  let at = 0
  for (const column of columns) {
    const order = column.compare(read(column), values[at++] ?? null)
    if (order !== 0) return order
  }
  return 0
}

function knownOf({ record, instant }: Added): KnownFields {
  return (field) => (field === 'created' ? instant : isIntegerField(field) ? record[field] : textIn(record, field))
}

/** The part of a search that says how to sort. */
interface SortedSearch {
  readonly fieldSort: readonly FieldSort[]
}

/** The order of a search, with its keys and rule. */
export function orderOfSearch(entries: Entries, search: SortedSearch, settings: BehaviourSettings, seed: number) {
  const keys = createKeys(search, settings)
  const rule = { nulls: settings['sort.nulls'], collation: settings['sort.collation'] }
  const order = keys.length > 0 ? orderBy(entries, keys, rule) : shuffled(entries, seed)
  return { keys, rule, order }
}

/** The keys to sort by; none for the shuffled order. */
function createKeys({ fieldSort }: SortedSearch, settings: BehaviourSettings): SortKey[] {
  if (fieldSort.length > 0)
    return fieldSort.map(({ field, order }) => ({ field: field as Field, descending: order === 'DESC' }))
  const field = settings['sort.default']
  return field === 'shuffled' ? [] : [{ field, descending: false }]
}

export interface FieldSort {
  readonly field: string
  readonly order: 'ASC' | 'DESC'
}
