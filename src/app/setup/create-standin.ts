import type { AppInstance } from '../app-instance.ts'
import { assemble, assembleAgain, type Environment, type Front } from './assemble.ts'
import type { Config } from '../../config/config.ts'
import { createConfig } from '../../config/create-config.ts'
import { describeBindings, exampleRequest } from '../binding/describe-bindings.ts'
import { listOperations, type OperationReport, reportOperations, reportStubs } from '../binding/report-operations.ts'
import { warmUp } from '../generated/generator.ts'
import { createApp, createReloadableApp } from '../app.ts'
import { type AppServer, createServer, urlOf } from '../server.ts'
import { createInProcessFetch } from '../in-process.ts'
import { IN_PROCESS_URL } from '../in-process-fetch.ts'
import { type ServerLog, SILENT } from '../../journal/server-log.ts'
import { collectWhatIsThere } from '../../journal/collect-exchanges.ts'
import { createControlClient } from '../../control/client/client.ts'
import { findComplaints } from './load.ts'
import { MACHINE } from './machine.ts'
import { startWatching, type WatchOptions } from './watch.ts'
import { StartupError } from '../../base/errors/problem.ts'
import { findInvalid, type Reload, settle } from './reload.ts'
import { type Standin, type StandinOptions, createStateMethods } from '../standin.ts'
import { summarise } from '../summarise.ts'

/**
 * Creates a mock server. Several in one process share no state.
 *
 * @param createFront makes what forwards requests to the service of the options; the rooms above bring it
 * @throws StartupError with file, line and remedy when the contract, fixtures or options are wrong
 */
export function createStandin(options: StandinOptions = {}, createFront?: CreateFront): Standin {
  const { now, store, ...values } = options
  const sources = [
    { nameOf: () => 'defaults of the library', values: { log: 'silent', port: 0 } },
    { nameOf: (setting: string) => `options.${setting}`, values },
  ]
  const config = createConfig(sources, findComplaints)
  return createReloadableStandin(config, {
    front: createFront?.(config, SILENT),
    machine: { ...MACHINE, ...(now ? { realNow: now } : {}) },
    store,
    watch: {
      load: () => createConfig(sources, findComplaints),
      named: { keys: options.keys },
      imported: new Set(),
      note: (text) => void process.stderr.write(`standin: ${text}\n`),
    },
  })
}

type CreateFront = (config: Config, log: Pick<ServerLog, 'note'>) => Front | undefined

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
export function createReloadableStandin(
  config: Config,
  { watch, ...given }: Partial<Environment> & { readonly watch?: WatchOptions } = {},
): ReloadableStandin {
  const environment = { machine: MACHINE, ...given }
  const standin = withServer(assemble(config, environment), environment)
  if (!config.watch || !watch) return standin
  const stopWatching = startWatching({ ...watch, config, reload: standin.reload })
  const { stop } = standin
  return Object.assign(standin, {
    stop() {
      stopWatching()
      return stop()
    },
  })
}

function withServer(first: AppInstance, environment: Environment): ReloadableStandin {
  const { config } = first
  let present = first
  const summary = () => summarise(present)
  const { front } = environment
  const appOf = (instance: AppInstance) => (front ? front.createApp(instance, summary) : createApp(instance, summary))
  let current = appOf(first)
  // Only --watch reloads.
  const app = config.watch ? createReloadableApp(() => current) : current
  const { start, stop, url, fetch } = createLifecycle(
    createServer(app, { ...front, quiet: environment.quiet }),
    first,
    { present: () => present, front },
  )
  const { controlToken: token } = config
  return {
    app,
    start,
    stop,
    fetch,
    control: createControlClient({ url: IN_PROCESS_URL, fetch, ...(token === undefined ? {} : { token }) }),
    get url() {
      return url()
    },
    get summary() {
      return summarise(present)
    },
    get operations() {
      return describeBindings(present.bindings)
    },
    get notes() {
      return present.notes
    },
    get report() {
      return [
        ...reportOperations(present.bindings),
        ...reportStubs(present.bindings),
        ...present.followers.flatMap((follower) => follower?.report ?? []),
        ...[...present.bindings.values()].flatMap(({ stream, poll }) =>
          [stream?.report ?? [], poll?.report ?? []].flat(),
        ),
      ]
    },
    listOperations: () => listOperations(present.bindings),
    get overlays() {
      return present.contract.overlays
    },
    get exampleRequest() {
      const { bindings, behaviours } = present
      return exampleRequest(bindings, behaviours.settings['auth.keys'] === 'listed' ? 'YOUR-KEY' : 'any')
    },
    reload(next) {
      const { config: settled, needStart } = settle(present.config, next)
      const before = present
      present = assembleAgain(before, settled, environment)
      current = appOf(present)
      return {
        summary: summarise(present),
        hasNewStart: present.initialState !== before.initialState,
        needStart,
        invalid: findInvalid(first.sandboxes, present.rules),
      }
    },
    ...createStateMethods(first.sandboxes.default, () => present.rules),
  }
}

/** Milliseconds; the rest of a stop takes less than half a second. */
const STOP_PATIENCE = 1500

function createLifecycle(
  server: AppServer,
  { config, bindings, health, listeners, streams, data, outbox, followers, sandboxes }: AppInstance,
  { present, front }: { present(): AppInstance } & Pick<Environment, 'front'>,
) {
  let url: string | undefined
  let isOver = false
  const becomeReady = () => {
    if (health.status === 'starting') health.status = 'ready'
  }
  return {
    url: () => url,
    fetch: createInProcessFetch(server.accept),
    async start() {
      if (isOver)
        throw new StartupError(['An instance with data can start once. Create another on the same directory.'])
      await data?.ready?.()
      const port = await server.start(config.host, config.port)
      for (const follower of followers) follower?.started(port)
      // The first generated response should not wait half a second for what it loads. If that fails, the response says why.
      health.status = [...bindings.values()].some(({ kind }) => kind === 'generated') ? 'starting' : 'ready'
      if (health.status === 'starting') void warmUp().then(becomeReady, becomeReady)
      return (url = urlOf(config.host, port))
    },
    async stop() {
      health.status = 'stopping'
      // A stream of events has no end to wait for.
      listeners.hangUp()
      streams.hangUp()
      for (const follower of followers) follower?.stop()
      await Promise.all([server.stop(STOP_PATIENCE), outbox?.stop(STOP_PATIENCE)])
      try {
        if (config.artifacts !== undefined && !isOver) {
          await Promise.allSettled([...sandboxes.all.values()].map(collectWhatIsThere))
          const { writeArtifacts } = await import('../artifacts/write-artifacts.ts')
          await writeArtifacts(config.artifacts, present())
        }
      } finally {
        front?.close?.()
        if (data && !isOver) await data.close()
        isOver = data !== undefined
        if (!isOver) health.status = 'ready'
        url = undefined
      }
    },
  }
}
