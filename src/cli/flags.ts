import type { Command } from 'commander'

function collect(value: string, before: string[] = []): string[] {
  return [...before, value]
}

/** The settings that tell where a stand-in listens, as flags. */
export function addPlace(command: Command): Command {
  return command
    .option('--port <number>', 'port; 0 picks a free one (default: 4010)')
    .option('--host <address>', 'address to listen on (default: 127.0.0.1)')
    .option('--config <file>', 'settings from a YAML or JSON file')
}

/** The settings as flags. Each is also a variable `STANDIN_…` and a member of the configuration file. */
export function addSettings(command: Command): Command {
  return addPlace(command)
    .option('--seed <number>', 'governs every id, file and token (default: 42)')
    .option('--files <number>', 'size of the file set demo, up to 10000000 (default: 1000)')
    .option(
      '--clock <instant>',
      "where the clock stands still, such as 2026-03-01T09:00:00Z (default: the machine's clock)",
    )
    .option(
      '--fixtures <file>',
      'file sets, report schedules and documents of your own, YAML or JSON (repeatable)',
      collect,
    )
    .option('--folder <name=directory>', 'a real folder as a file set (repeatable)', collect)
    .option('--contract <file>', 'another OpenAPI document, 3.0 or 3.1, or Swagger 2.0')
    .option('--handlers <file>', 'operations of your own, TypeScript or JavaScript')
    .option('--self-check', 'hold every answer against the contract before it leaves')
    .option('--profile <name>', 'default, document-only or observed (default: default)')
    .option('--behaviour <id=value>', 'answer one open question otherwise (repeatable)', collect)
    .option('--keys <file>', 'known keys, with users and rights (default: any key)')
    .option('--allow-origin <origin>', 'web pages that may call besides local ones (repeatable)', collect)
    .option(
      '--allow-host <name>',
      'names that requests may be for besides localhost, such as standin.test (repeatable)',
      collect,
    )
    .option('--max-sandboxes <number>', 'how many sandboxes there may be (default: 256)')
    .option(
      '--control-token <token>',
      'what callers of the control API must bear (default: only this machine may call)',
    )
    .option('--no-control', 'no control API at all')
    .option('--smtp <url>', 'a mail catcher that gets each delivery, such as smtp://127.0.0.1:1025')
    .option(
      '--data <directory>',
      'keep every change there, and go on from it at the next start (default: memory alone)',
    )
    .option('--fsync', 'let each change wait until the disk has it (default: until the system has it)')
    .option('--watch', 'take up changes of contract, fixtures, handlers, keys and configuration while it runs')
    .option('--log <mode>', 'pretty, json or silent (default: pretty)')
}
