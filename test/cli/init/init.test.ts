import { execFile, spawn, spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { CLI, createDirectory, runCommand } from '../../support/command.ts'
import { createProject as createExampleProject, plainEnvironment } from '../../support/example-project.ts'
import { takesAll } from '../../support/cases.ts'

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))
const SHOP = join(ROOT, 'examples/shop/contract.yaml')
const run = promisify(execFile)

/** A project that has Standin installed. */
function createProject(): string {
  const { path, remove } = createDirectory({ 'package.json': '{"type":"module"}' })
  onTestFinished(remove)
  mkdirSync(join(path, 'node_modules'))
  symlinkSync(ROOT, join(path, 'node_modules/standin'))
  return path
}

/** One with a copy of the package: Playwright and Vitest compile what is linked. */
function createInstalledProject(): string {
  const { path, remove } = createExampleProject([])
  onTestFinished(remove)
  return path
}

async function init(args: readonly string[], cwd: string) {
  const command = runCommand(['init', ...args], { cwd })
  return { code: await command.ended, out: command.stdout(), err: command.stderr() }
}

/** Whether what was written is accepted without a note. */
async function check(cwd: string): Promise<void> {
  const { stdout } = await run(process.execPath, [CLI, 'check', '--config', 'standin.yaml', '--strict'], { cwd })
  expect(stdout).toContain('all is well')
}

test('with --yes it writes a configuration, a fixture and a Vitest test that passes', async () => {
  const cwd = createInstalledProject()
  expect(await init(['--yes'], cwd)).toEqual({
    code: 0,
    out: [
      'written  standin.yaml',
      'written  standin.fixture.yaml',
      'written  standin.test.ts',
      '',
      'Next:',
      '  npx standin serve --config standin.yaml',
      '  npx vitest run standin.test.ts',
      '',
    ].join('\n'),
    err: '',
  })
  await check(cwd)
  const { stdout } = await run(process.execPath, ['node_modules/vitest/vitest.mjs', 'run', 'standin.test.ts'], { cwd })
  expect(stdout).toContain('1 passed')
  expect(readFileSync(join(cwd, 'standin.test.ts'), 'utf8')).toContain(`from 'standin/vitest'`)
})

test.runIf(takesAll)('the test for Playwright passes, without a browser', async () => {
  const cwd = createInstalledProject()
  copyFileSync(SHOP, join(cwd, 'openapi.yaml'))
  const { out } = await init(['--contract', 'openapi.yaml', '--runner', 'playwright'], cwd)
  expect(out).toContain('  npx playwright test standin.spec.ts\n')
  const command = ['node_modules/@playwright/test/cli.js', 'test', 'standin.spec.ts']
  const { stdout } = await run(process.execPath, command, { cwd, env: plainEnvironment() })
  expect(stdout).toContain('1 passed')
})

test('for a contract, fixture and test are about what it has, for node:test too', async () => {
  const cwd = createProject()
  copyFileSync(SHOP, join(cwd, 'openapi.yaml'))
  expect((await init(['--contract', 'openapi.yaml', '--runner', 'node'], cwd)).code).toBe(0)
  expect(readFileSync(join(cwd, 'standin.fixture.yaml'), 'utf8')).toContain('name: Ada Lovelace')
  expect(readFileSync(join(cwd, 'standin.test.mjs'), 'utf8')).toContain(`standin.fetch('/customers')`)
  await check(cwd)
  const { stdout } = await run(process.execPath, ['--test', 'standin.test.mjs'], { cwd })
  expect(stdout).toMatch(/pass 1\n.*fail 0/s)
})

test('every suggested setting is one that can be uncommented', async () => {
  const cwd = createProject()
  await init(['--yes', '--runner', 'none'], cwd)
  const text = readFileSync(join(cwd, 'standin.yaml'), 'utf8')
  const settings = text.replaceAll(/^# (?=( {2})?[a-zA-Z.]+:( |$))/gm, '')
  expect(settings).toMatch(/^port: 4010$/m)
  writeFileSync(join(cwd, 'standin.yaml'), settings)
  await check(cwd)
})

test('files that are there are kept, and other directories can be named', async () => {
  const cwd = createProject()
  mkdirSync(join(cwd, 'mocks'))
  writeFileSync(join(cwd, 'mocks/standin.yaml'), '# mine')
  const { code, out } = await init(['mocks', '--contract', 'none', '--runner', 'none'], cwd)
  expect([code, out]).toEqual([
    0,
    expect.stringContaining(`kept     ${join('mocks', 'standin.yaml')}, which was there\n`),
  ])
  expect(readFileSync(join(cwd, 'mocks/standin.yaml'), 'utf8')).toBe('# mine')
  expect(readdirSync(join(cwd, 'mocks')).sort()).toEqual(['standin.fixture.yaml', 'standin.yaml'])
})

test.each([
  [[], 'init asks two questions, and this is not a terminal. Pass --yes for the defaults, or --contract and --runner.'],
  [['nowhere', '--yes'], 'nowhere: there is no such directory. Create it, or name another.'],
  [['package.json', '--yes'], 'package.json: it is a file. Pass the contract as --contract package.json'],
  [['--yes', '--contract', 'none.yaml'], /^standin: --contract: none\.yaml: there is no such file\./],
  [['--runner', 'jest'], /Allowed choices are vitest, playwright, node, none\. See standin init --help\./],
])('%j is refused, and nothing is written', async (args, complaint) => {
  const cwd = createProject()
  const { code, out, err } = await init(args, cwd)
  expect([code, out]).toEqual([1, ''])
  expect(err).toMatch(complaint)
  expect(readdirSync(cwd).sort()).toEqual(['node_modules', 'package.json'])
})

/** util-linux's `script` gives a command a terminal. */
const hasTerminal = process.platform === 'linux' && spawnSync('script', ['--version']).status === 0

/** Answers each question with a line, on a terminal. */
async function answer(cwd: string, answers: readonly string[]) {
  const child = spawn('script', ['-qec', `'${process.execPath}' '${CLI}' init`, '/dev/null'], { cwd })
  const left = [...answers]
  let text = ''
  child.stdout.on('data', (part: Buffer) => {
    text += part.toString()
    if (/\): (?:\u001b\[\d+G)?$/.test(part.toString())) child.stdin.write(left.shift() ?? '')
  })
  return { code: await new Promise((resolve) => child.once('close', resolve)), text }
}

test.runIf(hasTerminal)('on a terminal it asks for the contract and the test runner', async () => {
  const cwd = createProject()
  copyFileSync(SHOP, join(cwd, 'openapi.yaml'))
  const { code, text } = await answer(cwd, ['openapi.yaml\r', 'node\r'])
  expect(code).toBe(0)
  expect(text).toContain('Your OpenAPI document (a path; empty for the built-in one): ')
  expect(text).toContain('Your test runner (vitest, playwright, node, none; empty for vitest): ')
  expect(readFileSync(join(cwd, 'standin.yaml'), 'utf8')).toContain('contract: openapi.yaml')
  expect(readdirSync(cwd)).toContain('standin.test.mjs')
})

test.runIf(hasTerminal)('Ctrl-C ends it with 130, and nothing is written', async () => {
  const cwd = createProject()
  const { code, text } = await answer(cwd, ['\u0003'])
  expect([code, text]).toEqual([130, expect.stringContaining(' stopped: nothing was written.')])
  expect(readdirSync(cwd).sort()).toEqual(['node_modules', 'package.json'])
})
