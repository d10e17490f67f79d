import type { BehaviourId, BehaviourSettings } from '../../../../types/behaviour-settings.d.ts'
import type { BehaviourTracker } from '../../../behaviours/tracker.ts'
import { refusalInWords, refusal } from '../../handler.ts'
import { requestInvalid } from '../../../base/errors/request-errors.ts'
import { counted } from '../../../base/errors/wording.ts'
import { fold } from '../../../base/formats/code-points.ts'
import { Entries } from '../entries/entries.ts'
import { createFilter, isIntegerField, isCased } from '../entries/filter.ts'
import type { Query } from './cursor.ts'
import type { Listing } from '../entries/search.ts'
import { orderOfSearch } from '../entries/order.ts'
import type { SortKey } from '../entries/sort.ts'
import {
  type ConditionRules,
  createMatch,
  createTests,
  type SearchScope,
  conditionRules,
  strideOf,
  piecesOf,
} from '../entries/match.ts'
import { directoryNotFound } from '../../../base/errors/resource-errors.ts'

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
  const { keys, rule, order } = orderOfSearch(entries, query, settings, seed)
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

/** The part of a file set that a search looks at. */
export function createScope(
  entries: Entries,
  { directoryPath, immediateChildren }: Pick<Query, 'directoryPath' | 'immediateChildren'>,
  tracker: BehaviourTracker,
): SearchScope {
  const directories =
    directoryPath === '' ? rootOf(immediateChildren, tracker) : findDirectories(entries, directoryPath, tracker)
  return {
    directories,
    immediateChildren,
    self: directories.some((directory) => directory > 0) && tracker.ask('dir.self') === 'include',
    directoryEntries: chooseDirectoryEntries(entries, { directories, immediateChildren }, tracker),
  }
}

/** Excluded directories do not show on pages, so their behaviours are recorded here. */
function chooseDirectoryEntries(
  entries: Entries,
  { directories, immediateChildren }: Pick<SearchScope, 'directories' | 'immediateChildren'>,
  { settings, note }: BehaviourTracker,
): SearchScope['directoryEntries'] {
  const hasAny = directories.some((directory) => entries.hasDirectoriesBelow(directory))
  const listed = settings['dir.entries']
  if (listed === 'never' || (listed === 'immediate-only' && !immediateChildren)) {
    if (hasAny) note('dir.entries')
    return 'none'
  }
  if (settings['dir.implied'] === 'materialise') return 'all'
  if (hasAny) note('dir.implied')
  return 'explicit'
}

function rootOf(immediateChildren: boolean, tracker: BehaviourTracker): number[] {
  tracker.note('dir.blank')
  if (immediateChildren && tracker.ask('dir.children-root') === 'error') {
    throw requestInvalid([
      refusal('dir.children-root', { parameter: 'directoryPath' }, 'a directory, since immediateChildren is true'),
    ])
  }
  return [0]
}

/** The directories with a path: at most one, unless paths are compared loosely. */
function findDirectories(entries: Entries, path: string, tracker: BehaviourTracker): number[] {
  const { settings } = tracker
  const isPrefix = settings['dir.segment'] === 'prefix'
  let found: number[]
  if (isPrefix || settings['dir.case'] !== 'exact') {
    if (isPrefix) tracker.note('dir.segment')
    if (settings['dir.case'] !== 'exact') tracker.note('dir.case')
    const normal = NORMAL_FORMS[settings['dir.case']]
    const wanted = normal(path)
    // A prefix is completed to the end of its last segment: what lies deeper is found as a descendant.
    const completes = (text: string) => text.startsWith(wanted) && !text.includes('/', wanted.length)
    const isWanted = (text: string) => text === wanted || (isPrefix && completes(text))
    found = [...entries.directories()].filter((one) => isWanted(normal(one.path))).map(({ number }) => number)
  } else {
    // A path without letters, in ASCII, has one form only.
    if (/[a-z]|[^\0-\x7f]/i.test(path)) tracker.note('dir.case')
    const number = entries.findDirectory(path)
    found = number === undefined ? [] : [number]
  }
  if (found.length === 0) throwIfMissing(entries, path, tracker)
  return found
}

/** How paths are normalised before they are compared, by `dir.case`. */
const NORMAL_FORMS = {
  exact: (path: string) => path,
  'case-insensitive': fold,
  nfc: (path: string) => path.normalize('NFC'),
}

function throwIfMissing(entries: Entries, path: string, tracker: BehaviourTracker): void {
  const behaviour = entries.slotAt(path) === undefined ? 'dir.missing' : 'dir.file'
  tracker.note('dir.case')
  const answer = tracker.ask(behaviour)
  if (answer === 'empty') return
  const violation = refusal(behaviour, { parameter: 'directoryPath' }, 'a directory of the file set', path)
  if (answer === '400') throw requestInvalid([violation])
  throw directoryNotFound({ violations: [violation] })
}
