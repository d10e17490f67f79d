import { createBehavioursOf } from './sandbox-behaviours.ts'
import { operationTraits, servedOperations } from '../binding/binding.ts'
import { fingerprintOf, replaySettings } from './run-fingerprint.ts'
import type { Config } from '../../config/config.ts'
import { createRouter } from '../../contract/router.ts'
import type { SourceFile } from '../../formats/source-file.ts'
import { loadInitialState, type InitialState, OF_THE_PACKAGE } from './initial-state.ts'
import { type RunFingerprint, differences } from '../../engine/log/fingerprint.ts'
import { type DataDirectory, inspectDataDirectory, openDataDirectory } from '../../engine/log/data-directory.ts'
import { writeReplay } from '../replay/write-replay.ts'
import { createAllowedHosts } from '../../http/allowed-hosts.ts'
import { withoutSandbox } from '../../http/sandbox-name.ts'
import { type ControlDependencies, createControlApi } from '../../control/server/control-api.ts'
import { createDryRun } from '../dry-run.ts'
import type { AppDependencies } from '../dependencies.ts'
import { type Log, SILENT } from '../../journal/log.ts'
import { createMetrics } from '../../journal/metrics.ts'
import { createPreparedRequests } from '../request/prepared-requests.ts'
import { createRefusedOrigins } from '../middleware/cors.ts'
import { rememberRoutes } from '../middleware/route-operation.ts'
import { createSilentRetries } from '../../faults/silent-retries.ts'
import { createListeners } from '../../journal/stream.ts'
import { wait } from '../../http/wait.ts'
import { infoOf } from './info.ts'
import { type LoadedParts, loadParts } from './load-parts.ts'
import { createResources } from '../resources.ts'
import type { Resource, ResourceFactory } from '../../resources/resource.ts'
import { createOutbox, type Outbox } from '../../resources/report-schedules/mail/outbox.ts'
import { createPost } from '../../resources/report-schedules/mail/post.ts'
import { chooseSelfCheck } from './user-operations.ts'
import { Problem, StartupError } from '../../errors/problem.ts'
import { createSlices } from '../../engine/slices.ts'
import { createRedactor } from '../../journal/redact.ts'
import { createJournals } from '../../journal/journal.ts'
import { observeForJournal } from '../../journal/observe-sandbox.ts'
import { observeRateLimits } from '../../faults/rate-limit.ts'
import { Sandboxes } from '../../engine/sandboxes.ts'
import type { FixtureRules } from '../../seed/fixtures.ts'
import type { State } from '../../engine/state.ts'

/** The machine's clocks. */
export interface Machine {
  /** Epoch ms. */
  readonly now: () => number
  /** Milliseconds of a steady clock, from anywhere. */
  readonly elapsed: () => number
  /** Lets real milliseconds pass, or until the response's connection is gone; the machine's timer when absent. */
  readonly wait?: AppDependencies['wait']
}

/** What a stand-in is put together from, besides its settings. */
export interface Environment {
  readonly machine: Machine
  readonly log?: Log | undefined
  /** Where the sandboxes of an earlier life are, when it is not `config.data`. */
  readonly data?: DataDirectory | undefined
  /** The contract, when it is no file. */
  readonly contract?: SourceFile | undefined
  /** Whether `config.data` is only read, so that nothing is created or changed. */
  readonly isDryRun?: boolean | undefined
  /** The kinds of resources; those of Standin when absent. */
  readonly resources?: readonly ResourceFactory[] | undefined
  /** What runs already, and shall go on under other settings. */
  readonly around?: Assembled | undefined
}

/** A stand-in without its door. */
export interface Assembled {
  readonly config: Config
  readonly fingerprint: () => RunFingerprint
  /** Epoch ms. */
  readonly started: number
  readonly outbox: Outbox | undefined
  readonly deps: AppDependencies
  readonly rules: FixtureRules
  readonly data: DataDirectory | undefined
  /** The state at its first moment. */
  readonly initialState: State
  /** The fixtures of the user's own that it was made from. */
  readonly ownFixtures: readonly SourceFile[]
  /** What people should know of what was loaded. */
  readonly notes: readonly string[]
}

/**
 * Load, compile, refuse, and only then be ready.
 *
 * @throws StartupError for all that is wrong in the settings, or in what they name
 */
export function assembleStandin(config: Config, environment: Environment): Assembled {
  const found: string[] = []
  const data = environment.data ?? openData(config, environment.isDryRun ? found : undefined)
  try {
    const assembled = assembleWithData(data, config, environment)
    return { ...assembled, notes: [...assembled.notes, ...found] }
  } catch (error) {
    data?.close()
    // What a request would be refused for, such as a full disk, refuses the start.
    throw error instanceof Problem ? new StartupError([error.message]) : error
  }
}

/** @param found takes the notes when the directory is only to be read; otherwise they are printed */
function openData({ data, fsync }: Config, found: string[] | undefined): DataDirectory | undefined {
  if (data === undefined) return undefined
  if (found) return inspectDataDirectory(data, (text) => void found.push(text))
  return openDataDirectory(data, { fsync, note: (text) => void process.stderr.write(`standin: ${text}\n`) })
}

/** The same for who has a directory already. */
export function assembleWithData(
  data: DataDirectory | undefined,
  config: Config,
  { machine, log = SILENT, contract: given, around, resources: factories }: Environment,
): Assembled {
  const { now } = machine
  const started = around?.started ?? now()
  const resources = createResources(factories)
  // The rules that the events of own handlers are read by come with the first state.
  const rulesOf = () => ({ files: first.rules, reportSchedules: first.given })
  const loaded = loadParts(config, { contract: given, rulesOf, resources })
  const ownerId = loaded.keys.anyone.userId
  const firstMoment = around?.rules.firstMoment ?? data?.firstMoment
  const first = loadInitialState(config, {
    ...loaded,
    resources,
    ownerId,
    now,
    firstMoment,
    known: around?.initialState,
  })
  const notes = [...loaded.notes, ...first.notes]
  for (const note of notes.slice(0, MOST_LOGGED)) log.note(note)
  const more = notes.length - MOST_LOGGED
  if (more > 0) log.note(`… and ${more} more. \`standin check\` prints all of them.`)
  const fingerprint = createLazily(() => fingerprintOf(config, first, loaded.contract.document))
  const different = around === undefined ? [] : differences(around.fingerprint(), fingerprint())
  const isSame = around !== undefined && different.length === 0
  if (data && different.length > 0) throw differentInitialState(config, different)
  const initialState = isSame ? around.initialState : first.state
  const outbox = around ? around.outbox : createOutboxOf(config, log)
  const behavioursOf = createBehavioursOf(loaded.behaviours)
  const createJournal = createJournals()
  const sandboxes =
    around?.deps.sandboxes ??
    new Sandboxes({
      baseline: initialState,
      most: config.maxSandboxes,
      parts: {
        realNow: now,
        behavioursOf,
        observe: (name) => [
          observeForJournal(createJournal, now().toString(36)),
          observeRateLimits(),
          ...(outbox ? [outbox.observe(name)] : []),
        ],
      },
      logs: data?.open(fingerprint(), initialState),
    })
  const { rules } = first
  const parts = { config, loaded, resources, first, fingerprint, initialState, sandboxes, outbox, started, machine }
  const deps = joinDependencies(parts, log, around?.deps)
  // Everything is valid, and no request has seen it yet.
  if (around) sandboxes.rebase({ behavioursOf, baseline: isSame ? undefined : initialState })
  const ownFixtures = first.fixtures.slice(OF_THE_PACKAGE)
  return { config, fingerprint, started, deps, rules, data, initialState, outbox, ownFixtures, notes }
}

interface HouseParts {
  readonly config: Config
  readonly loaded: LoadedParts
  readonly resources: readonly Resource[]
  readonly first: InitialState
  readonly fingerprint: () => RunFingerprint
  readonly initialState: State
  readonly sandboxes: Sandboxes
  readonly outbox: Outbox | undefined
  readonly started: number
  readonly machine: Machine
}

/** @param before the app that goes on in this one */
function joinDependencies(parts: HouseParts, log: Log, before: AppDependencies | undefined): AppDependencies {
  const { config, loaded, sandboxes, machine } = parts
  const { contract, bindings, following, behaviours, keys } = loaded
  const metrics = before?.metrics ?? createMetrics()
  const redactor = createRedactor(contract.credentialLocations, keys)
  const { elapsed, now: realNow } = machine
  const deps: Omit<AppDependencies, 'control'> = {
    contract,
    router: rememberRoutes(createRouter(contract.operations)),
    bindings,
    following,
    selfCheck: chooseSelfCheck(config, contract, bindings),
    knownIds: parts.first.knownIds,
    requests: createPreparedRequests(),
    behaviours,
    sandboxes,
    keys,
    origins: config.origins,
    refusedOrigins: createRefusedOrigins(log.note),
    hosts: createAllowedHosts(config.hosts, config.host),
    health: before?.health ?? { status: 'ready' },
    log,
    metrics,
    recording: { metrics, log, redactor, hasControl: config.control, elapsed, realNow },
    listeners: before?.listeners ?? createListeners(),
    redactor,
    silentRetries: createSilentRetries(elapsed),
    slices: before?.slices ?? createSlices(elapsed),
    elapsed,
    wait: machine.wait ?? wait,
    realNow,
  }
  const control = config.control ? createControlApi(() => controlDependencies(parts, deps)) : undefined
  return { ...deps, control }
}

/** What the control API needs. */
function controlDependencies(parts: HouseParts, deps: Omit<AppDependencies, 'control'>): ControlDependencies {
  const { config, loaded, resources, first, fingerprint, initialState, sandboxes, outbox, started } = parts
  const { contract, bindings, behaviours, keys, ownOperations } = loaded
  const { redactor } = deps
  const settings = (rename: (key: string) => string) => ({
    ...replaySettings(config, first.fixtures, rename, contract.document),
    ...(config.selfCheck ? { selfCheck: true } : {}),
    ...(ownOperations.length > 0 ? { ownOperations } : {}),
  })
  return {
    ...deps,
    resources,
    catalog: behaviours.catalog,
    token: config.controlToken,
    rules: first.rules,
    dryRun: createDryRun(deps),
    mailOf: (delivery) => outbox?.stateOf(delivery),
    operationTraits: operationTraits(bindings),
    operations: servedOperations(bindings),
    info: () => infoOf({ contract, profile: behaviours.profile, sandboxes, started }),
    writeReplay: (sandbox) =>
      writeReplay(sandbox, {
        fingerprint: fingerprint(),
        initialState,
        redactor,
        isTiedToKey: (token, seed) => resources.some((one) => one.isTiedToKey?.(token, seed)),
        settings,
        withoutSandbox: (key) => (keys.listed.has(key) ? key : withoutSandbox(key)),
      }),
  }
}

function createOutboxOf({ smtp }: Config, log: Log): Outbox | undefined {
  return smtp === undefined ? undefined : createOutbox(createPost(smtp), log.mail)
}

/** @param different in what, as sentences */
function differentInitialState({ data = '' }: Config, different: readonly string[]): StartupError {
  return new StartupError([
    ...different.map((difference) => `--data ${data}: ${difference}`),
    `--data ${data}: what is kept there belongs to what it was begun with. To use the changed files, stop, and start with another --data directory, or remove ${data} to begin anew there. To take the state along, GET /__mock/state of each sandbox before, and PUT it after, if it fits them.`,
  ])
}

function createLazily<Thing>(create: () => Thing): () => Thing {
  let thing: Thing | undefined
  return () => (thing ??= create())
}

/** A document of a thousand faults has so many of them logged at start. */
const MOST_LOGGED = 50
