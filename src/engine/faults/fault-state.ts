import type { StoredFault } from '../../../types/control-api.d.ts'
import { refuseRepeatedIds } from '../sandbox-document.ts'
import { type EventKind, type OwnedState, stateChange, type StatePart } from '../state.ts'
import { type ArmedFault, type Fault, NEW_TALLY, type FaultTally } from './fault.ts'
import { readStoredFaults } from './read-fault.ts'

interface Tallied {
  readonly faultId: string
  readonly tally: FaultTally
}

declare module '../state.ts' {
  interface State {
    /** By id, in the order of their arming. */
    readonly faults: ReadonlyMap<string, ArmedFault>
    /** The number of the next fault that is given no id. */
    readonly nextFaultId: number
  }
  interface OwnedState {
    faults: Map<string, ArmedFault>
    nextFaultId: number
  }
  interface StateEvents {
    'fault.armed': { readonly fault: Fault; readonly nextFaultId: number }
    /** A request matched, and the fault affected it. */
    'fault.struck': Tallied
    /** A request matched, and the fault did not affect it. */
    'fault.passed': Tallied
    /** A client waited as long as it was asked to by the machine's clock: by a fault, or else by the behaviour `rate.limit`. */
    'rate-limit.lifted': { readonly faultId?: string | undefined }
    'faults.removed': { readonly ids: readonly string[] }
  }
}

const TALLIED: EventKind<Tallied> = {
  evolve: (state, { faultId, tally }) => storeTally(state, faultId, tally),
}

type FaultEvent = 'fault.armed' | 'fault.struck' | 'fault.passed' | 'rate-limit.lifted' | 'faults.removed'

/** The faults of a sandbox. */
export const faultState: StatePart<FaultEvent> = {
  name: 'faults',
  events: {
    'fault.armed': {
      evolve(state, { fault, nextFaultId }) {
        state.faults.set(fault.id, { fault, tally: NEW_TALLY })
        state.nextFaultId = nextFaultId
      },
      publish: ({ fault }) => [stateChange('fault.armed', { fault })],
    },
    'fault.struck': TALLIED,
    'fault.passed': TALLIED,
    'rate-limit.lifted': {
      evolve(state, { faultId = '' }) {
        const armed = state.faults.get(faultId)
        if (armed) storeTally(state, faultId, { ...armed.tally, taken: 0 })
      },
    },
    'faults.removed': {
      evolve(state, { ids }) {
        for (const id of ids) state.faults.delete(id)
      },
      parts: ({ ids }) => ids.length,
    },
  },
  initial: () => ({ faults: new Map(), nextFaultId: 1 }),
  own(state) {
    state.faults = new Map(state.faults)
  },
  write: ({ faults, nextFaultId }) => ({
    faults: [...faults.values()].map(({ fault, tally }) => ({ ...fault, ...tally })),
    nextFaultId,
  }),
  read({ faults = [], nextFaultId = 1 }: { faults?: readonly StoredFault[]; nextFaultId?: number }) {
    refuseRepeatedIds(faults, 'faults')
    return { faults: readStoredFaults(faults), nextFaultId }
  },
}

function storeTally({ faults }: OwnedState, faultId: string, tally: FaultTally): void {
  const armed = faults.get(faultId)
  if (armed) faults.set(faultId, { ...armed, tally })
}
