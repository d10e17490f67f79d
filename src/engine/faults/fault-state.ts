import type { StoredFault } from '../../../types/control-api.d.ts'
import { refuseRepeatedIds } from '../sandbox-document.ts'
import { type EventKind, type OwnedState, stateChange, type StatePart } from '../state.ts'
import { type ArmedFault, type Fault, NEW_TALLY, type FaultTally } from './fault.ts'
import type { MetLimit } from './rate-limit.ts'
import { readStoredFaults } from './read-fault.ts'

interface WrittenLimit extends MetLimit {
  /** The fault; undefined for the behaviour `rate.limit`. */
  readonly faultId?: string | undefined
}

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
    /** By the id of the fault; the empty text for the behaviour `rate.limit`. Sandboxes of one process alone count without events. */
    readonly rateLimits: ReadonlyMap<string, MetLimit>
  }
  interface OwnedState {
    faults: Map<string, ArmedFault>
    nextFaultId: number
    rateLimits: Map<string, MetLimit>
  }
  interface StateEvents {
    'fault.armed': { readonly fault: Fault; readonly nextFaultId: number }
    /** A request matched, and the fault affected it. */
    'fault.struck': Tallied
    /** A request matched, and the fault did not affect it. */
    'fault.passed': Tallied
    /** A client waited as long as it was asked to by the machine's clock: by a fault, or else by the behaviour `rate.limit`. */
    'rate-limit.lifted': { readonly faultId?: string | undefined }
    /** In a sandbox that replicas share: the behaviour `rate.limit` counted a request, or a limit refused one. */
    'rate-limit.met': WrittenLimit
    'faults.removed': { readonly ids: readonly string[] }
  }
}

const TALLIED: EventKind<Tallied> = {
  evolve: (state, { faultId, tally }) => storeTally(state, faultId, tally),
}

type FaultEvent =
  'fault.armed' | 'fault.struck' | 'fault.passed' | 'rate-limit.lifted' | 'rate-limit.met' | 'faults.removed'

interface WrittenFaults {
  readonly faults?: readonly StoredFault[]
  readonly nextFaultId?: number
  readonly rateLimits?: readonly WrittenLimit[]
}

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
        state.rateLimits.delete(faultId)
      },
    },
    'rate-limit.met': {
      evolve(state, { faultId = '', window, taken, until }) {
        state.rateLimits.set(faultId, { window, taken, until })
      },
    },
    'faults.removed': {
      evolve(state, { ids }) {
        for (const id of ids) {
          state.faults.delete(id)
          state.rateLimits.delete(id)
        }
      },
      parts: ({ ids }) => ids.length,
    },
  },
  initial: () => ({ faults: new Map(), nextFaultId: 1, rateLimits: new Map() }),
  own(state) {
    state.faults = new Map(state.faults)
    state.rateLimits = new Map(state.rateLimits)
  },
  write: ({ faults, nextFaultId, rateLimits }) => ({
    faults: [...faults.values()].map(({ fault, tally }) => ({ ...fault, ...tally })),
    nextFaultId,
    ...(rateLimits.size > 0 ? { rateLimits: [...rateLimits].map(writeLimit) } : {}),
  }),
  read({ faults = [], nextFaultId = 1, rateLimits = [] }: WrittenFaults) {
    refuseRepeatedIds(faults, 'faults')
    const met = rateLimits.map(({ faultId = '', ...limit }) => [faultId, limit] as const)
    return { faults: readStoredFaults(faults), nextFaultId, rateLimits: new Map(met) }
  },
}

function writeLimit([id, limit]: readonly [string, MetLimit]): WrittenLimit {
  return id === '' ? limit : { faultId: id, ...limit }
}

function storeTally({ faults }: OwnedState, faultId: string, tally: FaultTally): void {
  const armed = faults.get(faultId)
  if (armed) faults.set(faultId, { ...armed, tally })
}
