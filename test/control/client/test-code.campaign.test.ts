import { execFile } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { loadTest, type CodeRunner } from '../../../src/control/client/test-code/test-code.ts'
import { createControlClient, createStandin, type StandinOptions } from '../../../src/index.ts'
import { sample } from '../../support/cases.ts'
import { createProject, plainEnvironment, ROOT } from '../../support/example-project.ts'

const run = promisify(execFile)
const KEY = { 'X-SERVICE-Developer-Token': 'secret' }
const SEARCH = '/api/files/v1/filesets/demo/files/search'
const SCHEDULES = '/api/content/v1/reportschedules'
const SCHEDULE = {
  title: 'Weekly revenue',
  pageId: 1,
  viewId: 2,
  schedule: { frequency: 'WEEKLY', daysToRun: 'MON', hourOfDay: 8, minOfHour: 30, timezone: 'UTC', enabled: true },
}
const ORDER = { customerId: 11, lines: [{ productId: 1, quantity: 2, unitPrice: 3450 }] }
const GRACE = { name: 'Grace Hopper', email: 'grace@example.com', country: 'US' }
const RUNNERS: readonly CodeRunner[] = ['vitest', 'playwright', 'node:test']

let project: ReturnType<typeof createProject>
beforeAll(() => {
  project = createProject([])
})
afterAll(() => project.remove())

async function start(options: StandinOptions = {}) {
  const standin = createStandin({ port: 0, ...options })
  const url = await standin.start()
  onTestFinished(() => standin.stop())
  const control = createControlClient({ url })
  const send = async (method: string, path: string, body?: object, headers: object = KEY) => {
    const { answer, id } = await exchangeOf(method, path, body, headers)
    return { id, body: JSON.parse(answer?.body ?? 'null') as Record<string, unknown> }
  }
  const exchangeOf = async (method: string, path: string, body?: object, headers: object = KEY) => {
    const before = (await control.listExchanges({ limit: 1 })).exchanges[0]?.id ?? 0
    await fetch(url + path, {
      method,
      headers: { ...(body ? { 'Content-Type': 'application/json' } : {}), ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    }).then(
      (response) => response.text().catch(() => ''),
      () => '',
    )
    // A broken response is recorded a little later.
    return vi.waitFor(async () => {
      const [latest] = (await control.listExchanges({ limit: 1 })).exchanges
      expect(latest?.id).toBe(before + 1)
      return latest!
    })
  }
  /** Sends a request. @returns its exchange as a test */
  const copy = async (method: string, path: string, body?: object, headers?: object) => {
    const exchange = await exchangeOf(method, path, body, headers)
    const texts = await Promise.all(RUNNERS.map((runner) => loadTest(control, exchange, runner)))
    for (const text of texts) expect(text).not.toMatch(/127\.0\.0\.1|localhost|secret/)
    return texts
  }
  return { control, send, copy }
}

const COMMANDS: Readonly<
  Record<CodeRunner, { readonly file: string; readonly args: readonly string[]; readonly env?: object }>
> = {
  vitest: {
    file: 'copied-N.test.ts',
    args: [
      join(ROOT, 'node_modules/vitest/vitest.mjs'),
      'run',
      '--maxWorkers=1',
      '--no-isolate',
      '--testTimeout=60000',
      '--hookTimeout=60000',
    ],
  },
  playwright: {
    file: 'copied-N.spec.ts',
    args: [
      join(ROOT, 'node_modules/@playwright/test/cli.js'),
      'test',
      '--workers=1',
      '--reporter=list',
      '--timeout=60000',
    ],
  },
  'node:test': {
    file: 'copied-N.test.ts',
    // The name of the flag that Node 22 knows too.
    args: ['--test', '--experimental-test-isolation=none', '--test-reporter=spec', '*.test.ts'],
  },
}

/** Runs copied tests as they would run in a pipeline: in a project that has the package, with no server. */
async function runCopied(tests: readonly (readonly string[])[], runner: CodeRunner): Promise<string> {
  const { file, args } = COMMANDS[runner]
  const folder = join(project.path, `${runner.replace(':', '-')}-${String(Math.random()).slice(2)}`)
  mkdirSync(folder)
  for (const [at, texts] of tests.entries())
    writeFileSync(join(folder, file.replace('N', String(at).padStart(2, '0'))), texts[RUNNERS.indexOf(runner)] ?? '')
  const options = { cwd: folder, env: plainEnvironment() }
  const ended = run(process.execPath, args, options).then((output) => ({ ...output, code: 0 }))
  const { code, stdout, stderr } = await ended.catch(
    (error: unknown) => error as { stdout: string; stderr: string; code: number },
  )
  return code === 0 ? 'all passed' : `${stdout}\n${stderr}`
}

const SHOP = join(ROOT, 'examples/shop/contract.yaml')

/** One exchange of each kind. @returns their tests, for each runner */
async function copyEach() {
  const files = await start({ behaviours: { 'limit.zero': 'empty' } })
  const { body: page } = await files.send('POST', `${SEARCH}?limit=2`, {
    filters: [{ field: 'name', operator: 'LIKE', value: ['budget'] }],
  })
  const { next } = page.pageContext as { next: string }
  const budget = { filters: [{ field: 'name', operator: 'LIKE', value: ['budget'] }] }
  const searches = [
    await files.copy('POST', `${SEARCH}?limit=2&next=${encodeURIComponent(next)}`, budget),
    await files.copy('POST', `${SEARCH}?limit=20`, {}),
    await files.copy('POST', `${SEARCH}?limit=0`, {}),
    await files.copy('POST', SEARCH, { filters: [{ field: 'nam', operator: 'LIKE', value: ['a'] }] }),
    await files.copy('POST', SEARCH, {}, {}),
  ]
  await files.control.addFiles('demo', [{ path: 'reports/added.pdf', size: 7 }])
  const added = { filters: [{ field: 'name', operator: 'LIKE', value: ['added.pdf'] }] }
  searches.push(await files.copy('POST', SEARCH, added))
  const { body: created } = await files.send('POST', SCHEDULES, SCHEDULE)
  const { id } = created as { id: number }
  await files.control.advanceClock({ by: 'P14D' })
  const schedules = [
    await files.copy('PUT', `${SCHEDULES}/${id}`, { title: 'Another title' }),
    await files.copy('POST', SCHEDULES, SCHEDULE),
  ]
  await files.control.armFaults({ kind: 'status', status: 503, times: 1 })
  const disturbed = [await files.copy('POST', `${SEARCH}?limit=1`, {})]
  await files.control.armFaults({ kind: 'reset', times: 1 })
  disturbed.push(await files.copy('POST', `${SEARCH}?limit=2`, {}))
  await files.control.armFaults({ kind: 'truncated', times: 1 })
  disturbed.push(await files.copy('POST', `${SEARCH}?limit=3`, {}))

  // At the minute of an id.
  const shop = await start({ contract: SHOP, seed: 7, clock: '2026-03-05T14:12:12Z' })
  await shop.send('POST', '/customers', GRACE, {})
  await shop.send('POST', '/customers', { ...GRACE, name: 'Not needed' }, {})
  const orders = [
    await shop.copy('POST', '/orders', ORDER, {}),
    await shop.copy('GET', '/orders?customerId=11', undefined, {}),
    await shop.copy('POST', '/orders/11/cancel', undefined, {}),
    await shop.copy('DELETE', '/customers/12', undefined, {}),
    await shop.copy('GET', '/customers/12', undefined, {}),
    await shop.copy('GET', '/customers', undefined, {}),
  ]
  return { all: [...searches, ...schedules, ...disturbed, ...orders], page: searches[0]!, order: orders[0]! }
}

test('copied tests pass with no server, for each runner, and fail where the service responds otherwise', async () => {
  const { all, page, order } = await copyEach()
  // Without what a test sends or sets up it fails.
  const wrong = [
    page.map((text) => text.replace('"budget"', '"report"')),
    order.map((text) => text.replace(/await control\.createDocument\('customers', \{[^}]*\}\)/, '')),
  ]
  expect(wrong.map(([text]) => text)).not.toEqual([page[0], order[0]])
  // In one run, since a start of the runner takes longer than the tests.
  expect(await runCopied([...all, ...wrong], 'vitest')).toMatch(new RegExp(`Tests +2 failed \\| ${all.length} passed`))
  for (const runner of sample<CodeRunner>(['node:test', 'playwright'], 2))
    expect(await runCopied(all, runner), runner).toBe('all passed')

  const [forVitest = '', forPlaywright = '', forNode = ''] = order
  expect(forVitest).toContain("import { test as base } from 'standin/vitest'")
  expect(forPlaywright).toContain("import { expect, test } from 'standin/playwright'")
  expect(forNode).toContain("import { useStandin } from 'standin/node-test'")
  for (const text of order) {
    expect(text).toContain('seed: 7')
    expect(text).toContain('Grace Hopper')
    // What the request does not need.
    expect(text).not.toContain('Not needed')
  }
}, 300_000)
