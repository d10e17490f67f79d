import { hash } from 'node:crypto'
import type { DateFilter, Filter } from '../entries/filter.ts'
import type { Order, SortValue, FieldSort } from '../entries/order.ts'
import type { Instant } from '../../../base/formats/instant.ts'
import { remembering, rememberingEach } from '../../../base/cache.ts'
import { createTokenCodec } from '../../../engine/random.ts'
import { type Integer, parseJson, stringifyJson } from '../../../base/formats/json.ts'

/**
 * A search, validated and with defaults filled in: this is what a cursor contains, and what two requests must
 * share to be pages of the same search.
 */
export interface Query {
  /** Normalised; the empty string is the root. */
  readonly directoryPath: string
  readonly immediateChildren: boolean
  readonly fieldSort: readonly FieldSort[]
  readonly filters: readonly Filter[]
  readonly dateFilters: readonly DateFilter[]
}

/** A query as JSON text. All queries have their members in this order, so equal ones have equal text. */
export const textOfQuery = rememberingEach((query: Query): string => JSON.stringify(query))

/** The position of a walk through the pages of a search. */
export interface Cursor {
  readonly fileSetId: string
  /** The query itself, or its digest when it is too long to carry. */
  readonly query: Query | string
  /** The sort values of the last entry returned, its id last. The next page starts after this position, even if the entry is gone. */
  readonly place: readonly SortValue[]
  /** Identifies the order of these values; in another order they mean nothing. */
  readonly order: string
  /** Pages and entries given so far. */
  readonly pages: number
  readonly given: number
  /** The version of the file set that the walk began with; see `page.changes`. */
  readonly version: number
  /** The limit of the page before. */
  readonly limit: number
  /** When it was issued, epoch ms; only where the behaviour catalogue gives cursors a lifetime. */
  readonly issued?: number | undefined
  /** A digest of the key that it was given to; only where it must not be used with another. */
  readonly key?: string | undefined
}

/** A cursor with its whole query; the codec decides how much of it a token carries. */
type WholeCursor = Cursor & { readonly query: Query }

export interface CursorCodec {
  /** @param isRepeated whether the same cursor is likely to be made again, so that its token is worth remembering */
  encode(cursor: WholeCursor, isRepeated: boolean): string
  /** Undefined for anything but an unchanged token of this codec. */
  decode(token: string): Cursor | undefined
}

/** Equal cursors are equal tokens, and clients repeat walks, so tokens are cached. */
const MAX_TOKENS = 1024
/** A longer query is carried as its digest, so that a token always fits into a URL. */
const LONGEST_QUERY = 1024

/** Cursors as encrypted tokens. */
export function createCursorCodec(seed: number): CursorCodec {
  const { encrypt, decrypt } = createTokenCodec(seed, 'standin cursor')
  const tokenOf = remembering(MAX_TOKENS, encrypt)
  return {
    encode(cursor, isRepeated) {
      const text = textOf(cursor)
      return isRepeated ? tokenOf(text) : encrypt(text)
    },
    decode(token) {
      const text = decrypt(token)
      return text === undefined ? undefined : unpack(JSON.parse(text) as Packed)
    },
  }
}

/** What a token carries of a query, as JSON: the query, or its digest when it is over 1 KB. */
function carried(query: Query): string {
  const text = textOfQuery(query)
  return Buffer.byteLength(text) <= LONGEST_QUERY ? text : JSON.stringify(digest(text))
}

export function digest(text: string): string {
  return hash('sha256', text, 'base64url')
}

/** What a cursor carries of an order: enough to recognise it. */
export function markOf(order: Order): string {
  return (order.memory.mark ??= digest(order.name).slice(0, 16))
}

/** Whether a cursor was made for this query. */
export function isFor(cursor: Cursor, query: Query): boolean {
  const text = textOfQuery(query)
  return typeof cursor.query === 'string' ? cursor.query === digest(text) : JSON.stringify(cursor.query) === text
}

type PackedValue = string | number | null | { readonly integer: string } | Instant
type Packed = readonly [
  string,
  Query | string,
  readonly PackedValue[],
  string,
  number,
  number,
  number,
  number,
  (number | null)?,
  string?,
]

/** A cursor as the JSON of a `Packed`, put together by hand since a query is the most of it and was written before. */
function textOf({ fileSetId, query, place, order, pages, given, version, limit, issued, key }: WholeCursor): string {
  const values = place.map((value) => (typeof value === 'bigint' ? { integer: value.toString() } : value))
  const optional = key === undefined ? (issued === undefined ? [] : [issued]) : [issued ?? null, key]
  const rest = [values, order, pages, given, version, limit, ...optional]
  return `[${JSON.stringify(fileSetId)},${carried(query)},${JSON.stringify(rest).slice(1)}`
}

function unpack([fileSetId, query, values, order, pages, given, version, limit, issued, key]: Packed): Cursor {
  const place = values.map((value): SortValue =>
    typeof value === 'object' && value && 'integer' in value ? BigInt(value.integer) : value,
  )
  return { fileSetId, query, place, order, pages, given, version, limit, issued: issued ?? undefined, key }
}

/** What a plain cursor (`next.content: plain`) shows of the last entry. */
export interface PlainCursor {
  readonly id: string
  readonly path: string
  readonly name: string
  readonly size: Integer | null
  readonly created: string
}

/** Padded standard base64 of JSON, as some services do it. */
export function encodePlain({ id, path, name, size, created }: PlainCursor): string {
  return Buffer.from(stringifyJson({ id, path, name, size, created })).toString('base64')
}

/** Undefined for any other string. */
export function decodePlain(token: string): PlainCursor | undefined {
  try {
    const held = parseJson(Buffer.from(token, 'base64').toString()) as Partial<
      Record<keyof PlainCursor, unknown>
    > | null
    const { id, path, name, size, created } = held ?? {}
    if (typeof id !== 'string' || typeof path !== 'string' || typeof name !== 'string' || typeof created !== 'string')
      return undefined
    return size === null || typeof size === 'number' || typeof size === 'bigint'
      ? { id, path, name, size, created }
      : undefined
  } catch {
    return undefined
  }
}
