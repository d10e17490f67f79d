import { Problem } from '../../../base/errors/problem.ts'
import type { RunFingerprint } from '../fingerprint.ts'
import type { StoredCommit, StoredRecord, StoredSandbox, StoredSnapshot } from '../event-store.ts'
import { type AppendFile, type AppendOptions, openAppend, replaceFile } from './append-file.ts'
import { removeFile, removeQuietly } from './disk.ts'
import { createLineWriter, type LineWriter } from './lines.ts'
import { END, LOG_FORMAT, LOG_VERSION, type ReadLog } from './read-log.ts'

export interface StreamFileOptions {
  readonly path: string
  readonly sandbox: StoredSandbox
  readonly fingerprint: RunFingerprint
  /** Whether every commit waits for the disk. Otherwise only a crash of the machine loses the last ones. */
  readonly fsync: boolean
}

/** A log may grow by so many bytes, plus twice the size of the sandbox, before it is rewritten. */
const ROOM = 1 << 20

/** Creates the file of a stream. @throws Problem 507 */
export function beginStreamFile(options: StreamFileOptions, snapshot: StoredSnapshot): StreamFile {
  const written = writeAnew(options, snapshot)
  try {
    written.file.repair()
  } catch (error) {
    written.file.close()
    removeQuietly(options.path)
    throw error
  }
  return new StreamFile(options, { ...written, next: snapshot.next })
}

/** Opens the file of a stream that was read. */
export function resumeStreamFile(options: StreamFileOptions, { size, imageSize, writer, next }: ReadLog): StreamFile {
  return new StreamFile(options, { file: openAppend(options.path, size), imageSize, writer, next })
}

interface OpenFile {
  readonly file: AppendFile
  readonly imageSize: number
  readonly writer: LineWriter
}

/** The file of one stream. */
export class StreamFile {
  readonly #options: StreamFileOptions
  #file: AppendFile
  #writer: LineWriter
  #next: number
  /** Bytes at which it is rewritten. */
  #bound: number
  #life: 'open' | 'closed' | 'removed' = 'open'

  constructor(options: StreamFileOptions, { file, imageSize, writer, next }: OpenFile & { readonly next: number }) {
    this.#options = options
    this.#file = file
    this.#writer = writer
    this.#next = next
    this.#bound = boundOf(imageSize)
  }

  /** Whether it should be replaced by a snapshot. */
  get isLong(): boolean {
    return this.#file.size > this.#bound && this.#life === 'open'
  }

  /** @returns whether the commit was the next one @throws Problem 507 when the disk is full */
  append({ expected, next, records }: StoredCommit): boolean {
    if (expected !== this.#next) return false
    this.#write(records, { isSettled: this.#options.fsync })
    this.#next = next
    return true
  }

  /** A count that is not written is written with the next change, so searches work while the disk is full. */
  note(record: StoredRecord): void {
    unlessFull(() => this.#write([record], { isAlone: false }))
  }

  /** Where there is no room for another file, the present one is kept. */
  replace(snapshot: StoredSnapshot): void {
    const written = unlessFull(() => writeAnew(this.#options, snapshot))
    if (!written) return void (this.#bound = 2 * this.#file.size)
    this.#file.close()
    this.#file = written.file
    this.#writer = written.writer
    this.#bound = boundOf(written.imageSize)
  }

  /** Ends it: later appends are refused. @returns whether its end mark could be written */
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

  /** Ends it and removes its file: later appends are dropped. @throws Problem 507, and then it stays open */
  remove(): void {
    const { path, fsync } = this.#options
    removeFile(path, fsync)
    if (this.#life === 'open') this.#file.close()
    this.#life = 'removed'
  }

  #write(records: Iterable<object>, how: AppendOptions): void {
    if (this.#life === 'removed') return
    if (this.#life === 'closed')
      throw new Error(`${this.#options.path}: the stand-in was stopped, and its log is closed`)
    // The checksum advances only when the text is in the file, and on the disk where commits wait for it.
    const tried = this.#writer.copy()
    let text = ''
    for (const record of records) text += tried.write(record)
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

function writeAnew({ path, sandbox, fingerprint, fsync }: StreamFileOptions, snapshot: StoredSnapshot): OpenFile {
  const writer = createLineWriter()
  const { name, ttl } = sandbox
  const lines = function* () {
    yield writer.write({
      format: LOG_FORMAT,
      version: LOG_VERSION,
      sandbox: name,
      ttl,
      first: snapshot.next,
      fingerprint,
    })
    for (const record of snapshot.records) yield writer.write(record)
  }
  const file = replaceFile(path, lines(), fsync)
  return { file, imageSize: file.size, writer }
}
