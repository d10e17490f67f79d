import type { Leaning } from '../behaviours/leaning.ts'
import { parameterOf } from '../behaviours/parameter-of.ts'
import { createListing } from './listing.ts'
import { findPlace, nextToken, type Place } from './place.ts'
import { type Call, type Handler, type Outcome, refusal, requestInvalid } from './handler.ts'
import { readQueryBody } from './read-query.ts'
import type { SearchInput } from './search-input.ts'
import { coerceBoolean, coerceText, isMembers, mapElements, mapMembers, type Members, withoutNulls } from './soften.ts'
import { Problem, type Violation } from '../problem.ts'
import { stringifyJson } from '../json.ts'
import type { EntryRecord } from '../world/file-sets/file-record.ts'
import type { Query } from '../world/file-sets/query.ts'
import { search } from '../world/file-sets/search.ts'
import { isUuid } from '../world/uuid.ts'
import type { FileSet, World } from '../world/world.ts'
import { chanceKey, draw } from '../world/random.ts'

/** interface.md 4.1 gives the default. */
const DEFAULT_LIMIT = 100
/** Pages up to this size are made at once and sent with their length; larger ones are made while they are sent. */
const LARGEST_READY_PAGE = 1000

export const searchFiles: Handler = {
  soften: softenSearch,

  find(world, call) {
    const id = String(call.path.fileSetId)
    if (call.leaning.answers['set.id-form'] === 'uuid-or-400' && !isUuid(id)) {
      throw requestInvalid([refusal('set.id-form', { parameter: 'fileSetId' }, 'a UUID', id)])
    }
    if (!world.fileSets.has(id)) throwIfUnknown(id, world, call.leaning)
  },

  read(world, call) {
    const { query: body, violations } = readQueryBody(call.body, call.leaning)
    const directoryPath = readDirectoryPath(call, violations)
    const { immediateChildren, next: token } = call.query
    if (token === '' && call.leaning.ask('next.blank') === 'error') {
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
    return { violations, decide: () => decideSearch(world, call, input) }
  },
}

function decideSearch(world: World, call: Call, input: SearchInput): Outcome {
  const fileSet = world.fileSets.get(String(call.path.fileSetId))
  if (!fileSet || input.limit === 0) return emptyPage(call.leaning)
  const place = findPlace(fileSet, call, input, wholeQuery(input))
  return place === 'empty' ? emptyPage(call.leaning) : createPage(world, call, { fileSet, place, limit: input.limit })
}

function throwIfUnknown(id: string, world: World, leaning: Leaning): void {
  const answer = leaning.ask('set.unknown')
  if (answer === 'empty') return
  const known = [...world.fileSets.keys()].slice(0, 20).join(', ')
  throw new Problem(Number(answer), 'file-set-not-found', 'The file set does not exist', {
    detail: `There is no file set ${JSON.stringify(id)}. File sets: ${known}.`,
    violations: [refusal('set.unknown', { parameter: 'fileSetId' }, `one of ${known}`, id)],
  })
}

function softenSearch(body: unknown, leaning: Leaning): unknown {
  if (!isMembers(body)) return body
  const { answers } = leaning
  const coerceTypes = answers['body.types'] === 'coerce'
  const softenFilter = (filter: Members) =>
    mapMembers(withoutNulls(filter, leaning), (value, name) => {
      if (name === 'not' && coerceTypes) return coerceBoolean(value)
      if (name !== 'value' || (answers['filter.value-type'] !== 'coerce' && !coerceTypes) || !Array.isArray(value))
        return value
      if (value.some((one) => typeof one !== 'string')) leaning.lean('filter.value-type')
      return value.map(coerceText)
    })
  const softenDateFilter = (filter: Members) =>
    mapMembers(withoutNulls(filter, leaning, ['end']), (value, name) => {
      if (name === 'not' && coerceTypes) return coerceBoolean(value)
      const isBound = name === 'start' || name === 'end'
      return isBound && typeof value === 'number' && answers['date.format'] === 'plus-epoch-ms' ? String(value) : value
    })
  return mapMembers(body, (value, name) => {
    if (name === 'fieldSort' || name === 'filters' || name === 'dateFilters') {
      if (value === null) return leaning.ask('http.null-array') === 'as-absent' ? undefined : value
      if (name === 'fieldSort') return mapElements(value, (key) => withoutNulls(key, leaning))
      return mapElements(value, name === 'filters' ? softenFilter : softenDateFilter)
    }
    return value
  })
}

function readDirectoryPath(call: Call, violations: Violation[]): string | undefined {
  const { leaning } = call
  const sent = call.query.directoryPath
  if (typeof sent !== 'string' || sent === '') return undefined
  const segments = sent.split('/')
  const hasDots = segments.some((segment) => segment === '.' || segment === '..' || segment.includes('\0'))
  if (hasDots && leaning.ask('dir.dots') === 'error') {
    violations.push(refusal('dir.dots', { parameter: 'directoryPath' }, 'no segment `.` or `..` and no NUL', sent))
  }
  if (segments.every((segment) => segment !== '')) return sent
  return leaning.ask('dir.slashes') === 'exact' ? sent : segments.filter((segment) => segment !== '').join('/')
}

function readLimit(call: Call, violations: Violation[]): number {
  const { leaning } = call
  const sent = call.query.limit
  const { word, numbers } = parameterOf(leaning.answers['limit.max'])
  const most = word === 'none' ? Infinity : numbers[0]
  // The largest limit holds for those who name none, too.
  const byDefault = Math.min(DEFAULT_LIMIT, most)
  if (typeof sent !== 'number') return byDefault
  const where = { parameter: 'limit' }
  if (sent === 0) {
    const answer = leaning.ask('limit.zero')
    if (answer === 'error') violations.push(refusal('limit.zero', where, 'an integer from 1 to 2147483647', sent))
    return answer === 'empty' ? 0 : byDefault
  }
  if (sent < 0) {
    if (leaning.ask('limit.negative') === 'error')
      violations.push(refusal('limit.negative', where, 'an integer from 1 to 2147483647', sent))
    return byDefault
  }
  if (sent <= most) return sent
  leaning.lean('limit.max')
  if (word === 'error') violations.push(refusal('limit.max', where, `at most ${most}`, sent))
  return most
}

/** The search as sent, every part that was left out being empty. */
function wholeQuery({ body, directoryPath, immediateChildren }: SearchInput): Query {
  const { fieldSort = [], filters = [], dateFilters = [] } = body
  return {
    directoryPath: directoryPath ?? '',
    immediateChildren: immediateChildren ?? false,
    fieldSort,
    filters,
    dateFilters,
  }
}

interface Asked {
  readonly fileSet: FileSet
  readonly place: Place
  readonly limit: number
}

function createPage(world: World, call: Call, { fileSet, place, limit }: Asked): Outcome {
  const { leaning } = call
  const { entries } = place
  const { listing, leanOn } = createListing(entries, place.query, leaning, world.seed)
  const after = place.offset === undefined ? place.after(listing.order) : undefined
  const found = search(listing, after)
  for (let skipped = 0; skipped < (place.offset ?? 0); skipped++) found.next()

  const size = pageSize(call, world.seed, place.pages + 1, limit)
  const implied = leaning.answers['page.exact-end'] === 'full-page-implies-next'
  let last: number | undefined
  let given = 0
  function* take(): Generator<number> {
    while (given < size) {
      const next = found.next()
      if (next.done) return
      given++
      yield (last = next.value)
    }
  }
  const context = () => {
    // One row more tells whether there is another page. A page that was filled may skip the look, if the ledger says so.
    const more = last !== undefined && given === size && (implied || !found.next().done)
    if (implied || (!more && given === limit)) leaning.lean('page.exact-end')
    if (!more || last === undefined) return lastContext(leaning)
    leaning.lean('page.short')
    return { next: nextToken(call, { fileSet, place, order: listing.order, last, given, limit }) }
  }
  const render = (slot: number) => stringifyJson(shownRecord(entries.record(slot), leaning))
  if (size > LARGEST_READY_PAGE) {
    // The headers leave before the entries are known, so they name every row that the page may come to lean on.
    leanOn({ slots: 'unknown', isWhole: false })
    leaning.lean('page.last', 'page.exact-end', 'page.short')
    const fragments = (function* () {
      for (const slot of take()) yield render(slot)
    })()
    return { status: 200, body: { page: { fragments, streamed: true, context } }, events: [] }
  }
  const slots = [...take()]
  leanOn({ slots, isWhole: place.pages === 0 && slots.length < size })
  const fragments = slots.map(render)
  const pageContext = context()
  return { status: 200, body: { page: { fragments, streamed: false, context: () => pageContext } }, events: [] }
}

/** Shorter than asked for only where the ledger wants short pages: half, and at least one entry. */
function pageSize({ leaning }: Call, seed: number, page: number, limit: number): number {
  const { word, numbers } = parameterOf(leaning.answers['page.short'])
  const short =
    word === 'every'
      ? page % numbers[0] === 0
      : word === 'random' && draw(chanceKey(seed, 'short page'), page) % 2 === 0
  if (!short) return limit
  leaning.lean('page.short')
  return Math.max(1, Math.floor(limit / 2))
}

function lastContext(leaning: Leaning): unknown {
  const mark = leaning.ask('page.last')
  return mark === 'absent' ? {} : { next: mark === 'null' ? null : '' }
}

function emptyPage(leaning: Leaning): Outcome {
  const context = lastContext(leaning)
  return { status: 200, body: { page: { fragments: [], streamed: false, context: () => context } }, events: [] }
}

/** A directory has few fields, unless the ledger fills the others with null. */
function shownRecord(record: EntryRecord, leaning: Leaning): unknown {
  if (record.fileType !== 'DIRECTORY' || leaning.answers['dir.fields'] === 'bare') return record
  return { ...NO_FIELDS, ...record }
}

const NO_FIELDS = {
  id: null,
  path: null,
  name: null,
  fileType: null,
  contentType: null,
  size: null,
  hash: null,
  hashAlgorithm: null,
  downloadUrl: null,
  created: null,
  createdBy: null,
  connectorKey: null,
  indexStatus: null,
  indexReason: null,
}
