/**
 * What every built copy of Standin must be able to do. `test/package.campaign.test.ts` runs these against the packed package installed in an empty
 * folder, `.ci/run` inside the image. Inside the image there is nothing but Node, so this file imports nothing else.
 */
import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'

/** A copy of Standin to try. */
export interface Copy {
  /** Its command line, such as `node_modules/standin/dist/cli.js`. */
  readonly cli: string
  /** A directory for `--data` that this user may write; it may be missing. */
  readonly data: string
}

const CONTRACT = `
openapi: 3.0.3
info: { title: Shop, version: '1' }
paths:
  /items/{itemId}:
    get:
      operationId: getItem
      parameters:
        - { name: itemId, in: path, required: true, schema: { type: integer } }
        - { name: code, in: query, schema: { type: string, pattern: '^(a+)+$' } }
      responses:
        '200':
          description: The item.
          content: { application/json: { schema: { $ref: '#/components/schemas/Item' } } }
  /uploads:
    post:
      operationId: upload
      requestBody:
        required: true
        content:
          multipart/form-data:
            schema: { type: object, required: [file], properties: { file: { type: string, format: binary } } }
      responses:
        '200':
          description: The size.
          content: { application/json: { schema: { type: object, properties: { size: { type: integer } } } } }
  /greetings/{name}:
    get:
      operationId: greet
      parameters: [{ name: name, in: path, required: true, schema: { type: string, pattern: '^([A-Za-z]+ ?)+$' } }]
      responses:
        '200':
          description: A greeting.
          content: { application/json: { schema: { type: object, properties: { text: { type: string } } } } }
components:
  schemas:
    Item:
      type: object
      required: [name, price]
      properties:
        name: { type: string, minLength: 3 }
        price: { type: number, minimum: 0, exclusiveMinimum: true, maximum: 100 }
        note: { type: string, nullable: true }
`

const HANDLERS = `
import { defineOperation, problem, type OwnOperation } from 'standin'

const greet: OwnOperation = defineOperation('greet', (_world, call) =>
  call.path.name === 'nobody' ? problem(404, 'There is nobody') : { status: 200, body: { text: \`Hello, \${call.path.name}\` } },
)
export default greet
`

const SEARCH = '/api/files/v1/filesets/{fileSetId}/files/search'
const SCHEDULES = '/api/content/v1/reportschedules'
const SCHEDULE = {
  title: 'Weekly sales',
  pageId: 100,
  viewId: 200,
  schedule: { frequency: 'WEEKLY', daysToRun: 'MON', hourOfDay: 8, minOfHour: 30, timezone: 'America/New_York' },
}

/** Each rejects when the copy cannot do it. */
export const features: Readonly<Record<string, (copy: Copy) => Promise<void>>> = {
  'the default contract': (copy) =>
    serving(copy, [], async ({ send, paths }) => {
      expect((await paths('demo')).length, 10)
      expect((await send('POST', SCHEDULES, SCHEDULE)).id, 7)
    }),
  'an OpenAPI 3.0 contract, with generated responses': (copy) =>
    serving(copy, ['--contract', 'shop.yaml'], async ({ send }) => {
      const { name, price } = await send('GET', '/items/1')
      expect([typeof name, typeof price], ['string', 'number'])
    }),
  'the page at /, the console, the API docs and the contract': (copy) =>
    serving(copy, [], async ({ url }) => {
      for (const [path, text] of [
        ['/', 'This is a stand-in for'],
        ['/__mock/', 'Standin console'],
        ['/__mock/docs', 'API docs'],
        ['/openapi.json', '"openapi": "3.1.0"'],
        ['/problems/path-unknown', 'There is no such path'],
        ['/__mock/guide/console.md', '# The console'],
      ] as const) {
        const page = await (await fetch(url + path, { headers: { Accept: 'text/html' } })).text()
        expect([path, page.includes(text)], [path, true])
        for (const [, file = ''] of page.matchAll(/src="\.\/([^"]+\.js)"/g))
          expect([file, (await fetch(`${url}/__mock/${file}`)).status], [file, 200])
      }
    }),
  'the shop of the examples, whose collections remember': (copy) =>
    serving(copy, ['--contract', join(dirname(copy.cli), '../examples/shop/contract.yaml')], async ({ send, log }) => {
      expect(log().includes('13 in 4 collections, 1 action, 1 generated'), true)
      const { id } = await send('POST', '/customers', { name: 'Grace Hopper', email: 'grace@example.com' })
      expect((await send('GET', `/customers/${String(id)}`)).name, 'Grace Hopper')
      const { data } = await send('GET', '/customers?q=hopper')
      expect((data as { id: unknown }[]).map((one) => one.id).includes(id), true)
    }),
  'patterns in linear time, and uploads': (copy) =>
    serving(copy, ['--contract', 'shop.yaml'], async ({ url, send }) => {
      await send('GET', '/items/1?code=aaaa')
      expect((await fetch(`${url}/items/1?code=${'a'.repeat(50)}!`)).status, 400)
      const body = new FormData()
      body.set('file', new Blob(['text']), 'a.txt')
      expect((await fetch(`${url}/uploads`, { method: 'POST', body })).status, 200)
    }),
  'handlers in TypeScript': (copy) =>
    serving(copy, ['--contract', 'shop.yaml', '--handlers', 'handlers.ts'], async ({ send }) => {
      expect(await send('GET', '/greetings/Ann'), { text: 'Hello, Ann' })
    }),
  '--data': async (copy) => {
    const flags = ['--data', copy.data, '--fsync', '--clock', '2026-03-05T14:30:00Z']
    await serving(copy, flags, async ({ send }) => {
      await send('POST', SCHEDULES, SCHEDULE)
    })
    await serving(copy, flags, async ({ send }) => {
      expect((await send('PUT', `${SCHEDULES}/7`, { title: 'Renamed' })).title, 'Renamed')
    })
  },
  '--watch': (copy) =>
    serving(copy, ['--contract', 'shop.yaml', '--watch'], async ({ url, write }) => {
      write('shop.yaml', CONTRACT.replace('/items/{itemId}', '/things/{itemId}'))
      for (let tries = 0; (await fetch(`${url}/things/1`)).status !== 200; tries++) {
        if (tries > 200) throw new Error('the changed contract was not loaded within 10 seconds')
        await wait(50)
      }
    }),
  replay: (copy) =>
    serving(copy, ['--clock', '2026-03-05T14:30:00Z'], async ({ send, paths, write, run }) => {
      await send('POST', SCHEDULES, SCHEDULE)
      await paths('demo')
      write('run.json', JSON.stringify(await send('GET', '/__mock/replay')))
      await run('replay', 'run.json')
    }),
  'calibration, comparison, coverage, contract changes and Pacts': (copy) =>
    serving(copy, ['--behaviour', 'page.last=null'], async ({ url, paths, run }) => {
      await paths('demo')
      const calibrate = ['calibrate', '--target', url, '--key', 'any', '--file-set', 'demo', '--rate', '100']
      const found = await run(...calibrate, '--only', 'page.last,error.bad-escape')
      expect(/1 behaviour differs from the default:\n {2}page\.last +null/.test(found), true)
      const compared = await run('compare', '--url', url, '--target', url, '--requests', 'journal')
      expect(compared.includes('all agree'), true)
      expect((await run('coverage', '--url', url)).includes('searchFiles'), true)
      expect((await run('diff', 'shop.yaml', 'shop.yaml')).includes('nothing changed for clients'), true)
      expect((await run('pact', '--url', url, '--consumer', 'shop')).includes('"interactions"'), true)
    }),
  'import, JSON logs and metrics': (copy) =>
    serving(copy, ['--log', 'json'], async ({ write, run, url, log }) => {
      write('photos/a.txt', 'a')
      expect((await run('import', 'photos')).includes('a.txt'), true)
      expect((await (await fetch(`${url}/__mock/metrics`)).text()).startsWith('# HELP'), true)
      expect((JSON.parse(log().split('\n')[0] ?? '') as { msg: string }).msg, 'started')
    }),
}

interface Serving {
  readonly url: string
  log(): string
  /** Sends JSON and resolves to the body. Rejects for a status that is no success. */
  send(method: string, path: string, body?: unknown): Promise<Record<string, unknown>>
  /** The first ten paths of a file set. */
  paths(fileSet: string): Promise<string[]>
  /** Writes or replaces a file of the working directory, as editors do: under another name first. */
  write(name: string, text: string): void
  /** Runs another command of the same copy and resolves to its standard output. Rejects for any status but 0. */
  run(...args: readonly string[]): Promise<string>
}

/** Serves in an empty working directory, and resolves when the server has stopped by itself after SIGTERM. */
async function serving(copy: Copy, flags: readonly string[], work: (serving: Serving) => Promise<void>): Promise<void> {
  const cwd = mkdtempSync(join(tmpdir(), 'standin-features-'))
  const write = (name: string, text: string) => {
    mkdirSync(dirname(join(cwd, name)), { recursive: true })
    writeFileSync(join(cwd, `${name}.new`), text)
    renameSync(join(cwd, `${name}.new`), join(cwd, name))
  }
  write('shop.yaml', CONTRACT)
  write('handlers.ts', HANDLERS)
  const server = start(copy, cwd, ['serve', '--host', '127.0.0.1', '--port', '0', ...flags])
  try {
    const url = await server.until(/http:\/\/127[\d.:]+/)
    const send = (method: string, path: string, body?: unknown) => sendJson(method, url + path, body)
    const paths = async (fileSet: string) => {
      const page = await send('POST', `${SEARCH.replace('{fileSetId}', fileSet)}?limit=10`, {})
      return (page.files as { path: string }[]).map(({ path }) => path)
    }
    const run = (...args: readonly string[]) => start(copy, cwd, args).ended
    await work({ url, log: server.output, send, paths, write, run })
  } finally {
    server.stop()
    await server.ended.finally(() => rmSync(cwd, { recursive: true }))
  }
}

function start({ cli }: Copy, cwd: string, args: readonly string[]) {
  const child = spawn(process.execPath, [cli, ...args], { cwd, stdio: ['ignore', 'pipe', 'pipe'] })
  let [output, errors] = ['', '']
  child.stderr.setEncoding('utf8').on('data', (text: string) => (errors += text))
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text))
  const ended = new Promise<string>((resolve, reject) => {
    child.once('close', (status, signal) => {
      if (status === 0) resolve(output)
      else reject(new Error(`standin ${args.join(' ')} ended with ${status ?? signal}: ${output}${errors}`))
    })
  })
  // Whoever waits for `ended` gets the error; until then it must not count as unhandled.
  ended.catch(() => undefined)
  const until = (pattern: RegExp) =>
    new Promise<string>((resolve, reject) => {
      const look = () => {
        const found = pattern.exec(output)
        if (found) resolve(found[0])
      }
      child.stdout.on('data', look)
      ended.then(() => reject(new Error(`ended: ${output}`)), reject)
    })
  return { ended, until, output: () => output, stop: () => void child.kill('SIGTERM') }
}

async function sendJson(method: string, url: string, body?: unknown): Promise<Record<string, unknown>> {
  const headers = { 'X-SERVICE-Developer-Token': 'any', 'Content-Type': 'application/json' }
  const response = await fetch(url, { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) })
  const text = await response.text()
  if (!response.ok) throw new Error(`${method} ${url}: ${response.status} ${text}`)
  return JSON.parse(text) as Record<string, unknown>
}

function expect(found: unknown, expected: unknown): void {
  const [one, other] = [found, expected].map((value) => JSON.stringify(value))
  if (one !== other) throw new Error(`expected ${other}, got ${one}`)
}

/** `node features.ts CLI DATA`: tries each and prints its name, `ok` or what was wrong. */
if (import.meta.main) {
  const [cli = '', data = ''] = process.argv.slice(-2)
  for (const [name, feature] of Object.entries(features)) {
    const failure = await feature({ cli, data }).then(() => '', String)
    process.stdout.write(`${failure === '' ? 'ok    ' : 'FAILED'} ${name} ${failure}\n`)
    if (failure !== '') process.exitCode = 1
  }
}
