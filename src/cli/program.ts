import { styleText } from 'node:util'
import { Argument, Command, Option } from 'commander'
import type { CoverageFlags } from './coverage.ts'
import { addCompare } from './compare-command.ts'
import { addDiff, addPact } from './contract-commands.ts'
import type { ImportFlags } from './import.ts'
import type { McpFlags } from './mcp.ts'
import type { ReplayFlags } from './replay.ts'
import { addFlags } from './flags.ts'
import { addCalibrate, addProxy } from './service-commands.ts'
import { withExamples } from './with-examples.ts'
import { packageVersion } from '../base/formats/source-file.ts'

type Flags = Readonly<Record<string, unknown>>

/** What `standin check` accepts, so that the flags of a `standin serve` can be checked as they are, though it makes no difference to it. */
const NOT_LOADED = [
  ...(['port', 'host', 'origins', 'hosts', 'controlToken', 'control', 'smtp', 'watch', 'log'] as const),
  ...(['maxSandboxes', 'sandboxTtl', 'fsync', 'artifacts', 'selfCheck'] as const),
]

/** The whole command line. What a command does is loaded when it runs. */
export function createProgram(): Command {
  const program = new Command('standin')
    .description(
      'A stateful mock server: gives any OpenAPI contract a memory, and stands in for a file set search and report schedule service.',
    )
    .version(packageVersion())
    .showSuggestionAfterError()
    .configureHelp({ styleTitle: (title) => styleText('bold', title) })
  withExamples(program, [
    ['standin serve', 'start with the built-in contract'],
    ['standin serve --contract openapi.yaml', 'start with your own'],
    ['standin init', 'write a configuration, a fixture and a first test'],
    ['standin serve --help', 'see the flags of a command'],
  ])
  program.commandsGroup('Run a server:')
  addServe(program.command('serve'))
  addCheck(program.command('check'))
  addInit(program.command('init'))
  addDoctor(program.command('doctor'))
  addWait(program.command('wait'))
  addHealth(program.command('health'))
  program.commandsGroup('Work with what it did and holds:')
  addCoverage(program.command('coverage'))
  addReplay(program.command('replay'))
  addImport(program.command('import'))
  program.commandsGroup('Compare with the real service:')
  addProxy(program.command('proxy'))
  addCalibrate(program.command('calibrate'))
  addCompare(program.command('compare'))
  addDiff(program.command('diff'))
  addPact(program.command('pact'))
  program.commandsGroup('Connect tools:')
  addMcp(program.command('mcp'))
  addCompletion(program)
  return program
}

function addServe(command: Command): void {
  addFlags(command.description('start the server')).action(async (flags: Flags) =>
    (await import('./serve.ts')).serve(flags),
  )
  withExamples(command, [
    ['standin serve --contract openapi.yaml --watch', 'reload the contract when it changes'],
    ['standin serve --port 0 --seed 7 --clock 2026-03-01T09:00:00Z', 'a free port, and the same bytes in every run'],
    ['standin serve --config standin.yaml --artifacts artifacts', 'in CI: keep what happened for when a test fails'],
    ['standin serve --host 0.0.0.0 --control-token $TOKEN --sandbox-ttl 1h', 'one server for a team'],
  ])
}

function addCheck(command: Command): void {
  addFlags(command.description('load contract, behaviours and fixtures, print a report, and exit'), {
    without: NOT_LOADED,
  })
    .option('--strict', 'exit with status 1 if there are notes')
    .addOption(new Option('--format <format>', 'how the report is printed').choices(['text', 'json']).default('text'))
    .action(async (flags: Flags) => (await import('./check.ts')).check(flags))
  withExamples(command, [
    ['standin check --contract openapi.yaml', 'see what each operation was taken for'],
    ['standin check --config standin.yaml --strict', 'in CI: fail on anything that is left out'],
  ])
}

function addInit(command: Command): void {
  command
    .description('write a commented standin.yaml, a fixture and an example test; files that exist are kept')
    .argument('[directory]', 'where to write them', '.')
    .option('--contract <file>', 'your OpenAPI document, or `none` for the built-in contract')
    .addOption(
      new Option('--runner <name>', 'the test runner of the example').choices(['vitest', 'playwright', 'node', 'none']),
    )
    .option('--yes', 'ask nothing: no contract of your own, and Vitest')
    .action(async (directory: string, flags: Flags) => (await import('./init/init.ts')).init(directory, flags))
  withExamples(command, [
    ['standin init', 'answer two questions'],
    ['standin init --contract openapi.yaml --runner node', 'answer them in advance'],
  ])
}

function addDoctor(command: Command): void {
  addFlags(command.description('check what a start depends on, and say how to fix it'), {
    without: ['log', 'watch', 'smtp', 'origins', 'hosts', 'selfCheck', 'fsync', 'maxSandboxes', 'sandboxTtl'],
  }).action(async (flags: Flags) => (await import('./doctor.ts')).doctor(flags))
  withExamples(command, [['standin doctor --config standin.yaml', 'check this machine for your settings']])
}

function addWait(command: Command): void {
  addFlags(command.description('wait until a server is ready'), { settings: ['port', 'host'] })
    .argument('[url]', 'the address of the server, or host:port (default: from --port and --host)')
    .option('--timeout <duration>', 'how long, such as 90s or 2m', '30s')
    .action(async (url: string | undefined, flags: Flags) => (await import('./wait.ts')).waitUntilReady(url, flags))
  withExamples(command, [
    ['standin serve & standin wait && npm test', 'start tests when the server is ready'],
    ['standin wait http://standin:4010 --timeout 2m', 'wait for a container'],
  ])
}

function addHealth(command: Command): void {
  addFlags(command.description('check whether a server is ready: exits with 0, else 1'), { settings: ['port', 'host'] })
    .option('--pid <number>', 'use the flags of this `standin serve` process (Linux)')
    .action(async (flags: Flags) => (await import('./health.ts')).health(flags))
  withExamples(command, [['standin health --port 4010', 'as a health check of a container']])
}

function addImport(command: Command): void {
  addFlags(command, { settings: ['contract', 'overlay', 'allowRef'] })
    .description('make data of your own from a real folder or from recordings: as a fixture, or in a running server')
    .argument('[directory]', 'the folder')
    .option('--har <file...>', 'recordings instead, of a browser or of `standin proxy --record`; people are made up')
    .option('--as <name>', 'the id of the file set (default: the name of the folder)')
    .option('--out <file>', 'write the fixture there, JSON for a name that ends in .json (default: standard output)')
    .option('--force', 'replace the file of --out')
    .option('--url <url>', 'send the file set to this server, such as http://127.0.0.1:4010')
    .option('--sandbox <name>', 'the sandbox to add it to (default: default)')
    .option('--replace', 'replace a file set of that name')
    .option('--control-token <token>', 'the bearer token of that server (or STANDIN_CONTROL_TOKEN)')
    .action(async (directory: string | undefined, flags: ImportFlags) =>
      (await import('./import.ts')).importData(directory, flags),
    )
  withExamples(command, [
    ['standin import ./documents --out documents.yaml', 'write a fixture'],
    ['standin import ./documents --url http://127.0.0.1:4010 --replace', 'send it to a running server'],
    ['standin import --har recordings/*.har --out service.yaml', 'begin with the data of a service'],
  ])
}

function addReplay(command: Command): void {
  command
    .description('replay a run from the file of GET /__mock/replay, and print the first difference')
    .argument('<file>', 'the file')
    .option('--handlers <file>', 'your own operations, as in the run')
    .action(async (file: string, flags: ReplayFlags) => (await import('./replay.ts')).replay(file, flags))
  withExamples(command, [['standin replay artifacts/default/replay.json', 'repeat a run that failed in CI']])
}

function addCoverage(command: Command): void {
  command
    .description(
      'report what clients used of the contract: of a running server, or of coverage.json files of several runs together',
    )
    .argument('[files...]', 'coverage.json files, or directories of --artifacts')
    .option('--url <url>', 'the running server (default: STANDIN_URL or http://127.0.0.1:4010, without files)')
    .option('--sandbox <name>', 'one sandbox of that server (default: all, also those that were deleted)')
    .option('--control-token <token>', 'the bearer token of that server (or STANDIN_CONTROL_TOKEN)')
    .option('--min <percent>', 'the least coverage: 80, or operations=100 for one kind (repeatable)', collect, [])
    .option('--max-assumed <number>', 'how many behaviours that are only assumed responses may depend on')
    .addOption(
      new Option('--format <format>', 'how the report is written')
        .choices(['text', 'markdown', 'html', 'junit', 'json', 'github'])
        .default('text'),
    )
    .option('--out <file>', 'write the report there (default: standard output)')
    .action(async (files: readonly string[], flags: CoverageFlags) =>
      (await import('./coverage.ts')).coverage(files, flags),
    )
  withExamples(command, [
    ['standin coverage', 'what the tests used, after they ran against standin serve'],
    ['standin coverage --min 80 --min operations=100 --max-assumed 10', 'in CI: exit with status 3 below that'],
    ['standin coverage shard-*/artifacts --format html --out coverage.html', 'one page of several runs'],
    ['standin coverage --format markdown >> $GITHUB_STEP_SUMMARY', 'in the summary of a job'],
  ])
}

function collect(value: string, before: readonly string[]): readonly string[] {
  return [...before, value]
}

function addMcp(command: Command): void {
  command
    .description('serve the Model Context Protocol over standard input and output, for coding agents')
    .option('--url <url>', 'the running server (default: STANDIN_URL or http://127.0.0.1:4010)')
    .option('--sandbox <name>', 'the sandbox of tools that are called without one (default: default)')
    .option('--control-token <token>', 'the bearer token of that server (or STANDIN_CONTROL_TOKEN)')
    .option('--allow-changes', 'offer the tools that change something, too')
    .action(async (flags: McpFlags) => (await import('./mcp.ts')).mcp(flags))
  withExamples(command, [
    ['standin mcp --url http://127.0.0.1:4020', 'let an agent look into the server there'],
    ['standin mcp --url http://127.0.0.1:4020 --sandbox checkout --allow-changes', 'and change one sandbox'],
  ])
}

function addCompletion(program: Command): void {
  const command = program
    .command('completion')
    .description('print a script that completes commands and flags in a shell')
  command
    .addArgument(new Argument('<shell>', 'your shell').choices(['bash', 'zsh', 'fish']))
    .action(async (shell: 'bash' | 'zsh' | 'fish') => (await import('./completion.ts')).printScript(shell))
  withExamples(command, [
    [`echo 'source <(standin completion bash)' >> ~/.bashrc`, 'in Bash'],
    [`echo 'source <(standin completion zsh)' >> ~/.zshrc`, 'in Zsh, after compinit'],
    ['standin completion fish > ~/.config/fish/completions/standin.fish', 'in fish'],
  ])
  program
    .command('complete', { hidden: true })
    .argument('[words...]')
    .action(async (words: readonly string[]) =>
      (await import('./completion.ts')).printSuggestions(createProgram(), words),
    )
}
