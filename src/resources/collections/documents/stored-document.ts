import { type Json, stringifyJson } from '../../../base/formats/json.ts'

/** A JSON object of the user, deeply frozen, so that everyone may share it. */
export interface StoredDocument {
  readonly value: DocumentValue
  /** Facts beside the value, which no response shows: the ids of its parents, since when a status holds. Absent where there are none. */
  readonly hidden?: HiddenFacts
  /** Characters of the JSON text of both. */
  readonly length: number
}

export type HiddenFacts = Readonly<Record<string, Json>>

export type DocumentValue = Readonly<Record<string, Json>>

/** A value that is not JSON: what it is, and where. */
export class NoJson extends Error {
  constructor(pointer: string, what: string) {
    const place = pointer.length <= 80 ? pointer : `${pointer.slice(0, 77)}...`
    super(`${place || 'the value'} is ${what}, which is not JSON`)
  }
}

/** @throws NoJson for anything but JSON objects */
export function storeDocument(value: unknown, hidden: object = {}): StoredDocument {
  const [stored, facts] = [freezeMembers(value), freezeMembers(hidden)]
  const length = stringifyJson(stored).length
  if (Object.keys(facts).length === 0) return { value: stored, length }
  return { value: stored, hidden: facts, length: length + stringifyJson(facts).length }
}

/** @throws NoJson */
function freezeMembers(value: unknown): DocumentValue {
  const copied = freezeJson(value)
  if (typeof copied !== 'object' || copied === null || Array.isArray(copied)) throw new NoJson('', 'not an object')
  return copied as DocumentValue
}

/** Its members in an event and in a state document. */
export function writeDocument({ value, hidden }: StoredDocument): WrittenDocument {
  return hidden ? { document: value, hidden } : { document: value }
}

interface WrittenDocument {
  readonly document: DocumentValue
  readonly hidden?: HiddenFacts
}

/** Deeper values would overflow the stack. */
const MAX_LEVELS = 1000

/**
 * A frozen copy of a JSON value. Like `JSON.stringify` it calls `toJSON` and omits undefined members; other values that are not JSON
 * are refused, where `JSON.stringify` would change them.
 *
 * @throws NoJson
 */
export function freezeJson(value: unknown, pointer = '', levels = MAX_LEVELS): Json {
  switch (typeof value) {
    case 'string':
    case 'boolean':
    case 'bigint':
      return value
    case 'number':
      if (!Number.isFinite(value)) throw new NoJson(pointer, String(value))
      return value
    case 'object':
      return value === null ? null : freezeObject(value, pointer, levels)
    case 'undefined':
    case 'function':
    case 'symbol':
      throw new NoJson(pointer, typeof value === 'undefined' ? 'undefined' : `a ${typeof value}`)
  }
}

function freezeObject(value: object, pointer: string, levels: number): Json {
  if (levels === 0) throw new NoJson(pointer, `more than ${MAX_LEVELS} levels deep`)
  if ('toJSON' in value && typeof value.toJSON === 'function')
    return freezeJson((value.toJSON as () => unknown)(), pointer, levels - 1)
  if (Array.isArray(value))
    return Object.freeze(value.map((one: unknown, index) => freezeJson(one, `${pointer}/${index}`, levels - 1)))
  const prototype: unknown = Object.getPrototypeOf(value)
  if (prototype !== null && Object.getPrototypeOf(prototype) !== null)
    throw new NoJson(pointer, `an instance of ${value.constructor.name}`)
  const members = Object.entries(value).flatMap(([name, inner]: [string, unknown]) =>
    inner === undefined ? [] : [[name, freezeJson(inner, `${pointer}/${name}`, levels - 1)] as const],
  )
  return Object.freeze(Object.fromEntries(members))
}
