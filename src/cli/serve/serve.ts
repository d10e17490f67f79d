import { setFlagsFromString } from 'node:v8'
import { printComplaints } from '../complaints.ts'
import { isContainer } from '../container.ts'
import { createFront } from '../../truth/proxy/create-front.ts'
import { loadSettings } from '../settings.ts'
import { createJsonLog, createPrettyLog, type ServerLog, SILENT } from '../../journal/server-log.ts'
import { isLoopbackHost } from '../../base/network/local-names.ts'
import type { Config, LogMode } from '../../config/config.ts'
import { CONTROL_PATH } from '../../control/path.ts'
import { isPackaged } from '../../base/formats/source-file.ts'
import { createReloadableStandin } from '../../app/setup/create-standin.ts'
import { openRedisStore } from '../../engine/stores/redis/redis-store.ts'
import { MACHINE } from '../../app/setup/machine.ts'
import type { Standin } from '../../app/standin.ts'
import { limitYoungGeneration } from './young-generation.ts'

/**
 * Percent by which the heap may grow before V8 collects garbage. By default it grows fourfold, which would be most of the memory of a
 * server under load (decisions/0008-request-performance.md).
 */
const HEAP_GROWTH = 40

/**
 * Milliseconds for which kept connections stay open after a signal: a deployment sends the signal while its clients
 * are at work, and a client that pauses between two requests cannot know of it.
 */
export const QUIET = 150

/** `standin serve`: serves requests until it is stopped. */
export async function serve(flags: Readonly<Record<string, unknown>>): Promise<void> {
  setFlagsFromString(`--heap-growing-percent=${HEAP_GROWTH}`)
  limitYoungGeneration()
  const imports = { files: new Set<string>() }
  const config = await loadSettings(flags, imports)
  const log = await createLog(config.log)
  const { config: file = process.env.STANDIN_CONFIG, keys = process.env.STANDIN_KEYS } = flags
  const { storeDurability: durability } = config
  const store =
    config.store === undefined ? undefined : await openRedisStore(config.store, { durability, note: log.note })
  const front = createFront(config, log)
  const standin = createReloadableStandin(config, {
    log,
    front,
    store,
    quiet: QUIET,
    watch: {
      load: (imports) => loadSettings(flags, imports),
      named: { config: file, keys },
      imported: imports.files,
      note: log.note,
    },
  })
  const url = await standin.start().catch(async (error: unknown) => {
    await store?.close()
    throw error
  })
  stopOnSignals(standin)
  // A checkout that was not built has no console.
  const hasConsole = isPackaged('dist/console/index.html')
  log.started({
    url,
    summary: standin.summary,
    milliseconds: Math.round(process.uptime() * 1000),
    console: config.control && hasConsole ? `${url}${CONTROL_PATH}/` : undefined,
    example: standin.exampleRequest(url),
  })
  if (front) log.note(front.describe())
  if (config.control && !hasConsole)
    log.note(`The console is not built: run npm run build, then open ${url}${CONTROL_PATH}/.`)
  if (!isLoopbackHost(config.host)) log.note(whoCanCall(config, url))
}

/** Stops on SIGTERM and Ctrl-C, and ends the process. */
export function stopOnSignals(standin: Pick<Standin, 'stop'>): void {
  const stop = () => {
    void standin
      .stop()
      .catch(printComplaints)
      .then(() => process.exit())
  }
  process.once('SIGTERM', stop)
  process.once('SIGINT', stop)
}

/**
 * A warning, in case only clients on this machine were meant. In a container, listening for others is right: what is published decides who
 * can call.
 */
function whoCanCall({ host, control, controlToken }: Config, url: string): string {
  if (isContainer()) {
    const ofControl =
      control && controlToken === undefined
        ? ' To use the console and the control API from outside the container, pass --control-token.'
        : ''
    return `Listening on ${host} in a container: publish the port with \`docker run -p 127.0.0.1:4010:${new URL(url).port}\` for this machine only.${ofControl}`
  }
  const ofControl = !control
    ? ''
    : controlToken === undefined
      ? ' Only clients on this machine can use the control API.'
      : ' The control API requires its token.'
  return `Warning: listening on ${host}, so everyone who can reach port ${new URL(url).port} of this machine can call the service.${ofControl} Pass --host 127.0.0.1 to listen for this machine only.`
}

/** The log of a server, on standard output. */
export async function createLog(mode: LogMode): Promise<ServerLog> {
  if (mode === 'silent') return SILENT
  const write = writeTogether((lines) => process.stdout.write(lines))
  if (mode === 'json') {
    const { pino } = await import('pino')
    return createJsonLog(pino({}, { write }))
  }
  return createPrettyLog({
    write,
    now: MACHINE.realNow,
    // Of a terminal that can show them, and without NO_COLOR.
    hasColours: process.stdout.isTTY && process.stdout.hasColors(),
    isVerbose: mode === 'verbose',
  })
}

/** Writes the lines of ten milliseconds at once: a call to the system for each took a fifth of the time of a small list. */
function writeTogether(write: (lines: string) => void): (line: string) => void {
  let waiting = ''
  const flush = () => {
    const lines = waiting
    waiting = ''
    if (lines !== '') write(lines)
  }
  process.once('exit', flush)
  return (line) => {
    if (waiting === '') setTimeout(flush, 10)
    waiting += line
  }
}
