import type { Command } from 'commander'
import { errorPrefix, printComplaints } from './complaints.ts'
import { createProgram } from './program.ts'

/** Runs a command line. Errors go to standard error, one complaint a line, and the exit code is 1. */
export async function run(argv: readonly string[]): Promise<void> {
  // The reader of the output may exit first, as in `standin serve | head -1`. The server keeps running without its log.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', ignore)
  try {
    const program = explainErrors(createProgram(argv[2]))
    await program.parseAsync(withoutHelp(argv, program))
  } catch (error) {
    printComplaints(error)
  }
}

/** Help for a command that there is not would be help for all, and exit with 1: without the word, the command is refused by its name. */
function withoutHelp(argv: readonly string[], { commands }: Command): readonly string[] {
  const [node = '', script = '', word, command] = argv
  const isKnown = command === undefined || commands.some((one) => one.name() === command)
  return word !== 'help' || isKnown ? argv : [node, script, command]
}

function ignore(): void {
  // The log itself is gone, so there is nowhere to report this.
}

function explainErrors(program: Command): Command {
  for (const command of [program, ...program.commands]) {
    const help = command === program ? 'standin --help' : `standin ${command.name()} --help`
    command.configureOutput({
      outputError: (text, write) =>
        write(
          `${errorPrefix()} ${inOneLine(text)} ${dashesHint(text)}${command === program ? commandHint(text, program) : ''}See ${help}.\n`,
        ),
    })
  }
  return program
}

/** What commander says in two lines, `error: …` and `(Did you mean …?)`. */
function inOneLine(text: string): string {
  const line = text
    .replace(/^error: /, '')
    .trim()
    .replaceAll(/\s*\n\s*/g, ' ')
    .replace(/ \((Did you mean .*\?)\)$/, '. $1')
  return /[.?)]$/.test(line) ? line : `${line}.`
}

/** A flag without a command: the commands that have it, the first of them as an example. */
function commandHint(text: string, { commands }: Command): string {
  const flag = /unknown option '(--[\w-]+)/.exec(text)?.[1]
  const having = commands.find(({ options }) => options.some(({ long }) => long === flag))
  return having ? `Flags follow a command: standin ${having.name()} ${flag ?? ''}. ` : ''
}

/** npm keeps the flags in front of two dashes for itself and passes on their values. */
function dashesHint(text: string): string {
  const isByNpm = process.env.npm_lifecycle_event !== undefined && text.includes('too many arguments')
  return isByNpm ? 'npm passes on flags after two dashes only: npm start -- --port 4020. ' : ''
}
