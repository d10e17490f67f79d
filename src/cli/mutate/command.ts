import type { Command } from 'commander'
import { addFlags, formatOption, withExamples } from '../flags.ts'
import type { MutateFlags } from './mutate.ts'

export function addMutate(command: Command): void {
  command
    .description(
      'run a test command against changes of the service, and say which the client does not cope with and which no test notices',
    )
    .usage('[options] -- <test command>')
    .argument('<command...>', 'the test command: it gets STANDIN_URL and STANDIN_KEY')
    .option('--only <ids>', 'only these changes: ids or their beginnings, such as page.last,sort')
    .option('--breaking', 'also changes that break the contract, one at a time: would a test notice?')
    .option('--pairs', 'also two settings of behaviours at a time: what does the client cope with only alone?')
    .option(
      '--faults [number]',
      'in place of other changes, faults at one to three requests of each test: the most schedules that are tried for it (default: 200)',
    )
    .option('--max <number>', 'the most changes to try, chosen by the seed')
    .option('--jobs <number>', 'how many changes run at the same time, where tests have no sandboxes of their own', '2')
    .option('--changed-since <report>', 'an earlier report: only what its tests may see differently is tried again')
    .option('--min-score <percent>', 'the least share of changes that the tests cope with or notice')
    .addOption(formatOption('how the report is written', 'markdown', 'junit', 'stryker'))
    .option('--out <file>', 'write the report there, and print the text too (default: standard output)')
    .option('--timeout <seconds>', 'for the tests without a change', '600')
  addFlags(command, { settings: SETTINGS })
  command.action(async (words: readonly string[], flags: MutateFlags) =>
    (await import('./mutate.ts')).mutateService(words, flags),
  )
  withExamples(command, [
    ['standin mutate -- npx vitest run', 'what the tests of a client make of changes of the service'],
    ['standin mutate --contract openapi.yaml -- npm test', 'a contract of your own, with any runner'],
    [
      'standin mutate --min-score 80 --format stryker --out mutation.json -- npx vitest run',
      'in CI: exit with status 3 below that, and keep a report for mutation-testing-elements',
    ],
    ["standin mutate --only 'page.last=null' -- npx vitest run", 'one change again'],
  ])
}

const SETTINGS = [
  'accept',
  'contract',
  'overlay',
  'allowRef',
  'handlers',
  'stubs',
  'seed',
  'clock',
  'files',
  'documents',
  'fixtures',
  'folders',
  'profile',
  'behaviours',
  'keys',
  'hosts',
  'controlToken',
] as const
