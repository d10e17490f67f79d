import { request as httpRequest } from 'node:http'
import { networkInterfaces } from 'node:os'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createStandin } from '../../src/index.ts'
import { createControlledTester } from '../support/control.ts'
import { connectTo, searchHead } from '../support/raw.ts'
import { createTester, KEY_HEADER, SEARCH } from '../support/tester.ts'

const HEALTH = '/__mock/health'
const outside = Object.values(networkInterfaces())
  .flat()
  .find((one) => one?.family === 'IPv4' && !one.internal)?.address

describe('GET /__mock/health responds to everyone', () => {
  test.for([
    ['with a token that was not sent', { controlToken: 'correct-horse' }, {}],
    ['with the control API off', { control: false }, {}],
    ['through a proxy', {}, { 'X-Forwarded-For': '203.0.113.9' }],
    ['for another host', {}, { Host: '10.1.2.3:4010' }],
    ['with a key that is not known', { keys: [{ key: 'known' }] }, { [KEY_HEADER]: 'unknown' }],
    ['for a sandbox that is not there', {}, { 'X-Mock-Sandbox': 'other' }],
  ] as const)('%s', async ([, options, headers]) => {
    const response = await createTester(options).request().get(HEALTH).set(headers)
    expect(response.status).toBe(200)
    expect(response.body).toMatchObject({ status: 'ready' })
    expect(response.headers).toMatchObject({ 'cache-control': 'no-store', 'content-type': 'application/json' })
  })

  test.runIf(outside !== undefined)('from another machine', async () => {
    const standin = createStandin({ host: '0.0.0.0', controlToken: 'correct-horse' })
    onTestFinished(() => standin.stop())
    const { port } = new URL(await standin.start())
    const status = await new Promise((resolve, reject) => {
      httpRequest({ host: outside, port, path: HEALTH }, (response) => resolve(response.resume().statusCode))
        .on('error', reject)
        .end()
    })
    expect(status).toBe(200)
  })

  test('a page of this machine may read it, others may not', async () => {
    const ask = async (origin: string) =>
      (await createTester().request().get(HEALTH).set('Origin', origin)).headers['access-control-allow-origin']
    expect(await ask('http://localhost:3000')).toBe('http://localhost:3000')
    expect(await ask('https://evil.example')).toBeUndefined()
  })

  test('HEAD is answered without a body, other methods are refused', async () => {
    const { request } = createTester()
    const head = await request().head(HEALTH)
    const { text } = await request().get(HEALTH)
    expect([head.status, head.headers['content-length'], head.text]).toEqual([200, String(text.length), undefined])
    expect((await request().post(HEALTH)).status).toBe(405)
  })
})

test('health checks leave no trace: no sandbox, no journal, no count, no rate limit', async () => {
  const { control, request } = createControlledTester({ behaviours: { 'rate.limit': '1 per 60' } })
  for (let count = 0; count < 5; count++)
    expect((await request().get(`${HEALTH}?sandbox=new`).set('X-Mock-Sandbox', 'new')).status).toBe(200)
  expect((await control.listSandboxes()).sandboxes).toHaveLength(1)
  expect((await control.listExchanges()).exchanges).toEqual([])
  expect(await control.getMetrics()).not.toMatch(/^standin_requests_total\{/m)
})

test('it is stopping while the last requests are answered', async () => {
  const standin = createStandin()
  const url = await standin.start()
  const slow = await connectTo(url)
  slow.send(searchHead({ 'Content-Length': 2 }, '?limit=1'))
  const kept = await connectTo(url)
  const ask = `GET ${HEALTH} HTTP/1.1\r\nHost: localhost\r\n\r\n`
  kept.send(ask)
  await kept.until(/"ready"/)
  kept.send(ask)
  const stopped = standin.stop()
  slow.send('{}')
  expect(await kept.closed).toMatch(/HTTP\/1\.1 503 Service Unavailable\r\n[^]*\{"status":"stopping"\}$/)
  expect(await slow.closed).toMatch(/^HTTP\/1\.1 200 /)
  await stopped
})

test('preflights are no exchanges: they are counted apart, and neither journaled nor verified', async () => {
  const { control, request, search } = createControlledTester()
  const asks = { Origin: 'http://localhost:5173', 'Access-Control-Request-Method': 'POST' }
  for (const path of [`${SEARCH}/demo/files/search`, '/nowhere']) await request().options(path).set(asks)
  await request().options(`${SEARCH}/demo/files/search`)
  await search({ set: 'demo' })
  const { exchanges } = await control.listExchanges()
  expect(exchanges.map(({ request: { method } }) => method)).toEqual(['OPTIONS', 'POST'])
  expect((await control.verifyJournal({ expectations: [{ match: {}, exactly: 2 }] })).passed).toBe(true)
  const metrics = await control.getMetrics()
  expect(metrics).toContain('standin_preflights_total{status="204"} 1\n')
  expect(metrics).toContain('standin_preflights_total{status="404"} 1\n')
  expect(metrics).toContain('standin_requests_total{operation="none",status="204"} 1\n')
  expect((await control.exportHar()).log.entries).toHaveLength(2)
})
