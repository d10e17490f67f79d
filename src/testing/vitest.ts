/** Fixtures for Vitest: `import { test } from 'standin/vitest'`. */
import '../base/node-version/refuse-old-node.ts'
import { expect, recordArtifact, type RunnerTestCase, test as base } from 'vitest'
import type { ControlClient } from '../control/client/client.ts'
import { describeFailure, type FailureFile, writeFailure } from './failure-files.ts'
import {
  createSharedStandin,
  findMistakes,
  loadStandin,
  type SharedStandin,
  type TestOptions,
  type TestStandin,
} from './test-standin.ts'
import { type Expected, isVerifying, verify } from './verification.ts'

export type { Expectation, Expected } from './verification.ts'
export type { TestOptions, TestStandin } from './test-standin.ts'

// Here it takes no time of the first test, which has five seconds by default.
if (!process.env.STANDIN_URL) await loadStandin()

interface VitestFixtures {
  /** What the stand-in of a file of tests is created from: `test.extend({ standinOptions: { contract: 'openapi.yaml' } })`. */
  readonly standinOptions: TestOptions
  /** An instant that the clock of each sandbox stands still at: `test.override({ clock: '2026-03-05T14:30:00Z' })`. */
  readonly clock: string | Date | undefined
  /** @internal */
  readonly sharedStandin: SharedStandin
  /** The stand-in with a sandbox for this test alone. */
  readonly standin: TestStandin
  /** The control API for the sandbox of this test. */
  readonly control: ControlClient
  /** The key that selects the sandbox of this test. */
  readonly key: string
  /** The address, for a client that needs one. */
  readonly url: string
}

/**
 * Vitest's `test` with a stand-in: one in this process, or the one at `STANDIN_URL`. Each test has a sandbox of its own. When a test fails, a
 * replay and a HAR of it are kept.
 *
 * @example
 * test('lists my orders', async ({ url, key, control }) => {
 *   expect(await createClient(url, key).listOrders()).toHaveLength(10)
 *   await expect(control).toHaveVerified({ walkedEveryPageOnce: true })
 * })
 */
export const test = base.extend<VitestFixtures>({
  standinOptions: [{}, { scope: 'file' }],
  clock: undefined,
  sharedStandin: [
    async ({ standinOptions }, use) => {
      const shared = await createSharedStandin(standinOptions)
      await use(shared)
      await shared.close()
    },
    { scope: 'file' },
  ],
  async standin({ sharedStandin, standinOptions, clock, task }, use) {
    const standin = await sharedStandin.open(task.name, clock)
    await use(standin)
    const isForgotten = isVerifying(standin.control)
    const hasFailed = task.result?.state === 'fail' || isForgotten
    if (task.result?.state === 'fail') await keepFailure(standin, standinOptions, task)
    const mistakes = hasFailed ? undefined : await findMistakes(standin, standinOptions)
    if (mistakes !== undefined) console.warn(mistakes)
    await sharedStandin.remove(standin, hasFailed)
    if (isForgotten)
      throw new Error('The test ended before toHaveVerified did. Write: await expect(control).toHaveVerified(…)')
  },
  control: ({ standin }, use) => use(standin.control),
  key: ({ standin }, use) => use(standin.key),
  url: async ({ standin }, use) => use(await standin.listen()),
})

/** A stand-in that is gone must not hide why the test failed. */
async function keepFailure(standin: TestStandin, options: TestOptions, task: Readonly<RunnerTestCase>): Promise<void> {
  try {
    const files = await writeFailure(standin, options, `${task.file.name} ${task.fullTestName}`)
    console.error(await describeFailure(standin, files))
    const attachments = files.map(({ path, contentType }) => ({ path, contentType }))
    await recordArtifact(task as RunnerTestCase, { type: 'standin:failure', files, attachments })
  } catch (error) {
    console.error(
      `Standin could not keep what this test sent: ${error instanceof Error ? error.message : String(error)}`,
    )
  }
}

expect.extend({ toHaveVerified: verify })

declare global {
  // Vitest's own interface of matchers has other type parameters in each major version.
  // eslint-disable-next-line @typescript-eslint/no-namespace
  namespace Chai {
    interface Assertion {
      /** Checks what the client of a test sent: `await expect(control).toHaveVerified({ walkedEveryPageOnce: true })`. */
      toHaveVerified(expected: Expected): Promise<void>
    }
  }
}

declare module 'vitest' {
  interface TestArtifactRegistry {
    'standin:failure': {
      readonly type: 'standin:failure'
      readonly files: readonly FailureFile[]
      attachments?: { path: string; contentType: string }[]
    }
  }
}
