import type { Command } from 'commander'
import type { CompareFlags } from './compare.ts'
import { formatOption, withExamples } from '../flags.ts'

export function addCompare(command: Command): void {
  command
    .description(
      'compare how a running server and the real service respond, and name the behaviours that make them agree',
    )
    .option('--url <url>', 'the running server (default: STANDIN_URL or http://127.0.0.1:4010)')
    .option('--sandbox <name>', 'its sandbox, which is copied and not changed (default: default)')
    .option('--control-token <token>', 'the bearer token of that server (or STANDIN_CONTROL_TOKEN)')
    .option('--target <url>', 'the address of the service')
    .option('--har <file...>', 'recordings of the service, in place of --target')
    .option(
      '--requests <source>',
      'which requests the service gets: `contract`, `journal` (those that the sandbox got), or a HAR file (default: contract)',
    )
    .option('--key <key>', 'an API key of the service')
    .option('--other-key <key>', 'the key of another user, for what differs between users')
    .option('--file-set <id>', 'the file set that is searched (default: demo)')
    .option('--other-file-set <id>', 'another file set, for what happens to tokens there')
    .option('--allow-writes', 'also send requests that create or change something at the service')
    .option('--rate <number>', 'requests a second to the service (default: 2, and no limit on this machine)')
    .option('--timeout <seconds>', 'for one response', '30')
    .option('--clock <instant>', 'what the clock of the service shows, if it is frozen')
    .addOption(formatOption('how the report is printed', 'json', 'markdown', 'github'))
    .action(async (flags: CompareFlags) => (await import('./compare.ts')).compareStandin(flags))
  withExamples(command, [
    [
      'standin compare --target https://api.example.com --key $KEY --file-set 7d3b',
      'ask both what the contract suggests',
    ],
    ['standin compare --har session.har', 'hold the server against a recording from a browser'],
    ['standin compare --target $URL --key $KEY --requests journal --format github', 'in CI: what the tests sent'],
  ])
}
