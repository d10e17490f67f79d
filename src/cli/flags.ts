import type { Command } from 'commander'

function collect(value: string, before: string[] = []): string[] {
  return [...before, value]
}

/** The flags for where the server listens. */
export function addPlace(command: Command): Command {
  return command
    .option('--port <number>', 'port; 0 picks a free one (default: 4010)')
    .option('--host <address>', 'address to listen on (default: 127.0.0.1)')
    .option('--config <file>', 'settings from a YAML or JSON file')
}

/** The settings as flags. Each is also a variable `STANDIN_…` and a member of the configuration file. */
export function addSettings(command: Command): Command {
  return addPlace(command)
    .option('--seed <number>', 'determines every id, file and cursor (default: 42)')
    .option('--files <number>', 'size of the file set demo, up to 10000000 (default: 1000)')
    .option('--clock <instant>', "freeze the clock, such as at 2026-03-01T09:00:00Z (default: the machine's clock)")
    .option(
      '--fixtures <file>',
      'your own file sets, report schedules and documents, YAML or JSON (repeatable)',
      collect,
    )
    .option('--folder <name=directory>', 'a real folder as a file set (repeatable)', collect)
    .option('--contract <file>', 'another OpenAPI document, 3.0 or 3.1, or Swagger 2.0')
    .option('--handlers <file>', 'your own operations, TypeScript or JavaScript')
    .option('--self-check', 'validate every response against the contract before it is sent')
    .option('--profile <name>', 'default, document-only or observed (default: default)')
    .option('--behaviour <id=value>', 'change a behaviour, such as page.last=null (repeatable)', collect)
    .option('--keys <file>', 'known API keys, with users and rights (default: any key)')
    .option('--allow-origin <origin>', 'origin of web pages that may call, besides local ones (repeatable)', collect)
    .option(
      '--allow-host <name>',
      'host name that requests may use, besides localhost, such as standin.test (repeatable)',
      collect,
    )
    .option('--max-sandboxes <number>', 'maximum number of sandboxes (default: 256)')
    .option('--control-token <token>', 'bearer token of the control API (default: only clients on this machine)')
    .option('--no-control', 'disable the control API')
    .option('--smtp <url>', 'a mail catcher that receives each delivery, such as smtp://127.0.0.1:1025')
    .option('--data <directory>', 'keep all changes there for the next start (default: in memory)')
    .option('--fsync', 'wait for the disk at each change (default: wait for the operating system)')
    .option('--watch', 'reload contract, fixtures, handlers, keys and configuration when they change')
    .option('--log <mode>', 'pretty, json or silent (default: pretty)')
}
