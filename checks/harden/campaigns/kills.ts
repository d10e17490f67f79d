import type { Rounds } from '../campaign.ts'
import { createChance } from '../chance.ts'
import { createDirectory } from '../../../test/support/command.ts'
import { createKilling } from '../../../test/support/disk/killed.ts'

export function open(): Promise<Rounds> {
  let acknowledged = 0
  return Promise.resolve({
    async run({ seed, cases }) {
      const directory = createDirectory({})
      const chance = createChance(seed)
      const killing = createKilling(directory.path, { clients: 4, chance })
      for (let kill = 1; kill <= cases; kill++) await killing.round(5 + chance() * 400)
      acknowledged += (await killing.finish()).acknowledged
      // What is left of a failure is worth a look.
      directory.remove()
    },
    close: () => Promise.resolve({ acknowledged }),
  })
}
