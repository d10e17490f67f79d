import type { BehaviourId, BehaviourSettings } from '../../../../../types/behaviour-settings.d.ts'
import { headerOf } from '../../../recordings/recorded-exchange.ts'
import { open, settled } from '../../finding.ts'
import { probe, type Probe } from '../../probe.ts'
import type { Asking, Questioner } from '../../questioner.ts'
import { probeBySearch } from '../outcomes.ts'

/** A behaviour with a setting that refuses and one that does not. */
interface RefusalRule<Id extends BehaviourId> {
  readonly refused: BehaviourSettings[Id]
  readonly accepted: BehaviourSettings[Id]
  /** The statuses that it refuses with; any from 400 to 499 when absent. */
  readonly statuses?: readonly number[]
  ask(questioner: Questioner): Asking<unknown>
}

/** A probe for a part of a request that is either refused or not: see `findUses`. */
function probeByRefusal<Id extends BehaviourId>(id: Id, { refused, accepted, statuses, ask }: RefusalRule<Id>): Probe {
  return probeBySearch<Id>(id, {
    applies: (search, traffic) => search.uses.has(id) && traffic.isAbout(search, id),
    read({ outcome, status }) {
      if (outcome === 'page') return accepted
      return outcome === 'refused' && (!statuses || statuses.includes(status)) ? refused : undefined
    },
    ask,
  })
}

const withHeaders = (headers: Readonly<Record<string, string>>) =>
  function* ask({ search }: Questioner): Asking {
    yield* search({ headers })
  }

export const HTTP: readonly Probe[] = [
  probeByRefusal('http.media-type', {
    refused: 'strict',
    accepted: 'lenient',
    statuses: [415],
    ask: withHeaders({ 'Content-Type': 'text/plain' }),
  }),

  probeBySearch('http.content-type-parameters', {
    applies: ({ uses }, traffic) =>
      uses.has('http.content-type-parameters') && traffic.settingOf('http.media-type') === 'strict',
    read({ outcome, status }) {
      if (outcome === 'page') return 'ignore'
      return status === 415 ? 'strict' : undefined
    },
    ask: withHeaders({ 'Content-Type': 'application/json; version=1' }),
  }),

  probeByRefusal('http.accept', {
    refused: '406',
    accepted: 'ignore',
    statuses: [406],
    ask: withHeaders({ Accept: 'text/html' }),
  }),

  probe({
    id: 'http.compression',
    conclude(traffic) {
      const asked = traffic.searches.filter(({ exchange: { request, response }, outcome }) => {
        const accepts = /\bgzip\b/i.test(headerOf(request.headers, 'accept-encoding') ?? '')
        return accepts && outcome === 'page' && (response.body ?? '').length > SHORT
      })
      const encodingOf = (one: (typeof asked)[number]) => headerOf(one.exchange.response.headers, 'content-encoding')
      const gzipped = asked.filter((one) => encodingOf(one) === 'gzip')
      if (gzipped.length > 0)
        return settled(
          'gzip',
          gzipped.map(({ exchange }) => exchange),
        )
      const other = asked.map(encodingOf).find((encoding) => encoding !== undefined)
      if (other !== undefined) return open(`the service compresses with ${other}, which no setting does`)
      return asked.length > 0
        ? settled(
            'off',
            asked.map(({ exchange }) => exchange),
          )
        : undefined
    },
    ask: withHeaders({ 'Accept-Encoding': 'gzip' }),
  }),

  probeByRefusal('http.json', {
    refused: 'strict',
    accepted: undefined as never,
    ask: ({ search }) => search({ body: '{"filters":[' }),
  }),

  probeBySearch('http.duplicate-key', {
    applies: (search, traffic) =>
      search.uses.has('http.duplicate-key') && traffic.isAbout(search, 'http.duplicate-key'),
    read({ outcome, exchange: { request } }) {
      if (outcome === 'refused') return 'error'
      return request.body === TWO_FILTERS ? 'last' : undefined
    },
    ask: ({ search }) => search({ body: TWO_FILTERS }),
  }),

  probeByRefusal('http.empty-body', {
    refused: 'error',
    accepted: 'as-empty',
    ask: ({ search }) => search({ body: '' }),
  }),

  probeByRefusal('http.null-array', {
    refused: 'error',
    accepted: 'as-absent',
    ask: ({ search }) => search({ body: { filters: null } }),
  }),

  probeByRefusal('http.path', {
    refused: 'strict',
    accepted: 'tolerant',
    statuses: [404],
    ask: ({ search, givens }) =>
      search({ path: `/api/files/v1/filesets/${encodeURIComponent(givens.fileSet)}/files/search/` }),
  }),

  probeByRefusal('http.unknown-query', {
    refused: 'error',
    accepted: 'ignore',
    ask: ({ search }) => search({ query: { colour: 'red' } }),
  }),

  probeBySearch('http.boolean', {
    applies(search, traffic) {
      const [value = ''] = search.query.get('immediateChildren') ?? []
      // Other words are no boolean in any case of letters.
      return search.uses.has('http.boolean') && /^(true|false)$/i.test(value) && traffic.isAbout(search, 'http.boolean')
    },
    read({ outcome, query }) {
      if (outcome === 'page') return 'any-case'
      // A directory may be what is refused.
      return query.has('directoryPath') ? undefined : 'strict'
    },
    ask: ({ search }) => search({ query: { immediateChildren: 'FALSE' } }),
  }),

  probeBySearch('http.repeated', {
    applies: (search, traffic) => search.uses.has('http.repeated') && traffic.isAbout(search, 'http.repeated'),
    read({ outcome, query, files }) {
      if (outcome === 'refused') return 'error'
      const [one, two] = (query.get('limit') ?? []).map(Number)
      if (one === undefined || two === undefined || files.length <= Math.min(one, two)) return undefined
      return one > two ? 'first' : 'last'
    },
    *ask({ search }) {
      const { outcome, files } = yield* search({ query: 'limit=1&limit=50' })
      if (outcome === 'page' && files.length <= 1) yield* search({ query: 'limit=50&limit=1' })
      // A refusal is about the repetition if the limit alone is accepted.
      if (outcome === 'refused') yield* search({ query: { limit: 50 } })
    },
  }),
]

/** Characters below which responses may not be worth compressing. */
const SHORT = 2048

/** The first is wrong, and the last is not. */
const TWO_FILTERS = '{"filters":5,"filters":[]}'
