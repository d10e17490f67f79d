import type { RecordedExchange } from '../traffic/recorded-exchange.ts'

/** A create or an update as it was sent. */
export interface SentSchedule {
  readonly kind: 'create' | 'update'
  readonly exchange: RecordedExchange
  /** Of an update, as it was sent. */
  readonly id: string | undefined
  /** The value of the key header; undefined when there was none. */
  readonly key: string | undefined
  /** The body as JSON; undefined when there was none, or it is not JSON. */
  readonly body: unknown
  /** `schedule` of the body; empty when it is no object. */
  readonly schedule: Readonly<Record<string, unknown>>
}

/** The same as `findUses`, for creates and updates. */
export function findScheduleUses({ key }: SentSchedule, path: string): ReadonlySet<string> {
  return new Set([
    `key:${key ?? ''}`,
    ...(key === undefined || key.trim() === '' ? ['auth.refused'] : []),
    ...(/^\/api\/content\/v1\/reportschedules(\/[^/]+)?$/.test(path) ? [] : ['http.path']),
  ])
}
