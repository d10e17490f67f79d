import type { Command } from 'commander'
import { collect, formatOption, withExamples } from '../flags.ts'
import type { CoverageFlags } from './coverage.ts'

export function addCoverage(command: Command): void {
  command
    .description(
      'report what clients used of the contract: of a running server, or of coverage.json files of several runs together',
    )
    .argument('[files...]', 'coverage.json files, or directories of --artifacts')
    .option('--url <url>', 'the running server (default: STANDIN_URL or http://127.0.0.1:4010, without files)')
    .option('--sandbox <name>', 'one sandbox of that server (default: all, also those that were deleted)')
    .option('--control-token <token>', 'the bearer token of that server (or STANDIN_CONTROL_TOKEN)')
    .option('--min <percent>', 'the least coverage: 80, or operations=100 for one kind (repeatable)', collect, [])
    .option('--max-assumed <number>', 'the most assumed behaviours that responses may depend on')
    .addOption(formatOption('how the report is written', 'markdown', 'html', 'junit', 'json', 'github'))
    .option('--out <file>', 'write the report there (default: standard output)')
    .action(async (files: readonly string[], flags: CoverageFlags) =>
      (await import('./coverage.ts')).coverage(files, flags),
    )
  withExamples(command, [
    ['standin coverage', 'what the tests used, after they ran against standin serve'],
    ['standin coverage --min 80 --min operations=100 --max-assumed 10', 'in CI: exit with status 3 below that'],
    ['standin coverage shard-*/artifacts --format html --out coverage.html', 'one page of several runs'],
    ['standin coverage --format markdown >> $GITHUB_STEP_SUMMARY', 'in the summary of a job'],
  ])
}
