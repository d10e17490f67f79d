/**
 * Counts what the engine's own methods go over, elements and characters alike: the work that precise coverage does not see. To be
 * installed before the code to be watched is loaded, in a process that does nothing else, for it replaces methods of the language.
 */

/** What one call went over. */
type Cost = (self: Sized, args: readonly unknown[], result: unknown) => number

interface Sized {
  readonly length: number
}

const whole: Cost = ({ length }) => length
const made: Cost = (_self, _args, result) => lengthOf(result)
const given: Cost = (_self, [first]) => lengthOf(first)
/** A search ends where it finds. */
const searchedBack: Cost = ({ length }, _args, result) =>
  typeof result === 'number' && result >= 0 ? result + 1 : length
const searched: Cost = (self, args, result) =>
  Math.max(0, searchedBack(self, args, result) - placeIn(self.length, args[1], 0))
const filled: Cost = ({ length }, [, from, to]) => Math.max(0, placeIn(length, to, length) - placeIn(length, from, 0))
/** With a comparator the comparisons are steps of our own code. */
const sorted: Cost = ({ length }, [comparator]) => (comparator === undefined ? length : 0)

const OF_LISTS: Readonly<Record<string, Cost>> = {
  slice: made,
  indexOf: searched,
  lastIndexOf: searchedBack,
  includes: whole,
  fill: filled,
  copyWithin: whole,
  reverse: whole,
  toReversed: whole,
  sort: sorted,
  toSorted: sorted,
  join: whole,
  with: whole,
}
const OF_ARRAYS = {
  ...OF_LISTS,
  concat: made,
  splice: whole,
  toSpliced: made,
  shift: whole,
  unshift: whole,
  flat: made,
}
const OF_TYPED_ARRAYS = { ...OF_LISTS, set: given }
const OF_TEXTS = {
  indexOf: searched,
  lastIndexOf: searchedBack,
  includes: whole,
  split: whole,
  replace: whole,
  replaceAll: whole,
  toLowerCase: whole,
  toUpperCase: whole,
  normalize: whole,
  isWellFormed: whole,
} satisfies Record<string, Cost>
const OF_OBJECTS = {
  keys: made,
  values: made,
  entries: made,
  fromEntries: (_self, _args, result) => sizeOf(result),
} satisfies Record<string, Cost>

const TYPED_ARRAYS = [
  'Int8Array',
  'Uint8Array',
  'Uint8ClampedArray',
  'Int16Array',
  'Uint16Array',
  'Int32Array',
  'Uint32Array',
  'BigInt64Array',
  'BigUint64Array',
  'Float32Array',
  'Float64Array',
] as const

/** What was gone over, in all and by the function of ours that had it done: `search (src/resources/file-sets/entries/search.ts:42)`. */
export interface Bulk {
  readonly total: number
  readonly where: ReadonlyMap<string, number>
}

/** @returns a function that runs another one and returns what it went over */
export function installBulkCounter(): (run: () => void) => Bulk {
  let bulk: { total: number; where: Map<string, number> } | undefined
  let untold = 0
  watchAll((count) => {
    if (!bulk) return
    bulk.total += count
    untold += count
    if (untold < SAMPLE) return
    const counted = bulk
    // The look-up uses methods that are watched, too.
    bulk = undefined
    const place = placeOfOurs()
    counted.where.set(place, (counted.where.get(place) ?? 0) + untold)
    untold = 0
    bulk = counted
  })
  return (run) => {
    const counted = (bulk = { total: 0, where: new Map<string, number>() })
    untold = 0
    run()
    bulk = undefined
    return counted
  }
}

/** Looking up the caller is slow, so it is done once for this many elements, and all of them are counted for that caller. */
const SAMPLE = 500

function placeOfOurs(): string {
  const limit = Error.stackTraceLimit
  Error.stackTraceLimit = 20
  const { stack = '' } = new Error()
  Error.stackTraceLimit = limit
  for (const [, name, place] of stack.matchAll(/ at (?:(.+) \()?file:.*\/(src\/[^:]+:\d+)/g)) {
    if (place !== undefined) return `${name ?? 'a function'} (${place})`
  }
  return 'somewhere else'
}

function watchAll(add: (count: number) => void): void {
  const typedArray = Object.getPrototypeOf(Uint8Array.prototype) as object
  watchMethods(Array.prototype, OF_ARRAYS, add)
  watchMethods(typedArray, OF_TYPED_ARRAYS, add)
  watchMethods(String.prototype, OF_TEXTS, add)
  watchMethods(Object, OF_OBJECTS, add)
  watchMethods(Buffer, { concat: made, from: made }, add)
  watchMethods(
    Buffer.prototype as object,
    { indexOf: searched, includes: whole, copy: whole, toString: made, write: given },
    add,
  )
  // Spreading, destructuring, `new Map(…)` and `Array.from` all ask an iterator, one element at a time.
  const iterators: readonly object[] = [[0].values(), new Map().values(), new Set().values(), ''[Symbol.iterator]()]
  for (const iterator of iterators) {
    watchMethods(Object.getPrototypeOf(iterator) as object, { next: () => 1 }, add)
  }
  for (const name of TYPED_ARRAYS) watchConstructor(name, add)
}

function watchMethods(owner: object, costs: Readonly<Record<string, Cost>>, add: (count: number) => void): void {
  const methods = owner as Record<string, ((...args: unknown[]) => unknown) | undefined>
  for (const [name, cost] of Object.entries(costs)) {
    const original = methods[name]
    if (!original) continue
    const watched = function (this: Sized, ...args: unknown[]) {
      const result = original.apply(this, args)
      add(cost(this, args, result))
      return result
    }
    Object.defineProperty(methods, name, { value: watched, writable: true, configurable: true })
  }
}

/** An array of one's own is filled or copied; a view on a buffer that is there already costs nothing. */
function watchConstructor(name: (typeof TYPED_ARRAYS)[number], add: (count: number) => void): void {
  const watched = new Proxy(globalThis[name] as typeof Uint8Array, {
    construct(target, args, newTarget) {
      const list = Reflect.construct(target, args, newTarget === watched ? target : newTarget) as Uint8Array
      if (!(args[0] instanceof ArrayBuffer || args[0] instanceof SharedArrayBuffer)) add(list.length)
      return list
    },
  })
  Object.defineProperty(globalThis, name, { value: watched, writable: true, configurable: true })
}

/** An index as methods of lists take it: from the end when negative. */
function placeIn(length: number, index: unknown, absent: number): number {
  if (typeof index !== 'number') return absent
  return index < 0 ? Math.max(0, length + index) : Math.min(length, index)
}

function lengthOf(value: unknown): number {
  return typeof value === 'string' || Array.isArray(value) || ArrayBuffer.isView(value)
    ? (value as unknown as Sized).length
    : 0
}

function sizeOf(value: unknown): number {
  let size = 0
  for (const _ in value as object) size++
  return size
}
