import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test, vi } from 'vitest'
import { asTest } from '../../../../console/src/views/requests/test-code.ts'
import { createControlClient, createStandin, type StandinOptions } from '../../../../src/index.ts'

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

async function start(options: StandinOptions = {}) {
  const standin = createStandin({ port: 0, ...options })
  const url = await standin.start()
  onTestFinished(() => standin.stop())
  const control = createControlClient({ url })
  return {
    control,
    /** Sends a request and copies it as a test. */
    async copy(method: string, path: string, body?: object): Promise<string> {
      await fetch(url + path, {
        method,
        headers: { 'Content-Type': 'application/json', ...KEY },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      }).then(
        (response) => response.text().catch(() => ''),
        () => '',
      )
      // A broken response is recorded a little later.
      const { id } = await vi.waitFor(async () => {
        const [latest] = (await control.listExchanges({ limit: 1 })).exchanges
        expect(latest?.request.url).toBe(path)
        return latest!
      })
      const exchange = await control.getExchange(id)
      const { faults } = await control.listFaults()
      return asTest(exchange, { base: url, key: 'secret', faults })
    },
  }
}

/** Runs copied tests in a project of their own. @returns how many passed and failed */
async function runCopied(tests: readonly string[]): Promise<readonly [number, number]> {
  const folder = mkdtempSync(join(tmpdir(), 'standin-copied-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  symlinkSync(resolve('node_modules'), join(folder, 'node_modules'))
  for (const [at, text] of tests.entries()) writeFileSync(join(folder, `copied-${at}.test.ts`), text)
  const options = { cwd: folder, env: { PATH: process.env.PATH, NO_COLOR: '1' } }
  const args = ['node_modules/vitest/vitest.mjs', 'run', '--maxWorkers=1']
  const { stdout } = await run(process.execPath, args, options).catch((error: unknown) => error as { stdout: string })
  const count = (word: string) => Number(new RegExp(`Tests .*?(\\d+) ${word}`).exec(stdout)?.[1] ?? 0)
  return [count('passed'), count('failed')]
}

test('copied tests pass again, and fail where the service responds otherwise', { timeout: 60_000 }, async () => {
  const { control, copy } = await start()
  const pages = [
    await copy('POST', `${SEARCH}?limit=20`, {}),
    await copy('POST', `${SEARCH}?limit=2`, { filters: [{ field: 'name', operator: 'LIKE', value: ['budget'] }] }),
  ]
  const refused = await copy('POST', SEARCH, { filters: [{ field: 'nam', operator: 'LIKE', value: ['a'] }] })
  const created = await copy('POST', SCHEDULES, SCHEDULE)
  const updated = await copy('PUT', `${SCHEDULES}/1`, { title: 'Another title' })
  expect(await runCopied([...pages, refused, created, updated])).toEqual([5, 0])

  await control.deleteFileSet('demo')
  await control.createFileSet({ id: 'demo', files: [{ path: 'reports/other.pdf', size: 1 }] })
  expect((await runCopied(pages))[0]).toBe(0)
})

test('a copied test checks each error of a refusal, and not the ids that the service chooses', async () => {
  const { copy } = await start()
  const refused = await copy('POST', SEARCH, { filters: [{ field: 'nam', operator: 'LIKE', value: ['a'] }] })
  expect(refused).toContain('expect(response.status).toBe(400)')
  expect(refused).toContain('/filters/0/field')
  const created = await copy('POST', SCHEDULES, SCHEDULE)
  expect(created).toContain('id: expect.any(Number)')
  expect(created).toContain("title: 'Weekly revenue'")
})

test('the test of a disturbed request arms the fault that struck', { timeout: 60_000 }, async () => {
  const { control, copy } = await start()
  await control.armFaults({ kind: 'status', status: 503, times: 1 })
  const refused = await copy('POST', `${SEARCH}?limit=1`, {})
  await control.armFaults({ kind: 'reset', times: 1 })
  const reset = await copy('POST', `${SEARCH}?limit=2`, {})
  await control.armFaults({ kind: 'truncated', times: 1 })
  const truncated = await copy('POST', `${SEARCH}?limit=3`, {})
  expect(await runCopied([refused, reset, truncated])).toEqual([3, 0])
})

test('tests of another contract pass again: lists, items, creations and deletions', { timeout: 60_000 }, async () => {
  const { copy } = await start({ contract: 'examples/shop/contract.yaml' })
  const tests = [
    await copy('GET', '/customers'),
    await copy('GET', '/customers/1'),
    await copy('POST', '/customers', { name: 'Jane Doe', email: 'jane@example.com' }),
    await copy('GET', '/customers/999'),
    await copy('DELETE', '/customers/2'),
  ]
  // The list came before the creation.
  expect(await runCopied(tests.slice(1))).toEqual([4, 0])
  expect(await runCopied(tests.slice(0, 1))).toEqual([0, 1])
})
