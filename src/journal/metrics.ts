/** Counts exchanges for `GET /__mock/metrics`. Plain numbers, because every request counts; they become metrics when they are scraped. */
export interface Metrics {
  /** @param status 0 when the connection ended without an answer */
  count(operationId: string | undefined, status: number, milliseconds: number, fault: string | undefined): void
  /** Preflights of browsers are no requests of the client's own. */
  countPreflight(status: number): void
  /** By status. */
  readonly preflights: ReadonlyMap<number, number>
  readonly operations: ReadonlyMap<string, OperationCount>
  /** How often faults of each kind struck. */
  readonly faults: ReadonlyMap<string, number>
}

interface OperationCount {
  readonly byStatus: ReadonlyMap<number, number>
  /** How many took no longer than each of `BUCKETS` and longer than the one before; the last took longer than all. */
  readonly buckets: readonly number[]
  /** Milliseconds of all of them. */
  readonly milliseconds: number
}

/** Milliseconds. */
export const BUCKETS = [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 25, 50, 100, 250, 500, 1000, 2500, 5000, 10_000]

/** What belongs to no operation is counted under this name. */
const NO_OPERATION = 'none'

interface OwnedCount extends OperationCount {
  byStatus: Map<number, number>
  buckets: number[]
  milliseconds: number
}

export function createMetrics(): Metrics {
  const operations = new Map<string, OwnedCount>()
  const faults = new Map<string, number>()
  const preflights = new Map<number, number>()
  const countOf = (operationId: string) => {
    const known = operations.get(operationId)
    if (known) return known
    const made: OwnedCount = { byStatus: new Map(), buckets: BUCKETS.map(() => 0).concat(0), milliseconds: 0 }
    operations.set(operationId, made)
    return made
  }
  return {
    operations,
    faults,
    preflights,
    countPreflight: (status) => void preflights.set(status, (preflights.get(status) ?? 0) + 1),
    count(operationId = NO_OPERATION, status, milliseconds, fault) {
      const count = countOf(operationId)
      count.byStatus.set(status, (count.byStatus.get(status) ?? 0) + 1)
      count.milliseconds += milliseconds
      let bucket = 0
      while (bucket < BUCKETS.length && milliseconds > (BUCKETS[bucket] ?? Infinity)) bucket++
      count.buckets[bucket] = (count.buckets[bucket] ?? 0) + 1
      if (fault !== undefined) faults.set(fault, (faults.get(fault) ?? 0) + 1)
    },
  }
}
