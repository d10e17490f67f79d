import type { Overrides } from '../../../behaviours/behaviours.ts'
import type { FaultRequest } from '../../../engine/faults/fault.ts'

/**
 * What a mutant asks. `undocumented`, `allowed`, `wire` and `time` are changes that a client should cope with, so a test that turns red shows an
 * assumption. So is a `schedule` of faults, each at one request. `wrong` and `breaking` are changes that a test should notice, so tests that stay green show a gap.
 */
type MutantKind = 'undocumented' | 'allowed' | 'wire' | 'time' | 'schedule' | 'wrong' | 'breaking'

/** One plausible change of the service, served to a client's tests. */
export interface Mutant {
  /** Names it in reports and for `--only`: `page.last=null`. */
  readonly id: string
  readonly kind: MutantKind
  /** What the service does otherwise, in words that explain the id. */
  readonly change: string
  /** What it usually does, which a client may rely on. */
  readonly usual: string
  /** The operation whose responses it changes; absent for a behaviour. */
  readonly operationId?: string
  /** Whether it changes what a response tells, not only how: an assertion about that notices it, and shows no assumption. */
  readonly changesData?: boolean
  readonly overrides?: Overrides
  readonly faults?: readonly FaultRequest[]
  /** The moment, epoch ms, that the clock goes on to after the first request of the operation; if undefined, that when what it made falls due. */
  readonly clock?: { readonly to: number | undefined }
}

/** Whether a test should turn red. */
export function shouldBeNoticed({ kind }: Pick<Mutant, 'kind'>): boolean {
  return kind === 'wrong' || kind === 'breaking'
}
