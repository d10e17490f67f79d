import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { DRIFTED_BEHAVIOURS, DRIFTED_SHAPES, startDriftedService } from '../../../checks/compare/drifted-service.ts'
import { recordSession } from '../../../checks/compare/record-session.ts'
import type { ComparisonReport } from '../../../src/truth/compare/report.ts'
import { createStandin, type Standin, type StandinOptions } from '../../../src/index.ts'
import { longTest, takesAll } from '../../support/cases.ts'
import { createDirectory, runCommand } from '../../support/command.ts'

/** Small, so that comparisons are quick. */
const FILES = 30

async function start(options: StandinOptions = {}): Promise<{ standin: Standin; url: string }> {
  const standin = createStandin({ files: FILES, ...options })
  onTestFinished(() => standin.stop())
  return { standin, url: await standin.start() }
}

async function compare(...args: readonly string[]): Promise<{ code: number | null; stdout: string; stderr: string }> {
  const command = runCommand(['compare', ...args])
  const code = await command.ended
  return { code, stdout: command.stdout(), stderr: command.stderr() }
}

function createFile(name: string, value: unknown): string {
  const { path, remove } = createDirectory({})
  onTestFinished(remove)
  writeFileSync(join(path, name), JSON.stringify(value))
  return join(path, name)
}

// Every request of the catalogue, with each setting that might explain a difference.
test.runIf(takesAll)('a stand-in compared with one that has other settings needs just these settings', async () => {
  const [ours, theirs] = [await start(), await start({ behaviours: { 'limit.zero': 'empty', 'create.status': '201' } })]
  const { code, stdout } = await compare('--url', ours.url, '--target', theirs.url, '--allow-writes')
  expect(stdout).toContain('limit.zero: What does limit=0 do?\n  --behaviour limit.zero=empty removes')
  expect(stdout).toContain('  standin serve --behaviour create.status=201 --behaviour limit.zero=empty\n')
  expect(stdout).not.toContain('no setting explains')
  expect(code).toBe(2)
})

longTest('two stand-ins with the same settings agree, and nothing is written without leave', async () => {
  const [ours, theirs] = [await start(), await start()]
  const { code, stdout } = await compare('--url', ours.url, '--target', theirs.url)
  expect(stdout).toMatch(/requests in \d+ cases, all agree\n/)
  expect(stdout).toContain('cases that may change something were left out')
  expect((await theirs.standin.control.listReportSchedules()).reportSchedules).toHaveLength(6)
  expect(code).toBe(0)
})

// Every setting of what its requests depend on.
test.runIf(takesAll)('a recording of a service that drifted in ten ways shows all ten', async () => {
  const service = await startDriftedService()
  onTestFinished(service.stop)
  const har = createFile('session.har', await recordSession(service.url))
  const { url } = await start({ files: 1000 })
  const { code, stdout } = await compare('--url', url, '--har', har, '--format', 'json')
  const { behaviours, others } = JSON.parse(stdout) as ComparisonReport
  expect(Object.fromEntries(behaviours.map(({ id, value }) => [id, value]))).toEqual(DRIFTED_BEHAVIOURS)
  expect(new Set(others.map(({ where }) => where))).toEqual(new Set(DRIFTED_SHAPES.map(({ where }) => where)))
  expect(stdout).not.toContain('secret-of-the-session')
  expect(code).toBe(2)
})

test('the stand-in gets the files that a recording shows when it has others', async () => {
  const recorded = await start({ seed: 7, behaviours: { 'like.case': 'sensitive' } })
  const har = createFile('session.har', await recordSession(recorded.url))
  const { url } = await start()
  const { stdout } = await compare('--url', url, '--har', har, '--format', 'json')
  const { behaviours, others, notes } = JSON.parse(stdout) as ComparisonReport
  expect(behaviours.map(({ flag }) => flag)).toEqual(['--behaviour like.case=sensitive'])
  expect(others).toEqual([])
  expect(notes).toContainEqual(expect.stringContaining('entries of the service in the file set demo'))
})

test('the requests of a test run are compared, each side with its own ids and tokens, and the state of the stand-in stays', async () => {
  const [ours, theirs] = [await start(), await start({ behaviours: { 'update.omitted': 'clear' } })]
  await theirs.standin.fetch('/api/content/v1/reportschedules', {
    method: 'POST',
    headers: { 'X-SERVICE-Developer-Token': 'any', 'Content-Type': 'application/json' },
    body: '{"title":"An earlier one","pageId":1,"viewId":2,"schedule":{"frequency":"WEEKLY","daysToRun":"MON","hourOfDay":8,"minOfHour":0}}',
  })
  await recordSession(ours.url)
  const before = await ours.standin.control.getState()
  const { stdout } = await compare('--url', ours.url, '--target', theirs.url, '--requests', 'journal', '--allow-writes')
  expect(stdout).toContain('standin serve --behaviour update.omitted=clear\n')
  expect(stdout).not.toContain('no setting explains')
  expect(await ours.standin.control.getState()).toEqual(before)
  expect((await ours.standin.control.listSandboxes()).sandboxes.map(({ name }) => name)).toEqual(['default'])
})

test('stand-ins of any contract are compared: with the same items in all, with others in what they look like', async () => {
  const contract = 'examples/shop/contract.yaml'
  const [ours, theirs] = [
    await start({ contract }),
    await start({ contract, behaviours: { 'collections.order': 'newest-first' } }),
  ]
  const reordered = await compare('--url', ours.url, '--target', theirs.url)
  expect(reordered.stdout).toContain('standin serve --behaviour collections.order=newest-first\n')
  expect(reordered.stdout).not.toContain('no setting explains')
  const others = await start({ contract, seed: 7 })
  const { code, stdout } = await compare('--url', ours.url, '--target', others.url)
  expect(stdout).toMatch(/requests in \d+ cases, all agree\n/)
  expect(code).toBe(0)
})

test.each([
  [['--target', 'http://127.0.0.1:1', '--har', 'a.har'], 'or --har with recordings of it; got both.'],
  [[], '--target with the address of the service, or --har with recordings of it; got neither.'],
  [['--target', 'ftp://example.com'], '--target: Expected the address of a server, such as'],
  [['--target', 'http://127.0.0.1:1', '--rate', '1000'], '--rate: Expected a number above 0, up to 100'],
  [['--target', 'http://127.0.0.1:1', '--url', 'http://127.0.0.1:1'], 'http://127.0.0.1:1 does not answer ('],
])('%j is refused', async (args, message) => {
  const { code, stderr } = await compare(...args)
  expect(stderr).toContain(message)
  expect(code).toBe(1)
})
