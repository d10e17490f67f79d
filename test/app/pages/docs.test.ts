import express from 'express'
import request from 'supertest'
import { expect, test } from 'vitest'
import { createStandin } from '../../../src/index.ts'

const SEARCH = '/api/files/v1/filesets/demo/files/search'
const KEY = { 'X-SERVICE-Developer-Token': 'any' }

interface Operation {
  readonly description: string
  readonly responses: Readonly<Record<string, { content: Record<string, { example?: { files?: unknown[] } }> }>>
  readonly requestBody: { content: Record<string, { example?: unknown }> }
}

async function answered(app: Parameters<typeof request>[0], query = ''): Promise<Record<string, Operation>> {
  const { body } = (await request(app).get(`/__mock/openapi.json?answered=true${query}`)) as {
    body: { paths: Record<string, Record<string, Operation>> }
  }
  return Object.fromEntries(
    Object.values(body.paths).flatMap((item) =>
      Object.values(item).flatMap((one) => ('operationId' in one ? [[String(one.operationId), one]] : [])),
    ),
  )
}

test('the page and its files are served, under a policy as strict as that of the console', async () => {
  const app = express().use('/mock', createStandin().app)
  const page = await request(app).get('/mock/__mock/docs')
  expect([page.status, page.type]).toEqual([200, 'text/html'])
  expect(page.headers['content-security-policy']).toContain("default-src 'none'; script-src 'self'; style-src 'self'")
  const [, script] = /src="\.\/(docs\/[^"]+\.js)"/.exec(page.text) ?? []
  const file = await request(app).get(`/mock/__mock/${String(script)}`)
  expect([file.status, file.headers['cache-control']]).toEqual([200, 'public, max-age=31536000, immutable'])
})

test('the examples are the latest responses, with the behaviours that they depended on', async () => {
  const { app } = createStandin()
  const sent = { filters: [{ field: 'name', operator: 'LIKE', value: ['budget'] }] }
  const search = await request(app).post(`${SEARCH}?limit=2`).set(KEY).send(sent)
  const { searchFiles } = await answered(app)
  expect(searchFiles?.responses['200']?.content['application/json']?.example).toEqual(search.body)
  expect(searchFiles?.requestBody.content['application/json']?.example).toEqual(sent)
  expect(searchFiles?.description).toContain('The example response is that of request 1.')
  const [first = ''] = String(search.headers['x-mock-behaviours']).split(', ')
  expect(searchFiles?.description).toContain(`- \`${first}\`: `)
})

test('an operation that was not called shows what it would respond now, and nothing changes', async () => {
  const { app } = createStandin({ contract: 'examples/shop/contract.yaml' })
  const { getCustomer, createCustomer } = await answered(app)
  const customer = await request(app).get('/customers/1')
  expect(getCustomer?.responses['200']?.content['application/json']?.example).toEqual(customer.body)
  expect(createCustomer?.responses['201']?.content['application/json']?.example).toMatchObject({ id: 11 })
  expect((await request(app).get('/customers/11')).status).toBe(404)
})

test('examples are those of the sandbox, and never of a refused request', async () => {
  const { app } = createStandin()
  await request(app)
    .post(SEARCH)
    .set({ ...KEY, 'X-Mock-Sandbox': 'alice' })
    .send({ filters: 7 })
  await request(app)
    .post(`${SEARCH}?limit=1`)
    .set({ ...KEY, 'X-Mock-Sandbox': 'alice' })
    .send({})
  const { searchFiles } = await answered(app, '&sandbox=alice')
  expect(searchFiles?.responses['200']?.content['application/json']?.example?.files).toHaveLength(1)
  const other = await answered(app)
  expect(other.searchFiles?.description).toContain('would respond now')
})

test('no example has the key of a request', async () => {
  const { app } = createStandin({ keys: [{ key: 'a-very-secret-key' }] })
  const body = { title: 'a-very-secret-key', pageId: 1, viewId: 2 }
  await request(app)
    .post('/api/content/v1/reportschedules')
    .set('X-SERVICE-Developer-Token', 'a-very-secret-key')
    .send({
      ...body,
      schedule: { frequency: 'WEEKLY', daysToRun: 'MON', hourOfDay: 8, minOfHour: 30, timezone: 'UTC' },
    })
    .expect(200)
  const { text } = await request(app).get('/__mock/openapi.json?answered=true')
  expect(text).toContain('that of request 1')
  expect(text).not.toContain('a-very-secret-key')
})
