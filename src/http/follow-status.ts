import type { Documented } from '../contract/documented.ts'

/**
 * Which of an operation's documented statuses is meant by one of ours. A status that is documented, itself, by its range or by
 * `default`, stays. Else it is the first documented one that says nearly the same, and where none does it stays too.
 */
export function documentedStatus(status: number, documented: Documented): number {
  if (documented.answer(status)) return status
  if (status >= 200 && status < 300) return firstSuccess(documented) ?? status
  return (LIKE[status] ?? []).find((other) => documented.statuses.includes(String(other))) ?? status
}

/** What a status may be told as where it is not documented itself, the nearest first. */
const LIKE: Readonly<Record<number, readonly number[]>> = {
  400: [422],
  401: [403],
  403: [401],
  404: [410, 400, 422],
  406: [400, 422],
  409: [412, 400, 422],
  410: [404, 400, 422],
  412: [409, 428, 400, 422],
  413: [400, 422],
  415: [400, 422],
  422: [400],
}

function firstSuccess({ statuses }: Documented): number | undefined {
  return statuses
    .map(Number)
    .filter((status) => status >= 200 && status < 300)
    .sort((a, b) => a - b)[0]
}
