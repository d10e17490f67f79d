import type { BehaviourTracker } from '../behaviours/tracker.ts'
import type { BehaviourId } from '../../types/behaviour-settings.d.ts'
import { counted } from '../base/errors/wording.ts'
import type { Problem } from '../base/errors/problem.ts'
import { jsonInvalid } from '../base/errors/request-errors.ts'
import { runSteps, type Steps } from '../engine/slices.ts'
import { findDuplicate, findFault } from '../base/formats/json.ts'
import { readJson } from '../base/formats/json-reading.ts'
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

/** The same in steps, for bodies of megabytes. */
export function* parseInSteps(text: string, tracker: BehaviourTracker, allowsAnyValue = false): Steps<ParsedBody> {
  if (/^[ \t\r\n]*$/.test(text)) return { value: undefined, isPlain: false }
  const most = tracker.settings['http.depth']
  const { isDeeper, value, fault, duplicate } = yield* readJson(text, most)
  if (isDeeper)
    throw invalidJson(
      'http.depth',
      `The body nests more than ${counted(most, 'level')} deep.`,
      `at most ${counted(most, 'level')}`,
    )
  if (fault) {
    const { line, column, reason } = findFault(text, fault)
    const why = reason ?? (fault.error instanceof Error ? fault.error.message : '')
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
  if (duplicate && tracker.ask('http.duplicate-key') === 'error') {
    const { line, column, reason } = findDuplicate(text, duplicate)
    const detail = `The member ${reason} is there twice: line ${line}, column ${column}.`
    throw invalidJson('http.duplicate-key', detail, 'each member once')
  }
  return { value, isPlain: !duplicate }
}

export function invalidJson(behaviour: BehaviourId, detail: string, expected: string, received?: unknown): Problem {
  return jsonInvalid({
    detail,
    violations: [{ ...refusal(behaviour, { pointer: '' }, expected, received), message: detail }],
  })
}
