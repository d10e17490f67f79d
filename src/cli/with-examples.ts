import type { Command } from 'commander'

/** A command line to copy, and what it is for. */
type Example = readonly [line: string, purpose: string]

/** Adds examples to the help of a command. */
export function withExamples(command: Command, examples: readonly Example[]): void {
  const lines = examples.map(([line, purpose]) => `  ${line}\n      ${purpose}`)
  command.addHelpText('after', `\nExamples:\n${lines.join('\n')}`)
}
