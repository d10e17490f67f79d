import { statSync } from 'node:fs'
import { relative, resolve } from 'node:path'
import { type Config, isPath } from '../../config/config.ts'
import { StartupError } from '../../base/errors/problem.ts'
import { isObject } from '../../base/formats/json.ts'
import { readSourceFile } from '../../base/formats/source-file.ts'
import { filesOfContract } from '../../contract/load/load-configured.ts'
import type { Reload } from './reload.ts'

/** How settings are loaded again. */
export interface WatchOptions {
  /**
   * Reads the settings, and everything that they name.
   *
   * @param imports gets the files that were imported; `edition` differs each time, since an import remembers its files
   */
  load(imports: { readonly edition: string; readonly files: Set<string> }): Config | Promise<Config>
  /** The configuration file and the file of keys, where there are any. */
  readonly named: { readonly config?: unknown; readonly keys?: unknown }
  /** The files that the handlers were imported from. */
  readonly imported: ReadonlySet<string>
  note(text: string): void
}

interface Watched extends WatchOptions {
  readonly config: Config
  reload(config: Config): Reload
}

/** Reloads the files of the settings when they change. Returns a function that stops it. */
export function startWatching({ config, named, imported, load, reload: apply, note }: Watched): () => void {
  let files = filesOf(config, named, imported)
  let edition = 0
  const reload = async () => {
    const imports = { edition: `edition=${++edition}`, files: new Set<string>() }
    try {
      const next = await load(imports)
      const { summary, hasNewStart, needStart, invalid } = apply(next)
      files = filesOf(next, named, imports.files)
      watcher.follow(files)
      if (needStart.length > 0) note(`start again to apply: ${needStart.join(', ')}`)
      for (const one of invalid) note(`no longer valid, and kept: ${one}`)
      note(`reloaded: ${summary}`)
      if (hasNewStart)
        note('sandboxes keep their state; POST /__mock/reset starts one again from the files as they are now')
    } catch (error) {
      for (const complaint of complaintsOf(error)) note(complaint)
      note('not reloaded: the previous version stays active')
      // The mistake may be in a file that was not imported before.
      watcher.follow(filesOf(config, named, new Set([...files, ...imports.files])))
    }
  }
  const watcher = watchFiles(oneAtATime(reload))
  watcher.follow(files)
  note(files.length === 0 ? 'there is no file to watch' : `watching ${files.join(', ')}`)
  return watcher.stop
}

/** A call during a run starts one more run after it. */
function oneAtATime(run: () => Promise<void>): () => void {
  let isBusy = false
  let isDue = false
  const runAll = async () => {
    isDue = true
    if (isBusy) return
    isBusy = true
    while (isDue) {
      isDue = false
      await run()
    }
    isBusy = false
  }
  return () => void runAll()
}

/** Anything but a refusal is a defect of ours, and no reason to stop the server. */
function complaintsOf(error: unknown): readonly string[] {
  if (error instanceof StartupError) return error.complaints
  return (error instanceof Error ? (error.stack ?? error.message) : String(error)).split('\n')
}

/** Milliseconds between two looks at the files. A change is reported when the next look finds no other: editors write in several steps. */
const POLL = 150

/**
 * Polls, because events of the file system do not reach mounted directories of containers and network disks, and because editors and
 * mounted configurations replace files.
 */
function watchFiles(onChange: () => void) {
  let seen = new Map<string, string>()
  let isDue = false
  const poll = setInterval(() => {
    const present = new Map([...seen.keys()].map((file) => [file, signatureOf(file)]))
    const hasChanged = [...present].some(([file, signature]) => seen.get(file) !== signature)
    seen = present
    if (isDue && !hasChanged) onChange()
    isDue = hasChanged
  }, POLL).unref()
  /** Watches these files instead of those before. They may be missing. */
  const follow = (files: readonly string[]) => {
    const before = seen
    const paths = files.map((file) => resolve(file))
    seen = new Map(paths.map((path) => [path, before.get(path) ?? signatureOf(path)]))
  }
  return { follow, stop: () => clearInterval(poll) }
}

/** Differs after each change; empty when there is no such file. */
function signatureOf(file: string): string {
  const found = statSync(file, { throwIfNoEntry: false })
  return found ? `${found.ino} ${found.mtimeMs} ${found.size}` : ''
}

/**
 * The user's files that the settings name, directly or through other files.
 *
 * @param imported paths of what the handlers were imported from
 */
function filesOf(
  { contract, overlay, fixtures, handlers, stubs, profile }: Config,
  { config, keys }: WatchOptions['named'],
  imported: ReadonlySet<string>,
): string[] {
  const ofHandlers = typeof handlers === 'object' ? handlers.from : handlers
  const ofProfile = typeof profile === 'object' ? profile.file : undefined
  const named = [config, keys, ofHandlers, ofProfile, ...overlay, ...fixtures, ...stubs].filter(
    (one): one is string => typeof one === 'string' && one !== '',
  )
  const inConfig = typeof config === 'string' && config !== '' ? keysNamedIn(config) : []
  const all = [...named, ...inConfig, ...(isPath(contract) ? filesOfContract(contract) : [])]
  const known = new Set(all.map((file) => resolve(file)))
  const besides = [...imported].filter((path) => !known.has(path)).map((path) => relative('', path))
  return [...new Set([...all, ...besides])]
}

/** The configuration file may name a file of keys. */
function keysNamedIn(file: string): string[] {
  try {
    const { value } = readSourceFile(file, { isFile: true })
    return isObject(value) && typeof value.keys === 'string' ? [value.keys] : []
  } catch {
    // Loading it reports what is wrong.
    return []
  }
}
