import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createStandin } from '../../src/index.ts'
import { assertVerified, useStandin } from '../../src/testing/node-test.ts'

const contract = 'examples/shop/contract.yaml'

let artifacts: string
beforeAll(() => {
  artifacts = mkdtempSync(join(tmpdir(), 'standin-'))
})
afterAll(() => rmSync(artifacts, { recursive: true }))

/** What node:test gives a test, and its end. */
function begin(name: string) {
  const after: (() => Promise<void>)[] = []
  const said: string[] = []
  const context = {
    name,
    fullName: name,
    passed: true,
    after: (run: () => Promise<void>) => void after.push(run),
    diagnostic: (message: string) => void said.push(message),
  }
  return {
    context,
    async end(passed: boolean) {
      context.passed = passed
      for (const run of after) await run()
      return said.join('\n')
    },
  }
}

test('in a stand-in of one test, a request that names no sandbox is of the test', async () => {
  const { context, end } = begin('orders')
  const { url, control, key, headers, app } = await useStandin(context, { contract, goodClient: false })
  expect(app).toBeDefined()
  await control.armFaults({ kind: 'status', status: 503, times: 1 })
  expect((await fetch(`${url}/customers`)).status).toBe(503)
  expect((await fetch(`${url}/customers`, { headers })).status).toBe(200)
  expect((await fetch(`${url}/customers`, { headers: { Authorization: `Bearer ${key}` } })).status).toBe(200)
  await assertVerified(control, { match: { path: '/customers' }, exactly: 3 })
  expect(await end(true)).toBe('')
})

test('each stand-in of one test begins anew', async () => {
  const { context, end } = begin('orders')
  const { control } = await useStandin(context, { contract })
  expect((await control.listExchanges()).exchanges).toEqual([])
  await end(true)
})

test('where the stand-in runs elsewhere, the failure says that requests missed the sandbox', async () => {
  const shared = createStandin({ contract })
  const { context, end } = begin('orders')
  const { url, sandbox, control } = await useStandin(context, { url: await shared.start(), artifacts })
  await control.armFaults({ kind: 'status', status: 503, times: 1 })
  expect((await fetch(`${url}/customers`)).status).toBe(200)
  expect(sandbox).toBe('orders')
  expect(await end(false)).toMatch(/^1 request went to the sandbox default, .*\(X-Mock-Sandbox: orders\)/)
  await shared.stop()
})
