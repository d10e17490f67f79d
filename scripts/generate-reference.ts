// Writes the tables of docs/reference.md that come from the command line's own definition: commands, flags, settings, exit codes. With --check it
// writes nothing and fails when the file is stale.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Command } from 'commander'
import { EXIT_CODES } from '../src/cli/exit-codes.ts'
import { createProgram } from '../src/cli/program.ts'
import type { Setting } from '../src/config/config.ts'
import { SETTING_NAMES } from '../src/config/create-config.ts'
import { SETTINGS } from '../src/config/settings.ts'
import { variable } from '../src/config/sources.ts'

const target = join(import.meta.dirname, '..', 'docs', 'reference.md')

/** What the table says besides the help of a flag. */
const MORE: Partial<Record<Setting, string>> = {
  port: 'The start prints it',
  fixtures: 'Separate by commas in the variable',
  folders:
    'Separate by commas in the variable, `name: directory` in the file: see [Large data](large-data.md#a-real-folder-as-a-file-set)',
  contract:
    'YAML or JSON, by its path or by a URL that [`standin lock`](own-contract.md#a-contract-by-its-url) fetched: see [Your own contract](own-contract.md)',
  stubs: 'See [Stubs](stubs.md)',
  upstream: 'See [Partly real](partial.md)',
  webhooks: 'See [Webhooks](webhooks.md)',
  mock: 'Separate by commas',
  pass: 'Separate by commas',
  validation: 'See [Your own contract](own-contract.md)',
  overlay:
    'Applied in order; separate by commas in the variable: see [Change a contract without editing it](own-contract.md#change-a-contract-without-editing-it)',
  handlers: 'See [Your own contract](own-contract.md#handlers-in-typescript)',
  locale: 'See [Values in a language](own-contract.md#values-in-a-language)',
  values:
    'Separate by semicolons in the variable, `member: generator` in the file: see [Values that you choose](own-contract.md#values-that-you-choose)',
  profile: 'See [Behaviours](behaviours.md)',
  behaviours: 'Separate by semicolons in the variable, `id: value` in the file: see [Behaviours](behaviours.md)',
  keys: 'Then no other key is accepted. In the configuration file, the list itself',
  origins: 'See [Frontend](frontend.md)',
  maxSandboxes: 'See [Testing](testing.md#a-private-sandbox-for-each-test)',
  sandboxTtl: 'See [Testing](testing.md#a-private-sandbox-for-each-test)',
  controlToken: 'See [Access](#access)',
  smtp: 'See [Time](time.md#send-deliveries-as-mail)',
  data: 'See [Persistence](persistence.md)',
  artifacts: 'See [CI](ci.md#when-a-run-fails)',
  log: '`verbose` shows whole tokens, and also preflights, health checks and reads of the control API; `json` has the members of [`log.schema.json`](../spec/log.schema.json); `silent` does not even print the port',
}

/** Where a command is explained. */
const PAGES: Readonly<Record<string, string>> = {
  check: 'ci.md#check-files-before-you-serve-them',
  doctor: 'troubleshooting.md',
  init: 'testing.md',
  wait: 'ci.md#health-check',
  health: 'ci.md#health-check',
  import: 'large-data.md#a-real-folder-as-a-file-set',
  learn: 'truth.md#learn-a-service-from-recordings',
  lock: 'own-contract.md#a-contract-by-its-url',
  proxy: 'truth.md#proxy-and-record',
  replay: 'persistence.md#replay-a-run',
  mcp: 'agents.md',
  mutate: 'mutate.md',
}

const CONFIG_ROW = [
  '`--config <file>`',
  `\`${variable('config')}\``,
  '',
  'none',
  'the configuration file, YAML or JSON',
]

const program = createProgram()
const commands = program
  .createHelp()
  .visibleCommands(program)
  .filter((command) => command.name() !== 'help')

const sections: Readonly<Record<string, readonly string[]>> = {
  commands: [
    ...table(
      ['Command', ''],
      commands.map((command) => [`\`${usageOf(command)}\``, aboutOf(command)]),
    ),
    '',
    ...commands.flatMap((command) => ownFlags(command)),
  ],
  settings: table(['Flag', 'Environment', 'File', 'Default', ''], [...SETTING_NAMES.map(settingRow), CONFIG_ROW]),
  'exit codes': table(
    ['Code', 'Command', 'Meaning'],
    EXIT_CODES.map(({ code, commands: of, meaning }) => [String(code), of, meaning]),
  ),
}

function usageOf(command: Command): string {
  const words = command.registeredArguments.map((one) => (one.required ? `<${one.name()}>` : `[${one.name()}]`))
  return ['standin', command.name(), ...words].join(' ')
}

function aboutOf(command: Command): string {
  const page = PAGES[command.name()]
  return `${command.description()}${page === undefined ? '' : `: see [${titleOf(page)}](${page})`}`
}

function titleOf(page: string): string {
  return /^# (.*)/m.exec(readFileSync(join(target, '..', page.split('#')[0] ?? ''), 'utf8'))?.[1] ?? page
}

/** The flags that are no settings. */
function ownFlags(command: Command): string[] {
  const settings = new Set(SETTING_NAMES.map((name) => SETTINGS[name].flag))
  const hasSettings = command.options.some(({ long }) => long === '--config')
  const own = hasSettings
    ? command.options.filter(({ flags, long }) => !settings.has(flags) && long !== '--config')
    : command.options
  const also = hasSettings ? ' It also takes settings, which `--help` lists.' : ''
  if (own.length === 0) return []
  const rows = own.map(({ flags, description, argChoices, defaultValue }) => {
    const choices = argChoices ? ` (${argChoices.join(', ')})` : ''
    return [
      `\`${flags}\``,
      `${description}${choices}${defaultValue === undefined ? '' : ` (default: ${String(defaultValue)})`}`,
    ]
  })
  return [`\`${usageOf(command)}\` has flags of its own.${also}`, '', ...table(['Flag', ''], rows), '']
}

function settingRow(name: Setting): string[] {
  const { flag, help, byDefault, choices } = SETTINGS[name]
  const [, text = help, told] = /^(.*) \(default: (.*)\)$/.exec(help) ?? []
  const isShown = typeof byDefault === 'number' || typeof byDefault === 'string'
  const usual = isShown ? String(byDefault) : (told ?? (typeof byDefault === 'boolean' ? yesOrNo(byDefault) : 'none'))
  const values = choices ? `: ${choices.map((one) => `\`${one}\``).join(', ')}` : ''
  const more = MORE[name]
  return [
    `\`${flag}\``,
    `\`${variable(name)}${flag.startsWith('--no-') ? '=false' : ''}\``,
    `\`${name}\``,
    usual,
    `${text}${values}${more === undefined ? '' : `. ${more}`}`,
  ]
}

function yesOrNo(value: boolean): string {
  return value ? 'true' : 'no'
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const line = (cells: readonly string[]) =>
    `|${cells.map((cell) => (cell === '' ? ' ' : ` ${cell.replaceAll('|', '\\|')} `)).join('|')}|`
  return [line(head), `|${head.map(() => '---').join('|')}|`, ...rows.map(line)]
}

const before = readFileSync(target, 'utf8')
let text = before
for (const [name, lines] of Object.entries(sections)) {
  const [begin, end] = [`<!-- ${name}: generated by scripts/generate-reference.ts -->`, `<!-- end of ${name} -->`]
  const [at, to] = [text.indexOf(begin), text.indexOf(end)]
  if (at < 0 || to < at) throw new Error(`docs/reference.md has no place for ${name}: write ${begin} and ${end}`)
  text = `${text.slice(0, at + begin.length)}\n\n${lines.join('\n').trim()}\n\n${text.slice(to)}`
}

if (!process.argv.includes('--check')) writeFileSync(target, text)
else if (text !== before) {
  console.error('docs/reference.md is stale. Run: node scripts/generate-reference.ts')
  process.exitCode = 1
}
