/**
 * Checks that replicas are linearizable: clients ask three of them in turn, while replicas are killed and stopped, connections are cut and the
 * engine is restarted, and every history is checked against the stream (witness.ts), and by Porcupine where `scripts/install-porcupine.sh` was run.
 *
 *     scripts/install-redis.sh && npm run build && node checks/replicas/check.ts --histories 1000
 *     node checks/replicas/check.ts --planted      the same with a store that does not compare: it must be found in the first ten
 */
import { cpSync, globSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { runClient } from './clients.ts'
import { type Cluster, type Disturbance, DISTURBANCES, startCluster } from './cluster.ts'
import { checkHistories, HAS_PORCUPINE, writeHistory } from './porcupine.ts'
import { countOf, findViolations, type HistoryEvent, isChange, isRead, type Operation } from './witness.ts'

const { values } = parseArgs({
  options: {
    histories: { type: 'string', default: '100' },
    seed: { type: 'string', default: '1' },
    planted: { type: 'boolean', default: false },
    /** Where the histories are written that Porcupine reads. */
    out: { type: 'string' },
  },
})

const CLIENTS = 5
/** How many reads of an item a fault strikes in each history. */
const FAULTS = 3

/** Integers from 0 on, by the seed of a history. */
function createRandom(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return Math.floor((state / 4294967296) * below)
  }
}

/** Undefined where the stream cannot be read. */
async function historyOf(cluster: Cluster, sandbox: string): Promise<readonly HistoryEvent[] | undefined> {
  for (let tries = 0; ; tries++) {
    const response = await fetch(
      `${cluster.urls[tries % cluster.urls.length]}/__mock/history?limit=1000&sandbox=${sandbox}`,
    ).catch(() => undefined)
    if (response?.ok) return ((await response.json()) as { events: HistoryEvent[] }).events
    if (response?.status === 404) return []
    if (tries > 50) return undefined
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}

/** Moves a commit to the end of the stream, whatever it expects there, with the numbers that follow. */
const APPENDS_ANYWAY = String.raw`local moved = last - tonumber(ARGV[1])
  ARGV[3] = string.gsub(ARGV[3], '"number":(%d+)', function(n) return '"number":' .. string.format('%d', n + moved) end)
  ARGV[1] = tostring(last)
  ARGV[2] = string.format('%d', ARGV[2] + moved)
  `

/** A copy of the package whose store appends without comparing. */
function withDefect(): { cli: string; remove(): void } {
  const directory = mkdtempSync(join(tmpdir(), 'standin-planted-'))
  cpSync('dist', join(directory, 'dist'), { recursive: true })
  for (const name of ['spec', 'fixtures', 'package.json', 'docs']) symlinkSync(resolve(name), join(directory, name))
  const comparison = 'if last == tonumber(ARGV[1]) then'
  const scripts = globSync(join(directory, 'dist/*.js')).filter((path) =>
    readFileSync(path, 'utf8').includes(comparison),
  )
  if (scripts.length === 0) throw new Error('the script has no comparison to take out')
  for (const path of scripts)
    writeFileSync(
      path,
      readFileSync(path, 'utf8').replace(comparison, () => `${APPENDS_ANYWAY}${comparison}`),
    )
  return { cli: join(directory, 'dist/cli.js'), remove: () => rmSync(directory, { recursive: true, force: true }) }
}

const planted = values.planted ? withDefect() : undefined
const most = values.planted ? 10 : Number(values.histories)
const cluster = await startCluster({
  cli: planted?.cli ?? resolve('dist/cli.js'),
  contract: resolve('checks/replicas/items.yaml'),
  replicas: 3,
})
const counts = { operations: 0, unknown: 0, refused: 0, changes: 0, violations: 0 }
const histories: string[] = []

/** One fault for the reads of a sandbox. */
async function armFault(sandbox: string): Promise<void> {
  const fault = { kind: 'status', status: 418, times: FAULTS, match: { operationId: 'getItem' } }
  const headers = { 'content-type': 'application/json' }
  const path = `/__mock/faults?sandbox=${sandbox}`
  for (let tries = 0; tries < 100; tries++) {
    const url = `${cluster.urls[tries % cluster.urls.length]}${path}`
    const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(fault) }).catch(() => undefined)
    if (response?.ok || response?.status === 409) return
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  throw new Error('no fault could be armed')
}

async function runHistory(number: number, what: Disturbance): Promise<string[]> {
  const sandbox = `h${number}`
  const run = (part: number) =>
    Promise.all(
      Array.from({ length: 1 + (number % CLIENTS) }, (_, client) => {
        const random = createRandom(Number(values.seed) * 1_000_003 + number * 31 + client + part * 7)
        return runClient({ urls: cluster.urls, sandbox, random }, client, `${part}.${client}`)
      }),
    ).then((all) => all.flat())
  await armFault(sandbox)
  let operations: Operation[] = []
  let before: readonly HistoryEvent[] | undefined = []
  if (what === 'cut off the tail') {
    // What the server loses was acknowledged. What it keeps is where the rest of the history begins.
    operations = await run(1)
    await cluster.disturb(what)
    before = await historyOf(cluster, sandbox)
    const kept = before?.length ?? 0
    operations = operations.filter(({ event, status }) => status === 0 || (event !== undefined && event <= kept))
  }
  const disturbed = what === 'cut off the tail' ? undefined : cluster.disturb(what)
  const rest = await run(0)
  await disturbed
  const events = await historyOf(cluster, sandbox)
  count([...operations, ...rest])
  if (!before || !events) return ['the stream cannot be read']
  if (before.length === 0) operations = []
  histories.push(writeHistory(rest, before, countOf(events, 'fault.armed') === 0 ? 0 : FAULTS))
  return findViolations([...operations, ...rest], events, before.length)
}

function count(operations: readonly Operation[]): void {
  counts.operations += operations.length
  counts.refused += operations.filter(({ isRefused }) => isRefused === true).length
  counts.unknown += operations.filter((one) => one.status === 0 && one.isRefused !== true && !isRead(one)).length
  counts.changes += operations.filter(isChange).length
}

try {
  for (let number = 0; number < most; number++) {
    const what = DISTURBANCES[number % DISTURBANCES.length] ?? 'none'
    const violations = await runHistory(number, what)
    if (violations.length > 0) {
      counts.violations++
      console.log(`history ${number} (${what}):\n  ${violations.slice(0, 5).join('\n  ')}`)
      if (values.planted) break
    }
    const url = cluster.urls[0] ?? ''
    if (violations.length === 0)
      await fetch(`${url}/__mock/sandboxes/h${number}`, { method: 'DELETE' }).catch(() => undefined)
  }
} finally {
  await cluster.stop()
  planted?.remove()
}
const verdicts = HAS_PORCUPINE ? checkHistories(histories) : []
const wrong = verdicts.flatMap((verdict, number) => (verdict === 'Ok' ? [] : [`${number} is ${verdict}`]))
if (wrong.length > 0) console.log(`Porcupine: of the histories that were read ${wrong.slice(0, 10).join(', ')}`)
if (!HAS_PORCUPINE) console.error('\nSKIPPED: Porcupine has checked nothing. Run scripts/install-porcupine.sh\n')
if (values.out !== undefined) writeFileSync(values.out, histories.map((one) => `${one}\n`).join(''))
console.log(
  `${histories.length} histories, ${JSON.stringify({ ...counts, porcupine: HAS_PORCUPINE ? wrong.length : 'skipped' })}`,
)
const isFound = counts.violations > 0 && (!HAS_PORCUPINE || wrong.length > 0)
process.exitCode = (values.planted ? isFound : counts.violations + wrong.length === 0) ? 0 : 1
