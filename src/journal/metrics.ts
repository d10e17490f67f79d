import type { EngineNeeds } from '../engine/control-route.ts'
import type { Exchange } from './exchange.ts'
import type { Listeners } from './stream.ts'

/** Counts exchanges for `GET /__mock/metrics`: in plain numbers, because every request counts. */
export interface Metrics {
  count(exchange: Pick<Exchange, 'operationId' | 'status' | 'milliseconds' | 'fault'>): void
  /** Browsers send preflights by themselves, so they are counted apart. */
  countPreflight(status: number): void
  /** By status. */
  readonly preflights: ReadonlyMap<number, number>
  readonly operations: ReadonlyMap<string, OperationCount>
  /** By the kind of the fault. */
  readonly faults: ReadonlyMap<string, number>
}

interface OperationCount {
  readonly byStatus: ReadonlyMap<number, number>
  /** How many took at most each of `BUCKETS` and more than the one before; the last element counts those that took longer. */
  readonly buckets: readonly number[]
  /** Milliseconds of all of them. */
  readonly milliseconds: number
}

/** Milliseconds. */
const BUCKETS = [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 25, 50, 100, 250, 500, 1000, 2500, 5000, 10_000]

/** Requests to no operation are counted under this name. */
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
  return {
    operations,
    faults,
    preflights,
    countPreflight: (status) => increment(preflights, status),
    count({ operationId = NO_OPERATION, status, milliseconds, fault }) {
      let count = operations.get(operationId)
      if (!count) {
        count = { byStatus: new Map(), buckets: [...BUCKETS, Infinity].map(() => 0), milliseconds: 0 }
        operations.set(operationId, count)
      }
      increment(count.byStatus, status)
      count.milliseconds += milliseconds
      let bucket = 0
      while (milliseconds > (BUCKETS[bucket] ?? Infinity)) bucket++
      count.buckets[bucket] = (count.buckets[bucket] ?? 0) + 1
      if (fault !== undefined) increment(faults, fault)
    },
  }
}

function increment<Key>(counts: Map<Key, number>, key: Key): void {
  counts.set(key, (counts.get(key) ?? 0) + 1)
}

/** A line of the text format: what follows the metric's name, and the value. */
type Sample = readonly [suffix: string, value: number]

export interface MetricsNeeds {
  readonly metrics: Metrics
  readonly listeners: Listeners
}

/** Renders the metrics in Prometheus' text format 0.0.4. */
export function renderMetrics({
  metrics,
  sandboxes,
  listeners,
}: MetricsNeeds & Pick<EngineNeeds, 'sandboxes'>): string {
  sandboxes.default.journal.settle()
  const { operations, faults, preflights } = metrics
  const all = [...sandboxes.all.values()]
  const memory = process.memoryUsage()
  const counts = new Map<string, number>()
  for (const { state } of all)
    for (const [name, count] of Object.entries(state.model.count(state)))
      counts.set(name, (counts.get(name) ?? 0) + count)
  const requests = [...operations].flatMap(([operation, { byStatus }]) =>
    [...byStatus].map(([status, count]): Sample => [labels({ operation, status }), count]),
  )
  return [
    family('standin_requests_total', 'counter', 'Requests by operation and status; status 0: no response.', requests),
    family(
      'standin_request_duration_seconds',
      'histogram',
      'From the head of a request to the end of its response.',
      [...operations].flatMap(([operation, count]) => histogram(operation, count)),
    ),
    family('standin_faults_total', 'counter', 'Faults that affected an exchange, by kind.', byLabel('kind', faults)),
    family('standin_preflights_total', 'counter', 'CORS preflights, by status.', byLabel('status', preflights)),
    gauge('standin_sandboxes', 'Sandboxes.', all.length),
    ...[...counts].map(([name, count]) => gauge(`standin_${snakeCase(name)}`, `${name} of all sandboxes.`, count)),
    gauge(
      'standin_journal_exchanges',
      'Exchanges in the journals.',
      all.reduce((sum, { journal }) => sum + journal.size, 0),
    ),
    gauge('standin_journal_bytes', 'Bytes of the journals.', sandboxes.default.journal.sharedBytes),
    gauge('standin_stream_listeners', 'Open streams.', listeners.size),
    gauge('process_resident_memory_bytes', 'Resident memory.', memory.rss),
    gauge('nodejs_heap_size_total_bytes', 'Size of the heap.', memory.heapTotal),
    gauge('nodejs_heap_size_used_bytes', 'Used part of the heap.', memory.heapUsed),
    gauge('nodejs_external_memory_bytes', 'Memory outside the heap.', memory.external),
  ].join('\n')
}

function family(name: string, type: string, help: string, samples: readonly Sample[]): string {
  const lines = samples.map(([suffix, value]) => `${name}${suffix} ${value}\n`)
  return `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${lines.join('')}`
}

function gauge(name: string, help: string, value: number): string {
  return family(name, 'gauge', help, [['', value]])
}

function byLabel(label: string, counts: ReadonlyMap<string | number, number>): Sample[] {
  return [...counts].map(([value, count]) => [labels({ [label]: value }), count])
}

/** Buckets are cumulative, in seconds. */
function histogram(operation: string, { buckets, milliseconds }: OperationCount): Sample[] {
  let count = 0
  const steps = buckets.map((inBucket, index): Sample => {
    count += inBucket
    const bound = BUCKETS[index]
    return [`_bucket${labels({ operation, le: bound === undefined ? '+Inf' : bound / 1000 })}`, count]
  })
  const of = labels({ operation })
  return [...steps, [`_sum${of}`, milliseconds / 1000], [`_count${of}`, count]]
}

function labels(values: Readonly<Record<string, string | number>>): string {
  const escape = (text: string) => text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')
  const pairs = Object.entries(values).map(([name, value]) => `${name}="${escape(String(value))}"`)
  return `{${pairs.join(',')}}`
}

function snakeCase(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}
