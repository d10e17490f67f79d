import {
  createRangeCondition,
  createValueTest,
  type Filter,
  isCased,
  isIntegerField,
} from '../../../resources/file-sets/entries/filter.ts'
import { createComparator, type SortValue } from '../../../resources/file-sets/entries/order.ts'
import { readDateFilter, readFilter } from '../../../resources/file-sets/search/read-filter.ts'
import { normalizeSearch, readFieldSort } from '../../../resources/file-sets/search/read-query.ts'
import { compareCodePoints } from '../../../base/formats/code-points.ts'
import { asList, asObject, isObject, type Members, textOrJson } from '../../../base/formats/json.ts'
import { once } from '../../../base/cache.ts'
import type { BehaviourSettings } from '../../../../types/behaviour-settings.d.ts'
import type { BehaviourTracker } from '../../../behaviours/tracker.ts'
import type { Violation } from '../../../base/errors/problem.ts'
import { type Instant, parseEpochMs, parseInstant } from '../../../base/formats/instant.ts'
import type { SeenEntry } from '../search-seen.ts'
import type { SentSearch } from '../uses.ts'
import { type Assume, settingsUnder, valuesOf } from './unknowns.ts'

type EntryTest = (entry: SeenEntry) => boolean
type Comparator = (a: SeenEntry, b: SeenEntry) => number

/** A search as the handlers read it. */
export interface AssumedSearch {
  /** The behaviours that refuse it. */
  readonly refusals: readonly string[]
  /** Whether something in it was refused, and is not known to be: what it means then is unknown. */
  readonly isStrange: boolean
  readonly isMet: EntryTest
  /** Compares by all keys, without what breaks ties; undefined when no key counts, so that entries are in the default order. */
  readonly compare: Comparator | undefined
}

/** Larger searches are sent to find a bound; what they find says nothing else, and takes long to work out. */
const MOST_BYTES = 16_384

export function isReadable({ exchange: { request } }: SentSearch): boolean {
  return (request.body ?? '').length <= MOST_BYTES
}

/** Reads a search as a service would that has the assumed settings. */
export function assumeSearch({ body }: Pick<SentSearch, 'body'>, assume: Assume): AssumedSearch {
  const settings = settingsUnder(assume)
  const tracker = { settings, ask: (id: keyof BehaviourSettings) => settings[id], note: () => undefined }
  const violations: Violation[] = []
  const reader = { tracker: tracker as unknown as BehaviourTracker, violations }
  const { filters, dateFilters, fieldSort } = asObject(normalizeSearch(body, reader.tracker))
  const [ofFilters, ofDates] = [asList(filters), asList(dateFilters)].map((list) => list.filter(isObject)) as [
    Members[],
    Members[],
  ]
  const ofContract = [...ofFilters.flatMap(refusalsOfFilter), ...ofDates.flatMap(refusalsOfDate)]
  const read = ofFilters.map((one) => readFilter(one, '', reader)).filter((one) => one !== undefined)
  const readDates = ofDates.map((one) => readDateFilter(one, '', reader)).filter((one) => one !== undefined)
  const keys = readFieldSort(asList(fieldSort), reader)
  const refused = [...ofContract, ...violations.map(({ code }) => code)]
  const refusals = refused.filter((id) => !valuesOf(id).includes('other') || assume(id) !== 'other')
  // Values that were refused may be such that no test can be made of them.
  const tests = once(() =>
    refused.length > 0
      ? []
      : [
          ...read.map((one) => createFilterTest(one, assume, settings)),
          ...readDates.map((one) => createDateTest(one, assume, settings)),
        ],
  )
  return {
    refusals,
    isStrange: refusals.length < refused.length,
    isMet: (entry) => meets(entry, tests(), assume),
    compare: keys.length > 0 ? compareBy(keys, settings) : undefined,
  }
}

/** What the contract refuses: values of other types that were not read as what they should be. */
function refusalsOfFilter({ not, value }: Members): string[] {
  return [
    ...(not !== undefined && typeof not !== 'boolean' ? ['body.types'] : []),
    ...(asList(value).some((one) => typeof one !== 'string') ? ['filter.value-type'] : []),
  ]
}

function refusalsOfDate({ not, start, end }: Members): string[] {
  return [
    ...(not !== undefined && typeof not !== 'boolean' ? ['body.types'] : []),
    ...([start, end].some((bound) => typeof bound === 'number') ? ['date.format'] : []),
  ]
}

function meets(entry: SeenEntry, tests: readonly EntryTest[], assume: Assume): boolean {
  if (tests.length === 0) return true
  if (entry.fileType === 'DIRECTORY' && assume('dir.filtered') === 'bypass') return true
  const [first] = tests
  if (first && tests.length === 1) return first(entry)
  return assume('filter.several') === 'or' ? tests.some((test) => test(entry)) : tests.every((test) => test(entry))
}

function createFilterTest(filter: Filter, assume: Assume, settings: BehaviourSettings): EntryTest {
  const { field, operator, value } = filter
  if (operator === 'IS_NULL' && assume('filter.is-null') === 'other') return () => false
  const [hasCase, hasWildcards] = [value.some(isCased), value.some((text) => /[%_\\]/.test(text))]
  // What makes no difference to these values is not asked for.
  const test = createValueTest(filter, {
    get like() {
      return {
        shape: settings['like.shape'],
        case: hasCase ? settings['like.case'] : 'sensitive',
        wildcards: hasWildcards ? settings['like.wildcards'] : 'literal',
      }
    },
    get equals() {
      return hasCase ? settings['equals.case'] : 'sensitive'
    },
    get values() {
      return value.length > 1 ? settings['filter.values'] : 'any'
    },
    get created() {
      return settings['filter.created']
    },
    get empty() {
      return settings['filter.empty'] === 'all' ? 'all' : 'none'
    },
    get notNull() {
      return settings['filter.not-null']
    },
  })
  const isInstant = field === 'created' && operator !== 'IS_NULL' && settings['filter.created'] === 'instant'
  return (entry) => test(isInstant ? (instantOf(entry.created) ?? null) : plainValue(entry, field))
}

function createDateTest(
  filter: Parameters<typeof createRangeCondition>[0],
  assume: Assume,
  settings: BehaviourSettings,
): EntryTest {
  if (filter.end === null && assume('date.open-end') === 'other') return () => false
  const holds = createRangeCondition(filter, {
    get start() {
      return settings['date.start']
    },
    get end() {
      return settings['date.end']
    },
  })
  return ({ created }) => {
    const at = instantOf(created)
    return at === undefined || holds(at.ms, at.nanos)
  }
}

/** A value as filters see it. */
function plainValue(entry: SeenEntry, field: string): string | number | bigint | null {
  const value = entry[field] ?? null
  if (value === null) return null
  return isIntegerField(field) && (typeof value === 'number' || typeof value === 'bigint') ? value : textOrJson(value)
}

type AssumedSort = ReturnType<typeof readFieldSort>

function compareBy(keys: AssumedSort, settings: BehaviourSettings): Comparator {
  const rule = {
    get nulls() {
      return settings['sort.nulls']
    },
    get collation() {
      return settings['sort.collation']
    },
  }
  const columns = keys.map(({ field, order }) => {
    const key = { field: field as Parameters<typeof createComparator>[0]['field'], descending: order === 'DESC' }
    return { field, compare: createComparator(key, rule) }
  })
  return (a, b) => {
    for (const { field, compare } of columns) {
      const order = compare(sortValue(a, field), sortValue(b, field))
      if (order !== 0) return order
    }
    return 0
  }
}

function sortValue(entry: SeenEntry, field: string): SortValue {
  return field === 'created' ? (instantOf(entry.created) ?? null) : plainValue(entry, field)
}

/** The order without a fieldSort; undefined for one that nothing can be said of. */
export function defaultOrder(field: unknown, assume: Assume): Comparator | undefined {
  return field === 'shuffled' ? undefined : compareBy([{ field: String(field), order: 'ASC' }], settingsUnder(assume))
}

export function compareIds(a: SeenEntry, b: SeenEntry): number {
  return compareCodePoints(textOrJson(a.id), textOrJson(b.id))
}

/** A timestamp, or milliseconds since the Unix epoch as a number or a text. */
export function instantOf(value: unknown): Instant | undefined {
  if (typeof value === 'number') return parseEpochMs(String(value))
  return typeof value === 'string' ? (parseInstant(value) ?? parseEpochMs(value)) : undefined
}
