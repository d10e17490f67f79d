import { isReference, LONGEST_CHAIN, pointerIn, type Reference, walkAlong } from '../pointer.ts'

/** What stands where in a document that refers to itself. References to anywhere else lead nowhere: bundle.ts has taken them in. */
export interface Lookup {
  /** The value at a pointer such as `/paths/~1items/get`; references on the way and at its end are followed. */
  at(pointer: string): unknown
  /** The value at a pointer as it is written, be it a reference; those on the way are followed. */
  raw(pointer: string): unknown
  /** What a value stands for: the value itself, unless it is a reference. */
  follow(value: unknown): unknown
  /** Where the value at a pointer really stands, its references followed. */
  placeOf(pointer: string): string
}

export function createLookup(document: unknown): Lookup {
  return {
    at: (pointer) => locate(document, pointer).value,
    raw: (pointer) => locate(document, pointer, false).value,
    follow: (value) => follow(document, value),
    placeOf: (pointer) => placeOf(document, pointer),
  }
}

/** What a value of a document stands for: the value itself, unless it is a reference. */
export function follow(document: unknown, value: unknown): unknown {
  return isLocal(value) ? locate(document, targetOf(value)).value : value
}

/** What a reference points at as it is written there, which may be another one. What stands beside that one counts too in a schema. */
export function followOnce(document: unknown, value: unknown): unknown {
  return isLocal(value) ? locate(document, targetOf(value), false).value : undefined
}

/** Where the value at a pointer of a document really stands, references on the way and at its end followed. */
function placeOf(document: unknown, pointer: string): string {
  return locate(document, pointer).pointer
}

interface Place {
  readonly value: unknown
  readonly pointer: string
}

/**
 * The value at a pointer and where it really stands, references on the way followed.
 *
 * @param toTheEnd whether a reference that stands there itself is followed too
 */
export function locate(document: unknown, pointer: string, toTheEnd = true): Place {
  let at = pointer
  for (let chain = 0; chain <= LONGEST_CHAIN; chain++) {
    const { value, pointer: reached, rest } = walkAlong(document, at)
    const isThere = rest === '' && (!toTheEnd || !isLocal(value))
    if (isThere) return { value, pointer: reached }
    if (!isLocal(value)) return { value: undefined, pointer: at }
    at = `${targetOf(value)}${rest}`
  }
  return { value: undefined, pointer: at }
}

function isLocal(value: unknown): value is Reference {
  return isReference(value) && value.$ref.startsWith('#')
}

/** The pointer that a reference into the document leads to. */
export function targetOf({ $ref }: Reference): string {
  return pointerIn($ref.slice(1))
}
