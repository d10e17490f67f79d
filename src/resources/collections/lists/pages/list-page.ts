import { type BehaviourTracker } from '../../../../behaviours/tracker.ts'
import { refusal } from '../../../../behaviours/refusal.ts'
import type { TokenCodec } from '../../../../engine/random.ts'
import { cursorInvalid, pageNotFound } from '../../../../base/errors/resource-errors.ts'
import { counted } from '../../../../base/errors/wording.ts'
import { corruptPage, type CorruptPage } from '../../../../engine/faults/page-faults.ts'
import type { FaultStrikes } from '../../../../engine/faults/fault.ts'
import type { Documents } from '../../documents/documents.ts'
import type { Entry } from '../../documents/stored-document.ts'
import type { SelectedDocuments } from '../../documents/select.ts'
import type { Place } from '../../documents/selection.ts'
import { decodeToken, encodeToken, startScope, startToken } from './list-token.ts'
import type { PagePosition } from '../read-list-query.ts'

/** A page of a list. */
export interface ListPage {
  readonly entries: readonly Entry[]
  /** Items before it, before the next one, and on all pages. */
  readonly offset: number
  readonly end: number
  readonly total: number
  /** The most items of a page. */
  readonly size: number
  /** The token of the page after or before it; undefined where there is none. */
  token(rel: 'next' | 'prev'): string | undefined
  /** The token for what is created later: `newStartPageToken`. */
  startToken(): string
}

/** What a page is taken of. */
interface PageOptions {
  readonly selected: SelectedDocuments
  readonly documents: Documents
  readonly position: PagePosition
  readonly size: number
  /** The most items of a page by the request or the contract; infinite for a list without pages. */
  readonly limit: number
  /** The list, its conditions and its order. */
  readonly scope: string
  /** The name of the instance. */
  readonly instance: string
  readonly tokens: TokenCodec
  readonly tracker: BehaviourTracker
  /** Faults that may affect the page. */
  readonly faults: FaultStrikes | undefined
  /** Whether the next page begins where this one ends, and not at a multiple of its size. */
  readonly continues: boolean
}

/** @throws Problem 400 for a token of another list, 404 for a page beyond the end where behaviours say so */
export function pageOf(options: PageOptions): ListPage {
  const { selected, size, tokens, scope } = options
  const { count: total } = selected
  const { offset, limit, page } = windowOf(options)
  const found = selected.slice(offset, limit)
  const { shown, kept } = options.faults ? corruptPage({ ...options, found }, options.faults) : whole(found)
  const end = offset + kept
  const number = page ?? (size === 0 ? 1 : Math.floor(offset / size) + 1)
  return {
    entries: shown,
    offset,
    end,
    total,
    size,
    startToken: () => startToken(tokens, options.instance, options.documents.made),
    token(rel) {
      const hasPage = rel === 'next' ? kept > 0 && end < total : offset > 0
      const entry = rel === 'next' ? found[kept - 1] : found[0]
      const to = rel === 'next' ? number + 1 : Math.max(1, number - 1)
      return hasPage && entry
        ? encodeToken(tokens, { scope, rel, page: to, place: selected.placeOf(entry) })
        : undefined
    },
  }
}

function whole(found: readonly Entry[]): CorruptPage<Entry> {
  return { shown: found, kept: found.length }
}

interface Window {
  readonly offset: number
  readonly limit: number
  /** The number of the page, from 1, where a token tells it. */
  readonly page?: number
}

function windowOf(options: PageOptions): Window {
  const { position, size, selected, tracker } = options
  switch (position.kind) {
    case 'start':
      return { offset: 0, limit: size }
    case 'page':
    case 'offset':
      return beyondEnd(position.kind === 'page' ? position.page * size : position.offset, size, selected, tracker)
    case 'after':
    case 'before':
      return windowAt(options, position)
  }
}

/** A page or an offset beyond the end. An empty list has one empty page. */
function beyondEnd(offset: number, size: number, { count }: SelectedDocuments, tracker: BehaviourTracker): Window {
  if (offset < count || offset === 0) return { offset, limit: size }
  const answer = tracker.ask('collections.page-beyond')
  if (answer === 'error')
    throw pageNotFound({
      detail: `The list has ${counted(count, 'item')}, so nothing begins after ${counted(offset, 'item')}.`,
    })
  if (answer === 'empty' || size === 0) return { offset, limit: 0 }
  return { offset: Math.max(0, Math.ceil(count / size) - 1) * size, limit: size }
}

/** After or before a page, by its token, or an item, by its id. */
function windowAt(options: PageOptions, { kind, text, where }: Extract<PagePosition, { text: string }>): Window {
  const { selected, size, documents, tokens, scope, tracker } = options
  const token = decodeToken(tokens, text)
  const entry = token ? undefined : documents.entry(text)
  if (token?.scope === scope)
    return { ...windowFrom(selected, token.place, { isBefore: token.rel === 'prev', size }), page: token.page }
  if (token?.scope === startScope(options.instance)) return windowSince(selected, token.place, size)
  if (entry) return windowFrom(selected, selected.placeOf(entry), { isBefore: kind === 'before', size })
  if (tracker.ask('collections.token') === 'first-page') return { offset: 0, limit: size }
  const expected = token
    ? 'a token of this list with the same filters and order'
    : 'a token that this list gave, unchanged, or the id of an item'
  throw cursorInvalid({ violations: [refusal('collections.token', where, expected, text)] })
}

/** The items that were created after a start token was given. */
function windowSince({ count, slice }: SelectedDocuments, { seq }: Place, size: number): Window {
  const later = slice(0, count).filter((one) => one.seq > seq)
  const isNewestFirst = later.length > 0 && slice(0, 1)[0] === later[0]
  return isNewestFirst
    ? { offset: 0, limit: Math.min(size, later.length) }
    : { offset: count - later.length, limit: size }
}

interface PageDirection {
  readonly isBefore: boolean
  readonly size: number
}

function windowFrom(selected: SelectedDocuments, place: Place, { isBefore, size }: PageDirection): Window {
  const after = selected.indexAfter(place)
  if (!isBefore) return { offset: after, limit: size }
  // The item itself may be gone.
  const [last] = selected.slice(after - 1, 1)
  const end = last?.seq === place.seq ? after - 1 : after
  const offset = Math.max(0, end - size)
  return { offset, limit: end - offset }
}
