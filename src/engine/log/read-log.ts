import { readInstant } from '../../base/formats/instant.ts'
import type { RunFingerprint } from './fingerprint.ts'
import { type Line, readLines } from './disk.ts'
import { addPart, createLineReader, type LineWriter, type LinePart } from './lines.ts'
import { type HeaderLine, type EventLine, LOG_FORMAT, LOG_VERSION, type StateLine } from './write-log.ts'
import { readEvent, readStateDocument, type StateDocument } from '../sandbox-document.ts'
import { counted } from '../../base/errors/wording.ts'
import { shown, StartupError } from '../../base/errors/problem.ts'
import { createMemoryLog, type EventLog } from '../event-log.ts'
import { type Beginning, copyImage, evolveImage, type OwnedImage, type Snapshot } from '../snapshot.ts'
import { runSteps } from '../slices.ts'
import type { Origin } from '../state.ts'

/** A log as it was found. */
export interface FoundLog {
  readonly sandbox: string
  readonly ttl: number | null | undefined
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
  const reading = new LogReading(path, origin, checkFingerprint)
  for (const line of readLines(path)) {
    if (line.isTorn) return reading.finish(`${path}:${line.number}: the last line was not finished and is dropped`)
    reading.readLine(line)
  }
  return reading.finish()
}

class LogReading {
  readonly #path: string
  readonly #origin: Origin
  readonly #checkFingerprint: FingerprintCheck
  readonly #reader = createLineReader()
  readonly #images: Images
  #header: HeaderLine | undefined
  #found: Begun | undefined
  /** The lines of a commit that continues on the next line. */
  #open: EventLine[] = []
  #size = 0
  #imageSize = 0
  #writer = this.#reader.writer()
  #isEnded = false

  constructor(path: string, origin: Origin, checkFingerprint: FingerprintCheck) {
    this.#path = path
    this.#origin = origin
    this.#checkFingerprint = checkFingerprint
    this.#images = createImages(origin)
  }

  readLine(line: Line): void {
    const path = this.#path
    if (!this.#header) {
      this.#header = headerOf(this.#reader, line, path)
      this.#checkFingerprint(this.#header.fingerprint, path)
      return
    }
    const value = attempt(path, line, () => this.#reader.read(line.text))
    if (this.#isEnded) throw damaged(path, line, 'it stands behind the end of the log')
    this.#isEnded = 'end' in value
    if (this.#isEnded) return
    if ('image' in value) this.#addImage(line, value as unknown as StateLine & LinePart)
    else this.#addChange(line, value, this.#begin(line, this.#header))
  }

  finish(note?: string): FoundLog {
    const path = this.#path
    const open = this.#open.length
    if (!this.#header) throw new StartupError([`${path}:1: the log ends within its header. ${REMEDY}`])
    return {
      sandbox: this.#header.sandbox,
      ttl: this.#header.ttl,
      ...this.#begin({ number: 1 }, this.#header),
      size: this.#size,
      imageSize: this.#imageSize,
      writer: this.#writer,
      isEnded: this.#isEnded,
      note: note ?? (open > 0 ? unfinished(path, open) : undefined),
    }
  }

  #addImage(line: Line, value: StateLine & LinePart): void {
    if (this.#found) throw damaged(this.#path, line, 'a part of the sandbox stands behind its events')
    attempt(this.#path, line, () => this.#images.add(value))
    this.#accept(line)
    this.#imageSize = line.end
  }

  #addChange(line: Line, value: Readonly<Record<string, unknown>>, { image, memory }: Begun): void {
    if ('events' in value) {
      this.#open.push(value as unknown as EventLine)
      if ('more' in value) return
      attempt(this.#path, line, () => storeCommit(this.#open, { image, memory, origin: this.#origin }))
      this.#open = []
    } else image.requests = Number(value.requests)
    this.#accept(line)
  }

  /** The sandbox as it was before the first event. */
  #begin(line: Pick<Line, 'number'>, { first }: HeaderLine): Begun {
    return (this.#found ??= attempt(this.#path, line, () => begin(this.#images, first)))
  }

  /** Everything up to this line is valid. */
  #accept({ end }: Line): void {
    this.#size = end
    this.#writer = this.#reader.writer()
  }
}

/** The sandbox of the log so far, and its events. */
interface Begun {
  readonly image: OwnedImage
  readonly memory: EventLog
}

function unfinished(path: string, lines: number): string {
  return `${path}: the end (${counted(lines, 'line')}) is of a change that was not finished, and is dropped`
}

function begin(images: Images, first: number): Begun {
  const image = images.finish()
  return { image, memory: createMemoryLog(copyImage(image), first) }
}

/** Stores the events of a complete commit. */
function storeCommit(
  lines: readonly EventLine[],
  { image, memory, origin }: Begun & { readonly origin: Origin },
): void {
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
  add(line: StateLine & LinePart): void
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
