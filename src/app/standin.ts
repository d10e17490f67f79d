import type { RequestListener } from 'node:http'
import type { LogMode } from '../config/config.ts'
import type { KeySetting } from '../config/setting-values.ts'
import type { ControlClient } from '../control/client/client.ts'
import type { UserOperation } from '../resources/user-operations/define-operation.ts'
import type { Sandbox } from '../engine/sandbox.ts'
import type { State, StateRules } from '../engine/state.ts'
import type { StoreConsistency } from '../config/config.ts'
import type { EventStore } from '../engine/stores/event-store.ts'
import { shown, StartupError } from '../base/errors/problem.ts'
import type { Entries } from '../resources/file-sets/entries/entries.ts'
import { readAddedFiles } from '../resources/file-sets/read-files.ts'

export interface StandinOptions {
  /** Determines every id, file and cursor; 42 by default. */
  readonly seed?: number
  /** Size of the file set `demo`, up to 10,000,000; 1,000 by default. */
  readonly files?: number
  /** How many documents each collection of the contract begins with, up to 100,000; 10 by default. */
  readonly documents?: number
  /** Language and country of made-up names and addresses, a locale of Faker: `'de'`, `'pt_BR'`; `'en'` by default. */
  readonly locale?: string
  /** What members of the contract get: `{ 'Customer.iban': 'DE{{string.numeric(20)}}', sku: { pattern: '[A-Z]{3}-[0-9]{4}' } }`. */
  readonly values?: Readonly<Record<string, unknown>>
  /** Freezes the clock at an ISO 8601 instant, a Date, or epoch milliseconds; the machine's clock by default. */
  readonly clock?: string | Date | number
  /** Fixture files by path, or fixtures themselves. */
  readonly fixtures?: readonly unknown[]
  /** An OpenAPI document instead of the one that comes with the package: its path, its text, or the document itself. */
  readonly contract?: string | object
  /** Responses for requests that are declared, in the order of their precedence: paths of files, or stubs themselves. */
  readonly stubs?: string | object | readonly (string | object)[]
  /** OpenAPI Overlays that change the contract before it is loaded, in order: paths, or overlays themselves. */
  readonly overlay?: string | object | readonly (string | object)[]
  /** Directories that `$ref`s of the contract may lead to, besides the one of the contract. What they lead to is served. */
  readonly allowRef?: string | readonly string[]
  /** `default`, `document-only` or `observed`; the path of a file that `standin learn` or `standin calibrate` wrote; or what such a file holds. */
  readonly profile?:
    | string
    | { readonly behaviours?: Readonly<Record<string, unknown>>; readonly learned?: object; readonly fixture?: object }
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
  /** Deletes a sandbox that no request has used for this long: `'1h'`. */
  readonly sandboxTtl?: string
  /** False disables the control API. */
  readonly control?: boolean
  /** The bearer token of the control API; without it only clients on this machine can use it. */
  readonly controlToken?: string
  /** Where the webhooks of the contract go: `http://127.0.0.1:3000/hooks`. Without it they are only kept. */
  readonly webhooks?: string
  /** What webhooks are signed with. */
  readonly webhookSecret?: string
  /** Hosts that webhooks and callbacks may be sent to, besides this machine. */
  readonly allowCallback?: string | readonly string[]
  /** Address of a mail catcher that receives each delivery: `smtp://127.0.0.1:1025`. */
  readonly smtp?: string
  /** Path of a directory that keeps every change for the next start. One instance can use it at a time. */
  readonly data?: string
  /**
   * Where several stand-ins share their sandboxes: each answers as one would. Made with `createMemoryStore`, or your own.
   * `reset`, `addFiles` and `removeFiles` are then those of `control`.
   */
  readonly store?: EventStore
  /** What a request sees of changes through other stand-ins of the `store`: `strong` (default) for all, `session` for those its client has seen. */
  readonly consistency?: StoreConsistency
  /** Whether each change waits for the disk. */
  readonly fsync?: boolean
  /** Path of a directory that gets the journal, a HAR and a replay of every sandbox when it stops. */
  readonly artifacts?: string
  /** Your own operations, made with `defineOperation`: one or a list. */
  readonly handlers?: UserOperation | readonly UserOperation[]
  /** Whether responses of the built-in operations are validated against the contract too; those of `handlers` always are. */
  readonly selfCheck?: boolean
  /** What becomes of requests that break the contract: `refuse` (default), or `warn` to handle them without what breaks it. */
  readonly validation?: 'refuse' | 'warn'
  /** Address of a service that handles the operations that `mock` does not name, or those that `pass` names; all without either. */
  readonly upstream?: string
  /** Operations to handle here, the others by `upstream`: `createOrder`, `GET /orders` or `tag:orders`. */
  readonly mock?: string | readonly string[]
  /** Operations for `upstream` to handle, the others here. */
  readonly pass?: string | readonly string[]
  /** Handles a request here after all when `upstream` responds so: `[404, 501, 'down']`. */
  readonly fallback?: string | readonly (number | 'down')[]
  /** Adds what was created here to the lists of `upstream`. */
  readonly join?: boolean
  /** Path of a directory that gets what passes to and from `upstream`, as HAR files. */
  readonly record?: string
  /** Reloads the contract, overlays, fixtures and keys that are files when they change, until `stop()`. */
  readonly watch?: boolean
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
  /**
   * Like the global `fetch`, without a network: the requests take the path of real ones, faults that break connections included. Redirects
   * are not followed. A path alone is enough, and any host is accepted.
   *
   * @example const response = await standin.fetch('/orders/1', { headers: { 'X-Api-Key': 'any' } })
   */
  fetch(input: Request | URL | string, init?: RequestInit): Promise<Response>
  /** The control API, without a network: see `createControlClient`. */
  readonly control: ControlClient
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

/** The library's methods that change the default sandbox. */
export function createStateMethods(
  sandbox: Sandbox,
  rules: () => StateRules,
): Pick<Standin, 'reset' | 'addFiles' | 'removeFiles'> {
  if (sandbox.shared) return { reset: refuseShared, addFiles: refuseShared, removeFiles: refuseShared }
  return {
    reset: () => sandbox.reset(),
    addFiles(fileSetId, files) {
      const ofNow = { ...rules().files, firstMoment: sandbox.now() }
      const records = readAddedFiles(fileSetId, files, getEntries(sandbox.state, fileSetId), ofNow)
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

/** What replicas share changes by and by. */
function refuseShared(): never {
  throw new StartupError([
    'The sandboxes of a `store` change asynchronously. Use the method of the same name of `control`.',
  ])
}

function getEntries({ fileSets }: State, fileSetId: string): Entries {
  const fileSet = fileSets.get(fileSetId)
  if (!fileSet)
    throw new StartupError([`There is no file set ${shown(fileSetId)}. File sets: ${[...fileSets.keys()].join(', ')}.`])
  return fileSet.entries
}
