import { request as httpRequest } from 'node:http'
import { networkInterfaces } from 'node:os'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createStandin, type StandinOptions } from '../../src/index.ts'
import { exchangeRaw, searchHead } from '../support/raw.ts'
import { createTester, KEY_HEADER, SEARCH } from '../support/tester.ts'

const tiny = { fileSets: [{ id: 'tiny', files: [{ path: 'a.txt' }] }] }
const TARGET = `${SEARCH}/tiny/files/search`

async function start(options: StandinOptions = {}): Promise<string> {
  const { standin } = createTester({ fixtures: [tiny], ...options })
  onTestFinished(() => standin.stop())
  return standin.start()
}

/** Status and body of a search for a host, sent by a client that is no browser. */
async function searchFor(url: string, host: string): Promise<{ status: number; text: string }> {
  const text = await exchangeRaw(url, searchHead({ Host: host, 'Content-Length': 0, Connection: 'close' }, '', 'tiny'))
  return { status: Number(text.split(' ')[1]), text }
}

describe('on a loopback address (DNS rebinding)', () => {
  test.for([
    'evil.example',
    'evil.example:4010',
    'localhost.evil.example',
    'notlocalhost',
    '198.51.100.7',
    '[2001:db8::1]',
    'a b',
    '[',
  ])('a request for the host %s is refused from every client', async (host) => {
    const { status, text } = await searchFor(await start(), host)
    expect(status).toBe(403)
    expect(text).toContain('"type":"/problems/host-refused"')
  })

  test.for(['localhost', 'LocalHost:4010', 'localhost.', 'app.localhost', '127.0.0.1', '127.0.0.2:80', '[::1]:4010'])(
    'a request for the host %s is served',
    async (host) => expect(await searchFor(await start(), host)).toMatchObject({ status: 200 }),
  )

  test('a request without a host is served: no browser sends one', async () => {
    const head = searchHead({ 'Content-Length': 0 }, '', 'tiny').replace('HTTP/1.1', 'HTTP/1.0')
    expect(await exchangeRaw(await start(), head.replace('Host: localhost\r\n', ''))).toMatch(/^HTTP\/1\.1 200 /)
  })

  test('the message names the flag and the name to allow', async () => {
    const { text } = await searchFor(await start(), 'standin.test:4010')
    expect(text).toContain('allow it with --allow-host standin.test')
  })

  test('names that are allowed are served, however they are written', async () => {
    const url = await start({ hosts: ['standin.test', 'API.example.com'] })
    for (const host of ['standin.test', 'Standin.Test:4010', 'api.example.com'])
      expect(await searchFor(url, host), host).toMatchObject({ status: 200 })
    expect(await searchFor(url, 'other.test')).toMatchObject({ status: 403 })
  })

  test('a refused request does not create the sandbox that it names', async () => {
    const { standin, request } = createTester({ fixtures: [tiny] })
    await request()
      .post(TARGET)
      .set({ [KEY_HEADER]: 'key', Host: 'evil.example', 'X-Mock-Sandbox': 'made' })
    const listed = await request().get('/__mock/sandboxes')
    expect((listed.body as { sandboxes: unknown[] }).sandboxes).toHaveLength(1)
    expect(standin.url).toBeUndefined()
  })
})

const outside = Object.values(networkInterfaces())
  .flat()
  .find((one) => one?.family === 'IPv4' && !one.internal)?.address

test.runIf(outside !== undefined)('an address of this machine is one of its hosts', async () => {
  expect(await searchFor(await start(), `${outside}:4010`)).toMatchObject({ status: 200 })
})

describe('on all addresses', () => {
  test('any name is served, such as that of a container', async () => {
    const url = await start({ host: '0.0.0.0' })
    expect(await searchFor(url.replace('localhost', '127.0.0.1'), 'standin:4010')).toMatchObject({ status: 200 })
  })

  test.runIf(outside !== undefined)('browsers are still refused under a name that is not allowed', async () => {
    const standin = createStandin({ host: '0.0.0.0' })
    onTestFinished(() => standin.stop())
    const { port } = new URL(await standin.start())
    const status = await new Promise((resolve, reject) => {
      const headers = { Host: 'evil.example', 'Sec-Fetch-Site': 'same-origin' }
      httpRequest({ host: outside, port, path: '/', headers }, (response) => resolve(response.resume().statusCode))
        .on('error', reject)
        .end()
    })
    expect(status).toBe(403)
  })
})

describe('the host of a request (RFC 9112, 3.2)', () => {
  test.for(['localhost', 'other.example'])(
    'two Host lines are refused with 400, the second being %s',
    async (second) => {
      const url = await start()
      for (const target of [TARGET, '/__mock/clock', '/nowhere']) {
        const head = `POST ${target} HTTP/1.1\r\nHost: localhost\r\nHost: ${second}\r\n${KEY_HEADER}: key\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`
        const answer = await exchangeRaw(url, head)
        expect(answer, target).toMatch(/^HTTP\/1\.1 400 /)
        expect(answer, target).toContain('"type":"/problems/host-repeated"')
      }
    },
  )

  test('the host of an absolute-form target wins over the Host header', async () => {
    const url = await start()
    const send = (host: string, header: string) =>
      exchangeRaw(
        url,
        searchHead({ Host: header, 'Content-Length': 0, Connection: 'close' }, '', 'tiny').replace(
          TARGET,
          `http://${host}${TARGET}`,
        ),
      )
    expect(await send('localhost:4010', 'evil.example')).toMatch(/^HTTP\/1\.1 200 /)
    expect(await send('evil.example', 'localhost')).toMatch(/^HTTP\/1\.1 403 /)
    expect(await send('user@evil.example', 'localhost')).toMatch(/^HTTP\/1\.1 403 /)
  })
})
