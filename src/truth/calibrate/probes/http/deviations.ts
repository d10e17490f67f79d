import type { BehaviourId } from '../../../../../types/behaviour-settings.d.ts'
import {
  agree,
  type Asking,
  probe,
  type Probe,
  type ProbeRequest,
  type Questioner,
  type ShownSetting,
  shownBy,
} from '../../probe.ts'
import type { SearchSeen } from '../../search-seen.ts'
import type { Traffic } from '../../traffic.ts'
import { listingFor } from '../searches/witnesses.ts'

/** A deviation from what the interface documents: a service accepts or refuses it, whatever else is in the search (see `findUses`). */
interface Deviation<Id extends BehaviourId> {
  /** The search that has it, or a conversation. */
  readonly asked: ProbeRequest | ((questioner: Questioner) => Asking<unknown>)
  /** The setting that a refusal shows, and a page. */
  readonly refused: ShownSetting<SearchSeen, Id>
  readonly accepted?: ShownSetting<SearchSeen, Id>
  /** The status of the refusal; any from 400 to 499 when absent. */
  readonly status?: number
  /** Which of the searches that deviate so are about it; all when absent. */
  readonly isMeant?: (search: SearchSeen, traffic: Traffic) => boolean
}

/** A probe for a behaviour that a single search shows. Searches that show different settings settle nothing. */
export function probeByDeviation<Id extends BehaviourId>(id: Id, deviation: Deviation<Id>): Probe {
  const { asked, refused, accepted, status, isMeant = () => true } = deviation
  const read = (search: SearchSeen, traffic: Traffic) => {
    if (!search.uses.has(id) || !traffic.isAbout(search, id) || !isMeant(search, traffic)) return undefined
    if (search.outcome === 'page') return shownBy(accepted, search, traffic)
    const isRefused = search.outcome === 'refused' && search.status === (status ?? search.status)
    return isRefused ? shownBy(refused, search, traffic) : undefined
  }
  return probe(id, {
    conclude: (traffic) => agree(traffic.searches, (search) => read(search, traffic)),
    ask: typeof asked === 'function' ? asked : ({ search }) => search(asked),
  })
}

/** The first is wrong, and the last is not. */
const TWO_FILTERS = '{"filters":5,"filters":[]}'

/** Limits and tokens that no page gave. */
export const PAGINATION_DEVIATIONS: readonly Probe[] = [
  probeByDeviation('limit.zero', {
    asked: { query: { limit: 0 } },
    refused: 'error',
    accepted: (search, traffic) => firstOr('default', 'empty', search, traffic),
    isMeant: isFirst,
  }),
  probeByDeviation('limit.negative', {
    asked: { query: { limit: -1 } },
    refused: 'error',
    accepted: 'default',
    isMeant: isFirst,
  }),
  probeByDeviation('limit.format', {
    asked: { query: { limit: '' } },
    refused: 'strict',
    accepted: 'default-if-blank',
    isMeant: (search) => isFirst(search) && search.query.get('limit')?.[0] === '',
  }),
  probeByDeviation('next.blank', {
    asked: { query: { next: '' } },
    refused: 'error',
    accepted: 'first',
    isMeant: isPlain,
  }),
  probeByDeviation('next.tampered', {
    asked: { query: { next: 'undefined' } },
    refused: 'error',
    accepted: (search, traffic) => firstOr('first-page', 'empty', search, traffic),
    isMeant: isPlain,
  }),
]

/** Headers, bodies and parameters that no client needs. */
export const HTTP_DEVIATIONS: readonly Probe[] = [
  probeByDeviation('http.media-type', {
    asked: { headers: { 'Content-Type': 'text/plain' } },
    refused: 'strict',
    accepted: 'lenient',
    status: 415,
  }),
  probeByDeviation('http.content-type-parameters', {
    asked: { headers: { 'Content-Type': 'application/json; version=1' } },
    refused: 'strict',
    accepted: 'ignore',
    status: 415,
    isMeant: (_search, traffic) => traffic.settingOf('http.media-type') === 'strict',
  }),
  probeByDeviation('http.accept', {
    asked: { headers: { Accept: 'text/html' } },
    refused: '406',
    accepted: 'ignore',
    status: 406,
  }),
  probeByDeviation('http.json', { asked: { body: '{"filters":[' }, refused: 'strict' }),
  probeByDeviation('http.duplicate-key', {
    asked: { body: TWO_FILTERS },
    refused: 'error',
    accepted: ({ exchange: { request } }) => (request.body === TWO_FILTERS ? 'last' : undefined),
  }),
  probeByDeviation('http.empty-body', { asked: { body: '' }, refused: 'error', accepted: 'as-empty' }),
  probeByDeviation('http.null-array', { asked: { body: { filters: null } }, refused: 'error', accepted: 'as-absent' }),
  probeByDeviation('http.path', {
    asked: ({ search, givens }) =>
      search({ path: `/api/files/v1/filesets/${encodeURIComponent(givens.fileSet)}/files/search/` }),
    refused: 'strict',
    accepted: 'tolerant',
    status: 404,
  }),
  probeByDeviation('http.unknown-query', { asked: { query: { colour: 'red' } }, refused: 'error', accepted: 'ignore' }),
  probeByDeviation('body.unknown', {
    asked: { body: { colour: 'red' } },
    refused: 'error',
    accepted: 'ignore',
    // Those that nest deeply, or are large, may be refused for that.
    isMeant: ({ uses }) => !uses.has('http.depth') && !uses.has('http.size'),
  }),
  probeByDeviation('http.boolean', {
    asked: { query: { immediateChildren: 'FALSE' } },
    refused: 'strict',
    accepted: 'any-case',
    // Other words are no boolean in any case of letters, and a directory may be what is refused.
    isMeant: ({ query, outcome }) =>
      /^(true|false)$/i.test(query.get('immediateChildren')?.[0] ?? '') &&
      (outcome === 'page' || !query.has('directoryPath')),
  }),
  probeByDeviation('error.bad-escape', {
    asked: { query: 'directoryPath=100%' },
    // Read literally, it is a directory, which may not exist.
    refused: ({ status }) => (status === 404 ? 'literal' : 'error'),
    accepted: 'literal',
  }),
]

/** What a page shows of a parameter that may be read as if it was not there: of a file set without entries, every page is empty. */
function firstOr<Value>(first: Value, empty: Value, search: SearchSeen, traffic: Traffic): Value | undefined {
  const { files, query, filters, dateFilters } = search
  if (files.length > 0) return first
  const findsAll = filters.length + dateFilters.length === 0 && !query.has('directoryPath')
  return findsAll && listingFor(search, traffic)?.entries[0] ? empty : undefined
}

/** Whether it is a search without a token. */
export function isFirst(search: SearchSeen): boolean {
  return (search.query.get('next')?.[0] ?? '') === '' && isPlain(search)
}

/** Whether no parameter is repeated, since it is uncertain which of the values counts. */
function isPlain({ uses }: SearchSeen): boolean {
  return !uses.has('http.repeated')
}
