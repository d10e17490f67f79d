import { statSync, watch, type FSWatcher } from 'node:fs'
import { dirname, resolve } from 'node:path'

/** Watches some files, until it is stopped. */
export interface FileWatcher {
  /** Watches these from now on, instead of those of before. */
  follow(files: readonly string[]): void
  stop(): void
}

/** Milliseconds without a further change before one is reported: editors write a file in several steps. */
const QUIET = 100
/** Milliseconds between two looks, where the system cannot tell. */
const POLL = 2000

/**
 * Directories are watched and not files, for editors put another file in the place of the one that was there, and so do
 * mounted configurations. What a directory tells is only a reason to look.
 *
 * @param onChange called when the files have not changed for a moment
 * @param onTrouble called with a sentence when the system cannot report changes
 */
export function watchFiles(onChange: () => void, onTrouble: (why: string) => void): FileWatcher {
  let seen = new Map<string, string>()
  let watchers: FSWatcher[] = []
  let timer: NodeJS.Timeout | undefined
  let poll: NodeJS.Timeout | undefined
  const look = () => {
    const present = new Map([...seen.keys()].map((file) => [file, signatureOf(file)]))
    const hasChanged = [...present].some(([file, signature]) => seen.get(file) !== signature)
    seen = present
    if (hasChanged) onChange()
  }
  const wait = () => {
    clearTimeout(timer)
    timer = setTimeout(look, QUIET)
  }
  const pollInstead = (directory: string, error: unknown) => {
    if (poll) return
    const why = error instanceof Error ? error.message : String(error)
    onTrouble(`${directory} cannot be watched (${why}), so the files are looked at every ${POLL / 1000} seconds.`)
    poll = setInterval(look, POLL)
  }
  const watchDirectory = (directory: string) => {
    try {
      const watcher = watch(directory, wait)
      watcher.on('error', (error) => pollInstead(directory, error))
      watchers.push(watcher)
    } catch (error) {
      pollInstead(directory, error)
    }
  }
  const stop = () => {
    clearTimeout(timer)
    clearInterval(poll)
    poll = undefined
    for (const watcher of watchers) watcher.close()
    watchers = []
  }
  return {
    follow(files) {
      const before = seen
      seen = new Map(files.map((file) => [resolve(file), before.get(resolve(file)) ?? signatureOf(resolve(file))]))
      const directories = new Set([...seen.keys()].map(dirname))
      const isSame = watchers.length > 0 && [...before.keys()].every((file) => directories.has(dirname(file)))
      if (isSame && directories.size === watchers.length) return
      stop()
      for (const directory of directories) watchDirectory(directory)
    },
    stop,
  }
}

/** What is otherwise after each change; the empty text where there is no such file. */
function signatureOf(file: string): string {
  try {
    const { ino, mtimeMs, size } = statSync(file)
    return `${ino} ${mtimeMs} ${size}`
  } catch {
    return ''
  }
}
