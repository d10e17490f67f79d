/** A stand-in for tests with `node:test`, and for other runners whose tests can be told what to do after them. */
import '../base/node-version/refuse-old-node.ts'
import { AssertionError } from 'node:assert'
import type { ControlClient } from '../control/client/client.ts'
import { describeFailure, writeFailure } from './failure-files.ts'
import { failureOf } from './mutation.ts'
import { createSharedStandin, findMistakes, type TestOptions, type TestStandin } from './test-standin.ts'
import { type Expected, verify } from './verification.ts'

export type { Expectation, Expected } from './verification.ts'
export type { TestOptions, TestStandin } from './test-standin.ts'

/** What is needed of the `TestContext` of node:test. */
interface TestContext {
  readonly name: string
  readonly fullName: string
  readonly filePath?: string | undefined
  readonly passed: boolean
  readonly error?: Error | null
  after(run: () => Promise<void>): void
  diagnostic(message: string): void
}

interface NodeTestOptions extends TestOptions {
  /** An instant that the clock of the sandbox stands still at. */
  readonly clock?: string | Date
}

/**
 * A stand-in for one test, with a sandbox that is removed after it: in this process, or the one at `STANDIN_URL`. When the test fails, a replay
 * and a HAR of it are kept.
 *
 * @example
 * test('lists my orders', async (t) => {
 *   const { url, key, control } = await useStandin(t)
 *   assert.equal((await createClient(url, key).listOrders()).length, 10)
 *   await assertVerified(control, { walkedEveryPageOnce: true })
 * })
 */
export async function useStandin(
  t: TestContext,
  { clock, ...options }: NodeTestOptions = {},
): Promise<TestStandin & { readonly url: string }> {
  const shared = await createSharedStandin(options, 'one')
  const standin = await shared.open({ name: t.name, fullName: t.fullName, file: t.filePath ?? '' }, { clock })
  t.after(async () => {
    try {
      if (!t.passed) t.diagnostic(await describeFailure(standin, await writeFailure(standin, options, t.fullName)))
      const mistakes = t.passed ? await findMistakes(standin, options) : undefined
      if (mistakes !== undefined) t.diagnostic(mistakes)
      await shared.remove(
        standin,
        t.passed ? undefined : failureOf(t.error?.cause instanceof Error ? t.error.cause : t.error),
      )
    } finally {
      await shared.close()
    }
  })
  return { ...standin, url: await standin.listen() }
}

/** @throws AssertionError with what was expected, what came and the nearest misses */
export async function assertVerified(control: ControlClient, expected: Expected): Promise<void> {
  const { pass, message } = await verify(control, expected)
  if (!pass) throw new AssertionError({ message: message(), stackStartFn: assertVerified })
}
