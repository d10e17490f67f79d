import { isObject } from '../json.ts'
import type { Leaning } from '../behaviours/leaning.ts'
import { coerceBoolean, coerceText, mapElements, mapMembers, type Members, withoutNulls } from './soften.ts'

/** Mends the body of a search: `http.null-array`, `body.null`, `body.types: coerce`, `filter.value-type: coerce`, and dates as epoch milliseconds. */
export function softenSearch(body: unknown, leaning: Leaning): unknown {
  if (!isObject(body)) return body
  const { answers } = leaning
  const coerceTypes = answers['body.types'] === 'coerce'
  const coerceNot = (value: unknown) => {
    const coerced = coerceBoolean(value)
    if (coerced !== value) leaning.lean('body.types')
    return coerced
  }
  const softenFilter = (filter: Members) =>
    mapMembers(withoutNulls(filter, leaning), (value, name) => {
      if (name === 'not' && coerceTypes) return coerceNot(value)
      if (name !== 'value' || (answers['filter.value-type'] !== 'coerce' && !coerceTypes) || !Array.isArray(value))
        return value
      if (value.some((one) => typeof one !== 'string')) leaning.lean('filter.value-type')
      return value.map(coerceText)
    })
  const softenDateFilter = (filter: Members) =>
    mapMembers(withoutNulls(filter, leaning, OPEN_END), (value, name) => {
      if (name === 'not' && coerceTypes) return coerceNot(value)
      const isBound = name === 'start' || name === 'end'
      return isBound && typeof value === 'number' && answers['date.format'] === 'plus-epoch-ms' ? String(value) : value
    })
  return mapMembers(body, (value, name) => {
    if (name === 'fieldSort' || name === 'filters' || name === 'dateFilters') {
      if (value === null) return leaning.ask('http.null-array') === 'as-absent' ? undefined : value
      if (name === 'fieldSort') return mapElements(value, (key) => withoutNulls(key, leaning))
      return mapElements(value, name === 'filters' ? softenFilter : softenDateFilter)
    }
    return value
  })
}

const OPEN_END = new Set(['end'])
