import { join, relative, sep } from 'node:path'
import { createInterface } from 'node:readline/promises'
import { EXIT } from '../exit-codes.ts'
import { exampleFor, PACKAGED } from './example-test.ts'
import { projectFiles, RUNNERS, type TestRunner } from './project-files.ts'
import { createStandin } from '../../app/setup/create-standin.ts'
import { shown, StartupError } from '../../base/errors/problem.ts'
import { isDirectory, isThere, readSourceFile, writeText } from '../../base/formats/source-file.ts'

interface Answers {
  /** As it was given; undefined for the built-in contract. */
  readonly contract: string | undefined
  readonly runner: TestRunner
}

/** `standin init`: writes a configuration, a fixture and an example test. Files that exist are kept. */
export async function init(directory: string, flags: Readonly<Record<string, unknown>>): Promise<void> {
  if (!isThere(directory))
    throw new StartupError([`${directory}: there is no such directory. Create it, or name another.`])
  if (!isDirectory(directory))
    throw new StartupError([`${directory}: it is a file. Pass the contract as --contract ${directory}`])
  const { contract, runner } = await readAnswers(flags)
  const named = contract === undefined ? undefined : relative(directory, contract).split(sep).join('/')
  // Loaded first, so that nothing is written for a contract that is refused.
  if (contract !== undefined) readSourceFile(contract, { namedBy: '--contract' })
  const example = contract === undefined ? PACKAGED : await exampleFor(createStandin({ contract }))
  const files = projectFiles(example, runner, named)
  for (const [name, text] of Object.entries(files)) {
    const path = join(directory, name)
    const isKept = isThere(path)
    if (!isKept) writeText(path, [text])
    process.stdout.write(`${isKept ? 'kept    ' : 'written '} ${path}${isKept ? ', which was there' : ''}\n`)
  }
  const enter = relative('.', directory) === '' ? [] : [`cd ${directory}`]
  const commands = [...enter, 'npx standin serve --config standin.yaml', ...(runner === 'none' ? [] : [RUN[runner]])]
  process.stdout.write(`\nNext:\n${commands.map((line) => `  ${line}\n`).join('')}`)
}

const RUN: Readonly<Record<TestRunner, string>> = {
  vitest: 'npx vitest run standin.test.ts',
  playwright: 'npx playwright test standin.spec.ts',
  node: 'node --test standin.test.mjs',
  none: '',
}

async function readAnswers({ contract, runner, yes }: Readonly<Record<string, unknown>>): Promise<Answers> {
  const given = { contract: contract as string | undefined, runner: runner as TestRunner | undefined }
  const isComplete = yes === true || (given.contract !== undefined && given.runner !== undefined)
  if (!isComplete && !(process.stdin.isTTY && process.stdout.isTTY))
    throw new StartupError([
      'init asks two questions, and this is not a terminal. Pass --yes for the defaults, or --contract and --runner.',
    ])
  const answers = isComplete ? given : await ask(given)
  return { contract: contractOf(answers.contract), runner: answers.runner ?? 'vitest' }
}

async function ask(given: { readonly contract: string | undefined; readonly runner: TestRunner | undefined }) {
  const terminal = createInterface({ input: process.stdin, output: process.stdout })
  try {
    const contract =
      given.contract ?? (await terminal.question('Your OpenAPI document (a path; empty for the built-in one): '))
    const runner =
      given.runner ?? (await terminal.question(`Your test runner (${RUNNERS.join(', ')}; empty for vitest): `))
    return { contract, runner: runnerOf(runner.trim()) }
  } catch (error) {
    if (!(error instanceof Error && error.name === 'AbortError')) throw error
    process.exitCode = EXIT.interrupted
    throw new StartupError(['stopped: nothing was written.'])
  } finally {
    terminal.close()
  }
}

function runnerOf(text: string): TestRunner {
  const runner = text === '' ? 'vitest' : RUNNERS.find((one) => one === text.toLowerCase())
  if (runner === undefined) throw new StartupError([`Expected one of ${RUNNERS.join(', ')}; got ${shown(text)}.`])
  return runner
}

function contractOf(text = ''): string | undefined {
  return ['', 'none'].includes(text.trim()) ? undefined : text.trim()
}
