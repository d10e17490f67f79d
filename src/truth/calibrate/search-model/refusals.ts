import { FILTER_FIELDS, OPERATORS, SORT_FIELDS } from '../../../behaviours/file-fields.ts'
import { type Assumption, isOneOf, type Unknown } from './unknowns.ts'

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

/** The fields that a service may know, by what they are known for. */
const FIELDS: Readonly<Record<'field' | 'sortField', readonly string[]>> = {
  field: FILTER_FIELDS,
  sortField: SORT_FIELDS,
}

/** What is checked only of a field that can be filtered by, or sorted. */
function ofField(field: string, { unknowns, holds }: AssumedRefusal, use: keyof typeof FIELDS = 'field') {
  const known = `${use}:${field}`
  if (!FIELDS[use].includes(field)) return NEVER
  return {
    unknowns: [known, ...unknowns],
    holds: (assumption: Assumption) => assumption[known] === true && holds(assumption),
  }
}

/** A field that can be neither filtered by nor sorted by, where such a one is an error. */
function ofUnknownField(use: keyof typeof FIELDS, unknown: Unknown): (field: string) => AssumedRefusal {
  return (field) => {
    const known = `${use}:${field}`
    const isField = FIELDS[use].includes(field)
    return {
      unknowns: isField ? [known, unknown] : [unknown],
      holds: (assumption) => !(isField && assumption[known] === true) && assumption[unknown] === 'error',
    }
  }
}

const REFUSALS: Readonly<Record<string, (detail: string) => AssumedRefusal | undefined>> = {
  'filter.fields': ofUnknownField('field', 'filter.unknown'),
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
  'sort.fields': ofUnknownField('sortField', 'sort.unknown'),
  'sort.unknown': byError('sort.unknown'),
  'sort.order-absent': byError('sort.order-absent'),
  'sort.order-values': (order) => {
    if (!/^(asc|desc)$/i.test(order)) return undefined
    return by('sort.order-values', (value) => (order === 'DESC' ? value === 'asc-only' : value !== 'any-case'))()
  },
  'sort.duplicate': (field) => ofField(field, byError('sort.duplicate')(), 'sortField'),
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
