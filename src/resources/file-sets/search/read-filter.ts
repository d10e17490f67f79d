import { refusal, type Reader } from '../../handler.ts'
import { counted } from '../../../base/errors/wording.ts'
import { type DateFilter, type Filter, isComparison, isIntegerField, isCased } from '../entries/filter.ts'
import { hasDanglingEscape } from '../entries/like.ts'
import type { BehaviourSettings } from '../../../../types/behaviour-settings.d.ts'
import { type Instant, nanosecondText, parseEpochMs, parseInstant } from '../../../base/formats/instant.ts'
import type { Members } from '../../../base/formats/json.ts'

/** Adds a violation, and reading goes on. */
export function refuse({ violations }: Reader, ...refused: Parameters<typeof refusal>): void {
  violations.push(refusal(...refused))
}

/** Reads one of `filters`; undefined if it is refused or ignored. */
export function readFilter(element: Members, at: string, reader: Reader): Filter | undefined {
  const { field, not } = element
  const operator = readOperator(element.operator, at, reader)
  const values = readValues(element.value, at, reader)
  const known = readFilterField(field, at, reader)
  if (operator === 'IS_NULL') reader.tracker.note('filter.is-null')
  else if (!Array.isArray(element.value) ? element.value === undefined : element.value.length === 0) {
    if (reader.tracker.ask('filter.empty') === 'error')
      refuse(reader, 'filter.empty', { pointer: `${at}/value` }, 'at least one value', element.value)
  }
  if (known === 'none') return NOTHING
  if (known === undefined || operator === undefined) return undefined
  checkValues({ field: known.field, operator, values, at }, reader)
  if (not === true) reader.tracker.note('filter.not-null')
  return {
    field: known.field,
    operator,
    value: operator === 'IS_NULL' ? [] : values.map(({ text }) => text),
    not: not === true,
  }
}

/** A filter that no entry satisfies: on a field that none has. */
const NOTHING: Filter = { field: '', operator: 'IN', value: ['none'], not: false }

function readFilterField(field: unknown, at: string, reader: Reader): { readonly field: string } | 'none' | undefined {
  if (field !== undefined && typeof field !== 'string') return undefined
  const { fields, unknown }: { fields: readonly string[]; unknown: 'error' | 'ignore' | 'none' } =
    reader.tracker.settings['filter.fields']
  if (field !== 'name') reader.tracker.note('filter.fields')
  if (field !== undefined && fields.includes(field)) return { field }
  if (unknown === 'error') refuse(reader, 'filter.fields', { pointer: `${at}/field` }, fields, field)
  return unknown === 'none' ? 'none' : undefined
}

function readOperator(operator: unknown, at: string, reader: Reader): string | undefined {
  const pointer = `${at}/operator`
  const known: readonly string[] = reader.tracker.settings['filter.operators']
  if (operator === undefined) {
    if (reader.tracker.ask('filter.operator-absent') === 'EQUALS') return 'EQUALS'
    refuse(reader, 'filter.operator-absent', { pointer }, known)
    return undefined
  }
  if (typeof operator !== 'string') return undefined
  if (operator !== 'LIKE') reader.tracker.note('filter.operators')
  if (known.includes(operator)) return operator
  refuse(reader, 'filter.operators', { pointer }, known, operator)
  return undefined
}

interface FilterValue {
  readonly text: string
  readonly pointer: string
}

/** The values that are strings; the contract refuses the others. */
function readValues(value: unknown, at: string, reader: Reader): FilterValue[] {
  if (!Array.isArray(value)) return []
  const { values: most, characters } = reader.tracker.settings['filter.max']
  if (value.length > most)
    refuse(reader, 'filter.max', { pointer: `${at}/value` }, `at most ${counted(most, 'value')}`, value.length)
  return value.slice(0, most).flatMap((text: unknown, index) => {
    if (typeof text !== 'string') return []
    const pointer = `${at}/value/${index}`
    // A text has at most as many code points as UTF-16 units, so only long ones need counting.
    const length = text.length > characters ? Array.from(text).length : 0
    if (length > characters)
      refuse(reader, 'filter.max', { pointer }, `at most ${counted(characters, 'character')}`, length)
    return [{ text, pointer }]
  })
}

interface ReadFilter {
  readonly field: string
  readonly operator: string
  readonly values: readonly FilterValue[]
  readonly at: string
}

/** What the values must be depends on the field and on the operator. */
function checkValues({ field, operator, values, at }: ReadFilter, reader: Reader): void {
  if (operator === 'IS_NULL') return
  const { tracker } = reader
  if (values.length > 1) {
    tracker.note('filter.values')
    const texts = values.map(({ text }) => text)
    if (isComparison(operator) && tracker.settings['filter.values'] === 'any')
      refuse(reader, 'filter.values', { pointer: `${at}/value` }, `exactly one value for ${operator}`, texts)
  }
  if (field === 'created' && tracker.ask('filter.created') === 'instant')
    checkInstants({ operator, values, at }, reader)
  else if (isIntegerField(field)) checkIntegers({ operator, values, at }, reader)
  else checkTexts({ operator, values, at }, reader)
}

type FieldValues = Omit<ReadFilter, 'field'>

function checkIntegers({ operator, values, at }: FieldValues, reader: Reader): void {
  reader.tracker.note('filter.numbers')
  if (operator === 'LIKE' && reader.tracker.ask('filter.numeric-like') === 'error') {
    const expected = 'an operator for integers; LIKE is for text'
    refuse(reader, 'filter.numeric-like', { pointer: `${at}/operator` }, expected, operator)
    return
  }
  if (operator === 'LIKE' && values.length > 0) reader.tracker.note('like.shape')
  for (const { text, pointer } of values)
    if (!/^-?\d{1,19}$/.test(text))
      refuse(reader, 'filter.numbers', { pointer }, 'a decimal integer of at most 19 digits', text)
}

function checkTexts({ operator, values, at }: FieldValues, reader: Reader): void {
  const { tracker } = reader
  if (isComparison(operator)) {
    const expected = `an operator for text; ${operator} is for size and createdBy`
    if (tracker.ask('filter.text-compare') === 'error')
      refuse(reader, 'filter.text-compare', { pointer: `${at}/operator` }, expected, operator)
    return
  }
  if (operator === 'LIKE' && values.length > 0) tracker.note('like.shape')
  for (const { text, pointer } of values) {
    if (operator === 'LIKE') checkLike(text, pointer, reader)
    else if (isCased(text)) tracker.note('equals.case')
  }
}

/** `filter.created`: timestamps as `date.format` accepts them. LIKE compares text, so it has nothing to do here. */
function checkInstants({ operator, values, at }: FieldValues, reader: Reader): void {
  const { settings } = reader.tracker
  if (operator === 'LIKE') {
    const expected = 'an operator for timestamps; LIKE is for text'
    refuse(reader, 'filter.created', { pointer: `${at}/operator` }, expected, operator)
    return
  }
  for (const { text, pointer } of values)
    if (readInstant(text, settings) === undefined)
      refuse(reader, 'filter.created', { pointer }, timestampWords(settings), text)
}

function checkLike(pattern: string, pointer: string, reader: Reader): void {
  if (!/[%_\\]/.test(pattern)) return
  if (reader.tracker.ask('like.wildcards') === 'sql' && hasDanglingEscape(pattern)) {
    refuse(reader, 'like.wildcards', { pointer }, 'no lone backslash at the end; write \\\\ for a backslash', pattern)
  }
}

/** Reads one of `dateFilters`; undefined for one that is refused. */
export function readDateFilter(element: Members, at: string, reader: Reader): DateFilter | undefined {
  const { field, not } = element
  const start = readBound(element.start, `${at}/start`, reader)
  const end = readBound(element.end, `${at}/end`, reader)
  if (start === null) {
    if (reader.tracker.ask('date.open-start') === 'error')
      refuse(reader, 'date.open-start', { pointer: `${at}/start` }, 'a timestamp')
  } else reader.tracker.note('date.start')
  reader.tracker.note(end === null ? 'date.open-end' : 'date.end')
  if (
    typeof start === 'string' &&
    typeof end === 'string' &&
    BigInt(start) > BigInt(end) &&
    reader.tracker.ask('date.inverted') === 'error'
  ) {
    refuse(reader, 'date.inverted', { pointer: at }, 'a start that is not after the end', element.start)
  }
  const fields: readonly string[] = [reader.tracker.settings['date.field']]
  if (typeof field === 'string' && fields.includes(field))
    return { field, start: start ?? null, end: end ?? null, not: not === true }
  if (field === undefined || typeof field === 'string') {
    refuse(reader, 'date.field', { pointer: `${at}/field` }, fields, field)
  }
  return undefined
}

/** A bound as nanoseconds since the epoch; null when it is open, undefined when it is refused. */
function readBound(bound: unknown, pointer: string, reader: Reader): string | null | undefined {
  if (bound === undefined || bound === null) return null
  if (typeof bound !== 'string') return undefined
  const { settings } = reader.tracker
  const instant = readInstant(bound, settings)
  // Only what one setting accepts and another refuses depends on the setting.
  if (!bound.endsWith('Z') && (instant ?? parseInstant(bound) ?? parseEpochMs(bound)))
    reader.tracker.note('date.format')
  if (instant) return nanosecondText(instant)
  const behaviour = parseInstant(bound) ? 'date.format' : 'date.invalid'
  refuse(reader, behaviour, { pointer }, timestampWords(settings), bound)
  return undefined
}

/** A timestamp as the behaviour `date.format` accepts it; undefined for any other text. */
function readInstant(text: string, settings: BehaviourSettings): Instant | undefined {
  const instant = parseInstant(text)
  // What every setting accepts depends on none.
  if (instant) return text.endsWith('Z') || settings['date.format'] !== 'strict-z' ? instant : undefined
  const moment = parseEpochMs(text)
  return moment && settings['date.format'] === 'plus-epoch-ms' ? moment : undefined
}

function timestampWords({ 'date.format': format }: BehaviourSettings): string {
  const zone = format === 'strict-z' ? 'Z' : 'Z or a numeric offset'
  return `an RFC 3339 timestamp with ${zone}, such as 2026-01-31T00:00:00.000Z`
}
