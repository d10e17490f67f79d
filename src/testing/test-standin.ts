import type { RequestListener } from 'node:http'
import type { Standin, StandinOptions } from '../app/standin.ts'
import { describeVerification } from '../control/client/describe-verification.ts'
import { type ControlClient, ControlError, createControlClient } from '../control/client/client.ts'
import { nameOfTest } from '../base/formats/names.ts'
import { findMutationSession, type NamedTest } from './mutation.ts'
import { UNNAMED, watchStrays } from './stray-requests.ts'

/** How tests get a stand-in: the options of `createStandin`, or the address of a running one. */
export interface TestOptions extends Omit<StandinOptions, 'artifacts' | 'clock' | 'watch'> {
  /** Use the stand-in that runs there instead of one in this process; `STANDIN_URL` when absent. The other options are its own then. */
  readonly url?: string
  /** The key that tests send; by default one that selects the sandbox of the test. Give a listed one where the stand-in has `keys`. */
  readonly key?: string
  /** Directory for the replay and the HAR of failed tests; `STANDIN_ARTIFACTS`, or `test-results/standin`, when absent. */
  readonly artifacts?: string
  /** An instant: generated data is of the days before it, and clocks stand still at it. Without it data is of the days before today. */
  readonly start?: string | Date
  /** Whether mistakes of the client that `control.expectGoodClient()` finds are warnings where the test passes; true when absent. */
  readonly goodClient?: boolean
}

/** The mistakes of the client in a test that passed, for a warning; undefined where there are none, or the check is off. */
export async function findMistakes(
  { control }: TestStandin,
  { goodClient = true }: TestOptions,
): Promise<string | undefined> {
  if (!goodClient) return undefined
  const verification = await control.verifyJournal({ expectations: [{ goodClient: true }] })
  const hint =
    'To fail the test, write: await control.expectGoodClient(). To see no warnings: standinOptions: { goodClient: false }'
  const heading = 'The test passed. A good client would have met these rules too'
  return verification.passed ? undefined : `${describeVerification(verification, heading)}\n${hint}`
}

/** A stand-in as one test sees it: everything is about its own sandbox. */
export interface TestStandin {
  /** The name of the sandbox. */
  readonly sandbox: string
  /** A key that selects the sandbox. */
  readonly key: string
  /** The key in the header that the contract has for it, and the header that names the sandbox. */
  readonly headers: Readonly<Record<string, string>>
  /** The control API for the sandbox. */
  readonly control: ControlClient
  /** Like the global `fetch`, with `headers` unless a request has its own. A path alone is enough; in this process it needs no port. */
  fetch(input: Request | URL | string, init?: RequestInit): Promise<Response>
  /** The Express application, for supertest and the like; undefined where the stand-in runs elsewhere. */
  readonly app: RequestListener | undefined
  /** The address. A stand-in in this process listens from the first call on. */
  listen(): Promise<string>
}

/** What a test is given. */
export interface SandboxFixtures {
  /** The stand-in with a sandbox for this test alone. */
  readonly standin: TestStandin
  /** The control API for the sandbox of this test. */
  readonly control: ControlClient
  /** The key that selects the sandbox of this test. */
  readonly key: string
  /** The address, for a client that needs one. */
  readonly url: string
}

/** A stand-in that several tests may share, each with a sandbox of its own. */
export interface SharedStandin {
  /** @param test names the sandbox */
  open(test: NamedTest, options?: OpenOptions): Promise<TestStandin>
  /**
   * Removes the sandbox. A server with `--artifacts` keeps files of a failed test.
   *
   * @param failure why the test failed; undefined for one that passed
   */
  remove(standin: TestStandin, failure: string | undefined): Promise<void>
  /** Stops a stand-in of this process. */
  close(): Promise<void>
}

interface OpenOptions {
  /** An instant that the clock of the sandbox stands still at. */
  readonly clock?: string | Date | undefined
  /** Ends a test that need not run; without it the test runs. */
  readonly skip?: (() => void) | undefined
}

/** Where requests go to. */
interface RequestTarget {
  readonly control: ControlClient
  readonly app: RequestListener | undefined
  readonly base: string
  send(request: Request): Promise<Response>
  listen(): Promise<string>
  close(): Promise<void>
}

/**
 * The code of a stand-in is loaded only where one is created.
 *
 * @param tests where one test alone has a stand-in in its process, all requests are its own: it has the sandbox `default`, which requests
 * that name none go to. With `data` that sandbox would outlive the test.
 */
export async function createSharedStandin(
  options: TestOptions,
  tests: 'one' | 'several' = 'several',
): Promise<SharedStandin> {
  const target = await createTarget(options)
  const isAlone = tests === 'one' && target.app !== undefined && options.data === undefined
  const session = findMutationSession()
  let headerOfKey: Promise<KeyHeader> | undefined
  const openSandbox = async (test: NamedTest, skip?: () => void) => {
    if (!session) return createSandbox(target.control, nameOfTest(test.name, LONGEST_NAME))
    const { sandbox, isSpare } = await session.begin(test)
    if (isSpare) skip?.()
    return sandbox
  }
  return {
    async open(test, { clock, skip } = {}) {
      const sandbox = isAlone ? UNNAMED : await openSandbox(test, skip)
      const control = target.control.in(sandbox)
      if (!isAlone) await watchStrays(control, sandbox)
      if (clock !== undefined)
        await control.putClock({ mode: 'frozen', now: clock instanceof Date ? clock.toISOString() : clock })
      const key = options.key ?? `test@${sandbox}`
      const toHeader = await (headerOfKey ??= findKeyHeader(target.control))
      const headers = { ...toHeader(key), 'X-Mock-Sandbox': sandbox }
      const { app, listen } = target
      return { sandbox, key, headers, control, app, listen, fetch: (input, init) => send(target, headers, input, init) }
    },
    async remove({ control, sandbox }, failure) {
      if (session) await session.end(sandbox, failure)
      else if (!isAlone) await control.deleteSandbox(sandbox, failure === undefined ? undefined : { artifacts: true })
    },
    close: target.close,
  }
}

async function createTarget(options: TestOptions): Promise<RequestTarget> {
  const {
    url = process.env.STANDIN_URL,
    key: _key,
    artifacts: _artifacts,
    goodClient: _goodClient,
    start,
    ...settings
  } = options
  if (url !== undefined && url !== '') return createRemoteTarget(url.replace(/\/$/, ''), options)
  const { createStandin } = await loadStandin()
  const standin: Standin = createStandin({
    maxSandboxes: MAX_SANDBOXES,
    ...settings,
    ...(start === undefined ? {} : { clock: start }),
  })
  let listening: Promise<string> | undefined
  return {
    control: standin.control,
    app: standin.app,
    base: 'http://localhost',
    send: standin.fetch,
    listen: () => (listening ??= standin.start()),
    close: () => standin.stop(),
  }
}

/** What a stand-in in this process is created by. */
export function loadStandin(): Promise<Pick<typeof import('../index.ts'), 'createStandin'>> {
  return import('../index.ts')
}

/** Tests that run at the same time in one process, at most. */
const MAX_SANDBOXES = 1000

function createRemoteTarget(url: string, { controlToken }: TestOptions): RequestTarget {
  const token = controlToken ?? process.env.STANDIN_CONTROL_TOKEN
  return {
    control: createControlClient({ url, ...(token === undefined || token === '' ? {} : { token }) }),
    app: undefined,
    base: url,
    send: (request) => fetch(request),
    listen: () => Promise.resolve(url),
    close: () => Promise.resolve(),
  }
}

async function send(
  target: RequestTarget,
  headers: Readonly<Record<string, string>>,
  input: Request | URL | string,
  init?: RequestInit,
): Promise<Response> {
  const request = new Request(input instanceof Request ? input : new URL(input, target.base), init)
  for (const [name, value] of Object.entries(headers)) if (!request.headers.has(name)) request.headers.set(name, value)
  return target.send(request)
}

/** What the name of a sandbox may have besides a number. */
const LONGEST_NAME = 56

/** The server creates a name only once, so tests of several processes cannot get the same sandbox. */
async function createSandbox(control: ControlClient, name: string): Promise<string> {
  for (let count = 1; ; count++) {
    const sandbox = count === 1 ? name : `${name}-${count}`
    try {
      await control.createSandbox({ name: sandbox })
      return sandbox
    } catch (error) {
      if (!(error instanceof ControlError) || error.type !== '/problems/sandbox-exists') throw error
    }
  }
}

type KeyHeader = (key: string) => Readonly<Record<string, string>>

interface SecurityScheme {
  readonly type: string
  readonly in?: string
  readonly name?: string
  readonly scheme?: string
}

/** How the contract wants the key in a header; without such a scheme, the header that names the sandbox is enough. */
async function findKeyHeader(control: ControlClient): Promise<KeyHeader> {
  const { components } = (await control.getContract()) as {
    readonly components?: { readonly securitySchemes?: Readonly<Record<string, SecurityScheme>> }
  }
  for (const { type, in: place, name, scheme } of Object.values(components?.securitySchemes ?? {})) {
    if (type === 'apiKey' && place === 'header' && name !== undefined) return (key) => ({ [name]: key })
    if (scheme?.toLowerCase() === 'bearer' || type === 'oauth2' || type === 'openIdConnect')
      return (key) => ({ Authorization: `Bearer ${key}` })
  }
  return () => ({})
}
