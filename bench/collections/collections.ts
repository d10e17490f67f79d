/**
 * `npm run bench -- collections`: selections of 100,000 documents without HTTP (`selections.ts`), and requests to Standin and to
 * json-server that serve the same 10,000 orders.
 */
import { deepStrictEqual } from 'node:assert'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Ask, freePort, send, untilAnswers } from '../frame/ask.ts'
import type { Bench, Run } from '../frame/bench.ts'
import { type Child, startChild } from '../frame/children.ts'
import { compare } from '../frame/compare.ts'
import { ROOT } from '../frame/files.ts'
import { type Loader, startLoader } from '../frame/load.ts'
import { installPeers, PEERS, versionOf } from '../frame/peers.ts'
import type { Table } from '../frame/result.ts'
import { createScratch } from '../frame/scratch.ts'
import { createVersus } from '../frame/versus.ts'
import { NEW_ORDER, type Order, ORDERS_CONTRACT, ordersOf, STATUSES } from './orders.ts'
import { measureSelections } from './selections.ts'

const COUNT = 10_000
const CONNECTIONS = 16
const OURS = 'Standin'
const THEIRS = 'json-server'

export const collections: Bench = {
  about: 'Pages of a collection, and requests to one, by Standin and by json-server over the same documents.',
  run: async (run) => {
    await installPeers(run.progress)
    const loader = startLoader()
    try {
      const requests = await measureRequests(run, loader)
      return {
        tables: [
          ...requests,
          ...requests.map((table) => createVersus(table, OURS, 'Standin, times as fast as')),
          ...(await measureSelections(run)),
        ],
        versions: { 'json-server': versionOf('json-server'), autocannon: versionOf('autocannon') },
        notes: NOTES,
      }
    } finally {
      await loader.child.stop()
    }
  },
}

const NOTES = [
  'Both servers have the same 10,000 orders, Standin from a fixture and json-server from db.json, and are loaded in turn over 16 connections, with fresh servers for each kind of request. Before that, one response of each is compared. Reads and lists ask for other orders and pages with each request.',
  'Standin checks each request against the contract and records it in its journal; json-server writes db.json with each create.',
  'The pages of 100,000 orders are selected without HTTP. The first time an index is made; after a write it is brought up to date.',
]

interface Server {
  readonly name: string
  readonly port: number
  readonly child: Child
}

/** A kind of request. */
interface Kind {
  readonly title: string
  readonly method: 'GET' | 'POST'
  readonly body?: object
  /** Sent in turn. */
  paths(server: string): readonly string[]
  /** What both must answer to the first. @param text the response */
  read(text: string): unknown
}

const KINDS: readonly Kind[] = [
  {
    title: 'read one of 10,000',
    method: 'GET',
    paths: () => Array.from({ length: 100 }, (_, index) => `/orders/${index * 97 + 1}`),
    read: (text) => JSON.parse(text) as unknown,
  },
  {
    title: 'filtered, sorted list of 20',
    method: 'GET',
    paths: (server) =>
      STATUSES.flatMap((status) =>
        Array.from({ length: 10 }, (_, index) =>
          server === OURS
            ? `/orders?status=${status}&sort=-created_at&page=${index + 1}&per_page=20`
            : `/orders?status=${status}&_sort=created_at&_order=desc&_page=${index + 1}&_limit=20`,
        ),
      ),
    read: (text) => JSON.parse(text) as unknown,
  },
  {
    title: 'create',
    method: 'POST',
    body: NEW_ORDER,
    paths: () => ['/orders'],
    // Standin adds the moment.
    read: (text) => ({ ...(JSON.parse(text) as Order), created_at: undefined }),
  },
]

const HEADERS = { 'content-type': 'application/json' }

async function measureRequests(run: Run, loader: Loader): Promise<Table[]> {
  const folder = createScratch()
  const tables: Table[] = []
  for (const kind of KINDS) {
    const servers = await startServers(mkdtempSync(join(folder, 'orders-')))
    try {
      await compareResponses(kind, servers)
      const sample = (server: Server) => async () => {
        const { answered, duration } = await loader.run({
          port: server.port,
          ask: askFor(kind, server),
          paths: kind.paths(server.name),
          connections: CONNECTIONS,
          seconds: run.quick ? 1 : 3,
        })
        return answered / duration
      }
      tables.push(
        await compare({
          title: kind.title,
          unit: 'responses/s',
          better: 'more',
          reference: THEIRS,
          rounds: run.quick ? 2 : 5,
          contenders: Object.fromEntries(servers.map((server) => [server.name, sample(server)])),
          progress: run.progress,
        }),
      )
    } finally {
      for (const { child } of servers) await child.stop()
    }
  }
  return tables
}

async function startServers(folder: string): Promise<Server[]> {
  const orders = ordersOf(COUNT)
  const write = (name: string, value: unknown) => {
    const path = join(folder, name)
    writeFileSync(path, JSON.stringify(value))
    return path
  }
  const contract = write('contract.json', ORDERS_CONTRACT)
  const fixture = write('orders.json', {
    collections: { orders: Object.fromEntries(orders.map((one) => [one.id, one])) },
  })
  const database = write('db.json', { orders })
  const json = join(PEERS, 'node_modules/.bin/json-server')
  return [
    await start(OURS, (port) => [
      ...['dist/cli.js', 'serve', '--log', 'silent', '--contract', contract, '--fixtures', fixture],
      ...['--port', port],
    ]),
    await start(THEIRS, (port) => [
      ...[json, database, '--host', '127.0.0.1', '--quiet', '--snapshots', folder],
      ...['--port', port],
    ]),
  ]
}

async function start(name: string, flags: (port: string) => readonly string[]): Promise<Server> {
  const port = await freePort()
  const child = startChild(process.execPath, flags(String(port)), { cwd: ROOT })
  await untilAnswers(child, port, { method: 'GET', path: '/orders/1', headers: HEADERS })
  return { name, port, child }
}

function askFor({ method, body, paths }: Kind, { name }: Pick<Server, 'name'>): Ask {
  const [path = ''] = paths(name)
  return { method, path, headers: HEADERS, ...(body ? { body: JSON.stringify(body) } : {}) }
}

/** @throws Error when the servers do not answer the same */
async function compareResponses(kind: Kind, servers: readonly Server[]): Promise<void> {
  const answers = []
  for (const server of servers) answers.push((await send(server.port, askFor(kind, server))).text)
  const [ours = '', theirs = ''] = answers
  deepStrictEqual(kind.read(ours), kind.read(theirs), `${kind.title}: the responses differ`)
}
