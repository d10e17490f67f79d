import type { BehaviourSettings } from '../../../../types/behaviour-settings.d.ts'
import type { BehaviourTracker } from '../../../behaviours/tracker.ts'
import { Problem, type Violation } from '../../../base/errors/problem.ts'
import { rememberingEach } from '../../../base/cache.ts'
import { Entries } from '../../../resources/file-sets/entries/entries.ts'
import { completeRecord } from '../../../resources/file-sets/entries/file-record.ts'
import { createScopeTest } from '../../../resources/file-sets/entries/match.ts'
import { createRecords } from '../../../resources/file-sets/entries/records.ts'
import { createScope } from '../../../resources/file-sets/search/listing.ts'
import { readDirectoryPath } from '../../../resources/file-sets/search/read-query.ts'
import type { SearchSeen } from '../search-seen.ts'
import type { Traffic } from '../traffic.ts'
import { scopeOf } from './scope.ts'
import { type Assume, settingsUnder } from './unknowns.ts'

/** A path that no file set has. */
export const NO_SUCH_DIRECTORY = 'no-such-directory-4f1c'

/** What was seen of a file set by one key, as the handlers of searches have it. */
interface SeenSet {
  readonly size: number
  readonly entries: Entries
  /** Whether there are no other files. */
  readonly isComplete: boolean
}

/** Whether the directory of a search, and whether it is for children alone, is all that its first page depends on. */
export function isOfDirectory(search: SearchSeen): boolean {
  const { query, filters, dateFilters, sorts, outcome, status } = search
  const isOnly = sorts.length === 0 && (query.has('directoryPath') || query.has('immediateChildren'))
  const isRead = outcome === 'page' || (isOnly && [400, 404, 422].includes(status))
  return isRead && filters.length + dateFilters.length === 0 && scopeOf(search) !== undefined
}

/** Whether a service with the assumed settings could have responded so: the functions of searches say what it finds where. */
export function explainsDirectory(search: SearchSeen, traffic: Traffic, assume: Assume): boolean {
  const seen = seenSet(search, traffic)
  const { entries } = seen
  const { directoryPath, isNowhere, found } = findIn(search, seen, assume)
  const walk = traffic.walkFrom(search)
  const isRefused = search.outcome === 'refused'
  if (isNowhere && !isKnownMissing(directoryPath, seen, assume))
    return isRefused ? search.status === 404 : walk.entries.length === 0
  if (isRefused || typeof found === 'number') return (search.status === 422 ? 400 : search.status) === found
  const slots = new Set(walk.entries.map(({ path }) => entries.slotAt(path) ?? -1))
  if (![...slots].every(found)) return false
  return !walk.isComplete || [...entries.slots()].filter(found).length === slots.size
}

/** Directories that are empty exist although no list shows them, unless lists show all. */
function isKnownMissing(path: string, { entries, isComplete }: SeenSet, assume: Assume): boolean {
  return (
    path === NO_SUCH_DIRECTORY ||
    entries.slotAt(path) !== undefined ||
    (isComplete && assume('dir.entries') === 'always')
  )
}

/** Where a search looks: which entries are there, or with what status it is refused. */
function findIn({ query }: SearchSeen, { entries }: SeenSet, assume: Assume) {
  const settings = settingsUnder(assume)
  let isNowhere = false
  const ask = (id: keyof BehaviourSettings) => {
    if (id === 'dir.missing' || id === 'dir.file') isNowhere = true
    return settings[id]
  }
  const tracker = { settings, ask, note: () => undefined } as unknown as BehaviourTracker
  const violations: Violation[] = []
  const directoryPath = readDirectoryPath(query.get('directoryPath')?.[0], { tracker, violations }) ?? ''
  const immediateChildren = query.get('immediateChildren')?.[0] === 'true'
  const read = () => {
    try {
      return createScopeTest(entries, createScope(entries, { directoryPath, immediateChildren }, tracker))
    } catch (error) {
      if (error instanceof Problem) return error.status
      throw error
    }
  }
  const found = violations.length > 0 ? 400 : read()
  return { directoryPath, isNowhere, found }
}

const setsOf = rememberingEach((_traffic: Traffic) => new Map<string, SeenSet & { readonly searches: number }>())

/** All that searches by the same key returned. */
function seenSet({ fileSet, key }: SearchSeen, traffic: Traffic): SeenSet {
  const { length: searches } = traffic.searches
  const name = JSON.stringify([fileSet, key])
  const known = setsOf(traffic).get(name)
  if (known?.searches === searches) return known
  const isComplete = traffic.listingsOf(fileSet, key)[0]?.isComplete === true
  const own = traffic.searches.filter((one) => one.fileSet === fileSet && one.key === key)
  const all = new Map(own.flatMap(({ files }) => files.map((entry) => [entry.path, entry] as const)))
  const rules = { firstMoment: 0, isAdded: () => false, isTaken: () => false }
  const make = () => [...all.values()].map(({ path, fileType }) => completeRecord(fileSet, { path, fileType }, rules))
  const isSame = known?.size === all.size
  const entries = isSame ? known.entries : new Entries(fileSet, createRecords(fileSet, make()))
  const seen = { searches, size: all.size, isComplete, entries }
  setsOf(traffic).set(name, seen)
  return seen
}

/** Changes when a search may be explained in fewer ways than before. */
export function directoryVersion(search: SearchSeen, traffic: Traffic): string {
  const { size, isComplete } = seenSet(search, traffic)
  return `${size} ${isComplete} ${traffic.walkFrom(search).entries.length}`
}
