import { visit } from 'jsonc-parser'
import type { BehaviourTracker } from '../behaviours/tracker.ts'
import type { BehaviourId } from '../../types/behaviour-settings.d.ts'
import { counted } from '../errors/wording.ts'
import type { Problem } from '../errors/problem.ts'
import { jsonInvalid } from '../errors/request-errors.ts'
import { findFault, parseJson } from '../formats/json.ts'
import { refusal } from '../behaviours/refusal.ts'

/**
 * Parses a JSON body. `isPlain`: the value can be cached (not empty, no duplicate key).
 *
 * @param allowsAnyValue whether arrays and scalars are allowed
 * @throws Problem 400
 */
export function parseJsonBody(
  text: string,
  tracker: BehaviourTracker,
  allowsAnyValue = false,
): { value: unknown; isPlain: boolean } {
  if (/^[ \t\r\n]*$/.test(text)) return { value: undefined, isPlain: false }
  const most = tracker.settings['http.depth']
  const { isDeeper, members } = scan(text, most)
  if (isDeeper)
    throw invalidJson(
      'http.depth',
      `The body nests more than ${counted(most, 'level')} deep.`,
      `at most ${counted(most, 'level')}`,
    )
  let value: unknown
  try {
    value = parseJson(text)
  } catch (error) {
    const { line, column, reason } = findFault(text)
    const why = reason ?? (error instanceof Error ? error.message : '')
    throw invalidJson(
      'http.json',
      `The body is not valid JSON: line ${line}, column ${column}: ${why}.`,
      'one JSON object',
    )
  }
  if (!allowsAnyValue && (typeof value !== 'object' || value === null || Array.isArray(value))) {
    const kind = value === null ? 'null' : Array.isArray(value) ? 'an array' : `a ${typeof value}`
    throw invalidJson(
      'http.json',
      `The body is ${kind} (line 1, column 1). Send a JSON object.`,
      'one JSON object',
      value,
    )
  }
  const isPlain = countMembers(value) === members
  if (!isPlain && tracker.ask('http.duplicate-key') === 'error') refuseDuplicates(text)
  return { value, isPlain }
}

export function invalidJson(behaviour: BehaviourId, detail: string, expected: string, received?: unknown): Problem {
  return jsonInvalid({
    detail,
    violations: [{ ...refusal(behaviour, { pointer: '' }, expected, received), message: detail }],
  })
}

interface Scan {
  readonly isDeeper: boolean
  /** How many `key: value` pairs the text has. More than in the parsed value means a duplicate key. */
  readonly members: number
}

/** Checks the depth without recursion, since the parsers recurse. */
function scan(text: string, levels: number): Scan {
  let depth = 0
  let members = 0
  let inString = false
  for (let at = 0; at < text.length; at++) {
    const character = text.charCodeAt(at)
    if (inString) {
      if (character === BACKSLASH) at++
      else if (character === QUOTE) inString = false
    } else if (character === QUOTE) inString = true
    else if (character === COLON) members++
    else if (character === BRACE || character === BRACKET) depth++
    else if (character === BRACE_END || character === BRACKET_END) depth = Math.max(0, depth - 1)
    if (depth > levels) return { isDeeper: true, members }
  }
  return { isDeeper: false, members }
}

/** Character codes: comparing numbers is several times faster than comparing strings. */
const QUOTE = 0x22
const COLON = 0x3a
const BRACKET = 0x5b
const BACKSLASH = 0x5c
const BRACKET_END = 0x5d
const BRACE = 0x7b
const BRACE_END = 0x7d

/** Counts pairs in the parsed value, to compare with `scan`. */
function countMembers(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  const held: unknown[] = Array.isArray(value) ? value : Object.values(value)
  let members = Array.isArray(value) ? 0 : held.length
  for (const inner of held) if (typeof inner === 'object') members += countMembers(inner)
  return members
}

function refuseDuplicates(text: string): void {
  const objects: Set<string>[] = []
  visit(text, {
    onObjectBegin: () => void objects.push(new Set()),
    onObjectEnd: () => void objects.pop(),
    onObjectProperty: (name, _offset, _length, line, character) => {
      const names = objects.at(-1)
      if (names?.has(name)) {
        const detail = `The member ${JSON.stringify(name)} is there twice: line ${line + 1}, column ${character + 1}.`
        throw invalidJson('http.duplicate-key', detail, 'each member once')
      }
      names?.add(name)
    },
  })
}
