import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  fsyncSync,
  mkdirSync,
  opendirSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, resolve } from 'node:path'
import { StartupError } from '../../../base/errors/problem.ts'
import { logNotWritten } from '../../../base/errors/control-errors.ts'
import { withParents } from '../../../base/formats/paths.ts'
import { PRIVATE_DIRECTORY, PRIVATE_FILE } from '../../../base/formats/source-file.ts'

/**
 * The files of a data directory are only read and written here and in `append-file.ts`. Everything is synchronous: a response is sent
 * after its events are written.
 */

/** One line of a file, without its end. */
export interface Line {
  /** From 1. */
  readonly number: number
  readonly text: string
  /** Bytes of the file up to the end of this line. */
  readonly end: number
  /** Whether the file ended before the line did. */
  readonly isTorn: boolean
}

/**
 * @param namedBy the setting that names it
 * @returns the directories that were made
 * @throws StartupError when it does not exist and cannot be created
 */
export function makeDirectory(path: string, namedBy = '--data'): readonly string[] {
  return orRefused(`${namedBy} ${path}`, () => makeDirectories(resolve(path)), WRITABLE)
}

/** Node's own `recursive` never returns below a directory that allows no new ones, such as /proc. */
function makeDirectories(path: string): readonly string[] {
  const missing = withParents(path).filter((one) => !statSync(one, { throwIfNoEntry: false })?.isDirectory())
  for (const one of missing.reverse()) mkdirSync(one, PRIVATE_DIRECTORY)
  return missing
}

/** What was made, renamed or removed in a directory is durable once the directory is synced too, which not every system supports. */
export function settleDirectory(path: string): void {
  if (process.platform === 'win32') return
  const directory = openSync(path, 'r')
  try {
    fsyncSync(directory)
  } finally {
    closeQuietly(directory)
  }
}

/** Whether a directory exists. Creates nothing. @throws StartupError when it could not be created or written */
export function inspectDirectory(path: string, namedBy = '--data'): boolean {
  const whole = resolve(path)
  const present = withParents(whole).find((one, at, all) => existsSync(one) || at === all.length - 1) ?? whole
  const look = () => {
    opendirSync(present).closeSync()
    accessSync(present, constants.W_OK)
  }
  orRefused(`${namedBy} ${path}`, look, WRITABLE)
  return present === whole
}

/** @throws StartupError */
export function listDirectory(path: string): string[] {
  return orRefused(`--data ${path}`, () => readdirSync(path), WRITABLE)
}

/** @param isSettled whether to wait until the disk has it @throws Problem 507 */
export function removeFile(path: string, isSettled: boolean): void {
  orNotWritten(path, () => {
    rmSync(path, { force: true })
    if (isSettled) settleDirectory(dirname(path))
  })
}

/** Removes a file if it can; the next start removes what is left. @returns whether it is gone */
export function removeQuietly(path: string): boolean {
  try {
    rmSync(path, { force: true })
    return true
  } catch {
    return false
  }
}

/** The suffix of a file that is being written. A process that was killed may leave one behind. */
export const UNFINISHED = '.unfinished'

const BLOCK = 1 << 20
const NEWLINE = 10

/** Reads a file line by line: it may be longer than a string can be. @throws StartupError when it cannot be read */
export function* readLines(path: string): Generator<Line> {
  const file = orRefused(path, () => openSync(path, 'r'))
  try {
    const block = Buffer.allocUnsafe(BLOCK)
    const readBlock = () => orRefused(path, () => readSync(file, block))
    let [rest, number, end]: [Buffer[], number, number] = [[], 0, 0]
    for (let read = readBlock(); read > 0; read = readBlock()) {
      let from = 0
      for (let at = block.indexOf(NEWLINE); at >= 0 && at < read; at = block.indexOf(NEWLINE, from)) {
        const bytes = Buffer.concat([...rest, block.subarray(from, at)])
        end += bytes.length + 1
        yield { number: ++number, text: bytes.toString(), end, isTorn: false }
        ;[rest, from] = [[], at + 1]
      }
      if (from < read) rest.push(Buffer.from(block.subarray(from, read)))
    }
    const last = Buffer.concat(rest)
    if (last.length > 0) yield { number: number + 1, text: last.toString(), end: end + last.length, isTorn: true }
  } finally {
    closeQuietly(file)
  }
}

/** Closes a file. The system releases it even when it reports an error. */
export function closeQuietly(file: number): void {
  try {
    closeSync(file)
  } catch {
    // Closing does not say whether earlier writes are on the disk; fsync does.
  }
}

/** @param isStopped whether nothing more can be written */
export function orNotWritten<Result>(path: string, act: () => Result, isStopped = () => false): Result {
  try {
    return act()
  } catch (error) {
    const further = isStopped()
      ? ' The log could not be cut back to its last change either: nothing more is written until that succeeds.'
      : ''
    throw logNotWritten({
      detail: `${path}: ${reasonOf(error)}. Nothing was changed.${further}`,
    })
  }
}

export const WRITABLE = 'Name a directory that this user may write.'
const REMEDY = 'Put a copy of the file back, or remove it to lose that sandbox.'

/** @throws StartupError with the reason of the system */
export function orRefused<Result>(what: string, act: () => Result, remedy = REMEDY): Result {
  try {
    return act()
  } catch (error) {
    throw new StartupError([`${what}: ${reasonOf(error)}. ${remedy}`])
  }
}

const REASONS: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full',
  EACCES: 'this user may not use it',
  EPERM: 'this user may not use it',
  EROFS: 'the disk is read-only',
  ENOENT: 'no directory can be made there',
  EEXIST: 'it is a file and no directory',
  EISDIR: 'it is a directory, not a file',
  ENOTDIR: 'a part of the path is a file and no directory',
  EMFILE: 'the process has too many open files',
}

function reasonOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  return REASONS[code] ?? (error instanceof Error ? error.message : String(error))
}

/** Creates a file. @returns false when it exists already */
export function createExclusively(path: string, text: string): boolean {
  try {
    writeFileSync(path, text, { flag: 'wx', mode: PRIVATE_FILE })
    return true
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false
    removeQuietly(path)
    throw new StartupError([`${path}: ${reasonOf(error)}. ${WRITABLE}`])
  }
}

/** The text of a file, or what a link points at; undefined when there is none. */
export function readIfThere(path: string, kind: 'file' | 'link' = 'file'): string | undefined {
  try {
    return kind === 'file' ? readFileSync(path, 'utf8') : readlinkSync(path)
  } catch {
    return undefined
  }
}

/** @returns whether it existed */
export function renameIfThere(from: string, to: string): boolean {
  try {
    renameSync(from, to)
    return true
  } catch {
    return false
  }
}
