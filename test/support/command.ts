import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
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

/** A directory for the files of a test, to be removed after it. */
export function createDirectory(files: Readonly<Record<string, string>>): { path: string; remove(): void } {
  const path = mkdtempSync(join(tmpdir(), 'standin-'))
  for (const [name, text] of Object.entries(files)) writeFileSync(join(path, name), text)
  return { path, remove: () => rmSync(path, { recursive: true }) }
}
