import { request as httpRequest } from 'node:http'
import { networkInterfaces } from 'node:os'
import { expect, test } from 'vitest'
import { createStandin, type StandinOptions } from '../../../src/index.ts'
import { createControlledTester, refusalOf } from '../../support/control.ts'
import { createTester } from '../../support/tester.ts'

const FROZEN = { clock: '2026-03-05T14:30:00Z' }
const TOKEN = 'correct-horse-battery'

async function ask(headers: Record<string, string>, options: StandinOptions = {}, method: 'get' | 'options' = 'get') {
  const { request } = createTester({ ...FROZEN, ...options })
  const response = await request()[method]('/__mock/clock').set(headers)
  const { type, detail } = response.body as { type?: string; detail?: string }
  return { status: response.status, type, detail, headers: response.headers as Record<string, string> }
}

test.for([
  [{ Origin: 'https://evil.example' }, 'page-refused'],
  [{ Origin: 'null' }, 'page-refused'],
  [{ Origin: 'http://localhost.evil.example' }, 'page-refused'],
  [{ Origin: String.raw`http://localhost\.evil.example` }, 'page-refused'],
  [{ 'Sec-Fetch-Site': 'cross-site' }, 'page-refused'],
  [{ Host: 'evil.example' }, 'host-refused'],
  [{ Host: 'localhost.evil.example:4010' }, 'host-refused'],
  [{ 'X-Forwarded-For': '203.0.113.9' }, 'control-local-only'],
  [{ Forwarded: 'for=203.0.113.9' }, 'control-local-only'],
] as const)('refused with 403: a request with %j', async ([headers, slug]) => {
  const answer = await ask(headers)
  expect(answer).toMatchObject({ status: 403, type: `/problems/${slug}` })
  expect(answer.headers).not.toHaveProperty('access-control-allow-origin')
})

test.for([
  [{}],
  [{ Host: 'localhost:4010' }],
  [{ Host: '[::1]:4010' }],
  [{ Host: 'app.localhost' }],
  [{ Origin: 'http://localhost:3000' }],
  [{ Origin: 'http://127.0.0.1:4010', 'Sec-Fetch-Site': 'same-origin' }],
  [{ 'Sec-Fetch-Site': 'none' }],
] as const)('answered: a request with %j', async ([headers]) => {
  expect(await ask(headers)).toMatchObject({ status: 200 })
})

test('what a foreign page sends changes nothing, whatever the method and the media type', async () => {
  const { request, control } = createControlledTester(FROZEN)
  const before = await control.getState()
  for (const path of ['/__mock/reset', '/__mock/clock/advance', '/__mock/sandboxes']) {
    const response = await request()
      .post(path)
      .set({ Origin: 'https://evil.example', 'Content-Type': 'text/plain' })
      .send('{"by":"P1D","name":"x"}')
    expect(response.status).toBe(403)
  }
  expect(await control.getState()).toEqual(before)
  expect((await control.listSandboxes()).sandboxes).toHaveLength(1)
})

test('a page of this machine may send preflights; a foreign one gets no permission', async () => {
  const asking = {
    'Access-Control-Request-Method': 'PUT',
    'Access-Control-Request-Headers': 'content-type,x-mock-sandbox',
  }
  const local = await ask({ ...asking, Origin: 'http://localhost:3000' }, {}, 'options')
  expect(local).toMatchObject({
    status: 204,
    headers: {
      'access-control-allow-origin': 'http://localhost:3000',
      'access-control-allow-methods': 'GET, HEAD, PUT, POST, PATCH, DELETE',
      'access-control-allow-headers': 'content-type,x-mock-sandbox',
    },
  })
  expect(await ask({ ...asking, Origin: 'https://evil.example' }, {}, 'options')).toMatchObject({ status: 403 })
})

test('with a token every client needs it, and may be on another machine', async () => {
  const withToken = { controlToken: TOKEN }
  const missing = await ask({}, withToken)
  expect(missing).toMatchObject({ status: 401, type: '/problems/token-missing' })
  expect(missing.headers['www-authenticate']).toBe('Bearer realm="standin control"')
  for (const sent of [`Bearer ${TOKEN}x`, `Bearer ${TOKEN.slice(1)}`, 'Bearer ', `Basic ${TOKEN}`, TOKEN])
    expect(await ask({ Authorization: sent }, withToken)).toMatchObject({ status: 401 })
  expect(await ask({ Authorization: `Bearer ${TOKEN}x` }, withToken)).toMatchObject({ type: '/problems/token-wrong' })
  const bearing = { Authorization: `Bearer ${TOKEN}` }
  expect(await ask(bearing, withToken)).toMatchObject({ status: 200 })
  expect(await ask({ ...bearing, Host: 'standin.test', 'X-Forwarded-For': '203.0.113.9' }, withToken)).toMatchObject({
    status: 200,
  })
  expect(await ask({ ...bearing, Origin: 'https://app.example.com' }, withToken)).toMatchObject({ status: 403 })
  expect(
    await ask(
      { ...bearing, Origin: 'https://app.example.com' },
      { ...withToken, origins: ['https://app.example.com'] },
    ),
  ).toMatchObject({ status: 200 })
  expect(await ask({ Origin: 'https://app.example.com' }, { origins: ['https://app.example.com'] })).toMatchObject({
    status: 403,
  })
})

test('the typed client sends the token', async () => {
  const { control } = createControlledTester({ ...FROZEN, controlToken: TOKEN })
  expect(await control.getHealth()).toMatchObject({ status: 'ready' })
  expect(await refusalOf(createControlledTester(FROZEN).control.getSandbox('nowhere'))).toMatch('404')
})

test('the host names that are allowed for browsers are allowed here too', async () => {
  expect(await ask({ Host: 'standin.test' }, { hosts: ['standin.test'] })).toMatchObject({ status: 200 })
})

test('--no-control leaves an unknown path of the service', async () => {
  const answer = await ask({}, { control: false })
  expect(answer).toMatchObject({ status: 404, type: '/problems/path-unknown' })
  expect(answer.detail).toMatch('There is no path /__mock/clock')
})

const outside = Object.values(networkInterfaces())
  .flat()
  .find((one) => one?.family === 'IPv4' && !one.internal)?.address

test.runIf(outside !== undefined)('another machine is refused, and served with the token', async () => {
  const from = async (options: StandinOptions, headers: Record<string, string>) => {
    const standin = createStandin({ ...FROZEN, ...options, host: '0.0.0.0' })
    const { port } = new URL(await standin.start())
    // Whoever comes by the machine's outer address is seen under it.
    const status = await new Promise((resolve, reject) => {
      httpRequest(
        { host: outside, port, path: '/__mock/info', headers: { Host: 'localhost', ...headers } },
        (response) => {
          response.resume()
          resolve(response.statusCode)
        },
      )
        .on('error', reject)
        .end()
    })
    await standin.stop()
    return status
  }
  expect(await from({}, {})).toBe(403)
  expect(await from({ controlToken: TOKEN }, { Authorization: `Bearer ${TOKEN}` })).toBe(200)
})
