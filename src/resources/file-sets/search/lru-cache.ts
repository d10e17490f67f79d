/** Lists of slots by name, which are kept as long as there is room. */
export interface LruCache {
  has(name: string): boolean
  find(name: string): Uint32Array | undefined
  /** The list of this name, made when it is not there. */
  get(name: string, make: () => Uint32Array): Uint32Array
}

/** What a list takes besides its numbers and its name. */
const OVERHEAD = 256

/** @param most bytes; the lists used longest ago make room, but the newest stays whatever its size */
export function createLruCache(most: number): LruCache {
  const lists = new Map<string, Uint32Array>()
  let bytes = 0
  const sizeOf = (name: string, list: Uint32Array) => list.byteLength + 2 * name.length + OVERHEAD
  // The order of a Map is that of its insertions: the first is the one used longest ago.
  const touch = (name: string) => {
    const list = lists.get(name)
    if (!list) return undefined
    lists.delete(name)
    lists.set(name, list)
    return list
  }
  return {
    has: (name) => lists.has(name),
    find: (name) => touch(name),
    get(name, make) {
      const known = touch(name)
      if (known) return known
      const list = make()
      lists.set(name, list)
      bytes += sizeOf(name, list)
      for (const [eldest, other] of lists) {
        if (bytes <= most || other === list) break
        lists.delete(eldest)
        bytes -= sizeOf(eldest, other)
      }
      return list
    },
  }
}
