import type { Command } from 'commander'
import { addFlags, addSettings, withExamples } from '../flags.ts'
import type { ProxyFlags } from './proxy.ts'

/** The settings of a server that forwards. */
const PROXIED = [
  ...(['port', 'host', 'contract', 'overlay', 'allowRef', 'origins', 'hosts'] as const),
  ...(['maxSandboxes', 'sandboxTtl', 'controlToken', 'control', 'log'] as const),
]

/** The settings of the stand-in that is asked too. */
const SHADOWED = [
  ...([
    'fixtures',
    'profile',
    'behaviours',
    'handlers',
    'seed',
    'files',
    'documents',
    'locale',
    'values',
    'clock',
  ] as const),
]

export function addProxy(command: Command): void {
  addFlags(command.description('forward requests to a service, and check both sides against the contract'), {
    settings: PROXIED,
  })
    .requiredOption('--upstream <url>', 'the address of the service, such as https://api.example.com/v2')
    .option('--timeout <duration>', 'how long the service may send nothing, such as 90s or 2m', '30s')
    .option('--record <directory>', 'write what passes to HAR files there, without keys, cookies and tokens')
    .option('--shadow', 'ask the stand-in too, and keep its different responses in the journal')
    .action(async (flags: ProxyFlags) => (await import('./proxy.ts')).proxy(flags))
  addSettings(command, { settings: SHADOWED, group: 'The stand-in of --shadow:' })
  withExamples(command, [
    ['standin proxy --upstream https://api.example.com --contract openapi.yaml', 'see what breaks the contract'],
    ['standin proxy --upstream https://api.example.com --record recordings', 'keep it for calibrate and import'],
    [
      'standin proxy --upstream https://api.example.com --shadow --fixtures service.yaml --profile standin-profile.yaml',
      'see where the stand-in responds otherwise',
    ],
  ])
}
