import { type AppendFile, type AppendOptions, openAppend, replaceFile } from './append-file.ts'
import type { RunFingerprint } from './fingerprint.ts'
import { removeFile, removeQuietly } from './disk.ts'
import { createLineWriter, type LineWriter } from './lines.ts'
import type { FoundLog } from './read-log.ts'
import { type HeaderLine, commitLines, END, imageLines } from './write-log.ts'
import { type Commit, createMemoryLog, type EventLog, type Recent } from '../event-log.ts'
import { copyImage, createImage, type Beginning, type Image } from '../snapshot.ts'
import { Problem } from '../../base/errors/problem.ts'
import type { State } from '../state.ts'

/** An event log in a file, which also keeps the latest events in memory. */
export interface FileLog extends EventLog {
  readonly path: string
  /** Ends it: later appends are refused. @returns whether its end mark could be written */
  close(): boolean
  /** Ends it and removes its file: later appends are dropped. @throws Problem 507, and then it stays open */
  remove(): void
}

export interface FileLogOptions {
  readonly fingerprint: RunFingerprint
  /** The state whose file sets are only named in the file. */
  readonly initialState: State
  /** Whether every commit waits for the disk. Otherwise only a crash of the machine loses the last ones. */
  readonly fsync: boolean
}

/** A log may grow by so many bytes, plus twice the size of the sandbox, before it is rewritten. */
const ROOM = 1 << 20

/** What the header of a log says of the sandbox. */
type Described = Pick<HeaderLine, 'sandbox' | 'ttl'>

/** Creates a log. @throws Problem 507 */
export function beginFileLog(path: string, of: Described, beginning: Beginning, options: FileLogOptions): FileLog {
  const image = createImage(beginning)
  const written = writeAnew(path, { ...of, first: 0, fingerprint: options.fingerprint }, image, options)
  try {
    written.file.repair()
  } catch (error) {
    written.file.close()
    removeQuietly(path)
    throw error
  }
  return new OpenFileLog(path, of, { ...written, memory: createMemoryLog(copyImage(image)) }, options)
}

/** Opens a log that was found. */
export function resumeFileLog(path: string, found: FoundLog, options: FileLogOptions): FileLog {
  const { sandbox, ttl, size, imageSize, writer, memory } = found
  return new OpenFileLog(path, { sandbox, ttl }, { file: openAppend(path, size), imageSize, writer, memory }, options)
}

interface OpenLog {
  readonly file: AppendFile
  readonly imageSize: number
  readonly writer: LineWriter
}

class OpenFileLog implements FileLog {
  readonly path: string
  readonly #sandbox: Described
  readonly #options: FileLogOptions
  readonly #memory: EventLog
  #file: AppendFile
  #writer: LineWriter
  /** Bytes at which it is rewritten. */
  #bound: number
  #life: 'open' | 'closed' | 'removed' = 'open'

  constructor(path: string, sandbox: Described, log: OpenLog & { readonly memory: EventLog }, options: FileLogOptions) {
    this.path = path
    this.#sandbox = sandbox
    this.#options = options
    this.#memory = log.memory
    this.#file = log.file
    this.#writer = log.writer
    this.#bound = boundOf(log.imageSize)
  }

  append(expected: number, commit: Commit): void {
    this.#write(commitLines(expected, commit, this.#options.initialState), { isSettled: this.#options.fsync })
    this.#memory.append(expected, commit)
  }

  /** A count that is not written is written with the next change, so searches work while the disk is full. */
  countRequests(requests: number, present: () => Image): void {
    unlessFull(() => this.#write([{ requests }], { isAlone: false }))
    this.tidy(present)
  }

  recent(): Recent {
    return this.#memory.recent()
  }

  tidy(present: () => Image): void {
    if (this.#file.size <= this.#bound || this.#life !== 'open') return
    const { next: first } = this.#memory.recent()
    const header = { ...this.#sandbox, first, fingerprint: this.#options.fingerprint }
    // Where there is no room for another file, the present one is kept.
    const written = unlessFull(() => writeAnew(this.path, header, present(), this.#options))
    if (!written) return void (this.#bound = 2 * this.#file.size)
    this.#file.close()
    this.#file = written.file
    this.#writer = written.writer
    this.#bound = boundOf(written.imageSize)
  }

  close(): boolean {
    if (this.#life !== 'open') return true
    const isEnded = unlessFull(() => {
      this.#write([END], { isSettled: this.#options.fsync })
      return true
    })
    this.#file.close()
    this.#life = 'closed'
    return isEnded ?? false
  }

  remove(): void {
    removeFile(this.path)
    if (this.#life === 'open') this.#file.close()
    this.#life = 'removed'
  }

  #write(lines: Iterable<object>, how: AppendOptions): void {
    if (this.#life === 'removed') return
    if (this.#life === 'closed') throw new Error(`${this.path}: the stand-in was stopped, and its log is closed`)
    // The checksum advances only when the text is in the file, and on the disk where commits wait for it.
    const tried = this.#writer.copy()
    let text = ''
    for (const line of lines) text += tried.write(line)
    this.#file.append(text, how)
    this.#writer = tried
  }
}

function boundOf(imageSize: number): number {
  return 2 * imageSize + ROOM
}

/** Undefined where the disk refused. */
function unlessFull<Result>(write: () => Result): Result | undefined {
  try {
    return write()
  } catch (error) {
    if (error instanceof Problem) return undefined
    throw error
  }
}

function writeAnew(
  path: string,
  header: Omit<HeaderLine, 'format' | 'version'>,
  image: Image,
  { initialState, fsync }: FileLogOptions,
): OpenLog {
  const writer = createLineWriter()
  const lines = function* () {
    for (const line of imageLines(header, image, initialState)) yield writer.write(line)
  }
  const file = replaceFile(path, lines(), fsync)
  return { file, imageSize: file.size, writer }
}
