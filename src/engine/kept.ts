/** Values made from things that never change, kept with them: a value that is not kept any more is made again. */
export interface Kept<Key, Value> {
  get(owner: object, key: Key): Value | undefined
  set(owner: object, key: Key, value: Value): void
}

interface KeptOptions<Value> {
  /** Bytes. */
  readonly most: number
  /** An estimate of the bytes that a value takes, bookkeeping included. */
  sizeOf(value: Value): number
}

/** A generation of values. */
type Values<Key, Value> = WeakMap<object, Map<Key, Value>>

/**
 * Two generations, as in `recent.ts`, bounded in bytes: when the younger one has half of `most`, the older one is dropped as a
 * whole. Values hang weakly on their owners, so a file set that is dropped takes its values along.
 */
export function createKept<Key, Value>({ most, sizeOf }: KeptOptions<Value>): Kept<Key, Value> {
  let young: Values<Key, Value> = new WeakMap()
  let old: Values<Key, Value> = new WeakMap()
  let youngBytes = 0
  const set = (owner: object, key: Key, value: Value): void => {
    youngBytes += sizeOf(value)
    if (youngBytes > most / 2) {
      old = young
      young = new WeakMap()
      youngBytes = sizeOf(value)
    }
    const values = young.get(owner)
    if (values) values.set(key, value)
    else young.set(owner, new Map([[key, value]]))
  }
  return {
    get(owner, key) {
      const recent = young.get(owner)?.get(key)
      if (recent !== undefined) return recent
      const known = old.get(owner)?.get(key)
      if (known !== undefined) set(owner, key, known)
      return known
    },
    set,
  }
}
