import { type Kind, walk } from './grammar.ts'
import { follow } from '../schemas/lookup.ts'
import { isReference, partsOf, valueAt } from '../pointer.ts'
import { encodePointer } from '../../formats/json.ts'

type Values = Record<string, unknown>

/**
 * Removes parts of a document, and then whatever refers to something that is not there: such a schema accepts everything, and any
 * other part is removed too. The document is changed.
 */
export function leaveOut(document: Readonly<Values>, pointers: readonly string[]): void {
  let parts: readonly string[] = pointers
  do {
    // From the end, so that the elements of a list keep their places until it is their turn.
    for (const pointer of [...new Set(parts)].sort(compareParts).reverse()) remove(document, pointer)
    parts = dangling(document)
  } while (parts.length > 0)
}

function remove(document: Readonly<Values>, pointer: string): void {
  const parts = partsOf(pointer)
  const last = parts.pop() ?? ''
  const holder = valueAt(document, parts.map((part) => `/${encodePointer(part)}`).join(''))
  if (Array.isArray(holder)) holder.splice(Number(last), 1)
  else if (typeof holder === 'object' && holder !== null) Reflect.deleteProperty(holder, last)
}

/** What to remove so that no reference leads nowhere. */
function dangling(document: Readonly<Values>): string[] {
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
