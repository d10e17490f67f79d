import { appendFileSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createStandin } from '../../src/index.ts'
import { createDirectory, startCommand } from '../support/command.ts'
import { PACKAGED, summaryOf } from '../support/packaged.ts'

const HELLO = {
  responses: { 200: { description: 'ok', content: { 'application/json': { schema: { const: 'hi' } } } } },
}

function contractOf(paths: unknown): string {
  return JSON.stringify({ openapi: '3.1.0', info: { title: 'Shop', version: '1' }, paths })
}

const FILES = {
  'tiny.yaml': 'fileSets:\n  - id: tiny\n    files: [{ path: a.txt }, { path: b.txt }]\n',
  'more.json': '{"fileSets": [{"id": "more", "generate": 7}]}',
  'good.json': contractOf({ '/hello': { get: HELLO } }),
  'noted.json': contractOf({ '/hello': { get: HELLO }, 'no-slash': { get: HELLO } }),
  'refused.json': contractOf({ '/hello': { get: HELLO }, '/void': { post: { responses: {} } } }),
}

/** Runs `standin check` in a directory with those files. */
async function check(...args: readonly string[]) {
  const directory = createDirectory(FILES)
  onTestFinished(directory.remove)
  const command = startCommand(['check', ...args], { cwd: directory.path })
  const code = await command.ended
  const lines = command.stdout().trimEnd().split('\n')
  return { code, lines, last: lines.at(-1), err: command.stderr(), path: directory.path }
}

test('it loads everything, reports, and ends', async () => {
  const { code, lines, err } = await check('--fixtures', 'tiny.yaml', '--fixtures', 'more.json', '--files', '5')
  expect(lines).toEqual([
    'POST /api/files/v1/filesets/{fileSetId}/files/search  searchFiles           stateful (by operationId)',
    'POST /api/content/v1/reportschedules                  createReportSchedule  stateful (by operationId)',
    'PUT /api/content/v1/reportschedules/{scheduleId}      updateReportSchedule  stateful (by operationId)',
    expect.stringMatching(
      // The file sets of the two fixtures are added to the package's.
      summaryOf({ fileSets: PACKAGED.fileSets + 2 }, 'seed 42: all is well$'),
    ),
  ])
  expect([code, err]).toEqual([0, ''])
})

test.each([
  ['a part that is left out', 'noted.json'],
  ['an operation that is refused', 'refused.json'],
])('the last line counts the notes, and with --strict they are a failure: %s', async (_what, contract) => {
  const plain = await check('--contract', contract)
  expect(plain.last).toMatch(/: it can start, with 1 note$/)
  expect(plain.lines.filter((line) => line.startsWith('note: '))).toHaveLength(1)
  expect(plain.code).toBe(0)
  const strict = await check('--contract', contract, '--strict')
  expect([strict.code, strict.lines]).toEqual([1, plain.lines])
})

test('with --strict a contract without notes passes', async () => {
  const { code, last } = await check('--contract', 'good.json', '--strict')
  expect([code, last]).toEqual([0, expect.stringMatching(/: all is well$/)])
})

test('an operation that is refused is noted with its reason', async () => {
  const { lines } = await check('--contract', 'refused.json')
  expect(lines).toContain(
    'note: refused.json: POST /void is refused with 501: the contract documents no response of it.',
  )
})

test('a contract with none of the stateful operations is not said to serve file sets and report schedules', async () => {
  const { last } = await check('--contract', 'good.json')
  expect(last).toBe('1 operation: 1 generated, validators made on first use, contract good.json, seed 42: all is well')
})

test('a directory for --data that is not there is not created', async () => {
  const { code, path } = await check('--data', 'kept/here')
  expect([code, existsSync(join(path, 'kept'))]).toEqual([0, false])
})

test('a directory for --data that could not be created is refused', async () => {
  const { code, err } = await check('--data', 'tiny.yaml/kept')
  expect([code, err]).toEqual([
    1,
    'standin: --data tiny.yaml/kept: a part of the path is a file and no directory. Name a directory that this user may write.\n',
  ])
})

test('the logs of --data are read, and no file is created, changed or removed', async () => {
  const data = createDirectory({})
  onTestFinished(data.remove)
  const clock = '2026-03-05T14:30:00Z'
  await createStandin({ clock, data: data.path }).stop()
  const log = join(data.path, 'sandbox-1.jsonl')
  appendFileSync(log, '{"torn')
  writeFileSync(join(data.path, 'lock.left'), '')
  writeFileSync(join(data.path, 'sandbox-2.jsonl.unfinished'), '')
  const seen = () => readdirSync(data.path).map((name) => [name, readFileSync(join(data.path, name), 'utf8')])
  const before = seen()
  const args = ['--data', data.path, '--clock', clock]

  const { code, lines, last } = await check(...args)
  expect(code).toBe(0)
  expect(lines.at(-2)).toMatch(/^note: .*sandbox-1\.jsonl:\d+: the last line was not finished and is dropped\.$/)
  expect(last).toMatch(/: it can start, with 1 note$/)
  const other = await check(...args, '--seed', '7')
  expect([other.code, other.err]).toEqual([
    1,
    expect.stringContaining('it was created with --seed 42, and this start has 7'),
  ])
  expect(seen()).toEqual(before)
})
