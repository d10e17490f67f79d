import { describeOperations } from '../binding/describe-bindings.ts'
import { operationTraits, servedOperations } from '../binding/bound-operations.ts'
import { optionsOf, replaySettings } from './run-fingerprint.ts'
import { packageVersion } from '../../base/formats/source-file.ts'
import type { Config } from '../../config/config.ts'
import { type InitialState } from './initial-state.ts'
import { type RunFingerprint } from '../../engine/log/fingerprint.ts'
import { type WholeReplay, writeReplay } from '../replay/write-replay.ts'
import { createAllowedHosts } from '../../http/allowed-hosts.ts'
import { withoutSandbox } from '../../http/sandbox-name.ts'
import type { Health, Info } from '../../control/client/types.ts'
import { type ControlDependencies, createControlApi } from '../../control/server/control-api.ts'
import { createDryRun } from '../dry-run.ts'
import type { createTryOperation, TryOperation } from '../pages/try-operation.ts'
import type { AppOptions } from '../app-options.ts'
import { type ServerLog } from '../../journal/server-log.ts'
import { createMetrics } from '../../journal/metrics.ts'
import { createListeners, type Listeners } from '../../journal/stream.ts'
import { wait } from '../../http/wait.ts'
import { chooseSelfCheck, type LoadedParts } from './load-parts.ts'
import { faultKindsOf } from '../resources.ts'
import type { Coverage } from '../../journal/coverage/coverage.ts'
import type { Resource } from '../../resources/resource.ts'
import { Outbox } from '../../resources/report-schedules/mail/outbox.ts'
import type { Sandbox } from '../../engine/sandbox.ts'
import { createSlices, type Steps } from '../../engine/slices.ts'
import type { KeptArtifacts } from '../artifacts/write-artifacts.ts'
import { createRedactor, type Redactor } from '../../journal/redact.ts'
import { Sandboxes } from '../../engine/sandboxes.ts'
import type { State } from '../../engine/state.ts'

/** The machine's clocks. */
export interface Machine {
  /** Epoch ms. */
  readonly realNow: () => number
  /** Milliseconds of a monotonic clock, from anywhere. */
  readonly elapsed: () => number
  /** Lets real milliseconds pass, or until the response's connection is gone; the machine's timer when absent. */
  readonly wait?: AppOptions['wait']
}

/** The app's options, and what of them changes while the server runs. */
export interface AppParts {
  readonly app: AppOptions
  readonly health: { status: Health['status'] }
  /** Who listens to the stream of the control API. */
  readonly listeners: Listeners
  /** Writes what it takes to replay a sandbox. @throws Problem 409 when it is too large */
  writeReplay(sandbox: Sandbox): Steps<WholeReplay>
  readonly keptArtifacts: KeptArtifacts
}

/** What an instance consists of, besides its app. */
export interface InstanceParts {
  readonly config: Config
  readonly resources: readonly Resource[]
  readonly fingerprint: () => RunFingerprint
  readonly initialState: State
  readonly outbox: Outbox | undefined
  readonly coverage: Coverage
  /** Epoch ms. */
  readonly started: number
}

/** What the app is put together from. */
interface AssemblyParts extends InstanceParts {
  readonly loaded: LoadedParts
  readonly first: InitialState
  readonly sandboxes: Sandboxes
  readonly machine: Machine
}

/** @param before the app that this one replaces */
export function createAppParts(parts: AssemblyParts, log: ServerLog, before: AppParts | undefined): AppParts {
  const { config, loaded, sandboxes, machine } = parts
  const { contract, bindings, contractAdapter, behaviours, keys } = loaded
  const { elapsed, realNow } = machine
  const health = before?.health ?? { status: 'ready' }
  const listeners = before?.listeners ?? createListeners()
  const options = {
    contract,
    bindings,
    contractAdapter,
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
    redactor: createRedactor(contract, keys),
    slices: before?.app.slices ?? createSlices(elapsed),
    wait: machine.wait ?? wait,
    elapsed,
    realNow,
  }
  const keptArtifacts = before?.keptArtifacts ?? { folders: new Map<string, number>(), characters: 0 }
  const others = { health, listeners, keptArtifacts, writeReplay: createReplayWriter(parts, options.redactor) }
  const control = config.control
    ? createControlApi(() => controlDependencies(parts, { ...options, ...others }))
    : undefined
  return { app: { ...options, control }, ...others }
}

type SharedDependencies = Omit<AppOptions, 'control' | 'health'> & Omit<AppParts, 'app'>

function createReplayWriter(parts: AssemblyParts, redactor: Redactor): AppParts['writeReplay'] {
  const { config, loaded, resources, first, fingerprint, initialState } = parts
  const { contract, keys, ownOperations } = loaded
  const settings = (rename: (key: string) => string) => ({
    ...replaySettings(config, first.fixtures, rename, contract.document),
    ...(config.selfCheck ? { selfCheck: true } : {}),
    ...(ownOperations.length > 0 ? { ownOperations } : {}),
  })
  return (sandbox) =>
    writeReplay(sandbox, {
      fingerprint: fingerprint(),
      initialState,
      redactor,
      isTiedToKey: (token, seed) => resources.some((one) => one.isTiedToKey?.(token, seed)),
      settings,
      withoutSandbox: (key) => (keys.listed.has(key) ? key : withoutSandbox(key)),
    })
}

/** What the control API needs. */
function controlDependencies(parts: AssemblyParts, shared: SharedDependencies): ControlDependencies {
  const { config, loaded, resources, first, outbox, coverage } = parts
  const { contract, bindings, behaviours } = loaded
  const dryRun = createDryRun(shared)
  return {
    ...shared,
    resources,
    coverage,
    served: contract,
    catalog: behaviours.catalog,
    token: config.controlToken,
    rules: first.rules,
    dryRun,
    tryOperation: lateTryOperation({ ...shared, dryRun }),
    mailOf: (delivery) => outbox?.stateOf(delivery),
    operationTraits: operationTraits(bindings),
    operations: servedOperations(bindings),
    info: () => infoOf(parts),
    keepArtifacts: artifactsKeeper(parts, shared),
  }
}

/** What writes them is loaded when a sandbox is deleted with its artifacts kept. */
function artifactsKeeper(
  { config: { artifacts }, coverage }: AssemblyParts,
  shared: SharedDependencies,
): ControlDependencies['keepArtifacts'] {
  if (artifacts === undefined) return undefined
  return async (sandbox) => {
    const { keepArtifacts } = await import('../artifacts/write-artifacts.ts')
    await keepArtifacts(artifacts, sandbox, { ...shared, app: shared, coverage })
  }
}

/** What it is made by is loaded for the first operation that is tried. */
function lateTryOperation(deps: Parameters<typeof createTryOperation>[0]): TryOperation {
  let made: Promise<TryOperation> | undefined
  return async (operationId, sandbox, options) => {
    made ??= import('../pages/try-operation.ts').then(({ createTryOperation }) => createTryOperation(deps))
    return (await made)(operationId, sandbox, options)
  }
}

/** `GET /__mock/info`. */
function infoOf({ config, first, loaded, resources, sandboxes, started }: AssemblyParts): Info {
  const { contract, bindings, behaviours } = loaded
  return {
    name: 'standin',
    version: packageVersion(),
    node: process.versions.node,
    contract: contract.file,
    options: optionsOf(config, first),
    operations: describeOperations(bindings, faultKindsOf(resources)),
    profile: behaviours.profile,
    sandboxes: sandboxes.all.size,
    maxSandboxes: sandboxes.most,
    startedAt: new Date(started).toISOString(),
  }
}
