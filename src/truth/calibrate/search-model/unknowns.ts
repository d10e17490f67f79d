import type { BehaviourId, BehaviourSettings } from '../../../../types/behaviour-settings.d.ts'
import { FILTER_FIELDS, OPERATORS, SORT_FIELDS } from '../../../behaviours/file-fields.ts'

/**
 * What is not known of a service, and what its searches depend on: settings by their ids, and parts of settings. `field:size` is whether
 * entries can be filtered by size, `operator:LIKE` whether LIKE is accepted, `sortField:name` whether entries can be sorted by name.
 */
export type Unknown = string

/**
 * The settings that are unknown as a whole. Of behaviours with one setting, `other` stands for anything else: where it is about a
 * condition, for one that no entry meets.
 */
const CHOICES: { readonly [Id in BehaviourId]?: readonly (BehaviourSettings[Id] | 'other')[] } = {
  'sort.default': ['path', 'created', 'id', 'shuffled'],
  'sort.order-absent': ['asc', 'error'],
  'sort.order-values': ['closed', 'any-case', 'asc-only'],
  'sort.unknown': ['error', 'ignore'],
  'sort.duplicate': ['first', 'error'],
  'sort.nulls': ['largest', 'first', 'last'],
  'sort.collation': ['codepoint', 'case-insensitive'],
  'sort.tie': ['id-asc', 'other'],
  'like.shape': ['contains', 'anchored', 'prefix'],
  'like.case': ['insensitive', 'sensitive'],
  'like.wildcards': ['sql', 'literal'],
  'equals.case': ['sensitive', 'insensitive'],
  'filter.empty': ['error', 'none', 'all'],
  'filter.values': ['any', 'first'],
  'filter.several': ['and', 'or'],
  'filter.value-type': ['strict', 'coerce'],
  'filter.numbers': ['exact-integer', 'other'],
  'filter.numeric-like': ['error', 'digits'],
  'filter.created': ['instant', 'text'],
  'filter.text-compare': ['on', 'error'],
  'filter.not-null': ['complement', 'sql'],
  'filter.is-null': ['null-or-absent', 'other'],
  'filter.operator-absent': ['error', 'EQUALS'],
  'dir.filtered': ['filtered', 'bypass'],
  'date.start': ['inclusive', 'exclusive'],
  'date.end': ['inclusive', 'exclusive'],
  'date.open-end': ['unbounded', 'other'],
  'date.open-start': ['open', 'error'],
  'date.inverted': ['empty', 'error'],
  'date.format': ['strict-z', 'rfc3339', 'plus-epoch-ms'],
  'date.invalid': ['error', 'other'],
  'date.field': ['created', 'other'],
  'body.types': ['strict', 'coerce'],
}

const WHETHER = [true, false]

const VALUES: ReadonlyMap<Unknown, readonly unknown[]> = new Map<Unknown, readonly unknown[]>([
  ...Object.entries(CHOICES),
  ['filter.unknown', ['error', 'ignore', 'none']],
  ...FILTER_FIELDS.map((field) => [`field:${field}`, WHETHER] as const),
  ...OPERATORS.map((operator) => [`operator:${operator}`, WHETHER] as const),
  ...SORT_FIELDS.map((field) => [`sortField:${field}`, WHETHER] as const),
])

/** What an unknown may be. */
export function valuesOf(unknown: Unknown): readonly unknown[] {
  return VALUES.get(unknown) ?? []
}

/** Says what is assumed of an unknown; undefined for what is none. */
export type Assume = (unknown: Unknown) => unknown

/** One way that something can go, and what of the unknowns it depended on. */
interface ExploredPath<Result> {
  readonly assumption: ReadonlyMap<Unknown, unknown>
  readonly result: Result
}

/** Every way that something can go: a value is assumed where one is asked for. Undefined when there are more than `most`. */
export function explore<Result>(
  run: (assume: Assume) => Result,
  domainOf: (unknown: Unknown) => readonly unknown[],
  most: number,
): readonly ExploredPath<Result>[] | undefined {
  const paths: ExploredPath<Result>[] = []
  const left = [new Map<Unknown, unknown>()]
  for (let assumption = left.pop(); assumption; assumption = left.pop()) {
    const present = assumption
    const assume: Assume = (unknown) => {
      if (present.has(unknown)) return present.get(unknown)
      const [first, ...others] = domainOf(unknown)
      if (first === undefined) return undefined
      for (const other of others) left.push(new Map(present).set(unknown, other))
      present.set(unknown, first)
      return first
    }
    paths.push({ assumption: present, result: run(assume) })
    if (paths.length > most) return undefined
  }
  return paths
}

/** What bounds a search is no matter of this model. */
const UNBOUNDED: Partial<BehaviourSettings> = {
  'filter.max': { filters: Infinity, values: Infinity, characters: Infinity },
  'sort.max': Infinity,
}

/** Settings for the handlers of searches, each assumed when it is read. Behaviours with one setting have that one. */
export function settingsUnder(assume: Assume): BehaviourSettings {
  const listOf = (words: readonly string[], kind: string) =>
    Object.assign([...words], { includes: (word: string) => assume(`${kind}:${word}`) === true })
  const lists: Readonly<Record<string, unknown>> = {
    ...UNBOUNDED,
    'filter.operators': listOf(OPERATORS, 'operator'),
    'sort.fields': listOf(SORT_FIELDS, 'sortField'),
    'filter.fields': {
      fields: listOf(FILTER_FIELDS, 'field'),
      get unknown() {
        return assume('filter.unknown')
      },
    },
  }
  const read = (id: string) => {
    if (id in lists) return lists[id]
    const values = valuesOf(id)
    return values.includes('other') ? values[0] : assume(id)
  }
  return new Proxy({} as BehaviourSettings, { get: (_settings, id) => read(String(id)) })
}
