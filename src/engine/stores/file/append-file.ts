import { constants, fstatSync, fsyncSync, ftruncateSync, openSync, renameSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { PRIVATE_FILE } from '../../../base/formats/source-file.ts'
import { closeQuietly, orNotWritten, orRefused, removeQuietly, settleDirectory, UNFINISHED } from './disk.ts'

/** A file that grows at its end. */
export interface AppendFile {
  /** Bytes that were written and acknowledged. */
  readonly size: number
  /**
   * Writes a text at the end. After a failure the file is truncated to what it was; while that fails too, nothing more is written.
   *
   * @throws Problem 507
   */
  append(text: string, options?: AppendOptions): void
  /** Finishes what an earlier failure left undone. @throws Problem 507 */
  repair(): void
  close(): void
}

export interface AppendOptions {
  /** Whether to check first that no other process has written to the file, which takes as long as writing; true when absent. */
  readonly isAlone?: boolean
  /** Whether to wait until the disk has it; false when absent. */
  readonly isSettled?: boolean
}

/** Opens a file at its end. @param size bytes to keep; the rest is truncated. @throws StartupError */
export function openAppend(path: string, size: number): AppendFile {
  return orRefused(path, () => {
    const file = openSync(path, 'a', PRIVATE_FILE)
    if (fstatSync(file).size > size) ftruncateSync(file, size)
    return createAppendFile(path, file, size)
  })
}

/**
 * Rewrites a file, under another name first, so that there is always the whole old one or the whole new one.
 *
 * @param isSettled whether to wait until the disk has it. If renaming fails, `repair` tries it again
 * @throws Problem 507
 */
export function replaceFile(path: string, lines: Iterable<string>, isSettled: boolean): AppendFile {
  const made = `${path}${UNFINISHED}`
  const descriptor = orNotWritten(path, () => openSync(made, EMPTY, PRIVATE_FILE))
  const owed = new Set<() => void>()
  const file = createAppendFile(path, descriptor, 0, owed)
  try {
    for (const text of gathered(lines)) file.append(text)
    orNotWritten(path, () => {
      if (isSettled) fsyncSync(descriptor)
      renameSync(made, path)
    })
  } catch (error) {
    file.close()
    removeQuietly(made)
    throw error
  }
  if (isSettled) doNowOrLater(() => settleDirectory(join(path, '..')), owed)
  return file
}

/** Every write goes to the end, also after the file was truncated: a plain `w` would leave a hole. */
const EMPTY = constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC | constants.O_APPEND

/** @param owed must succeed before anything more is written */
function createAppendFile(path: string, file: number, start: number, owed = new Set<() => void>()): AppendFile {
  let size = start
  const cutBack = () => {
    ftruncateSync(file, size)
    fsyncSync(file)
  }
  const repair = () => {
    for (const one of owed) {
      one()
      owed.delete(one)
    }
  }
  const isStopped = () => owed.has(cutBack)
  return {
    get size() {
      return size
    },
    append(text, { isAlone = true, isSettled = false } = {}) {
      const bytes = Buffer.from(text)
      const write = () => {
        repair()
        if (isAlone && fstatSync(file).size !== size) throw new Error('another process has written to it')
        try {
          for (let done = 0; done < bytes.length;) done += writeSync(file, bytes, done)
          if (isSettled) fsyncSync(file)
        } catch (error) {
          doNowOrLater(cutBack, owed)
          throw error
        }
      }
      orNotWritten(path, write, isStopped)
      size += bytes.length
    },
    repair: () => orNotWritten(path, repair, isStopped),
    close: () => closeQuietly(file),
  }
}

function doNowOrLater(act: () => void, owed: Set<() => void>): void {
  try {
    act()
  } catch {
    owed.add(act)
  }
}

const BLOCK = 1 << 20

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
