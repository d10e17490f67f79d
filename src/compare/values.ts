import { Buffer } from 'node:buffer'
import { isObject, parseJson } from '../formats/json.ts'
import { parseInstant } from '../formats/instant.ts'

/** What a value is, by its name and its form. Ids, tokens and instants are matched up between the sides; others are compared. */
export type Kind = 'id' | 'token' | 'instant' | 'plain'

/** Names of members that hold the token of a page. */
const TOKEN = /^(next|previous|prev|cursor|.*(token|cursor|marker|bookmark))$/i
const ID = /^(id|_id|uuid|guid|key|etag|.*[a-z](Id|ID|Uuid|UUID)|.*_id)$/
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i
const TIME = /(date|time|at|created|updated|modified|expires|since|until|timestamp)$/i

export function kindOf(name: string, value: unknown): Kind {
  if (typeof value === 'string') {
    if (parseInstant(value)) return 'instant'
    if (TOKEN.test(name) && value !== '') return 'token'
    return UUID.test(value) || ID.test(name) ? 'id' : 'plain'
  }
  if (typeof value === 'number' && isMoment(value) && TIME.test(name)) return 'instant'
  const isInteger = typeof value === 'bigint' || Number.isInteger(value)
  return isInteger && ID.test(name) ? 'id' : 'plain'
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
export function formOf(kind: Kind, value: unknown): string {
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
  const json = readBase64(token)
  return isObject(json) ? `a readable token of ${Object.keys(json).toSorted().join(', ')}` : 'an opaque token'
}

function readBase64(token: string): unknown {
  try {
    return parseJson(new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(token, 'base64')))
  } catch {
    return undefined
  }
}

/** Finds out whether the values of two sides can stand for each other: each has one partner throughout a case. */
export interface Matcher {
  /** Whether the sides have other items. Then only what they look like is compared. */
  readonly isStrange: boolean
  /** Values of a request that both sides got are the same on both. */
  share(value: unknown): void
  /** Undefined when they match, else the value that the stand-in's stood for before. */
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
