import { isObject } from '../../../formats/json.ts'
import type { BehaviourTracker } from '../../../behaviours/tracker.ts'
import { coerceBoolean, coerceText, mapElements, mapMembers, type Members, withoutNulls } from '../../normalize-body.ts'

/** Mends the body of a search: `http.null-array`, `body.null`, `body.types: coerce`, `filter.value-type: coerce`, and dates as epoch milliseconds. */
export function normalizeSearch(body: unknown, tracker: BehaviourTracker): unknown {
  if (!isObject(body)) return body
  const { answers } = tracker
  const coerceTypes = answers['body.types'] === 'coerce'
  const coerceNot = (value: unknown) => {
    const coerced = coerceBoolean(value)
    if (coerced !== value) tracker.note('body.types')
    return coerced
  }
  const softenFilter = (filter: Members) =>
    mapMembers(withoutNulls(filter, tracker), (value, name) => {
      if (name === 'not' && coerceTypes) return coerceNot(value)
      if (name !== 'value' || (answers['filter.value-type'] !== 'coerce' && !coerceTypes) || !Array.isArray(value))
        return value
      if (value.some((one) => typeof one !== 'string')) tracker.note('filter.value-type')
      return value.map(coerceText)
    })
  const softenDateFilter = (filter: Members) =>
    mapMembers(withoutNulls(filter, tracker, OPEN_END), (value, name) => {
      if (name === 'not' && coerceTypes) return coerceNot(value)
      const isBound = name === 'start' || name === 'end'
      return isBound && typeof value === 'number' && answers['date.format'] === 'plus-epoch-ms' ? String(value) : value
    })
  return mapMembers(body, (value, name) => {
    if (name === 'fieldSort' || name === 'filters' || name === 'dateFilters') {
      if (value === null) return tracker.ask('http.null-array') === 'as-absent' ? undefined : value
      if (name === 'fieldSort') return mapElements(value, (key) => withoutNulls(key, tracker))
      return mapElements(value, name === 'filters' ? softenFilter : softenDateFilter)
    }
    return value
  })
}

const OPEN_END = new Set(['end'])
