import express from 'express'
import request from 'supertest'
import { expect, test } from 'vitest'
import { createStandin, type StandinOptions } from '../../../src/index.ts'
import { createDirectory } from '../../support/command.ts'

const HTML = 'text/html,application/xhtml+xml,*/*;q=0.8'
const SHOP = { contract: 'examples/shop/contract.yaml' }

function openStartPage(options: StandinOptions = {}) {
  return request(createStandin(options).app).get('/').set('Accept', HTML)
}

test('a browser gets a page that says what runs here', async () => {
  const { status, type, text } = await openStartPage(SHOP)
  expect([status, type]).toEqual([200, 'text/html'])
  expect(text).toContain('<h1>Shop</h1>')
  expect(text).toContain('<code>examples/shop/contract.yaml</code>')
  const { operations } = createStandin(SHOP)
  expect(text).toContain(`${operations.length} operations: `)
  expect(text).toMatch(/operations: \d+ in 4 collections, \d+ actions?, \d+ generated/)
  expect(text).toContain('<a href="./__mock/">')
  for (const path of ['./__mock/docs', './openapi.yaml', './openapi.json']) expect(text).toContain(`href="${path}"`)
})

test('every link of the page leads somewhere', async () => {
  const { app } = createStandin(SHOP)
  const { text } = await request(app).get('/').set('Accept', HTML)
  const links = [...text.matchAll(/<a [^>]*href="([^"]+)"/g)].map(([, link = '']) => link)
  expect(links.length).toBeGreaterThan(10)
  for (const link of links) {
    const { pathname } = new URL(link, 'http://localhost/')
    expect([link, (await request(app).get(pathname).set('Accept', HTML)).status]).toEqual([link, 200])
    expect(pathname).not.toContain('//')
  }
})

test('each operation has its kind and a request that it accepts', async () => {
  const standin = createStandin(SHOP)
  const url = await standin.start()
  const { text } = await request(url).get('/').set('Accept', HTML)
  await standin.stop()
  expect(text.match(/<span class="kind">\w+/g)?.length).toBe(15)
  const { app } = createStandin(SHOP)
  const commands = [...text.matchAll(/<pre class="copy"><code>(.*?)<\/code>/g)].map(([, command = '']) =>
    command.replaceAll(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code))),
  )
  expect(commands.length).toBe(15)
  for (const command of commands.filter((one) => !one.includes('DELETE') && !one.includes('/cancel'))) {
    const [, path = ''] = /'http:\/\/[^/]+(\/[^']*)'/.exec(command) ?? []
    const body = / -d '(.*)'$/s.exec(command)?.[1]
    const method = /-X (\w+)/.exec(command)?.[1] ?? (body === undefined ? 'GET' : 'POST')
    const sent = request(app)[method.toLowerCase() as 'get'](path)
    const answer = await (body === undefined ? sent : sent.type('json').send(body))
    expect([command, Math.floor(answer.status / 100)]).toEqual([command, 2])
  }
})

test.for(['*/*', 'application/json', undefined])('a client that asks for %s keeps its 404', async (accept) => {
  const { app } = createStandin()
  const asked = request(app).get('/')
  const answer = await (accept === undefined ? asked : asked.set('Accept', accept))
  expect([answer.status, answer.type]).toEqual([404, 'application/problem+json'])
  expect((answer.body as { detail: string }).detail).toMatch(/^There is no path \/\. Known paths: /)
})

test('HEAD has the headers of the page and no body', async () => {
  const { app } = createStandin()
  const page = await openStartPage()
  const head = await request(app).head('/').set('Accept', HTML)
  expect([head.status, head.headers['content-length']]).toEqual([200, page.headers['content-length']])
  expect(head.text).toBeUndefined()
})

test('other methods are refused as ever', async () => {
  const { app } = createStandin()
  expect((await request(app).post('/').set('Accept', HTML)).status).toBe(404)
})

test('a contract that has the path / is served instead', async () => {
  const directory = createDirectory({
    'root.yaml': `
openapi: 3.1.0
info: { title: Root, version: '1' }
paths:
  /: { get: { operationId: root, responses: { '200': { description: ok, content: { text/plain: { example: mine } } } } } }
  /openapi.json: { get: { operationId: own, responses: { '200': { description: ok, content: { text/plain: { example: own } } } } } }
`,
  })
  const { app } = createStandin({ contract: `${directory.path}/root.yaml` })
  expect((await request(app).get('/').set('Accept', `${HTML},text/plain`)).text).toBe('mine')
  expect((await request(app).get('/openapi.json')).text).toBe('own')
  expect((await request(app).get('/__mock/openapi.json')).body).toMatchObject({ info: { title: 'Root' } })
})

test('the journal has the refused request, not the page', async () => {
  const { app } = createStandin()
  await request(app).get('/').set('Accept', HTML)
  await request(app).get('/openapi.json')
  await request(app).get('/problems/path-unknown')
  await request(app).get('/')
  const journal = await request(app).get('/__mock/journal')
  const { exchanges } = journal.body as { exchanges: { request: { url: string }; answer: { status: number } }[] }
  expect(exchanges).toMatchObject([{ request: { url: '/' }, answer: { status: 404 } }])
})

test('where the control API is off it names no console', async () => {
  const { text } = await openStartPage({ control: false })
  expect(text).not.toContain('__mock')
  expect(text).toContain('./openapi.yaml')
})

test('mounted below a path it leads to the pages there', async () => {
  const app = express().use('/mock', createStandin().app)
  const answer = await request(app).get('/mock').set('Accept', HTML)
  expect([answer.status, answer.headers.location]).toEqual([302, 'mock/'])
  const page = await request(app).get('/mock/').set('Accept', HTML)
  expect(page.text).toMatch(/&#39;http:\/\/127\.0\.0\.1:\d+\/mock\/api\/files\/v1/)
})

test('its policy loads and runs nothing, and its style is the only one allowed', async () => {
  const { headers, text } = await openStartPage()
  expect(headers['content-security-policy']).toMatch(
    /^default-src 'none'; script-src 'none'; style-src 'sha256-[\w+/=]+'; img-src 'self' data:;/,
  )
  expect(text).not.toMatch(/<script| style=/)
})

test('a host that is not allowed gets nothing', async () => {
  const { app } = createStandin()
  for (const path of ['/', '/openapi.json', '/problems/path-unknown', '/__mock/openapi.json']) {
    const answer = await request(app).get(path).set('Accept', HTML).set('Host', 'evil.example')
    expect([path, answer.status]).toEqual([path, 403])
  }
})

test('nothing of the contract or the request becomes HTML', async () => {
  const directory = createDirectory({
    'odd.yaml': `
openapi: 3.1.0
info: { title: '<script>alert(1)</script>', version: '"><b>' }
paths:
  /x: { get: { operationId: x, summary: '<img src=x>', responses: { '200': { description: ok } } } }
`,
  })
  const { text } = await openStartPage({ contract: `${directory.path}/odd.yaml` })
  expect(text).toContain('&#60;script&#62;alert(1)')
  expect(text).not.toMatch(/<script|<b>|<img src=x/)
})
