import type { BehaviourSettings } from '../../../../types/behaviour-settings.d.ts'
import { once } from '../../../base/cache.ts'
import { readPackaged } from '../../../base/formats/source-file.ts'
import { type Behaviour, readCatalog } from '../../../behaviours/catalog.ts'
import { hasNumber } from '../../../behaviours/options.ts'
import { FILTER_FIELDS, OPERATORS, SORT_FIELDS } from '../../../behaviours/file-fields.ts'

/**
 * What is not known of a service, and what its searches depend on: settings by their ids, and parts of settings. `field:size` is whether
 * entries can be filtered by size, `operator:LIKE` whether LIKE is accepted, `sortField:name` whether entries can be sorted by name.
 */
export type Unknown = string

const WHETHER = [true, false]

const VALUES = once(
  (): ReadonlyMap<Unknown, readonly unknown[]> =>
    new Map<Unknown, readonly unknown[]>([
      ...readCatalog(readPackaged('spec/behaviours.yaml').value).behaviours.map(
        (one) => [one.id, wordsOf(one)] as const,
      ),
      ['filter.unknown', ['error', 'ignore', 'none']],
      ...FILTER_FIELDS.map((field) => [`field:${field}`, WHETHER] as const),
      ...OPERATORS.map((operator) => [`operator:${operator}`, WHETHER] as const),
      ...SORT_FIELDS.map((field) => [`sortField:${field}`, WHETHER] as const),
    ]),
)

/** Of a behaviour with one setting, `other` stands for anything else: where it is about a condition, for one that no entry meets. */
function wordsOf({ options, default: only }: Behaviour): readonly unknown[] {
  if (!options) return [only, 'other']
  return 'choice' in options && !options.choice.some(hasNumber) ? options.choice : []
}

/** What an unknown may be. */
export function valuesOf(unknown: Unknown): readonly unknown[] {
  return VALUES().get(unknown) ?? []
}

/** Says what is assumed of an unknown; undefined for what is none. */
export type Assume = (unknown: Unknown) => unknown

/** One way that something can go, and what of the unknowns it depended on. */
interface ExploredPath<Result> {
  readonly assumption: ReadonlyMap<Unknown, unknown>
  readonly result: Result
}

/** The ways that a single search can go that are tried; when there are more, others have to narrow them first. */
export const MOST = 2048

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
