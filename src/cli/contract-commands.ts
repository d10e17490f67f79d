import { type Command, Option } from 'commander'
import type { DiffFlags } from './diff.ts'
import type { PactFlags } from './pact.ts'
import { withExamples } from './with-examples.ts'

export function addDiff(command: Command): void {
  command
    .description(
      'compare two OpenAPI documents: what changed for clients, what breaks them, and which of your requests',
    )
    .argument('<old>', 'the document that clients were written for, YAML or JSON')
    .argument('<new>', 'the document that they will meet')
    .option('--allow-ref <directory...>', 'directories that references may lead to, besides those of the documents')
    .option('--har <file...>', 'HAR files of your client: say which of its requests are affected')
    .option('--url <url>', 'the same from the journal of a running server')
    .option('--sandbox <name>', 'the sandbox whose journal is read (default: default)')
    .option('--control-token <token>', 'the bearer token of that server (or STANDIN_CONTROL_TOKEN)')
    .addOption(
      new Option('--format <format>', 'how it is printed')
        .choices(['text', 'markdown', 'json', 'github'])
        .default('text'),
    )
    .action(async (old: string, now: string, flags: DiffFlags) => (await import('./diff.ts')).diff(old, now, flags))
  withExamples(command, [
    ['standin diff openapi.yaml openapi-next.yaml', 'see what changes for clients; exits with 2 when one may break'],
    ['standin diff openapi.yaml openapi-next.yaml --har session.har', 'and which of your requests are affected'],
    ['standin diff openapi.yaml openapi-next.yaml --format github', 'as annotations of a pull request'],
  ])
}

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
