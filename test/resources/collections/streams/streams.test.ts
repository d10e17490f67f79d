import { createParser, type EventSourceMessage } from 'eventsource-parser'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createStandin, type StandinOptions } from '../../../../src/index.ts'
import { writeContract } from '../../../support/contracts/small-contract.ts'
import { STREAMS } from '../../../support/contracts/streams.ts'

const order = { customer: 'Ann', status: 'placed' }

/** A running server of the shop without orders. */
async function startShop(options: StandinOptions = {}) {
  const standin = createStandin({ contract: writeContract(STREAMS), documents: 0, port: 0, ...options })
  const url = await standin.start()
  onTestFinished(() => standin.stop())
  const send = async (method: string, path: string, sent?: object): Promise<unknown> => {
    const response = await fetch(`${url}${path}`, {
      method,
      headers: { 'content-type': 'application/json' },
      ...(sent && { body: JSON.stringify(sent) }),
    })
    return response.status === 204 ? undefined : response.json()
  }
  return { standin, url, send }
}

/** Reads a response until it has so many parts; `left` resolves with what comes until its end. */
async function listen(url: string, headers: Record<string, string> = {}) {
  const leaving = new AbortController()
  const response = await fetch(url, { headers, signal: leaving.signal })
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader()
  onTestFinished(() => leaving.abort())
  const events: (EventSourceMessage & { value: unknown })[] = []
  const parser = createParser({ onEvent: (event) => events.push({ ...event, value: JSON.parse(event.data) }) })
  return {
    response,
    leave: () => leaving.abort(),
    async text(length: number) {
      let text = ''
      while (text.split('\n').length <= length) text += (await reader.read()).value ?? ''
      return text
    },
    async take(count: number) {
      while (events.length < count) {
        const { value, done } = await reader.read()
        if (done) break
        parser.feed(value)
      }
      return events.splice(0, count)
    },
    async end() {
      for (;;) if ((await reader.read()).done) return
    },
  }
}

describe('a stream of events over a collection', () => {
  test('sends each item that is created or changed, and says that it is a guess', async () => {
    const { url, send } = await startShop()
    const stream = await listen(`${url}/orders/stream`)
    expect(stream.response.headers.get('content-type')).toBe('text/event-stream')
    expect(stream.response.headers.get('x-mock-behaviours')).toContain('streams.changes')
    await send('POST', '/orders', order)
    await send('PATCH', '/orders/1', { status: 'shipped' })
    expect((await stream.take(2)).map(({ value }) => value)).toEqual([
      { id: 1, ...order },
      { id: 1, ...order, status: 'shipped' },
    ])
  })

  test('names events as the schema does, and tells only of the changes that have a name', async () => {
    const { url, send } = await startShop()
    const stream = await listen(`${url}/orders/events`)
    await send('POST', '/orders', order)
    await send('PATCH', '/orders/1', { customer: 'Bob' })
    await send('PATCH', '/orders/1', { status: 'shipped' })
    await send('DELETE', '/orders/1')
    expect((await stream.take(3)).map(({ event, value }) => [event, value])).toEqual([
      ['order.created', { id: 1, ...order }],
      ['order.shipped', { id: 1, customer: 'Bob', status: 'shipped' }],
      ['order.deleted', { id: 1, customer: 'Bob', status: 'shipped' }],
    ])
  })

  test('is about one item below its path, and about each collection whose items its events hold elsewhere', async () => {
    const { url, send } = await startShop()
    await send('POST', '/orders', order)
    await send('POST', '/orders', order)
    const second = await listen(`${url}/orders/2/events`)
    const all = await listen(`${url}/events`)
    await send('PATCH', '/orders/1', { status: 'shipped' })
    await send('PATCH', '/orders/2', { status: 'shipped' })
    const shipped = (id: number) => ({ type: 'order.updated', order: { id, ...order, status: 'shipped' } })
    expect((await second.take(1)).map(({ value }) => value)).toEqual([shipped(2)])
    expect((await all.take(2)).map(({ value }) => value)).toEqual([shipped(1), shipped(2)])
    expect((await fetch(`${url}/orders/9/events`)).status).toBe(404)
  })

  test('begins with the items where a list is asked for as a stream, and the list stays JSON otherwise', async () => {
    const { url, send } = await startShop()
    await send('POST', '/orders', order)
    const stream = await listen(`${url}/orders`, { accept: 'text/event-stream' })
    await send('POST', '/orders', order)
    expect((await stream.take(2)).map(({ value }) => value)).toEqual([1, 2].map((id) => ({ id, ...order })))
    expect(await send('GET', '/orders')).toHaveLength(2)
  })

  test('continues after Last-Event-ID, and begins with all items where that event is not kept', async () => {
    const { url, send, standin } = await startShop()
    const first = await listen(`${url}/orders/stream`)
    for (let at = 0; at < 3; at++) await send('POST', '/orders', order)
    const [seen, ...missed] = await first.take(3)
    first.leave()
    const again = await listen(`${url}/orders/stream`, { 'Last-Event-ID': seen!.id! })
    expect(await again.take(2)).toEqual(missed)
    const unknown = await listen(`${url}/orders/stream`, { 'Last-Event-ID': 'other' })
    expect((await unknown.take(3)).map(({ value }) => value)).toEqual([1, 2, 3].map((id) => ({ id, ...order })))
    standin.reset()
    await again.end()
    const late = await listen(`${url}/orders/stream`, { 'Last-Event-ID': seen!.id! })
    await send('POST', '/orders', order)
    expect((await late.take(1)).map(({ value }) => value)).toEqual([{ id: 1, ...order }])
  })

  test('sends what time changes, when the clock is moved', async () => {
    const transitions = { status: { placed: [{ to: 'shipped', after: 'P1D' }] } }
    const orders = { ...STREAMS.paths['/orders'], 'x-standin': { transitions } }
    const contract = writeContract({ ...STREAMS, paths: { ...STREAMS.paths, '/orders': orders } })
    const { url, send, standin } = await startShop({ contract })
    await send('POST', '/orders', order)
    const stream = await listen(`${url}/orders/events`)
    await standin.control.advanceClock({ by: 'P2D' })
    expect((await stream.take(1)).map(({ event, value }) => [event, value])).toEqual([
      ['order.shipped', { id: 1, ...order, status: 'shipped' }],
    ])
  })

  test('is refused where 64 are open', async () => {
    const { url } = await startShop()
    const open = await Promise.all(Array.from({ length: 64 }, () => listen(`${url}/orders/stream`)))
    const refused = await fetch(`${url}/orders/stream`)
    expect([refused.status, await refused.text()]).toEqual([409, expect.stringContaining('64 streams are open')])
    open[0]!.leave()
    await expect.poll(async () => (await listen(`${url}/orders/stream`)).response.status).toBe(200)
  })

  test('ends when the server stops, and the journal has it', async () => {
    const { url, send, standin } = await startShop()
    const stream = await listen(`${url}/orders/stream`)
    await send('POST', '/orders', order)
    await stream.take(1)
    await Promise.all([standin.stop(), stream.end()])
    await standin.start()
    const { exchanges } = (await (await fetch(`${standin.url}/__mock/journal`)).json()) as {
      exchanges: { url: string; responseBody?: string }[]
    }
    const found = exchanges.find((one) => JSON.stringify(one).includes('/orders/stream'))
    expect(JSON.stringify(found)).toContain('Ann')
  })

  test('is cut in the middle of an event by a fault', async () => {
    const { url, send, standin } = await startShop()
    await standin.control.armFaults({ kind: 'truncated', events: 1, times: 1, match: { path: '/orders/stream' } })
    const stream = await listen(`${url}/orders/stream`)
    await send('POST', '/orders', order)
    await send('POST', '/orders', order)
    expect((await stream.take(1)).map(({ value }) => value)).toEqual([{ id: 1, ...order }])
    await expect(stream.end()).rejects.toThrow()
  })
})

test('rows of JSON are sent as they come, as lines and as a sequence', async () => {
  const { url, send } = await startShop()
  const lines = await listen(`${url}/orders/changes`)
  const sequence = await listen(`${url}/orders/changes`, { accept: 'application/json-seq' })
  expect([lines, sequence].map(({ response }) => response.headers.get('content-type'))).toEqual([
    'application/x-ndjson',
    'application/json-seq',
  ])
  await send('POST', '/orders', order)
  await send('DELETE', '/orders/1')
  const rows = ['created', 'deleted'].map((change) => ({ type: `order.${change}`, order: { id: 1, ...order } }))
  expect(
    (await lines.text(2))
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as unknown),
  ).toEqual(rows)
  expect(
    (await sequence.text(2))
      .split('\u001e')
      .slice(1)
      .map((line) => JSON.parse(line) as unknown),
  ).toEqual(rows)
})

test('the control API lists what is open in a sandbox, without keys, and ends it', async () => {
  const { standin, url, send } = await startShop()
  const other = await listen(`${url}/orders/events?sandbox=other`, { 'X-Mock-Sandbox': 'other' })
  const one = await listen(`${url}/orders/events?access_token=secret123`)
  await send('POST', '/orders', order)
  await one.take(1)
  const { streams } = await standin.control.listStreams()
  expect(streams).toEqual([
    {
      requestId: one.response.headers.get('x-request-id'),
      operationId: expect.any(String) as string,
      method: 'GET',
      url: expect.stringMatching(/^\/orders\/events\?access_token=(?!secret)/) as string,
      since: expect.stringMatching(/^\d{4}-/) as string,
      sent: 1,
    },
  ])
  expect(await standin.control.endStreams()).toEqual({ removed: 1 })
  await one.end()
  expect((await standin.control.listStreams()).streams).toEqual([])
  expect((await standin.control.in('other').listStreams()).streams).toHaveLength(1)
  other.leave()
})
