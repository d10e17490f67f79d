import { onTestFinished } from 'vitest'
import { type Command, type CommandOptions, startCommand } from './command.ts'

/** `serve` on a free port, in its own process until the test ends. Resolves when it has printed its first lines. */
export async function serve(
  args: readonly string[] = [],
  options: CommandOptions = {},
): Promise<{ command: Command; url: string }> {
  const command = startCommand(['serve', '--port', '0', ...args], options)
  onTestFinished(async () => {
    command.child.kill('SIGKILL')
    await command.ended
  })
  return { command, url: await addressOf(command) }
}

/** Resolves when the server has printed its first lines. */
export async function addressOf(command: Command): Promise<string> {
  await command.until(/\ncurl .*\n|"msg":"started"\}\n/)
  // A contract may be named by its URL.
  const text = command.stdout()
  return (/http:\/\/\S+(?= \(\d+ ms\))/.exec(text) ?? /http:\/\/[^ ",]+/.exec(text))?.[0] ?? ''
}
