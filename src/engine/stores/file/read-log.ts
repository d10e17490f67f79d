import type { RunFingerprint } from '../fingerprint.ts'
import { shown, StartupError } from '../../../base/errors/problem.ts'
import { counted } from '../../../base/errors/wording.ts'
import type { FoundRecord, StoredRecord } from '../event-store.ts'
import { damaged, REMEDY } from '../restore.ts'
import { type Line, readLines } from './disk.ts'
import { createLineReader, type LineWriter } from './lines.ts'

/**
 * A log file has a header, the records of the sandbox when the file was written, and those of what changed since. Where only the count of
 * request ids changed, a line has only `requests`. The last line of a stand-in that was stopped is `END`, so that a log that was truncated
 * later is detected.
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

/** What a log file has, once all its records were read. */
export interface ReadLog {
  /** The number that the next event gets. */
  readonly next: number
  /** Bytes of the file that are valid; the rest was not finished. */
  readonly size: number
  /** Bytes of the header and the sandbox, without the events. */
  readonly imageSize: number
  /** Continues the checksums of the file. */
  readonly writer: LineWriter
  /** Whether it has the end mark of a stand-in that was stopped. */
  readonly isEnded: boolean
  /** What was dropped, as a sentence. */
  readonly note: string | undefined
}

/** The header of a log. @throws StartupError with file and line */
export function readHeader(path: string): HeaderLine {
  for (const line of readLines(path)) {
    if (line.isTorn) throw new StartupError([`${path}:1: the log ends within its header. ${REMEDY}`])
    return headerOf(createLineReader(), line, path)
  }
  throw new StartupError([`${path}:1: the log is empty: its header is missing. ${REMEDY}`])
}

function headerOf(reader: ReturnType<typeof createLineReader>, line: Line, path: string): HeaderLine {
  const read = readLine(reader, line, path)
  if (read.format !== LOG_FORMAT) {
    const format = `it is not a log: expected the format ${LOG_FORMAT}, got ${shown(read.format)}`
    throw new StartupError([`${path}:1: ${format}. Remove it, or name another directory.`])
  }
  if (read.version !== LOG_VERSION) {
    const versions = `it is a log of version ${String(read.version)}, and this Standin reads version ${LOG_VERSION}`
    throw new StartupError([`${path}:1: ${versions}. Use the Standin that made it, or another directory.`])
  }
  return read as unknown as HeaderLine
}

function readLine(reader: ReturnType<typeof createLineReader>, line: Line, path: string): StoredRecord {
  try {
    return reader.read(line.text)
  } catch (error) {
    throw damaged(`${path}:${line.number}`, error instanceof Error ? error.message : String(error))
  }
}

/**
 * The records behind the header. The lines of a commit that was not finished are dropped.
 *
 * @throws StartupError with file and line for damage
 */
export function* readRecords(path: string, { first }: HeaderLine): Generator<FoundRecord, ReadLog> {
  const reader = createLineReader()
  let log: ReadLog = { next: first, size: 0, imageSize: 0, writer: reader.writer(), isEnded: false, note: undefined }
  /** The lines of a commit that continues on the next line. */
  let open: FoundRecord[] = []
  for (const line of readLines(path)) {
    const place = `${path}:${line.number}`
    if (line.isTorn) return { ...log, note: `${place}: the last line was not finished and is dropped` }
    const value = readLine(reader, line, path)
    if (line.number === 1) continue
    if (log.isEnded) throw damaged(place, 'it stands behind the end of the log')
    log = { ...log, isEnded: 'end' in value }
    if (log.isEnded) continue
    open.push({ value, place })
    if ('more' in value) continue
    yield* open
    open = []
    // Everything up to this line is valid.
    log = { ...log, size: line.end, writer: reader.writer(), next: nextAfter(value) ?? log.next }
    if ('image' in value) log = { ...log, imageSize: line.end }
  }
  if (open.length === 0) return log
  const lines = counted(open.length, 'line')
  return { ...log, note: `${path}: the end (${lines}) is of a change that was not finished, and is dropped` }
}

function nextAfter({ number, events }: StoredRecord): number | undefined {
  return typeof number === 'number' && Array.isArray(events) ? number + events.length : undefined
}
