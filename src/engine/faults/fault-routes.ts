import { type ControlCall, type ControlHandler, type ControlRoutes, created, NO_CONTENT, ok } from '../control-route.ts'
import { requestInvalid } from '../../base/errors/request-errors.ts'
import { violation, shown } from '../../base/errors/problem.ts'
import { couldMeet, type ServedOperation } from './fault-match.ts'
import { readFault } from './read-fault.ts'
import type { FaultRecord } from '../../../types/control-api.d.ts'
import { type ArmedFault, type Fault, type FaultRequest, isSpent, type PresetRequest } from './fault.ts'
import { didYouMean } from '../../base/errors/wording.ts'
import type { State } from '../state.ts'
import { faultExists, faultNotFound, tooManyFaults } from '../../base/errors/control-errors.ts'

export interface FaultNeeds {
  /** The operations of the contract. */
  readonly operations: readonly ServedOperation[]
}

/** Every request is matched against each of them. */
const MAX_FAULTS = 100

const listFaults: ControlHandler = (call) => ok({ faults: [...call.sandbox().state.faults.values()].map(showFault) })

const getFault: ControlHandler = (call) => ok(showFault(findFault(call)))

/** Arms one fault, or all faults of a preset. */
const armFaults: ControlHandler<FaultNeeds> = (call) => {
  const body = call.body as FaultRequest | PresetRequest
  const sandbox = call.sandbox()
  const { nextFaultId } = sandbox.state
  const faults = 'preset' in body ? readPreset(body, call) : [readOne(body, sandbox.state, call)]
  refuseTaken(faults, sandbox.state)
  sandbox.commit(faults.map((fault) => ({ type: 'fault.armed', fault, nextFaultId: nextFaultId + 1 })))
  return created({ faults: faults.flatMap(({ id }) => sandbox.state.faults.get(id) ?? []).map(showFault) })
}

const removeFaults: ControlHandler = (call) => {
  const sandbox = call.sandbox()
  const ids = [...sandbox.state.faults.keys()]
  if (ids.length > 0) sandbox.commit([{ type: 'faults.removed', ids }])
  return ok({ removed: ids.length })
}

const removeFault: ControlHandler = (call) => {
  const { fault } = findFault(call)
  call.sandbox().commit([{ type: 'faults.removed', ids: [fault.id] }])
  return NO_CONTENT
}

function showFault(armed: ArmedFault): FaultRecord {
  const { fault, tally } = armed
  return { ...fault, matched: tally.matched, struck: tally.struck, spent: isSpent(armed) }
}

function readOne(request: FaultRequest, { faults, nextFaultId }: State, { operations }: FaultNeeds): Fault {
  if ((request.kind as unknown) === undefined)
    throw requestInvalid([violation({ pointer: '/kind' }, 'required', 'the kind of a fault, or a preset in its place')])
  let number = nextFaultId
  while (faults.has(`${request.kind}-${number}`)) number++
  return readFault(request, request.id ?? `${request.kind}-${number}`, { operations })
}

function readPreset({ preset, match, ...rest }: PresetRequest, { operations }: FaultNeeds): Fault[] {
  const strange = Object.entries(rest).map(([name, value]) =>
    violation({ pointer: `/${name}` }, 'preset', 'nothing beside a preset but match', value),
  )
  if (strange.length > 0) throw requestInvalid(strange)
  const faults = Object.entries(PRESETS[preset] ?? {}).map(
    ([name, fault]) => [name, match === undefined ? fault : { ...fault, match }] as const,
  )
  const possible = faults.filter(([, fault]) => operations.some((operation) => couldMeet(fault, operation)))
  // If none is possible, reading them reports why.
  return (possible.length > 0 ? possible : faults).map(([name, fault]) =>
    readFault(fault, `${preset}-${name}`, { operations }),
  )
}

function refuseTaken(faults: readonly Fault[], state: State): void {
  const taken = faults.find(({ id }) => state.faults.has(id))
  if (taken)
    throw faultExists({
      detail: `The fault ${taken.id} is armed already. DELETE /__mock/faults/${taken.id} first, or take another id.`,
    })
  if (state.faults.size + faults.length <= MAX_FAULTS) return
  throw tooManyFaults({
    detail: `A sandbox has at most ${MAX_FAULTS} faults. DELETE /__mock/faults removes them all.`,
  })
}

function findFault(call: ControlCall): ArmedFault {
  const { name, state } = call.sandbox()
  const id = String(call.path.id)
  const found = state.faults.get(id)
  if (found) return found
  throw faultNotFound({
    detail: `The sandbox ${name} has no fault ${shown(id)}.${didYouMean(id, state.faults.keys()) || ' GET /__mock/faults lists them.'}`,
  })
}

/** Faults that often occur together. Each is armed as the preset's name, a hyphen and its own. */
const PRESETS: Readonly<Record<string, Readonly<Record<string, FaultRequest>>>> = {
  'flaky-network': {
    delay: { kind: 'latency', delay: { median: 80, sigma: 0.8 }, chance: 0.3 },
    reset: { kind: 'reset', chance: 0.05 },
    empty: { kind: 'empty', chance: 0.03 },
    'lost-answer': { kind: 'lost-answer', chance: 0.05 },
    truncated: { kind: 'truncated', chance: 0.03 },
  },
  'slow-service': {
    delay: { kind: 'latency', delay: { median: 800, sigma: 0.6 } },
    drip: { kind: 'slow-drip', pieces: 10, milliseconds: 1500, chance: 0.1 },
  },
  'rate-limited': {
    limit: { kind: 'rate-limit', limit: 10, seconds: 10 },
  },
  // The old process drops its connections, the gateway has no upstream for a while, and the new process starts slowly.
  'deploy-in-progress': {
    reset: { kind: 'reset', times: 1 },
    unavailable: { kind: 'status', status: 503, headers: { 'retry-after': '1' }, times: 5 },
    'warm-up': { kind: 'latency', delay: { from: 200, to: 800 }, times: 5 },
  },
}

export const faultRoutes: ControlRoutes<FaultNeeds> = { listFaults, getFault, armFaults, removeFaults, removeFault }
