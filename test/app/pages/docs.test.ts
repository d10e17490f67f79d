import express from 'express'
import request from 'supertest'
import { expect, test } from 'vitest'
import { withoutPictures } from '../../../console/docs/without-pictures.ts'
import { createStandin } from '../../../src/index.ts'

const SEARCH = '/api/files/v1/filesets/demo/files/search'
const KEY = { 'X-SERVICE-Developer-Token': 'any' }

interface Parameter {
  readonly name: string
  readonly in: string
  readonly example?: unknown
  readonly description?: string
}

interface Operation {
  readonly parameters?: readonly Parameter[]
  readonly description: string
  readonly responses: Readonly<Record<string, { content: Record<string, { example?: { files?: unknown[] } }> }>>
  readonly requestBody?: { content: Record<string, { example?: unknown }> }
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
  // It is stored packed, and clients unpack it.
  expect([file.type, file.headers['content-encoding']]).toEqual(['text/javascript', 'gzip'])
  expect(file.text.includes('swagger-ui')).toBe(true)
})

test('the examples are the latest responses, with the behaviours that they depended on', async () => {
  const { app } = createStandin()
  const sent = { filters: [{ field: 'name', operator: 'LIKE', value: ['budget'] }] }
  const search = await request(app).post(`${SEARCH}?limit=2`).set(KEY).send(sent)
  const { searchFiles } = await answered(app)
  expect(searchFiles?.responses['200']?.content['application/json']?.example).toEqual(search.body)
  expect(searchFiles?.requestBody?.content['application/json']?.example).toEqual(sent)
  expect(searchFiles?.description).toContain('The example response is that of request 1.')
  const [first = ''] = String(search.headers['x-mock-behaviours']).split(', ')
  expect(searchFiles?.description).toContain(`- **[\`${first}\`](`)
})

/** Sends what the document has for an operation, as a form that is filled by it does. */
function send(app: Parameters<typeof request>[0], [path, method, operation]: readonly [string, string, Operation]) {
  const values = (place: string) =>
    (operation.parameters ?? []).filter((one) => one.in === place && one.example !== undefined)
  const target = path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    String(values('path').find((one) => one.name === name)?.example),
  )
  const sent = request(app)
    [method as 'post'](target)
    .set({
      ...KEY,
      Authorization: 'Bearer any',
      api_key: 'any',
      ...Object.fromEntries(values('header').map(({ name, example }) => [name, String(example)])),
    })
    .query(Object.fromEntries(values('query').map(({ name, example }) => [name, String(example)])))
  const body = operation.requestBody?.content['application/json']?.example
  return body === undefined ? sent : sent.send(body as object)
}

async function operationsIn(app: Parameters<typeof request>[0]) {
  const { body } = (await request(app).get('/__mock/openapi.json?answered=true')) as {
    body: { servers: readonly [{ url: string }]; paths: Record<string, Record<string, Operation>> }
  }
  const base = new URL(body.servers[0].url).pathname.replace(/\/$/, '')
  return Object.entries(body.paths).flatMap(([path, item]) =>
    Object.entries(item).flatMap(([method, one]) =>
      'operationId' in one ? [[base + path, method, one] as const] : [],
    ),
  )
}

test.for([undefined, 'examples/shop/contract.yaml', 'examples/full-service/contract.yaml'])(
  'what the document of %s has for an operation is a request that it accepts',
  async (contract) => {
    const { app } = createStandin(contract === undefined ? {} : { contract })
    for (const one of (await operationsIn(app)).filter(isDocumented)) {
      const { status, text } = await send(app, one)
      expect([one[0], one[1], Math.floor(status / 100), status < 300 ? '' : text]).toEqual([one[0], one[1], 2, ''])
    }
  },
)

/** Whether it has a documented success, and a JSON body if any. */
function isDocumented([, , { responses, requestBody }]: readonly [string, string, Operation]): boolean {
  const types = Object.keys(requestBody?.content ?? { 'application/json': {} })
  return types.includes('application/json') && Object.keys(responses).some((status) => /^2|default/.test(status))
}

test('ids are those of things that the sandbox has', async () => {
  const { app } = createStandin()
  await request(app)
    .post('/__mock/file-sets')
    .send({ id: 'other', files: [{ path: 'a.pdf' }] })
    .expect(201)
  await request(app).delete('/__mock/file-sets/demo').expect(204)
  const { reportSchedules } = (await request(app).get('/__mock/report-schedules')).body as {
    reportSchedules: readonly { readonly id: number }[]
  }
  const [first, second] = reportSchedules
  await request(app)
    .delete(`/__mock/report-schedules/${String(first?.id)}`)
    .expect(204)
  const { searchFiles, updateReportSchedule } = await answered(app)
  const { fileSets } = (await request(app).get('/__mock/file-sets')).body as { fileSets: readonly { id: string }[] }
  expect(searchFiles?.parameters?.find(({ name }) => name === 'fileSetId')?.example).toBe(fileSets[0]?.id)
  expect(fileSets[0]?.id).not.toBe('demo')
  expect(updateReportSchedule?.parameters?.[0]?.example).toBe(second?.id)
})

test('optional parameters have no example that a form would send, but their description has it', async () => {
  const { searchFiles } = await answered(createStandin().app)
  const next = searchFiles?.parameters?.find(({ name }) => name === 'next')
  expect(next).not.toHaveProperty('example')
  expect(next).not.toHaveProperty('examples')
  expect(next?.description).toMatch(/For example `mbuDm_/)
})

test('an operation lists the behaviours that its responses may depend on, folded, with their settings', async () => {
  const { app } = createStandin({ behaviours: { 'page.last': 'null' } })
  const { searchFiles, updateReportSchedule } = await answered(app)
  expect(searchFiles?.description).toMatch(/<details><summary>What the contract leaves open here: \d+ behaviours</)
  expect(searchFiles?.description).toMatch(
    /- \[`page\.last`\]\(http:[^)]+\/__mock\/#\/behaviours\/page\.last\) How is the last page marked\? Now `null`\./,
  )
  expect(searchFiles?.description).not.toContain('update.omitted')
  expect(updateReportSchedule?.description).toContain('`update.omitted`')
  const shop = await answered(createStandin({ contract: 'examples/shop/contract.yaml' }).app)
  expect(shop.placeOrder?.description).toContain('`collections.reference`')
  expect(shop.placeOrder?.description).not.toContain('`collections.page-size`')
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

test('a description of the contract makes the page load no picture', () => {
  const described = {
    info: {
      description: 'See ![the plan](http://tracker.example/a.png) and ![b][1]. <IMG src=http://x.example/b> <b>c</b>!',
    },
    paths: { '/a': { get: { description: '<svg><image href="http://x.example"/></svg>' } } },
    components: { schemas: { A: { properties: { description: { description: '![](http://x.example)' } } } } },
    example: { description: '![kept](as-it-is)' },
  }
  expect(withoutPictures(described)).toEqual({
    info: {
      description: 'See [the plan](http://tracker.example/a.png) and [b][1]. &lt;IMG src=http://x.example/b> <b>c</b>!',
    },
    paths: { '/a': { get: { description: '&lt;svg>&lt;image href="http://x.example"/>&lt;/svg>' } } },
    components: { schemas: { A: { properties: { description: { description: '[](http://x.example)' } } } } },
    example: { description: '![kept](as-it-is)' },
  })
})
