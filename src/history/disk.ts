import {
  closeSync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { Problem, StartRefused } from '../problem.ts'

/** The only door to the files of the logs. Everything is synchronous: an answer leaves when what it tells of is written. */

/** A file that grows at its end. */
export interface AppendFile {
  /** Bytes. */
  readonly size: number
  /**
   * Writes a text behind all others, or nothing of it.
   *
   * @param isAlone whether to look first that nobody else has written, which takes as long as writing
   * @throws Problem 507
   */
  append(text: string, isAlone?: boolean): void
  /** Waits until the disk has it. @throws Problem 507 */
  settle(): void
  close(): void
}

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

/** @throws StartRefused when it is neither there nor to be made */
export function makeDirectory(path: string): void {
  try {
    makeDirectories(resolve(path))
  } catch (error) {
    throw new StartRefused([`--data ${path}: ${reasonOf(error)}. Name a directory that this user may write.`])
  }
}

/** Node's own `recursive` never comes back where a directory may hold no other, as /proc. */
function makeDirectories(path: string): void {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) return
  makeDirectories(dirname(path))
  mkdirSync(path)
}

export function listDirectory(path: string): string[] {
  return readdirSync(path)
}

export function removeFile(path: string): void {
  rmSync(path, { force: true })
}

const BLOCK = 1 << 20
const NEWLINE = 10

/** Reads a file line by line; it may be longer than a text can be. */
export function* readLines(path: string): Generator<Line> {
  const file = openSync(path, 'r')
  try {
    const block = Buffer.allocUnsafe(BLOCK)
    let [rest, number, end]: [Buffer[], number, number] = [[], 0, 0]
    for (let read = readSync(file, block); read > 0; read = readSync(file, block)) {
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
    closeSync(file)
  }
}

/** Opens a file at its end. @param size what of it is kept, in bytes; the rest is cut off */
export function openAppend(path: string, size: number): AppendFile {
  const file = openSync(path, 'a')
  if (fstatSync(file).size > size) ftruncateSync(file, size)
  return createAppendFile(path, file, size)
}

/**
 * Writes a file anew: under another name first, so that there is always the old one or the new one, whole.
 *
 * @param isSettled whether to wait until the disk has it
 * @throws Problem 507
 */
export function replaceFile(path: string, lines: Iterable<string>, isSettled: boolean): AppendFile {
  const made = `${path}${UNFINISHED}`
  const descriptor = attempt(path, () => openSync(made, 'w'))
  const file = createAppendFile(path, descriptor, 0)
  try {
    for (const text of gathered(lines)) file.append(text)
    if (isSettled) file.settle()
    attempt(path, () => renameSync(made, path))
    if (isSettled) settleDirectory(join(path, '..'))
  } catch (error) {
    file.close()
    rmSync(made, { force: true })
    throw error
  }
  return file
}

/** What a process that was killed may leave behind. */
export const UNFINISHED = '.unfinished'

function createAppendFile(path: string, file: number, start: number): AppendFile {
  let size = start
  return {
    get size() {
      return size
    },
    append(text, isAlone = true) {
      const bytes = Buffer.from(text)
      attempt(path, () => {
        if (isAlone && fstatSync(file).size !== size) throw new Error('another process has written to it')
        try {
          for (let done = 0; done < bytes.length;) done += writeSync(file, bytes, done)
        } catch (error) {
          ftruncateSync(file, size)
          throw error
        }
      })
      size += bytes.length
    },
    settle: () => attempt(path, () => fsyncSync(file)),
    close: () => closeSync(file),
  }
}

/** Lines in writes of about a mebibyte. */
function* gathered(lines: Iterable<string>): Generator<string> {
  let text = ''
  for (const line of lines) {
    text += line
    if (text.length < BLOCK) continue
    yield text
    text = ''
  }
  if (text !== '') yield text
}

/** A new name is there for good when its directory is written too. Not every system can be asked for that. */
function settleDirectory(path: string): void {
  if (process.platform === 'win32') return
  const directory = openSync(path, 'r')
  fsyncSync(directory)
  closeSync(directory)
}

function attempt<Result>(path: string, act: () => Result): Result {
  try {
    return act()
  } catch (error) {
    throw new Problem(507, 'log-not-written', 'The log cannot be written', {
      detail: `${path}: ${reasonOf(error)}. Nothing was changed.`,
    })
  }
}

const REASONS: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full',
  EACCES: 'this user may not write it',
  EPERM: 'this user may not write it',
  EROFS: 'the disk is read-only',
  ENOENT: 'no directory can be made there',
  EEXIST: 'it is a file and no directory',
  ENOTDIR: 'a part of the path is a file and no directory',
  EMFILE: 'the process has too many open files',
}

function reasonOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  return REASONS[code] ?? (error instanceof Error ? error.message : String(error))
}

/** Creates a file that must not be there yet. Answers whether it was not. */
export function createExclusively(path: string, text: string): boolean {
  try {
    const file = openSync(path, 'wx')
    writeSync(file, text)
    closeSync(file)
    return true
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false
    throw new StartRefused([`${path}: ${reasonOf(error)}. Name a directory that this user may write.`])
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

/** Answers whether it was there. */
export function renameIfThere(from: string, to: string): boolean {
  try {
    renameSync(from, to)
    return true
  } catch {
    return false
  }
}
