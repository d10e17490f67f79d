/**
 * Measures what the console costs. Run `npm run build` before it.
 *
 *     node checks/console/measure.ts                         first paint, and the size of the script
 *     node checks/console/measure.ts --before DIRECTORY      start, memory and requests with no console opened, alternated with another build
 *
 * The directory is a built checkout of another commit. `checks/console/soak.ts` measures memory while the console is open.
 */
import { spawn } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { gzipSync } from 'node:zlib'
import { launchChromium } from '../../test/support/console.ts'

const ROUNDS = 10
const CONNECTIONS = 8
/** Milliseconds of a tick of the processor time that Linux counts. */
const TICK = 10

const { values } = parseArgs({
  options: {
    before: { type: 'string' },
    rounds: { type: 'string', default: '7' },
    searches: { type: 'string', default: '40000' },
  },
})

if (values.before === undefined) {
  measureSize()
  await measurePaint()
} else await compareBuilds({ before: values.before, after: '.' })

function measureSize(): void {
  const folder = 'dist/console'
  const scripts = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.js'))
  const bytes = scripts.reduce((sum, name) => sum + gzipSync(readFileSync(join(folder, name))).length, 0)
  process.stdout.write(`script, compressed: ${(bytes / 1000).toFixed(0)} kB\n`)
}

interface Server {
  readonly url: string
  readonly pid: number
  stop(): void
}

/** @param directory of a built package */
async function startServer(directory: string): Promise<Server> {
  const child = spawn(process.execPath, ['dist/cli.js', 'serve', '--port', '0'], {
    cwd: directory,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const stop = () => void child.kill()
  process.once('exit', stop)
  const url = await new Promise<string>((resolve) => {
    createInterface({ input: child.stdout }).on('line', (line) => {
      const [found] = /http:\/\/127\.0\.0\.1:\d+/.exec(line) ?? []
      if (found !== undefined) resolve(found)
    })
  })
  return { url, pid: child.pid ?? 0, stop }
}

async function measurePaint(): Promise<void> {
  const { url, stop } = await startServer('.')
  const chromium = await launchChromium()
  const paints: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    // A context of its own begins with an empty cache.
    const context = await chromium.newContext()
    const page = await context.newPage()
    await page.goto(`${url}/__mock/`)
    await page.getByRole('heading', { name: 'Requests', exact: true }).waitFor()
    await setTimeout(200)
    paints.push(await page.evaluate<number>(`performance.getEntriesByName('first-contentful-paint')[0].startTime`))
    await context.close()
  }
  await chromium.close()
  stop()
  process.stdout.write(`first paint, ms: ${spread(paints, 0)}\n`)
}

type Figure = 'ms to start' | 'MiB after the start' | 'µs a search' | 'MiB after the searches'

async function compareBuilds(directories: Readonly<Record<string, string>>): Promise<void> {
  const samples = new Map<string, number[]>()
  for (let round = 0; round < Number(values.rounds); round++) {
    const names = Object.keys(directories)
    // Each begins every other round, so that a busy machine hits both alike.
    for (const name of round % 2 === 0 ? names : names.toReversed()) {
      const figures = await measureBuild(directories[name] ?? '.')
      for (const [figure, value] of Object.entries(figures)) {
        const key = `${figure}, ${name}`
        samples.set(key, [...(samples.get(key) ?? []), value])
      }
    }
    process.stderr.write(`round ${round + 1} of ${values.rounds}\n`)
  }
  for (const [name, taken] of [...samples].sort()) process.stdout.write(`${name}: ${spread(taken, 1)}\n`)
}

async function measureBuild(directory: string): Promise<Readonly<Record<Figure, number>>> {
  const { url, pid, stop } = await startServer(directory)
  // Until what the start left to do is done.
  await setTimeout(500)
  const started = { time: processorTime(pid), resident: residentOf(pid) }
  const searches = Number(values.searches)
  await search(url, searches)
  const spent = processorTime(pid) - started.time
  const figures = {
    'ms to start': started.time,
    'MiB after the start': started.resident,
    'µs a search': (1000 * spent) / searches,
    'MiB after the searches': residentOf(pid),
  }
  stop()
  return figures
}

/** Milliseconds of user and system time. */
function processorTime(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
  return (Number(fields[11]) + Number(fields[12])) * TICK
}

function residentOf(pid: number): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024
}

async function search(url: string, count: number): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS })
  let sent = 0
  const connection = async () => {
    while (sent++ < count) await searchOnce(url, agent)
  }
  await Promise.all(Array.from({ length: CONNECTIONS }, connection))
  agent.destroy()
}

function searchOnce(url: string, agent: Agent): Promise<void> {
  return new Promise((resolve, reject) => {
    const headers = { 'Content-Type': 'application/json', 'X-SERVICE-Developer-Token': 'any' }
    request(`${url}/api/files/v1/filesets/demo/files/search?limit=10`, { method: 'POST', agent, headers }, (response) =>
      response.resume().on('end', resolve),
    )
      .on('error', reject)
      .end('{}')
  })
}

/** The median, and the least and the greatest. */
function spread(samples: readonly number[], digits: number): string {
  const sorted = samples.toSorted((a, b) => a - b)
  const at = (index: number) => (sorted[index] ?? Number.NaN).toFixed(digits)
  return `${at(Math.floor(sorted.length / 2))} (${at(0)}–${at(sorted.length - 1)})`
}
