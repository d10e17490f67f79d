import { OPERATORS } from '../../../behaviours/file-fields.ts'

/** The uses of a search (see `findUses`) that the handlers of searches refuse by settings that can be assumed. */
const MODELLED = new Set([
  ...['filter.fields', 'filter.operators', 'filter.operator-absent', 'filter.empty', 'filter.several', 'filter.values'],
  ...['filter.value-type', 'filter.numbers', 'filter.numeric-like', 'filter.text-compare', 'filter.created'],
  ...['like.wildcards', 'sort.fields', 'sort.unknown', 'sort.order-absent', 'sort.order-values', 'sort.duplicate'],
  ...['date.open-start', 'date.inverted', 'date.format', 'date.invalid', 'date.field', 'body.types'],
])

export function isModelled(use: string): boolean {
  const [id = '', detail = ''] = use.split(/:(.*)/s)
  if (id === 'filter.operators') return OPERATORS.some((operator) => operator === detail)
  if (id === 'sort.order-values') return /^(asc|desc)$/i.test(detail)
  if (id === 'body.types') return detail === 'true' || detail === 'false'
  return MODELLED.has(id)
}

/** Behaviours by which a use is refused, where they are not named as it is. */
const REFUSED_BY: Readonly<Record<string, string>> = {
  'sort.fields': 'sort.unknown',
  'filter.created': 'filter.text-compare',
}

/** Whether a behaviour refuses a use. */
export function isUseOf(use: string, behaviour: string): boolean {
  const [id = ''] = use.split(':', 1)
  return id === behaviour || REFUSED_BY[id] === behaviour
}
