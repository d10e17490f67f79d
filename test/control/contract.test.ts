import { expect, test } from 'vitest'
import { OPERATIONS } from '../../src/control/client/operations.ts'
import { createResources } from '../../src/app/resources.ts'
import { collectRoutes } from '../../src/control/routes.ts'
import { controlContract, createControlledTester } from '../support/control.ts'

const FROZEN = { clock: '2026-03-05T14:30:00Z' }

test('every operation of the contract has a handler, and the client knows where it lies', () => {
  const inContract = controlContract.operations.map(({ operationId, method, path }) => [operationId, [method, path]])
  expect(Object.fromEntries(inContract)).toEqual(OPERATIONS)
  const routes = collectRoutes(controlContract, createResources())
  expect([...routes.keys()].sort()).toEqual(Object.keys(OPERATIONS).sort())
})

test('it is ready', async () => {
  const { control } = createControlledTester(FROZEN)
  expect(await control.getHealth()).toMatchObject({ status: 'ready' })
})

interface ProblemBody {
  readonly type: string
  readonly detail: string
  readonly errors?: readonly { readonly pointer?: string; readonly parameter?: string; readonly message: string }[]
}

async function refused(method: string, url: string, body?: unknown, type = 'application/json') {
  const { request } = createControlledTester(FROZEN)
  const sending = request()[method as 'post'](url).set('Content-Type', type)
  const response = await (body === undefined
    ? sending
    : sending.send(typeof body === 'string' ? body : JSON.stringify(body)))
  expect(response.headers['content-type']).toBe('application/problem+json')
  expect(controlContract.check('Problem', response.body)).toEqual([])
  return { status: response.status, ...(response.body as ProblemBody) }
}

const LARGE = `{"list": [${'9007199254740993, '.repeat(20_000)}\n1], "name": "a",\r\n`

test.each([
  ['a fault', `${LARGE} "seed": [1,,]}`, 'The body is not valid JSON: line 3, column 13: value expected.'],
  ['a key', `${LARGE} "name": "b"}`, 'The member "name" is there twice: line 3, column 2.'],
  ['an unknown member', `${LARGE} "__proto__": 1}`, '/list is not known.'],
])('bodies that are read in pieces are refused like others: %s', async (_, body, message) => {
  expect((await refused('post', '/__mock/sandboxes', body)).detail).toContain(message)
})

test.for([
  ['post', '/__mock/sandboxes', { name: 'a', form: 'b' }, '/form is not known. Did you mean from?'],
  ['post', '/__mock/sandboxes', { name: 'a', x: 1 }, '/x is not known. Expected one of name, from, seed, ttl.'],
  ['post', '/__mock/sandboxes', { seed: 1 }, '/name: expected a string, got nothing.'],
  ['post', '/__mock/sandboxes', { name: 'a', seed: -1 }, '/seed: expected at least 0, got -1.'],
  ['post', '/__mock/sandboxes', undefined, 'the body: expected a JSON object, got nothing.'],
  ['post', '/__mock/sandboxes', '[1]', 'The body is an array'],
  ['post', '/__mock/sandboxes', '{"name":"a","name":"b"}', 'The member "name" is there twice: line 1, column 13.'],
  ['post', '/__mock/sandboxes', '{', 'The body is not valid JSON: line 1, column 2'],
  [
    'post',
    '/__mock/file-sets',
    { id: 'a', files: [{ path: 'x', siez: 1 }] },
    '/files/0/siez is not known. Did you mean size?',
  ],
  [
    'post',
    '/__mock/explain',
    {},
    'the body: expected at least one of list, document, search, file, schedule, before, got {}.',
  ],
  [
    'post',
    '/__mock/explain',
    { filters: [] },
    '/filters: expected search, with the search in it: {"search":{"fileSetId":"demo","query":{"limit":3},"body":{"filters":[]}}}, got [].',
  ],
  ['get', '/__mock/journal?status=abc', undefined, 'status: expected a status such as 429'],
  ['post', '/__mock/journal/verify', { expectations: [] }, '/expectations: expected an array of at least 1 element'],
  [
    'post',
    '/__mock/sandboxes',
    { name: '.hidden' },
    '/name: expected a name of 1 to 64 of A-Z, a-z, 0-9, dot, underscore and hyphen, not beginning with a dot, got ".hidden".',
  ],
  ['post', '/__mock/reset', { all: true }, 'expected no body'],
  ['put', '/__mock/clock', { mode: 'stopped' }, '/mode: expected one of frozen, running, got "stopped".'],
  ['get', '/__mock/deliveries?schedule=1', undefined, 'schedule is not known. Did you mean scheduleId?'],
  ['get', '/__mock/deliveries?limit=ten', undefined, 'limit: expected an integer, got "ten".'],
  ['get', '/__mock/deliveries?limit=0', undefined, 'limit: expected an integer from 1 to 100,000, got 0.'],
  ['get', '/__mock/deliveries?limit=1&limit=2', undefined, 'limit: expected the parameter once'],
  ['get', '/__mock/report-schedules/seven', undefined, 'scheduleId: expected an integer, got "seven".'],
  ['get', '/__mock/file-sets/%ff', undefined, 'not valid percent-encoded UTF-8'],
] as const)('%s %s %j is refused with 400: %s', async ([method, url, body, complaint]) => {
  const { status, detail } = await refused(method, url, body)
  expect(status).toBe(400)
  expect(detail).toContain(complaint)
})

test('other refusals have their status, and say what to do', async () => {
  expect(await refused('get', '/__mock/clok')).toMatchObject({
    status: 404,
    detail: expect.stringContaining('Did you mean /__mock/clock?') as string,
  })
  expect(await refused('post', '/__mock')).toMatchObject({ status: 404 })
  expect(await refused('delete', '/__mock/clock')).toMatchObject({
    status: 405,
    detail: 'DELETE is not allowed on /__mock/clock. Allowed: GET, HEAD, PUT.',
  })
  expect(await refused('put', '/__mock/clock', 'mode=frozen', 'application/x-www-form-urlencoded')).toMatchObject({
    status: 415,
  })
})

test('all errors are reported at once', async () => {
  const { errors = [] } = await refused('put', '/__mock/clock', { mode: 'off', rate: 0, nwo: 1 })
  expect(errors.map(({ pointer }) => pointer)).toEqual(['/mode', '/rate', '/nwo'])
})

test('a parameter is complained of as one', async () => {
  expect((await refused('get', '/__mock/journal?status=abc')).errors).toMatchObject([{ parameter: 'status' }])
})

test.for([
  ['a'.repeat(200), `"${'a'.repeat(54)}…" (200 characters)`],
  ['"'.repeat(100), `"${'\\"'.repeat(27)}…" (100 characters)`],
  ['😀'.repeat(50), `"${'😀'.repeat(27)}…" (100 characters)`],
  [`x${'😀'.repeat(50)}`, `"x${'😀'.repeat(26)}…" (101 characters)`],
  ['a'.repeat(78), `"${'a'.repeat(78)}"`],
  [Array.from({ length: 50 }, () => 'a'), `["${'a","'.repeat(13)}a"… (201 characters of JSON)`],
] as const)('a long value is cut, closed and measured', async ([name, shown]) => {
  const { errors } = await refused('post', '/__mock/sandboxes', { name })
  expect(errors?.map(({ message }) => message.slice(-shown.length - 6))).toEqual([` got ${shown}.`])
})

test.for([
  ['/__mok/health', '/__mock/health'],
  ['/_mock/clock?x=1', '/__mock/clock'],
  ['/mock', '/__mock'],
  ['/__MOCK/info', '/__mock/info'],
] as const)('the service has no path %s, and asks whether %s was meant', async ([sent, meant]) => {
  const { request } = createControlledTester(FROZEN)
  const response = await request().get(sent)
  expect([response.status, (response.body as ProblemBody).detail]).toEqual([
    404,
    `There is no path ${sent.replace(/\?.*/, '')}. Did you mean ${meant}?`,
  ])
})

test('where the control API is switched off, its paths say so', async () => {
  const { request } = createControlledTester({ ...FROZEN, control: false })
  for (const path of ['/__mock', '/__mock/info']) {
    const response = await request().get(path)
    expect([response.status, (response.body as ProblemBody).detail]).toEqual([
      404,
      `There is no path ${path}. The control API is switched off: start without --no-control, or with control: true.`,
    ])
  }
})

test('a path that only begins like it belongs to the service', async () => {
  const { request } = createControlledTester(FROZEN)
  const response = await request().get('/__mocks/health')
  expect(response.status).toBe(404)
  expect(response.headers['x-mock-behaviours']).toContain('error.unknown-path')
})

test('behaviours do not apply to the control API', async () => {
  const behaviours = { 'error.body': 'service', 'http.media-type': 'lenient', 'http.repeated': 'last' }
  const { request } = createControlledTester({ ...FROZEN, behaviours })
  const response = await request().get('/__mock/deliveries?limit=1&limit=2')
  expect(response.headers['content-type']).toBe('application/problem+json')
  expect(response.status).toBe(400)
})

test('answers of the control API use up no request id of the service', async () => {
  const one = createControlledTester(FROZEN)
  const two = createControlledTester(FROZEN)
  await one.control.getClock()
  await one.control.listFileSets()
  expect((await one.search({ set: 'empty' })).headers['x-request-id']).toBe(
    (await two.search({ set: 'empty' })).headers['x-request-id'],
  )
})
