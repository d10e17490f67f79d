import type { Info } from '../../control/client/types.ts'
import type { Contract } from '../../contract/contract.ts'
import { readPackaged } from '../../formats/source-file.ts'
import type { Sandboxes } from '../../engine/sandboxes.ts'

interface Running {
  readonly contract: Contract
  readonly profile: string
  readonly sandboxes: Sandboxes
  /** Epoch ms. */
  readonly started: number
}

export function versionOfStandin(): string {
  return (readPackaged('package.json').value as { readonly version: string }).version
}

/** What the control API tells of the process. */
export function infoOf({ contract, profile, sandboxes, started }: Running): Info {
  return {
    name: 'standin',
    version: versionOfStandin(),
    node: process.versions.node,
    contract: contract.file,
    operations: contract.operations.map(({ operationId, method, path }) => ({ operationId, method, path })),
    profile,
    sandboxes: sandboxes.all.size,
    maxSandboxes: sandboxes.most,
    startedAt: new Date(started).toISOString(),
  }
}
