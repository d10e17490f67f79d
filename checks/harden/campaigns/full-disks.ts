import type { Rounds } from '../campaign.ts'
import { createChance } from '../chance.ts'
import { mountSmallDisk } from '../../../test/support/disk/failing-disk.ts'
import { createKilling } from '../../../test/support/disk/killed.ts'

const DISK = 48 * 2 ** 20

export function open(): Promise<Rounds> {
  const figures = { acknowledged: 0, 'refused for want of room': 0 }
  return Promise.resolve({
    async run({ seed, cases }) {
      const disk = mountSmallDisk(DISK)
      if (!disk) throw new Error('This user may not mount a file system in memory. Run as root, or without full-disks.')
      try {
        const chance = createChance(seed)
        const flags = chance() < 0.5 ? ['--fsync'] : []
        const filling = createKilling(disk.path, { clients: 4, chance, disk, flags })
        for (let number = 0; number < cases; number++)
          await filling.round(200 + chance() * 1500, chance() < 0.5 ? 'SIGKILL' : 'SIGTERM')
        const { acknowledged, refused } = await filling.finish()
        figures.acknowledged += acknowledged
        figures['refused for want of room'] += refused
      } finally {
        disk.remove()
      }
    },
    close: () => Promise.resolve(figures),
  })
}
