/**
 * `npm run soak`: a million requests of all kinds to a stand-in in a process of its own, whose resident memory must stay flat:
 * after the first tenth it may grow by 10 %. Prints the memory over time as JSON. `npm run soak -- 100000` sends fewer.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { connect } from 'node:net'
import { createControlClient } from '../src/index.ts'

const REQUESTS = Number(process.argv[2] ?? 1_000_000)
const CONNECTIONS = 16
/** Samples of the memory. */
const SAMPLES = 100
/** In so many requests everything that a world may gather, it gathers again: the sandbox is reset. */
const RESET_EVERY = 10_000
const MOST_GROWTH = 0.1

const SEARCH = '/api/files/v1/filesets'
const SCHEDULES = '/api/content/v1/reportschedules'

interface Request {
  readonly method: string
  readonly path: string
  readonly body?: string
  readonly key?: string
}

interface Sample {
  readonly requests: number
  readonly seconds: number
  readonly residentMiB: number
}

const child = spawn(
  process.execPath,
  [join(import.meta.dirname, '..', 'src', 'cli.ts'), 'serve', '--port', '0', '--log', 'json'],
  { stdio: ['ignore', 'pipe', 'inherit'] },
)
process.once('exit', () => child.kill())
const url = await addressOf(child)
const control = createControlClient({ url })
const started = performance.now()
const statuses = new Map<number, number>()
const samples: Sample[] = []
let sent = 0
let done = 0
await Promise.all(Array.from({ length: CONNECTIONS }, (_, lane) => run(lane)))
report()

/** The first line of the log tells it; the rest is read and dropped, as a pipe of somebody who does not care would do. */
function addressOf({ stdout }: ChildProcess): Promise<string> {
  return new Promise((resolve) => {
    stdout?.once('data', (line: Buffer) => {
      resolve(/"url":"([^"]+)"/.exec(line.toString())?.[1] ?? '')
      stdout.resume()
    })
  })
}

/** One connection: it sends the next request when it has the answer to the last. */
async function run(lane: number): Promise<void> {
  const lineClient = await openLine(new URL(url))
  let next: string | undefined
  for (let number = sent++; number < REQUESTS; number = sent++) {
    if (number % RESET_EVERY === RESET_EVERY - 1) await arrange()
    const { status, body } = await lineClient.send(requestOf(number, lane, next))
    next = /"next":"([^"]+)"/.exec(body)?.[1]
    statuses.set(status, (statuses.get(status) ?? 0) + 1)
    if (++done % (REQUESTS / SAMPLES) === 0) sample()
  }
  lineClient.close()
}

/** What a tester does now and then, through the control API. */
async function arrange(): Promise<void> {
  await control.verifyJournal({ expectations: [{ match: { status: 200 } }, { walkedEveryPageOnce: true }] })
  await control.advanceClock({ by: 'P30D' })
  await control.exportHar()
  await control.getMetrics()
  await control.reset()
  const { sandboxes } = await control.listSandboxes()
  for (const { name } of sandboxes) if (name !== 'default') await control.deleteSandbox(name)
}

/** Of each kind some: pages, walks, filters never seen before, large pages, creates, updates, refusals, other sandboxes. */
function requestOf(number: number, lane: number, next: string | undefined): Request {
  const search = (query: string, body: unknown, key?: string): Request => ({
    method: 'POST',
    path: `${SEARCH}/demo/files/search?${query}`,
    body: JSON.stringify(body),
    ...(key === undefined ? {} : { key }),
  })
  switch (number % 16) {
    case 0:
    case 1:
      return search('limit=10', {})
    case 2:
    case 3:
      return search(next === undefined ? 'limit=50' : `limit=50&next=${next}`, {})
    case 4:
      return search('', { filters: [{ field: 'name', operator: 'LIKE', value: [`%${number.toString(36)}%`] }] })
    case 5:
      return search('limit=20', { fieldSort: [{ field: ['size', 'created', 'name'][number % 3], order: 'DESC' }] })
    case 6:
      return search('limit=5', {}, `key@soak-${number % 50}`)
    case 7:
      return number % 160 === 7 ? search('limit=100000', {}) : search('limit=1&directoryPath=finance', {})
    case 8:
    case 9:
      return { method: 'POST', path: SCHEDULES, body: weekly(number) }
    case 10:
    case 11:
      return { method: 'PUT', path: `${SCHEDULES}/${1 + (number % 6)}`, body: `{"title":"Soak ${number}"}` }
    case 12:
      return { method: 'POST', path: SCHEDULES, body: weekly(number), key: `key@soak-${number % 50}` }
    case 13:
      return search('limit=abc', { filters: [{ field: 'nmae', operator: 'LIKE', value: ['x'] }] })
    case 14:
      return { method: 'POST', path: `${SEARCH}/unknown-${number}/files/search`, body: '{}' }
    default:
      return { method: 'POST', path: SCHEDULES, body: `{"title": ${number}` }
  }

  function weekly(title: number): string {
    const schedule = { frequency: 'WEEKLY', daysToRun: 'MON', hourOfDay: lane, minOfHour: 0, timezone: 'Europe/Paris' }
    return JSON.stringify({ title: `Soak ${title}`, pageId: 1, viewId: title, schedule })
  }
}

interface Line {
  send(request: Request): Promise<{ readonly status: number; readonly body: string }>
  close(): void
}

/** A connection that is kept open; Node's own client would take more of the machine than the stand-in does. */
function openLine({ hostname, port, host }: URL): Promise<Line> {
  const socket = connect(Number(port), hostname).setNoDelay()
  let received = ''
  let answer: ((text: string) => void) | undefined
  socket.setEncoding('latin1').on('data', (chunk: string) => {
    received += chunk
    if (!isWhole(received)) return
    const text = received
    received = ''
    answer?.(text)
  })
  const send = ({ method, path, body = '', key = 'soak' }: Request) =>
    new Promise<{ status: number; body: string }>((resolve) => {
      answer = (text) => resolve({ status: Number(text.slice(9, 12)), body: text.slice(-2000) })
      const head = `${method} ${path} HTTP/1.1\r\nHost: ${host}\r\nX-SERVICE-Developer-Token: ${key}\r\nContent-Type: application/json\r\n`
      socket.write(`${head}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`)
    })
  return new Promise((resolve, reject) => {
    socket.once('error', reject).once('connect', () => resolve({ send, close: () => socket.destroy() }))
  })
}

function isWhole(text: string): boolean {
  const end = text.indexOf('\r\n\r\n')
  if (end < 0) return false
  const length = /\r\ncontent-length: (\d+)/i.exec(text.slice(0, end))?.[1]
  return length === undefined ? text.endsWith('\r\n0\r\n\r\n') : text.length >= end + 4 + Number(length)
}

function sample(): void {
  const status = readFileSync(`/proc/${child.pid ?? 0}/status`, 'latin1')
  const residentMiB = Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024)
  const seconds = Math.round((performance.now() - started) / 1000)
  samples.push({ requests: done, seconds, residentMiB })
  if (samples.length % 10 === 0) process.stderr.write(`${done} requests, ${seconds} s, ${residentMiB} MiB\n`)
}

/**
 * The middle of each tenth is compared with that of the second: a single sample tells more of when the engine last collected its
 * garbage than of what is held.
 */
function report(): void {
  const tenths = Array.from({ length: 10 }, (_, tenth) => {
    const memories = samples.slice((tenth * SAMPLES) / 10, ((tenth + 1) * SAMPLES) / 10).map((one) => one.residentMiB)
    return [...memories].sort((a, b) => a - b)[Math.floor(memories.length / 2)] ?? Number.NaN
  })
  const [, second = Number.NaN, ...later] = tenths
  const growth = Number((Math.max(...later) / second - 1).toFixed(3))
  const isFlat = growth <= MOST_GROWTH
  const answers = Object.fromEntries([...statuses].sort(([a], [b]) => a - b))
  console.log(JSON.stringify({ requests: done, answers, medianMiBByTenth: tenths, growth, isFlat, samples }))
  child.kill()
  if (!isFlat || statuses.has(500)) process.exitCode = 1
}
