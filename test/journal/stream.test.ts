import { expect, onTestFinished, test } from 'vitest'
import { connectTo, searchHead } from '../support/raw.ts'
import { KEY_HEADER, SCHEDULES, weekly } from '../support/tester.ts'
import { type ControlClient, createControlClient, createStandin, type StreamEvent } from '../../src/index.ts'
import { longTest } from '../support/cases.ts'

const FROZEN = { clock: '2026-03-05T14:30:00Z' }
const HEADERS = { [KEY_HEADER]: 'a-very-secret-key', 'Content-Type': 'application/json' }

interface Started {
  readonly url: string
  readonly control: ControlClient
  stop(): Promise<void>
  create(parts?: Readonly<Record<string, unknown>>): Promise<unknown>
}

async function start(options = {}): Promise<Started> {
  const standin = createStandin({ ...FROZEN, ...options })
  const url = await standin.start()
  onTestFinished(() => standin.stop())
  const create = (parts = {}) =>
    fetch(url + SCHEDULES, { method: 'POST', headers: HEADERS, body: JSON.stringify(weekly(parts)) })
  return { url, control: createControlClient({ url }), stop: () => standin.stop(), create }
}

/** Listens until so many events came, or until the stream ends. */
function listen(control: ControlClient, count: number, lastEventId?: string) {
  const events: StreamEvent[] = []
  const { promise: isOpen, resolve: open } = Promise.withResolvers<undefined>()
  const stopped = new AbortController()
  const ended = (async () => {
    const stream = control.openStream({ signal: stopped.signal, ...(lastEventId === undefined ? {} : { lastEventId }) })
    const iterator = stream[Symbol.asyncIterator]()
    let next = iterator.next()
    open(undefined)
    for (let one = await next; !one.done; one = await next) {
      events.push(one.value)
      if (events.length >= count) break
      next = iterator.next()
    }
    stopped.abort()
    return events
  })()
  return { isOpen, ended }
}

/** More than are remembered. */
const MANY = 4160

/** Sends many requests at once over one connection, and waits for all answers. */
async function flood(url: string, count: number, request = NOWHERE): Promise<void> {
  const client = await connectTo(url)
  client.send(request.repeat(count) + NOWHERE.replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n'))
  await client.closed
}

const NOWHERE = 'GET /nowhere HTTP/1.1\r\nHost: localhost\r\n\r\n'

/** Resolves when a stream is really open: the control API counts it. */
async function untilOpen(control: ControlClient, streams = 1): Promise<void> {
  while (!(await control.getMetrics()).includes(`standin_stream_listeners ${streams}\n`));
}

test('exchanges, changes, runs and deliveries are streamed as they happen', async () => {
  const { control, create } = await start()
  const { ended } = listen(control, 8)
  await untilOpen(control)
  await create({ title: 'Told' })
  await control.addFiles(
    'empty',
    Array.from({ length: 30 }, (_, index) => ({ path: `f${index}` })),
  )
  await control.deleteReportSchedule(1)
  for (const id of [2, 3, 4, 5, 6]) await control.deleteReportSchedule(id)
  const events = await ended
  expect(events.map(({ event }) => event)).toEqual(['state', 'exchange', ...Array<string>(6).fill('state')])
  expect(events[0]?.data).toMatchObject({ type: 'report-schedule.created', reportSchedule: { id: 7, title: 'Told' } })
  expect(events[1]?.data).toEqual((await control.listExchanges()).exchanges[0])
  expect(events[2]?.data).toEqual({
    type: 'files.added',
    fileSetId: 'empty',
    count: 30,
    paths: ['f0', 'f1', 'f2', 'f3', 'f4'],
  })
  expect(events[3]?.data).toEqual({ type: 'report-schedule.removed', scheduleId: 1 })
  expect(JSON.stringify(events)).not.toContain('secret')
})

test('a run is sent before its deliveries, and both before the clock', async () => {
  const { control, create } = await start()
  for (const id of [1, 2, 3, 4, 5, 6]) await control.deleteReportSchedule(id)
  const recipients = [
    { type: 'EMAIL', value: 'jane@example.com' },
    { type: 'USER', value: '12' },
  ]
  await create({ schedule: { ...(weekly().schedule as object), additionalRecipients: recipients } })
  const { ended } = listen(control, 4)
  await untilOpen(control)
  await control.advanceClock({ by: 'P7D' })
  const events = await ended
  const { deliveries } = await control.listDeliveries()
  expect(events.map(({ event }) => event)).toEqual(['run', 'delivery', 'delivery', 'state'])
  expect(events[0]?.data).toMatchObject({ id: 1, scheduleId: 7, timezone: 'America/New_York' })
  expect(events.slice(1, 3).map(({ data }) => data)).toEqual(deliveries)
  expect(events[3]?.data).toMatchObject({ type: 'clock.moved', to: '2026-03-12T14:30:00.000Z', mode: 'frozen' })
})

test('a client that reconnects continues after the last event that it received', async () => {
  const { control, create } = await start()
  const first = listen(control, 2)
  await untilOpen(control)
  await create({ title: 'one' })
  const [, known] = await first.ended
  await untilOpen(control, 0)
  await create({ title: 'two' })
  await create({ title: 'three' })
  const events = await listen(control, 4, known?.id).ended
  expect(events.map(({ event }) => event)).toEqual(['state', 'exchange', 'state', 'exchange'])
  expect(events[0]?.data).toMatchObject({ reportSchedule: { title: 'two' } })
  const numbers = events.map(({ id }) => Number(id.split('-')[1]))
  expect(numbers).toEqual(numbers.map((_, index) => (numbers[0] ?? 0) + index))
})

longTest(
  'events that are no longer kept are shown as a gap, also after a restart',
  async () => {
    const { control, url } = await start()
    const known = (await listenForOne(control, url)).id
    await flood(url, MANY - 1)
    const [gap, next] = await listen(control, 2, known).ended
    expect(gap).toMatchObject({ event: 'gap', data: { missed: MANY - 4096 } })
    // The journal keeps fewer exchanges than happenings are remembered.
    expect(next).toMatchObject({ event: 'exchange', data: { id: MANY + 2 - 1000 } })
    // Another process had this id: everything there is comes after it.
    const [first] = await listen(control, 1, 'abc-4100').ended
    expect(first?.event).toBe('gap')
  },
  60_000,
)

async function listenForOne(control: ControlClient, url: string): Promise<StreamEvent> {
  const { ended } = listen(control, 1)
  await untilOpen(control)
  await (await fetch(`${url}/nowhere`)).text()
  const [event] = await ended
  return event!
}

longTest('a listener that does not keep up is dropped, and the last event says so', { timeout: 60_000 }, async () => {
  const { control, url } = await start({ files: 5000 })
  const client = await connectTo(url)
  client.send('GET /__mock/stream HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n')
  await client.until(/retry: 1000/)
  client.socket.pause()
  // As much as sockets buffer, and then more happenings than are remembered.
  await flood(url, 400, `${searchHead({ 'Content-Length': 2 }, '?limit=140')}{}`)
  await flood(url, MANY - 1)
  client.socket.resume()
  const text = await client.closed
  expect(text).toMatch(/event: end\ndata: \{"reason":"You were too slow[^\n]+\n\n/)
  expect(text.slice(text.indexOf('event: end'))).not.toContain('event: exchange')
  await untilOpen(control, 0)
})

test('a stream ends with its sandbox, and with the server at once', async () => {
  const { control, stop } = await start()
  await control.createSandbox({ name: 'passing' })
  const gone = listen(control.in('passing'), 9)
  await untilOpen(control)
  await control.deleteSandbox('passing')
  expect((await gone.ended).at(-1)).toMatchObject({ event: 'end', data: { reason: 'The sandbox is gone.' } })
  const { ended } = listen(control, 9)
  await untilOpen(control)
  await stop()
  expect((await ended).at(-1)).toMatchObject({ event: 'end', data: { reason: 'The server stops.' } })
})

test('so many may listen, and one more is refused', async () => {
  const { control, url } = await start()
  const stopped = new AbortController()
  const streams = Array.from({ length: 64 }, () => fetch(`${url}/__mock/stream`, { signal: stopped.signal }))
  for (const one of await Promise.all(streams)) expect(one.headers.get('content-type')).toBe('text/event-stream')
  const refused = await fetch(`${url}/__mock/stream`)
  expect([refused.status, ((await refused.json()) as { type: string }).type]).toEqual([
    409,
    '/problems/too-many-listeners',
  ])
  stopped.abort()
  await untilOpen(control, 0)
})

test('HEAD of the stream has its headers and ends', async () => {
  const { url, control } = await start()
  const head = await fetch(`${url}/__mock/stream`, { method: 'HEAD' })
  expect([head.status, head.headers.get('content-type'), await head.text()]).toEqual([200, 'text/event-stream', ''])
  await untilOpen(control, 0)
})
