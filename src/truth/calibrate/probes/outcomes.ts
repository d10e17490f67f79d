import type { BehaviourId, BehaviourSettings } from '../../../../types/behaviour-settings.d.ts'
import type { RecordedExchange } from '../../recordings/recorded-exchange.ts'
import { type Finding, open, type Settled, settled } from '../finding.ts'
import { probe, type Probe } from '../probe.ts'
import type { Asking, Questioner } from '../questioner.ts'
import type { SearchSeen } from '../search-seen.ts'
import type { Traffic } from '../traffic.ts'

/** A behaviour that a single search shows. */
export interface SearchRule<Id extends BehaviourId> {
  /** Whether the search is about it. Other odd parts of the request must have been accepted elsewhere: see `Traffic.isAbout`. */
  applies(search: SearchSeen, traffic: Traffic): boolean
  /** The setting that the response shows; undefined when it leaves the question open. */
  read(search: SearchSeen, traffic: Traffic): BehaviourSettings[Id] | undefined
  /** The searches that show it. */
  ask?(questioner: Questioner): Asking<unknown>
}

/** A probe for a behaviour that a single search shows. Searches that show different settings settle nothing. */
export function probeBySearch<Id extends BehaviourId>(id: Id, { applies, read, ask }: SearchRule<Id>): Probe {
  return probe<Id>({
    id,
    conclude(traffic): Finding<BehaviourSettings[Id]> | undefined {
      const readings = traffic.searches
        .filter(({ outcome }) => outcome !== 'failed')
        .filter((search) => applies(search, traffic))
        .flatMap((search) => {
          const value = read(search, traffic)
          return value === undefined ? [] : [{ value, exchange: search.exchange }]
        })
      return agree(readings)
    },
    ...(ask ? { ask } : {}),
  })
}

/** What readings show that are all of the same behaviour. */
export function agree<Value>(
  readings: readonly { readonly value: Value; readonly exchange: RecordedExchange }[],
  certainty?: Settled['certainty'],
): Finding<Value> | undefined {
  const [first] = readings
  if (!first) return undefined
  const other = readings.find(({ value }) => JSON.stringify(value) !== JSON.stringify(first.value))
  const evidence = readings.map(({ exchange }) => exchange)
  if (!other) return settled(first.value, evidence, certainty)
  const [one, two] = [first, other].map(({ value, exchange }) => `${JSON.stringify(value)} (${exchange.source})`)
  return open(`the responses contradict each other: ${one ?? ''}, then ${two ?? ''}`)
}
