import { execFile } from 'node:child_process'
import { existsSync, globSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { delimiter, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createProject, plainEnvironment, ROOT } from '../support/example-project.ts'

const run = promisify(execFile)

let project: ReturnType<typeof createProject>
beforeAll(() => {
  project = createProject(['playwright'])
})
afterAll(() => project.remove())

async function playwright(...args: readonly string[]) {
  const env = {
    CHROMIUM: process.env.CHROMIUM ?? '/usr/bin/chromium',
    PORT: String(await freePort()),
    PATH: `${dirname(process.execPath)}${delimiter}${process.env.PATH ?? ''}`,
  }
  const command = [join(ROOT, 'node_modules/@playwright/test/cli.js'), 'test', ...args]
  const options = { cwd: join(project.path, 'playwright'), env: plainEnvironment(env) }
  const ended = run(process.execPath, command, options).then((output) => ({ ...output, code: 0 }))
  return ended.catch((error: unknown) => error as { stdout: string; stderr: string; code: number })
}

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

test('the example for Playwright passes', async () => {
  const { code, stdout, stderr } = await playwright('files')
  expect(code, stdout + stderr).toBe(0)
  expect(stdout).toContain('3 passed')
})

test('a test that fails has a replay and a HAR attached, and requests to other hosts stay as they are', async () => {
  writeFileSync(
    join(project.path, 'playwright/failing.spec.ts'),
    `import { expect, test } from 'standin/playwright'
    test('fails', async ({ page, url, control }) => {
      await page.route('https://fonts.example/**', (route) => {
        expect(route.request().headers()).not.toHaveProperty('x-mock-sandbox')
        return route.fulfill({ body: 'font' })
      })
      await page.goto(\`/?api=\${url}\`)
      await page.evaluate(() => fetch('https://fonts.example/', { mode: 'no-cors' }).then(() => undefined))
      await page.getByRole('button').click()
      await expect(page.getByRole('status')).toHaveText(/files/)
      await expect(control).toHaveVerified({ match: { operationId: 'searchFiles' }, exactly: 2 })
    })`,
  )
  const { code, stdout } = await playwright('failing')
  expect(code).toBe(1)
  expect(stdout).toContain('expected: exactly 2 of operation "searchFiles"')
  expect(stdout).toContain('received: 1 of 1 exchange')
  expect(stdout).toContain('attachment #1: replay.json')
  const kept = globSync('playwright/test-results/*/standin/*', { cwd: project.path })
  expect(kept.map((path) => path.replace(/.*\//, '')).toSorted()).toEqual(['replay.json', 'requests.har'])
  expect(existsSync(join(project.path, kept[0]!))).toBe(true)
})
