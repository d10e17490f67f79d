import { shown } from '../../../base/errors/problem.ts'
import { nearest } from '../../../base/errors/wording.ts'
import { asText, isObject } from '../../../base/formats/json.ts'
import { mergePatch } from '../../../base/formats/merge-patch.ts'
import { readMembers } from '../../fixture-reader.ts'
import { events, type UserEvent } from '../events.ts'
import type { StateView } from '../state-view.ts'
import type { StubReader } from './stub-reader.ts'
import { type FilledTemplate, readTemplate, type TemplateSource } from './template.ts'

export interface ChangeReader extends StubReader {
  /** The collections of the contract: `orders`, `{teamId}/projects`. */
  readonly collections: readonly string[]
}

/** What a stub changes with its response. */
export type StubChange = (state: StateView, source: TemplateSource) => UserEvent

const KINDS = ['create', 'update', 'remove'] as const

export function readChanges(given: unknown, pointer: string, parts: ChangeReader): readonly StubChange[] {
  if (given === undefined) return []
  const list = Array.isArray(given) ? (given as readonly unknown[]) : [given]
  return list.flatMap((one, index) => {
    const at = Array.isArray(given) ? `${pointer}/${index}` : pointer
    const read = readMembers(one, at, [...KINDS, 'id', 'document'], 'A change', parts)
    const kind = KINDS.find((name) => read[name] !== undefined)
    const collection = kind && read[kind]
    if (kind === undefined || typeof collection !== 'string') {
      parts.complain(
        at,
        `expected { create: orders, document: … }, { update: orders, id: …, document: … } or { remove: orders, id: … }; got ${shown(one)}.`,
      )
      return []
    }
    if (read.id === undefined && kind !== 'create')
      parts.complain(`${at}/id`, `expected the id of what is to be ${kind}d. Add it.`)
    const id = readTemplate(read.id, `${at}/id`, parts)
    const nameIn = readCollection(collection, `${at}/${kind}`, parts)
    const document = readTemplate(read.document ?? {}, `${at}/document`, parts)
    return [
      (state: StateView, source: TemplateSource) => changeOf(kind, nameIn(source), { id, document, state, source }),
    ]
  })
}

interface Changing {
  readonly id: FilledTemplate
  readonly document: FilledTemplate
  readonly state: StateView
  readonly source: TemplateSource
}

/** An update is a JSON Merge Patch. */
function changeOf(
  kind: (typeof KINDS)[number],
  collection: string,
  { id, document, state, source }: Changing,
): UserEvent {
  const items = state.collection(collection)
  const filled = document.fill(source)
  const given = id.fill(source) ?? (isObject(filled) ? filled.id : undefined) ?? items.nextId
  const key = asText(given)
  if (kind === 'remove') return events.remove(collection, key)
  if (kind === 'create') return events.create(collection, key, filled as object)
  return events.update(collection, key, mergePatch(items.get(key) ?? {}, filled) as object)
}

/** A parameter of the path in the name of a nested collection: `{teamId}/projects`. */
const PARENT = /\{([^{}$]+)\}/g

/** The name of a collection, or of the one that the path of a request goes through; a name of no collection of the contract is one of the user. */
function readCollection(
  given: string,
  pointer: string,
  { collections, complain, ...reader }: ChangeReader,
): (source: TemplateSource) => string {
  const same = collections.filter((one) => one === given || one.split('/').at(-1) === given)
  const [known = given] = same.includes(given) ? [given] : same
  if (same.length === 0 && !given.includes('{')) {
    const near = nearest(given, [...collections, ...collections.map((one) => one.split('/').at(-1) ?? '')])
    if (near !== undefined)
      complain(pointer, `the contract has no collection ${shown(given)}. Did you mean \`${near}\`?`)
  }
  const name = readTemplate(known, pointer, { complain, ...reader })
  return (source) =>
    asText(name.fill(source) as string).replaceAll(PARENT, (_whole, parameter: string) =>
      encodeURIComponent(asText(source.path(parameter) as string)),
    )
}
