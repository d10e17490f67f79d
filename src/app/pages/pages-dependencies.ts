import type { Behaviours } from '../../behaviours/behaviours.ts'
import type { Contract } from '../../contract/contract.ts'
import type { Slices } from '../../engine/slices.ts'
import type { Log } from '../../journal/log.ts'
import type { Bindings } from '../binding/binding.ts'

/** What pages are made of, and what is needed to send them. */
export interface PagesDependencies {
  readonly contract: Contract
  readonly bindings: Bindings
  readonly behaviours: Behaviours
  /** Whether there is a control API, and so a console. */
  readonly hasControl: boolean
  /** What was loaded, as the start line says it. */
  readonly summary: () => string
  readonly slices: Slices
  readonly log: Log
  /** Milliseconds by the machine's monotonic clock. */
  elapsed(): number
}
