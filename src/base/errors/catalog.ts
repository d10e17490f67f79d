import { STATUS_CODES } from 'node:http'
import { readPackaged } from '../formats/source-file.ts'
import * as controlErrors from './control-errors.ts'
import type { ErrorEntry } from './problem.ts'
import * as proxyErrors from './proxy-errors.ts'
import * as requestErrors from './request-errors.ts'
import * as resourceErrors from './resource-errors.ts'
import * as responseErrors from './response-errors.ts'

/** What people read of an error, as `spec/errors.yaml` has it. */
interface ErrorText {
  /** Why a client sees it, in one sentence. */
  readonly cause: string
  /** What to do about it, in one sentence. */
  readonly remedy: string
  /** Other statuses that it is sent with, where a behaviour or the reason decides. */
  readonly otherStatuses?: readonly number[]
  /** The client is gone when it occurs, so only the log and the journal show it. */
  readonly isNeverSent?: boolean
}

export type DescribedError = ErrorEntry & ErrorText

/** Every error that Standin defines itself, by subject. */
const ENTRIES_BY_SUBJECT: ReadonlyMap<string, readonly ErrorEntry[]> = new Map(
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

/** Every error that Standin defines itself, by subject, as it is documented. */
export function errorsBySubject(): ReadonlyMap<string, readonly DescribedError[]> {
  const texts = readPackaged('spec/errors.yaml').value as Readonly<Record<string, ErrorText>>
  const describe = (entry: ErrorEntry): DescribedError => {
    const text = texts[entry.id]
    if (!text) throw new Error(`spec/errors.yaml does not describe ${entry.id}`)
    return { ...entry, ...text }
  }
  return new Map([...ENTRIES_BY_SUBJECT].map(([subject, entries]) => [subject, entries.map(describe)]))
}

/** Every error by id: those that Standin defines, and one for each other HTTP status from 400 on. */
export function errorCatalog(): ReadonlyMap<string, DescribedError> {
  const statuses = Object.keys(STATUS_CODES)
    .map(Number)
    .filter((status) => status >= 400)
  const all = [...statuses.map(describeStatus), ...[...errorsBySubject().values()].flat()]
  return new Map(all.map((entry) => [entry.id, entry]))
}

function describeStatus(status: number): DescribedError {
  return {
    ...responseErrors.statusEntry(status),
    cause: 'A fault or the `Prefer` header asked for this status, or the service would send it here.',
    remedy: responseErrors.isPassing(status)
      ? 'Try again later.'
      : 'Remove the fault or the preference if you did not expect it.',
  }
}
