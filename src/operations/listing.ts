import type { Answers } from '../behaviours/answers.ts'
import type { Leaning } from '../behaviours/leaning.ts'
import { refusal, refusalInWords, requestInvalid } from './handler.ts'
import { isCased } from './is-cased.ts'
import { counted } from '../counted.ts'
import { Problem } from '../problem.ts'
import { fold } from '../world/file-sets/code-points.ts'
import type { Entries } from '../world/file-sets/entries.ts'
import { type Field, isIntegerField } from '../world/file-sets/file-record.ts'
import { createDateFilter, createFilter, type DateRule, type FilterRule, type Test } from '../world/file-sets/filter.ts'
import type { Filter, Query } from '../world/file-sets/query.ts'
import { createScopeTest, EVERYTHING, type Listing, type Scope } from '../world/file-sets/search.ts'
import { orderBy, shuffled, type Order } from '../world/file-sets/order.ts'
import type { SortKey } from '../world/file-sets/sort.ts'

/** A query as something that can be walked, and the rows of the ledger that a page of it leans on. */
export interface PreparedListing {
  readonly listing: Listing
  /** Records the rows that mattered for a page. */
  leanOn(page: Shown, leaning: Leaning): void
}

/** What a page shows of a listing. */
interface Shown {
  /** The slots of the page, or `unknown` while they are still to be found. */
  readonly slots: readonly number[] | 'unknown'
  /** Whether it is the whole result: no page comes before it or after it. */
  readonly isWhole: boolean
}

export function createListing(entries: Entries, query: Query, leaning: Leaning, seed: number): PreparedListing {
  refuseTooMuchWork(entries, query, leaning.answers)
  const scope = createScope(entries, query, leaning)
  const { keys, rule, order } = createOrder(entries, query, leaning, seed)
  const inScope = createScopeTest(entries, scope)
  const matches = createMatch(entries, query, leaning)
  const byPath = keys[0]?.field === 'path' && rule.collation === 'codepoint' ? keys[0] : undefined
  const listing: Listing = {
    entries,
    scope,
    conditions: matches && [query.filters, query.dateFilters, conditionRules(leaning.answers)],
    passes: !matches ? inScope : inScope === EVERYTHING ? matches : (slot: number) => inScope(slot) && matches(slot),
    candidates: matches?.candidates,
    stride: strideOf(query),
    memory: { isRepeated: false, selection: undefined },
    order,
    byPath: byPath && (byPath.descending ? 'descending' : 'ascending'),
  }
  const dependsOnCase = createCaseCheck(entries, query, leaning.answers)
  // Whether a directory is tested depends on what is remembered of earlier searches; that it may be, does not.
  if (matches && mayListDirectories(entries, scope)) leaning.lean('dir.filtered')
  return {
    listing,
    leanOn: (page, leaning) => {
      if (page.slots === 'unknown' && matches) leaning.lean('dir.filtered')
      leanOnEntries(page, listing, leaning)
      leanOnOrder(page, listing, keys, leaning)
      if (query.fieldSort.length === 0 && !isOneAtMost(page)) leaning.lean('sort.default')
      if (dependsOnCase(page)) leaning.lean('like.case')
    },
  }
}

/** Many patterns make a test slow: fewer entries are then tested in one step. */
function strideOf({ filters }: Query): number {
  const pieces = filters.reduce((sum, filter) => sum + piecesOf(filter), 0)
  return Math.max(16, Math.min(4096, Math.floor(65_536 / (1 + pieces))))
}

/** Of larger results it is not worth the time. */
const MOST_CHECKED = 100

/**
 * Whether `like.case` mattered for a page. The whole result of patterns that ignore case is looked at once: where all of it matches in
 * the case of the patterns too, both settings find the same. Of a part of a result that is not known.
 */
function createCaseCheck(entries: Entries, { filters }: Query, answers: Answers): (page: Shown) => boolean {
  const cased = filters.filter(({ operator, value }) => operator === 'LIKE' && value.some(isCased))
  if (cased.length === 0) return () => false
  const isSubset =
    answers['like.case'] === 'insensitive' && answers['filter.several'] === 'and' && !cased.some(({ not }) => not)
  if (!isSubset || answers['dir.filtered'] === 'bypass') return () => true
  const rule = filterRule(answers)
  let differs: boolean | undefined
  return ({ slots, isWhole }) => {
    if (slots === 'unknown' || !isWhole || slots.length > MOST_CHECKED) return true
    const tests = () =>
      cased.map((filter) => createFilter(entries, filter, { ...rule, like: { ...rule.like, case: 'sensitive' } }))
    differs ??= tests().some((test) => slots.some((slot) => !test(slot)))
    return differs
  }
}

/** The order that a query asks for, and what it was made of. */
export function createOrder(entries: Entries, query: Pick<Query, 'fieldSort'>, leaning: Leaning, seed: number) {
  const keys = createKeys(query, leaning)
  const rule = { nulls: leaning.answers['sort.nulls'], collation: leaning.answers['sort.collation'] }
  const order = keys.length > 0 ? orderBy(entries, keys, rule) : shuffled(entries, seed)
  return { keys, rule, order }
}

/** The keys to sort by; none for the shuffled order, which has no keys. */
function createKeys({ fieldSort }: Pick<Query, 'fieldSort'>, leaning: Leaning): SortKey[] {
  if (fieldSort.length > 0) {
    return fieldSort.map(({ field, order }) => ({ field: field as Field, descending: order === 'DESC' }))
  }
  const field = leaning.answers['sort.default']
  return field === 'shuffled' ? [] : [{ field, descending: false }]
}

/** `filter.work`. @throws Problem 400 */
function refuseTooMuchWork({ count }: Entries, { filters }: Query, answers: Answers): void {
  const most = answers['filter.work']
  filters.forEach((filter, index) => {
    const pieces = piecesOf(filter)
    if (pieces * count <= most) return
    const expected = `LIKE patterns of at most ${most} pieces times entries; this file set has ${counted(count, 'entry', 'entries')}, so at most ${counted(Math.floor(most / count), 'piece')}`
    throw requestInvalid([
      refusalInWords('filter.work', { pointer: `/filters/${index}/value` }, expected, counted(pieces, 'piece')),
    ])
  })
}

/** What is looked for in each entry: the literal parts between the wildcards of all patterns of a LIKE, and each single value otherwise. */
function piecesOf({ operator, value }: Filter): number {
  if (operator !== 'LIKE') return 1
  return value.reduce((sum, pattern) => sum + 1 + (pattern.match(/[%_]/g)?.length ?? 0), 0)
}

/** A test for each filter, and then for each date filter. */
export function createTests(
  entries: Entries,
  { filters, dateFilters }: Pick<Query, 'filters' | 'dateFilters'>,
  answers: Answers,
): Test[] {
  return [
    ...filters.map((filter) => createFilter(entries, filter, filterRule(answers))),
    ...dateFilters.map((filter) => createDateFilter(entries, filter, dateRule(answers))),
  ]
}

export function dateRule(answers: Answers): DateRule {
  return { start: answers['date.start'], end: answers['date.end'] }
}

function createMatch(entries: Entries, query: Query, leaning: Leaning): Test | null {
  const { answers } = leaning
  const tests = createTests(entries, query, answers)
  const [only] = tests
  if (!only) return null
  if (tests.length > 1) leaning.lean('filter.several')
  const match = tests.length === 1 ? only : answers['filter.several'] === 'or' ? anyOf(tests) : allOf(tests)
  return answers['dir.filtered'] === 'bypass' ? (slot) => entries.isDirectory(slot) || match(slot) : match
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

/** The answers that decide what conditions mean. */
function conditionRules(answers: Answers): unknown {
  const rows = ['date.start', 'date.end', 'filter.several', 'dir.filtered'] as const
  return [filterRule(answers), rows.map((row) => answers[row])]
}

function mayListDirectories(entries: Entries, { directories, directoryEntries, self }: Scope): boolean {
  if (directoryEntries === 'none') return false
  return directories.some((directory) => self || entries.hasDirectoriesBelow(directory))
}

export function filterRule(answers: Answers): FilterRule {
  const known = filterRules.get(answers)
  if (known) return known
  const rule: FilterRule = {
    like: { shape: answers['like.shape'], case: answers['like.case'], wildcards: answers['like.wildcards'] },
    equals: answers['equals.case'],
    values: answers['filter.values'],
    created: answers['filter.created'],
    empty: answers['filter.empty'] === 'all' ? 'all' : 'none',
    notNull: answers['filter.not-null'],
  }
  filterRules.set(answers, rule)
  return rule
}

const filterRules = new WeakMap<Answers, FilterRule>()

function createScope(entries: Entries, { directoryPath, immediateChildren }: Query, leaning: Leaning): Scope {
  const directories =
    directoryPath === '' ? rootOf(immediateChildren, leaning) : findDirectories(entries, directoryPath, leaning)
  return {
    directories,
    immediateChildren,
    self: directories.some((directory) => directory > 0) && leaning.ask('dir.self') === 'include',
    directoryEntries: chooseDirectoryEntries(entries, { directories, immediateChildren }, leaning),
  }
}

/** Directories that are kept from a list leave no trace on its pages, so it is here that their rows are recorded. */
function chooseDirectoryEntries(
  entries: Entries,
  { directories, immediateChildren }: Pick<Scope, 'directories' | 'immediateChildren'>,
  { answers, lean }: Leaning,
): Scope['directoryEntries'] {
  const hasAny = directories.some((directory) => entries.hasDirectoriesBelow(directory))
  const listed = answers['dir.entries']
  if (listed === 'never' || (listed === 'immediate-only' && !immediateChildren)) {
    if (hasAny) lean('dir.entries')
    return 'none'
  }
  if (answers['dir.implied'] === 'materialise') return 'all'
  if (hasAny) lean('dir.implied')
  return 'explicit'
}

function rootOf(immediateChildren: boolean, leaning: Leaning): number[] {
  leaning.lean('dir.blank')
  if (immediateChildren && leaning.ask('dir.children-root') === 'error') {
    throw requestInvalid([
      refusal('dir.children-root', { parameter: 'directoryPath' }, 'a directory, since immediateChildren is true'),
    ])
  }
  return [0]
}

/** The directories that a path means: one, unless paths are compared loosely, or none. */
function findDirectories(entries: Entries, path: string, leaning: Leaning): number[] {
  const { answers } = leaning
  const isPrefix = answers['dir.segment'] === 'prefix'
  let found: number[]
  if (isPrefix || answers['dir.case'] !== 'exact') {
    if (isPrefix) leaning.lean('dir.segment')
    if (answers['dir.case'] !== 'exact') leaning.lean('dir.case')
    const normal = NORMAL_FORMS[answers['dir.case']]
    const wanted = normal(path)
    // A prefix is completed to the end of its last segment: what lies deeper is found as a descendant.
    const completes = (text: string) => text.startsWith(wanted) && !text.includes('/', wanted.length)
    const isWanted = (text: string) => text === wanted || (isPrefix && completes(text))
    found = entries.directoriesWhere((text) => isWanted(normal(text)))
  } else {
    // A path without letters, in ASCII, has one form only.
    if (/[a-z]|[^\0-\x7f]/i.test(path)) leaning.lean('dir.case')
    const number = entries.findDirectory(path)
    found = number === undefined ? [] : [number]
  }
  if (found.length === 0) throwIfMissing(entries, path, leaning)
  return found
}

/** What two paths must share to be the same under each answer of `dir.case`. */
const NORMAL_FORMS = {
  exact: (path: string) => path,
  'case-insensitive': fold,
  nfc: (path: string) => path.normalize('NFC'),
}

function throwIfMissing(entries: Entries, path: string, leaning: Leaning): void {
  const row = entries.slotAt(path) === undefined ? 'dir.missing' : 'dir.file'
  leaning.lean('dir.case')
  const answer = leaning.ask(row)
  if (answer === 'empty') return
  const violation = refusal(row, { parameter: 'directoryPath' }, 'a directory of the file set', path)
  if (answer === '400') throw requestInvalid([violation])
  throw new Problem(404, 'directory-not-found', 'The directory does not exist', {
    detail: violation.message,
    violations: [violation],
  })
}

/** Rows that could have given a page other entries, or its entries other fields. */
function leanOnEntries({ slots }: Shown, { entries, scope }: Listing, leaning: Leaning): void {
  if (slots !== 'unknown' && !slots.some((slot) => entries.isDirectory(slot))) return
  leaning.lean('dir.fields', 'dir.counted')
  if (!scope.immediateChildren) leaning.lean('dir.entries')
  if (slots === 'unknown' || slots.some((slot) => entries.isImplied(slot))) leaning.lean('dir.implied')
}

/** Rows that could have given a page another order, or, where there are other pages, entries of those. */
function leanOnOrder(
  { slots, isWhole }: Shown,
  { entries, order, scope }: Listing,
  keys: readonly SortKey[],
  leaning: Leaning,
): void {
  if (isOneAtMost({ slots, isWhole })) return
  if (keys.some(({ field }) => isTextual(field))) leaning.lean('sort.collation')
  const isOnPage = slots !== 'unknown' && slots.some((slot) => entries.isDirectory(slot))
  const isElsewhere = !isWhole && scope.directoryEntries !== 'none' && entries.count > entries.fileCount
  if (keys.some(({ field }) => isNullable(field)) && (isOnPage || isElsewhere)) leaning.lean('sort.nulls')
  const isUnique = keys.length === 0 || keys.some(({ field }) => field === 'path' || field === 'id')
  if (!isUnique && (slots === 'unknown' || hasTie(slots, order))) leaning.lean('sort.tie')
}

/** No order changes a result of no entry, or of one. */
function isOneAtMost({ slots, isWhole }: Shown): boolean {
  return isWhole && slots.length < 2
}

function hasTie(slots: readonly number[], order: Order): boolean {
  return slots.some((slot, at) => at > 0 && order.isTie(slot, slots[at - 1] ?? slot))
}

/** A directory has neither. */
function isNullable(field: Field): boolean {
  return field === 'size' || field === 'contentType'
}

function isTextual(field: Field): boolean {
  return !isIntegerField(field) && field !== 'created' && field !== 'id'
}
