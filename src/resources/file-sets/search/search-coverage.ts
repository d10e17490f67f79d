import { isObject } from '../../../formats/json.ts'
import type { OperationCoverage } from '../../resource.ts'

/** What searches can filter and sort by, as the behaviours have it. */
export const searchCoverage: OperationCoverage = {
  values: (settings) => ({
    'filter fields': settings['filter.fields'].fields,
    'filter operators': settings['filter.operators'],
    'date filters': DATE_FILTERS,
    'sort fields': settings['sort.fields'],
    'sort orders': settings['sort.order-values'] === 'asc-only' ? ['ASC'] : ['ASC', 'DESC'],
  }),
  used({ body }, note) {
    const { filters, dateFilters, fieldSort } = isObject(body) ? body : {}
    for (const { field, operator } of elementsOf(filters)) {
      note('filter fields', String(field))
      note('filter operators', String(operator))
    }
    for (const { start = null, end = null, not } of elementsOf(dateFilters)) {
      if (start !== null && end !== null) note('date filters', 'between')
      else note('date filters', start === null ? 'until' : 'since')
      if (not === true) note('date filters', 'not')
    }
    for (const { field, order } of elementsOf(fieldSort)) {
      note('sort fields', String(field))
      note('sort orders', String(order).toUpperCase())
    }
  },
}

const DATE_FILTERS = ['since', 'until', 'between', 'not']

function elementsOf(list: unknown): readonly Readonly<Record<string, unknown>>[] {
  return Array.isArray(list) ? list.filter(isObject) : []
}
