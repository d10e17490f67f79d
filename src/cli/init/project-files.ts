import { stringify } from 'yaml'
import type { Setting } from '../../config/config.ts'
import { SETTINGS } from '../../config/settings.ts'
import type { ExampleTest } from './example-test.ts'

export const RUNNERS = ['vitest', 'playwright', 'node', 'none'] as const
export type TestRunner = (typeof RUNNERS)[number]

/**
 * The files of a project by name: what `standin init` writes, and the playground offers as a download.
 *
 * @param contract its path, from the project; undefined for the built-in contract
 */
export function projectFiles(
  example: ExampleTest,
  runner: TestRunner,
  contract: string | undefined,
): Readonly<Record<string, string>> {
  return {
    'standin.yaml': configurationOf(contract),
    'standin.fixture.yaml': `${schemaLine('fixtures')}\n# Added to what Standin begins with: ${DOCS}/reference.md#fixtures\n${stringify(example.fixture)}`,
    ...(runner === 'none' ? {} : { [TESTS[runner]]: testOf(example, runner, contract) }),
  }
}

const DOCS = 'node_modules/standin/docs'

/** Editors complete and check the file by its schema. */
function schemaLine(name: 'standin' | 'fixtures'): string {
  return `# yaml-language-server: $schema=node_modules/standin/spec/schemas/${name}.schema.json`
}

const TESTS: Readonly<Record<Exclude<TestRunner, 'none'>, string>> = {
  vitest: 'standin.test.ts',
  playwright: 'standin.spec.ts',
  node: 'standin.test.mjs',
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
