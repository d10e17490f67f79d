import { createHash, type Hash } from 'node:crypto'
import { constants } from 'node:fs'
import { type FileHandle, lstat, open } from 'node:fs/promises'
import { join } from 'node:path'
import { FIRST_INSTANT, LAST_INSTANT } from '../formats/instant.ts'
import { parentOf } from '../resources/file-sets/entries/file-record.ts'
import { type FolderOptions, leaveOut, type LeftOut, reasonOf, type Survey, surveyFolder } from './survey-folder.ts'

export type { FolderOptions, FolderProgress } from './survey-folder.ts'

interface FileEntry {
  readonly path: string
  readonly size: number
  readonly hash: string
  readonly created: string
}

/** A file or an empty directory of a real folder, as a fixture has it. */
export type FolderEntry =
  FileEntry | { readonly path: string; readonly fileType: 'DIRECTORY'; readonly created: string }

/** A folder as a file set. */
export interface Folder {
  /** In the order of their paths. */
  readonly files: readonly FolderEntry[]
  /** Bytes of all files. */
  readonly bytes: number
  /** What was left out, at most the first thousand. */
  readonly leftOut: readonly LeftOut[]
  /** How much was left out. */
  readonly leftOutCount: number
}

/** How many files are read at a time: the thread pool of Node has as many threads. */
const READERS = 4
const CHUNK = 2 ** 20

/**
 * Reads a real folder: every file with its true size, SHA-256 digest and date of change, and the directories that are empty. Links
 * that lead out of the folder are not followed, nor are those to directories. What cannot be read is left out and listed.
 *
 * @throws StartupError when it is not a folder, or holds more files than a file set may have
 */
export async function readFolder(directory: string, options: FolderOptions = {}): Promise<Folder> {
  const survey = await surveyFolder(directory, options)
  const entries = await readAll(survey, options)
  const folders = findEmpty(survey.directories, entries)
  const files = [...entries, ...(await datedFolders(folders, survey))]
  files.sort((a, b) => (a.path < b.path ? -1 : 1))
  const { leftOut } = survey
  const bytes = entries.reduce((sum, { size }) => sum + size, 0)
  return { files, bytes, leftOut: leftOut.first, leftOutCount: leftOut.count }
}

/** Reads a few at a time; the result is in the order of the files. */
async function readAll({ files, leftOut }: Survey, { signal, onProgress }: FolderOptions): Promise<FileEntry[]> {
  const entries: (FileEntry | undefined)[] = []
  let next = 0
  let read = 0
  let bytes = 0
  const report = (count: number) => {
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
          report(count)
        })
      } catch (error) {
        signal?.throwIfAborted()
        leaveOut(leftOut, file.path, reasonOf(error))
      }
      read++
      report(0)
    }
  }
  await Promise.all(Array.from({ length: READERS }, work))
  signal?.throwIfAborted()
  return entries.filter((entry) => entry !== undefined)
}

/** If the file was replaced meanwhile, a link is not followed and a pipe is not waited for. */
const FLAGS = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK

async function readOne(
  { path, real }: Survey['files'][number],
  buffer: Buffer,
  onBytes: (count: number) => void,
): Promise<FileEntry> {
  const handle = await open(real, FLAGS)
  try {
    const facts = await handle.stat()
    if (!facts.isFile()) throw new Error('it is no longer a file')
    const hash = createHash('sha256')
    const size = await digest(handle, hash, buffer, onBytes)
    return { path, size, hash: hash.digest('hex'), created: dateOf(facts.mtimeMs) }
  } finally {
    await handle.close()
  }
}

/** The size is what was read, so that it agrees with the digest even if the file is being written. */
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

/** The directories that no file implies; they need entries of their own. */
function findEmpty(directories: readonly string[], entries: readonly FileEntry[]): string[] {
  const held = new Set([''])
  const hold = (path: string) => {
    for (let above = parentOf(path); !held.has(above); above = parentOf(above)) held.add(above)
  }
  for (const { path } of entries) hold(path)
  // The deepest first, because each implies those above it.
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
