import { asList, type Members } from '../../../base/formats/json.ts'
import type { SearchSeen } from '../search-seen.ts'
import { assumeSearch, isReadable } from './read-search.ts'
import { type Assume, explore, MOST, type Unknown } from './unknowns.ts'

/** What the conditions of searches, and their sorts, are refused for: what the functions of a search refuse under the settings that are left. */

type DomainOf = (unknown: Unknown) => readonly unknown[]

/** A condition of a search, a sort key, or all sort keys, as a search of its own. */
interface SearchPart {
  readonly body: unknown
  /** Of a filter or a sort key. */
  readonly field?: unknown
}

export function partsOf(search: SearchSeen): readonly SearchPart[] {
  const { filters, dateFilters, sorts } = isReadable(search) ? search : beginningOf(search)
  return [
    ...filters.map((one) => ({ body: { filters: [one] }, field: one.field })),
    ...dateFilters.map((one) => ({ body: { dateFilters: [one] } })),
    ...sorts.map((one) => ({ body: { fieldSort: [one] }, field: one.field })),
    ...(sorts.length > 1 ? [{ body: { fieldSort: sorts } }] : []),
  ]
}

/** Of a search to find a bound, whose parts are alike. */
function beginningOf({ filters, dateFilters, sorts }: SearchSeen) {
  const short: Members[] = filters.slice(0, FEW).map((one) => ({ ...one, value: asList(one.value).slice(0, FEW) }))
  return { filters: short, dateFilters: dateFilters.slice(0, FEW), sorts: sorts.slice(0, FEW) }
}

const FEW = 10

/** Refusals that depend on the field: of one that cannot be searched by, and of one that can. */
const BY_FIELD = new Set([
  ...['filter.fields', 'filter.numbers', 'filter.numeric-like', 'filter.text-compare', 'filter.values'],
  ...['like.wildcards', 'sort.unknown'],
])

/** A refusal that an accepted search rules out for others too; undefined for one that depends on more of the search. */
function refusalOf(id: string, field: unknown): string | undefined {
  return BY_FIELD.has(id) ? `${id} ${String(field)}` : id === 'filter.value-type' ? id : undefined
}

/** A setting does not refuse, or another one keeps it from being asked: of two together no domain says so. */
export function noteAccepted(search: SearchSeen, accepted: Set<string>, domainOf: DomainOf): void {
  for (const { body, field } of partsOf(search))
    for (const { result } of explore((assume) => assumeSearch({ body }, assume).refusals, domainOf, MOST) ?? [])
      for (const refusal of result.flatMap((id) => refusalOf(id, field) ?? [])) accepted.add(refusal)
}

/**
 * What refuses a part.
 *
 * @param accepted what accepted searches rule out
 */
export function refusalsUnder(
  assume: Assume,
  { body, field }: SearchPart,
  accepted: ReadonlySet<string>,
): readonly string[] {
  return assumeSearch({ body }, assume).refusals.filter((id) => !accepted.has(refusalOf(id, field) ?? ''))
}

/** Stands for any refusal, where there are more ways than are tried. */
const MANY = 'any'

/** What may refuse the conditions of a search, and its sorts. */
export function findRefusals(search: SearchSeen, accepted: ReadonlySet<string>, domainOf: DomainOf): readonly string[] {
  const found = partsOf(search).flatMap((part) => {
    const paths = explore((assume) => refusalsUnder(assume, part, accepted), domainOf, MOST)
    return paths?.flatMap(({ result }) => result) ?? [MANY]
  })
  return [...new Set(found)]
}
