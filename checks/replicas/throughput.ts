/**
 * Measures what a store costs: one process in memory, one with Redis, and three behind HAProxy, in turn, asked by wrk.
 *
 *     scripts/install-redis.sh && scripts/install-load-tools.sh && npm run bench:replicas -- --rounds 5
 *
 * Prints medians: responses a second and the processor time of each part for a response, with 16 connections; and the median latency with one
 * connection, in slices that alternate between servers that run all the time, so that what else the machine does meets all of them.
 */
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs, promisify } from 'node:util'
import { ended, freePort, isUp, started } from './cluster.ts'

const { values } = parseArgs({
  options: { rounds: { type: 'string', default: '3' }, slices: { type: 'string', default: '15' } },
})
const SECONDS = 2
const REPLICAS = 3
/** Clock ticks of /proc a second. */
const TICKS = 100
const KEY_HEADER = 'X-SERVICE-Developer-Token'

/** What is asked: a share of creates, the rest are searches. */
const WORKS = { search: 0, create: 100, 'mixed 90/10': 10 } as const
const SANDBOXES = [1, 16, 256]

const SCHEDULE = {
  title: 'Weekly sales',
  pageId: 100,
  viewId: 200,
  schedule: { frequency: 'WEEKLY', daysToRun: 'MON', hourOfDay: 8, minOfHour: 30, timezone: 'America/New_York' },
}

/** The program of wrk. */
function luaOf(creates: number, sandboxes: number): string {
  const headers = (at: string) =>
    `{ ['content-type'] = 'application/json', ['${KEY_HEADER}'] = 'key', ['x-mock-sandbox'] = 'box-' .. ${at} }`
  return `local n = 0
request = function()
  n = n + 1
  local headers = ${headers(`(n % ${sandboxes})`)}
  if n % 100 < ${creates} then return wrk.format('POST', '/api/content/v1/reportschedules', headers, '${JSON.stringify(SCHEDULE)}') end
  return wrk.format('POST', '/api/files/v1/filesets/demo/files/search?limit=10', headers, '{}')
end
local threads = {}
setup = function(thread) table.insert(threads, thread) end
done = function(summary, latency)
  io.write(string.format('{"requests":%d,"failed":%d,"microseconds":%d,"median":%d}\\n', summary.requests, summary.errors.status + summary.errors.read + summary.errors.timeout, summary.duration, latency:percentile(50)))
end
`
}

interface Load {
  readonly requests: number
  readonly failed: number
  readonly microseconds: number
  /** Microseconds. */
  readonly median: number
}

interface Target {
  readonly port: number
  readonly parts: Readonly<Record<string, readonly ChildProcess[]>>
  stop(): Promise<void>
}

const directory = mkdtempSync(join(tmpdir(), 'standin-throughput-'))

async function startReplica(
  store: string | undefined,
  flags: readonly string[] = [],
): Promise<{ child: ChildProcess; port: number }> {
  const port = await freePort()
  const args = ['dist/cli.js', 'serve', '--port', String(port), '--log', 'silent', '--files', '200']
  args.push('--max-sandboxes', '1000', ...(store === undefined ? [] : ['--store', store]), ...flags)
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'inherit'] })
  await isUp(`http://127.0.0.1:${port}`)
  return { child, port }
}

async function startRedis(): Promise<{ child: ChildProcess; url: string }> {
  const port = await freePort()
  const fixed = ['--port', String(port), '--bind', '127.0.0.1', '--dir', mkdtempSync(join(directory, 'redis-'))]
  const child = spawn('redis-server', [...fixed, '--save', '', '--appendonly', 'yes', '--appendfsync', 'everysec'])
  return { child: await started(child, 'Ready to accept'), url: `redis://127.0.0.1:${port}` }
}

async function startBalancer(ports: readonly number[]): Promise<{ child: ChildProcess; port: number }> {
  const port = await freePort()
  const path = join(directory, 'haproxy.cfg')
  const servers = ports.map((one, at) => `  server replica${at} 127.0.0.1:${one}`)
  const lines = ['defaults', '  mode http', '  timeout connect 2s', '  timeout client 60s', '  timeout server 60s']
  lines.push('frontend all', `  bind 127.0.0.1:${port}`, '  default_backend replicas')
  lines.push('backend replicas', '  balance roundrobin', ...servers, '')
  writeFileSync(path, lines.join('\n'))
  const child = spawn('haproxy', ['-f', path], { stdio: ['ignore', 'ignore', 'inherit'] })
  await isUp(`http://127.0.0.1:${port}`)
  return { child, port }
}

async function startTarget(kind: string): Promise<Target> {
  if (kind === 'in memory') {
    const { child, port } = await startReplica(undefined)
    return { port, parts: { replicas: [child] }, stop: () => ended(child, 'SIGKILL') }
  }
  const redis = await startRedis()
  const count = kind === 'three replicas' ? REPLICAS : 1
  const flags = kind === SESSION ? ['--consistency', 'session'] : []
  const replicas = []
  for (let made = 0; made < count; made++) replicas.push(await startReplica(redis.url, flags))
  const balancer = count === 1 ? undefined : await startBalancer(replicas.map(({ port }) => port))
  const children = replicas.map(({ child }) => child)
  return {
    port: balancer?.port ?? replicas[0]?.port ?? 0,
    parts: { replicas: children, redis: [redis.child], ...(balancer ? { haproxy: [balancer.child] } : {}) },
    async stop() {
      for (const child of [...children, ...(balancer ? [balancer.child] : []), redis.child])
        await ended(child, 'SIGKILL')
    },
  }
}

/** Microseconds of processor time that processes have used. */
function processorTime(children: readonly ChildProcess[]): number {
  const used = children.map(({ pid }) => {
    const fields = readFileSync(`/proc/${String(pid)}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ')
    return Number(fields[11]) + Number(fields[12])
  })
  return (used.reduce((sum, ticks) => sum + ticks, 0) / TICKS) * 1e6
}

/** Does not block: a Redis that writes its log to a pipe that nobody reads stops after 64 KB. */
async function load({ port }: Target, connections: number, seconds = SECONDS): Promise<Load> {
  const args = ['-t', '1', '-c', String(connections), '-d', `${seconds}s`, '-s', script, `http://127.0.0.1:${port}`]
  const { stdout } = await promisify(execFile)('wrk', args)
  return JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as Load
}

function median(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? Number.NaN
}

const KINDS = ['in memory', 'with --store', 'three replicas']
/** Measured for its latency alone: its client sends nothing back. */
const SESSION = 'with --store and sessions'
const samples = new Map<string, number[]>()
const note = (name: string, value: number) => samples.set(name, [...(samples.get(name) ?? []), value])
const script = join(directory, 'load.lua')

async function measure(kind: string, work: keyof typeof WORKS, sandboxes: number): Promise<void> {
  writeFileSync(script, luaOf(WORKS[work], sandboxes))
  const target = await startTarget(kind)
  try {
    // Sandboxes are made, and the code is compiled.
    await load(target, 16)
    const before = Object.entries(target.parts).map(([part, children]) => [part, processorTime(children)] as const)
    const { requests, failed, microseconds } = await load(target, 16)
    if (failed > 0) console.error(`${kind}, ${work}, ${sandboxes} sandboxes: ${failed} of ${requests} failed`)
    const name = `${work} | ${sandboxes} | ${kind}`
    note(`${name} | responses/s`, requests / (microseconds / 1e6))
    for (const [part, used] of before)
      note(`${name} | µs of ${part}`, (processorTime(target.parts[part] ?? []) - used) / requests)
  } finally {
    await target.stop()
  }
}

/** One connection and one sandbox. */
async function measureLatency(): Promise<void> {
  const targets: (readonly [kind: string, target: Target])[] = []
  try {
    for (const kind of [...KINDS, SESSION]) targets.push([kind, await startTarget(kind)])
    for (const work of ['search', 'create'] as const) {
      writeFileSync(script, luaOf(WORKS[work], 1))
      for (const [, target] of targets) await load(target, 16)
      for (let slice = 0; slice < Number(values.slices); slice++)
        for (const [kind, target] of targets)
          note(`${work} | 1 connection | ${kind} | ms at the median`, (await load(target, 1, 1)).median / 1000)
    }
  } finally {
    for (const [, target] of targets) await target.stop()
  }
}

try {
  await measureLatency()
  for (let round = 0; round < Number(values.rounds); round++)
    for (const work of Object.keys(WORKS) as (keyof typeof WORKS)[])
      for (const sandboxes of SANDBOXES) for (const kind of KINDS) await measure(kind, work, sandboxes)
} finally {
  rmSync(directory, { recursive: true, force: true })
}
for (const [name, numbers] of samples) {
  const all = numbers.map((one) => one.toFixed(2)).join(' ')
  console.log(`${name} | ${median(numbers).toFixed(2)} | ${all}`)
}
