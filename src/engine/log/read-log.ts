import { readInstant } from '../../formats/instant.ts'
import type { RunFingerprint } from './fingerprint.ts'
import { type Line, readLines } from './disk.ts'
import { addPart, createLineReader, type LineWriter, type Part } from './lines.ts'
import { type HeaderLine, type EventLine, LOG_FORMAT, LOG_VERSION, type StateLine } from './write-log.ts'
import { readEvent, readStateDocument, type StateDocument } from '../sandbox-document.ts'
import { counted } from '../../errors/wording.ts'
import { shown, StartupError } from '../../errors/problem.ts'
import { createMemoryLog, type EventLog } from '../event-log.ts'
import { type Beginning, copyImage, evolveImage, type OwnedImage, type Snapshot } from '../snapshot.ts'
import { runSteps } from '../slices.ts'
import type { Origin } from '../state.ts'

/** A log as it was found. */
export interface FoundLog {
  readonly sandbox: string
  readonly image: OwnedImage
  /** Remembers the events of the file. */
  readonly memory: EventLog
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
  for (const line of readLines(path)) return headerOf(createLineReader(), line, path)
  throw new StartupError([`${path}:1: the log is empty: its header is missing. ${REMEDY}`])
}

function headerOf(reader: ReturnType<typeof createLineReader>, line: Line, path: string): HeaderLine {
  const read = attempt(path, line, () => reader.read(line.text))
  const header = read as unknown as HeaderLine
  if (read.format !== LOG_FORMAT) {
    const format = `it is not a log: expected the format ${LOG_FORMAT}, got ${shown(read.format)}`
    throw new StartupError([`${path}:1: ${format}. Remove it, or name another directory.`])
  }
  if (header.version !== LOG_VERSION) {
    const versions = `it is a log of version ${String(header.version)}, and this Standin reads version ${LOG_VERSION}`
    throw new StartupError([`${path}:1: ${versions}. Use the Standin that made it, or another directory.`])
  }
  return header
}

export type FingerprintCheck = (fingerprint: RunFingerprint, path: string) => void

/**
 * Reads a whole log. A commit that was not finished is dropped.
 *
 * @param checkFingerprint throws StartupError for another initial state
 * @throws StartupError with file and line for any other damage
 */
export function readLog(path: string, origin: Origin, checkFingerprint: FingerprintCheck): FoundLog {
  const reader = createLineReader()
  const images = createImages(origin)
  let header: HeaderLine | undefined
  let found: { image: OwnedImage; memory: EventLog } | undefined
  /** The lines of a commit that continues on the next line. */
  let open: EventLine[] = []
  let [size, imageSize, writer] = [0, 0, reader.writer()]
  let note: string | undefined
  let isEnded = false
  for (const line of readLines(path)) {
    if (line.isTorn) {
      note = `${path}:${line.number}: the last line was not finished and is dropped`
      break
    }
    if (!header) {
      header = headerOf(reader, line, path)
      checkFingerprint(header.fingerprint, path)
      continue
    }
    const value = attempt(path, line, () => reader.read(line.text))
    if (isEnded) throw damaged(path, line, 'it stands behind the end of the log')
    isEnded = 'end' in value
    if (isEnded) continue
    if ('image' in value) {
      if (found) throw damaged(path, line, 'a part of the sandbox stands behind its events')
      attempt(path, line, () => images.add(value as unknown as StateLine & Part))
      ;[size, imageSize, writer] = [line.end, line.end, reader.writer()]
      continue
    }
    const { first } = header
    found ??= attempt(path, line, () => begin(images, first))
    const { image, memory } = found
    if ('events' in value) {
      open.push(value as unknown as EventLine)
      if ('more' in value) continue
      attempt(path, line, () => storeCommit(open, { image, memory, origin }))
      open = []
    } else image.requests = Number(value.requests)
    ;[size, writer] = [line.end, reader.writer()]
  }
  if (open.length > 0)
    note ??= `${path}: the end (${counted(open.length, 'line')}) is of a change that was not finished, and is dropped`
  if (!header) throw new StartupError([`${path}:1: the log ends within its header. ${REMEDY}`])
  const { first, sandbox } = header
  found ??= attempt(path, { number: 1 }, () => begin(images, first))
  return { sandbox, ...found, size, imageSize, writer, isEnded, note }
}

function begin(images: Images, first: number): { image: OwnedImage; memory: EventLog } {
  const image = images.finish()
  return { image, memory: createMemoryLog(copyImage(image), first) }
}

interface Place {
  readonly image: OwnedImage
  readonly memory: EventLog
  readonly origin: Origin
}

/** Stores the events of a complete commit. */
function storeCommit(lines: readonly EventLine[], { image, memory, origin }: Place): void {
  for (const { number, at, requests, requestId, events } of lines) {
    for (const [index, document] of events.entries()) {
      image.requests = requests
      const event = readEvent(document, image, origin)
      const facts = { at: readInstant(at, { pointer: '/at' }), requests, requestId }
      memory.append(number + index, { ...facts, events: [event] })
      evolveImage(image, event, { at: facts.at })
    }
  }
}

interface Images {
  add(line: StateLine & Part): void
  /** @throws Error when the beginning or the present is missing */
  finish(): OwnedImage
}

/** Assembles states from their lines. */
function createImages(origin: Origin): Images {
  const documents: { line: StateLine; document: unknown }[] = []
  return {
    add(line) {
      const last = documents.at(-1)
      if (line.at === undefined) documents.push({ line, document: line.value })
      else addPart(last?.document, line)
    },
    finish() {
      let beginning: Beginning | undefined
      let present: Beginning | undefined
      const checkpoints = new Map<string, Snapshot>()
      for (const { line, document } of documents) {
        const { state, requests } = runSteps(readStateDocument(document as StateDocument, origin))
        if (line.image === 'beginning') beginning = { state, requests }
        else if (line.image === 'present') present = { state, requests }
        else
          checkpoints.set(line.name ?? '', {
            state,
            requests,
            taken: readInstant(line.taken ?? '', { pointer: '/taken' }),
          })
      }
      if (!beginning || !present) throw new Error('the sandbox is not whole')
      return { beginning, state: origin.model.copy(present.state), requests: present.requests, checkpoints }
    },
  }
}

const REMEDY = 'Put a copy of the file back, or remove it to lose that sandbox.'

function attempt<Result>(path: string, line: Pick<Line, 'number'>, act: () => Result): Result {
  try {
    return act()
  } catch (error) {
    throw damaged(path, line, error instanceof Error ? error.message : String(error))
  }
}

function damaged(path: string, { number }: Pick<Line, 'number'>, why: string): StartupError {
  return new StartupError([`${path}:${number}: the log is damaged: ${why.replace(/\.$/, '')}. ${REMEDY}`])
}
