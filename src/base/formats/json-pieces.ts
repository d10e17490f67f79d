import { isObject, stringifyJson } from './json.ts'

/**
 * A list whose elements are made when they are written, one after the other. It stands for an array in what `jsonPieces` writes, and
 * has its type, so that bodies keep the types of their documents; nothing else may look at it.
 */
export function lazily<Item, Element>(items: Iterable<Item>, make: (item: Item) => Element): readonly Element[] {
  const list: Iterable<Element> = {
    *[Symbol.iterator]() {
      for (const item of items) yield make(item)
    },
  }
  return list as readonly Element[]
}

/** Characters that are gathered to a piece. */
const PIECE = 16_384

/** JSON text, as `stringifyJson` writes it, in pieces: long lists element by element, so that no piece takes long. */
export function* jsonPieces(value: unknown): Generator<string, undefined> {
  if (!isLong(value)) yield stringifyJson(value)
  else if (isList(value)) yield* listPieces(value)
  else yield* memberPieces(value as Readonly<Record<string, unknown>>)
}

function* listPieces(list: Iterable<unknown>): Generator<string, undefined> {
  let piece = '['
  let isFirst = true
  for (const element of list) {
    if (!isFirst) piece += ','
    isFirst = false
    if (isLong(element)) {
      yield piece
      piece = ''
      yield* jsonPieces(element)
    } else piece += element === undefined ? 'null' : stringifyJson(element)
    if (piece.length < PIECE) continue
    yield piece
    piece = ''
  }
  yield `${piece}]`
}

function* memberPieces(value: Readonly<Record<string, unknown>>): Generator<string, undefined> {
  let separator = '{'
  for (const [name, inner] of Object.entries(value)) {
    if (inner === undefined) continue
    yield `${separator}${JSON.stringify(name)}:`
    yield* jsonPieces(inner)
    separator = ','
  }
  yield separator === '{' ? '{}' : '}'
}

/** At most this many elements are written at once. */
const LONG = 50
/** Where a value nests deeper than so, it is written at once. */
const DEEPEST = 6

function isLong(value: unknown, depth = 0): boolean {
  if (typeof value !== 'object' || value === null || depth > DEEPEST) return false
  if (Array.isArray(value)) return value.length > LONG || value.some((element) => isLong(element, depth + 1))
  return isList(value) || (isObject(value) && Object.values(value).some((inner) => isLong(inner, depth + 1)))
}

function isList(value: unknown): value is Iterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.iterator in value
}
