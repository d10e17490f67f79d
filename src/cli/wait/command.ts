import type { Command } from 'commander'
import { addFlags, withExamples } from '../flags.ts'
import type { Flags } from '../settings.ts'

export function addWait(command: Command): void {
  addFlags(command.description('wait until a server is ready'), { settings: ['port', 'host'] })
    .argument('[url]', 'the address of the server, or host:port (default: from --port and --host)')
    .option('--timeout <duration>', 'how long, such as 90s or 2m', '30s')
    .action(async (url: string | undefined, flags: Flags) => (await import('./wait.ts')).waitUntilReady(url, flags))
  withExamples(command, [
    ['standin serve & standin wait && npm test', 'start tests when the server is ready'],
    ['standin wait http://standin:4010 --timeout 2m', 'wait for a container'],
  ])
}
