import type { Command } from 'commander'
import { OF_SERVICE } from '../../config/create-config.ts'
import { addFlags, formatOption, withExamples } from '../flags.ts'
import type { Flags } from '../settings.ts'

/** What `standin check` accepts, so that the flags of a `standin serve` can be checked as they are, though it makes no difference to it. */
const NOT_LOADED = [
  ...(['port', 'host', 'origins', 'hosts', 'controlToken', 'control', 'smtp', 'watch', 'log'] as const),
  ...([
    'maxSandboxes',
    'sandboxTtl',
    'fsync',
    'store',
    'storeDurability',
    'consistency',
    'artifacts',
    'selfCheck',
    'validation',
    'webhooks',
    'webhookSecret',
    'allowCallback',
  ] as const),
]

export function addCheck(command: Command): void {
  addFlags(command.description('load contract, behaviours and fixtures, print a report, and exit'), {
    without: [...NOT_LOADED, ...OF_SERVICE],
  })
    .option('--strict', 'exit with status 1 if there are notes')
    .addOption(formatOption('how the report is printed', 'json'))
    .action(async (flags: Flags) => (await import('./check.ts')).check(flags))
  withExamples(command, [
    ['standin check --contract openapi.yaml', 'see what each operation was taken for'],
    ['standin check --config standin.yaml --strict', 'in CI: fail on anything that is left out'],
  ])
}
