import { encodePointer, isObject } from '../../formats/json.ts'

/** A part of a document that is too long for one line: the document with its long lists empty, or some elements of one of those. */
export interface Part {
  /** Where the list is, as a JSON pointer; undefined for the document. */
  readonly at?: string
  readonly value?: unknown
  readonly values?: readonly unknown[]
}

/** Elements of a list in one part. */
const MOST_ELEMENTS = 500

/** Splits a document into parts. @example [...takeApart({ a: [1, 2] })] // [{ value: { a: [1, 2] } }] */
export function* takeApart(document: unknown): Generator<Part> {
  const long: { at: string; list: readonly unknown[] }[] = []
  yield { value: cut(document, '', long) }
  // Lists within elements of a list are found while that is split, and come after it.
  for (const { at, list } of long) {
    for (let from = 0; from < list.length; from += MOST_ELEMENTS) {
      const some = list.slice(from, from + MOST_ELEMENTS)
      yield { at, values: some.map((one, index) => cut(one, `${at}/${from + index}`, long)) }
    }
  }
}

function cut(value: unknown, at: string, long: { at: string; list: readonly unknown[] }[]): unknown {
  if (Array.isArray(value)) {
    if (value.length <= MOST_ELEMENTS) return value.map((one, index) => cut(one, `${at}/${index}`, long))
    long.push({ at, list: value })
    return []
  }
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, cut(inner, `${at}/${encodePointer(name)}`, long)]),
  )
}

/** Adds a part's elements to the list that they belong to. @throws Error when there is no such list */
export function addPart(document: unknown, { at = '', values = [] }: Part): void {
  let place = document
  for (const part of at.split('/').slice(1)) {
    const name = part.replaceAll('~1', '/').replaceAll('~0', '~')
    place = isObject(place) || Array.isArray(place) ? (place as Record<string, unknown>)[name] : undefined
  }
  if (!Array.isArray(place)) throw new Error(`there is no list at ${at}`)
  place.push(...values)
}
