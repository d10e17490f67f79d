import { join } from 'node:path'
import type { Rounds } from '../campaign.ts'
import { createChance } from '../chance.ts'
import { createKilling } from '../../../test/support/disk/killed.ts'
import { createLosingDisk } from '../../../test/support/disk/lost-pages.ts'

export function open(): Promise<Rounds> {
  let acknowledged = 0
  return Promise.resolve({
    async run({ seed, cases }) {
      const disk = createLosingDisk()
      if (!disk) throw new Error('There is no gcc, or no /dev/shm. Install gcc, or run without power-losses.')
      const chance = createChance(seed)
      const losePower = () => disk.losePower(chance)
      const losing = { clients: 4, chance, flags: ['--fsync'], env: disk.env, losePower }
      const killing = createKilling(join(disk.path, 'made', 'data'), losing)
      for (let loss = 1; loss <= cases; loss++) await killing.round(300 + chance() * 700)
      acknowledged += (await killing.finish()).acknowledged
      disk.remove()
    },
    close: () => Promise.resolve({ acknowledged }),
  })
}
