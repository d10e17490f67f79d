import { refusal } from '../../handler.ts'
import type { Reader } from '../../reader.ts'
import { counted, oneOf } from '../../../errors/wording.ts'
import type { Members } from '../../normalize-body.ts'
import type { BehaviourTracker } from '../../../behaviours/tracker.ts'
import type { Violation } from '../../../errors/problem.ts'
import { type DateFilter, type Filter, isComparison } from '../entries/filter.ts'
import { hasDanglingEscape } from '../entries/like.ts'
import type { BehaviourSettings } from '../../../../types/behaviour-settings.d.ts'
import { type Instant, nanosecondText, parseEpochMs, parseInstant } from '../../../formats/instant.ts'
import { isCased } from '../entries/columns.ts'
import { isIntegerField } from '../entries/file-record.ts'

/** Reads one of `filters`; undefined if it is refused or ignored. */
export function readFilter(element: Members, at: string, { tracker, violations }: Reader): Filter | undefined {
  const { field, not } = element
  const operator = readOperator(element.operator, at, tracker, violations)
  const values = readValues(element.value, at, tracker, violations)
  const known = readFilterField(field, at, tracker, violations)
  if (operator === 'IS_NULL') tracker.note('filter.is-null')
  else if (!Array.isArray(element.value) ? element.value === undefined : element.value.length === 0) {
    if (tracker.ask('filter.empty') === 'error')
      violations.push(refusal('filter.empty', { pointer: `${at}/value` }, 'at least one value', element.value))
  }
  if (known === 'none') return NOTHING
  if (known === undefined || operator === undefined) return undefined
  checkValues({ field: known.field, operator, values, at }, tracker, violations)
  if (not === true) tracker.note('filter.not-null')
  return {
    field: known.field,
    operator,
    value: operator === 'IS_NULL' ? [] : values.map(({ text }) => text),
    not: not === true,
  }
}

/** A filter that no entry satisfies: on a field that none has. */
const NOTHING: Filter = { field: '', operator: 'IN', value: ['none'], not: false }

function readFilterField(
  field: unknown,
  at: string,
  tracker: BehaviourTracker,
  violations: Violation[],
): { readonly field: string } | 'none' | undefined {
  if (field !== undefined && typeof field !== 'string') return undefined
  const { fields, unknown }: { fields: readonly string[]; unknown: 'error' | 'ignore' | 'none' } =
    tracker.settings['filter.fields']
  if (field !== 'name') tracker.note('filter.fields')
  if (field !== undefined && fields.includes(field)) return { field }
  if (unknown === 'error')
    violations.push(refusal('filter.fields', { pointer: `${at}/field` }, oneOf(fields, field), field))
  return unknown === 'none' ? 'none' : undefined
}

function readOperator(
  operator: unknown,
  at: string,
  tracker: BehaviourTracker,
  violations: Violation[],
): string | undefined {
  const pointer = `${at}/operator`
  const known: readonly string[] = tracker.settings['filter.operators']
  if (operator === undefined) {
    if (tracker.ask('filter.operator-absent') === 'EQUALS') return 'EQUALS'
    violations.push(refusal('filter.operator-absent', { pointer }, oneOf(known, undefined)))
    return undefined
  }
  if (typeof operator !== 'string') return undefined
  if (operator !== 'LIKE') tracker.note('filter.operators')
  if (known.includes(operator)) return operator
  violations.push(refusal('filter.operators', { pointer }, oneOf(known, operator), operator))
  return undefined
}

interface Value {
  readonly text: string
  readonly pointer: string
}

/** The values that are strings; the contract refuses the others. */
function readValues(value: unknown, at: string, tracker: BehaviourTracker, violations: Violation[]): Value[] {
  if (!Array.isArray(value)) return []
  const { values: most, characters } = tracker.settings['filter.max']
  if (value.length > most)
    violations.push(
      refusal('filter.max', { pointer: `${at}/value` }, `at most ${counted(most, 'value')}`, value.length),
    )
  return value.slice(0, most).flatMap((text: unknown, index) => {
    if (typeof text !== 'string') return []
    const pointer = `${at}/value/${index}`
    // A text has at most as many code points as UTF-16 units, so only long ones need counting.
    const length = text.length > characters ? Array.from(text).length : 0
    if (length > characters)
      violations.push(refusal('filter.max', { pointer }, `at most ${counted(characters, 'character')}`, length))
    return [{ text, pointer }]
  })
}

interface ReadFilter {
  readonly field: string
  readonly operator: string
  readonly values: readonly Value[]
  readonly at: string
}

/** What the values must be depends on the field and on the operator. */
function checkValues(
  { field, operator, values, at }: ReadFilter,
  tracker: BehaviourTracker,
  violations: Violation[],
): void {
  if (operator === 'IS_NULL') return
  const refuse = (...args: Parameters<typeof refusal>) => void violations.push(refusal(...args))
  if (values.length > 1) {
    tracker.note('filter.values')
    if (isComparison(operator) && tracker.settings['filter.values'] === 'any') {
      const texts = values.map(({ text }) => text)
      refuse('filter.values', { pointer: `${at}/value` }, `exactly one value for ${operator}`, texts)
    }
  }
  if (field === 'created' && tracker.ask('filter.created') === 'instant') {
    checkInstants({ operator, values, at }, tracker, violations)
    return
  }
  if (isIntegerField(field)) {
    tracker.note('filter.numbers')
    if (operator === 'LIKE' && tracker.ask('filter.numeric-like') === 'error') {
      refuse(
        'filter.numeric-like',
        { pointer: `${at}/operator` },
        `an operator for integers; LIKE is for text`,
        operator,
      )
      return
    }
  } else if (isComparison(operator) && tracker.ask('filter.text-compare') === 'error') {
    refuse(
      'filter.text-compare',
      { pointer: `${at}/operator` },
      `an operator for text; ${operator} is for size and createdBy`,
      operator,
    )
  }
  if (operator === 'LIKE' && values.length > 0) tracker.note('like.shape')
  for (const { text, pointer } of values) {
    if (isIntegerField(field)) {
      if (!/^-?\d{1,19}$/.test(text))
        refuse('filter.numbers', { pointer }, 'a decimal integer of at most 19 digits', text)
    } else if (operator === 'LIKE') checkLike(text, pointer, tracker, violations)
    else if (!isComparison(operator) && isCased(text)) tracker.note('equals.case')
  }
}

/** `filter.created`: timestamps as `date.format` accepts them. LIKE compares text, so it has nothing to do here. */
function checkInstants(
  { operator, values, at }: Omit<ReadFilter, 'field'>,
  { settings }: BehaviourTracker,
  violations: Violation[],
): void {
  if (operator === 'LIKE') {
    const expected = 'an operator for timestamps; LIKE is for text'
    violations.push(refusal('filter.created', { pointer: `${at}/operator` }, expected, operator))
    return
  }
  for (const { text, pointer } of values)
    if (readInstant(text, settings['date.format']) === undefined)
      violations.push(refusal('filter.created', { pointer }, timestampWords(settings['date.format']), text))
}

function checkLike(pattern: string, pointer: string, tracker: BehaviourTracker, violations: Violation[]): void {
  if (!/[%_\\]/.test(pattern)) return
  if (tracker.ask('like.wildcards') === 'sql' && hasDanglingEscape(pattern)) {
    violations.push(
      refusal('like.wildcards', { pointer }, 'no lone backslash at the end; write \\\\ for a backslash', pattern),
    )
  }
}

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
  const fields: readonly string[] = [tracker.settings['date.field']]
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
  const format = tracker.settings['date.format']
  const instant = readInstant(bound, format)
  // Only what one setting accepts and another refuses depends on the setting.
  if (!bound.endsWith('Z') && (instant ?? parseInstant(bound) ?? parseEpochMs(bound))) tracker.note('date.format')
  if (instant) return nanosecondText(instant)
  const row = parseInstant(bound) ? 'date.format' : 'date.invalid'
  violations.push(refusal(row, { pointer }, timestampWords(format), bound))
  return undefined
}

/** A timestamp as the behaviour `date.format` accepts it; undefined for any other text. */
function readInstant(text: string, format: BehaviourSettings['date.format']): Instant | undefined {
  if (format === 'strict-z' && !text.endsWith('Z')) return undefined
  return parseInstant(text) ?? (format === 'plus-epoch-ms' ? parseEpochMs(text) : undefined)
}

function timestampWords(format: BehaviourSettings['date.format']): string {
  const zone = format === 'strict-z' ? 'Z' : 'Z or a numeric offset'
  return `an RFC 3339 timestamp with ${zone}, such as 2026-01-31T00:00:00.000Z`
}
