import { asObject, encodePointer, isObject, type Members, splitPointer } from '../base/formats/json.ts'

export function pointerOf(parts: readonly string[]): string {
  return parts.map((part) => `/${encodePointer(part)}`).join('')
}

/** The value at a pointer, without following references; undefined if there is none. */
export function valueAt(document: unknown, pointer: string): unknown {
  return splitPointer(pointer).reduce(memberOf, document)
}

function memberOf(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined
  return (value as Readonly<Record<string, unknown>>)[name]
}

/** The pointer in a URI fragment. A percent sign that begins no escape stands for itself. */
export function pointerIn(fragment: string): string {
  if (!fragment.includes('%')) return fragment
  return fragment.split('/').map(decodePercent).join('/')
}

/** A pointer as a URI fragment. */
export function fragmentOf(pointer: string): string {
  return encodeURI(pointer).replaceAll('#', '%23')
}

/** A text without its percent escapes; unchanged if one of them is invalid. */
export function decodePercent(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

export interface Reference {
  readonly $ref: string
}

export function isReference(value: unknown): value is Reference {
  return isObject(value) && typeof value.$ref === 'string'
}

/** A longer chain of references is taken for a circle, which leads nowhere. */
export const LONGEST_CHAIN = 32

/** How far a pointer leads without following a reference. */
interface PointerWalk {
  readonly value: unknown
  readonly pointer: string
  /** The rest of the pointer after a reference; empty at the end. */
  readonly rest: string
}

/** Walks to the end of a pointer, or to the first reference on the way that does not have the next member itself. */
export function walkAlong(document: unknown, pointer: string): PointerWalk {
  const parts = splitPointer(pointer)
  let value = document
  for (const [index, part] of parts.entries()) {
    if (isReference(value) && !Object.hasOwn(value, part))
      return { value, pointer: pointerOf(parts.slice(0, index)), rest: pointerOf(parts.slice(index)) }
    value = memberOf(value, part)
  }
  return { value, pointer, rest: '' }
}

/** Finds values in a bundled document, through its references. References to other documents lead nowhere. */
export interface Lookup {
  readonly document: unknown
  /** The value at a pointer such as `/paths/~1items/get`; references on the way and at its end are followed. */
  at(pointer: string): unknown
  /** The value at a pointer, even if it is a reference; those on the way are followed. */
  raw(pointer: string): unknown
  /** The target of a reference; any other value itself. */
  follow(value: unknown): unknown
  /** The pointer of the value at a pointer, references followed. */
  locate(pointer: string): string
}

export function createLookup(document: unknown): Lookup {
  return {
    document,
    at: (pointer) => locate(document, pointer).value,
    raw: (pointer) => locate(document, pointer, false).value,
    follow: (value) => follow(document, value),
    locate: (pointer) => locate(document, pointer).pointer,
  }
}

/** The target of a reference; any other value itself. */
export function follow(document: unknown, value: unknown): unknown {
  return isLocal(value) ? locate(document, targetOf(value)).value : value
}

/** The target of a reference; it may be a reference with keywords beside it, which count in a schema. */
export function followOnce(document: unknown, value: unknown): unknown {
  return isLocal(value) ? locate(document, targetOf(value), false).value : undefined
}

/**
 * The value at a pointer and its own pointer, references on the way followed.
 *
 * @param toTheEnd whether a reference at the end is followed too
 */
export function locate(
  document: unknown,
  pointer: string,
  toTheEnd = true,
): { readonly value: unknown; readonly pointer: string } {
  let at = pointer
  for (let chain = 0; chain <= LONGEST_CHAIN; chain++) {
    const { value, pointer: reached, rest } = walkAlong(document, at)
    if (rest === '' && (!toTheEnd || !isLocal(value))) return { value, pointer: reached }
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

/** A copy of an object with another value at a pointer; objects on the way are made. */
export function withValue(value: Members, pointer: string, inner: unknown): Members {
  const [name = '', ...rest] = splitPointer(pointer)
  const held = value[name]
  const next = rest.length === 0 ? inner : withValue(asObject(held), `/${rest.join('/')}`, inner)
  return { ...value, [name]: next }
}

/**
 * A copy with another value at a place; without it for undefined. Objects on the way are made; a way that leads through something else,
 * such as a text, changes nothing.
 */
export function replaceAt(whole: Members, path: readonly string[], to: unknown): Members {
  return replaced(whole, path, to) as Members
}

function replaced(value: unknown, [name, ...rest]: readonly string[], to: unknown): unknown {
  if (name === undefined) return to
  if (Array.isArray(value)) {
    const elements: readonly unknown[] = value
    const changed = elements.map((one, index) => (String(index) === name ? replaced(one, rest, to) : one))
    return changed.filter((one) => one !== undefined)
  }
  if (value === undefined ? to === undefined : !isObject(value)) return value
  const { [name]: held, ...others } = asObject(value)
  const inner = replaced(held, rest, to)
  return inner === undefined ? others : { ...(value ?? {}), [name]: inner }
}
