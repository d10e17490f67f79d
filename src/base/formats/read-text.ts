import { closeSync, openSync, readFileSync, readSync, realpathSync, statSync } from 'node:fs'
import { isAbsolute } from 'node:path'
import { shown, StartupError } from '../errors/problem.ts'

/** What to do where a path leads nowhere. */
export function pathRemedy(path: string): string {
  return isAbsolute(path) ? 'Check the path.' : 'Check the path; it is read from the current directory.'
}

/** What messages say of a file. */
export interface Naming {
  /** Its name in messages; its path when absent. */
  readonly shownAs?: string
  /** What to do when there is no such file. */
  readonly remedy?: string
  /** The setting that names it, for a file that is not there: `--keys`, `standin.yaml:3: keys`. */
  readonly namedBy?: string | undefined
  /** Whether pipes and devices are refused: one that a document names could keep a start waiting for ever. */
  readonly isFile?: boolean
}

/** @throws StartupError when it cannot be read */
export function readText(
  file: string,
  { shownAs = file, remedy = pathRemedy(shownAs), namedBy, isFile = false }: Naming,
): string {
  try {
    return readBounded(file, isFile)
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : ''
    const reason = UNREADABLE[code] ?? String(error)
    const why = /^https?:/i.test(shownAs) ? notRead(shownAs) : `${reason}. ${remedy}`
    throw new StartupError([`${namedBy === undefined ? '' : `${namedBy}: `}${shownAs}: ${why}`])
  }
}

function notRead(url: string): string {
  const name = /\.json(?:[?#]|$)/i.test(url) ? 'openapi.json' : 'openapi.yaml'
  return `a URL is not read here. Download it first: curl -o ${name} ${shown(url)}`
}

/** Bytes of a file: more do not fit into a text of JavaScript. */
const MAX_FILE = 500_000_000
/** Bytes of a pipe or a device, which may have no end. */
const MAX_STREAM = 64_000_000

function readBounded(file: string, isFile: boolean): string {
  const stats = statSync(file)
  if (stats.size > MAX_FILE) throw unreadable('TOO_LARGE')
  if (stats.isFile() || stats.isDirectory()) {
    const text = readFileSync(file, 'utf8')
    if (text.includes('\0')) throw unreadable('BINARY')
    return text
  }
  if (isFile) throw unreadable('NO_FILE')
  const handle = openSync(file, 'r')
  const bytes = Buffer.alloc(MAX_STREAM)
  try {
    let [size, length] = [0, 0]
    do {
      length = readSync(handle, bytes, size, MAX_STREAM - size, null)
      if (bytes.subarray(size, size + length).includes(0)) throw unreadable('BINARY')
      size += length
    } while (length > 0 && size < MAX_STREAM)
    if (length > 0) throw unreadable('TOO_LARGE')
    return bytes.toString('utf8', 0, size)
  } finally {
    closeSync(handle)
  }
}

function unreadable(code: string): Error {
  return Object.assign(new Error(code), { code })
}

/** The path of what is there, without symbolic links; undefined where there is nothing. */
export function realPath(path: string): string | undefined {
  try {
    return realpathSync(path)
  } catch {
    return undefined
  }
}

const UNREADABLE: Readonly<Record<string, string>> = {
  TOO_LARGE: `it has more than ${MAX_FILE / 1e6} MB, or as a pipe more than ${MAX_STREAM / 1e6} MB`,
  BINARY: 'it is not text',
  NO_FILE: 'it is a pipe or a device, not a file',
  ENOENT: 'there is no such file',
  EISDIR: 'it is a directory, not a file',
  EACCES: 'this user may not read it',
}
