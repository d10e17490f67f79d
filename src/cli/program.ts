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
  addLock(program.command('lock'))
  addDoctor(program.command('doctor'))
  addWait(program.command('wait'))
  addHealth(program.command('health'))
  program.commandsGroup('Work with its data:')
  addCoverage(program.command('coverage'))
  addReplay(program.command('replay'))
  addImport(program.command('import'))
  program.commandsGroup('Test a client:')
  addMutate(program.command('mutate'))
  program.commandsGroup('Compare with the real service:')
  addProxy(program.command('proxy'))
  addLearn(program.command('learn'))
  addCalibrate(program.command('calibrate'))
  addCompare(program.command('compare'))
  addDiff(program.command('diff'))
  addPact(program.command('pact'))
  program.commandsGroup('Connect tools:')
  addMcp(program.command('mcp'))
  addCompletion(program, createProgram)
  return program
}
