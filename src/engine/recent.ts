/** Values that were made lately, by their keys: as many as a bound allows, and cheap to ask. */
export interface Recent<Key, Value> {
  get(key: Key): Value | undefined
  set(key: Key, value: Value): void
}

/**
 * Keeps between `most` and twice `most` values in two generations: when the younger is full, the elder is let go at once and
 * the younger takes its place. A value of the elder that is asked for moves to the younger. So a hit costs a look or two, and
 * nothing is ever sorted or counted by age.
 */
export function createRecent<Key, Value>(most: number): Recent<Key, Value> {
  let young = new Map<Key, Value>()
  let elder = new Map<Key, Value>()
  const set = (key: Key, value: Value): void => {
    if (young.size >= most) {
      elder = young
      young = new Map()
    }
    young.set(key, value)
  }
  return {
    get(key) {
      const value = young.get(key)
      if (value !== undefined) return value
      const old = elder.get(key)
      if (old !== undefined) set(key, old)
      return old
    },
    set,
  }
}
