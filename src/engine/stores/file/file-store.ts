import { dirname, join } from 'node:path'
import { StartupError } from '../../../base/errors/problem.ts'
import { isSandboxName } from '../../sandbox-names.ts'
import type {
  LocalStore,
  FoundRecord,
  FoundStream,
  StoredCommit,
  StoredRecord,
  StoredSandbox,
  StoredSnapshot,
  StoredStream,
} from '../event-store.ts'
import { differences, type RunFingerprint } from '../fingerprint.ts'
import {
  inspectDirectory,
  listDirectory,
  makeDirectory,
  orRefused,
  removeQuietly,
  settleDirectory,
  UNFINISHED,
  WRITABLE,
} from './disk.ts'
import { inspectLock, lockDirectory, type Lock } from './lock.ts'
import { type HeaderLine, readHeader, readRecords } from './read-log.ts'
import { beginStreamFile, resumeStreamFile, type StreamFile } from './stream-file.ts'

export interface FileStoreOptions {
  readonly fsync: boolean
  /** Receives what was dropped, as a sentence. */
  note(text: string): void
}

/** Names of files come from a counter, never from a request. The name of the sandbox is in the file. */
const LOG_NAME = /^sandbox-(\d{1,15})\.jsonl$/

/** Opens a directory that holds a file for each sandbox, for this process alone. @throws StartupError when it cannot be used */
export function openFileStore(path: string, options: FileStoreOptions): LocalStore {
  const made = makeDirectory(path)
  const lock = lockDirectory(path)
  try {
    removeUnfinished(path)
    // Without its lock, a log that has no end mark would be refused after a power loss.
    if (options.fsync) settleNames(path, made)
    return new FileStore({ ...options, path, lock, numbers: findLogs(path), isReadOnly: false })
  } catch (error) {
    lock.unlock(!lock.wasLeftBehind)
    throw error
  }
}

/** @param made the directories of its path that are new */
function settleNames(path: string, made: readonly string[]): void {
  const all = [path, ...made.map((one) => dirname(one))]
  orRefused(`--data ${path}`, () => all.forEach(settleDirectory), WRITABLE)
}

/**
 * Reads a directory without writing: the directory is not created, nor its lock taken. What is appended is not kept.
 *
 * @param note receives what a start would drop
 * @throws StartupError for everything that refuses a start
 */
export function inspectFileStore(path: string, note: (text: string) => void): LocalStore {
  const numbers = inspectDirectory(path) ? findLogs(path) : []
  const lock = { ...inspectLock(path), unlock: () => undefined }
  return new FileStore({ path, numbers, lock, note, fsync: false, isReadOnly: true })
}

interface FileStoreParts extends FileStoreOptions {
  readonly path: string
  /** Of the files that are there. */
  readonly numbers: readonly number[]
  readonly lock: Pick<Lock, 'path' | 'wasLeftBehind' | 'unlock'>
  readonly isReadOnly: boolean
}

class FileStore implements LocalStore {
  readonly firstMoment: number | undefined
  readonly #parts: FileStoreParts
  readonly #headers: ReadonlyMap<string, HeaderLine>
  /** The streams that were not read yet. After a kill they have no end mark until this process closes them. */
  readonly #unread: Set<string>
  readonly #files = new Map<string, StreamFile>()
  #fingerprint: RunFingerprint | undefined
  #next: number

  constructor(parts: FileStoreParts) {
    this.#parts = parts
    const { numbers } = parts
    this.#headers = new Map(
      numbers.map((number) => [`sandbox-${number}`, readHeader(this.#pathOf(`sandbox-${number}`))]),
    )
    this.#unread = new Set(this.#headers.keys())
    this.#next = Math.max(0, ...numbers) + 1
    const [oldest] = this.#headers.values()
    this.firstMoment = oldest && Date.parse(oldest.fingerprint.firstMoment)
  }

  open(fingerprint: RunFingerprint): void {
    this.#fingerprint = fingerprint
    const names = new Set<string>()
    for (const [stream, header] of this.#headers) {
      const file = this.#pathOf(stream)
      refuseOther(header.fingerprint, fingerprint, file)
      refuseStrangeName(header.sandbox, names, file)
      names.add(header.sandbox)
    }
  }

  list(): readonly StoredStream[] {
    return [...this.#headers].map(([stream, { sandbox, ttl }]) => ({ stream, name: sandbox, ttl }))
  }

  create(sandbox: StoredSandbox, snapshot: StoredSnapshot): string {
    const stream = `sandbox-${this.#next}`
    if (!this.#parts.isReadOnly) this.#files.set(stream, beginStreamFile(this.#optionsOf(stream, sandbox), snapshot))
    this.#next++
    return stream
  }

  read(stream: string): FoundStream {
    const header = this.#headers.get(stream)
    if (!header) throw new Error(`there is no stream ${stream}`)
    return { first: header.first, records: this.#records(stream, header) }
  }

  append(stream: string, commit: StoredCommit): boolean {
    return this.#parts.isReadOnly || (this.#files.get(stream)?.append(commit) ?? true)
  }

  note(stream: string, record: StoredRecord): void {
    this.#files.get(stream)?.note(record)
  }

  isLong(stream: string): boolean {
    return this.#files.get(stream)?.isLong ?? false
  }

  snapshot(stream: string, snapshot: StoredSnapshot): void {
    this.#files.get(stream)?.replace(snapshot)
  }

  remove(stream: string): void {
    this.#files.get(stream)?.remove()
    this.#files.delete(stream)
  }

  close(): void {
    const { lock } = this.#parts
    let isEnded = !lock.wasLeftBehind || this.#unread.size === 0
    for (const file of this.#files.values()) isEnded = file.close() && isEnded
    lock.unlock(isEnded)
  }

  *#records(stream: string, header: HeaderLine): Generator<FoundRecord> {
    const { lock, note, isReadOnly } = this.#parts
    const path = this.#pathOf(stream)
    const read = yield* readRecords(path, header)
    if (read.note !== undefined) note(`${read.note}.`)
    if (!read.isEnded && !lock.wasLeftBehind) throw wasCut(path, lock.path)
    this.#unread.delete(stream)
    if (isReadOnly) return
    const { sandbox: name, ttl } = header
    this.#files.set(stream, resumeStreamFile(this.#optionsOf(stream, { name, ttl }), read))
  }

  #optionsOf(stream: string, { name, ttl }: StoredSandbox) {
    if (!this.#fingerprint) throw new Error('the store is not open')
    return {
      path: this.#pathOf(stream),
      sandbox: { name, ttl },
      fingerprint: this.#fingerprint,
      fsync: this.#parts.fsync,
    }
  }

  #pathOf(stream: string): string {
    return join(this.#parts.path, `${stream}.jsonl`)
  }
}

/** The numbers of the logs, in the order they were created. */
function findLogs(path: string): number[] {
  const numbers = listDirectory(path).flatMap((name) => LOG_NAME.exec(name)?.[1] ?? [])
  return numbers.map(Number).sort((a, b) => a - b)
}

/** Removes unfinished files of a process that was killed. */
function removeUnfinished(path: string): void {
  for (const name of listDirectory(path)) if (name.endsWith(UNFINISHED)) removeQuietly(join(path, name))
}

function refuseOther(then: RunFingerprint, now: RunFingerprint, file: string): void {
  const found = differences(then, now)
  if (found.length === 0) return
  const remedy = 'Start with the same settings, or name another directory.'
  throw new StartupError(found.map((difference) => `${file}:1: ${difference} ${remedy}`))
}

/** A log may end anywhere after a kill, but then the lock was left behind. */
function wasCut(file: string, lock: string): StartupError {
  const reason = 'the log was cut: the end mark that Standin writes when it stops is missing'
  return new StartupError([
    `${file}: ${reason}. Put a copy of the file back, or create an empty file ${lock} to go on with what is left.`,
  ])
}

function refuseStrangeName(name: string, found: ReadonlySet<string>, file: string): void {
  if (isSandboxName(name) && !found.has(name)) return
  throw new StartupError([
    `${file}:1: the sandbox ${JSON.stringify(name)} is there twice, or has no good name. Remove one of the files.`,
  ])
}
