import type { Base, SlotColumn } from './base.ts'
import { fold } from '../../../base/formats/code-points.ts'
import type { Field } from './file-record.ts'
import { isIntegerField } from './filter.ts'
import type { Integer } from '../../../base/formats/json.ts'
import { pathOrder, pieceDigits } from './rank.ts'
import { identity, isEndOfStep, rankTexts, sortInSteps } from '../../../engine/sort-in-steps.ts'
import type { Steps } from '../../../engine/slices.ts'

export interface SortKey {
  readonly field: Field
  readonly descending: boolean
}

/** How values are ordered; the fields are the behaviours `sort.nulls` and `sort.collation`. */
export interface SortRule {
  readonly nulls: 'largest' | 'first' | 'last'
  readonly collation: 'codepoint' | 'case-insensitive'
}

/**
 * All slots of a base by `keys`, then by id ascending: created on first use and kept with the base, so all its sandboxes share them.
 * Linear: columns become whole numbers in the same order, which are sorted by radix.
 */
export function* sortedSlots(base: Base, keys: readonly SortKey[], rule: SortRule, name: string): Steps<Uint32Array> {
  return yield* kept(base, name, function* () {
    const [first] = keys
    if (first?.field === 'path' && rule.collation === 'codepoint') return yield* pathSlots(base, first.descending)
    let slots = yield* idSlots(base)
    for (const key of keys.toReversed()) {
      for (const digits of yield* digitsOf(base, key, rule)) slots = yield* sortInSteps(slots, digits)
    }
    return slots
  })
}

function headAt({ files, defaults, directoryAt }: Base, head: (file: number) => number, slot: number): number {
  return slot < files.count ? head(slot) : Number.parseInt(defaults.id(directoryAt(slot)).slice(0, 8), 16)
}

/** The list that a base keeps under a name, made where it has none. */
function* kept(base: Base, name: string, make: () => Steps<Uint32Array>): Steps<Uint32Array> {
  const known = base.orders.get(name)
  if (known) return known
  const made = yield* make()
  base.orders.set(name, made)
  return made
}

/** All slots of a base by a draw from each id, then by id. */
export function* shuffledSlots(base: Base, drawOf: (id: string) => number, name: string): Steps<Uint32Array> {
  return yield* kept(base, name, function* () {
    const { at: idAt } = base.text('id')
    const draws = new Uint32Array(base.count)
    for (let slot = 0; slot < base.count; slot++) {
      draws[slot] = drawOf(idAt(slot) ?? '')
      if (slot % MAX_IDS === 0) yield
    }
    return yield* sortInSteps(yield* idSlots(base), draws)
  })
}

/** Ids that are made in one step. */
const MAX_IDS = 4096

function* pathSlots(base: Base, descending: boolean): Steps<Uint32Array> {
  const ascending = yield* kept(base, 'by path', () => pathOrder(base))
  return descending ? ascending.slice().reverse() : ascending
}

function* idSlots(base: Base): Steps<Uint32Array> {
  return yield* kept(base, 'by id', function* () {
    const { at: idAt } = base.text('id')
    const head = base.files.idHead
    const ids = (slot: number) => idAt(slot) ?? ''
    if (!head) {
      const texts: string[] = []
      for (let slot = 0; slot < base.count; slot++) {
        texts.push(ids(slot))
        if (slot % MAX_IDS === 0) yield
      }
      return yield* sortInSteps(identity(base.count), yield* rankTexts(texts))
    }
    const { files } = base
    const heads = new Uint32Array(base.count)
    for (let file = 0; file < files.count; file++) {
      heads[file] = head(file)
      if (isEndOfStep(file)) yield
    }
    for (let slot = files.count; slot < base.count; slot++) {
      heads[slot] = headAt(base, head, slot)
      if (slot % MAX_IDS === 0) yield
    }
    const slots = yield* sortInSteps(identity(base.count), heads)
    return yield* sortEqualHeads(slots, heads, ids)
  })
}

/** Sorts neighbours whose ids begin with the same word by their whole ids. */
function* sortEqualHeads(slots: Uint32Array, heads: Uint32Array, id: (slot: number) => string): Steps<Uint32Array> {
  for (let at = 1; at < slots.length; at++) {
    if (isEndOfStep(at)) yield
    for (let low = at; low > 0; low--) {
      const [a = 0, b = 0] = [slots[low - 1], slots[low]]
      if (heads[a] !== heads[b] || id(a) <= id(b)) break
      slots[low - 1] = b
      slots[low] = a
    }
  }
  return slots
}

/** A key as whole numbers by slot, the least significant digit first. */
function* digitsOf(base: Base, { field, descending }: SortKey, rule: SortRule): Steps<Uint32Array[]> {
  if (field === 'id' && rule.collation === 'codepoint') return [placesIn(yield* idSlots(base), descending)]
  if (field === 'path' && rule.collation === 'codepoint') return [placesIn(yield* pathSlots(base, false), descending)]
  const { digits, isNull } =
    field === 'created'
      ? yield* instantDigits(base)
      : isIntegerField(field)
        ? yield* integerDigits(base, base.integer(field))
        : yield* textDigits(base, base.text(field), rule)
  yield
  if (descending) digits.forEach(turnAround)
  if (!isNull) return digits
  return [...digits, nullDigit(base, isNull, rule.nulls === 'largest' ? !descending : rule.nulls === 'last')]
}

interface Digits {
  /** Any number for nulls. */
  readonly digits: Uint32Array[]
  /** Absent when nothing is null. */
  readonly isNull?: (slot: number) => boolean
}

/** By slot: its place in an order of all slots, counted from the end for a descending one. */
export function placesIn(slots: Uint32Array, descending: boolean): Uint32Array {
  const places = new Uint32Array(slots.length)
  const { length } = slots
  for (let place = 0; place < length; place++) places[slots[place] ?? 0] = descending ? length - 1 - place : place
  return places
}

function turnAround(digits: Uint32Array): void {
  const { length } = digits
  let largest = 0
  for (let slot = 0; slot < length; slot++) largest = Math.max(largest, digits[slot] ?? 0)
  for (let slot = 0; slot < length; slot++) digits[slot] = largest - (digits[slot] ?? 0)
}

/** The most significant digit of a key that can be null. */
function nullDigit(base: Base, isNull: (slot: number) => boolean, atTheEnd: boolean): Uint32Array {
  const digits = new Uint32Array(base.count)
  for (let slot = 0; slot < base.count; slot++) digits[slot] = isNull(slot) === atTheEnd ? 1 : 0
  return digits
}

function* instantDigits(base: Base): Steps<Digits> {
  const ms = new Float64Array(base.count)
  const nanos = new Uint32Array(base.count)
  for (let slot = 0; slot < base.count; slot++) {
    ms[slot] = base.ms(slot)
    nanos[slot] = base.nanos(slot)
    if (isEndOfStep(slot)) yield
  }
  return { digits: [nanos, ...((yield* numberDigits(ms)) ?? [])] }
}

function* integerDigits(base: Base, read: (slot: number) => Integer | null): Steps<Digits> {
  const isNull = (slot: number) => read(slot) === null
  const values = new Float64Array(base.count)
  let isExact = true
  for (let slot = 0; slot < base.count; slot++) {
    const value = read(slot)
    if (typeof value === 'bigint') isExact = false
    values[slot] = Number(value ?? Number.NaN)
    if (isEndOfStep(slot)) yield
  }
  return { digits: (isExact ? yield* numberDigits(values) : undefined) ?? [rankIntegers(base.count, read)], isNull }
}

/** Distances from the smallest as two digits, or one; NaN counts as nothing. Undefined when they would not be exact. */
function* numberDigits(values: Float64Array): Steps<Uint32Array[] | undefined> {
  const { length } = values
  let [least, most] = [Infinity, -Infinity]
  for (let slot = 0; slot < length; slot++) {
    const value = values[slot] ?? 0
    if (value < least) least = value
    if (value > most) most = value
    if (isEndOfStep(slot)) yield
  }
  if (most - least > Number.MAX_SAFE_INTEGER) return undefined
  const low = new Uint32Array(length)
  const high = new Uint32Array(length)
  for (let slot = 0; slot < length; slot++) {
    const distance = (values[slot] ?? 0) - least
    const upper = Math.floor(distance / 2 ** 32)
    low[slot] = distance - upper * 2 ** 32
    high[slot] = upper
    if (isEndOfStep(slot)) yield
  }
  return most - least < 2 ** 32 ? [low] : [low, high]
}

/** For integers that no number holds exactly: by comparison. */
function rankIntegers(count: number, read: (slot: number) => Integer | null): Uint32Array {
  const distinct = new Set<bigint>()
  for (let slot = 0; slot < count; slot++) distinct.add(BigInt(read(slot) ?? 0))
  const ranks = new Map([...distinct].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0)).map((value, rank) => [value, rank]))
  return Uint32Array.from({ length: count }, (_, slot) => ranks.get(BigInt(read(slot) ?? 0)) ?? 0)
}

function* textDigits(base: Base, column: SlotColumn, { collation }: SortRule): Steps<Digits> {
  const normal = collation === 'case-insensitive' ? fold : (text: string) => text
  const { files, directories } = column
  const isNull = (slot: number) =>
    (slot < base.files.count ? files.isNull?.(slot) : directories.isNull?.(base.directoryAt(slot))) ?? false
  const few = yield* pieceDigits(files.pieces, base.files.count, directories.pieces, base.count, normal)
  if (few) return { digits: few, isNull }
  const texts: string[] = []
  for (let slot = 0; slot < base.count; slot++) {
    texts.push(normal(column.at(slot) ?? ''))
    if (slot % MAX_IDS === 0) yield
  }
  return { digits: [yield* rankTexts(texts)], isNull }
}
