import { refusal } from './handler.ts'
import type { Reader } from './reader.ts'
import { oneOf } from '../nearest.ts'
import type { Members } from './soften.ts'
import type { Leaning } from '../behaviours/leaning.ts'
import type { Violation } from '../problem.ts'
import type { DateFilter } from '../world/file-sets/query.ts'
import { nanoseconds, parseInstant } from '../world/instant.ts'

/** Reads one of `dateFilters`; undefined for one that is refused. */
export function readDateFilter(element: Members, at: string, { leaning, violations }: Reader): DateFilter | undefined {
  const { field, not } = element
  const start = readBound(element.start, `${at}/start`, leaning, violations)
  const end = readBound(element.end, `${at}/end`, leaning, violations)
  if (start === null) {
    if (leaning.ask('date.open-start') === 'error')
      violations.push(refusal('date.open-start', { pointer: `${at}/start` }, 'a timestamp'))
  } else leaning.lean('date.start')
  leaning.lean(end === null ? 'date.open-end' : 'date.end')
  if (
    typeof start === 'string' &&
    typeof end === 'string' &&
    BigInt(start) > BigInt(end) &&
    leaning.ask('date.inverted') === 'error'
  ) {
    violations.push(refusal('date.inverted', { pointer: at }, 'a start that is not after the end', element.start))
  }
  const fields: readonly string[] = leaning.answers['date.field']
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
  leaning: Leaning,
  violations: Violation[],
): string | null | undefined {
  if (bound === undefined || bound === null) return null
  if (typeof bound !== 'string') return undefined
  const format = leaning.answers['date.format']
  if (format === 'plus-epoch-ms' && /^-?\d{1,15}$/.test(bound)) {
    leaning.lean('date.format')
    return (BigInt(bound) * 1_000_000n).toString()
  }
  const instant = parseInstant(bound)
  if (instant && (format !== 'strict-z' || bound.endsWith('Z'))) return nanoseconds(instant).toString()
  const row = instant ? 'date.format' : 'date.invalid'
  const zone = format === 'strict-z' ? 'Z' : 'Z or a numeric offset'
  violations.push(
    refusal(row, { pointer }, `an RFC 3339 timestamp with ${zone}, such as 2026-01-31T00:00:00.000Z`, bound),
  )
  return undefined
}
