/**
 * How much of what real services answered does a server answer that knows nothing but their OpenAPI documents? Plays the recorded
 * sessions and compares each response. Needs none of the services.
 *
 *   node checks/fidelity/check.ts [--only REGEXP] [--peers] [--misses] [--update]
 *
 * Fails when fewer responses are right than `results.json` says. `--peers` also plays them against what teams use instead, and
 * `--misses` lists each response that was not as the service's. `--update` writes `results.json` and the table of docs/fidelity.md.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { installPeers } from '../../bench/frame/peers.ts'
import { chosenServices, readRecording } from './recording.ts'
import { columnsOf, fallen, missOf, pageOf, type Figures, type Judged, figuresOf, row } from './report.ts'
import { compareAnswers } from './score.ts'
import { play, readService } from './session.ts'
import { readCeiling } from './ceiling.ts'
import { documentOf, type FidelityTarget, startTarget, TARGETS } from './targets.ts'

const { values: flags } = parseArgs({
  options: {
    only: { type: 'string', default: '' },
    peers: { type: 'boolean', default: false },
    misses: { type: 'boolean', default: false },
    update: { type: 'boolean', default: false },
  },
})
const here = new URL('./', import.meta.url)
const names = chosenServices(flags)
const everything = flags.peers || flags.update
if (everything) await installPeers((step) => process.stderr.write(`${step}\n`))

/** Of what the documents say; figures as if it were a server. */
const CEILING = 'document'
const results: Record<string, Record<string, Figures>> = {}
const misses: Record<string, Judged[]> = {}
for (const target of everything ? TARGETS : TARGETS.slice(0, 1)) {
  process.stdout.write(columnsOf(target))
  const total: Judged[] = []
  for (const name of names) {
    const judged = await judge(name, target)
    total.push(...judged)
    ;(results[target] ??= {})[name] = figuresOf(judged)
    if (target === 'standin') misses[name] = judged
    process.stdout.write(row(name, figuresOf(judged)))
    if (flags.misses) for (const one of judged) process.stdout.write(missOf(one))
  }
  process.stdout.write(row('all', figuresOf(total)))
}
if (everything) {
  const ceiling = await ceilings()
  results[CEILING] = Object.fromEntries(ceiling)
  process.stdout.write(columnsOf(CEILING))
  for (const [name, figures] of ceiling) process.stdout.write(row(name, figures))
}
const file = new URL('results.json', here)
if (flags.update) {
  // What is compared, and nothing that differs from run to run.
  const compared = Object.entries(results.standin ?? {}).map(([name, { right }]) => [name, { right }])
  writeFileSync(file, `${JSON.stringify(Object.fromEntries(compared))}\n`)
  const page = new URL('../../docs/fidelity.md', import.meta.url)
  writeFileSync(page, pageOf(readFileSync(page, 'utf8'), { results, misses }))
} else {
  const before = JSON.parse(readFileSync(file, 'utf8')) as Record<string, Pick<Figures, 'right'>>
  const fell = fallen(before, results.standin ?? {})
  for (const one of fell) process.stderr.write(`${one}\n`)
  if (fell.length > 0) process.exitCode = 1
}

async function judge(name: string, target: FidelityTarget): Promise<Judged[]> {
  const service = readService(name)
  const recording = readRecording(name)
  const judged: Judged[] = []
  // One start for all sessions, as when they were recorded.
  const started = await startTarget(target, { name, service, recording })
  try {
    for (const session of service.sessions) {
      started.begin?.(session.name)
      const expected = recording.answers.get(session.name) ?? []
      const answers = await play(session, started.url, expected)
      for (const [at, step] of session.steps.entries()) {
        const own = expected[at]
        const received = answers[at]
        if (!own || !received) throw new Error(`${name}, ${session.name}: record it again; it has other steps now.`)
        judged.push({
          ...{ session: session.name, step, expected: own, received },
          likeness: compareAnswers(own, received, own.varies),
        })
      }
    }
    return judged
  } finally {
    await started.stop()
  }
}

async function ceilings(): Promise<[string, Figures][]> {
  return Promise.all(
    names.map(async (name): Promise<[string, Figures]> => {
      const says = await readCeiling(documentOf(name))
      const { answers } = readRecording(name)
      const judged = readService(name).sessions.flatMap(({ name: session, steps }) =>
        steps.flatMap((step, at) => {
          const expected = answers.get(session)?.[at]
          return expected ? [{ session, step, expected, received: expected, likeness: says(step, expected) }] : []
        }),
      )
      return [name, figuresOf(judged)]
    }),
  )
}
