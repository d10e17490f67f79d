import { type ChildProcess, spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

/** Standin, or another mock server; the others are installed by `installPeers`. */
export type Target = 'standin' | 'prism' | 'scalar'

export interface Served {
  /** Undefined when the document was refused. */
  readonly base: string | undefined
  /** What was printed before the server listened, or before it ended. */
  readonly output: string
  stop(): Promise<void>
}

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const HERE = fileURLToPath(new URL('./', import.meta.url))

const COMMANDS: Readonly<Record<Target, (file: string, port: number) => readonly string[]>> = {
  standin: (file) => [`${ROOT}src/cli.ts`, 'serve', '--port', '0', '--contract', file],
  prism: (file, port) => [
    `${ROOT}.peers/node_modules/@stoplight/prism-cli/dist/index.js`,
    ...['mock', '--host', '127.0.0.1', '--port', String(port), '--multiprocess', 'false', file],
  ],
  scalar: (file, port) => [`${ROOT}bench/servers/scalar.js`, String(port), file],
}

const PATIENCE = 180_000
let nextPort = 20_000 + (process.pid % 20_000)

/**
 * Starts a mock server for a document, as people do: by its command line.
 *
 * @param file relative to this directory
 * @param limit how long to wait for it to listen, in ms
 * @param flags more of the command line
 */
export function serve(target: Target, file: string, limit: number, flags: readonly string[] = []): Promise<Served> {
  const child = spawn(process.execPath, [...COMMANDS[target](file, nextPort++), ...flags], {
    cwd: HERE,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  return new Promise((resolve) => {
    let output = ''
    const listen = (text: string) => {
      if (output.length < 100_000) output += text
      const base = /http:\/\/127\.0\.0\.1:\d+/.exec(output)?.[0]
      if (base !== undefined && (target === 'standin' || output.includes('is listening'))) done(base)
    }
    const done = (base: string | undefined) => {
      clearTimeout(timer)
      resolve({ base, output, stop: () => stop(child) })
    }
    const patience = Math.min(limit, PATIENCE)
    const timer = setTimeout(() => {
      output = `It did not listen within ${patience / 1000} s.\n${output}`
      done(undefined)
    }, patience)
    child.stdout.setEncoding('utf8').on('data', listen)
    child.stderr.setEncoding('utf8').on('data', listen)
    child.once('close', () => done(undefined))
  })
}

function stop(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) return resolve()
    child.once('close', () => resolve())
    child.kill('SIGKILL')
  })
}
