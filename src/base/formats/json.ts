/**
 * JSON without losing a digit: integers beyond 2^53 are read as bigints and written digit for digit. `JSON` does the work; the slower
 * path is only for texts with that many digits in a row.
 */

import { type ParseError, printParseErrorCode, visit } from 'jsonc-parser'
import { type JsonPart, parseScanned, readJson } from './json-reading.ts'
import { setMember } from './set-member.ts'
import { shown } from '../errors/problem.ts'

/** Integers above 2^53 are bigints, so that no digit is lost. */
export type Integer = number | bigint
export type Json = null | boolean | Integer | string | readonly Json[] | { readonly [key: string]: Json }
/** A JSON object: its members by name. */
export type Members = Readonly<Record<string, unknown>>

/**
 * Reads JSON text.
 *
 * @throws SyntaxError as `JSON.parse` does
 */
export function parseJson(text: string): unknown {
  // Each level takes two characters, and most texts have fewer.
  if (text.length <= 2 * MAX_DEPTH) return parseScanned(text)
  // One piece takes one step.
  const { value } = readJson(text, MAX_DEPTH, Infinity).next()
  if (value?.isDeeper !== false) throw new SyntaxError(TOO_DEEP)
  if (value.fault) throw value.fault.error
  return value.value
}

/** Levels of a value, twice what `http.depth` allows of a body. What reads values recurses, so deeper ones could exhaust the stack anywhere. */
export const MAX_DEPTH = 2000
/** The message of `parseJson` for more. */
export const TOO_DEEP = 'the text nests too deeply'

/** Whether a value nests deeper than `MAX_DEPTH`. */
export function isTooDeep(value: unknown, left = MAX_DEPTH): boolean {
  if (typeof value !== 'object' || value === null) return false
  if (left === 0) return true
  const inner = Array.isArray(value) ? (value as unknown[]) : Object.values(value)
  return inner.some((one) => isTooDeep(one, left - 1))
}

/** The value of a JSON text; undefined for what is none. */
export function tryParseJson(text: string | undefined): unknown {
  try {
    return text === undefined || text === '' ? undefined : parseJson(text)
  } catch {
    return undefined
  }
}

/** Writes JSON text; bigints become plain numbers. `JSON.stringify` throws for them, and only then they are looked for. */
export function stringifyJson(value: unknown): string {
  try {
    return JSON.stringify(value)
  } catch {
    return JSON.stringify(value, (_key, inner: unknown) =>
      typeof inner === 'bigint' ? json.rawJSON(inner.toString()) : inner,
    )
  }
}

/** Whether a JSON value is an object: neither null nor an array. */
export function isObject(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The value if it is an object; an empty one for anything else. */
export function asObject(value: unknown): Members {
  return isObject(value) ? value : {}
}

/** The value if it is a list; an empty one for anything else. */
export function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

/** A member's name as a part of a JSON pointer (RFC 6901). */
export function encodePointer(name: string): string {
  return /[~/]/.test(name) ? name.replaceAll('~', '~0').replaceAll('/', '~1') : name
}

/** The names in a JSON pointer (RFC 6901), unescaped. */
export function splitPointer(pointer: string): string[] {
  const [, ...parts] = pointer.split('/')
  return pointer.includes('~') ? parts.map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~')) : parts
}

/** The value with numbers for bigints, for readers that know no bigints; digits may be lost. Copies only what holds one. */
export function withNumbers(value: unknown): unknown {
  if (typeof value === 'bigint') return Number(value)
  if (typeof value !== 'object' || value === null) return value
  // Bodies of megabytes hold few of them: lists of names and values would take most of the time.
  if (Array.isArray(value)) {
    let copy: unknown[] | undefined
    for (let at = 0; at < value.length; at++) {
      const number = withNumbers(value[at])
      if (!Object.is(number, value[at])) (copy ??= [...(value as unknown[])])[at] = number
    }
    return copy ?? value
  }
  let copy: Record<string, unknown> | undefined
  for (const name in value) {
    const member = (value as Members)[name]
    const number = withNumbers(member)
    if (!Object.is(number, member)) setMember((copy ??= { ...value }), name, number)
  }
  return copy ?? value
}

export interface JsonFault {
  /** From 1. */
  readonly line: number
  /** From 1. */
  readonly column: number
  readonly reason?: string | undefined
}

/** Where a text stops being JSON. The message of `JSON.parse` often has no position, so a second parser finds it. */
export function findFault(text: string, part: JsonPart = { from: 0, prefix: '' }): JsonFault {
  let fault: JsonFault = { line: 1, column: 1 }
  // The second parser takes a second for megabytes of white space.
  const cuts: { readonly at: number; readonly length: number }[] = []
  const short = (part.prefix + text.slice(part.from)).replaceAll(/[ \t\r\n]{100}[ \t\r\n]*/g, (run, at: number) => {
    cuts.push({ at, length: run.length - 1 })
    return run.includes('\n') ? '\n' : ' '
  })
  const onError = (error: ParseError['error'], offset: number) => {
    const inText = cuts.reduce((sum, { at, length }) => (at < sum ? sum + length : sum), offset)
    fault = { ...placeOf(text, part, inText), reason: inWords(printParseErrorCode(error)) }
    // It would read on by guesses, as deep as the rest of the text goes.
    throw new SyntaxError(fault.reason)
  }
  try {
    visit(short, { onError }, { disallowComments: true })
  } catch {
    return fault
  }
  return fault
}

/** Where an object has a key for the second time; the reason is the key as JSON. */
export function findDuplicate(text: string, part: JsonPart): JsonFault {
  let fault: JsonFault | undefined
  const objects: Set<string>[] = []
  let before = part.names
  visit(part.prefix + text.slice(part.from, part.to), {
    onObjectBegin() {
      objects.push(new Set(before))
      before = []
    },
    onObjectEnd: () => void objects.pop(),
    onObjectProperty(name, offset) {
      const names = objects.at(-1)
      if (names?.has(name)) fault ??= { ...placeOf(text, part, offset), reason: JSON.stringify(name) }
      names?.add(name)
    },
  })
  return fault ?? { line: 1, column: 1 }
}

const LINE_FEED = 10
const CARRIAGE_RETURN = 13

/** The place in a text of an offset in its part. */
function placeOf(text: string, { from, prefix }: JsonPart, offset: number): JsonFault {
  const end = from - prefix.length + offset
  let line = 1
  let begin = 0
  for (let at = 0; at < end; at++) {
    const character = text.charCodeAt(at)
    if (character !== LINE_FEED && (character !== CARRIAGE_RETURN || text.charCodeAt(at + 1) === LINE_FEED)) continue
    line++
    begin = at + 1
  }
  return { line, column: end - begin + 1 }
}

/** `ValueExpected` is `value expected`. */
function inWords(code: string): string {
  return code.replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ').toLowerCase()
}

/** A part of "JSON.parse source text access" (ES2026) that the compiler's library does not describe yet. */
const json = JSON as unknown as { rawJSON(text: string): unknown }
/** JSON text with the members of objects sorted by name, so that equal values have equal texts. */
export function stringifySorted(value: unknown): string {
  return stringifyJson(sorted(value))
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (!isObject(value)) return value
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return Object.fromEntries(entries.map(([name, inner]) => [name, sorted(inner)]))
}

/** Maps the texts in a value, at any depth. */
export function mapTexts(value: unknown, change: (text: string) => unknown): unknown {
  if (typeof value === 'string') return change(value)
  if (Array.isArray(value)) return value.map((one) => mapTexts(one, change))
  return isObject(value) ? mapMembers(value, (one) => mapTexts(one, change)) : value
}

/** Maps members; those that become undefined are omitted. A copy, unless nothing changes. */
export function mapMembers(members: Members, change: (value: unknown, name: string) => unknown): Members {
  let changed: Map<string, unknown> | undefined
  for (const name of Object.keys(members)) {
    const mended = change(members[name], name)
    if (mended !== members[name]) (changed ??= new Map()).set(name, mended)
  }
  if (!changed) return members
  const mended = changed
  // Not by assignment, so that a member called `__proto__` stays an ordinary member.
  return Object.fromEntries(
    Object.entries(members)
      .map(([name, value]): [string, unknown] => [name, mended.has(name) ? mended.get(name) : value])
      .filter(([, value]) => value !== undefined),
  )
}

/** Applies a change to every element that is an object, when the value is an array. */
export function mapElements(value: unknown, change: (element: Members) => Members): unknown {
  if (!Array.isArray(value)) return value
  const changed = value.map((element: unknown) => (isObject(element) ? change(element) : element))
  return changed.every((element, at) => element === value[at]) ? value : changed
}

/** A numeric string as an integer (`body.types: coerce`); anything else as it is. */
export function coerceInteger(value: unknown): unknown {
  if (typeof value !== 'string' || !/^-?\d{1,19}$/.test(value)) return value
  const number = Number(value)
  return Number.isSafeInteger(number) ? number : BigInt(value)
}

export function coerceBoolean(value: unknown): unknown {
  return value === 'true' ? true : value === 'false' ? false : value
}

/** A number or boolean as its text; anything else as it is. */
export function coerceText(value: unknown): unknown {
  return typeof value === 'number' || typeof value === 'boolean' || typeof value === 'bigint' ? String(value) : value
}

/** Reads the elements that are objects, and omits what becomes undefined. */
export function readEach<T, Reader>(
  list: readonly unknown[],
  pointer: string,
  reader: Reader,
  read: (element: Members, at: string, reader: Reader) => T | undefined,
): T[] {
  const values: T[] = []
  for (const [index, element] of list.entries()) {
    const value = isObject(element) ? read(element, `${pointer}/${index}`, reader) : undefined
    if (value !== undefined) values.push(value)
  }
  return values
}

/** A value as a text; lists and objects as JSON. */
export function asText(value: string | Integer | boolean | object | null | undefined): string {
  return typeof value === 'object' ? shown(value) : String(value)
}

/** Whether a value is a text, a number or a boolean. */
export function isScalar(value: unknown): value is string | number | boolean {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
}

/** A text as it is, and any other value as JSON. */
export function textOrJson(value: unknown): string {
  return typeof value === 'string' ? value : stringifyJson(value)
}

/** The type of a value as JSON Schema has it. */
export function jsonTypeOf(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  return Number.isInteger(value) ? 'integer' : typeof value
}
