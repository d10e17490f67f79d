import type { Command } from 'commander'
import { addFlags, formatOption, withExamples } from '../flags.ts'
import type { LearnFlags } from './learn.ts'

export function addLearn(command: Command): void {
  addFlags(command, { settings: ['contract', 'overlay', 'allowRef', 'documents'] })
    .description('learn from recordings how a service differs from its contract, and write a profile for `serve`')
    .requiredOption(
      '--har <file...>',
      'recordings of the service, in their order: of `standin proxy --record`, or of a browser',
    )
    .option('--url <url>', 'the address of the service, where the recordings have several')
    .option('--out <file>', 'where the profile is written', 'standin-profile.yaml')
    .option(
      '--contract-out <file>',
      'where the contract is written that the recordings show, if none is given',
      'standin-contract.yaml',
    )
    .option('--force', 'replace the files of --out and --contract-out')
    .addOption(formatOption('how the result is printed', 'json'))
    .action(async (flags: LearnFlags) => (await import('./learn.ts')).learnProfile(flags))
  withExamples(command, [
    ['standin learn --contract openapi.yaml --har recordings/*.har', 'write standin-profile.yaml'],
    ['standin learn --har recordings/*.har', 'write standin-contract.yaml too, for a service without a contract'],
    [
      'standin serve --contract openapi.yaml --documents 0 --profile standin-profile.yaml',
      'respond as the service does',
    ],
  ])
}
