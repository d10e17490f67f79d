import { gistOf } from './gist.ts'
import { ignoredIn, wordsOfIgnored } from '../ignored.ts'
import type { Row } from './walks.ts'

/** What the request of a row asked for, and what of it had no effect, in words; empty for nothing. */
export function askedOf({ exchange, walk, page }: Row): { readonly gist: string; readonly ignored: string } {
  // The first page of a walk says it; later ones may have the token alone.
  const said = page === undefined ? (walk?.pages[0] ?? exchange) : exchange
  const ignored = ignoredIn(said)
  const unused = [...ignored.query, ...ignored.body.map((pointer) => pointer.slice(1))]
  const hidden = new Set(walk ? [walk.parameter, ...unused] : unused)
  return { gist: gistOf(said, hidden), ignored: wordsOfIgnored(ignored) }
}
