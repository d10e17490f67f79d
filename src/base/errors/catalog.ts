import { STATUS_CODES } from 'node:http'
import * as controlErrors from './control-errors.ts'
import type { ErrorEntry } from './problem.ts'
import * as proxyErrors from './proxy-errors.ts'
import * as requestErrors from './request-errors.ts'
import * as resourceErrors from './resource-errors.ts'
import * as responseErrors from './response-errors.ts'

/** Every error that Standin defines itself, by subject. */
export const ERRORS_BY_SUBJECT: ReadonlyMap<string, readonly ErrorEntry[]> = new Map(
  Object.entries<Readonly<Record<string, object>>>({
    Requests: requestErrors,
    Responses: responseErrors,
    Resources: resourceErrors,
    'Sandboxes and the control API': controlErrors,
    'The proxy': proxyErrors,
  }).map(([subject, errors]) => [subject, Object.values(errors).flatMap(entryOf)]),
)

function entryOf(exported: object): ErrorEntry[] {
  return 'entry' in exported ? [exported.entry as ErrorEntry] : []
}

/** Every error by id: those that Standin defines, and one for each other HTTP status from 400 on. */
export const ERROR_CATALOG: ReadonlyMap<string, ErrorEntry> = new Map(
  [
    ...Object.keys(STATUS_CODES)
      .map(Number)
      .filter((status) => status >= 400)
      .map(responseErrors.statusEntry),
    ...[...ERRORS_BY_SUBJECT.values()].flat(),
  ].map((entry) => [entry.id, entry]),
)
