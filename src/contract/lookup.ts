import { pointerIn } from './pointer.ts'
import { isObject } from '../json.ts'

/** What stands where in a document that refers to itself. */
export interface Lookup {
  /** The value at a pointer such as `/paths/~1items/get`; references on the way and at its end are followed. */
  at(pointer: string): unknown
  /** The value at a pointer as it is written, be it a reference. */
  raw(pointer: string): unknown
  /** What a value stands for: the value itself, unless it is a reference. */
  follow(value: unknown): unknown
  /** Where the value at a pointer really stands, its references followed. */
  placeOf(pointer: string): string
}

/** References that follow each other; a longer chain is taken for a circle, which stands for nothing. */
const LONGEST_CHAIN = 32

export function createLookup(document: unknown): Lookup {
  const at = (pointer: string) => locate(document, pointer).value
  return {
    at,
    raw(pointer) {
      const slash = pointer.lastIndexOf('/')
      return memberOf(at(pointer.slice(0, slash)), unescaped(pointer.slice(slash + 1)))
    },
    placeOf: (pointer) => locate(document, pointer).pointer,
    follow: (value) => (isReference(value) ? at(pointerOf(value)) : value),
  }
}

interface Place {
  readonly value: unknown
  readonly pointer: string
}

function locate(document: unknown, pointer: string): Place {
  let place: Place = { value: document, pointer: '' }
  let steps = 0
  const waiting = partsOf(pointer)
  for (;;) {
    if (isReference(place.value)) {
      if (++steps > LONGEST_CHAIN) return { value: undefined, pointer: place.pointer }
      waiting.unshift(...partsOf(pointerOf(place.value)))
      place = { value: document, pointer: '' }
      continue
    }
    const part = waiting.shift()
    if (part === undefined) return place
    place = { value: memberOf(place.value, unescaped(part)), pointer: `${place.pointer}/${part}` }
  }
}

function partsOf(pointer: string): string[] {
  return pointer.split('/').slice(1)
}

function unescaped(part: string): string {
  return part.replaceAll('~1', '/').replaceAll('~0', '~')
}

function memberOf(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined
  return (value as Readonly<Record<string, unknown>>)[name]
}

interface Reference {
  readonly $ref: string
}

function isReference(value: unknown): value is Reference {
  return isObject(value) && typeof value.$ref === 'string' && value.$ref.startsWith('#')
}

function pointerOf({ $ref }: Reference): string {
  return pointerIn($ref.slice(1))
}
