import { type ChildProcess, fork, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The built command, which loads in a third of the time of the sources; `build.ts` builds it before the tests. */
export const CLI = fileURLToPath(new URL('../../dist/cli.js', import.meta.url))

/** The command line as a process of its own. */
export interface Command {
  readonly child: ChildProcess
  stdout(): string
  stderr(): string
  /** Resolves to the exit code; null after a signal without a handler. */
  readonly ended: Promise<number | null>
  /** Resolves when the standard output matches. Rejects when the process ends before. */
  until(pattern: RegExp): Promise<void>
}

export interface CommandOptions {
  readonly cwd?: string
  /** The only variables that begin with STANDIN. */
  readonly env?: Readonly<Record<string, string>>
  /** Flags for Node itself. */
  readonly node?: readonly string[]
  /** Path of the command; the built one when absent. */
  readonly cli?: string
}

export function startCommand(
  args: readonly string[],
  { cwd, env = {}, node = [], cli = CLI }: CommandOptions = {},
): Command {
  const child = spawn(process.execPath, [...node, cli, ...args], { cwd, env: { PATH: process.env.PATH, ...env } })
  let stdout = ''
  let stderr = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text))
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
  return {
    child,
    ended,
    stdout: () => stdout,
    stderr: () => stderr,
    until: (pattern) =>
      new Promise((resolve, reject) => {
        const look = () => {
          if (pattern.test(stdout)) resolve()
        }
        child.stdout.on('data', look)
        child.once('close', (code) => reject(new Error(`ended with ${code ?? 'a signal'} before: ${stdout}${stderr}`)))
        look()
      }),
  }
}

/** What a short command is given. */
export interface HostedCommand {
  /** Path of a module to run in place of the command line. */
  readonly module?: string
  readonly args: readonly string[]
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
}

/** What a short command has printed, and its exit code. */
export interface EndedCommand {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

/**
 * Runs a command that ends by itself, in a process that runs one after the other (`command-host.ts`): a tenth of the time of a process
 * of its own.
 */
export function runCommand(
  args: readonly string[],
  { cwd = process.cwd(), env = {}, module }: Pick<CommandOptions, 'cwd' | 'env'> & Pick<HostedCommand, 'module'> = {},
): Pick<Command, 'ended' | 'stdout' | 'stderr'> {
  host ??= startHost()
  const end = Promise.withResolvers<EndedCommand>()
  waiting.set(++lastId, end)
  host.send({ id: lastId, module, args, cwd, env: { PATH: process.env.PATH ?? '', ...env } })
  let written = { stdout: '', stderr: '' }
  const ended = end.promise.then(({ code, ...rest }) => {
    written = rest
    return code
  })
  return { ended, stdout: () => written.stdout, stderr: () => written.stderr }
}

let host: ChildProcess | undefined
let lastId = 0
const waiting = new Map<number, PromiseWithResolvers<EndedCommand>>()

function startHost(): ChildProcess {
  const child = fork(fileURLToPath(new URL('command-host.ts', import.meta.url)), {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  child.on('message', ({ id, ...ended }: EndedCommand & { id: number }) => {
    waiting.get(id)?.resolve(ended)
    waiting.delete(id)
  })
  child.once('exit', () => {
    host = undefined
    for (const { reject } of waiting.values()) reject(new Error('The process of short commands ended.'))
    waiting.clear()
  })
  child.unref()
  child.channel?.unref()
  return child
}

/** A directory for the files of a test, to be removed after it. */
export function createDirectory(files: Readonly<Record<string, string>>): { path: string; remove(): void } {
  const path = mkdtempSync(join(tmpdir(), 'standin-'))
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(path, name)), { recursive: true })
    writeFileSync(join(path, name), text)
  }
  return { path, remove: () => rmSync(path, { recursive: true }) }
}
