/**
 * Kills a stand-in with `--data` 200 times at random moments, and looks after each whether everything that was acknowledged is
 * there. Prints the figures as JSON. `npm run soak:kills -- 50 7` makes 50 kills with the seed 7.
 */
import { createKilling } from '../test/support/killed.ts'
import { createDirectory } from '../test/support/command.ts'
import { draw, chanceKey } from '../src/world/random.ts'

const [kills = 200, seed = 1] = process.argv.slice(2).map(Number)
const key = chanceKey(seed, 'kills')
let drawn = 0
const chance = () => draw(key, drawn++) / 2 ** 32
const directory = createDirectory({})
const killing = createKilling(directory.path, { clients: 4, chance })
for (let kill = 1; kill <= kills; kill++) {
  await killing.round(5 + chance() * 400)
  if (kill % 20 === 0) process.stderr.write(`${kill} kills\n`)
}
process.stdout.write(`${JSON.stringify({ seed, ...(await killing.finish()) })}\n`)
directory.remove()
