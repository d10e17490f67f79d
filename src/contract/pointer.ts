import { encodePointer, isObject } from '../formats/json.ts'

/** The parts of a JSON pointer (RFC 6901), unescaped. */
export function partsOf(pointer: string): string[] {
  return pointer.split('/').slice(1).map(unescaped)
}

/** What a pointer points at, references taken as they are written; undefined when it is not there. */
export function valueAt(document: unknown, pointer: string): unknown {
  return partsOf(pointer).reduce(memberOf, document)
}

/** The pointer that a URI fragment holds. A percent sign that begins no escape stands for itself. */
export function pointerIn(fragment: string): string {
  if (!fragment.includes('%')) return fragment
  return fragment.split('/').map(decodePercent).join('/')
}

/** A pointer as a URI fragment. */
export function fragmentOf(pointer: string): string {
  return encodeURI(pointer).replaceAll('#', '%23')
}

export interface Reference {
  readonly $ref: string
}

export function isReference(value: unknown): value is Reference {
  return isObject(value) && typeof value.$ref === 'string'
}

/** References that lead from one to the next; a longer chain is taken for a circle, which leads nowhere. */
export const LONGEST_CHAIN = 32

/** How far a pointer leads without following a reference. */
export interface Walked {
  readonly value: unknown
  readonly pointer: string
  /** The pointer from there on, where a reference stands in the way; empty at the end. */
  readonly rest: string
}

/** Walks to the end of a pointer, or to a reference in its way: one that has not the member that comes next itself. */
export function walkAlong(document: unknown, pointer: string): Walked {
  const parts = partsOf(pointer)
  let value = document
  for (const [index, part] of parts.entries()) {
    if (isReference(value) && !Object.hasOwn(value, part))
      return { value, pointer: pointerOf(parts.slice(0, index)), rest: pointerOf(parts.slice(index)) }
    value = memberOf(value, part)
  }
  return { value, pointer, rest: '' }
}

function pointerOf(parts: readonly string[]): string {
  return parts.map((part) => `/${encodePointer(part)}`).join('')
}

function memberOf(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined
  return (value as Readonly<Record<string, unknown>>)[name]
}

function unescaped(part: string): string {
  return part.replaceAll('~1', '/').replaceAll('~0', '~')
}

/** A text without its percent escapes. One that has a percent sign that begins no escape stands for itself. */
export function decodePercent(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
