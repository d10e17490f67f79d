import { type Kind, METHODS, walk } from './grammar.ts'
import { follow } from '../schemas/lookup.ts'
import { isReference, partsOf, valueAt } from '../pointer.ts'
import { encodePointer, isObject } from '../../formats/json.ts'

type Values = Readonly<Record<string, unknown>>

/**
 * Removes parts of a document in place, and then references to what is gone: such a schema accepts everything, any other part is
 * removed too.
 */
export function leaveOut(document: Values, pointers: readonly string[]): void {
  let parts: readonly string[] = pointers
  do {
    // From the end, so that removing an element does not move the ones still to be removed.
    for (const pointer of [...new Set(parts)].sort(compareParts).reverse()) remove(document, pointer)
    parts = dangling(document)
  } while (parts.length > 0)
}

function remove(document: Values, pointer: string): void {
  const parts = partsOf(pointer)
  const last = parts.pop() ?? ''
  const holder = valueAt(document, parts.map((part) => `/${encodePointer(part)}`).join(''))
  if (Array.isArray(holder)) holder.splice(Number(last), 1)
  else if (typeof holder === 'object' && holder !== null) Reflect.deleteProperty(holder, last)
}

/** The pointers of references that lead nowhere. */
function dangling(document: Values): string[] {
  const found: string[] = []
  walk(document, (kind: Kind, value, pointer) => {
    if (!isReference(value) || follow(document, value) !== undefined || kind === 'example') return
    found.push(kind === 'schema' ? `${pointer}/$ref` : pointer)
  })
  return found
}

function compareParts(one: string, other: string): number {
  const [a, b] = [partsOf(one), partsOf(other)]
  for (const [index, part] of a.entries()) {
    const against = b[index]
    if (against === undefined) return 1
    if (part !== against)
      return /^\d+$/.test(part) && /^\d+$/.test(against) ? Number(part) - Number(against) : part < against ? -1 : 1
  }
  return a.length - b.length
}

/** Gives each operation without an id one of its method and path, such as `getThingsById`. */
export function withIds(document: Values): Values {
  const paths = isObject(document.paths) ? document.paths : {}
  const taken = new Set(idsIn(paths))
  const made = Object.entries(paths).map(([path, item]): [string, unknown] => {
    if (!isObject(item)) return [path, item]
    const members = Object.entries(item).map(([name, held]): [string, unknown] => {
      const isNameless =
        (METHODS as readonly string[]).includes(name) && isObject(held) && held.operationId === undefined
      return [name, isNameless ? { operationId: freeId(idOf(name, path), taken), ...held } : held]
    })
    return [path, Object.fromEntries(members)]
  })
  return { ...document, paths: Object.fromEntries(made) }
}

function idsIn(paths: Values): string[] {
  return Object.values(paths).flatMap((item) =>
    METHODS.flatMap((method) => {
      const held = isObject(item) ? item[method] : undefined
      return isObject(held) && typeof held.operationId === 'string' ? [held.operationId] : []
    }),
  )
}

/** `get` and `/things/{id}/parts` are `getThingsByIdParts`. */
function idOf(method: string, path: string): string {
  const words = path.replaceAll(/\{([^{}]*)\}/g, ' by $1 ').match(/[\p{L}\p{N}]+/gu) ?? []
  return [method, ...words.map((word) => `${word.slice(0, 1).toUpperCase()}${word.slice(1)}`)].join('')
}

function freeId(wanted: string, taken: Set<string>): string {
  let id = wanted
  for (let number = 2; taken.has(id); number++) id = `${wanted}${number}`
  taken.add(id)
  return id
}
