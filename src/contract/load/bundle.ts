import { setMember } from '../../base/formats/set-member.ts'
import type { DocumentErrors } from './document-errors.ts'
import { type PartKind, type StructureMember, memberOf, sectionOf } from './document-structure.ts'
import { type Location, type ReferenceOptions, showLocation, Sources, type ReferenceTarget } from './references.ts'
import { fragmentOf, valueAt } from '../pointer.ts'
import type { SourceFile } from '../../base/formats/source-file.ts'
import { asObject, encodePointer, isObject, withNumbers } from '../../base/formats/json.ts'

/** A document in one piece: the parts from other files are copied into it. */
export interface Bundle {
  readonly value: Readonly<Record<string, unknown>>
  /** `file:line` of a pointer into the bundled document, in the file that the part came from. */
  placeOf(pointer: string): string
}

/** A part that is being copied: where it was read, and its pointer in the bundled document. */
interface CopyPosition extends Location {
  readonly target: string
}

type BundledObject = Record<string, unknown>

/**
 * Copies a document so that each `$ref` points into the copy. A part of another file is copied to `components` once, under a free
 * name. What has no section there (a path, an operation, a whole map) replaces its reference.
 *
 * @param errors collects references that lead nowhere, to another machine, or in circles
 */
export function bundle(document: SourceFile, errors: DocumentErrors, options: ReferenceOptions): Bundle {
  return new Bundler(document, new Sources(document, errors, options), errors).bundle()
}

class Bundler {
  readonly #errors: DocumentErrors
  readonly #sources: Sources
  /** By pointer in the bundled document: where a part from elsewhere was read. */
  readonly #origins = new Map<string, Location>()
  /** By section of `components`: the parts that were copied there, and the names that are taken. */
  readonly #sections: Record<string, BundledObject>
  /** By file and pointer: where a part of another file was copied to. */
  readonly #copied = new Map<string, string>()
  readonly #underway = new Set<string>()
  /** Members of a schema that count beside its `$ref`; undefined for all of them. */
  readonly #besideSchemaRef: ReadonlySet<string> | undefined

  constructor({ value }: SourceFile, sources: Sources, errors: DocumentErrors) {
    this.#errors = errors
    this.#sources = sources
    this.#sections = takenNames(this.#sources)
    const isOld = isObject(value) && String(value.openapi).startsWith('3.0')
    this.#besideSchemaRef = isOld ? WORDS_AND_NULL : undefined
  }

  bundle(): Bundle {
    const { root } = this.#sources
    const { value } = root.document
    const whole = this.#copy('document', value, { source: root, pointer: '', target: '' }) as BundledObject
    return {
      value: this.#copied.size === 0 ? whole : { ...whole, components: this.#components(whole.components) },
      placeOf: (pointer) => showLocation(this.#originOf(pointer)),
    }
  }

  #copy(kind: PartKind, value: unknown, at: CopyPosition): unknown {
    if (!isObject(value)) return withNumbers(value)
    if (typeof value.$ref === 'string' && kind !== 'example') return this.#copyReference(kind, value, value.$ref, at)
    return this.#copyMembers(kind, value, at)
  }

  #copyMembers(kind: PartKind, value: Readonly<BundledObject>, at: CopyPosition): BundledObject {
    const made: BundledObject = {}
    for (const [name, inner] of Object.entries(value)) {
      if (kind === 'schema' && LINKS_OF_SCHEMAS.has(name)) continue
      const member = memberOf(kind, name)
      // `schema:` without a value is the same as no `schema`.
      if (member && inner === null) continue
      setMember(made, name, member ? this.#copyMember(member, inner, below(at, name)) : withNumbers(inner))
    }
    const dynamic = value.$dynamicRef
    if (kind === 'schema' && typeof dynamic === 'string' && made.$ref === undefined)
      return { ...made, ...(this.#copyReference(kind, {}, dynamic, at) as BundledObject) }
    return made
  }

  #copyMember(member: StructureMember, value: unknown, at: CopyPosition): unknown {
    const { holds, kind } = member
    if (holds === 'one') return this.#copy(kind, value, at)
    if (Array.isArray(value)) return value.map((element, index) => this.#copy(kind, element, below(at, String(index))))
    if (!isObject(value)) return withNumbers(value)
    if (holds === 'map' && typeof value.$ref === 'string')
      return this.#inline(value.$ref, at, (whole, position) => this.#copyMember(member, whole, position))
    const made: BundledObject = {}
    const mayBeExtended = kind !== 'schema' && kind !== 'header'
    for (const [name, inner] of Object.entries(value)) {
      const isExtension = mayBeExtended && name.startsWith('x-')
      setMember(made, name, isExtension ? withNumbers(inner) : this.#copy(kind, inner, below(at, name)))
    }
    return made
  }

  #copyReference(kind: PartKind, value: Readonly<BundledObject>, reference: string, at: CopyPosition): unknown {
    const { $ref: _reference, ...siblings } = value
    const section = sectionOf(kind)
    if (section === undefined) {
      const whole = this.#inline(reference, at, (found, position) => this.#copy(kind, found, position))
      return isObject(whole) ? { ...whole, ...this.#copyMembers(kind, siblings, at) } : whole
    }
    const target = this.#sources.find(reference, at)
    const $ref = target ? `#${fragmentOf(this.#pointerTo(kind, section, target))}` : reference
    const counting = kind === 'schema' ? this.#besideSchemaRef : WORDS
    const beside = Object.entries(siblings).filter(([name]) => counting?.has(name) !== false)
    return { $ref, ...this.#copyMembers(kind, Object.fromEntries(beside), at) }
  }

  /** The pointer of a target in the bundled document; a part of another file is copied there first. */
  #pointerTo(kind: PartKind, section: string, { source, pointer, name }: ReferenceTarget): string {
    if (source === this.#sources.root) return pointer
    const key = `${source.path}#${pointer}`
    const known = this.#copied.get(key)
    if (known !== undefined) return known
    const parts = (this.#sections[section] ??= {})
    const free = freeName(name, parts)
    const target = `/components/${section}/${encodePointer(free)}`
    this.#copied.set(key, target)
    this.#origins.set(target, { source, pointer })
    // The name is reserved before the part is copied, which may refer to itself.
    parts[free] = undefined
    parts[free] = this.#copy(kind, valueAt(source.document.value, pointer), { source, pointer, target })
    return target
  }

  #inline(reference: string, at: CopyPosition, take: (value: unknown, at: CopyPosition) => unknown): unknown {
    const found = this.#sources.find(reference, at)
    if (!found) return {}
    const { source, pointer } = found
    const key = `${source.path}#${pointer}`
    if (this.#underway.has(key)) {
      const message = `the reference ${JSON.stringify(reference)} leads back to itself. Break the circle.`
      this.#errors.add(showLocation(at), message)
      return {}
    }
    this.#underway.add(key)
    this.#origins.set(at.target, { source, pointer })
    const made = take(valueAt(source.document.value, pointer), { source, pointer, target: at.target })
    this.#underway.delete(key)
    return made
  }

  #components(own: unknown): BundledObject {
    const made: BundledObject = isObject(own) ? { ...own } : {}
    for (const [section, parts] of Object.entries(this.#sections)) {
      const held = made[section]
      const added = Object.entries(parts).filter(([, value]) => value !== undefined)
      if (added.length > 0) made[section] = { ...asObject(held), ...Object.fromEntries(added) }
    }
    return made
  }

  #originOf(pointer: string): Location {
    for (let end = pointer.length; end > 0; end = pointer.lastIndexOf('/', end - 1)) {
      const origin = this.#origins.get(pointer.slice(0, end))
      if (origin) return { source: origin.source, pointer: `${origin.pointer}${pointer.slice(end)}` }
    }
    return { source: this.#sources.root, pointer }
  }
}

/** The names in the document's own components, each with no value. */
function takenNames(sources: Sources): Record<string, BundledObject> {
  const { root } = sources
  const { value } = root.document
  const components = asObject(asObject(value).components)
  const namesIn = (section: string, parts: unknown): readonly string[] => {
    if (!isObject(parts)) return []
    const reference = parts.$ref
    if (typeof reference !== 'string') return Object.keys(parts)
    const target = sources.find(reference, { source: root, pointer: `/components/${section}` })
    const found = target && valueAt(target.source.document.value, target.pointer)
    return Object.keys(asObject(found))
  }
  return Object.fromEntries(
    Object.entries(components).map(([section, parts]) => [
      section,
      Object.fromEntries(namesIn(section, parts).map((name) => [name, undefined])),
    ]),
  )
}

/** They name schemas or refer to names; in the bundled document every reference is a pointer. */
const LINKS_OF_SCHEMAS = new Set(['$id', '$anchor', '$dynamicAnchor', '$dynamicRef', '$schema'])

/** Members that count beside a reference. OpenAPI 3.0 has no `nullable` there, but many documents write it and mean it. */
const WORDS = new Set(['summary', 'description'])
const WORDS_AND_NULL = new Set([...WORDS, 'nullable'])

function below({ source, pointer, target }: CopyPosition, name: string): CopyPosition {
  const part = encodePointer(name)
  return { source, pointer: `${pointer}/${part}`, target: `${target}/${part}` }
}

function freeName(wanted: string, taken: Readonly<BundledObject>): string {
  if (!Object.hasOwn(taken, wanted)) return wanted
  let number = 2
  while (Object.hasOwn(taken, `${wanted}_${number}`)) number++
  return `${wanted}_${number}`
}
