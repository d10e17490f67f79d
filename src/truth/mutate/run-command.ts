import { spawn } from 'node:child_process'

/** How a test command ended. */
export interface EndedCommand {
  /** Undefined where it was stopped. */
  readonly code: number | undefined
  /** The last of what it printed, on both outputs. */
  readonly output: string
  readonly isStopped: boolean
}

export interface RunOptions {
  readonly environment: Readonly<Record<string, string>>
  /** Stops the command and all that it started. */
  readonly signal: AbortSignal
}

/** Characters that are kept of what a test command prints. */
const LONGEST_OUTPUT = 20_000

/** Milliseconds that a command has for its own cleaning before it is killed. */
const PATIENCE = 2000

/** Runs a test command. @throws Error when there is no such command */
export function runCommand(
  [command = '', ...args]: readonly string[],
  { environment, signal }: RunOptions,
): Promise<EndedCommand> {
  const ended = Promise.withResolvers<EndedCommand>()
  const isWindows = process.platform === 'win32'
  // A group of its own, so that runners are stopped together with the processes of their tests.
  const child = spawn(command, args, {
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: !isWindows,
    shell: isWindows,
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (output = (output + text).slice(-LONGEST_OUTPUT)))
  const kill = (how: NodeJS.Signals) => {
    if (child.pid === undefined) return
    try {
      process.kill(isWindows ? child.pid : -child.pid, how)
    } catch {
      // It has ended meanwhile.
    }
  }
  let killing: NodeJS.Timeout | undefined
  const stop = () => {
    kill('SIGTERM')
    killing = setTimeout(kill, PATIENCE, 'SIGKILL')
  }
  signal.addEventListener('abort', stop, { once: true })
  child.once('error', ended.reject)
  child.once('close', (code) => {
    signal.removeEventListener('abort', stop)
    clearTimeout(killing)
    ended.resolve({ code: code ?? undefined, output, isStopped: signal.aborted })
  })
  if (signal.aborted) stop()
  return ended.promise
}
