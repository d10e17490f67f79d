import type { BehaviourId, BehaviourSettings } from '../../../types/behaviour-settings.d.ts'
import type { Finding } from './finding.ts'
import type { Asking, Questioner } from './questioner.ts'
import type { Traffic } from './traffic.ts'

/** How one behaviour of a service is found out. */
export interface Probe<Id extends BehaviourId = BehaviourId> {
  readonly id: Id
  /** Whether its requests change something at the service. */
  readonly writes?: boolean
  /** Whether it may leave schedules behind, besides the one that all probes that write share. */
  readonly creates?: boolean
  /**
   * Draws the conclusion from all traffic so far, whether a client caused it or `ask`: so recordings settle the same questions as a
   * live run. Undefined when nothing in the traffic is about the behaviour.
   */
  conclude(traffic: Traffic): Finding<BehaviourSettings[Id]> | undefined
  /** Sends what `conclude` lacks. Absent when no request can settle it. */
  ask?(questioner: Questioner): Asking<unknown>
}

/** Keeps the type of the setting tied to the id. */
export function probe<Id extends BehaviourId>(definition: Probe<Id>): Probe {
  return definition
}
