import { encodePointer, isObject, splitPointer } from '../../base/formats/json.ts'

/** A part of a document that is too long for one record: the document with its long lists empty, or some elements of one of those. */
export interface RecordPart {
  /** Where the list is, as a JSON pointer; undefined for the document. */
  readonly at?: string
  readonly value?: unknown
  readonly values?: readonly unknown[]
}

/** Elements of a list in one part. */
const MAX_ELEMENTS = 500

/** Splits a document into parts. @example [...splitDocument({ a: [1, 2] })] // [{ value: { a: [1, 2] } }] */
export function* splitDocument(document: unknown): Generator<RecordPart> {
  const long: { at: string; list: readonly unknown[] }[] = []
  yield { value: cut(document, '', long) }
  // Lists within elements of a list are found while that is split, and come after it.
  for (const { at, list } of long) {
    for (let from = 0; from < list.length; from += MAX_ELEMENTS) {
      const some = list.slice(from, from + MAX_ELEMENTS)
      yield { at, values: some.map((one, index) => cut(one, `${at}/${from + index}`, long)) }
    }
  }
}

function cut(value: unknown, at: string, long: { at: string; list: readonly unknown[] }[]): unknown {
  if (Array.isArray(value)) {
    if (value.length <= MAX_ELEMENTS) return value.map((one, index) => cut(one, `${at}/${index}`, long))
    long.push({ at, list: value })
    return []
  }
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, cut(inner, `${at}/${encodePointer(name)}`, long)]),
  )
}

/** Adds a part's elements to the list that they belong to. @throws Error when there is no such list */
export function addPart(document: unknown, { at = '', values = [] }: RecordPart): void {
  let place = document
  for (const name of splitPointer(at))
    place = isObject(place) || Array.isArray(place) ? (place as Record<string, unknown>)[name] : undefined
  if (!Array.isArray(place)) throw new Error(`there is no list at ${at}`)
  place.push(...values)
}
