import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { type ControlClient, createControlClient } from '../../src/index.ts'

const CLI = join(import.meta.dirname, '../../dist/cli.js')

/** A server in its own process. */
export interface Server {
  readonly url: string
  readonly control: ControlClient
  /** @throws Error when the process has ended or complained */
  check(): void
  /** MiB of its heap that are in use after a collection of garbage. @throws Error when it was not started with `measuresHeap` */
  heapMiB(): Promise<number>
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
  /** Whether it is to answer `heapMiB`. */
  readonly measuresHeap?: boolean
}

/** Runs in the server: responds to every message with the bytes in use after a garbage collection. */
const ANSWER_WITH_HEAP = `
process.on('message', () => {
  gc()
  process.send(process.memoryUsage().heapUsed)
})
process.channel.unref()`

export async function startServer({
  args = [],
  env = {},
  node = process.execPath,
  flags = [],
  measuresHeap = false,
}: ServerOptions = {}): Promise<Server> {
  const forHeap = measuresHeap
    ? ['--expose-gc', '--import', `data:text/javascript,${encodeURIComponent(ANSWER_WITH_HEAP)}`]
    : []
  const child = spawn(node, [...flags, ...forHeap, CLI, 'serve', '--port', '0', '--log', 'json', ...args], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe', ...(measuresHeap ? (['ipc'] as const) : [])],
  })
  // Also when the campaign fails before it can stop what it started.
  process.once('exit', () => child.kill())
  let complaints = ''
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (complaints += text))
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
    async heapMiB() {
      if (!measuresHeap) throw new Error('the server was not started with measuresHeap')
      child.send('heap')
      const answer = await Promise.race([once(child, 'message'), ended])
      if (!answer) check()
      return Math.round(Number(answer?.[0]) / 2 ** 20)
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
