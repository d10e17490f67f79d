import type { CoverageOperation, CoverageReport } from '../../../types/control-api.d.ts'
import type { LimitCheck } from './check-limits.ts'

/** A report and what became of its limits, to be rendered. */
export interface RenderedReport {
  readonly report: CoverageReport
  readonly checks: readonly LimitCheck[]
}

/** What is not covered of an operation, by kind. */
export function missedOf({ items }: CoverageOperation): (readonly [kind: string, names: readonly string[]])[] {
  const missed = items.filter(({ count }) => count === 0)
  return [...Map.groupBy(missed, ({ kind }) => kind)].map(([kind, ofKind]) => [
    kind,
    joinValues(ofKind.map(({ name }) => name)),
  ])
}

/** The values of one enumeration together: `status = placed | shipped`. */
function joinValues(names: readonly string[]): string[] {
  const EQUALS = ' = '
  const ownerOf = (name: string) => name.split(EQUALS, 1)[0] ?? name
  return [...Map.groupBy(names, ownerOf)].map(([owner, [first = '', ...others]]) =>
    [first, ...others.map((name) => name.slice(owner.length + EQUALS.length))].join(' | '),
  )
}

/** In the order of how much they are to be trusted, the least first. */
const BASES = ['assumed', 'observed', 'protects', 'standard', 'documented', 'calibrated'] as const

/** The behaviours by their basis. */
export function behavioursByBasis({ behaviours }: CoverageReport) {
  return BASES.flatMap((basis) => {
    const ofBasis = behaviours.filter((one) => one.basis === basis)
    return ofBasis.length === 0 ? [] : [{ basis, behaviours: ofBasis }]
  })
}

/** Operations with requests, and those without. */
export function splitOperations({ operations }: CoverageReport) {
  return {
    requested: operations.filter(({ requests }) => requests > 0),
    never: operations.filter(({ requests }) => requests === 0),
  }
}

/** What clients sent and received that the contract does not have: `GET /orders`, or `parameter colour of listCustomers`. */
export function beyondContract({ operations, unmatched }: CoverageReport) {
  const undocumented = operations.flatMap((one) =>
    one.undocumented.map(({ name, count }) => ({ name: `${name} of ${one.operationId}`, count })),
  )
  return [...unmatched, ...undocumented]
}

export function metFaults({ faults }: CoverageReport) {
  return { met: faults.filter(({ count }) => count > 0), others: faults.filter(({ count }) => count === 0) }
}
