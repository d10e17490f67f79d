import type { Campaign } from './campaign.ts'
import { createChance } from './chance.ts'
import { createDirectory } from '../../test/support/command.ts'
import { createKilling } from '../../test/support/killed.ts'

/** Kills in a row of one data directory; the next one begins empty. */
const KILLS = 10

export const kills: Campaign = {
  about:
    'A stand-in with `--data` is killed at random moments while four clients work: after each start everything that was acknowledged is there, and of the requests under way all or nothing.',
  cases: 200,
  casesPerRound: KILLS,
  open() {
    let acknowledged = 0
    return Promise.resolve({
      async run({ seed }) {
        const directory = createDirectory({})
        const chance = createChance(seed)
        const killing = createKilling(directory.path, { clients: 4, chance })
        for (let kill = 1; kill <= KILLS; kill++) await killing.round(5 + chance() * 400)
        acknowledged += (await killing.finish()).acknowledged
        // What is left of a failure is worth a look.
        directory.remove()
      },
      close: () => Promise.resolve({ acknowledged }),
    })
  },
}
