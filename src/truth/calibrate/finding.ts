import type { RecordedExchange } from '../recordings/recorded-exchange.ts'

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
export interface Open {
  readonly kind: 'open'
  /** A sentence without its period: `no two names differ only by case`. */
  readonly reason: string
}

export function settled<Value>(
  value: Value,
  evidence: readonly RecordedExchange[],
  certainty: Settled['certainty'] = 'certain',
): Settled<Value> {
  return { kind: 'settled', value, certainty, evidence: evidence.slice(0, MAX_EVIDENCE) }
}

const MAX_EVIDENCE = 3

export function open(reason: string): Open {
  return { kind: 'open', reason }
}
