import { visit } from 'jsonc-parser'
import type { BehaviourTracker } from '../behaviours/tracker.ts'
import type { BehaviourId } from '../../types/behaviour-settings.d.ts'
import { counted } from '../errors/wording.ts'
import type { Problem } from '../errors/problem.ts'
import { jsonInvalid } from '../errors/request-errors.ts'
import { runSteps, type Steps } from '../engine/slices.ts'
import { findFault, parseScanned, scanJson } from '../formats/json.ts'
import { refusal } from '../behaviours/refusal.ts'

/**
 * Parses a JSON body. `isPlain`: the value can be cached (not empty, no duplicate key).
 *
 * @param allowsAnyValue whether arrays and scalars are allowed
 * @throws Problem 400
 */
export function parseJsonBody(text: string, tracker: BehaviourTracker, allowsAnyValue = false): ParsedBody {
  return runSteps(parseInSteps(text, tracker, allowsAnyValue))
}

interface ParsedBody {
  readonly value: unknown
  readonly isPlain: boolean
}

/** The same in three steps, for bodies of megabytes. */
export function* parseInSteps(text: string, tracker: BehaviourTracker, allowsAnyValue = false): Steps<ParsedBody> {
  if (/^[ \t\r\n]*$/.test(text)) return { value: undefined, isPlain: false }
  const most = tracker.settings['http.depth']
  const { isDeeper, members } = scanJson(text, most)
  if (isDeeper)
    throw invalidJson(
      'http.depth',
      `The body nests more than ${counted(most, 'level')} deep.`,
      `at most ${counted(most, 'level')}`,
    )
  yield
  let value: unknown
  try {
    value = parseScanned(text)
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
  yield
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

/** Counts pairs in the parsed value, to compare with `scanJson`. */
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
