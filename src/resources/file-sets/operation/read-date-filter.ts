import { refusal } from '../../handler.ts'
import type { Reader } from '../../reader.ts'
import { oneOf } from '../../../errors/nearest.ts'
import type { Members } from '../../normalize-body.ts'
import type { BehaviourSettings } from '../../../behaviours/settings.ts'
import type { BehaviourTracker } from '../../../behaviours/tracker.ts'
import type { Violation } from '../../../errors/problem.ts'
import type { DateFilter } from '../search/query.ts'
import { type Instant, nanosecondText, parseEpochMs, parseInstant } from '../../../engine/instant.ts'

/** Reads one of `dateFilters`; undefined for one that is refused. */
export function readDateFilter(element: Members, at: string, { tracker, violations }: Reader): DateFilter | undefined {
  const { field, not } = element
  const start = readBound(element.start, `${at}/start`, tracker, violations)
  const end = readBound(element.end, `${at}/end`, tracker, violations)
  if (start === null) {
    if (tracker.ask('date.open-start') === 'error')
      violations.push(refusal('date.open-start', { pointer: `${at}/start` }, 'a timestamp'))
  } else tracker.note('date.start')
  tracker.note(end === null ? 'date.open-end' : 'date.end')
  if (
    typeof start === 'string' &&
    typeof end === 'string' &&
    BigInt(start) > BigInt(end) &&
    tracker.ask('date.inverted') === 'error'
  ) {
    violations.push(refusal('date.inverted', { pointer: at }, 'a start that is not after the end', element.start))
  }
  const fields: readonly string[] = [tracker.answers['date.field']]
  if (typeof field === 'string' && fields.includes(field))
    return { field, start: start ?? null, end: end ?? null, not: not === true }
  if (field === undefined || typeof field === 'string') {
    violations.push(refusal('date.field', { pointer: `${at}/field` }, oneOf(fields, field), field))
  }
  return undefined
}

/** A bound as nanoseconds since the epoch; null when it is open, undefined when it is refused. */
function readBound(
  bound: unknown,
  pointer: string,
  tracker: BehaviourTracker,
  violations: Violation[],
): string | null | undefined {
  if (bound === undefined || bound === null) return null
  if (typeof bound !== 'string') return undefined
  const format = tracker.answers['date.format']
  const instant = readInstant(bound, format)
  // Only what one setting accepts and another refuses depends on the setting.
  if (!bound.endsWith('Z') && (instant ?? parseInstant(bound) ?? parseEpochMs(bound))) tracker.note('date.format')
  if (instant) return nanosecondText(instant)
  const row = parseInstant(bound) ? 'date.format' : 'date.invalid'
  violations.push(refusal(row, { pointer }, timestampWords(format), bound))
  return undefined
}

/** A timestamp as the behaviour `date.format` accepts it; undefined for any other text. */
export function readInstant(text: string, format: BehaviourSettings['date.format']): Instant | undefined {
  if (format === 'strict-z' && !text.endsWith('Z')) return undefined
  return parseInstant(text) ?? (format === 'plus-epoch-ms' ? parseEpochMs(text) : undefined)
}

export function timestampWords(format: BehaviourSettings['date.format']): string {
  const zone = format === 'strict-z' ? 'Z' : 'Z or a numeric offset'
  return `an RFC 3339 timestamp with ${zone}, such as 2026-01-31T00:00:00.000Z`
}
