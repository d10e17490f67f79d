import type { TokenCodec } from '../../../../engine/random.ts'
import { parseJson, stringifyJson } from '../../../../base/formats/json.ts'
import type { Place } from '../../documents/selection.ts'

/** A place in a list, and which way a page goes from it. */
interface ListToken {
  /** The list, its conditions and its order: a token leads to a page of these alone. */
  readonly scope: string
  readonly rel: 'next' | 'prev'
  /** The number of the page that it leads to, from 1. */
  readonly page: number
  readonly place: Place
}

export function encodeToken({ encrypt }: TokenCodec, { scope, rel, page, place }: ListToken): string {
  return encrypt(stringifyJson([scope, rel, page, place.seq, place.values]))
}

/** Undefined for a text that is not a token of a list. */
export function decodeToken({ decrypt }: TokenCodec, token: string): ListToken | undefined {
  const text = decrypt(token)
  if (text === undefined) return undefined
  const [scope, rel, page, seq, values] = parseJson(text) as [string, 'next' | 'prev', number, number, Place['values']]
  return { scope, rel, page, place: { seq, values } }
}

/** A token of the end of a list: what is created later comes after it. Only `startToken` gives such scopes. */
export function startToken(tokens: TokenCodec, instance: string, made: number): string {
  return encodeToken(tokens, { scope: startScope(instance), rel: 'next', page: 1, place: { seq: made, values: [] } })
}

export function startScope(instance: string): string {
  return `start ${instance}`
}
