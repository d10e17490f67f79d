import { styleText } from 'node:util'
import type { Command } from 'commander'
import { EXIT_CODES } from './exit-codes.ts'

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
