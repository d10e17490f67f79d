/** Fixtures for Vitest: `import { test } from 'standin/vitest'`. */
import '../base/node-version/refuse-old-node.ts'
import { beforeAll, expect, recordArtifact, type RunnerTestCase, type RunnerTestSuite, test as base } from 'vitest'
import { describeFailure, type FailureFile, writeFailure } from './failure-files.ts'
import { failureOf, findMutationSession } from './mutation.ts'
import {
  createSharedStandin,
  findMistakes,
  loadStandin,
  type SandboxFixtures,
  type SharedStandin,
  type TestOptions,
  type TestStandin,
} from './test-standin.ts'
import { type Expected, isVerifying, verify } from './verification.ts'

export type { Expectation, Expected } from './verification.ts'
export type { TestOptions, TestStandin } from './test-standin.ts'

// Here it takes no time of the first test, which has five seconds by default.
if (!process.env.STANDIN_URL) await loadStandin()

const mutation = findMutationSession()
// Vitest reads from the pattern that no fixture is wanted.
if (mutation) beforeAll(({}, suite) => repeatTests(suite))

interface VitestFixtures extends SandboxFixtures {
  /** What the stand-in of a file of tests is created from: `test.extend({ standinOptions: { contract: 'openapi.yaml' } })`. */
  readonly standinOptions: TestOptions
  /** An instant that the clock of each sandbox stands still at: `test.override({ clock: '2026-03-05T14:30:00Z' })`. */
  readonly clock: string | Date | undefined
  /** @internal */
  readonly sharedStandin: SharedStandin
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
  async standin({ sharedStandin, standinOptions, clock, task, skip }, use) {
    if (mutation) forgetResult(task)
    const test = { name: task.name, fullName: task.fullTestName, file: task.file.filepath }
    const standin = await sharedStandin.open(test, {
      clock,
      skip: () => skip('no change of the service is left to try'),
    })
    await use(standin)
    const forgotten = isVerifying(standin.control) ? FORGOTTEN : undefined
    const failure = task.result?.state === 'fail' ? failureOf(task.result.errors?.[0]) : forgotten
    if (task.result?.state === 'fail' && !mutation) await keepFailure(standin, standinOptions, task)
    const mistakes = failure === undefined && !mutation ? await findMistakes(standin, standinOptions) : undefined
    if (mistakes !== undefined) console.warn(mistakes)
    await sharedStandin.remove(standin, failure)
    if (forgotten !== undefined) throw new Error(forgotten)
  },
  control: ({ standin }, use) => use(standin.control),
  key: ({ standin }, use) => use(standin.key),
  url: async ({ standin }, use) => use(await standin.listen()),
})

const FORGOTTEN = 'The test ended before toHaveVerified did. Write: await expect(control).toHaveVerified(…)'

/** Makes each test of a file run once for each change of the service that is left to try. A process for each would take most of the time. */
async function repeatTests(suite: Pick<RunnerTestSuite, 'tasks' | 'file'>): Promise<void> {
  const tests = testsOf(suite)
  const names = tests.map(({ fullTestName }) => fullTestName)
  const attempts = await mutation?.attempts(suite.file.filepath, names)
  for (const test of tests) test.repeats = Math.max(0, (attempts?.[test.fullTestName] ?? 1) - 1)
}

function testsOf({ tasks }: Pick<RunnerTestSuite, 'tasks'>): RunnerTestCase[] {
  return tasks.flatMap((task) => (task.type === 'suite' ? testsOf(task) : [task]))
}

/** Vitest takes a test for failed from its first failure on, whatever its repetitions do. */
function forgetResult({ result }: Readonly<RunnerTestCase>): void {
  if (!result) return
  result.state = 'run'
  delete result.errors
}

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
