import { chooseBehaviours } from '../../behaviours/behaviours.ts'
import type { BehaviourCatalog } from '../../behaviours/catalog.ts'
import { loadContract } from '../../contract/load/load.ts'
import type { Contract } from '../../contract/contract.ts'
import { createRouter } from '../../contract/router.ts'
import { BODY_PRECHECKS, CONTROL_ROUTES, READ_ONLY } from '../../control/routes.ts'
import { readPackaged } from '../../formats/source-file.ts'
import type { ControlDependencies } from '../../control/server/dependencies.ts'

/** As long as a state of 200,000 files; the most that the catalogue's row allows. */
const LARGEST_BODY = 100 * 1024 * 1024

/** What the behaviour catalogue leaves open is settled here: strict, and with room for a whole state. */
const OVERRIDES = [
  { id: 'http.size', value: LARGEST_BODY, from: 'the control API' },
  { id: 'http.duplicate-key', value: 'error', from: 'the control API' },
]

export interface ControlParts extends Pick<
  ControlDependencies,
  'token' | 'rules' | 'realNow' | 'mailOf' | 'operationTraits' | 'operations' | 'info' | 'writeReplay'
> {
  readonly catalog: BehaviourCatalog
}

/** Puts the control API together. */
export function createControlDependencies({ catalog, ...rest }: ControlParts): ControlDependencies {
  const { operations, inTurns } = controlContract()
  return {
    inTurns,
    router: createRouter(operations),
    paths: [...new Set(operations.map(({ path }) => path))],
    handlers: new Map(Object.entries(CONTROL_ROUTES)),
    readOnly: READ_ONLY,
    bodyPrechecks: new Map(Object.entries(BODY_PRECHECKS)),
    behaviours: chooseBehaviours(catalog, { overrides: OVERRIDES }),
    ...rest,
  }
}

let compiled: Contract | undefined

/** It has no state and does not change while a process runs, so all stand-ins share it. */
function controlContract(): Contract {
  return (compiled ??= loadContract(readPackaged('spec/control.openapi.yaml'), { isTrusted: true }))
}
