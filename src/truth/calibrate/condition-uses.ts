import { isIntegerField } from '../../resources/file-sets/entries/filter.ts'
import { compareInstants, type Instant, parseEpochMs, parseInstant } from '../../base/formats/instant.ts'
import { type Uses, when, whenMany } from './use.ts'
import type { Members } from '../../base/formats/json.ts'

/** What a service checks only of a field that it knows has the field as its detail. */
export function usesOfFilter(filter: Members): Uses {
  const { field, operator, value, not, ...others } = filter
  const isEmpty = value === undefined || value === null || (Array.isArray(value) && value.length === 0)
  return [
    ...when(Object.keys(others).length > 0, 'body.unknown'),
    ...when(typeof field !== 'string', 'body.types'),
    ...when(not !== undefined && not !== null && typeof not !== 'boolean', `body.types:${String(not)}`),
    ...when(typeof field === 'string', `filter.fields:${String(field)}`),
    ...when(operator === undefined || operator === null, 'filter.operator-absent'),
    ...when(typeof operator === 'string', `filter.operators:${String(operator)}`),
    ...when(isEmpty && operator !== 'IS_NULL', 'filter.empty'),
    ...when(!isEmpty && !Array.isArray(value), 'body.types'),
    ...usesOfValues(filter, Array.isArray(value) ? value : []),
  ]
}

function usesOfValues({ field, operator }: Members, values: readonly unknown[]): Uses {
  const of = String(field)
  const texts = values.filter((one) => typeof one === 'string')
  const work = operator === 'LIKE' ? texts.reduce((sum, text) => sum + 1 + (text.match(/[%_]/g)?.length ?? 0), 0) : 1
  // A list may have more items than a function takes arguments.
  const longest = texts.reduce((most, { length }) => Math.max(most, length), 0)
  return [
    `filter.work:${work}`,
    ...whenMany(values.length, 'filter.max:values'),
    ...whenMany(longest, 'filter.max:characters'),
    ...when(
      values.some((one) => !SCALARS.has(typeof one)),
      'body.types',
    ),
    ...when(texts.length < values.length, 'filter.value-type'),
    ...(operator === 'IS_NULL' ? [] : usesOfComparison({ of, operator }, values)),
  ]
}

const SCALARS = new Set(['string', 'number', 'bigint', 'boolean'])

function usesOfComparison({ of, operator }: { of: string; operator: unknown }, values: readonly unknown[]): Uses {
  const texts = values.map(String)
  const isOrder = typeof operator === 'string' && operator.includes('_THAN')
  const isLike = operator === 'LIKE'
  const isNumber = isIntegerField(of)
  return [
    ...when(values.length > 1 && operator !== 'IN', isOrder ? `filter.values:${of}` : 'filter.values'),
    ...when(isNumber && isLike, `filter.numeric-like:${of}`),
    ...when(isNumber && texts.some((text) => !/^-?\d{1,19}$/.test(text)), `filter.numbers:${of}`),
    ...(of === 'created' ? usesOfCreated(String(operator), values) : []),
    ...when(isOrder && !isNumber && of !== 'created', `filter.text-compare:${of}`),
    ...when(isLike && texts.some((text) => /[%_\\]/.test(text)), 'like.wildcards'),
    ...when(isLike && texts.some((text) => /(^|[^\\])(\\\\)*\\$/.test(text)), `like.wildcards:${of}`),
  ]
}

function usesOfCreated(operator: string, values: readonly unknown[]): Uses {
  const kind = operator === 'LIKE' ? 'like' : operator.includes('_THAN') ? 'order' : 'equal'
  return [`filter.created:${kind}`, ...values.flatMap(useOfInstant).map((use) => `filter.created:${use}`)]
}

export function usesOfDateFilter(filter: Members): Uses {
  const { field, start, end, not, ...others } = filter
  const given = [start, end].filter((one) => one !== undefined && one !== null)
  const [from, to] = [start, end].map(instantOf)
  return [
    ...when(Object.keys(others).length > 0, 'body.unknown'),
    ...when(not !== undefined && not !== null && typeof not !== 'boolean', `body.types:${String(not)}`),
    ...when(field !== 'created', 'date.field'),
    ...when(start === undefined || start === null, 'date.open-start'),
    ...given.flatMap(useOfInstant),
    ...when(from !== undefined && to !== undefined && compareInstants(from, to) > 0, 'date.inverted'),
  ]
}

/** With a zone and no more than is needed, as the interface shows it. */
const USUAL_INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,3})?Z$/

function useOfInstant(value: unknown): Uses {
  if (instantOf(value) === undefined) return ['date.invalid']
  if (typeof value !== 'string' || parseInstant(value) === undefined) return ['date.format:epoch']
  return when(!USUAL_INSTANT.test(value), `date.format:${value.endsWith('Z') ? 'fraction' : 'offset'}`)
}

/** A timestamp, or milliseconds since the Unix epoch as a number or a text. */
export function instantOf(value: unknown): Instant | undefined {
  if (typeof value === 'number') return parseEpochMs(String(value))
  return typeof value === 'string' ? (parseInstant(value) ?? parseEpochMs(value)) : undefined
}
