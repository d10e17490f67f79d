import { refusal } from '../../handler.ts'
import { isCased } from './is-cased.ts'
import { readInstant, timestampWords } from './read-date-filter.ts'
import type { Reader } from '../../reader.ts'
import { counted } from '../../../errors/counted.ts'
import { oneOf } from '../../../errors/nearest.ts'
import type { Members } from '../../normalize-body.ts'
import type { BehaviourTracker } from '../../../behaviours/tracker.ts'
import type { Violation } from '../../../errors/problem.ts'
import { isIntegerField } from '../store/file-record.ts'
import { isComparison } from '../search/filter.ts'
import { hasDanglingEscape } from '../search/like.ts'
import type { Filter } from '../search/query.ts'

/** Reads one of `filters`; undefined for one that is refused or to be overlooked. */
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
    tracker.answers['filter.fields']
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
  const known: readonly string[] = tracker.answers['filter.operators']
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

/** The values that are texts; the contract refuses the others. */
function readValues(value: unknown, at: string, tracker: BehaviourTracker, violations: Violation[]): Value[] {
  if (!Array.isArray(value)) return []
  const { values: most, characters } = tracker.answers['filter.max']
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
    if (isComparison(operator) && tracker.answers['filter.values'] === 'any') {
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
  { answers }: BehaviourTracker,
  violations: Violation[],
): void {
  if (operator === 'LIKE') {
    const expected = 'an operator for timestamps; LIKE is for text'
    violations.push(refusal('filter.created', { pointer: `${at}/operator` }, expected, operator))
    return
  }
  for (const { text, pointer } of values)
    if (readInstant(text, answers['date.format']) === undefined)
      violations.push(refusal('filter.created', { pointer }, timestampWords(answers['date.format']), text))
}

function checkLike(pattern: string, pointer: string, tracker: BehaviourTracker, violations: Violation[]): void {
  if (!/[%_\\]/.test(pattern)) return
  if (tracker.ask('like.wildcards') === 'sql' && hasDanglingEscape(pattern)) {
    violations.push(
      refusal('like.wildcards', { pointer }, 'no lone backslash at the end; write \\\\ for a backslash', pattern),
    )
  }
}
