import { iso } from '../../../base/formats/instant.ts'
import { clockChanges, isZone } from '../../recordings/zones.ts'
import { momentAfter, type SeenExchange } from '../seen.ts'
import type { Mutant } from './mutant.ts'

/** Milliseconds after the change of a zone's clocks. */
const AFTER = 60_000
/** Days; zones change their clocks within a year, if at all. */
const YEAR = 366

/** Time that passes between two requests, after each operation that is not the last one of a test. @param seen by test */
export function timeMutants(seen: readonly (readonly SeenExchange[])[]): Mutant[] {
  const followed = seen.flatMap((ofTest) => ofTest.slice(0, -1))
  const operations = [...Map.groupBy(followed, ({ operationId }) => operationId)]
  const change = firstChange(seen.flat())
  return operations.flatMap(([operationId, exchanges]) => {
    if (operationId === undefined) return []
    const hasZone = seen.some(
      (ofTest) => zonesIn(ofTest).size > 0 && ofTest.some((one) => one.operationId === operationId),
    )
    const isDue = exchanges.some((one) => one.hasChanged || momentAfter(one) !== undefined)
    const after = (name: string, passes: string, to?: number): Mutant => ({
      id: `${operationId} ${name}`,
      operationId,
      kind: 'time',
      change: `After the first ${operationId}, the clock goes on ${passes}.`,
      usual: 'No time passes between two requests.',
      changesData: true,
      clock: { to },
    })
    return [
      ...(isDue ? [after('due', 'until what it made falls due, such as a run')] : []),
      ...(change && hasZone
        ? [after('offset', `past a change of the clocks in ${change.zone}, to ${iso(change.to)}`, change.to)]
        : []),
    ]
  })
}

/** The next change of the clocks of a zone that the tests met, later than all of their requests. */
function firstChange(seen: readonly SeenExchange[]): { readonly zone: string; readonly to: number } | undefined {
  const last = Math.max(0, ...seen.map(({ now }) => now))
  const changes = [...zonesIn(seen)].flatMap((zone) =>
    clockChanges(zone, last, YEAR).map(({ at }) => ({ zone, to: at + AFTER })),
  )
  return changes.toSorted((a, b) => a.to - b.to)[0]
}

function zonesIn(seen: readonly SeenExchange[]): ReadonlySet<string> {
  return new Set(seen.flatMap(({ received }) => [...received.values()].filter(isNamedZone)))
}

/** `UTC` and `CET` may be other things. */
function isNamedZone(value: unknown): value is string {
  return typeof value === 'string' && value.includes('/') && isZone(value)
}
