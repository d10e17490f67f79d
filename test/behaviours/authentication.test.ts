import { expect, onTestFinished, test } from 'vitest'
import { describeBehaviour } from '../support/describe-behaviour.ts'
import { exchangeRaw, searchHead } from '../support/raw.ts'
import {
  complaintsOf,
  createTester,
  KEY_HEADER,
  rowsOf,
  SCHEDULES,
  SEARCH,
  type Tester,
  weekly,
} from '../support/tester.ts'

const tiny = { fileSets: [{ id: 'tiny', files: [{ path: 'a.txt' }, { path: 'b.txt' }] }] }
const keys = [
  { key: 'reader', userId: 7, rights: ['searchFiles'] },
  { key: 'writer', userId: 9 },
  { key: 'nobody', userId: 11, rights: [] },
]
const options = { fixtures: [tiny], keys }

/** The statuses of searches whose key is missing, blank, blank in another way, and twice in two ways. */
async function statusesWithoutKey({ request, search, standin }: Tester): Promise<number[]> {
  const url = await standin.start()
  onTestFinished(() => standin.stop())
  const twice = [KEY_HEADER, KEY_HEADER.toLowerCase()].map((name) =>
    exchangeRaw(url, searchHead({ [KEY_HEADER]: `writer\r\n${name}: writer`, Connection: 'close' })),
  )
  return [
    (await request().post(`${SEARCH}/tiny/files/search`)).status,
    (await search({ headers: { [KEY_HEADER]: '' } })).status,
    (await search({ headers: { [KEY_HEADER]: ' \t ' } })).status,
    ...(await Promise.all(twice)).map((answer) => Number(answer.split(' ')[1])),
  ]
}

describeBehaviour(
  'auth.refused',
  {
    '401': async (tester) => {
      expect(await statusesWithoutKey(tester)).toEqual([401, 401, 401, 401, 401])
      const refused = await tester.request().post(`${SEARCH}/tiny/files/search`)
      expect(refused.headers['www-authenticate']).toBe(`ApiKey realm="service", header="${KEY_HEADER}"`)
      expect(complaintsOf(refused)).toEqual(['header auth.refused'])
      expect(refused.body).toMatchObject({ type: '/problems/key-missing', errors: [{ header: KEY_HEADER }] })
      expect(rowsOf(refused)).toEqual(['auth.refused', 'auth.keys', 'error.body'])
    },
    '403': async (tester) => {
      expect(await statusesWithoutKey(tester)).toEqual([403, 403, 403, 403, 403])
      const refused = await tester.request().post(`${SEARCH}/tiny/files/search`)
      expect(refused.headers).not.toHaveProperty('www-authenticate')
      expect(complaintsOf(refused)).toEqual(['header auth.refused'])
    },
  },
  options,
)

describeBehaviour(
  'auth.keys',
  {
    any: async ({ search, create }) => {
      expect((await search({ headers: { [KEY_HEADER]: 'made up' } })).status).toBe(200)
      expect((await search({ headers: { [KEY_HEADER]: 'made, up' } })).status).toBe(200)
      expect((await create(weekly(), { [KEY_HEADER]: 'made up' })).body).toMatchObject({ ownerId: 1, owner: true })
      expect((await create(weekly(), { [KEY_HEADER]: 'writer' })).body).toMatchObject({ ownerId: 9, owner: true })
      expect(rowsOf(await search())).toContain('auth.keys')
    },
    listed: async ({ search, create }) => {
      expect((await search({ headers: { [KEY_HEADER]: 'reader' } })).status).toBe(200)
      expect((await create(weekly(), { [KEY_HEADER]: 'writer' })).body).toMatchObject({ ownerId: 9, owner: true })
      for (const key of ['made up', 'Writer', 'writer2', 'writer, writer', '__proto__']) {
        const refused = await search({ headers: { [KEY_HEADER]: key } })
        expect([refused.status, ...complaintsOf(refused)], key).toEqual([401, 'header auth.refused'])
      }
    },
    off: async (tester) => {
      expect(await statusesWithoutKey(tester)).toEqual([200, 200, 200, 200, 200])
      const created = await tester.create(weekly(), { [KEY_HEADER]: 'nobody' })
      expect(created.body).toMatchObject({ ownerId: 1, owner: true })
    },
  },
  { ...options, behaviours: { 'auth.keys': 'any', 'create.response': 'full' } },
)

describeBehaviour(
  'auth.forbidden',
  {
    default: async ({ search, create, update }) => {
      expect((await search({ headers: { [KEY_HEADER]: 'reader' } })).status).toBe(200)
      const refused = await create(weekly(), { [KEY_HEADER]: 'reader' })
      expect([refused.status, ...complaintsOf(refused)]).toEqual([403, 'header auth.forbidden'])
      expect(refused.body).toMatchObject({
        detail: 'The key has no right to createReportSchedule; it may searchFiles.',
      })
      expect(rowsOf(refused)).toEqual(['auth.keys', 'auth.forbidden', 'error.body'])
      expect((await update(1, {}, { [KEY_HEADER]: 'reader' })).status).toBe(403)
      expect((await search({ headers: { [KEY_HEADER]: 'nobody' } })).status).toBe(403)
      expect((await create(weekly(), { [KEY_HEADER]: 'writer' })).status).toBe(200)
    },
  },
  options,
)

test('keys that are listed are the only ones, unless the behaviours say otherwise', async () => {
  const { search } = createTester(options)
  expect((await search({ headers: { [KEY_HEADER]: 'made up' } })).status).toBe(401)
  expect((await search({ headers: { [KEY_HEADER]: 'reader' } })).status).toBe(200)
})

test('the error says what is wrong with a key, and does not show the key', async () => {
  const { search, create } = createTester(options)
  const refused = [
    (await search({ headers: { [KEY_HEADER]: 'made up' } })).body as object,
    (await search({ headers: { [KEY_HEADER]: ' ' } })).body as object,
    (await create(weekly(), { [KEY_HEADER]: 'reader' })).body as object,
  ]
  expect(refused).toMatchObject([
    { errors: [{ message: `${KEY_HEADER}: expected a known key, got another.` }] },
    { errors: [{ message: `${KEY_HEADER}: expected a key that is not blank, got a blank one.` }] },
    { errors: [{ message: `${KEY_HEADER}: expected a key with the right createReportSchedule, got one without.` }] },
  ])
  expect(JSON.stringify(refused)).not.toMatch(/"received"|made up/)
})

test('the user who created a schedule owns it, even after others change it', async () => {
  const { create, update } = createTester({
    ...options,
    behaviours: { 'auth.keys': 'any', 'create.response': 'full', 'update.response': 'full' },
  })
  const { id } = (await create(weekly(), { [KEY_HEADER]: 'writer' })).body as { id: number }
  expect((await update(id, { title: 'Other' })).body).toMatchObject({ ownerId: 9, owner: false })
  expect((await update(id, {}, { [KEY_HEADER]: 'writer' })).body).toMatchObject({ ownerId: 9, owner: true })
})

const LARGE = 'x'.repeat(2_000_000)
const UNKNOWN_SET = `${SEARCH}/nowhere/files/search`
const KNOWN_SET = `${SEARCH}/tiny/files/search`

/** Two faults at once, the first of them in the order: what is sent, and the answer to it. */
const PAIRS: readonly (readonly [string, Fault, number, string])[] = [
  ['route before method', { method: 'delete', path: '/api/files/v1' }, 404, '/problems/path-unknown'],
  ['route before key', { path: '/api/files/v1', key: '' }, 404, '/problems/path-unknown'],
  ['method before key', { method: 'delete', key: '' }, 405, '/problems/method-not-allowed'],
  ['key before media type', { key: '', type: 'text/plain' }, 401, '/problems/key-missing'],
  ['right before media type', { key: 'nobody', type: 'text/plain' }, 403, '/problems/operation-forbidden'],
  ['media type before size', { type: 'text/plain', body: LARGE }, 415, '/problems/unsupported-media-type'],
  ['size before JSON', { body: LARGE }, 413, '/problems/content-too-large'],
  ['JSON before schema', { body: '{', path: `${KNOWN_SET}?limit=abc` }, 400, '/problems/json-invalid'],
  ['JSON before existence', { body: '{', path: UNKNOWN_SET }, 400, '/problems/json-invalid'],
  ['schema before existence', { body: '{"filters":1}', path: UNKNOWN_SET }, 400, '/problems/request-invalid'],
  ['schema before existence', { path: `${UNKNOWN_SET}?limit=abc` }, 400, '/problems/request-invalid'],
  ['existence before meaning', { path: `${UNKNOWN_SET}?limit=0` }, 404, '/problems/file-set-not-found'],
  ['existence before meaning', { path: `${UNKNOWN_SET}?next=forged` }, 404, '/problems/file-set-not-found'],
  [
    'schema before existence',
    { method: 'put', path: `${SCHEDULES}/999999`, body: '{"title":1}' },
    400,
    '/problems/request-invalid',
  ],
  [
    'existence before meaning',
    { method: 'put', path: `${SCHEDULES}/999999`, body: '{"title":" "}' },
    404,
    '/problems/report-schedule-not-found',
  ],
]

interface Fault {
  readonly method?: 'put' | 'delete'
  readonly path?: string
  readonly key?: string
  readonly type?: string
  readonly body?: string
}

describeBehaviour(
  'http.order',
  {
    default: async ({ request }) => {
      for (const [pair, fault, status, type] of PAIRS) {
        const {
          method = 'post',
          path = KNOWN_SET,
          key = 'writer',
          type: mediaType = 'application/json',
          body = '{}',
        } = fault
        const response = await request()
          [method](path)
          .set({ [KEY_HEADER]: key, 'Content-Type': mediaType })
          .send(body)
        expect([response.status, response.body], pair).toMatchObject([status, { type }])
      }
    },
  },
  options,
)

test('only authenticated requests count against the rate limit, which is checked before the body', async () => {
  const { search } = createTester({ ...options, behaviours: { 'rate.limit': '1 per 10' } })
  const statuses = []
  for (const key of ['', 'nobody', 'writer', 'writer', ''])
    statuses.push((await search({ headers: { [KEY_HEADER]: key, 'Content-Type': 'text/plain' } })).status)
  expect(statuses).toEqual([401, 403, 415, 429, 401])
})
