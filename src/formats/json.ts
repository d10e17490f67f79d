/**
 * JSON without losing a digit: integers beyond 2^53 are read as bigints and written digit for digit. `JSON` does the work; the slower
 * path is only for texts with that many digits in a row.
 */

import { type ParseError, printParseErrorCode, visit } from 'jsonc-parser'

/** Integers above 2^53 are bigints, so that no digit is lost. */
export type Integer = number | bigint
export type Json = null | boolean | Integer | string | readonly Json[] | { readonly [key: string]: Json }

/** Not within a text such as a hash: reading exactly takes ten times as long. */
const LONG_INTEGER = /(?:^|[[:,\s])-?\d{16}/
/** `9007199254740993.0` is an integer too. An int64 has 19 digits: a text of a million is not worth reading exactly. */
const INTEGER = /^(-?\d{1,40})(?:\.0+)?$/

/**
 * Reads JSON text.
 *
 * @throws SyntaxError as `JSON.parse` does
 */
export function parseJson(text: string): unknown {
  // Each level takes two characters, and most texts have fewer.
  if (text.length > 2 * MAX_DEPTH && scanJson(text, MAX_DEPTH).isDeeper) throw new SyntaxError(TOO_DEEP)
  return parseScanned(text)
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

/** The same for a text whose depth is known to be small. */
export function parseScanned(text: string): unknown {
  if (!LONG_INTEGER.test(text)) return JSON.parse(text)
  return parseWithSource(text, (_key, value, { source }) => {
    if (typeof value !== 'number' || Number.isSafeInteger(value)) return value
    const digits = source === undefined ? undefined : INTEGER.exec(source)?.[1]
    return digits === undefined ? value : BigInt(digits)
  })
}

/** The value of a JSON text; undefined for what is none. */
export function tryParseJson(text: string | undefined): unknown {
  try {
    return text === undefined || text === '' ? undefined : parseJson(text)
  } catch {
    return undefined
  }
}

interface Scan {
  readonly isDeeper: boolean
  /** How many `key: value` pairs the text has. More than in the parsed value means a duplicate key. */
  readonly members: number
}

/** Checks the depth of a text without recursion, since the parsers recurse. */
export function scanJson(text: string, levels: number): Scan {
  let depth = 0
  let members = 0
  for (let at = 0; at < text.length; at++) {
    const character = text.charCodeAt(at)
    if (character === QUOTE) at = endOfString(text, at)
    else if (character === COLON) members++
    else if (character === BRACE || character === BRACKET) depth++
    else if (character === BRACE_END || character === BRACKET_END) depth = Math.max(0, depth - 1)
    if (depth > levels) return { isDeeper: true, members }
  }
  return { isDeeper: false, members }
}

/** Where the quote is that ends a string. Looking for it is faster than looking at each character. */
function endOfString(text: string, begin: number): number {
  for (let end = text.indexOf('"', begin + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let first = end
    while (text.charCodeAt(first - 1) === BACKSLASH) first--
    if ((end - first) % 2 === 0) return end
  }
  return text.length
}

/** Character codes: comparing numbers is several times faster than comparing strings. */
const QUOTE = 0x22
const COLON = 0x3a
const BRACKET = 0x5b
const BACKSLASH = 0x5c
const BRACKET_END = 0x5d
const BRACE = 0x7b
const BRACE_END = 0x7d

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
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** A member's name as a part of a JSON pointer (RFC 6901). */
export function encodePointer(name: string): string {
  return /[~/]/.test(name) ? name.replaceAll('~', '~0').replaceAll('/', '~1') : name
}

/** The names in a JSON pointer (RFC 6901), unescaped. */
export function splitPointer(pointer: string): string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
}

/** The value with numbers for bigints, for readers that know no bigints; digits may be lost. A copy where there are any. */
export function withNumbers(value: unknown): unknown {
  return hasBigint(value) ? copyWithNumbers(value) : value
}

function hasBigint(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return typeof value === 'bigint'
  for (const inner of Array.isArray(value) ? value : Object.values(value)) if (hasBigint(inner)) return true
  return false
}

function copyWithNumbers(value: unknown): unknown {
  if (typeof value === 'bigint') return Number(value)
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(copyWithNumbers)
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, copyWithNumbers(inner)]))
}

export interface JsonFault {
  /** From 1. */
  readonly line: number
  /** From 1. */
  readonly column: number
  readonly reason?: string | undefined
}

/** Where a text stops being JSON. The message of `JSON.parse` often has no position, so a second parser finds it. */
export function findFault(text: string): JsonFault {
  let fault: JsonFault = { line: 1, column: 1 }
  const onError = (error: ParseError['error'], _offset: number, _length: number, line: number, character: number) => {
    fault = { line: line + 1, column: character + 1, reason: inWords(printParseErrorCode(error)) }
    // It would read on by guesses, as deep as the rest of the text goes.
    throw new SyntaxError(fault.reason)
  }
  try {
    visit(text, { onError }, { disallowComments: true })
  } catch {
    return fault
  }
  return fault
}

/** `ValueExpected` is `value expected`. */
function inWords(code: string): string {
  return code.replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ').toLowerCase()
}

/** The parts of "JSON.parse source text access" (ES2026) that the compiler's library does not describe yet. */
const json = JSON as unknown as { rawJSON(text: string): unknown }
const parseWithSource = JSON.parse as unknown as (
  text: string,
  reviver: (key: string, value: unknown, context: { readonly source?: string }) => unknown,
) => unknown

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
