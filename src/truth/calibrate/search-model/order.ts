import { compareCodePoints, fold } from '../../../base/formats/code-points.ts'
import { compareInstants } from '../../../base/formats/instant.ts'
import { instantOf } from '../condition-uses.ts'
import { stringifyJson } from '../../../base/formats/json.ts'
import type { SeenEntry } from '../search-seen.ts'
import type { SentSearch } from '../uses.ts'
import { SORT_FIELDS } from '../../../behaviours/file-fields.ts'
import { type Assumption, isOneOf, type Unknown } from './unknowns.ts'

/** What the fieldSort of a search means. */
export interface SearchOrder {
  readonly unknowns: readonly Unknown[]
  /** Compares by all keys, without what breaks ties; undefined when no key counts, so that entries are in the default order. */
  comparator(assumption: Assumption): Comparator | undefined
}

type Comparator = (a: SeenEntry, b: SeenEntry) => number

interface OrderKey {
  readonly field: string
  readonly descending: boolean
}

/** Undefined for a sort that the interface says nothing of. */
export function readOrder({ sorts }: Pick<SentSearch, 'sorts'>): SearchOrder | undefined {
  const keys: OrderKey[] = []
  for (const { field, order } of sorts) {
    const spelt: unknown = order ?? 'ASC'
    if (typeof field !== 'string' || typeof spelt !== 'string' || !/^(asc|desc)$/i.test(spelt)) return undefined
    if (!keys.some((key) => key.field === field)) keys.push({ field, descending: /^desc$/i.test(spelt) })
  }
  const fields = keys.map(({ field }) => field).filter((field) => isOneOf(SORT_FIELDS, field))
  return {
    unknowns: [
      ...(fields.length < keys.length ? ['sort.unknown'] : []),
      ...(fields.length > 0 ? ['sort.unknown', 'sort.tie'] : []),
      ...fields.map((field) => `sortField:${field}`),
      ...(fields.some((field) => !NOT_TEXTS.includes(field)) ? ['sort.collation'] : []),
      ...(fields.some((field) => NULLABLE.includes(field)) ? ['sort.nulls'] : []),
    ].filter((unknown, at, all) => all.indexOf(unknown) === at),
    comparator(assumption) {
      const known = keys.filter(({ field }) => assumption[`sortField:${field}`] === true)
      return known.length > 0 ? by(known, assumption) : undefined
    },
  }
}

/** The order without a fieldSort; undefined for one that nothing can be said of. */
export function defaultOrder(assumption: Assumption): Comparator | undefined {
  const field = assumption['sort.default']
  return field === 'shuffled' ? undefined : by([{ field: String(field), descending: false }], assumption)
}

export function asText(value: unknown): string {
  return typeof value === 'string' ? value : stringifyJson(value)
}

export function compareIds(a: SeenEntry, b: SeenEntry): number {
  return compareCodePoints(asText(a.id), asText(b.id))
}

const NOT_TEXTS = ['size', 'createdBy', 'created']
/** The fields that an entry may have without a value. */
const NULLABLE = ['size', 'contentType', 'fileType', 'createdBy']

function by(keys: readonly OrderKey[], assumption: Assumption): Comparator {
  return (a, b) => {
    for (const { field, descending } of keys) {
      const order = compareValues(a[field] ?? null, b[field] ?? null, { field, descending, assumption })
      if (order !== 0) return order
    }
    return 0
  }
}

function compareValues(a: unknown, b: unknown, rule: OrderKey & { readonly assumption: Assumption }): number {
  const { field, descending, assumption } = rule
  const direction = descending ? -1 : 1
  if (a === null || b === null) {
    const nulls = assumption['sort.nulls']
    const side = nulls === 'largest' ? direction : nulls === 'last' ? 1 : -1
    return a === b ? 0 : a === null ? side : -side
  }
  if (typeof a === 'number' || typeof a === 'bigint')
    return direction * (a < (b as number) ? -1 : a > (b as number) ? 1 : 0)
  const [one, other] = field === 'created' ? [instantOf(a), instantOf(b)] : []
  if (one && other) return direction * compareInstants(one, other)
  const normal = assumption['sort.collation'] === 'case-insensitive' ? fold : (text: string) => text
  return direction * compareCodePoints(normal(asText(a)), normal(asText(b)))
}
