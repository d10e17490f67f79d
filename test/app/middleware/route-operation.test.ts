import request from 'supertest'
import { expect, onTestFinished, test } from 'vitest'
import { createContractTester, type Json, OWN_KEY } from '../../support/contracts/small-contract.ts'
import { exchangeRaw } from '../../support/raw.ts'

const OK = { responses: { '200': { description: 'ok' } } }

test('Allow lists OPTIONS once, also for a path whose contract documents it', async () => {
  const { standin } = createContractTester({ '/things': { get: OK, options: OK } })
  const refused = await request(standin.app).put('/things').set(OWN_KEY)
  expect([refused.status, refused.headers.allow]).toEqual([405, 'GET, HEAD, OPTIONS'])
  expect((refused.body as { detail: string }).detail).toBe(
    'PUT is not allowed on /things. Allowed: GET, HEAD, OPTIONS.',
  )
})

test('a path without that of the server is told with it', async () => {
  const servers = [{ url: 'https://api.example.com/workshop/api/v2' }]
  const { standin } = createContractTester({ '/things': { get: OK }, '/tins': { get: OK } }, {}, { extra: { servers } })
  const refused = await request(standin.app).get('/things?limit=1').set(OWN_KEY)
  expect((refused.body as { detail: string }).detail).toBe(
    'There is no path /things. Did you mean /workshop/api/v2/things?',
  )
})

const NOTE = { type: 'object', required: ['id'], properties: { id: { type: 'integer' }, text: { type: 'string' } } }
const shows = (schema: Json, type = 'application/json', status = '200') => ({
  responses: { [status]: { description: 'ok', content: { [type]: { schema } } } },
})
const ID = { name: 'id', in: 'path', required: true, schema: { type: 'integer' } }

const PATHS = {
  '/notes': {
    get: shows({ type: 'array', items: NOTE }),
    post: {
      ...shows(NOTE, 'application/json', '201'),
      requestBody: { content: { 'application/json': { schema: NOTE } } },
    },
  },
  '/notes/{id}': { parameters: [ID], get: shows(NOTE) },
  '/weather': { get: shows({ type: 'object', properties: { celsius: { type: 'number' } } }) },
  '/weather.xml': { get: shows({ type: 'object', properties: { celsius: { type: 'number' } } }, 'application/xml') },
  '/weather.png': { get: shows({ type: 'string', format: 'binary' }, 'image/png') },
  '/weather.events': { get: shows({ type: 'object', properties: { data: { type: 'string' } } }, 'text/event-stream') },
  '/nothing': { get: { responses: { '204': { description: 'no content' } } } },
  '/own': {
    get: OK,
    head: { responses: { '204': { description: 'no content', headers: { 'X-Own': { schema: { const: 'yes' } } } } } },
  },
}

/** Of a request: its id, and what is about HEAD alone. */
const OWN_HEADERS = ['x-request-id', 'x-mock-behaviours', 'date', 'connection', 'transfer-encoding']

test.for([
  '/notes',
  '/notes?limit=2',
  '/notes/1',
  '/notes/999',
  '/notes/none',
  '/weather',
  '/weather.xml',
  '/weather.png',
  '/weather.events',
  '/nothing',
  '/openapi.yaml',
  '/openapi.json',
  '/unknown',
  '/__mock/info',
  '/__mock/journal/999',
  '/__mock/openapi.yaml',
  '/__mock/console/',
  '/__mock/health',
])('HEAD of %s has the status and headers of GET, and no body', async (path) => {
  const { standin } = createContractTester(PATHS)
  const get = await request(standin.app).get(path).set(OWN_KEY).buffer()
  const head = await request(standin.app).head(path).set(OWN_KEY)
  const shared = (headers: Readonly<Record<string, string>>) =>
    Object.entries(headers).filter(([name]) => !OWN_HEADERS.includes(name))
  expect(head.status).toBe(get.status)
  expect(shared(head.headers)).toEqual(shared(get.headers))
  expect(head.text).toBeUndefined()
})

test('no byte of a body follows, and the connection stays usable', async () => {
  const { standin } = createContractTester(PATHS)
  onTestFinished(() => standin.stop())
  const url = await standin.start()
  const line = (method: string, more = '') =>
    `${method} /weather HTTP/1.1\r\nHost: localhost\r\nX-Key: k\r\n${more}\r\n`
  const answer = await exchangeRaw(url, line('HEAD') + line('GET', 'Connection: close\r\n'))
  expect(answer).toMatch(/^HTTP\/1\.1 200 OK\r\n[^{]*\r\n\r\nHTTP\/1\.1 200 OK\r\n[^{]*\r\n\r\n\{"celsius":[^}]*\}$/)
})

test('a HEAD that the contract documents comes first', async () => {
  const { standin } = createContractTester(PATHS)
  const head = await request(standin.app).head('/own').set(OWN_KEY)
  expect([head.status, head.headers['x-own']]).toEqual([204, 'yes'])
})

test('HEAD needs the key, meets the faults of its operation, and is allowed for browsers', async () => {
  const { standin, control } = createContractTester(PATHS)
  expect((await request(standin.app).head('/notes')).status).toBe(401)
  await control.armFaults({ kind: 'status', status: 503, times: 1 })
  expect((await request(standin.app).head('/notes').set(OWN_KEY)).status).toBe(503)
  const preflight = await request(standin.app)
    .options('/notes')
    .set({ Origin: 'http://localhost:3000', 'Access-Control-Request-Method': 'HEAD' })
  expect(preflight.headers['access-control-allow-methods']).toBe('GET, HEAD, POST')
})

test('the journal has HEAD without a body, and coverage counts its operation', async () => {
  const { standin, control } = createContractTester(PATHS)
  await request(standin.app).head('/notes').set(OWN_KEY)
  const exchange = await control.getExchange(1)
  expect(exchange).toMatchObject({ request: { method: 'HEAD' }, answer: { status: 200, body: '' } })
  const { operations } = await control.getCoverage()
  expect(operations.filter(({ requests }) => requests > 0)).toMatchObject([{ method: 'GET', path: '/notes' }])
})
