import express from 'express'
import request from 'supertest'
import { expect, test } from 'vitest'
import { createStandin } from '../../src/index.ts'
import { KEY_HEADER, nextOf, NOW, pathsOf, SCHEDULES, SEARCH, weekly } from '../support/tester.ts'

const SEARCH_DEMO = `${SEARCH}/demo/files/search?limit=2`

function createApp() {
  return createStandin({ now: () => NOW, selfCheck: true }).app
}

test('the app is an Express application', async () => {
  const app = express().use(createApp())
  const found = await request(app).post(SEARCH_DEMO).set(KEY_HEADER, 'key').send({})
  expect(found.status).toBe(200)
  expect(pathsOf(found)).toHaveLength(2)
})

test('middleware of your own runs before the mock and can respond in its place', async () => {
  const app = express()
  app.use((incoming, response, next) => {
    response.setHeader('x-seen-by', 'mine')
    if (incoming.get('x-broken') === undefined) next()
    else response.status(418).send('mine')
  })
  app.use(createApp())
  const passed = await request(app).post(SEARCH_DEMO).set(KEY_HEADER, 'key').send({})
  expect(passed.status).toBe(200)
  expect(passed.headers['x-seen-by']).toBe('mine')
  const refused = await request(app).post(SEARCH_DEMO).set('x-broken', 'yes').send({})
  expect([refused.status, refused.text]).toEqual([418, 'mine'])
})

test.for([
  ['express.json()', express.json()],
  ['express.text()', express.text({ type: '*/*' })],
  ['express.raw()', express.raw({ type: '*/*' })],
] as const)('a body that %s has parsed before is read all the same', async ([, parser]) => {
  const app = express().use(parser).use(createApp())
  const created = await request(app)
    .post(SCHEDULES)
    .set(KEY_HEADER, 'key')
    .send(weekly({ title: 'Café' }))
  expect(created.status).toBe(200)
  expect(created.body).toMatchObject({ title: 'Café' })
  const refused = await request(app).post(SCHEDULES).set(KEY_HEADER, 'key').send({ title: 7 })
  expect(refused.status).toBe(400)
})

test('mounted under a path, operations, paging and errors work there', async () => {
  const app = express().use('/mock', createApp())
  const ask = (query: string) => request(app).post(`/mock${SEARCH}/demo/files/search?${query}`).set(KEY_HEADER, 'key')
  const first = await ask('limit=2').send({})
  expect(first.status).toBe(200)
  const next = encodeURIComponent(nextOf(first) ?? '')
  const second = await ask(`limit=2&next=${next}`).send({})
  expect(new Set([...pathsOf(first), ...pathsOf(second)]).size).toBe(4)
  const refused = await ask('limit=x').send({})
  expect(refused.status).toBe(400)
  const unknown = await request(app).get('/mock/nowhere')
  expect(unknown.status).toBe(404)
  expect(unknown.headers['content-type']).toBe('application/problem+json')
  // What is not below the path is not the mock's.
  expect((await request(app).post(SEARCH_DEMO)).headers['content-type']).toMatch(/^text\/html/)
})

test('mounted under a path, the control API works there and names operations by their own paths', async () => {
  const app = express().use('/outer', express.Router().use('/mock', createApp()))
  await request(app).post(`/outer/mock${SEARCH_DEMO}`).set(KEY_HEADER, 'key').send({})
  expect((await request(app).get('/outer/mock/__mock/health')).body).toEqual({ status: 'ready' })
  const journal = await request(app).get('/outer/mock/__mock/journal?limit=1')
  expect(journal.status).toBe(200)
  expect(journal.body).toMatchObject({ exchanges: [{ request: { url: SEARCH_DEMO } }] })
  const unknown = await request(app).get('/outer/mock/__mock/jurnal')
  expect(unknown.text).toMatch(/\/__mock\/jurnal.* Did you mean \/__mock\/journal/)
})

test('two apps in one Express app keep their states apart', async () => {
  const app = express().use('/one', createApp()).use('/two', createApp())
  const create = (path: string) => request(app).post(`${path}${SCHEDULES}`).set(KEY_HEADER, 'key').send(weekly())
  const count = async (path: string) => {
    const response = await request(app).get(`${path}/__mock/state`)
    return (response.body as { reportSchedules: unknown[] }).reportSchedules.length
  }
  const before = await count('/two')
  await create('/one')
  expect([await count('/one'), await count('/two')]).toEqual([before + 1, before])
})
