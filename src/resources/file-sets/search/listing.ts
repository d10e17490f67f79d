import type { BehaviourId, BehaviourSettings } from '../../../../types/behaviour-settings.d.ts'
import type { BehaviourTracker } from '../../../behaviours/tracker.ts'
import { refusalInWords } from '../../handler.ts'
import { requestInvalid } from '../../../base/errors/request-errors.ts'
import { counted } from '../../../base/errors/wording.ts'
import { isCased } from '../../../base/formats/code-points.ts'
import { type Field, isIntegerField } from '../entries/file-record.ts'
import type { Entries } from '../entries/entries.ts'
import { createFilter, type Filter } from '../entries/filter.ts'
import type { Query } from './cursor.ts'
import type { Listing } from '../entries/search.ts'
import { orderBy, shuffled } from '../entries/order.ts'
import type { SortKey } from '../entries/sort.ts'
import { type ConditionRules, createMatch, createTests, type SearchScope } from '../entries/match.ts'
import { createScope } from './scope.ts'

/** A query prepared for a walk, and the behaviours that a page of it depends on. */
export interface PreparedListing {
  readonly listing: Listing
  /** Records the behaviours that a page depends on. */
  recordBehaviours(page: Shown, tracker: BehaviourTracker): void
}

/** What a page shows of a listing. */
interface Shown {
  /** The slots of the page, or `unknown` while they are still to be found. */
  readonly slots: readonly number[] | 'unknown'
  /** Whether it is the whole result: no page comes before it or after it. */
  readonly isWhole: boolean
}

export function createListing(
  entries: Entries,
  query: Query,
  tracker: BehaviourTracker,
  seed: number,
): PreparedListing {
  const { settings } = tracker
  refuseTooMuchWork(entries, query, settings)
  const scope = createScope(entries, query, tracker)
  const { keys, rule, order } = createOrder(entries, query, settings, seed)
  const rules = conditionRules(settings)
  const tests = createTests(entries, query, rules)
  const passes = createMatch(entries, scope, tests, rules)
  const hasConditions = tests.length > 0
  const byPath = keys[0]?.field === 'path' && rule.collation === 'codepoint' ? keys[0] : undefined
  const listing: Listing = {
    entries,
    scope,
    conditions: hasConditions ? [query.filters, query.dateFilters, rules] : null,
    tests,
    passes,
    stride: strideOf(query),
    memory: { isRepeated: false, selection: undefined },
    order,
    byPath: byPath && (byPath.descending ? 'descending' : 'ascending'),
  }
  if (tests.length > 1) tracker.note('filter.several')
  const dependsOnCase = createCaseCheck(entries, query, rules)
  // Whether a directory is tested depends on caches; whether it may be does not.
  if (hasConditions && mayListDirectories(entries, scope)) tracker.note('dir.filtered')
  return {
    listing,
    recordBehaviours(page, tracker) {
      tracker.note(...behavioursOf(page, listing, keys))
      if (query.fieldSort.length === 0 && !(page.isWhole && page.slots.length < 2)) tracker.note('sort.default')
      if (dependsOnCase(page)) tracker.note('like.case')
    },
  }
}

/** Many patterns make a test slow: fewer entries are then tested in one step. */
function strideOf({ filters }: Query): number {
  const pieces = filters.reduce((sum, filter) => sum + piecesOf(filter), 0)
  return Math.max(16, Math.min(4096, Math.floor(65_536 / (1 + pieces))))
}

/** Larger results are not checked, to save time. */
const MAX_CHECKED = 100

/**
 * Whether a page depends on `like.case`. If the whole result also matches with case, both settings have the same result; for a part
 * of a result this is unknown, so it counts as dependent.
 */
function createCaseCheck(entries: Entries, { filters }: Query, rules: ConditionRules): (page: Shown) => boolean {
  const cased = filters.filter(({ operator, value }) => operator === 'LIKE' && value.some(isCased))
  if (cased.length === 0) return () => false
  const rule = rules.filter
  const isSubset = rule.like.case === 'insensitive' && rules.several === 'and' && !cased.some(({ not }) => not)
  if (!isSubset || rules.directories === 'bypass') return () => true
  let differs: boolean | undefined
  return ({ slots, isWhole }) => {
    if (slots === 'unknown' || !isWhole || slots.length > MAX_CHECKED) return true
    const tests = () =>
      cased.map((filter) => createFilter(entries, filter, { ...rule, like: { ...rule.like, case: 'sensitive' } }))
    differs ??= tests().some((test) => slots.some((slot) => !test(slot)))
    return differs
  }
}

/** The order of a query, with its keys and rule. */
export function createOrder(
  entries: Entries,
  query: Pick<Query, 'fieldSort'>,
  settings: BehaviourSettings,
  seed: number,
) {
  const keys = createKeys(query, settings)
  const rule = { nulls: settings['sort.nulls'], collation: settings['sort.collation'] }
  const order = keys.length > 0 ? orderBy(entries, keys, rule) : shuffled(entries, seed)
  return { keys, rule, order }
}

/** The keys to sort by; none for the shuffled order. */
function createKeys({ fieldSort }: Pick<Query, 'fieldSort'>, settings: BehaviourSettings): SortKey[] {
  if (fieldSort.length > 0)
    return fieldSort.map(({ field, order }) => ({ field: field as Field, descending: order === 'DESC' }))
  const field = settings['sort.default']
  return field === 'shuffled' ? [] : [{ field, descending: false }]
}

/** `filter.work`. @throws Problem 400 */
function refuseTooMuchWork({ count }: Entries, { filters }: Query, settings: BehaviourSettings): void {
  const most = settings['filter.work']
  filters.forEach((filter, index) => {
    const pieces = piecesOf(filter)
    if (pieces * count <= most) return
    const expected = `LIKE patterns of at most ${most} pieces times entries; this file set has ${counted(count, 'entry', 'entries')}, so at most ${counted(Math.floor(most / count), 'piece')}`
    throw requestInvalid([
      refusalInWords('filter.work', { pointer: `/filters/${index}/value` }, expected, counted(pieces, 'piece')),
    ])
  })
}

/** How much one entry is searched for: the literal parts between the wildcards of all LIKE patterns, or 1. */
function piecesOf({ operator, value }: Filter): number {
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

function mayListDirectories(entries: Entries, { directories, directoryEntries, self }: SearchScope): boolean {
  if (directoryEntries === 'none') return false
  return directories.some((directory) => self || entries.hasDirectoriesBelow(directory))
}

/** Behaviours that could have changed the entries of a page, their fields or their order. */
function behavioursOf({ slots, isWhole }: Shown, listing: Listing, keys: readonly SortKey[]): BehaviourId[] {
  const { entries, order, scope, conditions } = listing
  const isUnknown = slots === 'unknown'
  const directories = isUnknown ? { any: true, implied: true } : entries.directoriesAmong(slots)
  const ids: BehaviourId[] = isUnknown || slots.length > 0 ? ['file.created-spelling'] : []
  if (isUnknown && conditions !== null) ids.push('dir.filtered')
  if (directories.any) ids.push('dir.fields', 'dir.counted')
  if (directories.any && !scope.immediateChildren) ids.push('dir.entries')
  if (directories.implied) ids.push('dir.implied')
  // No order changes a result of no entry, or of one.
  if (isWhole && slots.length < 2) return ids
  if (keys.some(({ field }) => !isIntegerField(field) && field !== 'created' && field !== 'id'))
    ids.push('sort.collation')
  const isOnPage = !isUnknown && directories.any
  const isElsewhere = !isWhole && scope.directoryEntries !== 'none' && entries.count > entries.fileCount
  // Directories have neither size nor contentType.
  if (keys.some(({ field }) => field === 'size' || field === 'contentType') && (isOnPage || isElsewhere))
    ids.push('sort.nulls')
  const isUnique = keys.length === 0 || keys.some(({ field }) => field === 'path' || field === 'id')
  if (!isUnique && (isUnknown || order.hasTie(slots))) ids.push('sort.tie')
  return ids
}
