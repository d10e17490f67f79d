import { execFile } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createStandin } from '../../src/index.ts'
import { createProject, plainEnvironment, ROOT } from '../support/example-project.ts'

const run = promisify(execFile)
const VITEST = [join(ROOT, 'node_modules/vitest/vitest.mjs'), 'run', '--testTimeout', '60000', '--root', 'vitest']

let project: ReturnType<typeof createProject>
beforeAll(() => {
  project = createProject(['vitest', 'msw', 'node-test'])
})
afterAll(() => project.remove())

/** Runs a command of Node in the project. */
async function node(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const options = { cwd: project.path, env: plainEnvironment(env) }
  const ended = run(process.execPath, args, options).then((output) => ({ ...output, code: 0 }))
  return ended.catch((error: unknown) => error as { stdout: string; stderr: string; code: number })
}

/** The file that a line names, without what may precede it. */
function fileIn(output: string, pattern: RegExp): string {
  return readFileSync(join(project.path, pattern.exec(output)?.[1] ?? 'not named'), 'utf8')
}

test('the example for Vitest passes, with a stand-in in its process', async () => {
  const { code, stdout, stderr } = await node(VITEST)
  expect(code, stdout + stderr).toBe(0)
  expect(stdout).toMatch(/Tests +5 passed/)
})

test('the example for MSW passes', async () => {
  const { code, stdout, stderr } = await node([...VITEST.slice(0, -1), 'msw'])
  expect(code, stdout + stderr).toBe(0)
  expect(stdout).toMatch(/Tests +3 passed/)
})

test('the same tests pass against a running stand-in, and leave no sandbox behind', async () => {
  const standin = createStandin({ controlToken: 'secret-token' })
  const env = { STANDIN_URL: await standin.start(), STANDIN_CONTROL_TOKEN: 'secret-token' }
  const { code, stdout, stderr } = await node(VITEST, env)
  expect(code, stdout + stderr).toBe(0)
  expect((await standin.control.listSandboxes()).sandboxes.map(({ name }) => name)).toEqual(['default'])
  expect(await standin.control.getMetrics()).toMatch(/operation="searchFiles",status="503".* 1$/m)
  await standin.stop()
})

test('a Vitest test that fails says what was expected, what came and what is near, and keeps a replay and a HAR', async () => {
  writeFileSync(
    join(project.path, 'vitest/failing.test.ts'),
    `import { expect } from 'vitest'
    import { test } from 'standin/vitest'
    import { findFiles } from './find-files.ts'
    test('budgets & more', async ({ url, key, control }) => {
      await findFiles(url, key, 'budget')
      await expect(control).toHaveVerified({ match: { operationId: 'searchFiles', status: 503 }, exactly: 1 })
    })`,
  )
  const { code, stdout, stderr } = await node([...VITEST, 'failing'])
  const output = stdout + stderr
  expect(code).toBe(1)
  expect(output).toContain('expected: exactly 1 of operation "searchFiles", status 503')
  expect(output).toContain('received: 0 of 4 exchanges')
  expect(output).toMatch(
    /#1 POST \/api\/files\/v1\/filesets\/demo\/files\/search\?limit=3 200\n\s+status: expected 503/,
  )
  expect(output).toContain('test-results/standin/failing.test.ts-budgets-more/')
  expect(JSON.parse(fileIn(output, /npx standin replay (\S+)/))).toHaveProperty('exchanges')
  const har = JSON.parse(fileIn(output, /(\S+\.har)/)) as { log: { entries: unknown[] } }
  expect(har.log.entries).toHaveLength(4)
  const repeated = await node(['node_modules/standin/dist/cli.js', 'replay', /replay (\S+)/.exec(output)?.[1] ?? ''])
  expect(repeated, repeated.stderr).toMatchObject({ code: 0 })
})

test('a running stand-in with --artifacts keeps the sandboxes of tests that fail, and of no other', async () => {
  const artifacts = join(project.path, 'artifacts')
  const standin = createStandin({ artifacts })
  await node([...VITEST, 'first', 'failing'], { STANDIN_URL: await standin.start() })
  expect(readdirSync(artifacts)).toEqual(['budgets-more'])
  expect(readdirSync(join(artifacts, 'budgets-more'))).toHaveLength(4)
  await standin.stop()
})

test('a Vitest test that passes warns of the mistakes of its client, unless it turns that off', async () => {
  const send = (name: string, fixtures: string) => `
    import { test as base } from 'standin/vitest'
    const test = ${fixtures}
    test('${name}', async ({ standin }) => {
      const init = { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: '{}' }
      await standin.fetch('/api/files/v1/filesets/demo/files/search?limit=600', init)
    })`
  writeFileSync(join(project.path, 'vitest/warned.test.ts'), send('warned', 'base'))
  const off = 'base.extend({ standinOptions: { goodClient: false } })'
  writeFileSync(join(project.path, 'vitest/warned-off.test.ts'), send('silent', off))
  const { code, stdout, stderr } = await node([...VITEST, 'warned'])
  expect(code, stdout + stderr).toBe(0)
  expect(stderr.match(/next page: expected requested; received no such request/g)).toHaveLength(1)
  expect(stderr).toContain('warned.test.ts > warned')
  expect(stderr).toContain('The test passed. A good client would have met these rules too, in 1 exchange:')
  expect(stderr).not.toContain('did not match')
})

test('an expectation without an await fails its test, and says what to write', async () => {
  writeFileSync(
    join(project.path, 'vitest/forgotten.test.ts'),
    `import { expect } from 'vitest'
    import { test } from 'standin/vitest'
    test('forgets', ({ control }) => {
      expect(control).toHaveVerified({ walkedEveryPageOnce: true })
    })`,
  )
  const { code, stdout, stderr } = await node([...VITEST, 'forgotten'])
  expect(code).toBe(1)
  expect(stdout + stderr).toContain('Write: await expect(control).toHaveVerified(')
  expect(stdout + stderr).toMatch(/forgets/)
})

test('the example for node:test passes', async () => {
  const { code, stdout, stderr } = await node(['--test', 'node-test/files.test.ts'])
  expect(code, stdout + stderr).toBe(0)
  expect(stdout).toContain('pass 2')
})

test('a test of node:test that fails names the same files', async () => {
  writeFileSync(
    join(project.path, 'node-test/failing.test.ts'),
    `import test from 'node:test'
    import { assertVerified, useStandin } from 'standin/node-test'
    test('never searches', async (t) => {
      const { control } = await useStandin(t)
      await assertVerified(control, { match: { operationId: 'searchFiles' }, exactly: 1 })
    })`,
  )
  const { code, stdout } = await node(['--test', '--test-reporter=spec', 'node-test/failing.test.ts'])
  expect(code).toBe(1)
  expect(stdout).toContain('expected: exactly 1 of operation "searchFiles"')
  expect(JSON.parse(fileIn(stdout, /npx standin replay (\S+)/))).toHaveProperty('settings')
})
