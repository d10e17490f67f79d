import type { BehaviourTracker } from '../../../behaviours/tracker.ts'
import { parameterOf } from '../../../behaviours/parameter-of.ts'
import { resolvePageStart } from './page-start.ts'
import { asText, type Call, type Handler, type Outcome, refusal, requestInvalid } from '../../handler.ts'
import { readQueryBody } from './read-query.ts'
import { seenFileSet } from './visible-file-set.ts'
import type { SearchInput } from './search-input.ts'
import { createPage, emptyPage } from './search-page.ts'
import { normalizeSearch } from './normalize-search.ts'
import { Problem, type Violation } from '../../../errors/problem.ts'
import { createQuery, type Query } from '../search/query.ts'
import { isUuid } from '../../../engine/uuid.ts'
import type { Steps } from '../../../engine/steps.ts'
import type { State } from '../../../engine/state.ts'

/** interface.md 4.1 gives the default. */
const DEFAULT_LIMIT = 100

export const searchFiles: Handler = {
  normalizeBody: normalizeSearch,

  find(state, call) {
    const id = asText(call.path.fileSetId)
    if (call.tracker.answers['set.id-form'] === 'uuid-or-400' && !isUuid(id)) {
      throw requestInvalid([refusal('set.id-form', { parameter: 'fileSetId' }, 'a UUID', id)])
    }
    if (!state.fileSets.has(id)) throwIfUnknown(id, state, call.tracker)
  },

  read(state, call) {
    const { input, violations } = readSearch(call)
    const query = wholeQuery(input)
    const repeat = repeatOf(input, query)
    return { violations, decide: () => repeat(state, call), repeat }
  },
}

/** Made apart from `decide`: functions of one scope keep all that any of them needs, and this one is kept longer than a state. */
function repeatOf(input: SearchInput, query: Query) {
  return (state: State, call: Call) => decideSearch(state, call, input, query)
}

/** What a search means, before a token has its say. */
export function readSearch(call: Call): { input: SearchInput; violations: Violation[] } {
  const { query: body, violations } = readQueryBody(call.body, call.tracker)
  const directoryPath = readDirectoryPath(call, violations)
  const { next: token } = call.query
  const immediateChildren = readQuery(call, 'immediateChildren')
  if (token === '' && call.tracker.ask('next.blank') === 'error') {
    violations.push(
      refusal('next.blank', { parameter: 'next' }, 'a token from `pageContext.next`, or no `next` at all', token),
    )
  }
  const limit = readLimit(call, violations)
  const flag = typeof immediateChildren === 'boolean' ? immediateChildren : undefined
  const input = {
    body,
    directoryPath,
    immediateChildren: flag,
    limit,
    token: typeof token === 'string' && token !== '' ? token : undefined,
  }
  return { input, violations }
}

function* decideSearch(state: State, call: Call, input: SearchInput, query: Query): Steps<Outcome> {
  const fileSet = state.fileSets.get(asText(call.path.fileSetId))
  if (!fileSet || input.limit === 0) return emptyPage(call.tracker)
  const seen = yield* seenFileSet(fileSet, call)
  if (query.filters.some(({ field }) => field === 'id')) yield* seen.entries.base.indexIds()
  const place = resolvePageStart(seen, call, input, query)
  return place === 'empty'
    ? emptyPage(call.tracker)
    : yield* createPage(state, call, { fileSet: seen, place, limit: input.limit })
}

function throwIfUnknown(id: string, state: State, tracker: BehaviourTracker): void {
  const answer = tracker.ask('set.unknown')
  if (answer === 'empty') return
  const known = [...state.fileSets.keys()].slice(0, 20).join(', ')
  throw new Problem(Number(answer), 'file-set-not-found', 'The file set does not exist', {
    detail: `There is no file set ${JSON.stringify(id)}. File sets: ${known}.`,
    violations: [refusal('set.unknown', { parameter: 'fileSetId' }, `one of ${known}`, id)],
  })
}

/** What was sent, or what a contract of the user's own says is meant without it. A token stands for all that was sent before it. */
function readQuery({ query, follows, tracker }: Call, name: string): unknown {
  const sent = query[name]
  if (sent !== undefined || !follows) return sent
  const isInToken = Boolean(query.next) && tracker.answers['next.content'] !== 'plain'
  return isInToken ? undefined : follows.usualQuery[name]
}

function readDirectoryPath(call: Call, violations: Violation[]): string | undefined {
  const { tracker } = call
  const sent = readQuery(call, 'directoryPath')
  if (typeof sent !== 'string' || sent === '') return undefined
  const segments = sent.split('/')
  const hasDots = segments.some((segment) => segment === '.' || segment === '..' || segment.includes('\0'))
  if (hasDots && tracker.ask('dir.dots') === 'error') {
    violations.push(refusal('dir.dots', { parameter: 'directoryPath' }, 'no segment `.` or `..` and no NUL', sent))
  }
  if (segments.every((segment) => segment !== '')) return sent
  return tracker.ask('dir.slashes') === 'exact' ? sent : segments.filter((segment) => segment !== '').join('/')
}

function readLimit(call: Call, violations: Violation[]): number {
  const { tracker } = call
  const sent = call.query.limit
  const { word, numbers } = parameterOf(tracker.answers['limit.max'])
  const most = word === 'none' ? Infinity : numbers[0]
  const usual = call.follows?.usualQuery.limit
  // The largest limit holds for those who name none, too.
  const byDefault = Math.min(isCount(usual) ? usual : DEFAULT_LIMIT, call.follows?.mostEntries ?? Infinity, most)
  if (typeof sent !== 'number') {
    if (byDefault === most) tracker.note('limit.max')
    return byDefault
  }
  const where = { parameter: 'limit' }
  if (sent === 0) {
    const answer = tracker.ask('limit.zero')
    if (answer === 'error') violations.push(refusal('limit.zero', where, 'an integer from 1 to 2147483647', sent))
    return answer === 'empty' ? 0 : byDefault
  }
  if (sent < 0) {
    if (tracker.ask('limit.negative') === 'error')
      violations.push(refusal('limit.negative', where, 'an integer from 1 to 2147483647', sent))
    return byDefault
  }
  if (sent <= most) return sent
  tracker.note('limit.max')
  if (word === 'error') violations.push(refusal('limit.max', where, `at most ${most}`, sent))
  return most
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) > 0
}

/** The search as sent, every part that was left out being empty. */
export function wholeQuery({ body, directoryPath, immediateChildren }: SearchInput): Query {
  const { fieldSort = [], filters = [], dateFilters = [] } = body
  return createQuery({
    directoryPath: directoryPath ?? '',
    immediateChildren: immediateChildren ?? false,
    fieldSort,
    filters,
    dateFilters,
  })
}
