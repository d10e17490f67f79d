/** Values made from things that never change, kept with them: a value that is not kept any more is made again. */
export interface Kept<Key, Value> {
  get(owner: object, key: Key): Value | undefined
  set(owner: object, key: Key, value: Value): void
}

interface KeptOptions<Value> {
  /** Bytes. */
  readonly most: number
  /**
   * Bytes for values that nobody has asked for again. What is asked for once and never again is then dropped soon, before the
   * garbage collector has moved it to where its removal is expensive.
   */
  readonly fresh?: number
  /** An estimate of the bytes that a value takes, bookkeeping included. */
  sizeOf(value: Value): number
}

/** A generation of values. */
type Values<Key, Value> = WeakMap<object, Map<Key, Value>>

/**
 * Two generations, as in `recent.ts`, bounded in bytes: when the younger one has half of `most`, the older one is dropped as a
 * whole. Values hang weakly on their owners, so a file set that is dropped takes its values along.
 */
export function createKept<Key, Value>({ most, fresh: mostFresh, sizeOf }: KeptOptions<Value>): Kept<Key, Value> {
  let fresh: Values<Key, Value> = new WeakMap()
  let young: Values<Key, Value> = new WeakMap()
  let old: Values<Key, Value> = new WeakMap()
  let [freshBytes, youngBytes] = [0, 0]
  const setFresh = (owner: object, key: Key, value: Value): void => {
    freshBytes += sizeOf(value)
    if (freshBytes > (mostFresh ?? 0)) {
      fresh = new WeakMap()
      freshBytes = sizeOf(value)
    }
    put(fresh, owner, key, value)
  }
  const setYoung = (owner: object, key: Key, value: Value): void => {
    youngBytes += sizeOf(value)
    if (youngBytes > most / 2) {
      old = young
      young = new WeakMap()
      youngBytes = sizeOf(value)
    }
    put(young, owner, key, value)
  }
  return {
    get(owner, key) {
      const recent = young.get(owner)?.get(key)
      if (recent !== undefined) return recent
      const known = old.get(owner)?.get(key) ?? fresh.get(owner)?.get(key)
      if (known !== undefined) setYoung(owner, key, known)
      return known
    },
    set: mostFresh === undefined ? setYoung : setFresh,
  }
}

function put<Key, Value>(generation: Values<Key, Value>, owner: object, key: Key, value: Value): void {
  const values = generation.get(owner)
  if (values) values.set(key, value)
  else generation.set(owner, new Map([[key, value]]))
}
