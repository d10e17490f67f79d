import type { BehaviourId, BehaviourSettings } from '../../../../types/behaviour-settings.d.ts'
import { FILTER_FIELDS, OPERATORS, SORT_FIELDS } from '../../../behaviours/file-fields.ts'

/**
 * What is not known of a service, and what its searches depend on: settings by their ids, and parts of settings. `field:size` is whether
 * entries can be filtered by size, `operator:LIKE` whether LIKE is accepted, `sortField:name` whether entries can be sorted by name.
 */
export type Unknown = string

/** A value for each unknown that matters. */
export type Assumption = Readonly<Record<Unknown, unknown>>

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

const VALUES: ReadonlyMap<Unknown, readonly unknown[]> = new Map<Unknown, readonly unknown[]>([
  ...Object.entries(CHOICES),
  ['filter.unknown', ['error', 'ignore', 'none']],
  ...FILTER_FIELDS.map((field): [Unknown, readonly unknown[]] => [`field:${field}`, [true, false]]),
  ...OPERATORS.map((operator): [Unknown, readonly unknown[]] => [`operator:${operator}`, [true, false]]),
  ...SORT_FIELDS.map((field): [Unknown, readonly unknown[]] => [`sortField:${field}`, [true, false]]),
])

/** What an unknown may be. */
export function valuesOf(unknown: Unknown): readonly unknown[] {
  return VALUES.get(unknown) ?? []
}

/** Every assumption about some unknowns; undefined when there are more than `most`. */
export function assumptionsOf(
  unknowns: readonly Unknown[],
  domainOf: (unknown: Unknown) => readonly unknown[],
  most: number,
): readonly Assumption[] | undefined {
  let assumptions: Assumption[] = [{}]
  for (const unknown of unknowns) {
    const domain = domainOf(unknown)
    if (assumptions.length * domain.length > most) return undefined
    assumptions = domain.flatMap((value) => assumptions.map((one) => ({ ...one, [unknown]: value })))
  }
  return assumptions
}

export function isOneOf(words: readonly string[], word: string): boolean {
  return words.includes(word)
}
