import fc from 'fast-check'
import type { Rounds } from '../campaign.ts'
import { anyFaults, anyStart, replayWithFaults } from '../../../test/app/replay/replay-with-faults.ts'

export function open(): Promise<Rounds> {
  return Promise.resolve({
    run: ({ seed, cases }) =>
      fc.assert(fc.asyncProperty(anyFaults, anyStart, replayWithFaults), { seed, numRuns: cases }),
    close: () => Promise.resolve({}),
  })
}
