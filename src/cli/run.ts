import { Command } from 'commander'
import { check } from './check.ts'
import { addSettings } from './settings.ts'
import { serve } from './serve.ts'
import { readPackaged } from '../document.ts'
import { StartRefused } from '../problem.ts'

/** Runs a command line. What is refused is told on standard error, a complaint a line, and ends with status 1. */
export async function run(argv: readonly string[]): Promise<void> {
  const program = new Command('standin')
    .description('A stateful stand-in for a file set search and report schedule service.')
    .version(version())
    .showSuggestionAfterError()
    .configureOutput({ outputError: (text, write) => write(`standin: ${inOneLine(text)} See standin --help.\n`) })
  addSettings(program.command('serve').description('answer requests')).action((flags: Record<string, unknown>) =>
    serve(flags),
  )
  addSettings(program.command('check').description('load contract, ledger and fixtures, report, and end')).action(
    (flags: Record<string, unknown>) => check(flags),
  )
  program
    .command('replay')
    .description('do a run again from the file that GET /__mock/replay answered, and tell the first difference')
    .argument('<file>', 'the file')
    .action(async (file: string) => (await import('./replay.ts')).replay(file))
  try {
    await program.parseAsync(argv)
  } catch (error) {
    if (!(error instanceof StartRefused)) throw error
    for (const complaint of error.complaints) process.stderr.write(`standin: ${complaint}\n`)
    process.exitCode = 1
  }
}

/** What commander says in two lines, `error: …` and `(Did you mean …?)`. */
function inOneLine(text: string): string {
  const line = text
    .replace(/^error: /, '')
    .trim()
    .replaceAll(/\s*\n\s*/g, ' ')
  return /[.?)]$/.test(line) ? line : `${line}.`
}

function version(): string {
  return (readPackaged('package.json').value as { readonly version: string }).version
}
