import { rememberingAll } from '../../base/cache.ts'
import type { DocumentErrors } from './document-errors.ts'
import { type PartKind, namesOf, OBJECTS, type PlainKind, walk } from './document-structure.ts'
import { encodePointer, isObject } from '../../base/formats/json.ts'
import { misspelt } from '../../base/errors/wording.ts'

/** A document before it is upgraded to OpenAPI 3.1. */
interface OriginalDocument {
  readonly value: Readonly<Record<string, unknown>>
  /** Whether it was converted from Swagger 2.0. */
  readonly isSwagger: boolean
}

type ObjectKind = Exclude<PartKind, 'callback'> | PlainKind

/**
 * Finds members that OpenAPI does not define, which have no effect. From OpenAPI 3.1 on, schemas may have keywords of any name, so
 * there only likely misspellings are reported.
 */
export function findUnknownMembers(
  { value: document, isSwagger }: OriginalDocument,
  placeOf: (pointer: string) => string,
  errors: DocumentErrors,
): void {
  const isOpen = /^3\.[12]/.test(String(document.openapi))
  const places = new Map<string, string[]>()
  const names = rememberingAll(namesOf)
  const check = (kind: ObjectKind, value: unknown, pointer: string): void => {
    if (!isObject(value)) return
    const { plain = {} } = OBJECTS[kind]
    const known = names(kind)
    for (const [name, inner] of Object.entries(value)) {
      const innerKind = Object.hasOwn(plain, name) ? plain[name] : undefined
      if (innerKind)
        for (const [below, one] of objectsIn(innerKind, inner)) check(innerKind, one, `${at(pointer, name)}${below}`)
      if (known.has(name) || name.startsWith('x-') || ('$ref' in value && OF_REFERENCES.includes(name))) continue
      if (isSwagger && name === LEFT_BY_CONVERTER) continue
      const message = messageFor(kind, name, { known, isOpen })
      if (message === undefined) continue
      const others = places.get(message)
      if (others) others.push(at(pointer, name))
      else places.set(message, [at(pointer, name)])
    }
  }
  walk(document, (kind, value, pointer) => {
    if (kind !== 'callback') check(kind, value, pointer)
  })
  for (const [message, pointers] of places) {
    const others = pointers.length - 1
    const named = others < MAX_PLACES ? pointers : pointers.slice(0, 1)
    const consequence = others < MAX_PLACES ? 'It is ignored.' : `It is ignored, here and in ${others} other places.`
    for (const pointer of named) errors.add(placeOf(pointer), `${pointer}: ${message}`, consequence)
  }
}

/** A member that is unknown in more places is reported once. */
const MAX_PLACES = 5

const OF_REFERENCES = ['$ref', 'summary', 'description']

/** Operations of Swagger 2.0 have this member. */
const LEFT_BY_CONVERTER = 'schemes'

function at(pointer: string, name: string): string {
  return `${pointer}/${encodePointer(name)}`
}

interface MemberRules {
  readonly known: ReadonlySet<string>
  /** Whether schemas may have keywords of any name. */
  readonly isOpen: boolean
}

/** Undefined for an annotation. */
function messageFor(kind: ObjectKind, name: string, { known, isOpen }: MemberRules): string | undefined {
  // Shorter keywords are similar to other words by chance.
  const candidates = kind === 'schema' ? [...known].filter(({ length }) => length >= 4) : known
  const meant = misspelt(name, candidates)
  if (kind === 'schema' && isOpen && meant === undefined) return undefined
  const remedy = meant === undefined ? 'Remove it, or begin its name with `x-`.' : `Did you mean \`${meant}\`?`
  return `${OBJECTS[kind].title} has no member \`${cut(name)}\`. ${remedy}`
}

/** Characters of a name that are shown. */
const LONGEST_NAME = 80

function cut(name: string): string {
  return name.length > LONGEST_NAME ? `${name.slice(0, LONGEST_NAME).toWellFormed()}…` : name
}

/** One object, or those of a list or map, each with the rest of its pointer. */
function objectsIn(kind: PlainKind, value: unknown): (readonly [string, unknown])[] {
  if (!Array.isArray(value) && kind !== 'serverVariable') return [['', value]]
  return Object.entries(value ?? {}).map(([key, one]) => [at('', key), one] as const)
}
