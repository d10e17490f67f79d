import { filesOf } from './files-of.ts'
import { loadSettings } from './settings.ts'
import { watchFiles } from './watch-files.ts'
import type { Config } from '../config/config.ts'
import type { Log } from '../journal/log.ts'
import { StartupError } from '../errors/problem.ts'
import type { ReloadableStandin } from '../app/setup/create-standin.ts'

interface Watched {
  readonly standin: ReloadableStandin
  readonly config: Config
  /** The flags that it was started with; what the files say is laid under them again. */
  readonly flags: Readonly<Record<string, unknown>>
  /** The files that the handlers were imported from. */
  readonly imported: ReadonlySet<string>
  readonly log: Log
}

/** `serve --watch`: takes up what changes in the files that a stand-in was started with. Answers what ends it. */
export function startWatching({ standin, config, flags, imported, log }: Watched): () => void {
  let isOver = false
  let isBusy = false
  let isDue = false
  const takeUp = async () => {
    isDue = true
    // A change during a reload is reloaded after it.
    if (isBusy) return
    isBusy = true
    while (isDue && !isOver) {
      isDue = false
      await takeUpOnce()
    }
    isBusy = false
  }
  let edition = 0
  const takeUpOnce = async () => {
    const imports = { edition: `edition=${++edition}`, files: new Set<string>() }
    try {
      const next = await loadSettings(flags, imports)
      const { summary, needStart, invalid } = standin.reload(next)
      files = filesOf(next, flags, imports.files)
      watcher.follow(files)
      if (needStart.length > 0) log.note(`start again to take up: ${needStart.join(', ')}`)
      for (const one of invalid) log.note(`no longer valid, and kept: ${one}`)
      log.note(`reloaded: ${summary}`)
    } catch (error) {
      for (const complaint of complaintsOf(error)) log.note(complaint)
      log.note('not reloaded: the previous version stays active')
      // What is wrong may be in a file that was not imported before.
      watcher.follow(filesOf(config, flags, new Set([...files, ...imports.files])))
    }
  }
  const watcher = watchFiles(() => void takeUp(), log.note)
  let files = filesOf(config, flags, imported)
  watcher.follow(files)
  log.note(files.length === 0 ? 'there is no file to watch' : `watching ${files.join(', ')}`)
  return () => {
    isOver = true
    watcher.stop()
  }
}

/** What is no refusal is a defect of ours, and no reason to stop answering. */
function complaintsOf(error: unknown): readonly string[] {
  if (error instanceof StartupError) return error.complaints
  return (error instanceof Error ? (error.stack ?? error.message) : String(error)).split('\n')
}
