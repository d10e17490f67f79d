import type { Command } from 'commander'
import { formatOption, withExamples } from '../flags.ts'
import type { CalibrateFlags } from './calibrate.ts'

export function addCalibrate(command: Command): void {
  command
    .description('find out how a service behaves, and write a profile for `serve`')
    .option('--target <url>', 'the service')
    .option('--key <key>', 'an API key of the service')
    .option('--file-set <id>', 'a file set that the key may read')
    .option('--other-key <key>', 'the key of another user, for what differs between users')
    .option('--other-file-set <id>', 'another file set, for what happens to tokens there')
    .option('--rate <number>', 'requests a second, up to 100', '2')
    .option('--timeout <seconds>', 'for one response', '30')
    .option('--allow-writes', 'also run probes that create and update report schedules')
    .option('--confirm <host>', 'the host of --target, where there is no terminal to ask')
    .option('--page-id <id>', 'the page of report schedules that probes create', '1')
    .option('--view-id <id>', 'the view of report schedules that probes create', '1')
    .option('--group-id <id>', 'a group that exists, which probes name as a recipient of disabled schedules')
    .option('--dry-run', 'print the requests without sending them')
    .option('--har <file...>', 'learn from recordings instead, without sending anything')
    .option('--only <ids>', 'some behaviours, by id or first word: limit,page.last')
    .option('--profile <file>', 'an earlier profile: exit with 2 when the service has drifted from it')
    .option('--out <file>', 'where the profile is written', 'standin-profile.yaml')
    .option('--force', 'replace the file of --out')
    .addOption(formatOption('how the result is printed', 'json'))
    .action(async (flags: CalibrateFlags) => (await import('./calibrate.ts')).calibrate(flags))
  withExamples(command, [
    [
      'standin calibrate --target https://api.example.com --key $KEY --file-set $ID --dry-run',
      'see what would be sent',
    ],
    ['standin calibrate --target https://api.example.com --key $KEY --file-set $ID', 'read, at most twice a second'],
    ['standin calibrate --har session.har', 'learn from what a browser recorded'],
    [
      'standin calibrate --target $URL --key $KEY --file-set $ID --profile standin-profile.yaml --out now.yaml',
      'in CI: see whether the service has drifted',
    ],
  ])
}
