import { escapeRegExp } from '../../base/escape-reg-exp.ts'
import { isObject, type Members, tryParseJson } from '../../base/formats/json.ts'

/** A canned response of another mock server, in the words of stubs, but for the operation: that is found by method and path. */
export interface ForeignStub {
  readonly name: string | undefined
  /** In upper case; undefined for any. */
  readonly method: string | undefined
  readonly path: readonly ForeignSegment[]
  readonly when: ForeignConditions
  readonly respond: readonly ForeignResponse[]
  readonly fault?: readonly Members[]
  /** Whether its responses begin again after the last one. */
  readonly isRepeated?: boolean
  /** As stubs have it: the state that it is for, and the one that it leads to. */
  readonly scenario?: Members | undefined
}

/** A route that keeps items, which is a collection here. */
export interface ForeignCollection {
  readonly path: readonly ForeignSegment[]
  /** The member that names an item. */
  readonly key: string
  readonly items: readonly Members[]
}

/** A part of the path: a text, or anything, which a condition may narrow. */
export type ForeignSegment = string | { readonly name: string; readonly condition?: unknown }

export interface ForeignConditions {
  readonly query?: Members
  readonly header?: Members
  readonly body?: Members
}

export interface ForeignResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly contentType: string | undefined
  /** JSON, or a text where it is none; undefined for an empty one. */
  readonly body: unknown
}

export interface ForeignStubs {
  /** The first one that matches a request is for it. */
  readonly stubs: readonly ForeignStub[]
  /** What has no equal here, a sentence each. */
  readonly leftOut: readonly string[]
  readonly collections?: readonly ForeignCollection[]
}

/** A part of a canned response that has no equal here. It ends the reading of that response alone. */
export class NoEqual extends Error {}

/** A member that ought to be a text. */
export function textIn(value: unknown, usual = ''): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : usual
}

/** The segments of `/users/:id` or `/users/{id}`. @throws NoEqual for a wildcard */
export function segmentsOf(path: string): ForeignSegment[] {
  return path
    .split('/')
    .filter((segment) => segment !== '')
    .map((segment) => {
      const [, name] = /^(?::|\{)(\w+)\}?$/.exec(segment) ?? []
      if (name !== undefined) return { name }
      if (/[*()]|:\w/.test(segment)) throw new NoEqual(`the path ${path} has a pattern in ${segment}`)
      return segment
    })
}

/** Writes one helper of a template, such as `urlParam 'id'`, as a place; undefined for one that has no equal. */
export type TranslateHelper = (helper: string) => string | undefined

/**
 * A text with Handlebars, with places instead; within JSON a helper that stands for itself becomes a text that is one place.
 *
 * @throws NoEqual for a helper that has no equal
 */
function withPlaces(text: string, translate: TranslateHelper, isJson: boolean): string {
  let isQuoted = false
  let written = ''
  for (let at = 0; at < text.length; at++) {
    if (text.startsWith('{{', at)) {
      const isRaw = text.startsWith('{{{', at)
      const end = text.indexOf(isRaw ? '}}}' : '}}', at)
      const helper = text.slice(at + (isRaw ? 3 : 2), end < 0 ? undefined : end).trim()
      const place = end < 0 ? undefined : translate(helper)
      if (place === undefined) throw new NoEqual(`the template {{${helper}}} has no equal`)
      // Between quotes it is a text, whether it was sent or not.
      written +=
        isJson && !isQuoted ? JSON.stringify(place) : isJson ? place.replace(/^(\{\$request\.[^|]*)\}$/, '$1|}') : place
      at = end + (isRaw ? 2 : 1)
      continue
    }
    const character = text[at] ?? ''
    if (character === '\\' && isQuoted) written += character + (text[++at] ?? '')
    else {
      if (character === '"') isQuoted = !isQuoted
      written += character
    }
  }
  return written
}

/** A body by its text: JSON where it is. */
export function bodyOf(text: string, translate: TranslateHelper | undefined): unknown {
  if (text === '') return undefined
  const looksLikeJson = /^\s*[[{"]/.test(text)
  const filled = translate ? withPlaces(text, translate, looksLikeJson) : text
  const value = tryParseJson(filled)
  // A text in quotes is sent as it is written.
  return typeof value === 'string' ? filled : (value ?? filled)
}

/** Splits the media type from the other headers. Those that the server sets itself are left out. */
export function readHeaders(
  entries: readonly (readonly [string, unknown])[],
  translate: TranslateHelper | undefined,
): Pick<ForeignResponse, 'headers' | 'contentType'> {
  const texts = entries
    .filter(([name]) => name !== '')
    .map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : String(value)] as const)
  const [, type] = texts.find(([name]) => name.toLowerCase() === 'content-type') ?? []
  const kept = texts.filter(([name]) => !OURS.has(name.toLowerCase()))
  return {
    contentType: type,
    headers: Object.fromEntries(
      kept.map(([name, value]) => [name, translate ? withPlaces(value, translate, false) : value]),
    ),
  }
}

const OURS = new Set([
  'content-type',
  'content-length',
  'transfer-encoding',
  'connection',
  'date',
  'keep-alive',
  'content-encoding',
  'x-powered-by',
])

/** `a.b.0` as a JSON Pointer. */
export function pointerOfDots(path: string): string {
  return path === '' ? '' : `/${path.split('.').join('/')}`
}

export function latency(milliseconds: unknown): readonly Members[] {
  return typeof milliseconds === 'number' && milliseconds > 0
    ? [{ kind: 'latency', delay: { milliseconds: Math.min(milliseconds, 55_000) } }]
    : []
}

/** A cookie among others. */
export function cookieTest(name: string, value: string): Members {
  return { matches: `(^|; ?)${escapeRegExp(`${name}=${value}`)}(;|$)` }
}

/** Others compare texts, and the values of a body have types: `5` may be the number or the text. */
export function inBody(condition: unknown): unknown {
  if (Array.isArray(condition)) return condition.map(inBody)
  if (!isObject(condition)) return condition
  return Object.fromEntries(
    Object.entries(condition).map(([operator, wanted]): [string, unknown] => {
      if (['not', 'allOf', 'anyOf'].includes(operator)) return [operator, inBody(wanted)]
      const isTyped = typeof wanted === 'string' && /^(-?\d+(\.\d+)?|true|false|null)$/.test(wanted)
      return operator === 'equals' && isTyped ? ['in', [wanted, tryParseJson(wanted)]] : [operator, wanted]
    }),
  )
}

/** Both conditions must hold. */
export function merged(one: unknown, other: unknown): unknown {
  if (one === undefined) return other
  return { allOf: [one, other] }
}
