import type { Documented } from '../../contract/schemas/documented.ts'

/**
 * Which of an operation's documented statuses is meant by one of ours. A status that is documented itself, or by its range, stays.
 * Else it is the documented one that says the same; else ours again where there is `default`; else the first documented one that
 * says nearly the same, and where none does it stays too.
 */
export function documentedStatus(status: number, documented: Documented): number {
  const { statuses } = documented
  if (statuses.includes(String(status)) || statuses.includes(`${Math.floor(status / 100)}XX`)) return status
  if (status >= 200 && status < 300) return firstSuccess(documented) ?? status
  const alike = (others: readonly number[] = []) => others.find((other) => statuses.includes(String(other)))
  return alike(SAME[status]) ?? (statuses.includes('default') ? undefined : alike(LIKE[status])) ?? status
}

/** Two words for a request whose parts are wrong. */
const SAME: Readonly<Record<number, readonly number[]>> = { 400: [422], 422: [400] }

/** What a status may be told as where it is not documented itself, the nearest first. */
const LIKE: Readonly<Record<number, readonly number[]>> = {
  401: [403],
  403: [401],
  404: [410, 400, 422],
  406: [400, 422],
  409: [412, 400, 422],
  410: [404, 400, 422],
  412: [409, 428, 400, 422],
  413: [400, 422],
  415: [400, 422],
}

function firstSuccess({ statuses }: Documented): number | undefined {
  return statuses
    .map(Number)
    .filter((status) => status >= 200 && status < 300)
    .sort((a, b) => a - b)[0]
}
