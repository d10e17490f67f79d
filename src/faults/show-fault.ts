import type { FaultRecord, StoredFault } from '../../types/control-api.d.ts'
import { type ArmedFault, isSpent } from './fault.ts'

export function showFault(armed: ArmedFault): FaultRecord {
  const { fault, tally } = armed
  return { ...fault, matched: tally.matched, struck: tally.struck, spent: isSpent(armed) }
}

/** As a state document has it. */
export function writeFault({ fault, tally }: ArmedFault): StoredFault {
  return { ...fault, ...tally }
}
