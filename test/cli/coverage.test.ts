import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { XMLParser } from 'fast-xml-parser'
import { expect, onTestFinished, test } from 'vitest'
import type { CoverageReport } from '../../src/control/client/types.ts'
import { createStandin, type Standin, type StandinOptions } from '../../src/index.ts'
import { createDirectory, runCommand } from '../support/command.ts'
import { KEY_HEADER, SCHEDULES, SEARCH, weekly } from '../support/tester.ts'

interface Ended {
  readonly code: number | null
  readonly out: string
  readonly err: string
}

async function coverage(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Ended> {
  const command = runCommand(['coverage', ...args], { env })
  return { code: await command.ended, out: command.stdout(), err: command.stderr() }
}

async function send(standin: Standin, method: string, path: string, body?: unknown): Promise<number> {
  const headers = { [KEY_HEADER]: 'any@test', 'Content-Type': 'application/json' }
  const request = body === undefined ? {} : { body: JSON.stringify(body) }
  return (await standin.fetch(path, { method, headers, ...request })).status
}

async function start(options: StandinOptions = {}): Promise<{ standin: Standin; url: string }> {
  const standin = createStandin({ port: 0, clock: '2026-03-05T14:30:00Z', ...options })
  onTestFinished(() => standin.stop())
  return { standin, url: await standin.start() }
}

function createFolder(): string {
  const { path, remove } = createDirectory({})
  onTestFinished(remove)
  return path
}

test('it says how much is covered, what is not, and which behaviours responses depended on', async () => {
  const { standin, url } = await start()
  const filters = [{ field: 'name', operator: 'LIKE', value: ['a'], not: true }]
  await send(standin, 'POST', `${SEARCH}/demo/files/search?limit=1`, { filters })
  await send(standin, 'POST', SCHEDULES, weekly())
  await send(standin, 'GET', '/orders')
  await standin.control.deleteSandbox('test')
  const { code, out, err } = await coverage(['--url', url])
  expect([code, err]).toEqual([0, ''])
  expect(out).toContain('File Set Search and Report Schedule Service 1.0.0: 2 requests in 1 sandbox\n')
  expect(out).toMatch(/^operations +2 of 3 +66\.6 % +█{13}░{7}$/m)
  expect(out).toMatch(/^total +\d+ of 142 +\d+\.\d %/m)
  expect(out).toMatch(/^searchFiles +1 +\d+ of 73 +\d+\.\d %$/m)
  expect(out).toMatch(/^ {2}parameters +directoryPath, immediateChildren, next$/m)
  expect(out).toMatch(/^ {2}values +immediateChildren = true \| false, filters\[\]\.not = false,/m)
  expect(out).toMatch(/^never requested \(1\) {2}updateReportSchedule$/m)
  expect(out).toMatch(/^ {2}assumed \(\d+\) +page\.short, /m)
  expect(out).toMatch(/^Faults met +none$/m)
  expect(out).toMatch(/^Not in the contract +GET \/orders \(1\)$/m)
  // Lines fit a terminal of usual width.
  expect(Math.max(...out.split('\n').map((line) => line.length))).toBeLessThanOrEqual(100)
})

test('the address may come from STANDIN_URL, and one sandbox can be chosen', async () => {
  const { standin, url } = await start()
  await send(standin, 'POST', `${SEARCH}/demo/files/search`, {})
  const env = { STANDIN_URL: `${url}/__mock/` }
  expect((await coverage([], env)).out).toContain('1 request in 1 sandbox')
  expect((await coverage(['--sandbox', 'test'], env)).out).toContain('1 request in 1 sandbox')
  expect((await coverage(['--sandbox', 'default'], env)).out).toContain('0 requests in 0 sandboxes')
  const unknown = await coverage(['--sandbox', 'tets'], env)
  expect([unknown.code, unknown.err]).toEqual([1, expect.stringContaining('Did you mean test?')])
})

test('it exits with status 3 below a limit, and says which', async () => {
  const { standin, url } = await start()
  await send(standin, 'POST', SCHEDULES, weekly())
  const missed = await coverage(['--url', url, '--min', '80', '--min', 'operations=30%', '--max-assumed', '3'])
  expect(missed.code).toBe(3)
  expect(missed.out).toMatch(/^✗ total: expected at least 80 %, received \d+\.?\d* % \(\d+ of 142\)$/m)
  expect(missed.out).toMatch(/^✓ operations: at least 30 %, received 33\.3 % \(1 of 3\)$/m)
  expect(missed.out).toMatch(/^✗ assumed behaviours: expected at most 3, received \d+: create\.required, /m)
  expect((await coverage(['--url', url, '--min', '1', '--max-assumed', '50'])).code).toBe(0)
})

test('runs are merged: what one shard covered is covered, and counts add up', async () => {
  const folder = createFolder()
  const shards = ['one', 'two'].map((name) => join(folder, name))
  for (const [index, artifacts] of shards.entries()) {
    const standin = createStandin({ artifacts })
    await send(standin, 'POST', `${SEARCH}/demo/files/search?${index === 0 ? 'limit=1' : 'directoryPath=finance'}`, {})
    if (index === 1) await send(standin, 'POST', SCHEDULES, weekly())
    await standin.stop()
  }
  const [one = '', two = ''] = shards
  const { code, out } = await coverage([one, join(two, 'coverage.json'), '--format', 'json', '--min', 'operations=60'])
  const merged = JSON.parse(out) as CoverageReport
  expect(code).toBe(0)
  expect(merged).toMatchObject({
    requests: 3,
    sandboxes: 2,
    contract: 'File Set Search and Report Schedule Service 1.0.0',
  })
  expect(merged.kinds).toContainEqual({ kind: 'parameters', covered: 2, total: 4, percent: 50 })
  expect(merged.operations[0]).toMatchObject({ operationId: 'searchFiles', requests: 2 })
  expect(merged.behaviours.find(({ id }) => id === 'auth.keys')).toMatchObject({
    count: 3,
    operations: ['searchFiles', 'createReportSchedule'],
  })

  // What it writes can be merged again, also with what a server has.
  const file = join(folder, 'merged.json')
  const written = await coverage([one, two, '--format', 'json', '--out', file])
  expect(written).toEqual({ code: 0, out: '', err: `wrote ${file}\n` })
  const { standin, url } = await start()
  await send(standin, 'PUT', `${SCHEDULES}/1`, weekly())
  expect((await coverage([file, '--url', url])).out).toMatch(/^operations +3 of 3 +100\.0 %/m)
})

test('reports of different contracts have the operations of both', async () => {
  const folder = createFolder()
  for (const [name, contract] of Object.entries({ shop: 'examples/shop/contract.yaml', service: 'spec/openapi.yaml' }))
    await createStandin({ contract, artifacts: join(folder, name) }).stop()
  const { out } = await coverage([join(folder, 'shop'), join(folder, 'service')])
  expect(out).toContain('Shop 1.0.0, File Set Search and Report Schedule Service 1.0.0: 0 requests in 0 sandboxes')
  expect(out).toMatch(/^operations +0 of 18 /m)
})

/** A contract whose names would end a text, a cell, an attribute or a command of the formats. */
const HOSTILE = {
  openapi: '3.1.0',
  info: { title: '<script>alert(1)</script> | "A" & `B`,: 100%', version: '1' },
  paths: {
    '/a': {
      get: {
        operationId: 'a<b>|c',
        parameters: [{ name: '"]]>|`', in: 'query', schema: { enum: ['\u0001', '<'] } }],
        responses: { 200: { description: 'OK' } },
      },
    },
    '/b': { get: { operationId: 'never', responses: { 200: { description: 'OK' } } } },
  },
}

async function hostileReport(): Promise<string> {
  const folder = createFolder()
  const { path, remove } = createDirectory({ 'contract.json': JSON.stringify(HOSTILE) })
  onTestFinished(remove)
  const standin = createStandin({ contract: join(path, 'contract.json'), artifacts: folder })
  await send(standin, 'GET', '/a')
  await send(standin, 'GET', '/<b>')
  await standin.stop()
  return folder
}

test('the page in HTML is complete by itself, and names of the contract are only text in it', async () => {
  const file = join(createFolder(), 'coverage.html')
  expect((await coverage([await hostileReport(), '--format', 'html', '--out', file, '--min', '99'])).code).toBe(3)
  const page = readFileSync(file, 'utf8')
  expect(page).toMatch(/^<!doctype html>/)
  expect(page).not.toMatch(/<script|<img|<link|src=|url\(|href=/i)
  expect(page).toContain('&#60;script&#62;alert(1)&#60;/script&#62;')
  expect(page).toContain('color-scheme: light dark')
  expect(page).toMatch(/class="failed">\s*✗ <strong>total<\/strong>: expected at least 99 %/)
  expect(page).toContain('never requested')
})

test('JUnit has a test for each limit and each operation', async () => {
  const { out } = await coverage([await hostileReport(), '--format', 'junit', '--min', '99', '--max-assumed', '99'])
  const parser = new XMLParser({ ignoreAttributes: false, attributeNamePrefix: '', htmlEntities: true })
  const { testsuites } = parser.parse(out) as {
    testsuites: { tests: string; failures: string; skipped: string; testsuite: { testcase: Record<string, unknown>[] } }
  }
  expect(testsuites).toMatchObject({ tests: '4', failures: '1', skipped: '1' })
  expect(testsuites.testsuite.testcase).toMatchObject([
    {
      name: 'total: at least 99 %',
      failure: { message: expect.stringMatching(/^total: expected at least 99 %/) as string },
    },
    { name: 'assumed behaviours: at most 99' },
    { name: 'a<b>|c', 'system-out': expect.stringContaining('parameters: "]]>|`') as string },
    { name: 'never', skipped: { message: 'never requested' } },
  ])
})

test('Markdown is for a pull request, and names of the contract stay in their cells', async () => {
  const { out } = await coverage([await hostileReport(), '--format', 'markdown', '--min', '99'])
  expect(out).toMatch(/^## Coverage of &lt;script>alert\(1\)&lt;\/script> \\\| "A" & \\`B\\`,: 100% 1: 28\.5 %$/m)
  expect(out).toMatch(/^- ❌ total: at least 99 %, received 28\.5 % \(2 of 7\)$/m)
  expect(out).toContain('| `a<b>\\|c` | 1 | 2 of 5 | 40 % |')
  expect(out).toContain('**Never requested (1):** `never`')
  expect(out).toContain('values: `` "]]>|` = \\u0001 | < ``')
})

test('on GitHub each missed limit is an error, and what was never requested a warning', async () => {
  const { out, code, err } = await coverage([await hostileReport(), '--format', 'github', '--min', '99'])
  expect(code).toBe(3)
  expect(err).toMatch(/^standin: coverage: total: expected at least 99 %/)
  const lines = out.trimEnd().split('\n')
  expect(lines).toHaveLength(3)
  expect(lines[0]).toMatch(/^::error title=Coverage%3A total::Expected at least 99 %25, received /)
  expect(lines[1]).toBe('::warning title=Coverage%3A never requested::never')
  expect(lines[2]).toMatch(/^::notice title=Coverage%3A [\d.]+ %25::/)
})

test.each([
  [['--min', 'high'], '--min: Expected a share from 0 to 100, such as 80 or operations=100; got "high".'],
  [['--min', '101'], '--min: Expected a share from 0 to 100, such as 80 or operations=100; got "101".'],
  [['--max-assumed', '-1'], '--max-assumed: Expected how many behaviours, such as 10; got "-1".'],
  [['--url', 'ftp://localhost'], '--url: Expected the address of a server, such as http://127.0.0.1:4010'],
  [['--format', 'pdf'], 'Allowed choices are text, markdown, html, junit, json, github.'],
  [['--url', 'http://127.0.0.1:1'], 'http://127.0.0.1:1 does not answer ('],
  [['none.json'], 'none.json: there is no such file.'],
  [['package.json'], 'package.json: it is not a coverage report. Take the coverage.json of --artifacts'],
  [['test/cli'], 'test/cli: it is a directory, not a file.'],
])('%j is refused with status 1', async (args, complaint) => {
  const { code, out, err } = await coverage(args)
  expect([code, out]).toEqual([1, ''])
  expect(err).toContain(complaint)
})

test('a kind that there is not, a broken report and a file that cannot be written are refused', async () => {
  const report = await hostileReport()
  const kind = await coverage([report, '--min', 'operation=100'])
  expect(kind.err).toMatch(
    /^standin: --min operation=100: there is no kind operation\. Did you mean operations\? Kinds: /,
  )
  const { path, remove } = createDirectory({ 'broken.json': '{"format":"standin-coverage-1","operations":7}' })
  onTestFinished(remove)
  const broken = await coverage([join(path, 'broken.json')])
  expect(broken.err).toMatch(/broken\.json: \/operations: .*array/)
  mkdirSync(join(path, 'out'))
  const out = await coverage([report, '--out', join(path, 'out')])
  expect(out.err).toContain('it cannot be written')
  expect([kind.code, broken.code, out.code]).toEqual([1, 1, 1])
})
