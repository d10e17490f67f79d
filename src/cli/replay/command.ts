import type { Command } from 'commander'
import { withExamples } from '../flags.ts'
import type { ReplayFlags } from './replay.ts'

export function addReplay(command: Command): void {
  command
    .description('replay a run from the file of GET /__mock/replay, and print the first difference')
    .argument('<file>', 'the file')
    .option('--handlers <file>', 'your own operations, as in the run')
    .action(async (file: string, flags: ReplayFlags) => (await import('./replay.ts')).replay(file, flags))
  withExamples(command, [['standin replay artifacts/default/replay.json', 'repeat a run that failed in CI']])
}
