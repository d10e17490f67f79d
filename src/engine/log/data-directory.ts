import { join } from 'node:path'
import { type RunFingerprint, differences } from './fingerprint.ts'
import { inspectDirectory, listDirectory, makeDirectory, removeQuietly, UNFINISHED } from './disk.ts'
import { beginFileLog, type FileLog, resumeFileLog } from './file-log.ts'
import { inspectLock, type Lock, lockDirectory } from './lock.ts'
import { type FoundLog, readHeader, readLog } from './read-log.ts'
import { StartupError } from '../../base/errors/problem.ts'
import type { RestoredSandbox } from '../sandbox.ts'
import { isSandboxName } from '../sandbox-names.ts'
import { IN_MEMORY, type LogStore } from '../log-store.ts'
import type { State } from '../state.ts'

/** A directory that holds the logs of a stand-in's sandboxes, for this process alone. */
export interface DataDirectory {
  /** When its initial state was created, epoch ms; undefined when there is none yet. */
  readonly firstMoment: number | undefined
  /** Reads the logs. @throws StartupError for another initial state, and for damage */
  open(fingerprint: RunFingerprint, initialState: State): LogStore
  /** Closes the logs and releases the directory. */
  close(): void
}

export interface DataDirectoryOptions {
  readonly fsync: boolean
  /** Receives what was dropped, as a sentence. */
  note(text: string): void
}

/** Names of files come from a counter, never from a request. The name of the sandbox is in the file. */
const LOG_NAME = /^sandbox-(\d{1,15})\.jsonl$/

/** @throws StartupError when the directory cannot be used */
export function openDataDirectory(path: string, { fsync, note }: DataDirectoryOptions): DataDirectory {
  makeDirectory(path)
  const lock = lockDirectory(path)
  const logs = new Map<string, FileLog>()
  // After a kill no log has an end mark until this process closes them.
  let isEnded = !lock.wasLeftBehind
  const close = () => {
    for (const log of logs.values()) isEnded = log.close() && isEnded
    logs.clear()
    lock.unlock(isEnded)
  }
  try {
    removeUnfinished(path)
    const numbers = findLogs(path)
    return {
      firstMoment: firstMomentIn(path, numbers),
      open(fingerprint, initialState) {
        const options = { fingerprint, initialState, fsync }
        const found = new Map<string, RestoredSandbox>()
        for (const { file, read } of readLogs({ path, numbers, lock, note }, fingerprint, initialState)) {
          const log = resumeFileLog(file, read, options)
          logs.set(read.sandbox, log)
          found.set(read.sandbox, { image: read.image, log, ttl: read.ttl })
        }
        isEnded = true
        let next = Math.max(0, ...numbers) + 1
        return {
          found,
          begin(name, beginning, ttl) {
            const log = beginFileLog(logPath(path, next), { sandbox: name, ttl }, beginning, options)
            next++
            logs.set(name, log)
            return log
          },
          remove(name) {
            logs.get(name)?.remove()
            logs.delete(name)
          },
        }
      },
      close,
    }
  } catch (error) {
    close()
    throw error
  }
}

/**
 * Reads a directory without writing: the directory is not created, nor its lock taken.
 *
 * @param note receives what a start would drop
 * @throws StartupError for everything that refuses a start
 */
export function inspectDataDirectory(path: string, note: (text: string) => void): DataDirectory {
  const numbers = inspectDirectory(path) ? findLogs(path) : []
  const lock = inspectLock(path)
  return {
    firstMoment: firstMomentIn(path, numbers),
    open(fingerprint, initialState) {
      const found = new Map<string, RestoredSandbox>()
      for (const { read } of readLogs({ path, numbers, lock, note }, fingerprint, initialState))
        found.set(read.sandbox, { image: read.image, log: read.memory, ttl: read.ttl })
      return { ...IN_MEMORY, found }
    },
    close() {
      // Nothing is open.
    },
  }
}

interface Logs {
  readonly path: string
  readonly numbers: readonly number[]
  readonly lock: Pick<Lock, 'path' | 'wasLeftBehind'>
  note(text: string): void
}

/** @throws StartupError for another initial state, and for damage */
function* readLogs(
  { path, numbers, lock, note }: Logs,
  fingerprint: RunFingerprint,
  initialState: State,
): Generator<{ readonly file: string; readonly read: FoundLog }> {
  const names = new Set<string>()
  const origin = { model: initialState.model, initialState, made: new Map() }
  for (const number of numbers) {
    const file = logPath(path, number)
    const read = readLog(file, origin, (then) => refuseOther(then, fingerprint, file))
    if (read.note !== undefined) note(`${read.note}.`)
    refuseStrangeName(read.sandbox, names, file)
    if (!read.isEnded && !lock.wasLeftBehind) throw wasCut(file, lock.path)
    names.add(read.sandbox)
    yield { file, read }
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

function logPath(path: string, number: number): string {
  return join(path, `sandbox-${number}.jsonl`)
}

function firstMomentIn(path: string, [oldest]: readonly number[]): number | undefined {
  return oldest === undefined ? undefined : Date.parse(readHeader(logPath(path, oldest)).fingerprint.firstMoment)
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
