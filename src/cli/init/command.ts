import { type Command, Option } from 'commander'
import { withExamples } from '../flags.ts'
import type { Flags } from '../settings.ts'

export function addInit(command: Command): void {
  command
    .description('write a commented standin.yaml, a fixture and an example test; files that exist are kept')
    .argument('[directory]', 'where to write them', '.')
    .option('--contract <file>', 'your OpenAPI document, or `none` for the built-in contract')
    .addOption(
      new Option('--runner <name>', 'the test runner of the example').choices(['vitest', 'playwright', 'node', 'none']),
    )
    .option('--yes', 'ask nothing: no contract of your own, and Vitest')
    .action(async (directory: string, flags: Flags) => (await import('./init.ts')).init(directory, flags))
  withExamples(command, [
    ['standin init', 'answer two questions'],
    ['standin init --contract openapi.yaml --runner node', 'answer them in advance'],
  ])
}
