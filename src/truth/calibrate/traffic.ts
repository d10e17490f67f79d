import type { BehaviourId, BehaviourSettings } from '../../../types/behaviour-settings.d.ts'
import type { RecordedExchange } from '../recordings/recorded-exchange.ts'
import type { SearchSeen } from './search-seen.ts'
import type { ScheduleSeen } from './schedule-seen.ts'
import type { TokenUses } from './token-uses.ts'

/** All exchanges with a service so far, as probes read them. */
export interface Traffic {
  /** A group that may receive reports, if calibration was given one. */
  readonly groupId?: number | undefined
  readonly exchanges: readonly RecordedExchange[]
  readonly searches: readonly SearchSeen[]
  /** Creates and updates of report schedules. */
  readonly schedules: readonly ScheduleSeen[]
  /** The setting of another behaviour, if the traffic has settled it. */
  settingOf<Id extends BehaviourId>(id: Id): BehaviourSettings[Id] | undefined
  /** What a request may have been refused for: what no request with success had (see `findUses`), and its conditions (see `deduce`). */
  suspectsOf(seen: SearchSeen | ScheduleSeen): readonly string[]
  /** The same without what its conditions may be refused for, which the model of searches reads. */
  otherSuspectsOf(seen: SearchSeen | ScheduleSeen): readonly string[]
  /** Whether only this behaviour, or these, can be why it was refused, since all else in it was accepted elsewhere. */
  isAbout(seen: SearchSeen | ScheduleSeen, ...ids: readonly (BehaviourId | 'set' | 'key' | 'next')[]): boolean
  /** Whether a request with it had success: `limit.max:100`. Of an amount, less was accepted too. */
  isAccepted(use: string): boolean
  /** The pages that follow a first page, itself included: of the same search, by the same key, with the same limit. */
  walkFrom(first: SearchSeen): Walk
  /** The walks of the same search: file set, key, directory, flag, filters and sorts. The longest comes first. */
  walksLike(search: SearchSeen): readonly Walk[]
  /**
   * The walks of searches for everything in a file set: no filter, sort, directory or flag. The longest comes first.
   *
   * @param key the key that sees it; that of the first page when absent
   */
  listingsOf(fileSet: string, key?: string): readonly Walk[]
  /** The requests with a token that came with a page. */
  tokenUses(): TokenUses
}

export interface Walk {
  readonly pages: readonly SearchSeen[]
  /** Whether the last page has no token. */
  readonly isComplete: boolean
  readonly entries: SearchSeen['files']
}

/** Traffic that grows. */
export interface GrowingTraffic extends Traffic {
  add(exchange: RecordedExchange): void
  /** How an exchange was read; undefined for other requests. */
  seen(exchange: RecordedExchange): SearchSeen | ScheduleSeen | undefined
  find(id: BehaviourId, finding: Finding | undefined): void
}

/** What the traffic with a service shows about one behaviour. */
export type Finding<Value = unknown> = Settled<Value> | Open

/** The service behaves as this setting says. */
export interface Settled<Value = unknown> {
  readonly kind: 'settled'
  readonly value: Value
  /** `likely` when something outside the catalogue could have caused the same response. */
  readonly certainty: 'certain' | 'likely'
  /** A few exchanges that show it. */
  readonly evidence: readonly RecordedExchange[]
  /** In what these differ from the responses of a stand-in with this setting. */
  readonly differs?: string
}

/** It could not be settled. */
interface Open {
  readonly kind: 'open'
  /** A sentence without its period: `no two names differ only by case`. */
  readonly reason: string
}

/** An exchange, or a request and its response as they were read. */
type ShownEvidence = RecordedExchange | { readonly exchange: RecordedExchange }

export function settled<const Value>(
  value: Value,
  evidence: readonly ShownEvidence[],
  certainty: Settled['certainty'] = 'certain',
): Settled<Value> {
  const shown = evidence.slice(0, MAX_EVIDENCE).map((one) => ('exchange' in one ? one.exchange : one))
  return { kind: 'settled', value, certainty, evidence: shown }
}

const MAX_EVIDENCE = 3

export function open(reason: string): Open {
  return { kind: 'open', reason }
}
