import type { RunFingerprint } from './fingerprint.ts'
import { takeApart } from './lines.ts'
import { iso } from '../../base/formats/instant.ts'
import { writeEvent, writeStateDocument } from '../sandbox-document.ts'
import type { Commit } from '../event-log.ts'
import type { Beginning, Image } from '../snapshot.ts'
import type { State } from '../state.ts'

/**
 * The lines of a log file: a header, the sandbox when the file was written, and what changed since. Where only the count of request ids
 * changed, a line has only `requests`. The last line of a stand-in that was stopped is `END`, so that a log that was truncated later is
 * detected. `read-log.ts` reads it.
 */

export const LOG_VERSION = 2
export const LOG_FORMAT = 'standin-log'

export interface HeaderLine {
  readonly format: typeof LOG_FORMAT
  readonly version: number
  readonly sandbox: string
  /** The time to live that it was created with, milliseconds; null for no end. */
  readonly ttl?: number | null | undefined
  /** The number of the first event that is in this file. */
  readonly first: number
  readonly fingerprint: RunFingerprint
}

/** The last line of the log of a stand-in that was stopped. */
export const END = { end: true }

/** The header and the sandbox. */
export function* imageLines(header: Omit<HeaderLine, 'format' | 'version'>, image: Image, initialState: State) {
  yield { format: LOG_FORMAT, version: LOG_VERSION, ...header }
  yield* stateLines({ image: 'beginning' }, image.beginning, initialState)
  for (const [name, snapshot] of image.checkpoints)
    yield* stateLines({ image: 'checkpoint', name, taken: iso(snapshot.taken) }, snapshot, initialState)
  yield* stateLines({ image: 'present' }, image, initialState)
}

/** The other members of the lines of a state: which one it is. */
export interface StateLine {
  readonly image: 'beginning' | 'checkpoint' | 'present'
  readonly name?: string
  readonly taken?: string
}

function* stateLines(line: StateLine, { state, requests }: Beginning, initialState: State) {
  for (const part of takeApart(writeStateDocument({ state, requests }, { initialState }))) yield { ...line, ...part }
}

/** Events on one line. A larger commit has several lines, and is valid only with all of them. */
const MAX_EVENTS = 500

export interface EventLine {
  readonly number: number
  readonly at: string
  readonly requests: number
  readonly requestId?: string
  readonly events: readonly { readonly type: string }[]
  /** Whether the commit continues on the next line. */
  readonly more?: true
}

export function* commitLines(first: number, { at, requests, requestId, events }: Commit, initialState: State) {
  for (let from = 0; from < events.length; from += MAX_EVENTS) {
    const some = events.slice(from, from + MAX_EVENTS)
    yield {
      number: first + from,
      at: iso(at),
      requests,
      requestId,
      events: some.map((event) => writeEvent(event, initialState)),
      ...(from + MAX_EVENTS < events.length ? { more: true } : {}),
    }
  }
}
