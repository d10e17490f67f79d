import type { Command } from 'commander'
import { OF_SERVICE } from '../../config/create-config.ts'
import { addFlags, withExamples } from '../flags.ts'
import type { Flags } from '../settings.ts'

export function addDoctor(command: Command): void {
  addFlags(command.description('check what a start depends on, and say how to fix it'), {
    without: [
      ...OF_SERVICE,
      'log',
      'watch',
      'smtp',
      'origins',
      'hosts',
      'selfCheck',
      'validation',
      'fsync',
      'store',
      'storeDurability',
      'consistency',
      'maxSandboxes',
      'sandboxTtl',
    ],
  }).action(async (flags: Flags) => (await import('./doctor.ts')).doctor(flags))
  withExamples(command, [['standin doctor --config standin.yaml', 'check this machine for your settings']])
}
