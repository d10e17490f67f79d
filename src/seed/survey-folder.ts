import { readdir, realpath, stat } from 'node:fs/promises'
import { join, sep } from 'node:path'
import { LONGEST_PATH, MAX_FILES } from '../resources/file-sets/read-files.ts'
import { shown, StartupError } from '../errors/problem.ts'

export interface FolderProgress {
  /** Files found so far; `read` stays 0 until all are found. */
  readonly found: number
  readonly read: number
  readonly bytes: number
}

export interface FolderOptions {
  /** Stops the reading, which then throws the reason. */
  readonly signal?: AbortSignal | undefined
  /** Updated while the folder is read, to show progress. */
  readonly onProgress?: ((progress: FolderProgress) => void) | undefined
}

/** What is in a folder and not in its file set. */
export interface LeftOut {
  readonly path: string
  readonly why: string
}

/** What was found in a folder, before any file was opened. */
export interface Survey {
  readonly root: string
  readonly files: { readonly path: string; readonly real: string }[]
  /** Those that could be listed, without the root. */
  readonly directories: string[]
  readonly leftOut: LeftOutList
}

/** What was left out: how much, and the first of it. */
interface LeftOutList {
  readonly first: LeftOut[]
  count: number
}

const MAX_LISTED = 1000

export function leaveOut(leftOut: LeftOutList, path: string, why: string): void {
  leftOut.count++
  if (leftOut.first.length < MAX_LISTED) leftOut.first.push({ path, why })
}

/** Lists a folder and everything in it. @throws StartupError when it is not a folder, or has too many files */
export async function surveyFolder(directory: string, { signal, onProgress }: FolderOptions): Promise<Survey> {
  const survey: Survey = {
    root: await findRoot(directory),
    files: [],
    directories: [],
    leftOut: { first: [], count: 0 },
  }
  const pending = ['']
  for (let path = pending.pop(); path !== undefined; path = pending.pop()) {
    signal?.throwIfAborted()
    const found = await list(path, survey)
    if (!found) continue
    if (path !== '') survey.directories.push(path)
    for (const one of found) {
      const name = decodeName(one.name)
      const inside = path === '' ? (name ?? one.name.toString()) : `${path}/${name ?? one.name.toString()}`
      if (name === undefined) leaveOut(survey.leftOut, inside, 'its name is not UTF-8')
      else if (Buffer.byteLength(inside) > LONGEST_PATH)
        leaveOut(survey.leftOut, inside, `its path is longer than ${LONGEST_PATH} bytes`)
      else if (one.isDirectory()) pending.push(inside)
      else if (one.isFile()) survey.files.push({ path: inside, real: join(survey.root, inside) })
      else if (one.isSymbolicLink()) await followLink(inside, survey)
      else leaveOut(survey.leftOut, inside, 'it is neither a file nor a directory')
    }
    if (survey.files.length > MAX_FILES) throw tooMany(directory)
    onProgress?.({ found: survey.files.length, read: 0, bytes: 0 })
  }
  return survey
}

function tooMany(directory: string): StartupError {
  const most = MAX_FILES.toLocaleString('en')
  return new StartupError([
    `${directory} holds more than ${most} files, the most that a file set may have. Name a folder inside it.`,
  ])
}

async function findRoot(directory: string): Promise<string> {
  try {
    const root = await realpath(directory)
    if ((await stat(root)).isDirectory()) return root
  } catch (error) {
    throw new StartupError([`${directory}: ${reasonOf(error)}. Check the path; it is read from the current directory.`])
  }
  throw new StartupError([`${directory}: it is not a folder. Name the folder that contains it.`])
}

async function list(path: string, { root, leftOut }: Survey) {
  try {
    return await readdir(join(root, path), { withFileTypes: true, encoding: 'buffer' })
  } catch (error) {
    if (path === '') throw new StartupError([`${root}: ${reasonOf(error)}.`])
    leaveOut(leftOut, path, reasonOf(error))
    return undefined
  }
}

/** Undefined for a name that is not UTF-8: file systems store bytes, but paths in a file set are text. */
function decodeName(name: Buffer): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(name)
  } catch {
    return undefined
  }
}

async function followLink(path: string, { root, files, leftOut }: Survey): Promise<void> {
  try {
    const real = await realpath(join(root, path))
    const isInside = real.startsWith(root.endsWith(sep) ? root : root + sep)
    if (!isInside) {
      leaveOut(leftOut, path, 'it is a link that leads out of the folder')
      return
    }
    const target = await stat(real)
    if (target.isFile()) files.push({ path, real })
    else leaveOut(leftOut, path, 'it is a link to something that is not a file')
  } catch (error) {
    leaveOut(leftOut, path, `it is a link that cannot be followed: ${reasonOf(error)}`)
  }
}

const REASONS: Readonly<Record<string, string>> = {
  EACCES: 'this user may not read it',
  EPERM: 'this user may not read it',
  ENOENT: 'it is not there',
  ENOTDIR: 'a part of its path is not a directory',
  ENAMETOOLONG: 'its path is too long',
  ELOOP: 'the links form a circle',
}

/** Why the system refused, in words. */
export function reasonOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  return REASONS[code] ?? (error instanceof Error ? error.message : shown(error))
}
