import { execFile, spawnSync } from 'node:child_process'
import { globSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createStandin } from '../../src/index.ts'
import { CLI, createDirectory } from '../support/command.ts'
import { plainEnvironment } from '../support/example-project.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const PAGES = ['README.md', ...globSync('docs/*.md', { cwd: ROOT })]
const run = promisify(execFile)
const hasCurl = spawnSync('curl', ['--version']).status === 0

/** A fenced block of code, and the response or output that the page shows after it. */
interface Example {
  readonly line: number
  readonly language: string
  readonly code: string
  readonly shown: string | undefined
}

/** The examples of a page run in order, against a server of its own, which serves the contract that the page serves first. */
describe.each(PAGES)('%s', (page) => {
  const examples = examplesIn(page).filter(isRunnable)
  const contract = contractOf(page)
  const standin = createStandin({ clock: '2026-03-05T14:30:00Z', ...(contract === undefined ? {} : { contract }) })
  const directory = createDirectory({})
  let url = ''
  beforeAll(async () => {
    for (const name of ['docs', 'examples', 'node_modules', 'spec'])
      symlinkSync(join(ROOT, name), join(directory.path, name))
    url = await standin.start()
  })
  afterAll(async () => {
    await standin.stop()
    directory.remove()
  })

  test('has no link to a port that is not its own', () => {
    for (const { code } of examples) expect(code).not.toMatch(/127\.0\.0\.1:(?!4010)\d/)
  })

  for (const { line, language, code, shown } of examples)
    test.runIf(hasCurl || !code.includes('curl'))(`line ${line} works`, async () => {
      const source = code.replaceAll('http://127.0.0.1:4010', url)
      const output = await (language === 'ts' ? runModule(source, directory.path) : runShell(source, directory.path))
      if (shown !== undefined) expectShown(output, shown)
    })
})

test('the reference lists every flag', async () => {
  const { stdout } = await run(process.execPath, [CLI, 'serve', '--help'])
  const flags = [...stdout.matchAll(/^ {2}(--[a-z-]+)/gm)].map(([, flag = '']) => flag)
  const reference = readFileSync(join(ROOT, 'docs/reference.md'), 'utf8')
  expect(flags.length).toBeGreaterThan(20)
  expect(flags.filter((flag) => !reference.includes(`\`${flag}`))).toEqual([])
})

test('the configuration of the reference is accepted', async () => {
  const directory = createDirectory(filesIn('docs/reference.md'))
  const cli = [CLI, 'check', '--config', 'standin.yaml']
  const { stdout } = await run(process.execPath, cli, { cwd: directory.path })
  directory.remove()
  expect(stdout).toContain('all is well')
})

test('the contract, the overlay and the data of the page on migrating fit together', async () => {
  const directory = createDirectory(filesIn('docs/migrating.md'))
  const args = ['--contract', 'posts.yaml', '--fixtures', 'posts.fixture.yaml', '--strict']
  const { stdout } = await run(process.execPath, [CLI, 'check', ...args], { cwd: directory.path })
  const overlaid = [...args.slice(0, 2), '--overlay', 'as-before.overlay.yaml', '--strict']
  const before = await run(process.execPath, [CLI, 'check', ...overlaid], { cwd: directory.path })
  directory.remove()
  expect(stdout).toContain('posts (items by /id): 4 operations')
  expect(stdout).toContain('all is well')
  expect(before.stdout).toContain('4 operations: 4 generated')
})

/** The YAML files that a page shows, by the name in their first line. */
function filesIn(page: string): Record<string, string> {
  const files = examplesIn(page).filter(({ language }) => language === 'yaml')
  return Object.fromEntries(files.map(({ code }) => [/^# (\S+\.yaml)/.exec(code)?.[1] ?? 'unnamed', code]))
}

function contractOf(page: string): string | undefined {
  return /^standin serve --contract (examples\/\S+)/m.exec(readFileSync(join(ROOT, page), 'utf8'))?.[1]
}

/** A shell block runs when it requests something of the server or runs a command that ends; a module always. */
function isRunnable({ language, code }: Example): boolean {
  return language === 'ts' || (language === 'sh' && /^(curl|standin|npm run standin) /m.test(code))
}

function examplesIn(page: string): Example[] {
  const markdown = readFileSync(join(ROOT, page), 'utf8')
  const blocks = [...markdown.matchAll(/^```(\w*)\n([\s\S]*?)^```/gm)]
  return blocks.map(({ index, 1: language = '', 2: code = '', 0: { length } }, at) => {
    const next = blocks[at + 1]
    const between = next && markdown.slice(index + length, next.index)
    // A response may follow after one sentence, but not in another section.
    const shown =
      (next?.[1] === 'json' || next?.[1] === 'text') && between !== undefined && !between.includes('#')
        ? next[2]
        : undefined
    return { line: markdown.slice(0, index).split('\n').length, language, code, shown }
  })
}

async function runShell(code: string, cwd: string): Promise<string> {
  // A file rather than a function, so that `kill $!` ends what was started in the background.
  mkdirSync(join(cwd, 'bin'), { recursive: true })
  writeFileSync(join(cwd, 'bin/standin'), `#!/bin/sh\nexec '${process.execPath}' '${CLI}' "$@"\n`, { mode: 0o755 })
  const script = `set -euo pipefail\nPATH="$PWD/bin:$PATH"\n${code.replaceAll('npm run standin -- ', 'standin ')}`
  return (await run('bash', ['-c', script.replaceAll(/^curl /gm, 'curl -sS ')], { cwd })).stdout
}

/** A test runs as its runner runs it. One for Playwright needs a browser, so it has to be part of the example that test/browser runs. */
async function runModule(code: string, cwd: string): Promise<string> {
  if (code.includes("from 'standin/playwright'")) {
    expect(readFileSync(join(ROOT, 'examples/playwright/files.spec.ts'), 'utf8')).toContain(code)
    return ''
  }
  const dist = new URL('../../dist/', import.meta.url)
  const source = code
    .replaceAll("from 'standin'", `from '${new URL('index.js', dist).href}'`)
    .replaceAll(/from 'standin\/(vitest|node-test|msw)'/g, `from '${fileURLToPath(dist)}$1.js'`)
  if (code.includes("from 'standin/vitest'")) return runVitest(source, cwd)
  writeFileSync(join(cwd, 'example.mts'), source)
  return (await run(process.execPath, ['example.mts'], { cwd, env: plainEnvironment() })).stdout
}

async function runVitest(source: string, cwd: string): Promise<string> {
  writeFileSync(join(cwd, 'example.test.mts'), source)
  // As where the package is installed: Vite leaves it as it is.
  const config = "export default { test: { include: ['*.test.mts'], server: { deps: { external: [/.dist./] } } } }"
  writeFileSync(join(cwd, 'vitest.config.mjs'), config)
  const command = [join(ROOT, 'node_modules/vitest/vitest.mjs'), 'run']
  return (await run(process.execPath, command, { cwd, env: plainEnvironment() })).stdout
}

/** A page shows a response as JSON, and an output as text. Where it leaves out parts (…), the rest stands in it in the same order. */
function expectShown(output: string, shown: string): void {
  const [received, expected] = [output, shown].map((text) =>
    text
      .replaceAll(/\.yaml:\d+/g, '.yaml:N')
      // More with each probe.
      .replaceAll(/\d+ requests in \d+ cases, \d+ agree/g, 'N requests in N cases, N agree')
      .replaceAll(/\s/g, ''),
  )
  if (!expected?.includes('…')) return expect(received).toBe(expected)
  let rest = received ?? ''
  for (const part of expected.split('…')) {
    expect(rest).toContain(part)
    rest = rest.slice(rest.indexOf(part) + part.length)
  }
}
