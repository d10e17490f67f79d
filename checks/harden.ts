/**
 * `npm run harden`: random campaigns against a server, each compared with something independent, for as long as that takes.
 * It builds `dist/` first where a source is newer: campaigns that start a process run what users run.
 *
 *     npm run harden                                  all of them, in full
 *     npm run harden -- --only paging,walks           some of them
 *     npm run harden -- --count 100                   100 cases of each
 *     npm run harden -- --seed 7                      other cases
 *     npm run harden -- --only walks --seed 7 --round 12   one round again, as the report of a failure says
 *     npm run harden -- --count 100 --save            writes checks/harden/results.json and the table of docs/performance.md, as a full run does
 *
 * Ctrl-C ends it after the rounds that are under way and prints what was done. The first wrong result ends it with exit code 1 and
 * with what reproduces it. To add a campaign, write `checks/harden/campaigns/<name>.ts`, which exports `open`,
 * and list it in `checks/harden/campaigns.ts`.
 */
import { parseArgs } from 'node:util'
import { CAMPAIGNS } from './harden/campaigns.ts'
import { describeFigures, format, saveResults } from './harden/results.ts'
import { type Outcome, runCampaign } from './harden/run.ts'

/** Milliseconds between two lines of progress when the output is no terminal. */
const BETWEEN_LINES = 5000

const options = readOptions()
const stopping = new AbortController()
process.once('SIGINT', () => {
  process.stderr.write('\nStopping after the rounds under way. Press Ctrl-C again to stop at once.\n')
  stopping.abort()
  process.once('SIGINT', () => process.exit(130))
})

const isStopped = () => stopping.signal.aborted
const outcomes: Outcome[] = []
for (const name of options.names) {
  if (isStopped()) break
  const outcome = await runWithProgress(name)
  outcomes.push(outcome)
  if (options.save && !isStopped()) saveResults([outcome])
  if (outcome.failure) {
    reportFailure(outcome, outcome.failure)
    break
  }
}
if (outcomes.some(({ failure }) => failure)) process.exitCode = 1
else if (isStopped()) process.exitCode = 130

function readOptions() {
  const { values } = parseArgs({
    allowNegative: true,
    options: {
      only: { type: 'string' },
      seed: { type: 'string', default: '1' },
      count: { type: 'string' },
      round: { type: 'string' },
      save: { type: 'boolean' },
    },
  })
  const names = values.only?.split(',') ?? Object.keys(CAMPAIGNS)
  const unknown = names.find((name) => !Object.hasOwn(CAMPAIGNS, name))
  if (unknown !== undefined)
    fail(`There is no campaign ${JSON.stringify(unknown)}. Expected one of ${Object.keys(CAMPAIGNS).join(', ')}.`)
  const { seed, count, round, save } = values
  return {
    names,
    seed: readNumber('seed', seed),
    count: count === undefined ? undefined : readNumber('count', count),
    round: round === undefined ? undefined : readNumber('round', round),
    save: save ?? (count === undefined && round === undefined),
  }
}

function readNumber(name: string, text: string): number {
  return /^\d{1,15}$/.test(text) ? Number(text) : fail(`--${name} is ${JSON.stringify(text)}. Expected a whole number.`)
}

function fail(message: string): never {
  console.error(message)
  process.exit(2)
}

async function runWithProgress(name: string): Promise<Outcome> {
  const { seed, count, round } = options
  const began = performance.now()
  let [done, planned] = [0, count ?? CAMPAIGNS[name]!.cases]
  const show = () => {
    const seconds = (performance.now() - began) / 1000
    const left = done === 0 ? '' : `, about ${format(Math.ceil((seconds / done) * (planned - done)))} s left`
    tell(`${name}: ${format(done)} of ${format(planned)} cases, ${format(Math.round(seconds))} s${left}`)
  }
  tell(`${name}: seed ${seed}`)
  const timer = setInterval(show, process.stderr.isTTY ? 200 : BETWEEN_LINES)
  const progress = (cases: number, all: number) => ([done, planned] = [cases, all])
  const outcome = await runCampaign(CAMPAIGNS[name]!, { name, seed, count, round, progress, signal: stopping.signal })
  clearInterval(timer)
  if (process.stderr.isTTY) process.stderr.write('\r\u001b[K')
  const facts = [`${outcome.seconds.toFixed(1)} s`, `seed ${seed}`, ...describeFigures(outcome.figures)]
  console.log(`${outcome.failure ? 'WRONG' : 'right'}  ${name}: ${format(outcome.cases)} cases (${facts.join(', ')})`)
  return outcome
}

/** A line that is updated, or on a terminal that cannot do so a line each. */
function tell(line: string): void {
  process.stderr.write(process.stderr.isTTY ? `\r\u001b[K${line}` : `${line}\n`)
}

function reportFailure({ name, seed }: Outcome, { round, text, requests }: NonNullable<Outcome['failure']>): void {
  console.error(`\n${text}\n`)
  if (requests.length > 0) console.error(`The last requests and responses:\n${requests.join('\n')}\n`)
  const count = options.count === undefined ? '' : ` --count ${options.count}`
  console.error(`To reproduce: npm run harden -- --only ${name} --seed ${seed} --round ${round}${count}`)
}
