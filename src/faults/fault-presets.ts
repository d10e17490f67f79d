import type { FaultRequest } from './fault.ts'

/** Faults that often come together. Each is armed under the preset's name, a hyphen, and its own. */
export const PRESETS: Readonly<Record<string, Readonly<Record<string, FaultRequest>>>> = {
  'flaky-network': {
    delay: { kind: 'latency', delay: { median: 80, sigma: 0.8 }, chance: 0.3 },
    reset: { kind: 'reset', chance: 0.05 },
    empty: { kind: 'empty', chance: 0.03 },
    'lost-answer': { kind: 'lost-answer', chance: 0.05 },
    truncated: { kind: 'truncated', chance: 0.03 },
  },
  'slow-service': {
    delay: { kind: 'latency', delay: { median: 800, sigma: 0.6 } },
    drip: { kind: 'slow-drip', pieces: 10, milliseconds: 1500, chance: 0.1 },
  },
  'rate-limited': {
    limit: { kind: 'rate-limit', limit: 10, seconds: 10 },
  },
  // The old process drops its connections, the gateway finds none for a while, and the new one is slow at first.
  'deploy-in-progress': {
    reset: { kind: 'reset', times: 1 },
    unavailable: { kind: 'status', status: 503, headers: { 'retry-after': '1' }, times: 5 },
    'warm-up': { kind: 'latency', delay: { from: 200, to: 800 }, times: 5 },
  },
}
