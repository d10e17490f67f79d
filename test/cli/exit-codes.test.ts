import { readFileSync } from 'node:fs'
import { expect, onTestFinished, test, vi } from 'vitest'
import { EXIT_CODES } from '../../src/cli/exit-codes.ts'
import { createControlClient, createStandin, type StandinOptions } from '../../src/index.ts'
import { createDirectory, runCommand, startCommand } from '../support/command.ts'
import { startService } from '../support/servers/proxy.ts'
import { serve } from '../support/serve.ts'

async function codeOf(args: readonly string[], cwd?: string): Promise<number | null> {
  return runCommand(args, cwd === undefined ? {} : { cwd }).ended
}

function createFiles(files: Readonly<Record<string, string>>): string {
  const { path, remove } = createDirectory(files)
  onTestFinished(remove)
  return path
}

/** Another server, for commands that need one. */
async function startServer(options: StandinOptions = {}): Promise<string> {
  const standin = createStandin(options)
  onTestFinished(() => standin.stop())
  return standin.start()
}

/** Gets each exit code of the table. The key is the code and the commands. */
const PROVOCATIONS: Readonly<Record<string, () => Promise<number | null>>> = {
  '0 all': async () => {
    const { command } = await serve()
    command.child.kill('SIGTERM')
    return command.ended
  },
  '1 all': () => codeOf(['serve', '--port', 'none']),
  '1 `check --strict`': () =>
    codeOf(['check', '--strict', '--contract', 'contract.yaml'], createFiles({ 'contract.yaml': NOTED })),
  '1 `doctor`': () => codeOf(['doctor', '--config', 'none.yaml']),
  '2 `lock --check`': async () => {
    let version = 1
    const url = await startService((_request, response) => {
      response.end(NOTED.replace("'1'", `'${version++}'`))
    })
    const folder = createFiles({})
    await codeOf(['lock', `${url}/openapi.yaml`], folder)
    return codeOf(['lock', '--check'], folder)
  },
  '2 `replay`': async () => {
    const url = await startServer()
    await fetch(`${url}/api/files/v1`)
    const run = await createControlClient({ url }).getReplay()
    const changed = JSON.stringify(run).replaceAll('path-unknown', 'path-changed')
    return codeOf(['replay', 'run.json'], createFiles({ 'run.json': changed }))
  },
  '2 `compare`': async () => {
    const [ours, theirs] = [
      await startServer({ files: 20 }),
      await startServer({ files: 20, behaviours: { 'limit.zero': 'empty' } }),
    ]
    await fetch(`${ours}/api/files/v1/filesets/demo/files/search?limit=0`, {
      method: 'POST',
      headers: { 'X-SERVICE-Developer-Token': 'any', 'Content-Type': 'application/json' },
      body: '{}',
    })
    return codeOf(['compare', '--url', ours, '--target', theirs, '--requests', 'journal'])
  },
  '3 `coverage`': async () => {
    const url = await startServer()
    return codeOf(['coverage', '--url', url, '--min', '1'])
  },
  '3 `mutate`': () =>
    codeOf(
      [
        'mutate',
        '--only',
        'page.last=null',
        '--min-score',
        '100',
        '--',
        process.execPath,
        '--input-type=module',
        '-e',
        ONE_PAGE,
      ],
      createFiles({}),
    ),
  '2 `calibrate --profile`': async () => {
    const url = await startServer()
    const files = createFiles({ 'before.yaml': 'behaviours: { limit.zero: empty }' })
    return codeOf([...calibrationOf(url), '--only', 'limit.zero', '--profile', 'before.yaml'], files)
  },
  '3 `calibrate`': async () => {
    const url = await startServer({ behaviours: { cors: 'off' } })
    return codeOf([...calibrationOf(url), '--only', 'cors'], createFiles({}))
  },
  '2 `diff`': () =>
    codeOf(
      ['diff', 'old.yaml', 'new.yaml'],
      createFiles({ 'old.yaml': NOTED, 'new.yaml': NOTED.replace('get:', 'post:') }),
    ),
  '124 `wait`': () => codeOf(['wait', '127.0.0.1:1', '--timeout', '0']),
  '130 `import`, `wait`, `init`, `learn`, `calibrate`, `compare`, `mutate`': async () => {
    // For the others, see import.test.ts and init.test.ts.
    const { child, ended, stderr } = startCommand(['wait', '127.0.0.1:1'])
    await vi.waitFor(() => expect(stderr()).toContain('waiting'), 25_000)
    child.kill('SIGINT')
    return ended
  },
}

/** A client that takes a page without `next` for the last one. */
const ONE_PAGE = `
  const headers = { 'X-SERVICE-Developer-Token': 'any', 'Content-Type': 'application/json' }
  const init = { method: 'POST', headers, body: '{}' }
  const page = await fetch(process.env.STANDIN_URL + '/api/files/v1/filesets/demo/files/search?limit=2000', init)
  process.exitCode = 'next' in (await page.json()).pageContext ? 1 : 0`

function calibrationOf(url: string): readonly string[] {
  return ['calibrate', '--target', url, '--key', 'any', '--file-set', 'demo', '--rate', '100']
}

const NOTED = `openapi: 3.1.0
info: { title: Noted, version: '1' }
paths:
  /things:
    get:
      operationId: listThings
      responses: { '200': { description: All., content: { application/json: { schema: { type: object, requird: [a] } } } } }
`

test.each(EXIT_CODES)('$commands can exit with $code', async ({ code, commands }) => {
  expect(await PROVOCATIONS[`${code} ${commands}`]?.()).toBe(code)
})

test('every code of the table is in the reference, and every command has examples in its help', async () => {
  const reference = readFileSync(new URL('../../docs/reference.md', import.meta.url), 'utf8')
  for (const { code, commands, meaning } of EXIT_CODES)
    expect(reference).toContain(`| ${code} | ${commands} | ${meaning} |`)
  const help = runCommand(['--help'])
  await help.ended
  const commands = [...help.stdout().matchAll(/^ {2}([a-z]+) .* {2,}\S/gm)].map(([, name = '']) => name)
  expect(commands.length).toBeGreaterThan(6)
  for (const name of commands.filter((one) => one !== 'help')) {
    const command = runCommand([name, '--help'])
    expect([name, await command.ended]).toEqual([name, 0])
    expect(command.stdout()).toMatch(new RegExp(`\nExamples:\n.*standin ${name}`))
  }
})
