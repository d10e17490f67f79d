/** Fixtures for Playwright: `import { test, expect } from 'standin/playwright'`. */
import '../base/node-version/refuse-old-node.ts'
import { type BrowserContext, expect as baseExpect, test as base } from '@playwright/test'
import type { ControlClient } from '../control/client/client.ts'
import { isLocalName } from '../base/network/local-names.ts'
import { writeFailure } from './failure-files.ts'
import { failureOf } from './mutation.ts'
import { describeUntoldStrays } from './stray-requests.ts'
import {
  createSharedStandin,
  findMistakes,
  type SandboxFixtures,
  type SharedStandin,
  type TestOptions,
} from './test-standin.ts'
import { type Expected, verify } from './verification.ts'

export type { Expectation, Expected } from './verification.ts'
export type { TestOptions, TestStandin } from './test-standin.ts'

interface WorkerFixtures {
  /** What the stand-in is created from, for `use` in a configuration: `{ standinOptions: { url: 'http://127.0.0.1:4010' } }`. */
  readonly standinOptions: TestOptions
  /** @internal */
  readonly sharedStandin: SharedStandin
}

interface TestFixtures extends SandboxFixtures {
  /** An instant that the clock of each sandbox stands still at: `test.use({ standinClock: '2026-03-05T14:30:00Z' })`. */
  readonly standinClock: string | Date | undefined
}

/**
 * Playwright's `test` with a stand-in: one in the worker, or the one at `STANDIN_URL`. Each test has a sandbox of its own, which all requests of
 * its pages go to. When a test fails, a replay and a HAR of it are attached.
 */
export const test = base.extend<TestFixtures, WorkerFixtures>({
  standinOptions: [{}, { scope: 'worker', option: true }],
  standinClock: [undefined, { option: true }],
  sharedStandin: [
    async ({ standinOptions }, use) => {
      const shared = await createSharedStandin(standinOptions)
      await use(shared)
      await shared.close()
    },
    { scope: 'worker' },
  ],
  async standin({ sharedStandin, standinOptions, standinClock }, use, testInfo) {
    const { title: name, titlePath, file } = testInfo
    const test = { name, fullName: titlePath.slice(1).join(' > '), file }
    const standin = await sharedStandin.open(test, { clock: standinClock, skip: () => testInfo.skip() })
    await use(standin)
    const hasFailed = testInfo.status !== testInfo.expectedStatus
    if (hasFailed) {
      const files = await writeFailure(standin, { ...standinOptions, artifacts: testInfo.outputDir }, 'standin')
      for (const { name, path, contentType } of files) await testInfo.attach(name, { path, contentType })
      const strays = await describeUntoldStrays(standin.control)
      if (strays !== undefined) testInfo.annotations.push({ type: 'warning', description: strays })
    }
    const mistakes = hasFailed ? undefined : await findMistakes(standin, standinOptions)
    if (mistakes !== undefined) testInfo.annotations.push({ type: 'warning', description: mistakes })
    await sharedStandin.remove(standin, hasFailed ? failureOf(testInfo.error) : undefined)
  },
  control: ({ standin }, use) => use(standin.control),
  key: ({ standin }, use) => use(standin.key),
  url: async ({ standin }, use) => use(await standin.listen()),
  async context({ context, standin, url, baseURL }, use) {
    await sendHeaders(context, standin.headers, [url, baseURL])
    await use(context)
  },
})

/**
 * Adds headers to the requests to the stand-in, to the app and to this machine, whose server may pass them on. Playwright's own extra headers
 * would go to other hosts too, whose CORS rules refuse them.
 */
async function sendHeaders(
  context: BrowserContext,
  headers: Readonly<Record<string, string>>,
  urls: readonly (string | undefined)[],
): Promise<void> {
  const origins = urls.map((url) => (url === undefined ? undefined : new URL(url).origin))
  const added = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
  await context.route(
    ({ origin, hostname }) => origins.includes(origin) || isLocalName(hostname),
    (route) => route.fallback({ headers: { ...route.request().headers(), ...added } }),
  )
}

/** Playwright's `expect` with `toHaveVerified`. */
export const expect = baseExpect.extend({
  /** Checks what the client of a test sent: `await expect(control).toHaveVerified({ walkedEveryPageOnce: true })`. */
  async toHaveVerified(control: ControlClient, expected: Expected) {
    return { name: 'toHaveVerified', ...(await verify(control, expected)) }
  },
})
