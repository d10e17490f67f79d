import type { Command } from 'commander'
import { collect, withExamples } from '../flags.ts'
import type { LockFlags } from './lock.ts'

export function addLock(command: Command): void {
  command
    .description('fetch a contract, and the documents that it refers to, for starts without a network')
    .argument('[contract]', 'a URL, or a file with references to URLs (default: what is locked)')
    .option('--header <name: value>', 'a header for the host of the contract (repeatable)', collect)
    .option('--check', 'fetch again, write nothing, and say what has changed for clients')
    .action(async (contract: string | undefined, flags: LockFlags) => (await import('./lock.ts')).lock(contract, flags))
  withExamples(command, [
    [
      'standin lock https://api.example.com/openapi.yaml',
      'then: standin serve --contract https://api.example.com/openapi.yaml',
    ],
    ["standin lock https://api.example.com/openapi.yaml --header 'Authorization: Bearer …'", 'behind a key'],
    ['standin lock --check', 'in CI: exits with 2 when a document has changed'],
  ])
}
