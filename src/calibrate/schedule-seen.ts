import { isObject } from '../formats/json.ts'
import { headerOf, type RecordedExchange } from '../traffic/recorded-exchange.ts'
import { readJson, splitTarget } from './search-seen.ts'
import { findScheduleUses, type SentSchedule } from './schedule-uses.ts'

type Values = Readonly<Record<string, unknown>>

/** A create or an update of a report schedule and its response, as probes read them. */
export interface ScheduleSeen extends SentSchedule {
  /** See `findUses`. */
  readonly uses: ReadonlySet<string>
  readonly status: number
  /** It was done, with status 200 or 201; it was refused, with a status from 400 to 499; or neither. */
  readonly outcome: 'done' | 'refused' | 'failed'
  /** The body of the response; empty when it is no object. */
  readonly response: Values
}

/** The create or update of an exchange; undefined when it is another request. */
export function readScheduleRequest(exchange: RecordedExchange, keyHeader: string): ScheduleSeen | undefined {
  const { request, response } = exchange
  const [path] = splitTarget(request.url)
  const [matched, id] = SCHEDULE_PATH.exec(path) ?? []
  const kind = request.method === 'POST' && id === undefined ? 'create' : request.method === 'PUT' && id ? 'update' : ''
  if (matched === undefined || kind === '') return undefined
  const body = readJson(request.body)
  const received = response.isWhole ? readJson(response.body) : undefined
  const isDone = (response.status === 200 || response.status === 201) && isObject(received)
  const isRefused = response.status >= 400 && response.status < 500
  const sent = {
    kind,
    exchange,
    id,
    key: headerOf(request.headers, keyHeader),
    body,
    schedule: isObject(body) && isObject(body.schedule) ? body.schedule : {},
  } as const
  return {
    ...sent,
    uses: findScheduleUses(sent, path),
    status: response.status,
    outcome: isDone ? 'done' : isRefused ? 'refused' : 'failed',
    response: isObject(received) ? received : {},
  }
}

const SCHEDULE_PATH = /^\/+api\/+content\/+v1\/+reportschedules(?:\/+([^/]+))?\/*$/i
