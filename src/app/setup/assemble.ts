import type { Express } from 'express'
import type { AppOptions } from '../app-options.ts'
import type { Deadlines } from '../server.ts'
import { type AppParts, createAppParts, type InstanceParts, type Machine } from './app-parts.ts'
import { createBehavioursOf } from './sandbox-behaviours.ts'
import { fingerprintOf } from './run-fingerprint.ts'
import type { Config } from '../../config/config.ts'
import type { SourceFile } from '../../base/formats/source-file.ts'
import { encodeDuration } from '../../base/formats/duration.ts'
import { loadInitialState, OF_THE_PACKAGE } from './initial-state.ts'
import { type RunFingerprint, differences } from '../../engine/log/fingerprint.ts'
import { inspectDirectory, makeDirectory } from '../../engine/log/disk.ts'
import { type DataDirectory, inspectDataDirectory, openDataDirectory } from '../../engine/log/data-directory.ts'
import { type ServerLog, SILENT } from '../../journal/server-log.ts'
import { type LoadedParts, loadParts } from './load-parts.ts'
import { createResources } from '../resources.ts'
import type { ResourceFactory } from '../../resources/resource.ts'
import { Outbox } from '../../resources/report-schedules/mail/outbox.ts'
import { Problem, StartupError } from '../../base/errors/problem.ts'
import { createJournals, type Journals, observeForJournal } from '../../journal/journal.ts'
import { type CoverageParts, createCoverage } from '../../journal/coverage/coverage.ts'
import { coverableOperations } from '../binding/bound-operations.ts'
import { observeRateLimits } from '../../engine/faults/rate-limit.ts'
import type { SandboxParts } from '../../engine/sandbox.ts'
import { type LogStore, Sandboxes } from '../../engine/sandboxes.ts'
import type { State, StateRules } from '../../engine/state.ts'

/** What an instance is created from, besides its settings. */
export interface Environment {
  readonly machine: Machine
  readonly log?: ServerLog | undefined
  /** The directory of an earlier process, when it is not `config.data`. */
  readonly data?: DataDirectory | undefined
  /** The contract, when it is not a file. */
  readonly contract?: SourceFile | undefined
  /** Whether `config.data` is only read. */
  readonly isDryRun?: boolean | undefined
  /** The kinds of resources; those of Standin when absent. */
  readonly resources?: readonly ResourceFactory[] | undefined
  /** The running instance that a reload changes. */
  readonly around?: Assembled | undefined
  /** What handles requests in place of the operations of the contract. */
  readonly front?: Front | undefined
  /** See `ServerSettings`. */
  readonly quiet?: number | undefined
}

/** An app in place of the one that emulates the service. */
interface Front {
  createApp(options: AppOptions): Express
  readonly deadlines: Deadlines
  /** Whether it sends `100 Continue` itself. */
  readonly sendsContinue: boolean
}

/** An instance without its server. */
export interface Assembled extends AppParts, InstanceParts {
  readonly rules: StateRules
  readonly data: DataDirectory | undefined
  /** The user's fixtures that it was created from. */
  readonly ownFixtures: readonly SourceFile[]
  /** Messages about what was loaded. */
  readonly notes: readonly string[]
}

/**
 * Loads everything that the settings name, and refuses to start when any of it is wrong.
 *
 * @throws StartupError with everything that is wrong
 */
export function assembleStandin(given: Config, environment: Environment): Assembled {
  const found: string[] = []
  const config = withArtifacts(given, environment.isDryRun === true)
  const data = environment.data ?? openData(config, environment.isDryRun ? found : undefined)
  try {
    const assembled = assembleWithData(data, config, environment)
    const more = environment.isDryRun ? assembled.resources.flatMap((one) => [...(one.checkNotes?.() ?? [])]) : []
    return { ...assembled, notes: [...assembled.notes, ...found, ...more] }
  } catch (error) {
    data?.close()
    // A full disk, for example, is a Problem for a request, and refuses a start.
    throw error instanceof Problem ? new StartupError([error.message]) : error
  }
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

/** @param found takes the notes when the directory is only to be read; otherwise they are printed */
function openData({ data, fsync }: Config, found: string[] | undefined): DataDirectory | undefined {
  if (data === undefined) return undefined
  if (found) return inspectDataDirectory(data, (text) => void found.push(text))
  return openDataDirectory(data, { fsync, note: (text) => void process.stderr.write(`standin: ${text}\n`) })
}

/** Configuration → contract and behaviours → initial state → sandboxes → app. */
export function assembleWithData(
  data: DataDirectory | undefined,
  config: Config,
  { machine, log = SILENT, contract: given, around, resources: factories }: Environment,
): Assembled {
  const { realNow } = machine
  const started = around?.started ?? realNow()
  const resources = createResources(factories)
  // Handlers are loaded before the initial state, but its rules read their events.
  const rulesOf = () => first.rules
  const loaded = loadParts(config, { contract: given, rulesOf, resources })
  const first = loadInitialState(config, {
    ...loaded,
    resources,
    realNow,
    firstMoment: around?.rules.firstMoment ?? data?.firstMoment,
    known: around?.initialState,
  })
  const notes = [...loaded.notes, ...first.notes]
  logNotes(notes, log)
  const fingerprint = createLazily(() => fingerprintOf(config, first, loaded.contract.document))
  const isSame = around !== undefined && hasSameOrigin(around, fingerprint, data && config)
  const initialState = isSame ? around.initialState : first.state
  const outbox = around ? around.outbox : createOutboxOf(config, log)
  const behavioursOf = createBehavioursOf(loaded.behaviours)
  const covered = coveragePartsOf(config, loaded)
  const journals = createJournals()
  const coverage =
    around?.coverage ??
    createCoverage(covered, { isKept: config.control || config.artifacts !== undefined, settle: journals.settle })
  const sandboxes =
    around?.app.sandboxes ??
    createSandboxes(initialState, config, {
      realNow,
      behavioursOf,
      outbox,
      log,
      coverage,
      journals,
      logs: data?.open(fingerprint(), initialState),
    })
  const { rules } = first
  const created = { fingerprint, initialState, sandboxes, outbox, coverage, started }
  const parts = { config, loaded, resources, first, machine, ...created }
  const appParts = createAppParts(parts, log, around)
  // Everything is valid, and no request has seen it yet.
  if (around) {
    sandboxes.rebase({ behavioursOf, baseline: isSame ? undefined : initialState })
    coverage.use(covered)
  }
  const ownFixtures = first.fixtures.slice(OF_THE_PACKAGE)
  return { ...appParts, ...created, config, rules, resources, data, ownFixtures, notes }
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
function hasSameOrigin(around: Assembled, fingerprint: () => RunFingerprint, kept: Config | undefined): boolean {
  const different = differences(around.fingerprint(), fingerprint())
  if (kept && different.length > 0) throw differentInitialState(kept, different)
  return different.length === 0
}

function coveragePartsOf({ profile }: Config, { contract, bindings, behaviours }: LoadedParts): CoverageParts {
  const calibrated = typeof profile === 'string' ? [] : profile.behaviours.map(({ id }) => id)
  return { contract, operations: coverableOperations(bindings), behaviours, calibrated: new Set(calibrated) }
}

interface SandboxOptions
  extends Pick<SandboxParts, 'realNow' | 'behavioursOf'>, Pick<Assembled, 'outbox' | 'coverage'> {
  readonly log: ServerLog
  readonly journals: Journals
  readonly logs: LogStore | undefined
}

function createSandboxes(
  baseline: State,
  { maxSandboxes, sandboxTtl: ttl }: Config,
  options: SandboxOptions,
): Sandboxes {
  const { realNow, behavioursOf, outbox, coverage, journals, logs, log } = options
  const observe = (name: string) => [
    observeForJournal(journals.create, realNow().toString(36)),
    observeRateLimits(),
    coverage.observe(),
    ...(outbox ? [outbox.observe(name)] : []),
  ]
  const onExpired = (name: string, after: number) =>
    log.note(`sandbox "${name}" expired: no request used it for ${encodeDuration(after)}`)
  return new Sandboxes({
    baseline,
    most: maxSandboxes,
    ttl,
    onExpired,
    parts: { realNow, behavioursOf, observe },
    logs,
  })
}

function createOutboxOf({ smtp }: Config, log: ServerLog): Outbox | undefined {
  return smtp === undefined ? undefined : new Outbox(smtp, log.mail)
}

/** @param different in what, as sentences */
function differentInitialState({ data = '' }: Config, different: readonly string[]): StartupError {
  return new StartupError([
    ...different.map((difference) => `--data ${data}: ${difference}`),
    `--data ${data}: the directory belongs to the initial state that it was started with. To use the changed files, stop, and start with another --data directory, or remove ${data}. To keep the state, GET /__mock/state of each sandbox before that, and PUT it after the start.`,
  ])
}

function createLazily<Thing>(create: () => Thing): () => Thing {
  let thing: Thing | undefined
  return () => (thing ??= create())
}

/** The most notes that a start logs; a contract can have a thousand. */
const MAX_LOGGED = 50
