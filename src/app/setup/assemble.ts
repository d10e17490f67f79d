import { once } from '../../base/cache.ts'
import type { Express } from 'express'
import type { Deadlines } from '../server.ts'
import { chooseSelfCheck } from '../adapter/self-check.ts'
import { coverableOperations, type FindForwarding } from '../binding/bound-operations.ts'
import { controlDependencies } from '../control-dependencies.ts'
import type { AppInstance, KeptParts } from '../app-instance.ts'
import { createReplayWriter, fingerprintOf } from '../replay/run-fingerprint.ts'
import { createBehavioursOf } from '../../behaviours/behaviours.ts'
import type { Config } from '../../config/config.ts'
import type { Answerers } from '../../control/control-needs.ts'
import { createControlApi } from '../../control/server/control-api.ts'
import { Problem, StartupError } from '../../base/errors/problem.ts'
import { encodeDuration } from '../../base/formats/duration.ts'
import type { SourceFile } from '../../base/formats/source-file.ts'
import { observeRateLimits } from '../../engine/faults/rate-limit.ts'
import { inspectDirectory, makeDirectory } from '../../engine/stores/file/disk.ts'
import { inspectFileStore, openFileStore } from '../../engine/stores/file/file-store.ts'
import { type RunFingerprint, differences } from '../../engine/stores/fingerprint.ts'
import type { KeptLogs, LogStore } from '../../engine/stores/log-store.ts'
import type { EventStore } from '../../engine/stores/event-store.ts'
import { sharedLogs } from '../../engine/stores/shared-logs.ts'
import { logsIn } from '../../engine/stores/stored-log.ts'
import type { SandboxParts } from '../../engine/sandbox.ts'
import { Sandboxes } from '../../engine/sandboxes.ts'
import { createSlices } from '../../engine/slices.ts'
import { isLoopbackHost } from '../../base/network/local-names.ts'
import { createAllowedHosts } from '../../http/allowed-hosts.ts'
import { wait } from '../../http/wait.ts'
import { type CoverageParts, createCoverage } from '../../journal/coverage/coverage.ts'
import { createJournals, observeForJournal } from '../../journal/journal.ts'
import { createMetrics } from '../../journal/metrics.ts'
import { createRedactor } from '../../journal/redact.ts'
import { type ServerLog, SILENT } from '../../journal/server-log.ts'
import { hasStreams } from '../binding/binding.ts'
import { loadInferred } from '../../resources/collections/load-inferred.ts'
import { createListeners } from '../../journal/stream.ts'
import type { ResourceFactory } from '../../resources/resource.ts'
import { Outbox } from '../../resources/report-schedules/mail/outbox.ts'
import { load, type LoadedSetup } from './load.ts'
import type { Machine } from './machine.ts'

/** What an instance is created from, besides its settings. */
export interface Environment {
  readonly machine: Machine
  readonly log?: ServerLog | undefined
  /** The directory of an earlier process, when it is not `config.data`. */
  readonly data?: KeptLogs | undefined
  /** Where replicas share their sandboxes. */
  readonly store?: EventStore | undefined
  /** The contract, when it is not a file. */
  readonly contract?: SourceFile | undefined
  /** Whether `config.data` is only read. */
  readonly isDryRun?: boolean | undefined
  /** The kinds of resources; those of Standin when absent. */
  readonly resources?: readonly ResourceFactory[] | undefined
  /** What handles requests in place of the operations of the contract. */
  readonly front?: Front | undefined
  /** See `ServerSettings`. */
  readonly quiet?: number | undefined
}

/** An app in place of the one that emulates the service. */
export interface Front {
  /** Called again when files were reloaded. @param summary what was loaded */
  createApp(instance: AppInstance, summary: () => string): Express
  /** Who handles each operation, where some are forwarded. */
  readonly answerers?: Answerers | undefined
  readonly forwarding?: FindForwarding | undefined
  readonly deadlines: Deadlines
  /** Whether it sends `100 Continue` itself. */
  readonly sendsContinue: boolean
  /** Closes what it keeps open, once the server has stopped. */
  close?(): void
}

/**
 * Loads everything that the settings name, and refuses to start when any of it is wrong.
 *
 * @throws StartupError with everything that is wrong
 */
export function assemble(given: Config, environment: Environment): AppInstance {
  const found: string[] = []
  const { isDryRun = false } = environment
  const config = withArtifacts(given, isDryRun)
  const data = environment.data ?? openStore(config, environment) ?? openData(config, isDryRun ? found : undefined)
  try {
    const instance = assembleWithData(data, config, environment)
    const more = isDryRun ? instance.resources.flatMap((one) => [...(one.checkNotes?.() ?? [])]) : []
    return { ...instance, notes: [...instance.notes, ...found, ...more] }
  } catch (error) {
    void data?.close()
    // A full disk, for example, is a Problem for a request, and refuses a start.
    throw error instanceof Problem ? new StartupError([error.message]) : error
  }
}

/** Loads what the settings name again. State and sandboxes stay. @throws StartupError, and then nothing has changed */
export function assembleAgain(before: AppInstance, config: Config, environment: Environment): AppInstance {
  return assembleWithData(before.data, config, environment, before)
}

/** Creates the directory of artifacts; a dry run only checks it, and leaves none. @throws StartupError when it could not be written at a stop */
function withArtifacts(config: Config, isDryRun: boolean): Config {
  const { artifacts, names } = config
  if (artifacts === undefined) return config
  const namedBy = names.artifacts?.('')
  if (!isDryRun) makeDirectory(artifacts, namedBy)
  inspectDirectory(artifacts, namedBy)
  return isDryRun ? { ...config, artifacts: undefined } : config
}

function openStore(
  { data, sandboxTtl, maxSandboxes, consistency }: Config,
  environment: Environment,
): KeptLogs | undefined {
  const { store, log = SILENT, machine } = environment
  if (!store) return undefined
  const complaints = [
    ...(typeof store === 'string' ? ['Open the address of a `store` with `await openRedisStore(address)`.'] : []),
    ...(data === undefined ? [] : ['A stand-in has a `store` or a `data` directory, not both. Remove one of them.']),
  ]
  if (complaints.length > 0) throw new StartupError(complaints)
  return sharedLogs(store, {
    most: maxSandboxes,
    ttl: sandboxTtl,
    realNow: machine.realNow,
    elapsed: machine.elapsed,
    consistency,
    onExpired: noteExpired(log),
    note: (text) => log.note(text),
  })
}

/** @param found takes the notes when the directory is only to be read; otherwise they are printed */
function openData({ data, fsync }: Config, found: string[] | undefined): KeptLogs | undefined {
  if (data === undefined) return undefined
  if (found) return logsIn(inspectFileStore(data, (text) => void found.push(text)))
  return logsIn(openFileStore(data, { fsync, note: (text) => void process.stderr.write(`standin: ${text}\n`) }))
}

/** Configuration → contract and behaviours → initial state → sandboxes → app. */
function assembleWithData(
  data: KeptLogs | undefined,
  config: Config,
  environment: Environment,
  before?: AppInstance,
): AppInstance {
  const { machine, log = SILENT } = environment
  const { realNow, elapsed } = machine
  const loaded = load(config, environment, {
    realNow,
    firstMoment: before?.rules.firstMoment ?? data?.firstMoment,
    known: before?.initialState,
  })
  const { contract, bindings, behaviours, keys, notes } = loaded
  logNotes(notes, log)
  const fingerprint = once(() => fingerprintOf(loaded))
  const isSame = before !== undefined && hasSameOrigin(before, fingerprint, data && config)
  const initialState = isSame ? before.initialState : loaded.initialState
  const behavioursOf = createBehavioursOf(behaviours)
  const covered = coveragePartsOf(loaded)
  const logs = () => data?.open(fingerprint(), initialState)
  const followers = loaded.resources.map((resource, at) =>
    resource.follow?.(
      { contract, config, isAlone: isLoopbackHost(config.host), realNow, note: log.note },
      before?.followers[at],
    ),
  )
  const kept =
    before ??
    createKept(
      { ...loaded, initialState },
      { machine, log, behavioursOf, covered, logs, followers, storeHealth: data?.health },
    )
  const redactor = createRedactor(contract, keys)
  const instance: AppInstance = {
    ...loaded,
    ...keptOf(kept),
    initialState,
    fingerprint,
    data,
    selfCheck: chooseSelfCheck(config, contract, bindings),
    validation: config.validation,
    answerers: environment.front?.answerers,
    forwarding: environment.front?.forwarding,
    hosts: createAllowedHosts(config.hosts, config.host),
    origins: config.origins,
    log,
    redactor,
    wait: machine.wait ?? wait,
    elapsed,
    realNow,
    control: config.control ? createControlApi(() => controlDependencies(instance)) : undefined,
    writeReplay: createReplayWriter(loaded, { initialState, redactor, fingerprint }),
  }
  // Everything is valid, and no request has seen it yet.
  if (before) {
    kept.sandboxes.rebase({ behavioursOf, baseline: isSame ? undefined : initialState })
    kept.coverage.use(covered)
  }
  return instance
}

function keptOf(kept: KeptParts): KeptParts {
  const {
    started,
    sandboxes,
    coverage,
    metrics,
    outbox,
    slices,
    health,
    listeners,
    streams,
    keptArtifacts,
    followers,
  } = kept
  return { started, sandboxes, coverage, metrics, outbox, slices, health, listeners, streams, keptArtifacts, followers }
}

interface FirstParts extends Pick<SandboxParts, 'behavioursOf'> {
  readonly machine: Machine
  readonly log: ServerLog
  readonly covered: CoverageParts
  readonly logs: () => LogStore | undefined
  readonly storeHealth: KeptLogs['health']
  readonly followers: KeptParts['followers']
}

function createKept(
  { config, bindings, initialState }: LoadedSetup,
  { machine: { realNow, elapsed }, log, behavioursOf, covered, logs, followers, storeHealth }: FirstParts,
): KeptParts {
  const started = realNow()
  const outbox = config.smtp === undefined ? undefined : new Outbox(config.smtp, log.mail)
  const journals = createJournals()
  const isKept = config.control || config.artifacts !== undefined
  const coverage = createCoverage(covered, { isKept, settle: journals.settle })
  const sendsChanges = hasStreams(bindings)
  const observe = (name: string) => [
    observeForJournal(journals.create, realNow().toString(36)),
    observeRateLimits(),
    coverage.observe(),
    ...(outbox ? [outbox.observe(name)] : []),
    ...(sendsChanges ? [loadInferred().observeChanges(() => sandboxes.all.get(name))] : []),
    ...followers.flatMap((follower) => follower?.observe(() => sandboxes.all.get(name)) ?? []),
  ]
  const sandboxes: Sandboxes = new Sandboxes({
    baseline: initialState,
    most: config.maxSandboxes,
    ttl: config.sandboxTtl,
    onExpired: noteExpired(log),
    parts: { realNow, behavioursOf, observe },
    logs: logs(),
  })
  return {
    started,
    sandboxes,
    coverage,
    metrics: createMetrics(),
    outbox,
    slices: createSlices(elapsed),
    health: {
      status: 'ready',
      get store() {
        return storeHealth?.()
      },
    },
    listeners: createListeners(),
    streams: createListeners(),
    keptArtifacts: { folders: new Map(), characters: 0 },
    followers,
  }
}

function noteExpired(log: ServerLog) {
  return (name: string, after: number) =>
    log.note(`sandbox "${name}" expired: no request used it for ${encodeDuration(after)}`)
}

function logNotes(notes: readonly string[], log: ServerLog): void {
  for (const note of notes.slice(0, MAX_LOGGED)) log.note(note)
  const more = notes.length - MAX_LOGGED
  if (more > 0) log.note(`… and ${more} more. \`standin check\` prints all of them.`)
}

/**
 * Whether a reload leaves everything unchanged that the initial state was created from.
 *
 * @param kept the configuration of a data directory, whose logs continue the initial state that they began with
 * @throws StartupError when there is such a directory and the initial state would change
 */
function hasSameOrigin(before: AppInstance, fingerprint: () => RunFingerprint, kept: Config | undefined): boolean {
  const different = differences(before.fingerprint(), fingerprint())
  if (kept && different.length > 0) throw differentInitialState(kept, different)
  return different.length === 0
}

function coveragePartsOf({ config: { profile }, contract, bindings, behaviours }: LoadedSetup): CoverageParts {
  const calibrated = typeof profile === 'string' ? [] : profile.behaviours.map(({ id }) => id)
  return { contract, operations: coverableOperations(bindings), behaviours, calibrated: new Set(calibrated) }
}

/** @param different in what, as sentences */
function differentInitialState({ data = '' }: Config, different: readonly string[]): StartupError {
  return new StartupError([
    ...different.map((difference) => `--data ${data}: ${difference}`),
    `--data ${data}: the directory belongs to the initial state that it was started with. To use the changed files, stop, and start with another --data directory, or remove ${data}. To keep the state, GET /__mock/state of each sandbox before that, and PUT it after the start.`,
  ])
}

/** The most notes that a start logs; a contract can have a thousand. */
const MAX_LOGGED = 50
