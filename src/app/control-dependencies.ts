import { packageVersion } from '../base/formats/source-file.ts'
import type { Info } from '../control/client/types.ts'
import type { ControlDependencies } from '../control/server/control-api.ts'
import { hasStreams } from './binding/binding.ts'
import { operationTraits, servedOperations } from './binding/bound-operations.ts'
import { describeOperations } from './binding/describe-bindings.ts'
import type { Steps } from '../engine/slices.ts'
import { createDryRun } from './dry-run.ts'
import type { AppInstance } from './app-instance.ts'
import type { createTryOperation, TryOperation } from './pages/try-operation.ts'
import { optionsOf } from './replay/run-fingerprint.ts'

/** What the control API of an instance needs. */
export function controlDependencies(instance: AppInstance): ControlDependencies {
  const { config, contract, bindings, behaviours, outbox, forwarding } = instance
  const dryRun = createDryRun(instance)
  return {
    ...instance,
    served: contract,
    catalog: behaviours.catalog,
    token: config.controlToken,
    dryRun,
    tryOperation: lateTryOperation({ ...instance, dryRun }),
    mailOf: (delivery) => outbox?.stateOf(delivery),
    operationTraits: operationTraits(bindings),
    // Who handles an operation may change while the server runs.
    get operations() {
      return servedOperations(bindings, forwarding)
    },
    info: () => infoOf(instance),
    keepArtifacts: artifactsKeeper(instance),
  }
}

/** What writes them is loaded when a sandbox is deleted with its artifacts kept. */
function artifactsKeeper(instance: AppInstance): ControlDependencies['keepArtifacts'] {
  const { artifacts } = instance.config
  if (artifacts === undefined) return undefined
  return async (sandbox) => {
    const { keepArtifacts } = await import('./artifacts/write-artifacts.ts')
    await keepArtifacts(artifacts, sandbox, instance)
  }
}

/** What it is made by is loaded for the first operation that is tried. */
function lateTryOperation(deps: Parameters<typeof createTryOperation>[0]): TryOperation {
  let made: Promise<TryOperation> | undefined
  return async (operationId, sandbox, options) => {
    made ??= import('./pages/try-operation.ts').then(({ createTryOperation }) => createTryOperation(deps))
    return (await made)(operationId, sandbox, options)
  }
}

/** `GET /__mock/info`. */
function* infoOf(instance: AppInstance): Steps<Info> {
  const { contract, bindings, behaviours, sandboxes, started, followers, forwarding } = instance
  return {
    name: 'standin',
    version: packageVersion(),
    node: process.versions.node,
    contract: contract.file,
    options: optionsOf(instance),
    operations: yield* describeOperations(bindings, forwarding),
    hasWebhooks: followers.some((follower) => follower !== undefined),
    hasStreams: hasStreams(bindings),
    profile: behaviours.profile,
    sandboxes: sandboxes.all.size,
    maxSandboxes: sandboxes.most,
    startedAt: new Date(started).toISOString(),
  }
}
