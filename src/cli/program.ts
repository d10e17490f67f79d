import { styleText } from 'node:util'
import { Command } from 'commander'
import { packageVersion } from '../base/formats/source-file.ts'
import { addCalibrate } from './calibrate/command.ts'
import { addCheck } from './check/command.ts'
import { addCompare } from './compare/command.ts'
import { addCompletion } from './completion/command.ts'
import { addCoverage } from './coverage/command.ts'
import { addDiff } from './diff/command.ts'
import { addDoctor } from './doctor/command.ts'
import { addHealth } from './health/command.ts'
import { addImport } from './import/command.ts'
import { addInit } from './init/command.ts'
import { addLearn } from './learn/command.ts'
import { addLock } from './lock/command.ts'
import { addMcp } from './mcp/command.ts'
import { addMutate } from './mutate/command.ts'
import { addPact } from './pact/command.ts'
import { addProxy } from './proxy/command.ts'
import { addReplay } from './replay/command.ts'
import { addServe } from './serve/command.ts'
import { addWait } from './wait/command.ts'
import { withExamples } from './flags.ts'

/** The commands, by the heading of the help that lists them. */
const COMMANDS: Readonly<Record<string, Readonly<Record<string, (command: Command) => void>>>> = {
  'Run a server:': {
    serve: addServe,
    check: addCheck,
    init: addInit,
    lock: addLock,
    doctor: addDoctor,
    wait: addWait,
    health: addHealth,
  },
  'Work with its data:': { coverage: addCoverage, replay: addReplay, import: addImport },
  'Test a client:': { mutate: addMutate },
  'Compare with the real service:': {
    proxy: addProxy,
    learn: addLearn,
    calibrate: addCalibrate,
    compare: addCompare,
    diff: addDiff,
    pact: addPact,
  },
  'Connect tools:': { mcp: addMcp },
}

/**
 * The command line. What a command does is loaded when it runs.
 *
 * @param called the command that runs, which needs no others: together they have 300 flags
 */
export function createProgram(called?: string): Command {
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
  const asked = Object.values(COMMANDS).find((commands) => Object.hasOwn(commands, called ?? ''))
  if (called !== undefined && asked) {
    asked[called]?.(program.command(called))
    return program
  }
  for (const [heading, commands] of Object.entries(COMMANDS)) {
    program.commandsGroup(heading)
    for (const [name, add] of Object.entries(commands)) add(program.command(name))
  }
  addCompletion(program, createProgram)
  return program
}
