import type { BehaviourId, BehaviourSettings } from '../../../types/behaviour-settings.d.ts'
import { type Finding, type GrowingTraffic, open, type Settled, settled, type Traffic, type Walk } from './traffic.ts'
import type { RecordedExchange, Header, RecordedRequest } from '../recordings/recorded-exchange.ts'
import type { ScheduleSeen } from './schedule-seen.ts'
import { isToken, type SearchSeen } from './search-seen.ts'

/** How one behaviour of a service is found out. */
export interface Probe<Id extends BehaviourId = BehaviourId> {
  readonly id: Id
  /** Whether its requests change something at the service. Set where the probes are listed. */
  readonly writes?: boolean
  /**
   * Draws the conclusion from all traffic so far, whether a client caused it or `ask`: so recordings settle the same questions as a
   * live run. Undefined when nothing in the traffic is about the behaviour.
   */
  conclude(traffic: Traffic): Finding<BehaviourSettings[Id]> | undefined
  /** Sends what `conclude` lacks. Absent when no request can settle it. */
  ask?(questioner: Questioner): Asking<unknown>
}

/** Keeps the type of the setting tied to the id. */
export function probe<Id extends BehaviourId>(id: Id, halves: Pick<Probe<Id>, 'conclude' | 'ask'>): Probe {
  return { id, ...halves }
}

/** A conversation: yields requests and is continued with their exchanges, which are part of the traffic by then. */
export type Asking<Result = void> = Generator<RecordedRequest, Result, RecordedExchange>

/** What calibration was given. */
export interface Givens {
  readonly keyHeader: string
  readonly key: string
  /** The key of another user. */
  readonly otherKey?: string | undefined
  readonly fileSet: string
  readonly otherFileSet?: string | undefined
  /** Of the report schedule that probes create. */
  readonly pageId: number
  readonly viewId: number
  /** Of a group that may receive reports. */
  readonly groupId?: number | undefined
  /** Of that schedule, if it matters. */
  readonly title?: string
}

/** A request in short. */
export interface ProbeRequest {
  /** Parameters in their order, or the text after the question mark. */
  readonly query?: string | Readonly<Record<string, string | number | boolean>>
  /** A text is sent as it is; without one, `{}`. */
  readonly body?: unknown
  /** Added to the usual ones; undefined leaves one out. */
  readonly headers?: Readonly<Record<string, string | undefined>>
  readonly fileSet?: string
  readonly method?: string
  /** Instead of the path of the operation. */
  readonly path?: string
}

/** Asks the service, for probes. */
export interface Questioner {
  readonly traffic: Traffic
  readonly givens: Givens
  /** Creates and updates before its first one: its probes share a schedule that comes after them. */
  readonly earlier: number
  search(asked?: ProbeRequest): Asking<SearchSeen>
  /** A search as it would be sent. */
  previewSearch(asked: ProbeRequest): RecordedRequest
  /** The first page and those that follow, at most so many. */
  walk(asked?: ProbeRequest, most?: number): Asking<Walk>
  create(body: unknown, asked?: ProbeRequest): Asking<ScheduleSeen>
  update(id: number | bigint | string, body: unknown, asked?: ProbeRequest): Asking<ScheduleSeen>
  /** Any other request. */
  send(asked: ProbeRequest & { readonly path: string; readonly method: string }): Asking<RecordedExchange>
}

export function createQuestioner(traffic: GrowingTraffic, givens: Givens): Questioner {
  const { keyHeader, key, fileSet: usual } = givens
  const request = (method: string, path: string, asked: ProbeRequest): RecordedRequest => {
    const { query = '', body = {}, headers = {} } = asked
    const text = typeof query === 'string' ? query : encode(query)
    return {
      method: asked.method ?? method,
      url: `${asked.path ?? path}${text === '' ? '' : `?${text}`}`,
      headers: withHeaders({ [keyHeader]: key, 'Content-Type': 'application/json', ...headers }),
      body: typeof body === 'string' ? body : JSON.stringify(body),
    }
  }
  function* ask<Seen>(sent: RecordedRequest): Asking<Seen> {
    const exchange = yield sent
    // The probes below send what is read as their kind of request.
    return traffic.seen(exchange) as Seen
  }
  const previewSearch = (asked: ProbeRequest) =>
    request('POST', `/api/files/v1/filesets/${encodeURIComponent(asked.fileSet ?? usual)}/files/search`, asked)
  const search = (asked: ProbeRequest = {}) => ask<SearchSeen>(previewSearch(asked))
  return {
    traffic,
    givens,
    earlier: traffic.schedules.length,
    search,
    previewSearch,
    *walk(asked = {}, most = MAX_PAGES) {
      const first = yield* search(asked)
      let last = first
      for (let pages = 1; pages < most && last.outcome === 'page' && isToken(last.next); pages++)
        last = yield* search({ ...asked, query: withToken(asked.query, last.next) })
      return traffic.walkFrom(first)
    },
    create: (body, asked = {}) => ask<ScheduleSeen>(request('POST', SCHEDULES, { ...asked, body })),
    update: (id, body, asked = {}) => ask<ScheduleSeen>(request('PUT', `${SCHEDULES}/${id}`, { ...asked, body })),
    *send(asked) {
      return yield request(asked.method, asked.path, asked)
    },
  }
}

/** Where the interface has report schedules. */
export const SCHEDULES = '/api/content/v1/reportschedules'

/** Pages of a walk, at most. */
const MAX_PAGES = 20

function encode(query: Readonly<Record<string, string | number | boolean>>): string {
  return new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)])).toString()
}

function withToken(query: ProbeRequest['query'] = '', next: string): string {
  const text = typeof query === 'string' ? query : encode(query)
  return `${text}${text === '' ? '' : '&'}${encode({ next })}`
}

function withHeaders(headers: Readonly<Record<string, string | undefined>>): Header[] {
  return Object.entries(headers).flatMap(([name, value]) => (value === undefined ? [] : [{ name, value }]))
}

/** The setting that all of these show; open where they show different ones. Those that show none are left out. */
export function agree<Seen extends { readonly exchange: RecordedExchange }, Value>(
  all: readonly Seen[],
  read: (seen: Seen) => Value | undefined,
  certainty?: Settled['certainty'],
): Finding<Value> | undefined {
  const readings = all.flatMap((seen) => {
    const value = read(seen)
    return value === undefined ? [] : [{ value, exchange: seen.exchange }]
  })
  const [first] = readings
  if (!first) return undefined
  const other = readings.find(({ value }) => JSON.stringify(value) !== JSON.stringify(first.value))
  if (!other) return settled(first.value, readings, certainty)
  const [one, two] = [first, other].map(({ value, exchange }) => `${JSON.stringify(value)} (${exchange.source})`)
  return open(`the responses contradict each other: ${one ?? ''}, then ${two ?? ''}`)
}

/** A setting, or what a request shows of it: undefined for nothing. */
export type ShownSetting<Seen, Id extends BehaviourId> =
  BehaviourSettings[Id] | ((seen: Seen, traffic: Traffic) => BehaviourSettings[Id] | undefined)

export function shownBy<Seen, Id extends BehaviourId>(
  shown: ShownSetting<Seen, Id> | undefined,
  seen: Seen,
  traffic: Traffic,
): BehaviourSettings[Id] | undefined {
  return typeof shown === 'function' ? shown(seen, traffic) : shown
}
