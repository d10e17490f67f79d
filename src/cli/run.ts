import { Command, Option } from 'commander'
import type { ImportFlags } from './import.ts'
import type { McpFlags } from './mcp.ts'
import type { ReplayFlags } from './replay.ts'
import { addFlags } from './flags.ts'
import { readPackaged } from '../formats/source-file.ts'
import { printComplaints } from './complaints.ts'

type Flags = Readonly<Record<string, unknown>>

/** Runs a command line. Errors go to standard error, one complaint a line, and the exit code is 1. */
export async function run(argv: readonly string[]): Promise<void> {
  // The reader of the output may exit first, as in `standin serve | head -1`. The server keeps running without its log.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', ignore)
  const program = new Command('standin')
    .description(
      'A stateful mock server: gives any OpenAPI contract a memory, and stands in for a file set search and report schedule service.',
    )
    .version(version())
    .showSuggestionAfterError()
    .configureOutput({
      outputError: (text, write) => write(`standin: ${inOneLine(text)} ${dashesHint(text)}See standin --help.\n`),
    })
  addFlags(program.command('serve').description('start the server')).action(async (flags: Flags) =>
    (await import('./serve.ts')).serve(flags),
  )
  addFlags(program.command('check').description('load contract, behaviours and fixtures, print a report, and exit'))
    .option('--strict', 'exit with status 1 if there are notes')
    .addOption(new Option('--format <format>', 'how the report is printed').choices(['text', 'json']).default('text'))
    .action(async (flags: Flags) => (await import('./check.ts')).check(flags))
  addFlags(program.command('health').description('check whether a server is ready: exits with 0, else 1'), [
    'port',
    'host',
  ])
    .option('--pid <number>', 'use the flags of this `standin serve` process (Linux)')
    .action(async (flags: Flags) => (await import('./health.ts')).health(flags))
  addImport(program.command('import')).action(async (directory: string, flags: ImportFlags) => {
    const { importFolder } = await import('./import.ts')
    await importFolder(directory, flags)
  })
  program
    .command('replay')
    .description('replay a run from the file of GET /__mock/replay, and print the first difference')
    .argument('<file>', 'the file')
    .option('--handlers <file>', 'your own operations, as in the run')
    .action(async (file: string, flags: ReplayFlags) => (await import('./replay.ts')).replay(file, flags))
  program
    .command('mcp')
    .description('serve the Model Context Protocol over standard input and output, for coding agents')
    .option('--url <url>', 'the running server (default: STANDIN_URL or http://127.0.0.1:4010)')
    .option('--sandbox <name>', 'the sandbox of tools that are called without one (default: default)')
    .option('--control-token <token>', 'the bearer token of that server (or STANDIN_CONTROL_TOKEN)')
    .option('--allow-changes', 'offer the tools that change something, too')
    .action(async (flags: McpFlags) => (await import('./mcp.ts')).mcp(flags))
  try {
    await program.parseAsync(argv)
  } catch (error) {
    printComplaints(error)
  }
}

function ignore(): void {
  // The log itself is gone, so there is nowhere to report this.
}

function addImport(command: Command): Command {
  return command
    .description('make a file set from a real folder: as a fixture, or in a running server')
    .argument('<directory>', 'the folder')
    .option('--as <name>', 'the id of the file set (default: the name of the folder)')
    .option('--out <file>', 'write the fixture there, JSON for a name that ends in .json (default: standard output)')
    .option('--url <url>', 'send the file set to this server, such as http://127.0.0.1:4010')
    .option('--sandbox <name>', 'the sandbox to add it to (default: default)')
    .option('--replace', 'replace a file set of that name')
    .option('--control-token <token>', 'the bearer token of that server (or STANDIN_CONTROL_TOKEN)')
}

/** What commander says in two lines, `error: …` and `(Did you mean …?)`. */
function inOneLine(text: string): string {
  const line = text
    .replace(/^error: /, '')
    .trim()
    .replaceAll(/\s*\n\s*/g, ' ')
  return /[.?)]$/.test(line) ? line : `${line}.`
}

/** npm keeps the flags in front of two dashes for itself and passes on their values. */
function dashesHint(text: string): string {
  const isByNpm = process.env.npm_lifecycle_event !== undefined && text.includes('too many arguments')
  return isByNpm ? 'npm passes on flags after two dashes only: npm start -- --port 4020. ' : ''
}

function version(): string {
  return (readPackaged('package.json').value as { readonly version: string }).version
}
