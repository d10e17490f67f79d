import { isDeepStrictEqual } from 'node:util'
import { isObject } from '../../base/formats/json.ts'
import { plainName, wordsOf } from '../../base/formats/names.ts'
import type { Documented } from '../../contract/schemas/documented.ts'
import type { Shape } from '../../contract/schemas/shape.ts'

/** What the examples of a document show of the codes of its errors. */
export interface ShownCodes {
  /** Whether the example of the response is about its status alone. */
  readonly isOwn: boolean
  /** A code of any error of the document; undefined where its examples have none. */
  readonly any: () => string | undefined
}

/** The code that a document shows in the place of one of ours, or ours as it spells the others. @param shown the example of the member */
export function codeAs(value: unknown, { keywords }: Shape, shown: unknown, { isOwn, any }: ShownCodes): unknown {
  if (keywords.enum !== undefined || typeof value !== 'string') return value
  if (isOwn && isCode(shown)) return shown
  if (!isCode(value) || value.includes('.')) return value
  const like = [shown, keywords.example, keywords.examples].flat().find(isCode) ?? any()
  return like === undefined ? value : spelledLike(value, like)
}

/** Whether a response has an example that no other error of its operation has. */
export function hasOwnExample(documented: Documented, status: number): boolean {
  const { example, isOneOfSeveral } = documented.response(status) ?? {}
  const others = documented.statuses.filter((one) => one !== String(status) && /^[45]\d\d$/.test(one))
  const isShared = others.some((one) => isDeepStrictEqual(documented.response(Number(one))?.example, example))
  return example !== undefined && isOneOfSeveral !== true && !isShared
}

/** The code in an example of an error; undefined for none. */
export function codeIn(example: unknown, levels = 3): string | undefined {
  if (Array.isArray(example)) return codeIn(example[0], levels)
  if (!isObject(example) || levels === 0) return undefined
  const own = Object.entries(example).find(([name, value]) => /^(error)?code$/.test(plainName(name)) && isCode(value))
  const inner = Object.values(example).map((one) => codeIn(one, levels - 1))
  return own ? String(own[1]) : inner.find((one) => one !== undefined)
}

/** How services spell the codes of their errors: `not_found`, `NOT_FOUND`, `NotFound`, `notFound`, `not-found`. */
const SPELLINGS: readonly (readonly [RegExp, (words: readonly string[]) => string])[] = [
  [/^[a-z\d]+(_[a-z\d]+)*$/, (words) => words.join('_')],
  [/^[A-Z\d]+(_[A-Z\d]+)*$/, (words) => words.join('_').toUpperCase()],
  [/^[a-z\d]+(-[a-z\d]+)+$/, (words) => words.join('-')],
  [/^[A-Z\d]+(-[A-Z\d]+)+$/, (words) => words.join('-').toUpperCase()],
  [/^([A-Z][a-z\d]+)+$/, (words) => words.map(capital).join('')],
  [/^[a-z]+([A-Z][a-z\d]+)+$/, ([first = '', ...rest]) => first + rest.map(capital).join('')],
]

function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1)
}

/** Whether a text can be a code for programs, and no sentence and no number: `invalid_request`. */
function isCode(value: unknown): value is string {
  return typeof value === 'string' && /^[A-Za-z][\w.-]{1,62}[A-Za-z\d]$/.test(value) && !/^[a-f\d]{8,}$/i.test(value)
}

/** Whether a text is a code of words, which no id of a request is: `not_found`. */
export function isWordCode(value: unknown): boolean {
  return isCode(value) && !/\d/.test(value)
}

/** A code as a document spells the one that it shows. */
function spelledLike(code: string, shown: string): string {
  const [, spell] = SPELLINGS.find(([pattern]) => pattern.test(shown)) ?? []
  return spell ? spell(wordsOf(code)) : code
}
