import type { RequestListener } from 'node:http'
import type { Machine } from './app-parts.ts'
import { type Assembled, assembleStandin, assembleWithData, type Environment } from './assemble.ts'
import type { Config, LogMode } from '../../config/config.ts'
import { createConfig } from '../../config/create-config.ts'
import type { KeySetting } from '../../config/setting-values.ts'
import { describeBindings, exampleRequest } from '../binding/describe-bindings.ts'
import { listOperations, type OperationReport, reportOperations } from '../binding/report-operations.ts'
import { warmUp } from '../../responses/generator.ts'
import { createApp, createReloadableApp } from '../app.ts'
import { createServer, urlOf } from '../server.ts'
import { findComplaints } from './load-parts.ts'
import type { UserOperation } from '../../handlers/define-operation.ts'
import { StartupError } from '../../errors/problem.ts'
import { findInvalid, type Reload, settle } from './reload.ts'
import { readAddedFiles } from '../../resources/file-sets/read-files.ts'
import { summarise } from './summarise.ts'
import type { Entries } from '../../resources/file-sets/entries/entries.ts'
import type { Sandbox } from '../../engine/sandbox.ts'
import type { State } from '../../engine/state.ts'

export interface StandinOptions {
  /** Determines every id, file and cursor; 42 by default. */
  readonly seed?: number
  /** Size of the file set `demo`, up to 10,000,000; 1,000 by default. */
  readonly files?: number
  /** How many documents each collection of the contract begins with, up to 100,000; 10 by default. */
  readonly documents?: number
  /** Freezes the clock at an ISO 8601 instant, a Date, or epoch milliseconds; the machine's clock by default. */
  readonly clock?: string | Date | number
  /** Fixture files by path, or fixtures themselves. */
  readonly fixtures?: readonly unknown[]
  /** Path of an OpenAPI document instead of the one that comes with the package. */
  readonly contract?: string
  /** OpenAPI Overlays that change the contract before it is loaded, in order: paths, or overlays themselves. */
  readonly overlay?: string | object | readonly (string | object)[]
  /** `default`, `document-only` or `observed`. */
  readonly profile?: string
  /** Settings of behaviours: `{ 'page.last': 'null' }`. */
  readonly behaviours?: Readonly<Record<string, unknown>>
  /** The accepted keys, or the path of a file that lists them; any key by default. */
  readonly keys?: readonly KeySetting[] | string
  /** Origins of web pages that may call, besides local ones. */
  readonly origins?: readonly string[]
  /** Host names that requests may use, besides `localhost` and the addresses of this machine. */
  readonly hosts?: readonly string[]
  readonly host?: string
  /** Port for `start()`; by default 0, which picks a free one. */
  readonly port?: number
  readonly log?: LogMode
  /** The maximum number of sandboxes, the default one included; 256 by default. */
  readonly maxSandboxes?: number
  /** False disables the control API. */
  readonly control?: boolean
  /** The bearer token of the control API; without it only clients on this machine can use it. */
  readonly controlToken?: string
  /** Address of a mail catcher that receives each delivery: `smtp://127.0.0.1:1025`. */
  readonly smtp?: string
  /** Path of a directory that keeps every change for the next start. One instance can use it at a time. */
  readonly data?: string
  /** Whether each change waits for the disk. */
  readonly fsync?: boolean
  /** Path of a directory that gets the journal, a HAR and a replay of every sandbox when it stops. */
  readonly artifacts?: string
  /** Your own operations, made with `defineOperation`: one or a list. */
  readonly handlers?: UserOperation | readonly UserOperation[]
  /** Whether responses of the built-in operations are validated against the contract too; those of `handlers` always are. */
  readonly selfCheck?: boolean
  /** Replaces the machine's clock, epoch milliseconds; for tests that move time. */
  readonly now?: () => number
}

export interface Standin {
  /** An Express application: hand it to supertest, mount it in an app of your own, or put your own middleware before it. */
  readonly app: RequestListener
  /** Listens. Resolves to the address, for instance `http://127.0.0.1:4010`. @throws StartupError when it cannot use the port */
  start(): Promise<string>
  /**
   * Closes, after up to two seconds for responses that are under way, and writes `artifacts`.
   *
   * @throws StartupError when they cannot be written
   */
  stop(): Promise<void>
  /** The address once started; undefined before. */
  readonly url: string | undefined
  /** Returns to the initial state: everything that was created, changed or added is gone. */
  reset(): void
  /** Adds files, or directories, to a file set, each as in a fixture file. @throws StartupError for what a fixture would be refused for */
  addFiles(fileSetId: string, files: readonly unknown[]): void
  /** Removes files, or explicit directories, by path. @throws StartupError when there is none at a path */
  removeFiles(fileSetId: string, paths: readonly string[]): void
  /** What was loaded: `3 operations, 3 file sets, 1,136 files, …`. */
  readonly summary: string
  /** What handles each operation, for people: `POST /items/search  searchItems  stateful (by x-standin)`. */
  readonly operations: readonly string[]
  /** Parts of the contract or the fixtures that are not followed, each as a sentence with its file. */
  readonly notes: readonly string[]
  /** A first request to try, as a command line. */
  exampleRequest(url: string): string
}

/**
 * Creates a mock server. Several in one process share no state.
 *
 * @throws StartupError with file, line and remedy when the contract, fixtures or options are wrong
 * @example const { app } = createStandin({ clock: '2026-03-01T09:00:00Z' })
 */
export function createStandin(options: StandinOptions = {}): Standin {
  const { now, ...values } = options
  const sources = [
    { nameOf: () => 'defaults of the library', values: { log: 'silent', port: 0 } },
    { nameOf: (setting: string) => `options.${setting}`, values },
  ]
  const config = createConfig(sources, findComplaints)
  return createReloadableStandin(config, { machine: { ...MACHINE, ...(now ? { realNow: now } : {}) } })
}

/** The one place where real time enters. @internal */
export const MACHINE: Machine = { realNow: Date.now, elapsed: performance.now.bind(performance) }

/** A server that can take other settings while it runs. @internal */
export interface ReloadableStandin extends Standin {
  /** What each operation was taken for and why, for people. */
  readonly report: readonly string[]
  /** The same for programs. */
  listOperations(): readonly OperationReport[]
  /** What each overlay changed, for people. */
  readonly overlays: readonly string[]
  /**
   * Applies settings, and the files that they name, between two requests. State and sandboxes stay.
   *
   * @throws StartupError for what is wrong in them; nothing changes then
   */
  reload(config: Config): Reload
}

/** @internal */
export function createReloadableStandin(config: Config, given: Partial<Environment> = {}): ReloadableStandin {
  const environment = { machine: MACHINE, ...given }
  return withServer(assembleStandin(config, environment), environment)
}

function withServer(first: Assembled, environment: Environment): ReloadableStandin {
  const { config, app: options } = first
  let present = first
  const summary = () => summarise(present)
  let current = createApp(options, summary)
  // Only --watch reloads.
  const app = config.watch ? createReloadableApp(() => current) : current
  const { start, stop, url } = createLifecycle(app, first, () => present)
  return {
    app,
    start,
    stop,
    get url() {
      return url()
    },
    get summary() {
      return summarise(present)
    },
    get operations() {
      return describeBindings(present.app.bindings)
    },
    get notes() {
      return present.notes
    },
    get report() {
      return reportOperations(present.app.bindings)
    },
    listOperations: () => listOperations(present.app.bindings),
    get overlays() {
      return present.app.contract.overlays
    },
    get exampleRequest() {
      const { bindings, behaviours } = present.app
      return exampleRequest(bindings, behaviours.settings['auth.keys'] === 'listed' ? 'YOUR-KEY' : 'any')
    },
    reload(next) {
      const { config: settled, needStart } = settle(present.config, next)
      const before = present
      present = assembleWithData(first.data, settled, { ...environment, around: before })
      current = createApp(present.app, summary)
      return {
        summary: summarise(present),
        hasNewStart: present.initialState !== before.initialState,
        needStart,
        invalid: findInvalid(options.sandboxes, present.rules),
      }
    },
    ...createStateMethods(options.sandboxes.default, () => present.rules),
  }
}

/** Milliseconds; the rest of a stop takes less than half a second. */
const STOP_PATIENCE = 1500

function createLifecycle(
  app: RequestListener,
  { config, app: { bindings }, health, listeners, data, outbox }: Assembled,
  present: () => Assembled,
) {
  const server = createServer(app)
  let url: string | undefined
  let isOver = false
  const becomeReady = () => {
    if (health.status === 'starting') health.status = 'ready'
  }
  return {
    url: () => url,
    async start() {
      if (isOver)
        throw new StartupError(['An instance with data can start once. Create another on the same directory.'])
      const port = await server.start(config.host, config.port)
      // The first generated response should not wait half a second for what it loads. If that fails, the response says why.
      health.status = [...bindings.values()].some(({ kind }) => kind === 'generated') ? 'starting' : 'ready'
      if (health.status === 'starting') void warmUp().then(becomeReady, becomeReady)
      return (url = urlOf(config.host, port))
    },
    async stop() {
      health.status = 'stopping'
      // A stream of events has no end to wait for.
      listeners.hangUp()
      await Promise.all([server.stop(STOP_PATIENCE), outbox?.stop(STOP_PATIENCE)])
      try {
        if (config.artifacts !== undefined && !isOver) {
          const { writeArtifacts } = await import('../artifacts/write-artifacts.ts')
          await writeArtifacts(config.artifacts, present())
        }
      } finally {
        if (data && !isOver) data.close()
        isOver = data !== undefined
        if (!isOver) health.status = 'ready'
        url = undefined
      }
    },
  }
}

function createStateMethods(
  sandbox: Sandbox,
  rules: () => Assembled['rules'],
): Pick<Standin, 'reset' | 'addFiles' | 'removeFiles'> {
  return {
    reset: () => sandbox.reset(),
    addFiles(fileSetId, files) {
      const records = readAddedFiles(fileSetId, files, getEntries(sandbox.state, fileSetId), rules().files)
      sandbox.commit([{ type: 'files.added', fileSetId, files: records }])
    },
    removeFiles(fileSetId, paths) {
      const entries = getEntries(sandbox.state, fileSetId)
      const missing = paths.filter((path) => !entries.storedAt(path))
      if (missing.length > 0)
        throw new StartupError(missing.map((path) => `${fileSetId} has no file ${JSON.stringify(path)}.`))
      sandbox.commit([{ type: 'files.removed', fileSetId, paths }])
    },
  }
}

function getEntries({ fileSets }: State, fileSetId: string): Entries {
  const fileSet = fileSets.get(fileSetId)
  if (!fileSet)
    throw new StartupError([
      `There is no file set ${JSON.stringify(fileSetId)}. File sets: ${[...fileSets.keys()].join(', ')}.`,
    ])
  return fileSet.entries
}
