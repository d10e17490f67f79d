import type { ControlClient } from '../control/client/client.ts'

/** The sandbox of requests that name none: `DEFAULT_SANDBOX`, without loading the engine. */
export const UNNAMED = 'default'

/** Where a test is whose requests may miss its sandbox. */
interface WatchedTest {
  readonly sandbox: string
  /** The last request that had named no sandbox when the test began. */
  readonly since: number
}

const tests = new WeakMap<ControlClient, WatchedTest>()

/** Those that were told of their stray requests. */
const told = new WeakSet<ControlClient>()

/** Call it when a test begins that shares its stand-in with others. A request that names no sandbox may come from any of them. */
export async function watchStrays(control: ControlClient, sandbox: string): Promise<void> {
  tests.set(control, { sandbox, since: await lastUnnamed(control) })
}

async function lastUnnamed(control: ControlClient): Promise<number> {
  const { exchanges } = await control.in(UNNAMED).listExchanges({ limit: 1 })
  return exchanges.at(-1)?.id ?? 0
}

/** Says, in a test that failed, that requests missed its sandbox. @returns undefined where there are none */
export async function describeStrays(control: ControlClient): Promise<string | undefined> {
  const test = tests.get(control)
  if (!test) return undefined
  const count = (await lastUnnamed(control)) - test.since
  if (count <= 0) return undefined
  return `${count} ${count === 1 ? 'request' : 'requests'} went to the sandbox ${UNNAMED}, where the faults and expectations of this test do not apply. Send the fixture's headers with each request (X-Mock-Sandbox: ${test.sandbox}), or the fixture's key where the contract asks for one.`
}

/** Notes that the message about stray requests was shown. */
export function tellStrays(control: ControlClient): void {
  told.add(control)
}

/** As `describeStrays`, unless it was shown before. */
export async function describeUntoldStrays(control: ControlClient): Promise<string | undefined> {
  return told.has(control) ? undefined : describeStrays(control)
}
