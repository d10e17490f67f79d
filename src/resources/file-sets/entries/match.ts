import type { Base } from './base.ts'
import type { Entries } from './entries.ts'
import {
  createDateFilter,
  createFilter,
  type DateFilter,
  type DateRule,
  type Filter,
  type FilterRule,
  type Test,
} from './filter.ts'
import type { BehaviourSettings } from '../../../../types/behaviour-settings.d.ts'

/** What an entry must meet. */
export interface Conditions {
  readonly filters: readonly Filter[]
  readonly dateFilters: readonly DateFilter[]
}

/** How conditions are read; the fields name their behaviours. */
export interface ConditionRules {
  readonly filter: FilterRule
  readonly date: DateRule
  /** `filter.several` */
  readonly several: 'and' | 'or'
  /** `dir.filtered`: whether directories are tested, or always match. */
  readonly directories: 'filtered' | 'bypass'
}

/** A test for each filter, and then for each date filter. */
export function createTests(entries: Entries, { filters, dateFilters }: Conditions, rules: ConditionRules): Test[] {
  return [
    ...filters.map((filter) => createFilter(entries, filter, rules.filter)),
    ...dateFilters.map((filter) => createDateFilter(entries, filter, rules.date)),
  ]
}

/** Whether an entry is in the scope and passes the tests. */
export function createMatch(entries: Entries, scope: SearchScope, tests: readonly Test[], rules: ConditionRules): Test {
  const inScope = createScopeTest(entries, scope)
  const [only] = tests
  if (!only) return inScope
  const match = tests.length === 1 ? only : rules.several === 'or' ? anyOf(tests) : allOf(tests)
  const { candidates } = match
  const bypasses = rules.directories === 'bypass'
  if (!bypasses && inScope === EVERYTHING) return match
  const test = (slot: number) => inScope(slot) && ((bypasses && entries.isDirectory(slot)) || match(slot))
  return bypasses ? test : Object.assign(test, { candidates })
}

function anyOf(tests: readonly Test[]): Test {
  return (slot) => {
    for (const test of tests) if (test(slot)) return true
    return false
  }
}

function allOf(tests: readonly Test[]): Test {
  const test = (slot: number) => {
    for (const test of tests) if (!test(slot)) return false
    return true
  }
  if (!tests.some((one) => one.candidates)) return test
  const candidates = () => {
    for (const { candidates } of tests) {
      const found = candidates?.()
      if (found) return found
    }
    return undefined
  }
  return Object.assign(test, { candidates })
}

/** Which entries the filters apply to. */
export interface SearchScope {
  /** Numbers of the requested directories: none if no directory has that path, several if paths are compared loosely. */
  readonly directories: readonly number[]
  readonly immediateChildren: boolean
  /** `dir.self`: whether a directory is listed among its own contents. */
  readonly self: boolean
  /** `dir.entries` and `dir.implied`: which directory entries can appear at all. */
  readonly directoryEntries: 'all' | 'explicit' | 'none'
}

/** The test that all entries pass. */
const EVERYTHING: Test = () => true

/** Whether an entry is within the scope: `EVERYTHING` if all are. */
export function createScopeTest(entries: Entries, scope: SearchScope): Test {
  const { directories, immediateChildren, self, directoryEntries } = scope
  if (directoryEntries === 'all' && isWhole(scope)) return EVERYTHING
  const within = (slot: number, directory: number) => {
    const holder = entries.holder(slot)
    if (immediateChildren ? holder === directory : entries.isWithin(directory, holder)) return true
    return self && directory > 0 && slot === entries.slotOf(directory)
  }
  return (slot) => {
    if (entries.isDirectory(slot)) {
      if (directoryEntries === 'none') return false
      if (directoryEntries === 'explicit' && entries.isImplied(slot)) return false
    }
    return directories.some((directory) => within(slot, directory))
  }
}

/** Whether the scope is the whole file set. */
export function isWhole({ directories, immediateChildren }: SearchScope): boolean {
  return directories.length === 1 && directories[0] === 0 && !immediateChildren
}

/** The most slots of the base that the scope can have. */
export function scopeSize(base: Base, { directories, immediateChildren }: SearchScope): number {
  const { end, count } = base.directories
  let size = 0
  for (const directory of directories) {
    if (directory >= count) continue
    const files = immediateChildren ? filesDirectlyIn(base, directory) : base.filesBelow(directory)
    size += files + (end[directory] ?? 0) - directory
  }
  return size
}

function filesDirectlyIn({ files: { before } }: Base, directory: number): number {
  return (before[directory + 1] ?? 0) - (before[directory] ?? 0)
}

/** The slots of the base that may be within the scope, each once. */
export function* candidatesOf(base: Base, { directories, immediateChildren, self }: SearchScope): Generator<number> {
  const { files } = base
  const { count, end } = base.directories
  // Directories that were compared loosely may contain each other.
  if (directories.length > 1) {
    for (let slot = 0; slot < base.count; slot++) yield slot
    return
  }
  for (const directory of directories) {
    if (directory >= count) continue
    const last = immediateChildren ? directory + 1 : (end[directory] ?? 0)
    const places = files.before[last] ?? 0
    for (let place = files.before[directory] ?? 0; place < places; place++) yield files.at(place)
    for (
      let child = directory + 1;
      child < (end[directory] ?? 0);
      child = immediateChildren ? (end[child] ?? 0) : child + 1
    )
      yield base.slotOf(child)
    if (self && directory > 0) yield base.slotOf(directory)
  }
}

/** Many patterns make a test slow: fewer entries are then tested in one step. */
export function strideOf({ filters }: Pick<Conditions, 'filters'>): number {
  const pieces = filters.reduce((sum, filter) => sum + piecesOf(filter), 0)
  return Math.max(16, Math.min(4096, Math.floor(65_536 / (1 + pieces))))
}

/** How much one entry is searched for: the literal parts between the wildcards of all LIKE patterns, or 1. */
export function piecesOf({ operator, value }: Pick<Filter, 'operator' | 'value'>): number {
  if (operator !== 'LIKE') return 1
  return value.reduce((sum, pattern) => sum + 1 + (pattern.match(/[%_]/g)?.length ?? 0), 0)
}

export function conditionRules(settings: BehaviourSettings): ConditionRules {
  return {
    filter: {
      like: { shape: settings['like.shape'], case: settings['like.case'], wildcards: settings['like.wildcards'] },
      equals: settings['equals.case'],
      values: settings['filter.values'],
      created: settings['filter.created'],
      empty: settings['filter.empty'] === 'all' ? 'all' : 'none',
      notNull: settings['filter.not-null'],
    },
    date: { start: settings['date.start'], end: settings['date.end'] },
    several: settings['filter.several'],
    directories: settings['dir.filtered'],
  }
}
