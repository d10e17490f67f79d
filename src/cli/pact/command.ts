import type { Command } from 'commander'
import { withExamples } from '../flags.ts'
import type { PactFlags } from './pact.ts'

export function addPact(command: Command): void {
  command
    .description('write a Pact file of what your client sent and received, for the provider to verify')
    .requiredOption('--consumer <name>', 'the name of your client')
    .option('--provider <name>', 'the name of the service (default: the title of the contract)')
    .option('--url <url>', 'the running server whose journal is read (default: STANDIN_URL or http://127.0.0.1:4010)')
    .option('--sandbox <name>', 'the sandbox of the test run (default: default)')
    .option('--control-token <token>', 'the bearer token of that server (or STANDIN_CONTROL_TOKEN)')
    .option('--har <file...>', 'HAR files, in place of a running server')
    .option('--contract <file>', 'the contract of the HAR files (default: the built-in contract)')
    .option('--allow-ref <directory...>', 'directories that its references may lead to, besides its own')
    .option('--include-refused', 'keep requests that the contract refuses, and their errors')
    .option('--out <file>', 'write it there (default: standard output)')
    .option('--force', 'replace the file of --out')
    .action(async (flags: PactFlags) => (await import('./pact.ts')).pact(flags))
  withExamples(command, [
    ['standin pact --consumer report-desk --out pacts/report-desk.json', 'after the tests ran against standin serve'],
    ['standin pact --consumer shop-app --har session.har --contract openapi.yaml', 'from what a browser recorded'],
  ])
}
