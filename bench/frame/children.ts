/** Child processes that never outlive the bench: each is the leader of a process group, which is ended when the bench ends. */
import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'

const alive = new Set<ChildProcess>()

export interface Child {
  readonly process: ChildProcess
  readonly pid: number
  /** The end of its standard error, for the message when it does not start. The other output is dropped. */
  printed(): string
  /** Ends the whole group and waits for its leader; after three seconds it is killed. */
  stop(): Promise<void>
}

export interface ChildOptions {
  readonly cwd?: string
  readonly env?: Readonly<Record<string, string>>
  /** Opens a channel for messages, as `fork` does. */
  readonly channel?: boolean
}

/** Throws when the command cannot be started at all. */
export function startChild(command: string, args: readonly string[], options: ChildOptions = {}): Child {
  const { cwd, env = {}, channel = false } = options
  const child = spawn(command, args, {
    ...(cwd === undefined ? {} : { cwd }),
    env: { ...process.env, ...env },
    detached: true,
    stdio: channel ? ['ignore', 'ignore', 'pipe', 'ipc'] : ['ignore', 'ignore', 'pipe'],
  })
  let printed = ''
  const keep = (text: string) => (printed = (printed + text).slice(-4000))
  child.stderr?.setEncoding('utf8').on('data', keep)
  // Without a listener a command that does not exist would end the bench; the caller sees it by the missing id.
  child.on('error', (error) => keep(error.message))
  if (child.pid === undefined) throw new Error(`${command} could not be started.`)
  alive.add(child)
  child.once('exit', () => alive.delete(child))
  return { process: child, pid: child.pid, printed: () => printed, stop: () => stop(child) }
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = new Promise((resolve) => child.once('exit', resolve))
  tell(child, 'SIGTERM')
  const impatience = setTimeout(() => tell(child, 'SIGKILL'), 3000)
  await ended
  clearTimeout(impatience)
}

/** npm and shells start children, so the signal goes to the whole group. */
function tell(child: ChildProcess, signal: NodeJS.Signals): void {
  try {
    if (child.pid !== undefined) process.kill(-child.pid, signal)
  } catch {
    // It is gone already.
  }
}

/** Called once, by `bench/run.ts`. */
export function endChildrenWithUs(): void {
  process.on('exit', () => alive.forEach((child) => tell(child, 'SIGKILL')))
  for (const [signal, code] of [
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const) {
    process.on(signal, () => process.exit(code))
  }
}
