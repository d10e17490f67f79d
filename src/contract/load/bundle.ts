import type { Complaints } from './complaints.ts'
import { type Kind, type Member, memberOf, SECTIONS } from './grammar.ts'
import { fragmentOf, valueAt } from '../pointer.ts'
import { createSources, placeIn, type Source, type Sources, type Target } from './references.ts'
import type { SourceFile } from '../../formats/source-file.ts'
import { encodePointer, isObject, withNumbers } from '../../formats/json.ts'

/** A document of one piece: whatever it took from other files has a place of its own in it. */
export interface Bundle {
  readonly value: Readonly<Record<string, unknown>>
  /** `file:line` of what a pointer of the bundled document points at, in the file that it came from. */
  placeOf(pointer: string): string
}

/** Where something stands: in a file as it was read, and in the bundled document. */
interface At {
  readonly source: Source
  readonly pointer: string
  readonly target: string
}

type Values = Record<string, unknown>

/**
 * Copies a document, so that each `$ref` points into the copy. What stands in another file goes to `components` once, under a name
 * made of its own; what has no section there (a path, an operation, a whole map) is put in place of the reference.
 *
 * @param complaints are told of references that lead nowhere, to another machine, or in circles
 */
export function bundle(document: SourceFile, complaints: Complaints): Bundle {
  const sources = createSources(document, complaints)
  const { root } = sources
  const origins = new Map<string, Pick<At, 'source' | 'pointer'>>()
  const sections = sectionsOf(sources)
  const moved = new Map<string, string>()
  const underway = new Set<string>()
  const ignoresSiblings = isObject(document.value) && String(document.value.openapi).startsWith('3.0')

  const copy = (kind: Kind, value: unknown, at: At): unknown => {
    if (!isObject(value)) return withNumbers(value)
    if (typeof value.$ref === 'string' && kind !== 'example') return refer(kind, value, value.$ref, at)
    return copyMembers(kind, value, at)
  }

  const copyMembers = (kind: Kind, value: Readonly<Values>, at: At): Values => {
    const made: Values = {}
    for (const [name, inner] of Object.entries(value)) {
      if (kind === 'schema' && LINKS_OF_SCHEMAS.has(name)) continue
      const member = memberOf(kind, name)
      // Who writes a key and forgets its value says nothing.
      if (member && inner === null) continue
      set(made, name, member ? copyMember(member, inner, below(at, name)) : withNumbers(inner))
    }
    const dynamic = value.$dynamicRef
    if (kind === 'schema' && typeof dynamic === 'string' && made.$ref === undefined)
      return { ...made, ...(refer(kind, {}, dynamic, at) as Values) }
    return made
  }

  const copyMember = ({ holds, kind }: Member, value: unknown, at: At): unknown => {
    if (holds === 'one') return copy(kind, value, at)
    if (Array.isArray(value)) return value.map((element, index) => copy(kind, element, below(at, String(index))))
    if (!isObject(value)) return withNumbers(value)
    if (holds === 'map' && typeof value.$ref === 'string')
      return inline(value.$ref, at, (whole, place) => copyMember({ holds, kind }, whole, place))
    const made: Values = {}
    for (const [name, inner] of Object.entries(value))
      set(
        made,
        name,
        name.startsWith('x-') && kind !== 'schema' && kind !== 'header'
          ? withNumbers(inner)
          : copy(kind, inner, below(at, name)),
      )
    return made
  }

  const refer = (kind: Kind, value: Readonly<Values>, reference: string, at: At): unknown => {
    const { $ref: _reference, ...siblings } = value
    const section = SECTIONS[kind]
    if (section === undefined) {
      const held = inline(reference, at, (whole, place) => copy(kind, whole, place))
      return isObject(held) ? { ...held, ...copyMembers(kind, siblings, at) } : held
    }
    const target = sources.find(reference, at)
    const $ref = target ? `#${fragmentOf(placeFor(kind, section, target))}` : reference
    const kept = kind !== 'schema' ? WORDS : ignoresSiblings ? WORDS_AND_NULL : undefined
    const beside = kept ? Object.fromEntries(Object.entries(siblings).filter(([name]) => kept.has(name))) : siblings
    return { ...copyMembers(kind, beside, at), $ref }
  }

  /** The pointer in the bundled document at which a target is, or will be. */
  const placeFor = (kind: Kind, section: string, { source, pointer, name }: Target): string => {
    if (source === root) return pointer
    const key = `${source.path}#${pointer}`
    const known = moved.get(key)
    if (known !== undefined) return known
    const held = (sections[section] ??= {})
    const free = freeName(name, held)
    const target = `/components/${section}/${encodePointer(free)}`
    moved.set(key, target)
    origins.set(target, { source, pointer })
    // The name is taken before what it names is copied, which may refer to it.
    held[free] = undefined
    held[free] = copy(kind, valueAt(source.document.value, pointer), { source, pointer, target })
    return target
  }

  const inline = (reference: string, at: At, take: (value: unknown, at: At) => unknown): unknown => {
    const found = sources.find(reference, at)
    if (!found) return {}
    const { source, pointer } = found
    const key = `${source.path}#${pointer}`
    if (underway.has(key)) {
      complaints.add(placeIn(at), `the reference ${JSON.stringify(reference)} leads back to itself. Break the circle.`)
      return {}
    }
    underway.add(key)
    origins.set(at.target, { source, pointer })
    const made = take(valueAt(source.document.value, pointer), { source, pointer, target: at.target })
    underway.delete(key)
    return made
  }

  const value = copy('document', document.value, { source: root, pointer: '', target: '' }) as Values
  const bundled = moved.size === 0 ? value : { ...value, components: withSections(value.components, sections) }
  return { value: bundled, placeOf: (pointer) => placeIn(originOf(pointer, origins, root)) }
}

/** The names that the document's own components have, so that no other takes them. */
function sectionsOf({ root, find }: Sources): Record<string, Values> {
  const { value } = root.document
  const components = isObject(value) && isObject(value.components) ? value.components : {}
  const namesIn = (section: string, held: unknown): readonly string[] => {
    if (!isObject(held)) return []
    const reference = held.$ref
    if (typeof reference !== 'string') return Object.keys(held)
    const target = find(reference, { source: root, pointer: `/components/${section}` })
    const found = target && valueAt(target.source.document.value, target.pointer)
    return isObject(found) ? Object.keys(found) : []
  }
  return Object.fromEntries(
    Object.entries(components).map(([section, held]) => [
      section,
      Object.fromEntries(namesIn(section, held).map((name) => [name, undefined])),
    ]),
  )
}

function withSections(components: unknown, sections: Readonly<Record<string, Values>>): Values {
  const made: Values = isObject(components) ? { ...components } : {}
  for (const [section, moved] of Object.entries(sections)) {
    const own = made[section]
    const added = Object.entries(moved).filter(([, value]) => value !== undefined)
    if (added.length > 0) made[section] = { ...(isObject(own) ? own : {}), ...Object.fromEntries(added) }
  }
  return made
}

function originOf(pointer: string, origins: ReadonlyMap<string, Pick<At, 'source' | 'pointer'>>, root: Source) {
  for (let end = pointer.length; end > 0; end = pointer.lastIndexOf('/', end - 1)) {
    const origin = origins.get(pointer.slice(0, end))
    if (origin) return { source: origin.source, pointer: `${origin.pointer}${pointer.slice(end)}` }
  }
  return { source: root, pointer }
}

/** They name schemas or point at named ones; in the bundled document every reference is a pointer. */
const LINKS_OF_SCHEMAS = new Set(['$id', '$anchor', '$dynamicAnchor', '$dynamicRef', '$schema'])

/** What may stand beside a reference; before OpenAPI 3.1 nothing else counts, but many wrote `nullable` and meant it. */
const WORDS = new Set(['summary', 'description'])
const WORDS_AND_NULL = new Set([...WORDS, 'nullable'])

function below({ source, pointer, target }: At, name: string): At {
  const part = encodePointer(name)
  return { source, pointer: `${pointer}/${part}`, target: `${target}/${part}` }
}

/** A member of any name, `__proto__` too. */
function set(object: Values, name: string, value: unknown): void {
  if (name === '__proto__')
    Object.defineProperty(object, name, { value, enumerable: true, configurable: true, writable: true })
  else object[name] = value
}

function freeName(wanted: string, taken: Readonly<Values>): string {
  if (!Object.hasOwn(taken, wanted)) return wanted
  let number = 2
  while (Object.hasOwn(taken, `${wanted}_${number}`)) number++
  return `${wanted}_${number}`
}
