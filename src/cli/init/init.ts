import { join, relative, sep } from 'node:path'
import { createInterface } from 'node:readline/promises'
import { stringify } from 'yaml'
import { EXIT } from '../exit-codes.ts'
import { exampleFor, type ExampleTest } from './example-test.ts'
import { SETTINGS } from '../../config/settings.ts'
import type { Setting } from '../../config/config.ts'
import { shown, StartupError } from '../../base/errors/problem.ts'
import { isDirectory, isThere, writeText } from '../../base/formats/source-file.ts'

const RUNNERS = ['vitest', 'playwright', 'node', 'none'] as const
type TestRunner = (typeof RUNNERS)[number]

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
  const example = await exampleFor(contract)
  const test = runner === 'none' ? undefined : testOf(example, runner, named)
  const files = {
    'standin.yaml': configurationOf(named),
    'standin.fixture.yaml': `${schemaLine('fixtures')}\n# Added to what Standin begins with: ${DOCS}/reference.md#fixtures\n${stringify(example.fixture)}`,
    ...(test === undefined ? {} : { [TESTS[runner]]: test }),
  }
  for (const [name, text] of Object.entries(files)) {
    const path = join(directory, name)
    const isKept = isThere(path)
    if (!isKept) writeText(path, [text])
    process.stdout.write(`${isKept ? 'kept    ' : 'written '} ${path}${isKept ? ', which was there' : ''}\n`)
  }
  const enter = relative('.', directory) === '' ? [] : [`cd ${directory}`]
  const commands = [...enter, 'npx standin serve --config standin.yaml', ...(test === undefined ? [] : [RUN[runner]])]
  process.stdout.write(`\nNext:\n${commands.map((line) => `  ${line}\n`).join('')}`)
}

const DOCS = 'node_modules/standin/docs'

/** Editors complete and check the file by its schema. */
function schemaLine(name: 'standin' | 'fixtures'): string {
  return `# yaml-language-server: $schema=node_modules/standin/spec/schemas/${name}.schema.json`
}

const TESTS: Readonly<Record<TestRunner, string>> = {
  vitest: 'standin.test.ts',
  playwright: 'standin.spec.ts',
  node: 'standin.test.mjs',
  none: '',
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

/** Settings that a beginner may want, with what `--help` says of them. */
const SUGGESTED: readonly (readonly [Setting, unknown])[] = [
  ['port', 4010],
  ['seed', 42],
  ['clock', '2026-03-05T14:30:00Z'],
  ['watch', true],
  ['behaviours', { 'page.last': 'null' }],
  ['sandboxTtl', '1h'],
  ['artifacts', 'artifacts'],
]

function configurationOf(contract: string | undefined): string {
  const chosen = { ...(contract === undefined ? {} : { contract }), fixtures: ['standin.fixture.yaml'] }
  const suggested = SUGGESTED.map(([setting, value]) => {
    const lines = stringify({ [setting]: value })
      .trimEnd()
      .split('\n')
    return `# ${SETTINGS[setting].help}\n${lines.map((line) => `# ${line}\n`).join('')}`
  })
  return [
    schemaLine('standin'),
    '# Settings of `standin serve --config standin.yaml`. Flags and STANDIN_… variables take precedence.',
    `# All of them: ${DOCS}/reference.md#settings`,
    '',
    stringify(chosen),
    ...suggested,
  ].join('\n')
}

function testOf(
  { title, code }: ExampleTest,
  runner: Exclude<TestRunner, 'none'>,
  contract: string | undefined,
): string {
  const named = contract === undefined ? '' : `contract: '${contract}', `
  const { head, parameters, first = [], equal } = WRITE[runner](`${named}fixtures: ['standin.fixture.yaml']`)
  const lines = [...first, ...code.map((line) => (typeof line === 'string' ? line : equal(...line)))]
  return `${head.join('\n')}\n\ntest('${title}', async (${parameters}) => {\n${lines.map((line) => `  ${line}\n`).join('')}})\n`
}

/** How a test is written for a runner, with the options of the stand-in. */
interface TestSyntax {
  readonly head: readonly string[]
  readonly parameters: string
  /** The first lines of the test. */
  readonly first?: readonly string[]
  equal(received: string, expected: string): string
}

const CLOCK = `'2026-03-05T14:30:00Z'`
const NOTE =
  '// Each test has a sandbox of its own. `standin.fetch` needs no port; for a client, ask for `url` and `key`.'
const expectEqual = (received: string, expected: string) => `expect(${received}).toEqual(${expected})`

const WRITE: Readonly<Record<Exclude<TestRunner, 'none'>, (options: string) => TestSyntax>> = {
  vitest: (options) => ({
    head: [
      `import { test as base } from 'standin/vitest'`,
      `import { expect } from 'vitest'\n`,
      NOTE,
      `const test = base.extend({ standinOptions: { ${options} }, clock: ${CLOCK} })`,
    ],
    parameters: '{ standin }',
    equal: expectEqual,
  }),
  playwright: (options) => ({
    head: [
      `import { expect, test } from 'standin/playwright'\n`,
      NOTE,
      `test.use({ standinOptions: { ${options} }, standinClock: ${CLOCK} })`,
    ],
    parameters: '{ standin }',
    equal: expectEqual,
  }),
  node: (options) => ({
    head: [
      `import assert from 'node:assert/strict'`,
      `import test from 'node:test'`,
      `import { useStandin } from 'standin/node-test'\n`,
      NOTE,
    ],
    parameters: 't',
    first: [`const standin = await useStandin(t, { ${options}, clock: ${CLOCK} })`],
    equal: (received, expected) => `assert.deepEqual(${received}, ${expected})`,
  }),
}
