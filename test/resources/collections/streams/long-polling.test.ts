import { expect, onTestFinished, test } from 'vitest'
import { createStandin, type StandinOptions } from '../../../../src/index.ts'
import { replayRun } from '../../../app/replay/replay-with-faults.ts'
import { LONG_POLLING } from '../../../support/contracts/long-polling.ts'
import { writeContract } from '../../../support/contracts/small-contract.ts'

/** A running server without items, whose clock stands still. */
async function start(options: StandinOptions = {}) {
  const standin = createStandin({
    contract: writeContract(LONG_POLLING),
    documents: 0,
    clock: '2026-03-01T09:00:00Z',
    port: 0,
    ...options,
  })
  const url = await standin.start()
  onTestFinished(() => standin.stop())
  const send = async (method: string, path: string, body?: object, headers: Record<string, string> = {}) => {
    const response = await fetch(`${url}${path}`, {
      method,
      headers: { 'content-type': 'application/json', ...headers },
      ...(body && { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    const { status } = response
    return { status, headers: response.headers, body: text === '' ? undefined : (JSON.parse(text) as unknown) }
  }
  /** Sends a read that is to wait. `isOver` says whether it has its response, once a request after it has been handled. */
  const wait = (path: string, headers: Record<string, string> = {}) => {
    let isOver = false
    const response = send('GET', path, undefined, headers).finally(() => (isOver = true))
    return {
      response,
      async isOver() {
        for (let turns = 0; turns < 5; turns++) await fetch(`${url}/__mock/health`)
        return isOver
      },
    }
  }
  return { standin, url, send, wait, advance: (by: string) => standin.control.advanceClock({ by }) }
}

test('a list that has nothing waits for the first item, and says that this is a guess', async () => {
  const { send, wait } = await start()
  const waiting = wait('/messages?timeout=30')
  expect(await waiting.isOver()).toBe(false)
  await send('POST', '/messages', { text: 'hello' })
  const { headers, body } = await waiting.response
  expect(body).toEqual([{ id: 1, text: 'hello' }])
  expect(headers.get('x-mock-behaviours')).toContain('streams.wait')
  expect(headers.has('x-mock-ignored')).toBe(false)
})

test('a list after an item responds at once where there are later ones, and waits for those that it asks for', async () => {
  const { send, wait } = await start()
  await send('POST', '/messages', { text: 'first', room: 'a' })
  expect((await send('GET', '/messages?timeout=30')).body).toHaveLength(1)
  const waiting = wait('/messages?since_id=1&room=a&timeout=30')
  await send('POST', '/messages', { text: 'elsewhere', room: 'b' })
  expect(await waiting.isOver()).toBe(false)
  await send('POST', '/messages', { text: 'second', room: 'a' })
  expect((await waiting.response).body).toEqual([{ id: 3, text: 'second', room: 'a' }])
})

test('the wait is over when the clock of the sandbox has come so far', async () => {
  const { wait, advance } = await start()
  const waiting = wait('/messages?timeout=30')
  expect(await waiting.isOver()).toBe(false)
  await advance('PT29S')
  expect(await waiting.isOver()).toBe(false)
  await advance('PT1S')
  const { status, body, headers } = await waiting.response
  expect([status, body, headers.get('date')]).toEqual([200, [], 'Sun, 01 Mar 2026 09:00:30 GMT'])
})

test('the wait is over by the clock of the machine where that of the sandbox stands still, and by one that runs faster', async () => {
  const { send, standin } = await start()
  await send('POST', '/jobs', { status: 'running' })
  expect((await send('GET', '/jobs/1?waitMs=1')).body).toEqual({ id: 1, status: 'running' })
  await standin.control.putClock({ mode: 'running', rate: 1000 })
  expect((await send('GET', '/jobs/1?waitMs=30000')).body).toEqual({ id: 1, status: 'running' })
})

test('one item waits until it changes or is deleted, and not where its status is final', async () => {
  const { send, wait } = await start()
  await send('POST', '/jobs', { status: 'queued' })
  await send('POST', '/jobs', { status: 'queued' })
  const waiting = wait('/jobs/1?waitMs=30000')
  await send('PATCH', '/jobs/2', { status: 'running' })
  expect(await waiting.isOver()).toBe(false)
  await send('PATCH', '/jobs/1', { status: 'succeeded' })
  expect((await waiting.response).body).toEqual({ id: 1, status: 'succeeded' })
  expect((await send('GET', '/jobs/1?waitMs=30000')).body).toEqual({ id: 1, status: 'succeeded' })
  const gone = wait('/jobs/2', { Prefer: 'wait=30' })
  expect(await gone.isOver()).toBe(false)
  await send('DELETE', '/jobs/2')
  expect((await gone.response).status).toBe(404)
})

test('what time changes ends the wait', async () => {
  const transitions = {
    status: { queued: [{ to: 'running', after: 'PT10S' }], running: [], succeeded: [], failed: [] },
  }
  const jobs = { ...LONG_POLLING.paths['/jobs'], 'x-standin': { transitions } }
  const contract = writeContract({ ...LONG_POLLING, paths: { ...LONG_POLLING.paths, '/jobs': jobs } })
  const { send, wait, advance } = await start({ contract })
  await send('POST', '/jobs', { status: 'queued' })
  const waiting = wait('/jobs/1?waitMs=30000')
  await advance('PT10S')
  expect((await waiting.response).body).toEqual({ id: 1, status: 'running' })
  // Nothing follows after it.
  expect((await send('GET', '/jobs/1?waitMs=30000')).status).toBe(200)
})

test('with an ETag it waits for another one, and without one it responds at once', async () => {
  const { send, wait, advance } = await start()
  await send('POST', '/notes', { text: 'a' })
  const first = await send('GET', '/notes/1?wait=30s')
  const tag = { 'If-None-Match': first.headers.get('etag')! }
  const changed = wait('/notes/1?wait=30s', tag)
  expect(await changed.isOver()).toBe(false)
  await send('PATCH', '/notes/1', { text: 'b' })
  const { status, body } = await changed.response
  expect([status, body]).toEqual([200, { id: 1, text: 'b' }])
  expect((await send('GET', '/notes/1?wait=30s', undefined, tag)).status).toBe(200)
  const same = wait('/notes/1?wait=30s', { 'If-None-Match': (await changed.response).headers.get('etag')! })
  await advance('PT30S')
  expect((await same.response).status).toBe(304)
})

test('a version that a header shows is sent back to wait for a later one', async () => {
  const { send, wait } = await start()
  await send('POST', '/services', { name: 'a' })
  const first = await send('GET', '/services?wait=30s')
  const waiting = wait(`/services?wait=30s&index=${first.headers.get('x-registry-index')}`)
  await send('POST', '/messages', { text: 'of another collection' })
  expect(await waiting.isOver()).toBe(false)
  await send('POST', '/services', { name: 'b' })
  const { headers, body } = await waiting.response
  expect(body).toHaveLength(2)
  const [before, after] = [first.headers, headers].map((one) => Number(one.get('x-registry-index')))
  expect(after).toBeGreaterThan(before!)
  const old = await send('GET', `/services?wait=30s&index=${before}`)
  expect(old.body).toHaveLength(2)
})

test('a list whose contract has 204 responds so when there is nothing', async () => {
  const { wait, advance } = await start()
  const waiting = wait('/tasks?wait_seconds=5')
  await advance('PT5S')
  expect((await waiting.response).status).toBe(204)
})

test('a filter and the timeout of other work are no wait, and the check names those that are', async () => {
  const { send, standin } = await start()
  expect((await send('GET', '/rides?max_wait_time=10&timeout=30')).body).toEqual([])
  const { report } = standin as unknown as { report: readonly string[] }
  expect(report.filter((line) => line.includes('waits for something new'))).toEqual([
    'GET /messages: waits for something new, as long as ?timeout says',
    'GET /jobs/{id}: waits for something new, as long as ?waitMs or Prefer: wait says',
    'GET /notes/{id}: waits for something new, as long as ?wait says',
    'GET /services: waits for something new, as long as ?wait says',
    'GET /tasks: waits for something new, as long as ?wait_seconds says',
  ])
})

/** Parameters of a list, and whether they say how long it waits for something new. */
const TAKEN: readonly (readonly [name: string, type: string, description: string, waits: boolean])[] = [
  ['wait', 'string', '', true],
  ['wait_ms', 'integer', '', true],
  ['waitTimeSeconds', 'integer', '', true],
  ['poll_timeout', 'number', '', true],
  ['timeout', 'integer', 'Timeout in seconds for long polling.', true],
  ['timeout', 'integer', 'A timeout in seconds. The request will block for at most this length of time.', true],
  [
    'timeout',
    'integer',
    'The maximum time to wait, in milliseconds. If no events become available, the list is empty.',
    true,
  ],
  ['timeout', 'string', 'Period to wait for a response. If no response is received, the request fails.', false],
  ['timeout', 'integer', '', false],
  ['timeoutSeconds', 'integer', 'This limits the duration of the call, regardless of any activity.', false],
  ['block', 'integer', 'The number of the block.', false],
  ['wait_for', 'string', 'A selector of the page.', false],
  ['await', 'boolean', 'Whether to wait for new notes.', false],
]

test.for(TAKEN)('a parameter %s of %s, described as "%s": %s', async ([name, type, description, waits]) => {
  const parameters = [{ name, in: 'query', schema: { type }, description }]
  const { post } = LONG_POLLING.paths['/notes']
  const { responses } = LONG_POLLING.paths['/tasks'].get
  const paths = { '/notes': { post, get: { parameters, responses } } }
  const { standin } = await start({ contract: { ...LONG_POLLING, paths } })
  const { report } = standin as unknown as { report: readonly string[] }
  expect(report.some((line) => line.includes('waits for something new'))).toBe(waits)
})

test('a reset and a stop of the server end the wait', async () => {
  const { standin, wait } = await start()
  const reset = wait('/messages?timeout=30')
  expect(await reset.isOver()).toBe(false)
  standin.reset()
  expect((await reset.response).body).toEqual([])
  const stopped = wait('/messages?timeout=30')
  expect(await stopped.isOver()).toBe(false)
  await standin.stop()
  expect((await stopped.response).body).toEqual([])
})

test('64 requests may wait, and one that leaves makes room', async () => {
  const { url, send, wait } = await start()
  const leaving = new AbortController()
  const left = fetch(`${url}/messages?timeout=30`, { signal: leaving.signal })
  const all = Array.from({ length: 63 }, () => wait('/messages?timeout=30'))
  expect(await all[0]!.isOver()).toBe(false)
  const refused = await fetch(`${url}/tasks?wait_seconds=1`)
  expect([refused.status, await refused.text()]).toEqual([409, expect.stringContaining('requests wait')])
  leaving.abort()
  await expect(left).rejects.toThrow()
  // It would be refused again while nothing has left.
  await send('POST', '/jobs', { status: 'queued' })
  await expect.poll(async () => (await send('GET', '/jobs/1?waitMs=1')).status).toBe(200)
})

test('a replay passes over a read that waited for a change, and repeats one that waited in vain', async () => {
  const { standin, send, wait } = await start()
  await send('POST', '/jobs', { status: 'queued' })
  expect((await send('GET', '/jobs/1?waitMs=1')).headers.get('x-mock-behaviours')).toContain('streams.wait')
  const waiting = wait('/messages?timeout=30')
  expect(await waiting.isOver()).toBe(false)
  await send('POST', '/messages', { text: 'hello' })
  await waiting.response
  const { exchanges, skipped, difference } = await replayRun(standin.control)
  expect([exchanges, difference]).toEqual([3, undefined])
  expect(skipped).toEqual([expect.stringContaining('the sandbox changed while it waited')])
})
