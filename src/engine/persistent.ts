import { firstIndex } from '../base/first-index.ts'

/**
 * Persistent lists: a changed list is a new one that shares all but a page of a few hundred elements with the old one. Resources keep
 * their changes in them, so that a fork, a checkpoint and a search in progress copy nothing.
 */

/** The last bits of an index are the place on a page, the others the page. */
const PAGE_BITS = 8
const PAGE = 1 << PAGE_BITS

/** Elements by index, `empty` where none was set. */
export interface Vector<T> {
  readonly pages: readonly (readonly T[] | undefined)[]
  /** From this index on all are empty. */
  readonly length: number
  get(at: number): T
  /** Another vector, with this element. */
  set(at: number, value: T): Vector<T>
}

export function createVector<T>(empty: T, pages: Vector<T>['pages'] = []): Vector<T> {
  return {
    pages,
    length: pages.length * PAGE,
    get: (at) => pages[at >>> PAGE_BITS]?.[at & (PAGE - 1)] ?? empty,
    set(at, value) {
      const page = pages[at >>> PAGE_BITS]?.slice() ?? new Array<T>(PAGE).fill(empty)
      page[at & (PAGE - 1)] = value
      const others = pages.slice()
      while (others.length <= at >>> PAGE_BITS) others.push(undefined)
      others[at >>> PAGE_BITS] = page
      return createVector(empty, others)
    },
  }
}

/** A vector of these elements, from index 0 on. */
export function vectorOf<T>(empty: T, elements: readonly T[]): Vector<T> {
  const pages: (readonly T[])[] = []
  for (let from = 0; from < elements.length; from += PAGE) pages.push(elements.slice(from, from + PAGE))
  return createVector(empty, pages)
}

/** The indexes at which two vectors differ. Pages that they share are not looked at. */
export function* differences<T>(a: Vector<T>, b: Vector<T>): Generator<number, undefined> {
  for (let page = 0; page < Math.max(a.pages.length, b.pages.length); page++) {
    if (a.pages[page] === b.pages[page]) continue
    for (let at = page * PAGE; at < (page + 1) * PAGE; at++) if (a.get(at) !== b.get(at)) yield at
  }
  return undefined
}

/** A set of numbers, a bit each. */
export interface Bits {
  has(at: number): boolean
  add(at: number): Bits
  readonly size: number
}

/** @param words of 32 bits */
export function createBits(words: Vector<number> = createVector(0), size = 0): Bits {
  const has = (at: number) => ((words.get(at >>> 5) >>> (at & 31)) & 1) === 1
  return {
    size,
    has,
    add(at) {
      return has(at) ? this : createBits(words.set(at >>> 5, words.get(at >>> 5) | (1 << (at & 31))), size + 1)
    },
  }
}

/** Elements in an order. */
export interface SortedList<T> {
  readonly length: number
  add(item: T): SortedList<T>
  /** Without an element, which must be in it. */
  remove(item: T): SortedList<T>
  /** The elements from the first for which a test holds, which fails for all before and holds for all after. */
  from(holds: (item: T) => boolean): Generator<T, undefined>
}

/** @param compare never 0 for two different elements */
export function createSortedList<T>(items: readonly T[], compare: (a: T, b: T) => number): SortedList<T> {
  const sorted = [...items].sort(compare)
  const chunks: T[][] = []
  for (let from = 0; from < sorted.length; from += PAGE) chunks.push(sorted.slice(from, from + PAGE))
  return listOf(chunks, sorted.length, compare)
}

function listOf<T>(chunks: readonly (readonly T[])[], length: number, compare: (a: T, b: T) => number): SortedList<T> {
  // Chunks are found by their last elements, and elements in a chunk by themselves.
  const place = (holds: (item: T) => boolean): [chunk: number, index: number] => {
    const chunk = firstIndex(chunks.length, (at) => holds(chunks[at]?.at(-1) as T))
    const items = chunks[chunk] ?? []
    return [chunk, firstIndex(items.length, (at) => holds(items[at] as T))]
  }
  const replaced = (chunk: number, by: readonly (readonly T[])[], change: number) =>
    listOf([...chunks.slice(0, chunk), ...by, ...chunks.slice(chunk + 1)], length + change, compare)
  return {
    length,
    add(item) {
      const [found, index] = place((other) => compare(other, item) > 0)
      const chunk = Math.min(found, Math.max(0, chunks.length - 1))
      const items = chunks[chunk] ?? []
      const at = found === chunk ? index : items.length
      const grown = [...items.slice(0, at), item, ...items.slice(at)]
      const half = grown.length >>> 1
      return replaced(chunk, grown.length <= 2 * PAGE ? [grown] : [grown.slice(0, half), grown.slice(half)], 1)
    },
    remove(item) {
      const [chunk, index] = place((other) => compare(other, item) >= 0)
      const items = chunks[chunk] ?? []
      const rest = items.filter((_, at) => at !== index)
      return replaced(chunk, rest.length > 0 ? [rest] : [], -1)
    },
    *from(holds) {
      const [chunk, index] = place(holds)
      for (let at = chunk; at < chunks.length; at++) yield* (chunks[at] ?? []).slice(at === chunk ? index : 0)
      return undefined
    },
  }
}
