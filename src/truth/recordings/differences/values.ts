import { Buffer } from 'node:buffer'
import { isObject, tryParseJson } from '../../../base/formats/json.ts'
import { parseInstant } from '../../../base/formats/instant.ts'
import { wordsOf } from '../../../base/formats/names.ts'

/** What a value is, by its name and its form. Ids, tokens and instants are matched up between the sides; others are compared. */
export type ComparedKind = 'id' | 'token' | 'instant' | 'plain'

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i
/** The whole name of a member that holds the token of a page, and the ends of others. */
const PAGES = new Set(['next', 'previous', 'prev'])
const TOKENS = ['token', 'cursor', 'marker', 'bookmark']
/** The last word of a name. `paid`, `valid` and `bid` are words of their own, though they end in `id`. */
const IDS = new Set(['id', 'uuid', 'guid'])
const TIMES = new Set(['time', 'at', 'on', 'created', 'updated', 'modified', 'expires', 'since', 'until'])
const DATES = ['date', 'timestamp']

function isTokenName(words: readonly string[], last: string): boolean {
  return (words.length === 1 && PAGES.has(last)) || TOKENS.some((end) => last.endsWith(end))
}

function isIdName(words: readonly string[], last: string): boolean {
  return IDS.has(last) || (words.length === 1 && (last === 'key' || last === 'etag'))
}

function isTimeName(last: string): boolean {
  return TIMES.has(last) || DATES.some((end) => last.endsWith(end))
}

export function kindOf(name: string, value: unknown): ComparedKind {
  const words = wordsOf(name)
  const last = words.at(-1) ?? ''
  if (typeof value === 'string') {
    if (parseInstant(value)) return 'instant'
    if (isTokenName(words, last) && value !== '') return 'token'
    return UUID.test(value) || isIdName(words, last) ? 'id' : 'plain'
  }
  if (typeof value === 'number' && isMoment(value) && isTimeName(last)) return 'instant'
  const isInteger = typeof value === 'bigint' || Number.isInteger(value)
  return isInteger && isIdName(words, last) ? 'id' : 'plain'
}

/** From 2001 to 2286, in milliseconds or seconds since the Unix epoch. */
function isMoment(value: number): boolean {
  return Number.isInteger(value) && value >= 1_000_000_000 && value < 10_000_000_000_000
}

/** Epoch ms. */
export function momentOf(value: unknown): number | undefined {
  if (typeof value === 'string') return parseInstant(value)?.ms
  return typeof value === 'number' ? (value < 10_000_000_000 ? value * 1000 : value) : undefined
}

/** How a value is written: two instants of different forms are a difference. */
export function formOf(kind: ComparedKind, value: unknown): string {
  if (kind === 'instant') return instantForm(value)
  if (kind === 'token') return tokenForm(String(value))
  return typeof value
}

function instantForm(value: unknown): string {
  if (typeof value !== 'string')
    return Number(value) < 10_000_000_000 ? 'a number of seconds' : 'a number of milliseconds'
  const digits = /\.(\d+)/.exec(value)?.[1]?.length ?? 0
  const zone = /Z$/i.test(value) ? 'Z' : 'an offset'
  return `a timestamp with ${digits} fraction digits and ${zone}`
}

/** A token that can be read says what it is made of. */
function tokenForm(token: string): string {
  const json = tryParseJson(Buffer.from(token, 'base64').toString())
  return isObject(json) ? `a readable token of ${Object.keys(json).toSorted().join(', ')}` : 'an opaque token'
}

/** Takes any value of one side for any of the other. */
export const ANY_MATCH: Matcher = { isStrange: false, share: () => undefined, match: () => true }

/** Finds out whether the values of two sides can stand for each other: each has one partner throughout a case. */
export interface Matcher {
  /** Whether the sides have other items. Then only what they look like is compared. */
  readonly isStrange: boolean
  /** Values of a request that both sides got are the same on both. */
  share(value: unknown): void
  /** Whether each of them stands for the other, as before or from now on. */
  match(standin: unknown, target: unknown): boolean
}

export function createMatcher(isStrange = false): Matcher {
  const toTarget = new Map<string, string>()
  const toStandin = new Map<string, string>()
  const match = (standin: unknown, target: unknown) => {
    const [ours, theirs] = [String(standin), String(target)]
    const partner = toTarget.get(ours)
    const other = toStandin.get(theirs)
    if (partner !== undefined || other !== undefined) return partner === theirs && other === ours
    toTarget.set(ours, theirs)
    toStandin.set(theirs, ours)
    return true
  }
  return { isStrange, match, share: (value) => void match(value, value) }
}
