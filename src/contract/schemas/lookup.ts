import { isReference, LONGEST_CHAIN, pointerIn, type Reference, walkAlong } from '../pointer.ts'

/** Finds values in a bundled document, through its references. References to other documents lead nowhere. */
export interface Lookup {
  /** The value at a pointer such as `/paths/~1items/get`; references on the way and at its end are followed. */
  at(pointer: string): unknown
  /** The value at a pointer, also if it is a reference itself; those on the way are followed. */
  raw(pointer: string): unknown
  /** The target of a reference; any other value itself. */
  follow(value: unknown): unknown
  /** The pointer of the value at a pointer, references followed. */
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

/** The target of a reference; any other value itself. */
export function follow(document: unknown, value: unknown): unknown {
  return isLocal(value) ? locate(document, targetOf(value)).value : value
}

/** The target of a reference, which may be a reference with keywords beside it that count in a schema. */
export function followOnce(document: unknown, value: unknown): unknown {
  return isLocal(value) ? locate(document, targetOf(value), false).value : undefined
}

/** The pointer of the value at a pointer, references on the way and at its end followed. */
function placeOf(document: unknown, pointer: string): string {
  return locate(document, pointer).pointer
}

interface Located {
  readonly value: unknown
  readonly pointer: string
}

/**
 * The value at a pointer and its own pointer, references on the way followed.
 *
 * @param toTheEnd whether a reference at the end is followed too
 */
export function locate(document: unknown, pointer: string, toTheEnd = true): Located {
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
