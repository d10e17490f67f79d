import type { RequestListener } from 'node:http'
import { type Assembled, assembleStandin, assembleWithData, type Machine, type Environment } from './assemble.ts'
import type { Bindings } from '../binding/binding.ts'
import type { Config, LogMode } from '../../config/config.ts'
import { createConfig } from '../../config/create-config.ts'
import type { KeySetting } from '../../config/setting-values.ts'
import { describeBindings, exampleRequest } from '../binding/describe-bindings.ts'
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
import type { State } from '../../engine/state.ts'

export interface StandinOptions {
  /** Governs every id, file and token; 42 when absent. */
  readonly seed?: number
  /** How many files the set `demo` has, up to 10,000,000; 1,000 when absent. */
  readonly files?: number
  /** Where the clock stands still: an ISO 8601 instant, a Date, or epoch milliseconds. The machine's clock when absent. */
  readonly clock?: string | Date | number
  /** Fixture files by path, or fixtures themselves. */
  readonly fixtures?: readonly unknown[]
  /** Path of an OpenAPI document instead of the one that comes with the package. */
  readonly contract?: string
  /** `default`, `document-only` or `observed`. */
  readonly profile?: string
  /** settings of behaviours that shall be otherwise: `{ 'page.last': 'null' }`. */
  readonly behaviours?: Readonly<Record<string, unknown>>
  /** The keys that are known; any that is not blank when absent. */
  readonly keys?: readonly KeySetting[] | string
  /** Origins of web pages that may call besides the local ones. */
  readonly origins?: readonly string[]
  /** Host names that requests may be for, besides `localhost` and the addresses of this machine. */
  readonly hosts?: readonly string[]
  readonly host?: string
  /** Port for `start()`; 0 picks a free one, which is the default here. */
  readonly port?: number
  readonly log?: LogMode
  /** How many sandboxes there may be, the default one included; 256 when absent. */
  readonly maxSandboxes?: number
  /** False switches the control API off. */
  readonly control?: boolean
  /** What callers of the control API must bear; without it only this machine may call. */
  readonly controlToken?: string
  /** Address of a mail catcher that gets each delivery as a message: `smtp://127.0.0.1:1025`. */
  readonly smtp?: string
  /** Path of a directory that keeps every change, and that the next stand-in goes on from. It is this one's until it was stopped. */
  readonly data?: string
  /** Whether each change waits until the disk has it. */
  readonly fsync?: boolean
  /** Operations of one's own, made with `defineOperation`: one or a list, such as what a file of handlers exports. */
  readonly handlers?: UserOperation | readonly UserOperation[]
  /** Whether the answers of the built-in operations too are held against the contract; those of `handlers` always are. */
  readonly selfCheck?: boolean
  /** The machine's clock, epoch milliseconds; for tests that want to move time. */
  readonly now?: () => number
}

export interface Standin {
  /** An Express application: hand it to supertest, mount it in an app of your own, or put your own middleware before it. */
  readonly app: RequestListener
  /** Takes requests. Resolves to the address, for instance `http://127.0.0.1:4010`. @throws StartupError when the port is not to be had */
  start(): Promise<string>
  /** Lets open answers finish for up to two seconds and closes. */
  stop(): Promise<void>
  /** The address once started; undefined before. */
  readonly url: string | undefined
  /** Back to the state's first moment: everything that was created, changed or added is gone. */
  reset(): void
  /** Adds files, or directories, to a file set, each as in a fixture file. @throws StartupError for what a fixture would be refused for */
  addFiles(fileSetId: string, files: readonly unknown[]): void
  /** Removes files, or explicit directories, by path. @throws StartupError when there is none at a path */
  removeFiles(fileSetId: string, paths: readonly string[]): void
  /** What was loaded, for people: `3 operations, 3 file sets, 1,136 files, …`. */
  readonly summary: string
  /** What handles each operation, for people: `POST /items/search  searchItems  stateful (by x-standin)`. */
  readonly operations: readonly string[]
  /** What does not go by the contract or the fixtures, each as a sentence with its file. */
  readonly notes: readonly string[]
  /** A request to begin with, as a command line. */
  exampleRequest(url: string): string
}

/**
 * A stand-in of its own: two in one process never meet.
 *
 * @throws StartupError with file, line and remedy when contract, catalogue, fixtures or options are wrong
 * @example const { app } = createStandin({ clock: '2026-03-01T09:00:00Z' })
 */
export function createStandin(options: StandinOptions = {}): Standin {
  const { now, ...values } = options
  const sources = [
    { nameOf: () => 'defaults of the library', values: { log: 'silent', port: 0 } },
    { nameOf: (setting: string) => `options.${setting}`, values },
  ]
  const config = createConfig(sources, findComplaints)
  return assemble(config, { machine: { ...MACHINE, ...(now ? { now } : {}) } })
}

/** The one place where real time enters. @internal */
export const MACHINE: Machine = { now: Date.now, elapsed: performance.now.bind(performance) }

/** A stand-in that can take up other settings while it runs. @internal */
export interface ReloadableStandin extends Standin {
  /**
   * Takes up settings, and the files that they name, between two requests. State and sandboxes stay.
   *
   * @throws StartupError for what is wrong in them; then everything stays as it was
   */
  reload(config: Config): Reload
}

/**
 * A stand-in with its door.
 *
 * @internal
 */
export function assemble(config: Config, given: Partial<Environment> = {}): ReloadableStandin {
  const environment = { machine: MACHINE, ...given }
  return createDoor(assembleStandin(config, environment), environment)
}

function createDoor(first: Assembled, environment: Environment): ReloadableStandin {
  const { config, app: options, health, listeners, data, outbox } = first
  let present = first
  const sandbox = options.sandboxes.default
  let current = createApp(options)
  // Without --watch nothing is ever reloaded.
  const app = config.watch ? createReloadableApp(() => current) : current
  const server = createServer(app)
  let url: string | undefined
  let isOver = false
  const becomeReady = () => {
    if (health.status === 'starting') health.status = 'ready'
  }
  return {
    app,
    get summary() {
      return summarise(present)
    },
    get operations() {
      return describeBindings(present.app.bindings)
    },
    get notes() {
      return present.notes
    },
    get exampleRequest() {
      const { bindings, behaviours } = present.app
      return exampleRequest(bindings, behaviours.settings['auth.keys'] === 'listed' ? 'YOUR-KEY' : 'any')
    },
    get url() {
      return url
    },
    async start() {
      if (isOver) throw new StartupError(['A stand-in with data starts once: create another on the same directory.'])
      const port = await server.start(config.host, config.port)
      // The first request should not wait for what it takes half a second to load; should that fail, the request tells why.
      health.status = hasGenerated(options.bindings) ? 'starting' : 'ready'
      if (health.status === 'starting') void warmUp().then(becomeReady, becomeReady)
      return (url = urlOf(config.host, port))
    },
    async stop() {
      health.status = 'stopping'
      // A stream has no end of its own to wait for.
      listeners.hangUp()
      await Promise.all([server.stop(STOP_PATIENCE), outbox?.stop(STOP_PATIENCE)])
      if (data && !isOver) data.close()
      isOver = data !== undefined
      if (!isOver) health.status = 'ready'
      url = undefined
    },
    reload(next) {
      const { config: settled, needStart } = settle(present.config, next)
      present = assembleWithData(data, settled, { ...environment, around: present })
      current = createApp(present.app)
      return { summary: summarise(present), needStart, invalid: findInvalid(options.sandboxes, present.rules) }
    },
    reset: () => sandbox.reset(),
    addFiles(fileSetId, files) {
      const records = readAddedFiles(fileSetId, files, getEntries(sandbox.state, fileSetId), present.rules.files)
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

function hasGenerated(bindings: Bindings): boolean {
  return [...bindings.values()].some(({ kind }) => kind === 'generated')
}

/** Milliseconds; with the rest of a stop it stays below two seconds. */
const STOP_PATIENCE = 1500

function getEntries({ fileSets }: State, fileSetId: string): Entries {
  const fileSet = fileSets.get(fileSetId)
  if (!fileSet)
    throw new StartupError([
      `There is no file set ${JSON.stringify(fileSetId)}. File sets: ${[...fileSets.keys()].join(', ')}.`,
    ])
  return fileSet.entries
}
