import { createBehavioursOf } from './sandbox-behaviours.ts'
import { operationTraits, servedOperations } from '../binding/binding.ts'
import { fingerprintOf, replaySettings } from './run-fingerprint.ts'
import type { Config } from '../../config/config.ts'
import type { SourceFile } from '../../formats/source-file.ts'
import { loadInitialState, type InitialState, OF_THE_PACKAGE } from './initial-state.ts'
import { type RunFingerprint, differences } from '../../engine/log/fingerprint.ts'
import { type DataDirectory, inspectDataDirectory, openDataDirectory } from '../../engine/log/data-directory.ts'
import { writeReplay } from '../replay/write-replay.ts'
import { createAllowedHosts } from '../../http/allowed-hosts.ts'
import { withoutSandbox } from '../../http/sandbox-name.ts'
import type { Health } from '../../control/client/types.ts'
import { type ControlDependencies, createControlApi } from '../../control/server/control-api.ts'
import { createDryRun } from '../dry-run.ts'
import type { AppOptions } from '../app.ts'
import { type Log, SILENT } from '../../journal/log.ts'
import { createMetrics } from '../../journal/metrics.ts'
import { createListeners, type Listeners } from '../../journal/stream.ts'
import { wait } from '../../http/wait.ts'
import { infoOf } from './info.ts'
import { type LoadedParts, loadParts } from './load-parts.ts'
import { createResources, faultKindsOf } from '../resources.ts'
import type { Resource, ResourceFactory } from '../../resources/resource.ts'
import { Outbox } from '../../resources/report-schedules/mail/outbox.ts'
import { chooseSelfCheck } from './user-operations.ts'
import { Problem, StartupError } from '../../errors/problem.ts'
import { createSlices } from '../../engine/slices.ts'
import { createRedactor } from '../../journal/redact.ts'
import { createJournals } from '../../journal/journal.ts'
import { observeForJournal } from '../../journal/feed.ts'
import { observeRateLimits } from '../../faults/rate-limit.ts'
import { Sandboxes } from '../../engine/sandboxes.ts'
import type { State, StateRules } from '../../engine/state.ts'

/** The machine's clocks. */
export interface Machine {
  /** Epoch ms. */
  readonly now: () => number
  /** Milliseconds of a steady clock, from anywhere. */
  readonly elapsed: () => number
  /** Lets real milliseconds pass, or until the response's connection is gone; the machine's timer when absent. */
  readonly wait?: AppOptions['wait']
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

/** The app's options, and what of them changes while the server runs. */
interface AppParts {
  readonly app: AppOptions
  readonly health: { status: Health['status'] }
  /** Who listens to the stream of the control API. */
  readonly listeners: Listeners
}

/** A stand-in without its server. */
export interface Assembled extends AppParts {
  readonly config: Config
  readonly fingerprint: () => RunFingerprint
  /** Epoch ms. */
  readonly started: number
  readonly outbox: Outbox | undefined
  readonly rules: StateRules
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
  const rulesOf = () => first.rules
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
    around?.app.sandboxes ??
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
  const appParts = createAppParts(parts, log, around)
  // Everything is valid, and no request has seen it yet.
  if (around) sandboxes.rebase({ behavioursOf, baseline: isSame ? undefined : initialState })
  const ownFixtures = first.fixtures.slice(OF_THE_PACKAGE)
  return { ...appParts, config, fingerprint, started, rules, data, initialState, outbox, ownFixtures, notes }
}

interface AssemblyParts {
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

/** @param before the app that this one replaces */
function createAppParts(parts: AssemblyParts, log: Log, before: Assembled | undefined): AppParts {
  const { config, loaded, sandboxes, machine } = parts
  const { contract, bindings, following, behaviours, keys } = loaded
  const { elapsed, now: realNow } = machine
  const health = before?.health ?? { status: 'ready' }
  const listeners = before?.listeners ?? createListeners()
  const options = {
    contract,
    bindings,
    following,
    selfCheck: chooseSelfCheck(config, contract, bindings),
    faultKinds: faultKindsOf(parts.resources),
    behaviours,
    sandboxes,
    keys,
    hosts: createAllowedHosts(config.hosts, config.host),
    origins: config.origins,
    health,
    log,
    metrics: before?.app.metrics ?? createMetrics(),
    redactor: createRedactor(contract.credentialLocations, keys),
    slices: before?.app.slices ?? createSlices(elapsed),
    wait: machine.wait ?? wait,
    elapsed,
    realNow,
  }
  const control = config.control
    ? createControlApi(() => controlDependencies(parts, { ...options, health, listeners }))
    : undefined
  return { app: { ...options, control }, health, listeners }
}

type SharedDependencies = Omit<AppOptions, 'control' | 'health'> & Pick<AppParts, 'health' | 'listeners'>

/** What the control API needs. */
function controlDependencies(parts: AssemblyParts, shared: SharedDependencies): ControlDependencies {
  const { config, loaded, resources, first, fingerprint, initialState, sandboxes, outbox, started } = parts
  const { contract, bindings, behaviours, keys, ownOperations } = loaded
  const { redactor } = shared
  const settings = (rename: (key: string) => string) => ({
    ...replaySettings(config, first.fixtures, rename, contract.document),
    ...(config.selfCheck ? { selfCheck: true } : {}),
    ...(ownOperations.length > 0 ? { ownOperations } : {}),
  })
  return {
    ...shared,
    resources,
    catalog: behaviours.catalog,
    token: config.controlToken,
    rules: first.rules,
    dryRun: createDryRun(shared),
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
  return smtp === undefined ? undefined : new Outbox(smtp, log.mail)
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
