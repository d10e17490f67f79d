/**
 * Measures how long a replica takes to start where a sandbox has had many events, and checks that it takes seconds.
 *
 *     scripts/install-redis.sh && npm run check:replica-start [-- --events 100000]
 *
 * The events are replacements of items. Of each thousand one is a request to a replica, which reads the others and stores a snapshot as it always does;
 * the others are appended by the store itself.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { createClient } from '@redis/client'
import { createStandin, type EventStore, openRedisStore, type StoredRecord } from '../../src/index.ts'
import { CLOCK, ended, freePort, isUp, spawnReplica, startEngine } from './cluster.ts'

const { values } = parseArgs({
  options: {
    events: { type: 'string', default: '1000000' },
    items: { type: 'string', default: '1000' },
    starts: { type: 'string', default: '5' },
  },
})
const ITEMS = Number(values.items)
const EVENTS = Number(values.events)
/** Events of which one is a request: somewhat more than those after which a snapshot is due. */
const ROUND = 1010
/** Milliseconds that a start may take, its first response included. */
const MOST = 10_000

const contract = resolve('checks/replicas/items.yaml')
const headers = { 'content-type': 'application/json' }
const directory = mkdtempSync(join(tmpdir(), 'standin-start-'))
const port = await freePort()
const engine = await startEngine(port, directory, 'everysec')
const url = (prefix: string) => `redis://127.0.0.1:${port}?prefix=${prefix}`

/** An event of the stream as it was stored. */
interface StoredEvent {
  readonly events: readonly { readonly id: number; readonly document: object }[]
}

/** Appends a replacement again, for other items. @param from the number of the first event */
async function repeat(store: EventStore, stream: string, record: StoredRecord, from: number): Promise<void> {
  const { events } = record as unknown as StoredEvent
  const [event] = events
  if (!event || events.length > 1) throw new Error(`a replacement is one event: ${JSON.stringify(record)}`)
  const all = Array.from({ length: ROUND - 1 }, async (_, at) => {
    const expected = from + at
    const id = 1 + (expected % ITEMS)
    const document = { ...event.document, id, name: `item ${id} by ${expected}` }
    const records = [{ ...record, number: expected, events: [{ ...event, id, document }] }]
    return store.append(stream, { expected, next: expected + 1, records })
  })
  if (!(await Promise.all(all)).every(Boolean)) throw new Error('the stream has other events')
}

async function makeEvents(): Promise<number> {
  const own = await openRedisStore(url('many'))
  const replica = createStandin({
    contract,
    documents: 0,
    files: 0,
    clock: CLOCK,
    store: await openRedisStore(url('many')),
  })
  const send = async (method: string, path: string, name: string) => {
    const response = await replica.fetch(path, { method, headers, body: JSON.stringify({ name }) })
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`)
    return Number(response.headers.get('x-mock-event'))
  }
  await send('POST', '/items', 'item 1')
  let made = await send('PUT', '/items/1', 'item 1 again')
  const [found] = await own.list()
  const stream = found?.stream ?? ''
  const [replacement] = [...((await own.read(stream, made - 1))?.records ?? [])]
  if (!replacement) throw new Error('the replacement is not in the stream')
  for (let item = 2; item <= ITEMS; item++) made = await send('POST', '/items', `item ${item}`)
  while (made < EVENTS) {
    made = await send('PUT', `/items/${1 + (made % ITEMS)}`, `item by request ${made}`)
    await repeat(own, stream, replacement.value, made)
    made += ROUND - 1
  }
  await replica.stop()
  await own.close()
  return made
}

/** Milliseconds until a new process has listed the items of the sandbox. */
async function start(prefix: string): Promise<number> {
  const began = performance.now()
  const listens = await freePort()
  const child = spawnReplica({ cli: 'dist/cli.js', contract, port: listens, store: url(prefix) })
  try {
    await isUp(`http://127.0.0.1:${listens}`)
    const response = await fetch(`http://127.0.0.1:${listens}/items?limit=1`)
    if (!response.ok) throw new Error(`GET /items: ${response.status} ${await response.text()}`)
    await response.text()
    return performance.now() - began
  } finally {
    await ended(child, 'SIGKILL')
  }
}

function median(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? Number.NaN
}

try {
  const began = performance.now()
  const made = await makeEvents()
  const seconds = (performance.now() - began) / 1000
  const client = createClient({ url: `redis://127.0.0.1:${port}` })
  await client.connect()
  const [log] = await client.keys('{many}:*:log')
  const kept = await client.xLen(log ?? '')
  client.destroy()
  const times = { none: [] as number[], many: [] as number[] }
  for (let round = 0; round < Number(values.starts); round++) {
    times.none.push(await start('none'))
    times.many.push(await start('many'))
  }
  const shown = (numbers: readonly number[]) => `${(median(numbers) / 1000).toFixed(2)} s`
  console.log(
    `${made} events of ${ITEMS} items, made in ${seconds.toFixed(0)} s; the stream keeps ${kept} behind its snapshot. ` +
      `A new replica responds after ${shown(times.many)}, and after ${shown(times.none)} where the store is new (medians of ${values.starts}).`,
  )
  if (kept > 2 * ROUND) console.error(`FAILED: the stream keeps ${kept} events; expected at most ${2 * ROUND}.`)
  if (median(times.many) > MOST)
    console.error(`FAILED: a start takes ${shown(times.many)}; expected ${MOST / 1000} s at most.`)
  process.exitCode = kept <= 2 * ROUND && median(times.many) <= MOST ? 0 : 1
} finally {
  await ended(engine, 'SIGKILL')
  rmSync(directory, { recursive: true, force: true })
}
