import { renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createStandin, type StandinOptions } from '../../src/index.ts'
import { createDirectory } from '../support/command.ts'
import { KEY_HEADER, SCHEDULES, SEARCH, weekly } from '../support/tester.ts'

const FROZEN = { clock: '2026-03-05T14:30:00Z' }
const HEADERS = { [KEY_HEADER]: 'any', 'Content-Type': 'application/json' }
const search = (body: unknown = {}): RequestInit => ({ method: 'POST', headers: HEADERS, body: JSON.stringify(body) })
const DEMO = `${SEARCH}/demo/files/search`

interface Page {
  readonly files: readonly object[]
}

test('a request is answered without a port, from a path, an address or a Request', async () => {
  const standin = createStandin(FROZEN)
  const requests = [`${DEMO}?limit=2`, new URL(`http://localhost${DEMO}?limit=2`)]
  const texts = await Promise.all(requests.map(async (input) => (await standin.fetch(input, search())).text()))
  const response = await standin.fetch(new Request(`http://localhost${DEMO}?limit=2`, search()))
  expect(response.url).toBe(`http://localhost${DEMO}?limit=2`)
  expect(new Set([...texts, await response.text()]).size).toBe(1)
  expect((JSON.parse(texts[0] ?? '') as Page).files).toHaveLength(2)
  expect(standin.url).toBeUndefined()
})

test('responses are those that a socket would bring, headers included', async () => {
  const requests: [string, RequestInit][] = [
    [`${DEMO}?limit=3`, search({ fieldSort: [{ field: 'name', order: 'DESC' }] })],
    [`${DEMO}?limit=3`, { ...search(), headers: { 'Content-Type': 'application/json' } }],
    [SCHEDULES, { ...search(weekly()) }],
    [SCHEDULES, { ...search(weekly({ title: '' })) }],
    [SCHEDULES, { method: 'OPTIONS', headers: { Origin: 'http://localhost:3000' } }],
    [SCHEDULES, { method: 'HEAD', headers: HEADERS }],
    [DEMO, search('é'.repeat(100_000))],
    ['/nowhere', {}],
    ['/__mock/health', {}],
  ]
  const [here, there] = [createStandin(FROZEN), createStandin(FROZEN)]
  const url = await there.start()
  for (const [path, init] of requests) {
    const [one, other] = [await here.fetch(path, init), await fetch(url + path, init)]
    expect([one.status, one.statusText, await one.text()]).toEqual([other.status, other.statusText, await other.text()])
    expect(headersOf(one), path).toEqual(headersOf(other))
  }
  await there.stop()
})

/** Without what is about the connection. */
function headersOf({ headers }: Response): Record<string, string> {
  return Object.fromEntries([...headers].filter(([name]) => !['connection', 'keep-alive', 'date'].includes(name)))
}

test('a body can be a stream, and is read as it comes', async () => {
  const standin = createStandin(FROZEN)
  const parts = ['{"filters":[{"field":"name",', '"operator":"LIKE",', '"value":["budget"]}]}']
  const body = new ReadableStream({
    async pull(controller) {
      await new Promise((resolve) => setTimeout(resolve, 1))
      const part = parts.shift()
      if (part === undefined) controller.close()
      else controller.enqueue(new TextEncoder().encode(part))
    },
  })
  const response = await standin.fetch(DEMO, { ...search(), body, duplex: 'half' })
  expect([response.status, ((await response.json()) as Page).files.length]).toEqual([200, 12])
})

test('a body whose source fails rejects with its error', async () => {
  const body = new ReadableStream({ pull: () => Promise.reject(new Error('the disk is gone')) })
  const sent = createStandin(FROZEN).fetch(DEMO, { ...search(), body, duplex: 'half' })
  await expect(sent).rejects.toMatchObject({ message: 'fetch failed', cause: { message: 'the disk is gone' } })
})

test.for([
  ['reset', 'ECONNRESET'],
  ['empty', 'ECONNRESET'],
] as const)('the fault %s breaks the connection, as it would on a network', async ([kind, code]) => {
  const standin = createStandin(FROZEN)
  await standin.control.armFaults({ kind, times: 1 })
  const failed = standin.fetch(DEMO, search())
  await expect(failed).rejects.toBeInstanceOf(TypeError)
  await expect(failed).rejects.toMatchObject({ message: 'fetch failed', cause: { code } })
  expect((await standin.fetch(DEMO, search())).status).toBe(200)
})

test('the fault truncated brings a part of the body, then the error that fetch has', async () => {
  const standin = createStandin(FROZEN)
  await standin.control.armFaults({ kind: 'truncated', bytes: 20 })
  const { status, body } = await standin.fetch(DEMO, search())
  const received: number[] = []
  const reading = (async () => {
    for await (const bytes of body!) received.push(...(bytes as Uint8Array))
  })()
  await expect(reading).rejects.toMatchObject({ name: 'TypeError', message: 'terminated' })
  expect([status, received.length]).toEqual([200, 20])
})

test('the fault garbage instead of a response is no response', async () => {
  const standin = createStandin(FROZEN)
  await standin.control.armFaults({ kind: 'garbage', of: 'answer' })
  await expect(standin.fetch(DEMO, search())).rejects.toThrow('fetch failed')
})

test('an aborted request rejects with the reason, before it, during it and while its body is read', async () => {
  const standin = createStandin(FROZEN)
  const reason = new Error('no longer needed')
  await expect(standin.fetch(DEMO, { ...search(), signal: AbortSignal.abort(reason) })).rejects.toBe(reason)

  await standin.control.armFaults({ kind: 'latency', delay: { milliseconds: 55_000 }, times: 1 })
  const during = new AbortController()
  const waiting = standin.fetch(DEMO, { ...search(), signal: during.signal })
  setTimeout(() => during.abort(reason), 20)
  await expect(waiting).rejects.toBe(reason)

  await standin.control.armFaults({ kind: 'slow-drip', milliseconds: 55_000, pieces: 100 })
  const late = new AbortController()
  const response = await standin.fetch(DEMO, { ...search(), signal: late.signal })
  setTimeout(() => late.abort(reason), 20)
  await expect(response.text()).rejects.toBe(reason)
})

test('a reader that leaves ends the exchange', async () => {
  const standin = createStandin(FROZEN)
  await standin.control.armFaults({ kind: 'slow-drip', milliseconds: 55_000, pieces: 100 })
  const { body } = await standin.fetch(DEMO, search())
  await body?.cancel()
  await expect
    .poll(async () => (await standin.control.listExchanges()).exchanges.map(({ id }) => id), { timeout: 5000 })
    .toHaveLength(1)
})

test('any host is accepted, since no web page can call', async () => {
  const standin = createStandin(FROZEN)
  const { status } = await standin.fetch(`https://api.example.com${DEMO}`, search())
  expect(status).toBe(200)
  expect((await standin.fetch('https://api.example.com/__mock/info')).status).toBe(200)
})

test('the control client works without a port, streams included', async () => {
  const { control, fetch } = createStandin(FROZEN)
  await control.in('mine').createSandbox({ name: 'mine' })
  await control.in('mine').advanceClock({ by: 'P14D' })
  expect((await control.in('mine').getClock()).now).toBe('2026-03-19T14:30:00.000Z')
  expect((await control.getClock()).now).toBe('2026-03-05T14:30:00.000Z')
  const leaving = new AbortController()
  const events = control.openStream({ signal: leaving.signal })[Symbol.asyncIterator]()
  const first = events.next()
  let isFollowed = false
  void first.then(() => (isFollowed = true))
  await expect.poll(async () => (await fetch(DEMO, search())).ok && isFollowed).toBe(true)
  expect((await first).value).toMatchObject({ event: 'exchange', data: { operationId: 'searchFiles' } })
  leaving.abort()
  await expect(events.next()).rejects.toThrow('aborted')
})

test('the control client has the token of its own stand-in, and is refused where there is no control API', async () => {
  expect(await createStandin({ controlToken: 'secret-token' }).control.getInfo()).toMatchObject({ name: 'standin' })
  await expect(createStandin({ control: false }).control.getInfo()).rejects.toMatchObject({ status: 404 })
})

test('createStandin reloads files that change, until it is stopped', async () => {
  const directory = createDirectory({ 'files.json': fixture('a.txt') })
  onTestFinished(directory.remove)
  const path = join(directory.path, 'files.json')
  const write = (...paths: string[]) => {
    writeFileSync(`${path}.new`, fixture(...paths))
    renameSync(`${path}.new`, path)
  }
  const options: StandinOptions = { ...FROZEN, fixtures: [path], watch: true }
  const standin = createStandin(options)
  const paths = async () => {
    standin.reset()
    const page = (await (await standin.fetch(`${SEARCH}/tiny/files/search`, search())).json()) as {
      readonly files: readonly { readonly path: string }[]
    }
    return page.files.map((file) => file.path)
  }
  expect(await paths()).toEqual(['a.txt'])
  write('a.txt', 'b.txt')
  await expect.poll(paths, { timeout: 20_000 }).toEqual(['a.txt', 'b.txt'])
  await standin.stop()
})

function fixture(...paths: readonly string[]): string {
  return JSON.stringify({ fileSets: [{ id: 'tiny', files: paths.map((path) => ({ path })) }] })
}
