import { firstIndex } from '../first-index.ts'

/**
 * Finds lines in a JSON text without parsing all of it: a document of megabytes takes seconds to parse with positions, and holds the
 * event loop meanwhile.
 *
 * @param text valid JSON
 * @returns the line, from 1, of the key or the element at the end of a path, or of its nearest ancestor that is there; 1 for none
 */
export function createLinesOfJson(text: string): (path: readonly string[]) => number {
  // Lines are often asked for in one part of the document, whose members are found once.
  const known = new Map<number, FindMember>()
  let ends: number[] | undefined
  const root: MemberOffsets = { key: 0, value: skipTo(text, 0, /\S/g) }
  return (path) => {
    let place = root
    for (const part of path) {
      const find = known.get(place.value) ?? createFindMember(text, place.value)
      if (known.size < MAX_KNOWN) known.set(place.value, find)
      const inner = find(part)
      if (!inner) break
      place = inner
    }
    const lines = (ends ??= endsOfLines(text))
    return firstIndex(lines.length, (at) => (lines[at] ?? 0) >= place.key) + 1
  }
}

/** Objects and arrays whose members are remembered. */
const MAX_KNOWN = 10_000

/** Where a member begins, and its value; an element begins with its value. */
interface MemberOffsets {
  readonly key: number
  readonly value: number
}

type FindMember = (part: string) => MemberOffsets | undefined

const STRING = String.raw`"[^"\\]*(?:\\.[^"\\]*)*"`

/**
 * Finds members of an object, or elements of an array. Each search goes on where the last one ended.
 *
 * @param at where it begins
 */
function createFindMember(text: string, at: number): FindMember {
  const isArray = text[at] === '['
  if (!isArray && text[at] !== '{') return () => undefined
  const token = new RegExp(String.raw`${STRING}|[\]}]|[^\s,:\]}]`, 'g')
  const members = new Map<string, MemberOffsets>()
  let next = at + 1
  let index = 0
  return (part) => {
    const before = members.get(part)
    if (before) return before
    // Elements are not remembered, since there may be millions.
    if (isArray && Number(part) < index) [next, index] = [at + 1, 0]
    for (;;) {
      token.lastIndex = next
      const found = token.exec(text)
      if (!found || found[0] === ']' || found[0] === '}') return undefined
      const key = found.index
      const value = isArray ? key : skipTo(text, skipTo(text, token.lastIndex, /:/g) + 1, /\S/g)
      next = endOf(text, value)
      const name = isArray ? String(index++) : (JSON.parse(found[0]) as string)
      if (!isArray && !members.has(name)) members.set(name, { key, value })
      if (name === part) return { key, value }
    }
  }
}

/** Where a value ends that begins at a place. */
function endOf(text: string, at: number): number {
  const isContainer = text[at] === '{' || text[at] === '['
  const token = isContainer
    ? new RegExp(String.raw`${STRING}|[[\]{}]`, 'g')
    : new RegExp(String.raw`${STRING}|[^\s,\]}]+`, 'g')
  token.lastIndex = at
  for (let depth = 0; ;) {
    const found = token.exec(text)
    if (!found) return text.length
    if (!isContainer) return token.lastIndex
    if (found[0] === '{' || found[0] === '[') depth++
    else if (found[0] === '}' || found[0] === ']') depth--
    if (depth === 0) return token.lastIndex
  }
}

function skipTo(text: string, from: number, what: RegExp): number {
  what.lastIndex = from
  return what.exec(text)?.index ?? text.length
}

/** Where each line ends. */
function endsOfLines(text: string): number[] {
  const ends: number[] = []
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) ends.push(at)
  return ends
}
