import { crc32 } from 'node:zlib'
import { encodePointer, isObject, parseJson, splitPointer, stringifyJson } from '../../base/formats/json.ts'

/**
 * Lines of JSON, each with a checksum of itself and everything before it, so that a line that was changed, lost, doubled or moved is
 * detected. The checksum is the first member of the line and is computed without itself.
 */
export interface LineWriter {
  /** One line, with its line break. @param value an object that is not empty */
  write(value: object): string
  /** A copy, for lines that may be discarded. */
  copy(): LineWriter
}

const OPENING = '{"sum":"'
const SUM_LENGTH = 8

export function createLineWriter(start = 0): LineWriter {
  let sum = start
  return {
    write(value) {
      const text = stringifyJson(value)
      sum = crc32(text, sum)
      return `${OPENING}${inHex(sum)}",${text.slice(1)}\n`
    },
    copy: () => createLineWriter(sum),
  }
}

export interface LineReader {
  /** The object in a line. @throws Error with what is wrong */
  read(text: string): Readonly<Record<string, unknown>>
  /** A writer that continues after the last line that was read. */
  writer(): LineWriter
}

export function createLineReader(): LineReader {
  let sum = 0
  return {
    read(text) {
      const end = OPENING.length + SUM_LENGTH
      if (!text.startsWith(OPENING) || !text.startsWith('",', end)) throw new Error('it does not begin with its sum')
      const rest = `{${text.slice(end + 2)}`
      const counted = crc32(rest, sum)
      if (inHex(counted) !== text.slice(OPENING.length, end))
        throw new Error('its sum does not fit, so it was changed, or one before it is missing')
      sum = counted
      const value = parseJson(rest)
      if (!isObject(value)) throw new Error('it is not a JSON object')
      return value
    },
    writer: () => createLineWriter(sum),
  }
}

function inHex(sum: number): string {
  return sum.toString(16).padStart(SUM_LENGTH, '0')
}

/** A part of a document that is too long for one line: the document with its long lists empty, or some elements of one of those. */
export interface LinePart {
  /** Where the list is, as a JSON pointer; undefined for the document. */
  readonly at?: string
  readonly value?: unknown
  readonly values?: readonly unknown[]
}

/** Elements of a list in one part. */
const MAX_ELEMENTS = 500

/** Splits a document into parts. @example [...takeApart({ a: [1, 2] })] // [{ value: { a: [1, 2] } }] */
export function* takeApart(document: unknown): Generator<LinePart> {
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
export function addPart(document: unknown, { at = '', values = [] }: LinePart): void {
  let place = document
  for (const name of splitPointer(at))
    place = isObject(place) || Array.isArray(place) ? (place as Record<string, unknown>)[name] : undefined
  if (!Array.isArray(place)) throw new Error(`there is no list at ${at}`)
  place.push(...values)
}
