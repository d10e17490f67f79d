import type { Command } from 'commander'
import { formatOption, withExamples } from '../flags.ts'
import type { DiffFlags } from './diff.ts'

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
    .addOption(formatOption('how it is printed', 'markdown', 'json', 'github'))
    .action(async (old: string, now: string, flags: DiffFlags) => (await import('./diff.ts')).diff(old, now, flags))
  withExamples(command, [
    ['standin diff openapi.yaml openapi-next.yaml', 'see what changes for clients; exits with 2 when one may break'],
    ['standin diff openapi.yaml openapi-next.yaml --har session.har', 'and which of your requests are affected'],
    ['standin diff openapi.yaml openapi-next.yaml --format github', 'as annotations of a pull request'],
  ])
}
