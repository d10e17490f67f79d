import type {
  CoverageBehaviour,
  CoverageCount,
  CoverageItem,
  CoverageOperation,
  CoverageReport,
} from '../../../types/control-api.d.ts'
import { shareOf, sharesOf } from '../../journal/coverage/report.ts'

/** One report of several runs: what one of them covered is covered. Operations and items that only some have are kept. */
export function mergeReports(reports: readonly CoverageReport[]): CoverageReport {
  const operations = mergeBy(
    reports.flatMap((one) => one.operations),
    ({ operationId }) => operationId,
    mergeOperations,
  )
  return {
    format: 'standin-coverage-1',
    contract: [...new Set(reports.map(({ contract }) => contract))].join(', '),
    sandboxes: sumOf(reports.map(({ sandboxes }) => sandboxes)),
    requests: sumOf(reports.map(({ requests }) => requests)),
    ...sharesOf(operations),
    operations,
    behaviours: mergeBy(
      reports.flatMap(({ behaviours }) => behaviours),
      ({ id }) => id,
      mergeBehaviours,
    ),
    faults: mergeCounts(reports.flatMap(({ faults }) => faults)),
    unmatched: mergeCounts(reports.flatMap(({ unmatched }) => unmatched)),
  }
}

function mergeOperations(alike: readonly [CoverageOperation, ...CoverageOperation[]]): CoverageOperation {
  const items = mergeBy(
    alike.flatMap((one) => one.items),
    ({ kind, name }) => `${kind} ${name}`,
    (same): CoverageItem => ({ ...same[0], count: sumOf(same.map(({ count }) => count)) }),
  )
  return {
    ...alike[0],
    requests: sumOf(alike.map(({ requests }) => requests)),
    ...shareOf(items),
    items,
    undocumented: mergeCounts(alike.flatMap(({ undocumented }) => undocumented)),
  }
}

function mergeBehaviours(alike: readonly [CoverageBehaviour, ...CoverageBehaviour[]]): CoverageBehaviour {
  return {
    ...alike[0],
    count: sumOf(alike.map(({ count }) => count)),
    operations: [...new Set(alike.flatMap(({ operations }) => operations))],
  }
}

function mergeCounts(counts: readonly CoverageCount[]): CoverageCount[] {
  return mergeBy(
    counts,
    ({ name }) => name,
    (same) => ({ ...same[0], count: sumOf(same.map(({ count }) => count)) }),
  )
}

function mergeBy<Thing>(
  things: readonly Thing[],
  keyOf: (thing: Thing) => string,
  merge: (alike: readonly [Thing, ...Thing[]]) => Thing,
): Thing[] {
  // A group has at least the thing that it was made for.
  return [...Map.groupBy(things, keyOf).values()].map((alike) => merge(alike as [Thing, ...Thing[]]))
}

function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, one) => sum + one, 0)
}
