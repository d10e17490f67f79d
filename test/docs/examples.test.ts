import { execFile, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { globSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createStandin } from '../../src/index.ts'
import { takesAll } from '../support/cases.ts'
import { CLI, createDirectory, runCommand } from '../support/command.ts'
import { plainEnvironment } from '../support/example-project.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const PAGES = ['README.md', ...globSync('{docs,skills/*}/*.md', { cwd: ROOT })]
const run = promisify(execFile)
/** What examples name by a path. */
const LINKED = ['docs', 'examples', 'node_modules', 'spec']
const hasCurl = spawnSync('curl', ['--version']).status === 0
/** Commands that send thousands of requests: only `npm run test:campaigns` runs their examples. */
const SENDS_A_LOT = /^standin (calibrate|compare|mutate) /m
const canRun = (code: string) => (hasCurl || !code.includes('curl')) && (takesAll || !SENDS_A_LOT.test(code))

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
    for (const name of LINKED) symlinkSync(join(ROOT, name), join(directory.path, name))
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
    test.runIf(canRun(code))(`line ${line} works`, async () => {
      const source = code.replaceAll('http://127.0.0.1:4010', url)
      const file = fileOf({ language, code })
      if (file !== undefined) {
        writeFileSync(join(directory.path, file), source)
        return
      }
      const output = await (language === 'ts' ? runModule(source, directory.path) : runShell(source, directory.path))
      if (shown !== undefined) expectShown(output, shown)
    })
})

test('the reference lists every flag', async () => {
  const stdout = await outputOf(['serve', '--help'])
  const flags = [...stdout.matchAll(/^ {2}(--[a-z-]+)/gm)].map(([, flag = '']) => flag)
  const reference = readFileSync(join(ROOT, 'docs/reference.md'), 'utf8')
  expect(flags.length).toBeGreaterThan(20)
  expect(flags.filter((flag) => !reference.includes(`\`${flag}`))).toEqual([])
})

test('the configuration of the reference is accepted', async () => {
  const directory = createDirectory(filesIn('docs/reference.md'))
  const stdout = await outputOf(['check', '--config', 'standin.yaml'], directory.path)
  directory.remove()
  expect(stdout).toContain('all is well')
})

test('the contract, the overlay and the data of the page on migrating fit together', async () => {
  const directory = createDirectory(filesIn('docs/migrating.md'))
  const args = ['--contract', 'posts.yaml', '--fixtures', 'posts.fixture.yaml', '--strict']
  const stdout = await outputOf(['check', ...args], directory.path)
  const overlaid = [...args.slice(0, 2), '--overlay', 'as-before.overlay.yaml', '--strict']
  const before = await outputOf(['check', ...overlaid], directory.path)
  directory.remove()
  expect(stdout).toContain('posts (items by /id): 4 operations')
  expect(stdout).toContain('all is well')
  expect(before).toContain('4 operations: 4 generated')
})

async function outputOf(args: readonly string[], cwd = ROOT): Promise<string> {
  const { ended, stdout } = runCommand(args, { cwd })
  expect(await ended).toBe(0)
  return stdout()
}

/** The YAML files that a page shows, by the name in their first line. */
function filesIn(page: string): Record<string, string> {
  const files = examplesIn(page).filter(({ language }) => language === 'yaml')
  return Object.fromEntries(files.map(({ code }) => [/^# (\S+\.yaml)/.exec(code)?.[1] ?? 'unnamed', code]))
}

function contractOf(page: string): string | undefined {
  return /^standin serve --contract (examples\/\S+)/m.exec(readFileSync(join(ROOT, page), 'utf8'))?.[1]
}

/** A shell block runs when it requests something of the server or runs a command that ends; a module always; a file is there for the next ones. */
function isRunnable(example: Example): boolean {
  const { language, code } = example
  if (language === 'sh') return /^(curl|standin|npm run standin|STANDIN_URL=\S+ node) /m.test(code)
  return language === 'ts' || fileOf(example) !== undefined
}

/** The name of a file that a page shows, in its first line. */
function fileOf({ language, code }: Pick<Example, 'language' | 'code'>): string | undefined {
  return language === 'js' ? /^\/\/ (\S+\.mjs)\n/.exec(code)?.[1] : undefined
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

/** A file rather than a function, so that `kill $!` ends what was started in the background. Commands that end go to one kept process. */
const standinOf = (port: number) => `#!/usr/bin/env bash
case $1 in serve | proxy) exec '${process.execPath}' '${CLI}' "$@" ;; esac
exec 3<>/dev/tcp/127.0.0.1/${port}
printf '%s\\0' $# "$PWD" "$@" >&3
read -r code <&3
cat "\${0%/*}/stdout"
cat "\${0%/*}/stderr" >&2
exit "$code"
`

/** Runs the commands that `standin` of a page passes on, and leaves what they print beside it. */
function passOn(socket: Socket, bin: string): void {
  let text = ''
  socket.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk
    const [count = '', cwd = '', ...args] = text.split('\0').slice(0, -1)
    if (text.split('\0').length - 3 !== Number(count)) return
    const { ended, stdout, stderr } = runCommand(args, { cwd })
    void ended.then((code) => {
      writeFileSync(join(bin, 'stdout'), stdout())
      writeFileSync(join(bin, 'stderr'), stderr())
      socket.end(`${code}\n`)
    })
  })
}

async function runShell(code: string, cwd: string): Promise<string> {
  const bin = join(cwd, 'bin')
  const server = createServer((socket) => passOn(socket, bin)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  mkdirSync(bin, { recursive: true })
  writeFileSync(join(bin, 'standin'), standinOf((server.address() as AddressInfo).port), { mode: 0o755 })
  const script = `set -euo pipefail\nPATH="$PWD/bin:$PATH"\n${code.replaceAll('npm run standin -- ', 'standin ')}`
  try {
    return (await run('bash', ['-c', script.replaceAll(/^curl /gm, 'curl -sS ')], { cwd })).stdout
  } finally {
    server.close()
  }
}

/** A test runs as its runner runs it. One for Playwright needs a browser, so it has to be part of the example that test/browser runs. */
async function runModule(code: string, cwd: string): Promise<string> {
  if (code.includes("from 'standin/playwright'")) {
    expect(readFileSync(join(ROOT, 'examples/playwright/files.spec.ts'), 'utf8')).toContain(code)
    return ''
  }
  if (code.includes("from 'standin/vitest'")) return (vitestRun ??= runVitest())
  const path = join(cwd, 'example.mts')
  writeFileSync(path, builtIn(code))
  if (code.includes("from 'standin/node-test'"))
    return (await run(process.execPath, [path], { cwd, env: plainEnvironment() })).stdout
  const { ended, stdout, stderr } = runCommand([], { module: path, cwd })
  expect([await ended, stderr()]).toEqual([0, ''])
  return stdout()
}

function builtIn(code: string): string {
  const dist = new URL('../../dist/', import.meta.url)
  return code
    .replaceAll("from 'standin'", `from '${new URL('index.js', dist).href}'`)
    .replaceAll(/from 'standin\/(vitest|node-test|msw)'/g, `from '${fileURLToPath(dist)}$1.js'`)
}

let vitestRun: Promise<string> | undefined

/** One run for the tests of all pages: each is a file by the page and its line. */
async function runVitest(): Promise<string> {
  const { path: cwd, remove } = createDirectory({
    // As where the package is installed: Vite leaves it as it is.
    'vitest.config.mjs':
      "export default { test: { include: ['*.test.mts'], isolate: false, maxWorkers: 1, testTimeout: 60_000, server: { deps: { external: [/.dist./] } } } }",
  })
  for (const name of LINKED) symlinkSync(join(ROOT, name), join(cwd, name))
  for (const page of PAGES)
    for (const { line, code } of examplesIn(page))
      if (code.includes("from 'standin/vitest'"))
        writeFileSync(join(cwd, `${basename(page, '.md')}-${line}.test.mts`), builtIn(code))
  const command = [join(ROOT, 'node_modules/vitest/vitest.mjs'), 'run']
  const { stdout } = await run(process.execPath, command, { cwd, env: plainEnvironment() })
  remove()
  return stdout
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
