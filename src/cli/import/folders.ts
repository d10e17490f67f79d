import { EXIT } from '../exit-codes.ts'
import { showProgress } from '../progress.ts'
import type { Config } from '../../config/config.ts'
import { counted, visible } from '../../base/errors/wording.ts'
import { encodePointer } from '../../base/formats/json.ts'
import { StartupError } from '../../base/errors/problem.ts'
import { type Folder, type FolderProgress, readFolder } from '../../resources/fixtures/folder.ts'

/** At most this many skipped entries are listed one by one. */
const MAX_LISTED = 20

/** The settings with real folders as fixtures. @throws StartupError for a folder that cannot be read */
export async function withFolders(config: Config): Promise<Config> {
  const fixtures: unknown[] = []
  for (const { id, directory } of config.folders) {
    try {
      const { files } = await loadFolder(id, directory, config.log !== 'silent')
      fixtures.push({ fileSets: [{ id, files }] })
    } catch (error) {
      throw named(config.names.folders?.(`/${encodePointer(id)}`), error)
    }
  }
  return { ...config, fixtures: [...config.fixtures, ...fixtures] }
}

function named(name: string | undefined, error: unknown): unknown {
  if (name === undefined || !(error instanceof StartupError)) return error
  return new StartupError(error.complaints.map((complaint) => `${name}: ${complaint}`))
}

/** Reads a folder, reports progress and skipped entries on standard error, and stops at Ctrl-C. */
export async function loadFolder(id: string, directory: string, isLoud = true): Promise<Folder> {
  const stopping = new AbortController()
  const stop = () => stopping.abort(new StartupError([`${directory}: stopped before the folder was read.`]))
  process.once('SIGINT', stop)
  let present: FolderProgress = { found: 0, read: 0, bytes: 0 }
  const progress = isLoud ? showProgress(() => describe(directory, present)) : undefined
  let folder: Folder
  try {
    folder = await readFolder(directory, { signal: stopping.signal, onProgress: (now) => (present = now) })
  } catch (error) {
    // The exit code of shells after an interrupt.
    if (stopping.signal.aborted) process.exitCode = EXIT.interrupted
    throw error
  } finally {
    process.off('SIGINT', stop)
    progress?.end()
  }
  if (isLoud) report(id, directory, folder)
  return folder
}

function describe(
  directory: string,
  { found, read, bytes }: FolderProgress,
): { share: number | undefined; text: string } {
  const count = found.toLocaleString('en')
  if (read === 0 && bytes === 0) return { share: undefined, text: `${directory}: ${counted(count, 'file')} found` }
  return {
    share: read / found,
    text: `${directory}: ${read.toLocaleString('en')} of ${counted(count, 'file')} read, ${inBytes(bytes)}`,
  }
}

function report(id: string, directory: string, { files, bytes, leftOut, leftOutCount }: Folder): void {
  const say = (line: string) => process.stderr.write(`standin: ${visible(line)}\n`)
  const folders = files.filter((entry) => 'fileType' in entry).length
  const empty =
    folders === 0 ? '' : ` and ${counted(folders.toLocaleString('en'), 'empty directory', 'empty directories')}`
  say(
    `${directory}: ${counted((files.length - folders).toLocaleString('en'), 'file')} (${inBytes(bytes)})${empty} for the file set ${id}`,
  )
  for (const { path, why } of leftOut.slice(0, MAX_LISTED))
    say(`${directory}: left out ${JSON.stringify(path)}: ${why}`)
  const more = leftOutCount - Math.min(leftOut.length, MAX_LISTED)
  if (more > 0) say(`${directory}: left out ${more.toLocaleString('en')} more`)
}

/** `12.3 MB`. */
function inBytes(bytes: number): string {
  const power = bytes < 1000 ? 0 : Math.min(4, Math.floor(Math.log10(bytes) / 3))
  const unit = ['bytes', 'kB', 'MB', 'GB', 'TB'][power] ?? 'TB'
  return `${(bytes / 1000 ** power).toFixed(power === 0 ? 0 : 1)} ${unit}`
}
