/** Values by key. Those used longest ago are dropped. */
export interface Cache<Key, Value> {
  get(key: Key): Value | undefined
  set(key: Key, value: Value): void
}

/** The same for values made from an object that never changes; they are dropped together with it. */
export interface OwnedCache<Key, Value> {
  get(owner: object, key: Key): Value | undefined
  set(owner: object, key: Key, value: Value): void
}

interface CacheOptions<Value> {
  /** Bytes, or values where no size is given. */
  readonly most: number
  /** An estimate of the bytes that a value takes, bookkeeping included. */
  sizeOf?(value: Value): number
}

/**
 * Values in two generations: once the younger one holds half of `most`, the older one is dropped as a whole. A value of the older
 * generation moves to the younger one when it is used. So a hit costs one or two lookups and nothing is ordered by age.
 */
export function createCache<Key, Value>(options: CacheOptions<Value>): Cache<Key, Value> {
  const generations = createGenerations(options, () => new Map<Key, Value>())
  const set = (key: Key, value: Value) => void generations.withRoomFor(value).set(key, value)
  return {
    get(key) {
      const recent = generations.young.get(key)
      if (recent !== undefined) return recent
      const known = generations.old.get(key)
      if (known !== undefined) set(key, known)
      return known
    },
    set,
  }
}

/** A function that remembers its latest results. None may be undefined. */
export function remembering<Key, Value>(most: number, make: (key: Key) => Value): (key: Key) => Value {
  return rememberingIn(createCache<Key, Value>({ most }), make)
}

/** The same for a bounded number of keys: nothing is dropped before the function is. */
export function rememberingAll<Key, Value>(make: (key: Key) => Value): (key: Key) => Value {
  return rememberingIn(new Map<Key, Value>(), make)
}

/** The same for objects: each result is dropped with its key. */
export function rememberingEach<Key extends object, Value>(make: (key: Key) => Value): (key: Key) => Value {
  return rememberingIn(new WeakMap<Key, Value>(), make)
}

function rememberingIn<Key, Value>(known: Cache<Key, Value>, make: (key: Key) => Value): (key: Key) => Value {
  return (key) => {
    const found = known.get(key)
    if (found !== undefined) return found
    const made = make(key)
    known.set(key, made)
    return made
  }
}

/** A function that makes a value when it is first called. */
export function once<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | undefined
  return () => (made ??= { value: make() }).value
}

export function createOwnedCache<Key, Value>(options: CacheOptions<Value>): OwnedCache<Key, Value> {
  const generations = createGenerations(options, () => new WeakMap<object, Map<Key, Value>>())
  const set = (owner: object, key: Key, value: Value): void => {
    const young = generations.withRoomFor(value)
    const values = young.get(owner)
    if (values) values.set(key, value)
    else young.set(owner, new Map([[key, value]]))
  }
  return {
    get(owner, key) {
      const recent = generations.young.get(owner)?.get(key)
      if (recent !== undefined) return recent
      const known = generations.old.get(owner)?.get(key)
      if (known !== undefined) set(owner, key, known)
      return known
    },
    set,
  }
}

function createGenerations<Values, Value>({ most, sizeOf = () => 1 }: CacheOptions<Value>, create: () => Values) {
  let size = 0
  const generations = {
    young: create(),
    old: create(),
    /** The younger generation, after making room for a value. */
    withRoomFor(value: Value): Values {
      size += sizeOf(value)
      if (size > most / 2) {
        generations.old = generations.young
        generations.young = create()
        size = sizeOf(value)
      }
      return generations.young
    },
  }
  return generations
}

/** Whether a text was passed recently; remembers it for the next call. */
export type SeenRecently = (text: string) => boolean

/** Hashes that are remembered. */
const PLACES = 4096

/**
 * Lets a cache admit a value on its second use only: values used once would just outlive the young generation of the garbage
 * collector, where dropping them is cheap. Only hashes are kept, so two texts may be taken for one; the second is then admitted
 * early, which no response shows.
 */
export function createSeen(): SeenRecently {
  const hashes = new Uint32Array(PLACES)
  return (text) => {
    const hash = hashOf(text)
    const place = hash % PLACES
    const isSeen = hashes[place] === hash
    hashes[place] = hash
    return isSeen
  }
}

/**
 * FNV-1a of every other UTF-16 unit, and of those between them: neither has to wait for the other. Mixed so that the low bits are
 * as good as the others.
 */
function hashOf(text: string): number {
  let [even, odd] = [0x811c9dc5, text.length]
  const { length } = text
  for (let at = 0; at < length; at += 2) {
    even = Math.imul(even ^ text.charCodeAt(at), PRIME)
    if (at + 1 < length) odd = Math.imul(odd ^ text.charCodeAt(at + 1), PRIME)
  }
  const hash = Math.imul(even, 0x85ebca6b) ^ odd
  return Math.imul(hash ^ (hash >>> 15), 0x9e3779b1) >>> 0
}

const PRIME = 0x01000193
