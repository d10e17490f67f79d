import { createHash, type Hash } from 'node:crypto'
import { constants } from 'node:fs'
import { type FileHandle, lstat, open, readdir, realpath, stat } from 'node:fs/promises'
import { join, sep } from 'node:path'
import { LONGEST_PATH, MAX_FILES } from '../resources/file-sets/read-files.ts'
import { shown, StartupError } from '../errors/problem.ts'
import { FIRST_INSTANT, LAST_INSTANT } from '../formats/instant.ts'
import { parentOf } from '../resources/file-sets/entries/file-record.ts'

/** A file or an empty directory of a real folder, as a fixture has it. */
export type FolderEntry =
  | { readonly path: string; readonly size: number; readonly hash: string; readonly created: string }
  | { readonly path: string; readonly fileType: 'DIRECTORY'; readonly created: string }

/** A folder as a file set. */
export interface Folder {
  /** In the order of their paths. */
  readonly files: readonly FolderEntry[]
  /** Bytes of all files. */
  readonly bytes: number
  /** What is in the folder and not in the file set, at most a thousand of it. */
  readonly leftOut: readonly LeftOut[]
  /** How much was left out. */
  readonly leftOutCount: number
}

interface LeftOut {
  readonly path: string
  readonly why: string
}

export interface FolderProgress {
  /** Files that were found; while it is still looked for more, `read` is 0. */
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

/** At most this many files are read at a time: as many as the engine has threads for. */
const READERS = 4
const CHUNK = 2 ** 20
const MAX_TOLD = 1000

/**
 * Reads a real folder: every file with its true size, SHA-256 digest and date of change, and the directories that are empty. Links
 * that lead out of the folder are not followed, nor are those to directories; what cannot be read is left out, and told.
 *
 * @throws StartupError when it is no folder, or holds more files than a file set may have
 */
export async function readFolder(directory: string, options: FolderOptions = {}): Promise<Folder> {
  const survey = await look(directory, options)
  const entries = await readAll(survey, options)
  const folders = findEmpty(survey.directories, entries)
  const files = [...entries, ...(await datedFolders(folders, survey))]
  files.sort((a, b) => (a.path < b.path ? -1 : 1))
  const { leftOut } = survey
  const bytes = entries.reduce((sum, { size }) => sum + size, 0)
  return { files, bytes, leftOut: leftOut.told, leftOutCount: leftOut.count }
}

/** What was found in a folder, before any file was opened. */
interface Survey {
  readonly root: string
  readonly files: { readonly path: string; readonly real: string }[]
  /** All that could be listed, but for the root. */
  readonly directories: string[]
  readonly leftOut: Complaints
}

interface Complaints {
  readonly told: LeftOut[]
  count: number
}

function leaveOut(complaints: Complaints, path: string, why: string): void {
  complaints.count++
  if (complaints.told.length < MAX_TOLD) complaints.told.push({ path, why })
}

async function look(directory: string, { signal, onProgress }: FolderOptions): Promise<Survey> {
  const survey: Survey = {
    root: await findRoot(directory),
    files: [],
    directories: [],
    leftOut: { told: [], count: 0 },
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
      if (name === undefined) leaveOut(survey.leftOut, inside, 'its name is no UTF-8')
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
    `${directory} holds more than ${most} files, which is the most that a file set may have. Name a folder within it.`,
  ])
}

async function findRoot(directory: string): Promise<string> {
  try {
    const root = await realpath(directory)
    if ((await stat(root)).isDirectory()) return root
  } catch (error) {
    throw new StartupError([`${directory}: ${reasonOf(error)}. Check the path; it is read from the current directory.`])
  }
  throw new StartupError([`${directory}: it is no folder. Name the folder that it lies in.`])
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

/** File systems keep bytes; a path of the service is text. */
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
    else leaveOut(leftOut, path, 'it is a link, and not to a file')
  } catch (error) {
    leaveOut(leftOut, path, `it is a link that leads nowhere: ${reasonOf(error)}`)
  }
}

interface ReadFile {
  readonly path: string
  readonly size: number
  readonly hash: string
  readonly created: string
}

/** A few at a time; the answers are in the order of the files. */
async function readAll({ files, leftOut }: Survey, { signal, onProgress }: FolderOptions): Promise<ReadFile[]> {
  const entries: (ReadFile | undefined)[] = []
  let next = 0
  let read = 0
  let bytes = 0
  const tell = (count: number) => {
    bytes += count
    onProgress?.({ found: files.length, read, bytes })
  }
  const work = async () => {
    const buffer = Buffer.allocUnsafe(CHUNK)
    for (let at = next++; at < files.length; at = next++) {
      const file = files[at]
      if (!file) return
      try {
        entries[at] = await readOne(file, buffer, (count) => {
          signal?.throwIfAborted()
          tell(count)
        })
      } catch (error) {
        signal?.throwIfAborted()
        leaveOut(leftOut, file.path, reasonOf(error))
      }
      read++
      tell(0)
    }
  }
  await Promise.all(Array.from({ length: READERS }, work))
  signal?.throwIfAborted()
  return entries.filter((entry) => entry !== undefined)
}

/** A link that was put in the place of a file meanwhile is not followed, and a pipe never waited for. */
const FLAGS = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK

async function readOne(
  { path, real }: Survey['files'][number],
  buffer: Buffer,
  onBytes: (count: number) => void,
): Promise<ReadFile> {
  const handle = await open(real, FLAGS)
  try {
    const facts = await handle.stat()
    if (!facts.isFile()) throw new Error('it is no file any more')
    const hash = createHash('sha256')
    const size = await digest(handle, hash, buffer, onBytes)
    return { path, size, hash: hash.digest('hex'), created: dateOf(facts.mtimeMs) }
  } finally {
    await handle.close()
  }
}

/** The size is what was read: then it and the digest agree, also when somebody writes meanwhile. */
async function digest(
  handle: FileHandle,
  hash: Hash,
  buffer: Buffer,
  onBytes: (count: number) => void,
): Promise<number> {
  let size = 0
  for (;;) {
    const { bytesRead } = await handle.read(buffer, 0, buffer.length, size)
    if (bytesRead === 0) return size
    hash.update(buffer.subarray(0, bytesRead))
    size += bytesRead
    onBytes(bytesRead)
  }
}

function dateOf(mtimeMs: number): string {
  return new Date(Math.min(Math.max(Math.floor(mtimeMs), FIRST_INSTANT), LAST_INSTANT)).toISOString()
}

/** Directories that no entry speaks of: they have to be told. */
function findEmpty(directories: readonly string[], entries: readonly ReadFile[]): string[] {
  const held = new Set([''])
  const hold = (path: string) => {
    for (let above = parentOf(path); !held.has(above); above = parentOf(above)) held.add(above)
  }
  for (const { path } of entries) hold(path)
  // The deepest first: a directory that is reported includes those above it.
  const byDepth = directories.toSorted((a, b) => b.length - a.length)
  return byDepth.filter((path) => {
    if (held.has(path)) return false
    hold(path)
    return true
  })
}

async function datedFolders(paths: readonly string[], { root, leftOut }: Survey): Promise<FolderEntry[]> {
  const folders: FolderEntry[] = []
  for (const path of paths) {
    try {
      const { mtimeMs } = await lstat(join(root, path))
      folders.push({ path, fileType: 'DIRECTORY', created: dateOf(mtimeMs) })
    } catch (error) {
      leaveOut(leftOut, path, reasonOf(error))
    }
  }
  return folders
}

const REASONS: Readonly<Record<string, string>> = {
  EACCES: 'this user may not read it',
  EPERM: 'this user may not read it',
  ENOENT: 'it is not there',
  ENOTDIR: 'a part of its path is no directory',
  ENAMETOOLONG: 'its path is too long',
  ELOOP: 'links lead in a circle',
}

function reasonOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  return REASONS[code] ?? (error instanceof Error ? error.message : shown(error))
}
