/**
 * Holds the console open in a real Chromium while requests arrive at a steady rate, and writes the memory of the server and of the page each
 * minute, each after a garbage collection. Every minute another view is looked at. At the end, the medians of the first and the last ten minutes.
 *
 *     node checks/console/soak.ts                                        for an hour, 20 requests a second
 *     node checks/console/soak.ts --minutes 10 --rate 50
 *     node checks/console/soak.ts --package /tmp/built                   a copy of dist, spec, fixtures and docs that no later build changes
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import type { CDPSession, Page } from 'playwright-core'
import { createControlClient } from '../../src/index.ts'
import { launchChromium } from '../../test/support/console.ts'

const MINUTE = 60_000
const MIB = 2 ** 20
const VIEWS = [
  'history',
  'outbox',
  'schedules',
  'files',
  'collections',
  'faults',
  'coverage',
  'mutations',
  'sandboxes',
  'behaviours',
]

const DAILY = {
  frequency: 'MONTHLY',
  daysToRun: '1',
  hourOfDay: 6,
  minOfHour: 0,
  timezone: 'Europe/London',
  enabled: true,
  additionalRecipients: [{ type: 'EMAIL', value: 'finance@example.com' }],
}

const { values: options } = parseArgs({
  options: {
    minutes: { type: 'string', default: '60' },
    rate: { type: 'string', default: '20' },
    package: { type: 'string', default: '.' },
  },
})

interface Figures {
  readonly resident: number
  readonly serverHeap: number
  readonly pageHeap: number
  readonly nodes: number
  readonly listeners: number
}

const { child, url, inspector } = await startServer()
process.once('exit', () => child.kill())
const browser = await launchChromium()
const page = await (await browser.newContext({ viewport: { width: 1200, height: 800 } })).newPage()
page.on('pageerror', (error) => process.stdout.write(`error in the page: ${error.message}\n`))
const stopped = new AbortController()
const traffic = send(stopped.signal)
const all = await watch(page)
stopped.abort()
process.stdout.write(`requests by status: ${JSON.stringify(Object.fromEntries(await traffic))}\n`)
report('first ten minutes', all.slice(1, 11))
report('last ten minutes', all.slice(-10))
await browser.close()
process.exit()

async function startServer() {
  const args = ['--inspect=127.0.0.1:0', join(options.package, 'dist/cli.js'), 'serve', '--port', '0']
  const server = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] })
  const [debuggerUrl, address] = await Promise.all([
    firstMatch(server.stderr, /ws:\/\/\S+/),
    firstMatch(server.stdout, /http:\/\/127\.0\.0\.1:\d+/),
  ])
  return { child: server, url: address, inspector: debuggerUrl }
}

/** Reads to the end, so that the process never waits for its output to be read. */
function firstMatch(output: NodeJS.ReadableStream, pattern: RegExp): Promise<string> {
  return new Promise((resolve) => {
    createInterface({ input: output }).on('line', (line) => {
      const [found] = pattern.exec(line) ?? []
      if (found !== undefined) resolve(found)
    })
  })
}

/** Sends searches, some of them refused, updates and new schedules, until it is stopped; resolves to their numbers by status. */
async function send(signal: AbortSignal): Promise<ReadonlyMap<number, number>> {
  const { reportSchedules } = await createControlClient({ url }).listReportSchedules()
  const schedules = reportSchedules.map(({ id }) => id)
  const start = performance.now()
  const statuses = new Map<number, number>()
  for (let sent = 0; !signal.aborted; sent++) {
    const [method, path, body] = requestAt(sent, schedules)
    const response = await fetch(url + path, {
      method,
      headers: { 'Content-Type': 'application/json', 'X-SERVICE-Developer-Token': 'any' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    await response.text()
    statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1)
    await setTimeout(Math.max(0, start + ((sent + 1) * 1000) / Number(options.rate) - performance.now()))
  }
  return statuses
}

function requestAt(count: number, schedules: readonly (number | string)[]): readonly [string, string, object?] {
  const search = '/api/files/v1/filesets/demo/files/search'
  if (count % 600 === 599)
    return [
      'POST',
      '/api/content/v1/reportschedules',
      { title: `Report ${count}`, pageId: 1, viewId: 2, schedule: DAILY },
    ]
  if (count % 20 === 19)
    return [
      'PUT',
      `/api/content/v1/reportschedules/${schedules[count % schedules.length]}`,
      { title: `Title ${count}` },
    ]
  if (count % 20 === 9) return ['POST', `${search}?limit=none`, {}]
  if (count % 20 === 4) return ['GET', '/no/such/operation']
  return [
    'POST',
    `${search}?limit=${1 + (count % 50)}`,
    { filters: [{ field: 'name', operator: 'LIKE', value: [String(count % 97)] }] },
  ]
}

async function watch(page: Page): Promise<readonly Figures[]> {
  const session = await page.context().newCDPSession(page)
  await session.send('Performance.enable')
  await page.goto(`${url}/__mock/#/requests`)
  await page.getByText('live', { exact: true }).waitFor()
  const start = performance.now()
  const figures: Figures[] = []
  for (let minute = 0; minute <= Number(options.minutes); minute++) {
    await setTimeout(Math.max(0, start + minute * MINUTE - performance.now()))
    const now = await measure(session)
    figures.push(now)
    process.stdout.write(`${minute} min: ${describe(now)}\n`)
    await page.goto(`${url}/__mock/#/${VIEWS[minute % VIEWS.length]}`)
    await setTimeout(MINUTE / 4)
    await page.goto(`${url}/__mock/#/requests`)
  }
  return figures
}

async function measure(session: CDPSession): Promise<Figures> {
  await session.send('HeapProfiler.collectGarbage')
  const { metrics } = await session.send('Performance.getMetrics')
  const metric = (name: string) => metrics.find((one) => one.name === name)?.value ?? Number.NaN
  const serverHeap = await heapOfServer()
  const resident = Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1]) / 1024
  return {
    ...{ resident, serverHeap, pageHeap: metric('JSHeapUsedSize') / MIB },
    ...{ nodes: metric('Nodes'), listeners: metric('JSEventListeners') },
  }
}

/** MiB in use after a garbage collection. */
async function heapOfServer(): Promise<number> {
  const socket = new WebSocket(inspector)
  await once(socket, 'open')
  const ask = async (id: number, method: string) => {
    const answered = once(socket, 'message')
    socket.send(JSON.stringify({ id, method }))
    const [{ data }] = (await answered) as [{ readonly data: string }]
    return JSON.parse(data) as { readonly result: { readonly usedSize: number } }
  }
  await ask(1, 'HeapProfiler.collectGarbage')
  const { result } = await ask(2, 'Runtime.getHeapUsage')
  socket.close()
  return result.usedSize / MIB
}

function report(when: string, figures: readonly Figures[]): void {
  const median = (key: keyof Figures) => {
    const sorted = figures.map((one) => one[key]).sort((a, b) => a - b)
    return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
  }
  const medians = {
    ...{ resident: median('resident'), serverHeap: median('serverHeap'), pageHeap: median('pageHeap') },
    ...{ nodes: median('nodes'), listeners: median('listeners') },
  }
  process.stdout.write(`median of the ${when}: ${describe(medians)}\n`)
}

function describe({ resident, serverHeap, pageHeap, nodes, listeners }: Figures): string {
  const server = `server ${resident.toFixed(0)} MiB resident, ${serverHeap.toFixed(1)} MiB of heap`
  return `${server}; page ${pageHeap.toFixed(1)} MiB of heap, ${nodes} nodes, ${listeners} listeners`
}
