import type { Command } from 'commander'
import { addFlags, withExamples } from '../flags.ts'
import type { Flags } from '../settings.ts'

export function addHealth(command: Command): void {
  addFlags(command.description('check whether a server is ready: exits with 0, else 1'), { settings: ['port', 'host'] })
    .option('--pid <number>', 'use the flags of this `standin serve` process (Linux)')
    .action(async (flags: Flags) => (await import('./health.ts')).health(flags))
  withExamples(command, [['standin health --port 4010', 'as a health check of a container']])
}
