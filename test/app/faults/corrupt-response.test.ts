import { afterEach, expect, test } from 'vitest'
import {
  type ControlClient,
  createControlClient,
  createStandin,
  type FaultRequest,
  type Standin,
} from '../../../src/index.ts'
import { bodyOf, connectTo, exchangeRaw, searchHead } from '../../support/raw.ts'
import { KEY_HEADER, SCHEDULES, SEARCH, weekly } from '../../support/tester.ts'

interface Listening {
  readonly url: string
  readonly control: ControlClient
  readonly standin: Standin
}

let running: Standin | undefined

afterEach(async () => {
  await running?.stop()
  running = undefined
})

/** A server on a port, with faults. */
async function listen(...faults: readonly FaultRequest[]): Promise<Listening> {
  const standin = createStandin({ clock: '2026-03-05T14:30:00Z' })
  running = standin
  const url = await standin.start()
  const control = createControlClient({ url })
  for (const fault of faults) await control.armFaults(fault)
  return { url, control, standin }
}

const BODY = '{}'
const HEAD = { 'Content-Length': BODY.length }
/** A search whose connection is to be closed by the server after the answer. */
const SEARCHED = searchHead({ ...HEAD, Connection: 'close' }, '?limit=20') + BODY
const KEPT = searchHead(HEAD, '?limit=20') + BODY
const BY_BROWSER = searchHead({ ...HEAD, 'User-Agent': 'Mozilla/5.0 (X11; Linux x86_64)' }, '?limit=20') + BODY

const post = (url: string, path: string, body: unknown, headers: Readonly<Record<string, string>> = {}) =>
  fetch(url + path, {
    method: 'POST',
    headers: { [KEY_HEADER]: 'key', 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })
const searchOf = `${SEARCH}/demo/files/search`

/** What the search answers when nothing disturbs it. */
async function undisturbed(): Promise<string> {
  const { url, standin } = await listen()
  const text = await exchangeRaw(url, SEARCHED)
  await standin.stop()
  return bodyOf(text)
}

test('a connection is reset: the client sees ECONNRESET and not a byte, and nothing was stored', async () => {
  const { url, control } = await listen({ kind: 'reset', times: 1 })
  const client = await connectTo(url)
  const error = new Promise<NodeJS.ErrnoException>((resolve) => client.socket.once('error', resolve))
  client.send(KEPT)
  expect((await error).code).toBe('ECONNRESET')
  expect(await client.closed).toBe('')
  expect(await control.getFault('reset-1')).toMatchObject({ struck: 1 })
  expect((await post(url, searchOf, {})).status).toBe(200)
})

test('an empty answer closes the connection in order, without a byte', async () => {
  const { url, control } = await listen({ kind: 'empty' })
  const client = await connectTo(url)
  let failed = false
  client.socket.once('error', () => (failed = true))
  client.send(KEPT)
  expect(await client.closed).toBe('')
  expect(failed).toBe(false)
  await expect(post(url, SCHEDULES, weekly())).rejects.toThrow('fetch failed')
  expect((await control.listReportSchedules()).reportSchedules).toHaveLength(6)
})

test.for([
  [undefined, (length: number) => Math.floor(length / 2)],
  [100, () => 100],
  [0, () => 0],
  [1_000_000, (length: number) => length - 1],
] as const)('an answer is cut after %j bytes of a body whose headers promise more', async ([bytes, expected]) => {
  const whole = await undisturbed()
  const { url } = await listen({ kind: 'truncated', ...(bytes === undefined ? {} : { bytes }) })
  const text = await exchangeRaw(url, KEPT)
  expect(text).toMatch(new RegExp(`^HTTP/1.1 200 OK\r\n[^]*content-length: ${whole.length}\r\n`, 'i'))
  const [, body = ''] = text.split('\r\n\r\n')
  expect(body).toBe(whole.slice(0, expected(whole.length)))
})

test('a streamed page is cut in its middle', async () => {
  const { url, control } = await listen({ kind: 'truncated', bytes: 200_000, times: 1 }, { kind: 'truncated' })
  await control.createFileSet({ id: 'large', generate: 3000 })
  const head = searchHead(HEAD, '?limit=5000', 'large') + BODY
  const text = await exchangeRaw(url, head)
  expect(text).toMatch(/transfer-encoding: chunked/i)
  expect(text).not.toMatch(/\r\n0\r\n\r\n$/)
  expect(text.length).toBeGreaterThan(200_000)
  expect(text.length).toBeLessThan(202_000)
  const half = await exchangeRaw(url, head)
  expect(half.length).toBeLessThan(40_000)
})

test('garbage takes the place of the body, or of the whole answer, and comes from the seed', async () => {
  const garbageOf = async (of: 'body' | 'answer') => {
    const { url, standin } = await listen({ kind: 'garbage', bytes: 300, of })
    const texts = [await exchangeRaw(url, SEARCHED), await exchangeRaw(url, SEARCHED)]
    await standin.stop()
    return texts
  }
  const [body = '', second = ''] = await garbageOf('body')
  expect(body).toMatch(/^HTTP\/1.1 200 OK\r\n[^]*content-length: 300\r\n/i)
  expect(bodyOf(body)).toHaveLength(300)
  expect(() => JSON.parse(bodyOf(body)) as unknown).toThrow(SyntaxError)
  expect(bodyOf(second)).not.toBe(bodyOf(body))
  expect((await garbageOf('body')).map(bodyOf)).toEqual([bodyOf(body), bodyOf(second)])
  const [answer = ''] = await garbageOf('answer')
  expect(answer).toHaveLength(300)
  expect(answer.startsWith('HTTP')).toBe(false)
})

test('a body drips in pieces over a time, and arrives whole', async () => {
  const whole = await undisturbed()
  const { url } = await listen({ kind: 'slow-drip', pieces: 5, milliseconds: 400 })
  const client = await connectTo(url)
  let chunks = 0
  client.socket.on('data', () => chunks++)
  const began = performance.now()
  client.send(SEARCHED)
  expect(bodyOf(await client.closed)).toBe(whole)
  expect(performance.now() - began).toBeGreaterThan(380)
  expect(chunks).toBeGreaterThan(3)
})

test('a refusal is spoiled like any other answer', async () => {
  const { url } = await listen({ kind: 'truncated', bytes: 10 })
  const text = await exchangeRaw(url, searchHead(HEAD, '?limit=0') + BODY)
  expect(text).toMatch(/^HTTP\/1.1 400 /)
  expect(text.split('\r\n\r\n')[1]).toBe('{"type":"/')
})

test.for([['reset'], ['empty']] as const)(
  'a create is stored and its answer lost by %s, so that a careless second try makes two',
  async ([by]) => {
    const { url, control } = await listen({ kind: 'lost-answer', by, times: 1 })
    expect((await post(url, searchOf, {})).status).toBe(200)
    await expect(post(url, SCHEDULES, weekly())).rejects.toThrow('fetch failed')
    expect((await post(url, SCHEDULES, weekly())).status).toBe(200)
    const { reportSchedules } = await control.listReportSchedules()
    expect(reportSchedules.map(({ title }) => title).slice(6)).toEqual(['Weekly sales', 'Weekly sales'])
    expect(await control.getFault('lost-answer-1')).toMatchObject({ matched: 1, struck: 1 })
  },
)

test('a create is stored and a gateway gives up', async () => {
  const { url, control } = await listen({ kind: 'lost-answer', by: 'gateway-timeout' })
  const response = await post(url, SCHEDULES, weekly())
  expect(response.status).toBe(504)
  expect(response.headers.get('x-mock-fault')).toBe('lost-answer-1')
  expect((await control.listReportSchedules()).reportSchedules).toHaveLength(7)
})

test('delays add up, take real time, and leave the clock alone', async () => {
  const { url, control } = await listen(
    { kind: 'latency', delay: { milliseconds: 150 } },
    { kind: 'latency', delay: { from: 100, to: 120 } },
    { kind: 'latency', delay: { median: 50, sigma: 0 } },
  )
  const began = performance.now()
  expect((await post(url, searchOf, {})).headers.get('x-mock-fault')).toBe('latency-1, latency-2, latency-3')
  const took = performance.now() - began
  expect(took).toBeGreaterThan(295)
  expect(await control.getClock()).toMatchObject({ now: '2026-03-05T14:30:00.000Z' })
})

test('a request that waits sees the state after the wait', async () => {
  const { url, control } = await listen({ kind: 'latency', delay: { milliseconds: 1500 }, times: 1 })
  const slow = post(url, SCHEDULES, weekly())
  await expect.poll(async () => (await control.getFault('latency-1')).struck).toBe(1)
  expect(await (await post(url, SCHEDULES, weekly({ title: 'Quick' }))).json()).toMatchObject({ id: 7 })
  await control.advanceClock({ by: 'P7D' })
  const late = await slow
  expect(late.headers.get('date')).toBe('Thu, 12 Mar 2026 14:30:00 GMT')
  expect(await late.json()).toMatchObject({
    id: 8,
    schedule: { nextRunDate: Date.parse('2026-03-16T12:30:00Z') },
  })
  expect(await control.getReportSchedule(8)).toMatchObject({ written: '2026-03-12T14:30:00.000Z' })
})

test('a client that leaves ends the wait, and its request is decided all the same', async () => {
  const { url, control } = await listen({ kind: 'latency', delay: { milliseconds: 50_000 } })
  const leaving = new AbortController()
  const sent = fetch(url + SCHEDULES, {
    method: 'POST',
    headers: { [KEY_HEADER]: 'key', 'Content-Type': 'application/json' },
    body: JSON.stringify(weekly()),
    signal: leaving.signal,
  })
  await expect.poll(async () => (await control.getFault('latency-1')).struck).toBe(1)
  leaving.abort()
  await expect(sent).rejects.toThrow()
  await expect.poll(async () => (await control.listReportSchedules()).reportSchedules.length).toBe(7)
})

test.for<readonly [string, FaultRequest]>([
  ['that waits', { kind: 'latency', delay: { milliseconds: 50_000 } }],
  ['that drips', { kind: 'slow-drip', pieces: 10, milliseconds: 50_000 }],
])('a stop does not wait for an exchange %s', async ([, fault]) => {
  const { url, control, standin } = await listen(fault)
  const client = await connectTo(url)
  client.send(KEPT)
  await expect.poll(async () => (await control.listFaults()).faults[0]?.struck).toBe(1)
  const began = performance.now()
  await standin.stop()
  expect(performance.now() - began).toBeLessThan(5000)
  await client.closed
})

test.for([['reset'], ['empty']] as const)(
  'the same bytes of a browser again on another connection within 100 ms are the same strike of %s',
  async ([kind]) => {
    const { url, control } = await listen({ kind, after: 1, times: 1 })
    const [kept, second, third] = [await connectTo(url), await connectTo(url), await connectTo(url)]
    kept.send(BY_BROWSER)
    await kept.until(/"pageContext"/)
    kept.send(BY_BROWSER)
    await kept.closed
    // As Chromium does.
    second.send(BY_BROWSER)
    expect(await second.closed).toBe('')
    // And then the page.
    third.send(BY_BROWSER)
    await third.until(/^HTTP\/1.1 200 /)
    expect(await control.getFault(`${kind}-1`)).toMatchObject({ matched: 2, struck: 1 })
    const { exchanges } = await control.listExchanges()
    expect(exchanges.map(({ fault, repeats, answer }) => [fault, repeats, answer?.status])).toEqual([
      [null, undefined, 200],
      [kind, undefined, undefined],
      [kind, 2, undefined],
      [null, undefined, 200],
    ])
  },
)

test('a program that sends a request again at once meets a fault that strikes once no second time', async () => {
  const { url } = await listen({ kind: 'reset', after: 1, times: 1 })
  const [kept, next] = [await connectTo(url), await connectTo(url)]
  kept.send(KEPT)
  await kept.until(/"pageContext"/)
  kept.send(KEPT)
  await kept.closed
  next.send(KEPT)
  await next.until(/^HTTP\/1.1 200 /)
})

test('a request that was reset on a fresh connection, or is sent again later, meets its faults as any other', async () => {
  const { url, control } = await listen({ kind: 'reset', times: 1 })
  const [fresh, next] = [await connectTo(url), await connectTo(url)]
  fresh.send(BY_BROWSER)
  await fresh.closed
  next.send(BY_BROWSER)
  await next.until(/^HTTP\/1.1 200 /)
  expect((await control.listExchanges()).exchanges.map(({ repeats }) => repeats)).toEqual([undefined, undefined])
})
