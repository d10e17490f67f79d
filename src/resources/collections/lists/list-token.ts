import type { TokenCodec } from '../../../engine/tokens.ts'
import { parseJson, stringifyJson } from '../../../formats/json.ts'
import type { Place } from '../documents/selection.ts'

/** A place in a list, and which way a page goes from it. */
export interface ListToken {
  /** The list, its conditions and its order: a token leads to a page of these alone. */
  readonly scope: string
  readonly rel: 'next' | 'prev'
  readonly place: Place
}

export function encodeToken({ encrypt }: TokenCodec, { scope, rel, place }: ListToken): string {
  return encrypt(stringifyJson([scope, rel, place.seq, place.values]))
}

/** Undefined for anything but a token of a list. */
export function decodeToken({ decrypt }: TokenCodec, token: string): ListToken | undefined {
  const text = decrypt(token)
  if (text === undefined) return undefined
  const [scope, rel, seq, values] = parseJson(text) as [string, 'next' | 'prev', number, Place['values']]
  return { scope, rel, place: { seq, values } }
}
