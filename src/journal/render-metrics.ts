import { Counter, Gauge, Histogram, type MetricType, Registry } from 'prom-client'
import type { Sandboxes } from '../engine/sandboxes.ts'
import { BUCKETS, type Metrics } from './metrics.ts'
import type { Listeners } from './stream.ts'

interface Counted {
  readonly metrics: Metrics
  readonly sandboxes: Sandboxes
  readonly listeners: Listeners
}

/** What was counted, in Prometheus' text format. The only file that knows prom-client, and loaded when somebody scrapes. */
export function renderMetrics({ metrics, sandboxes, listeners }: Counted): Promise<string> {
  const registry = new Registry()
  addRequests(registry, metrics)
  const faults = new Counter({
    name: 'standin_faults_total',
    help: 'Faults that struck, by kind.',
    labelNames: ['kind'],
    registers: [registry],
  })
  for (const [kind, count] of metrics.faults) faults.inc({ kind }, count)
  const preflights = new Counter({
    name: 'standin_preflights_total',
    help: 'CORS preflights of browsers, by status.',
    labelNames: ['status'],
    registers: [registry],
  })
  for (const [status, count] of metrics.preflights) preflights.inc({ status }, count)
  const worlds = [...sandboxes.all.values()]
  const sum = (valueOf: (state: (typeof worlds)[number]) => number) =>
    worlds.reduce((total, state) => total + valueOf(state), 0)
  const memory = process.memoryUsage()
  addGauges(registry, {
    standin_sandboxes: ['Sandboxes that there are.', sandboxes.all.size],
    standin_report_schedules: ['Report schedules of all sandboxes.', sum(({ state }) => state.reportSchedules.size)],
    standin_file_sets: [
      'File sets of all sandboxes, shared ones counted in each.',
      sum(({ state }) => state.fileSets.size),
    ],
    standin_journal_exchanges: ['Exchanges that are kept.', sum(({ journal }) => journal.size)],
    standin_journal_bytes: ['Bytes that they take, by estimate.', sandboxes.journals.bytes],
    standin_stream_listeners: ['Open streams.', listeners.size],
    process_resident_memory_bytes: ['Resident memory.', memory.rss],
    nodejs_heap_size_total_bytes: ['Size of the heap.', memory.heapTotal],
    nodejs_heap_size_used_bytes: ['Used part of the heap.', memory.heapUsed],
    nodejs_external_memory_bytes: ['Memory outside of the heap.', memory.external],
  })
  return registry.metrics()
}

function addRequests(registry: Registry, { operations }: Metrics): void {
  const requests = new Counter({
    name: 'standin_requests_total',
    help: 'Requests of the emulated service, by operation and status; status 0 for those that ended without an answer.',
    labelNames: ['operation', 'status'],
    registers: [registry],
  })
  for (const [operation, { byStatus }] of operations) {
    for (const [status, count] of byStatus) requests.inc({ operation, status }, count)
  }
  registry.registerMetric(new CountedHistogram(operations))
}

const DURATION = {
  name: 'standin_request_duration_seconds',
  help: 'From the head of a request to the end of its answer.',
} as const

/** The library's own types take its numbers for names; what it writes is the word. */
const HISTOGRAM = 'histogram' as unknown as MetricType
const nothing = () => undefined

/** A histogram of what was counted elsewhere: the library's own is filled value by value only, and on every request. */
class CountedHistogram extends Histogram<'operation' | 'le'> {
  readonly #operations: Metrics['operations']

  constructor(operations: Metrics['operations']) {
    super({ ...DURATION, labelNames: ['operation'], buckets: BUCKETS.map((bound) => bound / 1000), registers: [] })
    this.#operations = operations
  }

  override get(): ReturnType<Histogram<'operation' | 'le'>['get']> {
    const values = [...this.#operations].flatMap(([operation, { buckets, milliseconds }]) => {
      let count = 0
      const steps = buckets.map((inBucket, index) => {
        count += inBucket
        const bound = BUCKETS[index]
        const le = bound === undefined ? '+Inf' : bound / 1000
        return { metricName: `${DURATION.name}_bucket`, labels: { operation, le }, value: count }
      })
      return [
        ...steps,
        { metricName: `${DURATION.name}_sum`, labels: { operation }, value: milliseconds / 1000 },
        { metricName: `${DURATION.name}_count`, labels: { operation }, value: count },
      ]
    })
    return Promise.resolve({ ...DURATION, type: HISTOGRAM, aggregator: 'sum', collect: nothing, values })
  }

  getForPromString(): ReturnType<Histogram<'operation' | 'le'>['get']> {
    return this.get()
  }
}

function addGauges(registry: Registry, gauges: Readonly<Record<string, readonly [string, number]>>): void {
  for (const [name, [help, value]] of Object.entries(gauges))
    new Gauge({ name, help, registers: [registry] }).set(value)
}
