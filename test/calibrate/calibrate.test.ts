import { expect, test } from 'vitest'
import { recover, recoverFrom } from '../../scripts/calibrate/recover.ts'

/** `node scripts/calibrate/check.ts` does the same a thousand times. */
test.for(Array.from({ length: 12 }, (_, index) => index + 1))(
  'recovers what is settled of random settings, from a recording too (seed %i)',
  async (seed) => {
    const recovery = await recover(seed, { only: new Set(['page.last', 'limit.zero', 'limit.negative']) })
    expect(recovery.wrong).toEqual([])
    expect(recoverFrom(recovery).wrong).toEqual([])
    expect(recovery.calibration.results.filter(({ finding }) => finding.kind === 'settled')).not.toEqual([])
  },
)
