import { setMember } from './set-member.ts'

/** Reads JSON in pieces, so that other requests can have their turn while a text of megabytes is read. */

/** Characters that are parsed at once. Reading them exactly takes 2 ms. */
const PIECE = 65_536

/** Not within a text such as a hash: reading exactly takes ten times as long. */
const LONG_INTEGER = /(?:^|[[:,\s])-?\d{16}/
/** `9007199254740993.0` is an integer too. An int64 has 19 digits: a text of a million is not worth reading exactly. */
const INTEGER = /^(-?\d{1,40})(?:\.0+)?$/

/** A part of a text. */
export interface JsonPart {
  readonly from: number
  /** Undefined for the end of the text. */
  readonly to?: number
  /** What makes a text of it that is JSON up to the part's first fault. */
  readonly prefix: string
  /** Keys of its object that come before it. */
  readonly names?: readonly string[]
}

interface JsonReading {
  readonly isDeeper: boolean
  readonly value?: unknown
  /** The first part that is not JSON. */
  readonly fault?: (JsonPart & { readonly error: unknown }) | undefined
  /** The first part with a key that its object has twice. */
  readonly duplicate?: JsonPart | undefined
}

/** An array or an object that is not closed yet. */
interface Container {
  /** Where it begins; -1 for the text, which is a container of one value. */
  readonly open: number
  /** Where the rest begins that is not parsed, and how many pairs are before it. */
  from: number
  members: number
  lastComma: number
  /** Undefined until a part of it is parsed. */
  value?: unknown[] | Record<string, unknown>
}

/** Reads JSON text, a piece in each step. Checks the depth without recursion, since the parsers recurse. */
export function* readJson(text: string, levels: number, size = PIECE): Generator<undefined, JsonReading> {
  const parts = createParts(text)
  const open: Container[] = []
  let inner: Container = { open: -1, from: 0, members: 0, lastComma: -1 }
  let members = 0
  let mark = 0
  let pause = size
  for (let at = 0; at < text.length; at++) {
    const character = text.charCodeAt(at)
    if (at >= pause) {
      pause = at + size
      yield
    }
    if (character === QUOTE) {
      // The end of a long text is looked for in steps, too.
      for (at = endOfString(text, at, size); at < 0; at = endOfString(text, -at, size)) yield
    } else if (character === COLON) members++
    else if (character === BRACE || character === BRACKET) {
      if (open.push(inner) > levels) return { isDeeper: true }
      inner = { open: at, from: at + 1, members, lastComma: at }
    } else if (character === COMMA) {
      if (at - mark >= size && text.slice(inner.from, at).trim() !== '') {
        parts.begin([...open, inner])
        parts.add(inner, at, members, CLOSING[text.charAt(inner.open)])
        mark = at
        yield
      }
      inner.lastComma = at
    } else if (character === BRACE_END || character === BRACKET_END) {
      const outer = open.pop()
      if (!outer) continue
      if (inner.value) {
        parts.add(inner, at, members, text.charAt(at))
        outer.from = at + 1
        outer.members = members
      }
      inner = outer
    }
  }
  // What is not closed is a fault of the innermost container of which a part is parsed.
  const last = [...open, inner].findLast(({ value }) => value) ?? open[0] ?? inner
  if (text.length > size) yield
  parts.add(last, text.length, members)
  return { isDeeper: false, value: (last.value as unknown[] | undefined)?.[0], ...parts.refused }
}

/** What stands for the members or elements before a part. */
const BEFORE: Readonly<Record<string, string>> = { '': '""', '[': '[""', '{': '{"":""' }
const CLOSING: Readonly<Record<string, string>> = { '[': ']', '{': '}' }

/** Adds parts to containers, in the order of the text, until one of them is not JSON. */
function createParts(text: string) {
  const refused: { fault?: JsonReading['fault']; duplicate?: JsonPart } = {}

  /** @param tail completes the part */
  function add(to: Container, end: number, members: number, tail = ''): void {
    if (refused.fault) return
    const { from } = to
    const opening = text.charAt(to.open)
    const isFirst = from === to.open + 1
    const prefix = isFirst ? opening : (BEFORE[opening] ?? '')
    const part = text.slice(from, end)
    // What stands for the members before could be taken for one of the part.
    const isMembers = opening === '{' && !isFirst && /^\s*(?:,\s*"|$)/.test(part)
    let value: unknown
    try {
      value = parseScanned((isMembers ? opening + part.replace(',', '') : prefix + part) + tail)
    } catch (error) {
      refused.fault = { from, prefix, error }
      return
    }
    const into = (to.value ??= opening === '{' ? {} : [])
    const isPlain = countMembers(value) === members - to.members
    if (Array.isArray(into)) {
      if (!isPlain) refused.duplicate ??= { from, to: end, prefix: opening }
      const elements = opening === '' ? [value] : (value as unknown[])
      for (let index = isFirst ? 0 : 1; index < elements.length; index++) into.push(elements[index])
    } else {
      const entries = Object.entries(value as object)
      if (!isPlain || entries.some(([name]) => Object.hasOwn(into, name)))
        refused.duplicate ??= { from, to: end, prefix: opening, names: Object.keys(into) }
      for (const [name, inner] of entries) setMember(into, name, inner)
    }
    to.from = end
    to.members = members
  }

  /** Reads what is before the innermost of these containers, and puts each into the one around it. */
  function begin(containers: readonly Container[]): void {
    for (const [index, inner] of containers.entries()) {
      const outer = containers[index - 1]
      if (!outer || inner.value) continue
      const opening = text.charAt(outer.open)
      add(outer, inner.open, inner.members, `""${CLOSING[opening] ?? ''}`)
      if (refused.fault) return
      inner.value = text.charAt(inner.open) === '{' ? {} : []
      if (Array.isArray(outer.value)) outer.value[outer.value.length - 1] = inner.value
      else if (outer.value) {
        const [name = ''] = Object.keys(JSON.parse(`{${text.slice(outer.lastComma + 1, inner.open)}0}`) as object)
        setMember(outer.value, name, inner.value)
      }
    }
  }

  return { refused, add, begin }
}

/** Counts pairs in the parsed value: fewer than in the text means a key that is there twice. */
function countMembers(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  const held: unknown[] = Array.isArray(value) ? value : Object.values(value)
  let members = Array.isArray(value) ? 0 : held.length
  for (const inner of held) if (typeof inner === 'object') members += countMembers(inner)
  return members
}

/** @param text whose depth is small */
export function parseScanned(text: string): unknown {
  if (!LONG_INTEGER.test(text)) return JSON.parse(text)
  return parseWithSource(text, (_key, value, { source }) => {
    if (typeof value !== 'number' || Number.isSafeInteger(value)) return value
    const digits = source === undefined ? undefined : INTEGER.exec(source)?.[1]
    return digits === undefined ? value : BigInt(digits)
  })
}

/**
 * Where the quote is that ends a string. Looking for it is faster than looking at each character.
 *
 * @param most quotes in the string that are looked at; after so many the result is where to go on, negated
 */
function endOfString(text: string, begin: number, most: number): number {
  let looked = 0
  for (let end = text.indexOf('"', begin + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let first = end
    while (text.charCodeAt(first - 1) === BACKSLASH) first--
    if ((end - first) % 2 === 0) return end
    if (++looked >= most) return -end
  }
  return text.length
}

/** Character codes: comparing numbers is several times faster than comparing strings. */
const QUOTE = 0x22
const COMMA = 0x2c
const COLON = 0x3a
const BRACKET = 0x5b
const BACKSLASH = 0x5c
const BRACKET_END = 0x5d
const BRACE = 0x7b
const BRACE_END = 0x7d

/** A part of "JSON.parse source text access" (ES2026) that the compiler's library does not describe yet. */
const parseWithSource = JSON.parse as unknown as (
  text: string,
  reviver: (key: string, value: unknown, context: { readonly source?: string }) => unknown,
) => unknown
