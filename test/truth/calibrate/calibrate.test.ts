import { expect, test } from 'vitest'
import { recover, recoverFrom, recoverFromSession } from '../../../checks/calibrate/recover.ts'
import { createStandin } from '../../../src/index.ts'
import { sample, takesAll } from '../../support/cases.ts'

/** `npm run check:calibrate` does the same a thousand times. */
test.for(takesAll ? [1, 2, 3, 4] : [])(
  'recovers a random setting of every behaviour, and leaves open only what the catalogue says (seed %i)',
  async (seed) => {
    const recovery = await recover(seed)
    expect(recovery.wrong).toEqual([])
    expect(recovery.undeclared).toEqual([])
    expect(recoverFrom(recovery).wrong).toEqual([])
    const settled = recovery.calibration.results.filter(({ finding }) => finding.kind === 'settled')
    expect(settled.length).toBeGreaterThan(60)
    const behaviours = Object.fromEntries(settled.map(({ id, finding }) => [id, 'value' in finding && finding.value]))
    expect(() => createStandin({ profile: { behaviours } })).not.toThrow()
  },
)

test.for(sample([61, 79], 2))(
  'draws no wrong conclusion from the recorded session of a client (seed %i)',
  async (seed) => {
    const { wrong, calibration } = await recoverFromSession(seed, { requests: 300 })
    expect(wrong).toEqual([])
    expect(calibration.results.filter(({ finding }) => finding.kind === 'settled').length).toBeGreaterThan(20)
  },
)
