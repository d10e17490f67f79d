import type { Command } from 'commander'
import { addFlags, withExamples } from '../flags.ts'
import type { Flags } from '../settings.ts'

export function addServe(command: Command): void {
  addFlags(command.description('start the server'), { without: ['accept'] }).action(async (flags: Flags) =>
    (await import('./serve.ts')).serve(flags),
  )
  withExamples(command, [
    ['standin serve --contract openapi.yaml --watch', 'reload the contract when it changes'],
    ['standin serve --port 0 --seed 7 --clock 2026-03-01T09:00:00Z', 'a free port, and the same bytes in every run'],
    ['standin serve --config standin.yaml --artifacts artifacts', 'in CI: keep what happened for when a test fails'],
    ['standin serve --host 0.0.0.0 --control-token $TOKEN --sandbox-ttl 1h', 'one server for a team'],
  ])
}
