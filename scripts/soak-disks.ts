/**
 * Fills the disk of a stand-in with `--data` again and again while clients work, ends it by a kill or in good order, and looks after each
 * start whether everything that was acknowledged is there, and nothing that was refused. Prints the figures as JSON.
 * `npm run soak:disks -- 20 7` makes 20 rounds with the seed 7. It needs the right to mount a file system in memory.
 */
import { mountSmallDisk } from '../test/support/failing-disk.ts'
import { createKilling } from '../test/support/killed.ts'
import { draw, chanceKey } from '../src/world/random.ts'

const DISK = 48 * 2 ** 20

const [rounds = 50, seed = 1] = process.argv.slice(2).map(Number)
const key = chanceKey(seed, 'disks')
let drawn = 0
const chance = () => draw(key, drawn++) / 2 ** 32
const disk = mountSmallDisk(DISK)
if (disk) {
  try {
    const filling = createKilling(disk.path, { clients: 4, chance, disk, flags: chance() < 0.5 ? ['--fsync'] : [] })
    for (let round = 1; round <= rounds; round++) {
      await filling.round(200 + chance() * 1500, chance() < 0.5 ? 'SIGKILL' : 'SIGTERM')
      if (round % 10 === 0) process.stderr.write(`${round} full disks\n`)
    }
    process.stdout.write(`${JSON.stringify({ seed, rounds, ...(await filling.finish()) })}\n`)
  } finally {
    disk.remove()
  }
} else
  process.stdout.write(`${JSON.stringify({ seed, rounds: 0, skipped: 'this user may not mount a file system' })}\n`)
