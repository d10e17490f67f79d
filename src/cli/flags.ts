import { parseDuration } from '../base/formats/duration.ts'
import { shown, StartupError } from '../base/errors/problem.ts'
import { type Command, Option } from 'commander'
import type { Setting } from '../config/config.ts'
import { OF_SERVICE, SETTING_NAMES } from '../config/create-config.ts'
import { SETTINGS } from '../config/settings.ts'
import { styleText } from 'node:util'
import { EXIT_CODES } from './exit-codes.ts'

/** The headings of `--help`. A setting that is not named here is listed under `Options:`. */
const GROUPS: Readonly<Record<string, readonly Setting[]>> = {
  'Server:': ['port', 'host', 'origins', 'hosts', 'controlToken', 'control', 'smtp', 'watch', 'log'],
  'Contract:': ['contract', 'overlay', 'allowRef', 'handlers', 'stubs', 'validation', 'selfCheck'],
  'A real service beside it:': OF_SERVICE,
  'Webhooks:': ['webhooks', 'webhookSecret', 'allowCallback'],
  'Data:': ['seed', 'clock', 'files', 'documents', 'fixtures', 'folders'],
  'Behaviours:': ['profile', 'behaviours', 'keys'],
  'Sandboxes:': ['maxSandboxes', 'sandboxTtl', 'data', 'fsync', 'store', 'storeDurability', 'consistency', 'artifacts'],
}

const GROUP_OF = new Map(
  Object.entries(GROUPS).flatMap(([group, settings]) => settings.map((one) => [one, group] as const)),
)

interface FlagOptions {
  /** All settings when absent. */
  readonly settings?: readonly Setting[]
  /** Accepted but not listed: the command takes the flags of `standin serve`, and these make no difference to it. */
  readonly without?: readonly Setting[]
  /** One heading for all of them. */
  readonly group?: string
}

/** `--format`, text by default. @param what what is printed, for the help */
export function formatOption(what: string, ...others: readonly string[]): Option {
  return new Option('--format <format>', what).choices(['text', ...others]).default('text')
}

/** Adds `--config` and a flag for each setting. Each is also a variable `STANDIN_…` and a member of the configuration file. */
export function addFlags(command: Command, options: FlagOptions = {}): Command {
  command.option('--config <file>', 'settings from a YAML or JSON file')
  return addSettings(command, options)
}

/** Adds a flag for each setting. */
export function addSettings(command: Command, options: FlagOptions): Command {
  const { settings = SETTING_NAMES, without = [], group } = options
  for (const setting of settings) {
    const option = optionOf(setting).hideHelp(without.includes(setting))
    const heading = group ?? GROUP_OF.get(setting)
    command.addOption(heading === undefined ? option : option.helpGroup(heading))
  }
  return command
}

function optionOf(setting: Setting): Option {
  const { flag, help, isList, choices, byDefault } = SETTINGS[setting]
  const isShown = typeof byDefault === 'number' || typeof byDefault === 'string'
  const option = new Option(flag, isShown ? `${help} (default: ${byDefault})` : help)
  // For the help and for completion. The settings are checked together, whatever they come from.
  if (choices) option.argChoices = [...choices]
  return isList ? option.argParser(collect) : option
}

/** Takes an option that may be repeated. */
export function collect(value: string, before: string[] = []): string[] {
  return [...before, value]
}

/** A command line to copy, and what it is for. */
type ExampleLine = readonly [line: string, purpose: string]

/** Adds the exit codes of a command and examples to its help. */
export function withExamples(command: Command, examples: readonly ExampleLine[]): void {
  const lines = examples.map(([line, purpose]) => `  ${line}\n      ${purpose}`)
  command.addHelpText('after', () => `${exitCodesOf(command)}\n${heading('Examples:')}\n${lines.join('\n')}`)
}

/** Empty for the program itself: its commands have exit codes of their own. */
function exitCodesOf(command: Command): string {
  if (!command.parent) return ''
  const help = command.createHelp()
  help.prepareContext({})
  const codes = EXIT_CODES.flatMap(({ code, commands, meaning }) => {
    const flags = commands === 'all' ? '' : flagsOf(command.name(), commands)
    if (flags === undefined) return []
    return [help.formatItem(String(code), 3, flags === '' ? meaning : `with ${flags}: ${meaning}`, help)]
  })
  return `\n${heading('Exit codes:')}\n${codes.join('\n')}\n`
}

/** @example flagsOf('check', '`check --strict`') // '--strict' */
function flagsOf(name: string, commands: string): string | undefined {
  const [, flags] = new RegExp(`\`${name}( [^\`]*)?\``).exec(commands) ?? [undefined, undefined]
  return commands.includes(`\`${name}`) ? (flags ?? '').trim() : undefined
}

function heading(text: string): string {
  return styleText('bold', text)
}

/** `--timeout` in milliseconds. @param least what is refused below it */
export function readTimeout(text: string, least = 0): number {
  const milliseconds = /^\d{1,9}$/.test(text) ? Number(text) * 1000 : parseDuration(text)
  if (milliseconds !== undefined && milliseconds >= least) return milliseconds
  throw new StartupError([`--timeout: Expected seconds, or a duration such as 90s or 2m; got ${shown(text)}.`])
}
