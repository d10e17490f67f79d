import { FILTER_FIELDS, OPERATORS, SORT_FIELDS } from '../../../behaviours/file-fields.ts'
import type { Assumption, Unknown } from './unknowns.ts'

/** When a use of a search is refused (see `findUses`). */
interface AssumedRefusal {
  /** What it depends on. */
  readonly unknowns: readonly Unknown[]
  holds(assumption: Assumption): boolean
}

/** When the use is refused; undefined for one that this model knows nothing of. */
export function refusalOf(use: string): AssumedRefusal | undefined {
  const [id = '', detail = ''] = use.split(/:(.*)/s)
  return REFUSALS[id]?.(detail)
}

const NEVER: AssumedRefusal = { unknowns: [], holds: () => false }

/** A behaviour of which one setting, or all but one, refuses. */
function by(unknown: Unknown, refuses: (value: unknown) => boolean): () => AssumedRefusal {
  return () => ({ unknowns: [unknown], holds: (assumption) => refuses(assumption[unknown]) })
}

const byError = (unknown: Unknown) => by(unknown, (value) => value === 'error')

/** What is checked only of a field that can be filtered by. */
function ofField(field: string, { unknowns, holds }: AssumedRefusal): AssumedRefusal {
  const known = `field:${field}`
  if (!isOneOf(FILTER_FIELDS, field)) return NEVER
  return { unknowns: [known, ...unknowns], holds: (assumption) => assumption[known] === true && holds(assumption) }
}

function isOneOf(words: readonly string[], word: string): boolean {
  return words.includes(word)
}

const REFUSALS: Readonly<Record<string, (detail: string) => AssumedRefusal | undefined>> = {
  'filter.fields': (field) => {
    const known = `field:${field}`
    const isField = isOneOf(FILTER_FIELDS, field)
    return {
      unknowns: isField ? [known, 'filter.unknown'] : ['filter.unknown'],
      holds: (assumption) => !(isField && assumption[known] === true) && assumption['filter.unknown'] === 'error',
    }
  },
  'filter.operators': (operator) => {
    const known = `operator:${operator}`
    return isOneOf(OPERATORS, operator)
      ? { unknowns: [known], holds: (assumption) => assumption[known] !== true }
      : undefined
  },
  'filter.operator-absent': byError('filter.operator-absent'),
  'filter.empty': byError('filter.empty'),
  'filter.several': () => NEVER,
  'filter.values': (field) =>
    field === '' ? NEVER : ofField(field, by('filter.values', (value) => value === 'any')()),
  'filter.value-type': () => ({
    unknowns: ['filter.value-type', 'body.types'],
    holds: (assumption) => assumption['filter.value-type'] === 'strict' && assumption['body.types'] === 'strict',
  }),
  'filter.numbers': (field) => ofField(field, by('filter.numbers', (value) => value === 'exact-integer')()),
  'filter.numeric-like': (field) => ofField(field, byError('filter.numeric-like')()),
  'filter.text-compare': (field) => ofField(field, byError('filter.text-compare')()),
  'filter.created': (kind) => ofField('created', refusalOfCreated(kind)),
  'like.wildcards': (field) =>
    field === '' ? NEVER : ofField(field, by('like.wildcards', (value) => value === 'sql')()),
  'sort.fields': (field) => {
    const known = `sortField:${field}`
    const isField = isOneOf(SORT_FIELDS, field)
    return {
      unknowns: isField ? [known, 'sort.unknown'] : ['sort.unknown'],
      holds: (assumption) => !(isField && assumption[known] === true) && assumption['sort.unknown'] === 'error',
    }
  },
  'sort.unknown': byError('sort.unknown'),
  'sort.order-absent': byError('sort.order-absent'),
  'sort.order-values': (order) => {
    if (!/^(asc|desc)$/i.test(order)) return undefined
    return by('sort.order-values', (value) => (order === 'DESC' ? value === 'asc-only' : value !== 'any-case'))()
  },
  'sort.duplicate': (field) => {
    const known = `sortField:${field}`
    return isOneOf(SORT_FIELDS, field)
      ? {
          unknowns: [known, 'sort.duplicate'],
          holds: (assumption) => assumption[known] === true && assumption['sort.duplicate'] === 'error',
        }
      : NEVER
  },
  'date.open-start': byError('date.open-start'),
  'date.inverted': byError('date.inverted'),
  'date.format': (kind) => refusalOfFormat(kind),
  'date.invalid': byError('date.invalid'),
  'date.field': by('date.field', (value) => value === 'created'),
  'body.types': (text) =>
    text === 'true' || text === 'false' ? by('body.types', (value) => value === 'strict')() : undefined,
}

function refusalOfFormat(kind: string): AssumedRefusal {
  if (kind === 'fraction') return NEVER
  return by('date.format', (value) => (kind === 'epoch' ? value !== 'plus-epoch-ms' : value === 'strict-z'))()
}

/** Of a filter by `created`: what its operator and its values are refused for. */
function refusalOfCreated(kind: string): AssumedRefusal {
  const asInstant = by('filter.created', (value) => value === 'instant')()
  if (kind === 'like' || kind === 'date.invalid') return asInstant
  if (kind === 'order')
    return {
      unknowns: ['filter.created', 'filter.text-compare'],
      holds: (assumption) => assumption['filter.created'] === 'text' && assumption['filter.text-compare'] === 'error',
    }
  if (!kind.startsWith('date.format:')) return NEVER
  const { unknowns, holds } = refusalOfFormat(kind.slice('date.format:'.length))
  return {
    unknowns: ['filter.created', ...unknowns],
    holds: (assumption) => asInstant.holds(assumption) && holds(assumption),
  }
}
