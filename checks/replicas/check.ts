/**
 * Checks that replicas are linearizable: clients ask three of them in turn, while replicas are killed and stopped, connections are cut and the
 * engine is restarted, and every history is checked against the stream (witness.ts).
 *
 *     scripts/install-redis.sh && npm run build && node checks/replicas/check.ts --histories 1000
 *     node checks/replicas/check.ts --planted      the same with a store that does not compare: it must be found in the first ten
 */
import { cpSync, globSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { type Cluster, DISTURBANCES, startCluster } from './cluster.ts'
import { findViolations, type HistoryEvent, type Operation } from './witness.ts'

const { values } = parseArgs({
  options: {
    histories: { type: 'string', default: '100' },
    seed: { type: 'string', default: '1' },
    planted: { type: 'boolean', default: false },
  },
})

const CLIENTS = 5
const OPERATIONS = 12

/** The outcome of a request that got this is not known: it may have been stored. */
const UNKNOWN = new Set([500, 502, 503, 504])

/** Integers from 0 on, by the seed of a history. */
function createRandom(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return Math.floor((state / 4294967296) * below)
  }
}

async function runClient(
  cluster: Cluster,
  sandbox: string,
  client: number,
  random: (below: number) => number,
): Promise<Operation[]> {
  const done: Operation[] = []
  let seen: { tag: string; id: number; name: string } | undefined
  for (let number = 0; number < OPERATIONS; number++) {
    const kind =
      (['create', 'create', 'put', 'put', 'delete', 'get', 'get', 'list', 'list'] as const)[random(9)] ?? 'list'
    const id = kind === 'create' || kind === 'list' ? undefined : 1 + random(6)
    const name = kind === 'create' || kind === 'put' ? `${client}.${number}` : undefined
    const url = `${cluster.urls[random(cluster.urls.length)]}/items${id === undefined ? '' : `/${id}`}`
    const headers: Record<string, string> = { 'content-type': 'application/json', 'x-mock-sandbox': sandbox }
    const demanded = kind === 'put' && random(2) === 0 ? seen : undefined
    if (demanded) headers['if-match'] = demanded.tag
    const method = { list: 'GET', get: 'GET', create: 'POST', put: 'PUT', delete: 'DELETE' }[kind]
    const began = performance.now()
    const init = { method, headers, ...(name === undefined ? {} : { body: JSON.stringify({ name }) }) }
    const asked = { client, kind, id, name, demanded, began }
    try {
      const response = await fetch(url, { ...init, signal: AbortSignal.timeout(15_000) })
      const text = await response.text()
      const status = UNKNOWN.has(response.status) ? 0 : response.status
      const body = text === '' || status >= 400 || status === 0 ? undefined : (JSON.parse(text) as unknown)
      const tag = response.headers.get('etag')
      if (tag !== null) seen = { tag, ...(body as { id: number; name: string }) }
      done.push({
        ...asked,
        ended: performance.now(),
        status,
        requestId: response.headers.get('x-request-id') ?? '',
        event: Number(response.headers.get('x-mock-event')),
        body,
      })
    } catch {
      done.push({ ...asked, ended: performance.now(), status: 0 })
    }
  }
  return done
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
      readFileSync(path, 'utf8').replace(comparison, 'if true then ARGV[2] = tostring(last + ARGV[2] - ARGV[1])'),
    )
  return { cli: join(directory, 'dist/cli.js'), remove: () => rmSync(directory, { recursive: true, force: true }) }
}

const planted = values.planted ? withDefect() : undefined
const histories = values.planted ? 10 : Number(values.histories)
const cluster = await startCluster({
  cli: planted?.cli ?? resolve('dist/cli.js'),
  contract: resolve('checks/replicas/items.yaml'),
  replicas: 3,
})
const counts = { operations: 0, unknown: 0, changes: 0, violations: 0 }
try {
  for (let number = 0; number < histories; number++) {
    const sandbox = `h${number}`
    const what = DISTURBANCES[number % DISTURBANCES.length] ?? 'none'
    const clients = Array.from({ length: 1 + (number % CLIENTS) || CLIENTS }, (_, client) =>
      runClient(cluster, sandbox, client, createRandom(Number(values.seed) * 1_000_003 + number * 31 + client)),
    )
    const disturbed = cluster.disturb(what)
    const operations = (await Promise.all(clients)).flat()
    await disturbed
    const events = await historyOf(cluster, sandbox)
    const violations = events ? findViolations(operations, events) : ['the stream cannot be read']
    counts.operations += operations.length
    counts.unknown += operations.filter(({ status }) => status === 0).length
    counts.changes += operations.filter(
      ({ kind, status }) => kind !== 'list' && kind !== 'get' && status >= 200 && status < 300,
    ).length
    if (violations.length > 0) {
      counts.violations++
      console.log(`history ${number} (${what}, ${clients.length} clients):\n  ${violations.slice(0, 5).join('\n  ')}`)
      if (values.planted) break
    }
    const url = cluster.urls[0] ?? ''
    if (violations.length === 0)
      await fetch(`${url}/__mock/sandboxes/${sandbox}`, { method: 'DELETE' }).catch(() => undefined)
  }
} finally {
  await cluster.stop()
  planted?.remove()
}
console.log(`${histories} histories, ${JSON.stringify(counts)}`)
process.exitCode = values.planted === counts.violations > 0 ? 0 : 1
