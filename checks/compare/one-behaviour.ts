/**
 * Compares two stand-ins that differ in one behaviour, for every other setting of every behaviour, and counts in how many the comparison
 * names that behaviour first.
 *
 *   node checks/compare/one-behaviour.ts [--only limit.zero,page.last] [--part 1/2] [--json results.json]
 */
import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { readCatalog } from '../../src/behaviours/catalog.ts'
import { compareServices } from '../../src/truth/compare/compare-services.ts'
import { readPackaged } from '../../src/base/formats/source-file.ts'
import { startAgain } from '../../src/app/replay/start-again.ts'
import { createStandin } from '../../src/index.ts'
import { otherSettings } from './settings.ts'
import { UNSEEN, worldOf } from './worlds.ts'

/** Fewer than the default, so that hundreds of comparisons take minutes. */
const FILES = 200

interface Result {
  readonly id: string
  readonly value: unknown
  readonly named: readonly string[]
  readonly differing: number
  readonly left: number
  readonly seconds: number
}

const { values } = parseArgs({
  options: { only: { type: 'string' }, part: { type: 'string' }, json: { type: 'string' } },
})
const only = values.only?.split(',')
const { behaviours } = readCatalog(readPackaged('spec/behaviours.yaml').value)
const results: Result[] = []
const [part = 1, parts = 1] = (values.part ?? '1/1').split('/').map(Number)
for (const [at, behaviour] of behaviours.entries()) {
  const { id } = behaviour
  if (at % parts !== part - 1) continue
  if (only ? !only.includes(id) : id in UNSEEN || id.startsWith('collections.')) continue
  for (const value of otherSettings(behaviour)) {
    const result = await compareWith(id, value)
    results.push(result)
    const [first = 'nothing'] = result.named
    const verdict = first.split('=', 1)[0] === id ? 'ok  ' : 'MISS'
    process.stdout.write(
      `${verdict} ${id}=${JSON.stringify(value)} named ${result.named.join(', ') || first}, ${result.differing} differ, ${result.left} left, ${result.seconds.toFixed(1)} s\n`,
    )
  }
}
summarise(results)
if (values.json !== undefined) writeFileSync(values.json, `${JSON.stringify(results, null, 1)}\n`)

async function compareWith(id: string, value: unknown): Promise<Result> {
  const { options = {}, now, keys: [key = 'any', otherKey] = ['any', 'other'] } = worldOf(id)
  const started = performance.now()
  const start = (behaviours: Readonly<Record<string, unknown>>) => {
    const standin = createStandin({
      files: FILES,
      ...options,
      behaviours: { ...options.behaviours, ...behaviours },
      ...(now === undefined ? {} : { now: () => now }),
    })
    return { standin, url: standin.start() }
  }
  const [ours, theirs] = [start({}), start({ [id]: value })]
  try {
    const { first, explanations, outcomes } = await compareServices({
      standin: { url: await ours.url, sandbox: 'default', token: undefined },
      target: {
        url: await theirs.url,
        rate: 100_000,
        timeout: 30_000,
        ...(now === undefined ? {} : { clock: now }),
      },
      recordings: [],
      requests: 'contract',
      givens: { key, otherKey, fileSet: 'demo', otherFileSet: 'awkward', pageId: 1_000_000, viewId: 1_000_000 },
      allowWrites: true,
      startAgain,
      machine: { realNow: () => now ?? Date.now(), elapsed: () => performance.now() },
      signal: new AbortController().signal,
      report: () => undefined,
    })
    const weighty = (list: typeof first) => list.filter(({ weight }) => weight > 0).length
    return {
      id,
      value,
      named: explanations.map((one) => `${one.behaviour.id}=${JSON.stringify(one.value)}`),
      differing: weighty(first),
      left: weighty(outcomes),
      seconds: (performance.now() - started) / 1000,
    }
  } finally {
    await Promise.all([ours.standin.stop(), theirs.standin.stop()])
  }
}

function summarise(all: readonly Result[]): void {
  const byId = Map.groupBy(all, ({ id }) => id)
  const isFirst = ({ id, named }: Result) => named[0]?.split('=', 1)[0] === id
  const found = [...byId].filter(([, ones]) => ones.every(isFirst))
  const share = (part: number, whole: number) => `${part} of ${whole} (${((100 * part) / whole).toFixed(1)} %)`
  process.stdout.write(
    `\nnamed first: ${share(all.filter(isFirst).length, all.length)} settings, ${share(found.length, byId.size)} behaviours\n`,
  )
  for (const one of all)
    if (!isFirst(one))
      process.stdout.write(
        `  not: ${one.id}=${JSON.stringify(one.value)}: ${one.named.join(', ') || `${one.differing} cases differ`}\n`,
      )
  process.stdout.write(`\nnot seen by clients, and left out:\n`)
  for (const [id, why] of Object.entries(UNSEEN)) process.stdout.write(`  ${id}: ${why}\n`)
}
