import { asObject, isObject, type Members, tryParseJson } from '../../base/formats/json.ts'
import { headerOf, type RecordedExchange } from '../recordings/recorded-exchange.ts'
import { splitTarget } from './search-seen.ts'
import { findScheduleUses, type SentSchedule, usesOfStored } from './schedule-uses.ts'

/** A create or an update of a report schedule and its response, as probes read them. */
export interface ScheduleSeen extends SentSchedule {
  /** See `findUses`. */
  readonly uses: ReadonlySet<string>
  readonly status: number
  /** It was done, with status 200 or 201; it was refused, with a status from 400 to 499; or neither. */
  readonly outcome: 'done' | 'refused' | 'failed'
  /** The body of the response; empty when it is no object. */
  readonly response: Members
  /** `schedule` of the response; empty when it is no object. */
  readonly shown: Members
}

/** The create or update of an exchange; undefined when it is another request. */
export function readScheduleRequest(exchange: RecordedExchange, keyHeader: string): ScheduleSeen | undefined {
  const { request, response } = exchange
  const [path, query] = splitTarget(request.url)
  const [matched, id] = SCHEDULE_PATH.exec(path) ?? []
  const kind = request.method === 'POST' && id === undefined ? 'create' : request.method === 'PUT' && id ? 'update' : ''
  if (matched === undefined || kind === '') return undefined
  const body = tryParseJson(request.body)
  const fields = asObject(body)
  const received = response.isWhole ? tryParseJson(response.body) : undefined
  const sent = {
    kind,
    exchange,
    id,
    key: headerOf(request.headers, keyHeader),
    body,
    fields,
    schedule: asObject(fields.schedule),
  } as const
  const outcome = outcomeOf(response.status, received)
  const seen = { ...sent, status: response.status, outcome, response: asObject(received) } as const
  return { ...seen, uses: usesOf(seen, path, query), shown: asObject(seen.response.schedule) }
}

const SCHEDULE_PATH = /^\/+api\/+content\/+v1\/+reportschedules(?:\/+([^/]+))?\/*$/i

function outcomeOf(status: number, received: unknown): ScheduleSeen['outcome'] {
  if ((status === 200 || status === 201) && isObject(received)) return 'done'
  return status >= 400 && status < 500 ? 'refused' : 'failed'
}

type Judged = SentSchedule & Pick<ScheduleSeen, 'status' | 'outcome' | 'response'>

/** Some refusals have a status of their own, so that the others cannot have been refused for these reasons. */
function usesOf(seen: Judged, path: string, query: string): ReadonlySet<string> {
  const uses = findScheduleUses(seen, path, query)
  if (seen.outcome === 'done')
    return seen.kind === 'create' ? new Set([...uses, ...usesOfStored(seen, seen.response.id)]) : uses
  const { status, exchange } = seen
  if (status === 409) return new Set([...uses, `create.duplicate:${exchange.at} ${exchange.source}`])
  return status === 413 ? uses : new Set([...uses].filter((use) => !use.startsWith('size:')))
}
