import { compareCodePoints, fold } from './code-points.ts'
import type { Entries } from './entries.ts'
import { type Field, type Integer, isIntegerField } from './file-record.ts'
import { pathOrder } from './path-order.ts'
import { compareInstants, type Instant } from '../instant.ts'
import { chanceKey, draw } from '../random.ts'

export interface SortKey {
  readonly field: Field
  readonly descending: boolean
}

/** How values are ordered; the fields are the ledger's rows `sort.nulls` and `sort.collation`. */
export interface SortRule {
  readonly nulls: 'largest' | 'first' | 'last'
  readonly collation: 'codepoint' | 'case-insensitive'
}

/** A value as a sort sees it, and as a cursor remembers it. */
export type SortValue = string | Integer | Instant | null

/** An order of the entries of a set: some slots come before others, and a remembered place can be found again. */
export interface Order {
  /** The same for orders by the same keys and rule, whatever the set. */
  readonly name: string
  /** All slots, in order. */
  readonly slots: Uint32Array
  /** The values of the keys at a slot, the id that breaks ties last. */
  valuesAt(slot: number): SortValue[]
  /** The same from what is known of an entry's fields; undefined when that is not enough. */
  valuesOf(known: Known): SortValue[] | undefined
  /** Negative when the slot comes before the place that has these values. */
  compareTo(slot: number, values: readonly SortValue[]): number
  /** Whether two slots are equal in every key, so that only their ids order them. */
  isTie(a: number, b: number): boolean
}

/** What is known of the fields of an entry, which may be gone; undefined for a field that nothing is known of. */
type Known = (field: Field) => SortValue | undefined

/** At most this many orders are kept for one set; the one used longest ago goes first. */
const ORDERS_KEPT = 16

/** The order by `keys`, then by id ascending. Orders are made when first asked for and kept with the entries. */
export function orderBy(entries: Entries, keys: readonly SortKey[], rule: SortRule): Order {
  const [first] = keys
  const byPath = first?.field === 'path' && rule.collation === 'codepoint'
  // No two entries have the same path, so what comes after it never counts.
  const counting = byPath ? [first] : keys
  const columns = [
    ...counting.map((key) => createColumn(entries, key, rule)),
    createColumn(entries, { field: 'id', descending: false }, BY_ID),
  ]
  const sort = byPath ? () => (first.descending ? pathOrder(entries).reverse() : pathOrder(entries)) : undefined
  return createOrder(entries, columns, JSON.stringify([counting, rule]), sort)
}

const BY_ID: SortRule = { nulls: 'largest', collation: 'codepoint' }

/** An order that is as arbitrary as it is steady: by a draw from each id. It finds clients that rely on an order nobody promised. */
export function shuffled(entries: Entries, seed: number): Order {
  const key = chanceKey(seed, 'shuffled')
  const id = entries.text('id')
  const drawOf = (text: SortValue | undefined) =>
    typeof text === 'string' ? draw(key, chanceKey(key, text)) : undefined
  const column: Column = {
    value: (slot) => drawOf(id(slot)) ?? null,
    valueOf: (known) => drawOf(known('id')),
    compare: (a, b) => Number(a) - Number(b),
  }
  return createOrder(
    entries,
    [column, createColumn(entries, { field: 'id', descending: false }, BY_ID)],
    `shuffled ${seed}`,
  )
}

interface Column {
  value(slot: number): SortValue
  valueOf(known: Known): SortValue | undefined
  compare(a: SortValue, b: SortValue): number
}

function createColumn(entries: Entries, { field, descending }: SortKey, rule: SortRule): Column {
  const direction = descending ? -1 : 1
  // A null counts as the largest value unless the rule pins it to one end whatever the direction.
  const nullSide = rule.nulls === 'largest' ? direction : rule.nulls === 'last' ? 1 : -1
  const compareValues = comparatorOf(field, rule)
  const compare = (a: SortValue, b: SortValue) => {
    if (a === null || b === null) return a === b ? 0 : a === null ? nullSide : -nullSide
    return direction * compareValues(a, b)
  }
  const value =
    field === 'created' ? entries.created : isIntegerField(field) ? entries.integer(field) : entries.text(field)
  return { value, valueOf: (known) => known(field), compare }
}

function comparatorOf(field: Field, rule: SortRule): (a: SortValue, b: SortValue) => number {
  if (field === 'created') return (a, b) => compareInstants(a as Instant, b as Instant)
  if (isIntegerField(field))
    return (a, b) => ((a as Integer) < (b as Integer) ? -1 : (a as Integer) > (b as Integer) ? 1 : 0)
  if (rule.collation === 'case-insensitive') return (a, b) => compareCodePoints(fold(a as string), fold(b as string))
  return (a, b) => compareCodePoints(a as string, b as string)
}

function createOrder(
  entries: Entries,
  columns: readonly Column[],
  name: string,
  sort = () => sortSlots(entries.count, columns),
): Order {
  const tieless = columns.slice(0, -1)
  return {
    name,
    get slots() {
      const slots = entries.orders.get(name) ?? sort()
      entries.orders.delete(name)
      entries.orders.set(name, slots)
      const [eldest] = entries.orders.keys()
      if (entries.orders.size > ORDERS_KEPT && eldest !== undefined) entries.orders.delete(eldest)
      return slots
    },
    valuesAt: (slot) => columns.map((column) => column.value(slot)),
    valuesOf(known) {
      const values = columns.map((column) => column.valueOf(known)).filter((value) => value !== undefined)
      return values.length === columns.length ? values : undefined
    },
    compareTo: (slot, values) => {
      for (const [at, column] of columns.entries()) {
        const order = column.compare(column.value(slot), values[at] ?? null)
        if (order !== 0) return order
      }
      return 0
    },
    isTie: (a, b) => tieless.every((column) => column.compare(column.value(a), column.value(b)) === 0),
  }
}

/** Sorts by values read once into arrays: reading a generated value costs far more than comparing it. */
function sortSlots(count: number, columns: readonly Column[]): Uint32Array {
  const slots = Uint32Array.from({ length: count }, (_, slot) => slot)
  const table = columns.map((column) => ({
    values: Array.from(slots, (slot) => column.value(slot)),
    compare: column.compare,
  }))
  return slots.sort((a, b) => {
    for (const { values, compare } of table) {
      const order = compare(values[a] ?? null, values[b] ?? null)
      if (order !== 0) return order
    }
    return a - b
  })
}
