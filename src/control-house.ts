import { chooseBehaviours } from './behaviours/behaviours.ts'
import type { Ledger } from './behaviours/ledger.ts'
import { loadContract } from './contract/load.ts'
import type { Contract } from './contract/contract.ts'
import { createRouter } from './contract/router.ts'
import { CONTROL_ROUTES, FIRST_LOOK, READS } from './control/routes.ts'
import { readPackaged } from './document.ts'
import type { ControlHouse } from './http/house.ts'

/** As long as a state of 200,000 files; the most that the ledger's row allows. */
const LARGEST_BODY = 100 * 1024 * 1024

/** What the ledger leaves open is settled here: strict, and with room for a whole state. */
const OVERRIDES = [
  { id: 'http.size', value: LARGEST_BODY, from: 'the control API' },
  { id: 'http.duplicate-key', value: 'error', from: 'the control API' },
]

export interface ControlParts extends Pick<
  ControlHouse,
  'token' | 'rules' | 'realNow' | 'mailOf' | 'natures' | 'operations' | 'info' | 'writeReplay'
> {
  readonly ledger: Ledger
}

/** Puts the control API together. */
export function createControlHouse({ ledger, ...rest }: ControlParts): ControlHouse {
  const { operations, inTurns } = controlContract()
  return {
    inTurns,
    router: createRouter(operations),
    paths: [...new Set(operations.map(({ path }) => path))],
    handlers: new Map(Object.entries(CONTROL_ROUTES)),
    reads: READS,
    firstLook: new Map(Object.entries(FIRST_LOOK)),
    behaviours: chooseBehaviours(ledger, { overrides: OVERRIDES }),
    ...rest,
  }
}

let compiled: Contract | undefined

/** It has no state and does not change while a process runs, so all stand-ins share it. */
function controlContract(): Contract {
  return (compiled ??= loadContract(readPackaged('spec/control.openapi.yaml'), { isTrusted: true, isLazy: true }))
}
