import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type ControlClient, createControlClient } from '../../src/index.ts'

const CLI = join(import.meta.dirname, '../../src/cli.ts')

/** A stand-in in a process of its own. */
export interface Server {
  readonly url: string
  readonly control: ControlClient
  /** @throws Error when the process has ended or complained */
  check(): void
  residentMiB(): number
  stop(): Promise<void>
}

export interface ServerOptions {
  readonly args?: readonly string[]
  /** Added to the environment. */
  readonly env?: Readonly<Record<string, string>>
  /** Path of the runtime; this one when absent. */
  readonly node?: string
  /** Flags of the runtime. */
  readonly flags?: readonly string[]
}

export async function startServer({
  args = [],
  env = {},
  node = process.execPath,
  flags = [],
}: ServerOptions = {}): Promise<Server> {
  const child = spawn(node, [...flags, CLI, 'serve', '--port', '0', '--log', 'json', ...args], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  // Also when the campaign fails before it can stop what it started.
  process.once('exit', () => child.kill())
  let complaints = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => (complaints += text))
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const check = () => {
    const state = child.exitCode ?? child.signalCode
    if (state !== null || complaints !== '') throw new Error(`the process ended with ${String(state)}: ${complaints}`)
  }
  const url = await Promise.race([addressOf(child), ended])
  if (url === undefined) check()
  return {
    url: url ?? '',
    control: createControlClient({ url: url ?? '' }),
    check,
    residentMiB() {
      const status = readFileSync(`/proc/${child.pid ?? 0}/status`, 'latin1')
      return Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024)
    },
    async stop() {
      child.kill()
      await ended
    },
  }
}

/** The first line of the log has it; the rest is read and dropped. */
function addressOf({ stdout }: ChildProcess): Promise<string> {
  return new Promise((resolve) => {
    stdout?.once('data', (line: Buffer) => {
      resolve(/"url":"([^"]+)"/.exec(line.toString())?.[1] ?? '')
      stdout.resume()
    })
  })
}
