import { isObject, parseJson } from '../base/formats/json.ts'

/** Text that is not JSON stays a text, and so does JSON nested so deep that comparing it would exhaust the stack. */
export function tryParse(text: string): unknown {
  try {
    const value = parseJson(text)
    return isDeeperThan(DEEPEST, value) ? text : value
  } catch {
    return text
  }
}

const DEEPEST = 500

function isDeeperThan(levels: number, value: unknown): boolean {
  let level = [value]
  for (let depth = 0; depth <= levels && level.length > 0; depth++) {
    level = level.flatMap((one): unknown[] => (typeof one === 'object' && one !== null ? Object.values(one) : []))
  }
  return level.length > 0
}

export function contains(value: unknown, expected: unknown): boolean {
  if (Array.isArray(expected))
    return (
      Array.isArray(value) &&
      value.length === expected.length &&
      expected.every((element, at) => contains(value[at], element))
    )
  if (!isObject(expected)) return value === expected
  return (
    isObject(value) &&
    Object.entries(expected).every(([name, inner]) => Object.hasOwn(value, name) && contains(value[name], inner))
  )
}

/**
 * Matches texts as a whole. `*` in the pattern stands for any characters, all else for itself. The time is linear in the text for each
 * `*`, where a regular expression could take exponential time.
 */
export function wholeMatch(pattern: string): (text: string) => boolean {
  const [first = '', ...rest] = pattern.split('*')
  const last = rest.pop()
  if (last === undefined) return (text) => text === pattern
  return (text) => {
    if (!text.startsWith(first) || !text.endsWith(last) || text.length < first.length + last.length) return false
    const end = endOf(rest, text, first.length)
    return end !== undefined && end <= text.length - last.length
  }
}

/** Matches texts that have the pattern somewhere in them. */
export function partMatch(pattern: string): (text: string) => boolean {
  const parts = pattern.split('*')
  return (text) => endOf(parts, text, 0) !== undefined
}

/** Where the last of some parts ends that follow each other in a text; undefined when they do not. */
function endOf(parts: readonly string[], text: string, from: number): number | undefined {
  let at = from
  for (const part of parts) {
    const found = text.indexOf(part, at)
    if (found < 0) return undefined
    at = found + part.length
  }
  return at
}
