import { join } from 'node:path'
import { inspectDirectory, makeDirectory, removeQuietly } from '../../engine/stores/file/disk.ts'
import { StartupError } from '../../base/errors/problem.ts'
import { stringifyJson } from '../../base/formats/json.ts'
import { PRIVATE_FILE, writeText } from '../../base/formats/source-file.ts'
import type { RecordedExchange } from '../recordings/recorded-exchange.ts'
import { harEntryOf } from '../recordings/write-har.ts'

export interface Recording {
  add(exchange: RecordedExchange): void
  /** Writes what is left. */
  close(): void
}

interface RecordingOptions {
  readonly directory: string
  /** Origin and base path of the service. */
  readonly service: string
  removeSecrets(exchange: RecordedExchange): RecordedExchange
  /** The machine's clocks: epoch ms, and ms since any moment. */
  readonly machine: { readonly realNow: () => number; readonly elapsed: () => number }
  note(line: string): void
}

/** Characters of a file, unless one exchange alone has more. */
const LONGEST = 4 * 2 ** 20
/** The oldest of a run goes when there are more. */
const MAX_FILES = 250
/** Milliseconds between two writes, and at least this many times as long as the last one took. */
const PAUSE = 200
const SHARE = 20

const HEAD = '{"log":{"version":"1.2","creator":{"name":"Standin","version":"1"},"pages":[],"entries":[\n'
const TAIL = '\n]}}\n'

/**
 * Writes exchanges to HAR files. A file is replaced as a whole whenever it grows, so it can be read at any moment; a crash loses the
 * exchanges of the last moments at most.
 *
 * @throws StartupError when nothing can be written there
 */
export function createRecording(options: RecordingOptions): Recording {
  const { directory, service, removeSecrets, machine, note } = options
  makeDirectory(directory, '--record')
  inspectDirectory(directory, '--record')
  const started = new Date(machine.realNow()).toISOString().replaceAll(/[:.]/g, '-')
  const files: string[] = []
  let entries: string[] = []
  let length = 0
  let timer: NodeJS.Timeout | undefined
  let pause = PAUSE
  let count = 0
  const write = () => {
    clearTimeout(timer)
    timer = undefined
    const before = machine.elapsed()
    try {
      writeText(files.at(-1) ?? '', [HEAD, entries.join(',\n'), TAIL], PRIVATE_FILE)
    } catch (error) {
      if (!(error instanceof StartupError)) throw error
      note(`recording: ${error.message}`)
    }
    pause = Math.max(PAUSE, SHARE * (machine.elapsed() - before))
  }
  const begin = () => {
    if (timer) write()
    files.push(join(directory, `${started}-${String(++count).padStart(4, '0')}.har`))
    const oldest = files.length > MAX_FILES ? files.shift() : undefined
    if (oldest !== undefined && removeQuietly(oldest)) note(`recording: removed ${oldest}, the oldest of ${MAX_FILES}`)
    entries = []
    length = 0
  }
  return {
    add(exchange) {
      const entry = stringifyJson(harEntryOf(removeSecrets(exchange), service))
      if (files.length === 0 || (entries.length > 0 && length + entry.length > LONGEST)) begin()
      entries.push(entry)
      length += entry.length
      timer ??= setTimeout(write, pause).unref()
    },
    close() {
      if (timer) write()
    },
  }
}
