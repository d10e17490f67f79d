import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Browser, chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createStandin, type Standin } from '../../src/index.ts'

let browser: Browser
let pages: Server
let standin: Standin

beforeAll(async () => {
  browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-background-networking',
      '--host-resolver-rules=MAP evil.example 127.0.0.1',
    ],
  })
  pages = createServer((_request, response) =>
    response.setHeader('content-type', 'text/html').end('<title>a page</title>'),
  )
  await new Promise<void>((resolve) => pages.listen(0, '127.0.0.1', resolve))
  standin = createStandin()
  await standin.start()
})

afterAll(async () => {
  await standin.stop()
  pages.close()
  await browser.close()
})

/** A page of an origin other than the server's. */
async function open(host: string): Promise<Page> {
  const page = await browser.newPage()
  await page.goto(`http://${host}:${(pages.address() as AddressInfo).port}/`)
  return page
}

/** What fetch gives a page: status, body and the headers that it may see; or why it failed. */
function search(page: Page, url: string) {
  return page.evaluate(async (address) => {
    try {
      const response = await fetch(`${address}/api/files/v1/filesets/demo/files/search?limit=2`, {
        method: 'POST',
        credentials: 'include',
        headers: { 'Content-Type': 'application/json', 'X-SERVICE-Developer-Token': 'any' },
        body: '{}',
      })
      return {
        status: response.status,
        body: await response.json(),
        behaviours: response.headers.get('x-mock-behaviours'),
      }
    } catch (error) {
      return { failed: String(error) }
    }
  }, url)
}

test.for(['localhost', '127.0.0.1'])(
  'a page on %s searches with the key header, credentials and exposed headers',
  async (host) => {
    const answer = await search(await open(host), standin.url!)
    expect(answer).toMatchObject({ status: 200, behaviours: expect.stringContaining('sort.default') as string })
    expect(answer.body).toMatchObject({ files: expect.any(Array) as unknown[] })
  },
)

test('a page of a foreign origin cannot read anything', async () => {
  expect(await search(await open('evil.example'), standin.url!)).toEqual({ failed: 'TypeError: Failed to fetch' })
})

test('a page whose own host name resolves to the server cannot read anything either', async () => {
  const page = await browser.newPage()
  const address = standin.url!.replace('127.0.0.1', 'evil.example')
  await page.goto(`${address}/`)
  expect(await search(page, address)).toMatchObject({ status: 403, body: { title: 'The host is not allowed' } })
})

test('it cannot read what a GET answers, for which Chromium sends neither Origin nor Sec-Fetch headers', async () => {
  const orders = createStandin({ contract: 'test/resources/user-operations/orders.yaml' })
  const address = (await orders.start()).replace('127.0.0.1', 'evil.example')
  try {
    const page = await browser.newPage()
    await page.goto(`${address}/`)
    for (const path of ['/api/orders/v1/orders', '/__mock/info', '/__mock/state']) {
      const read = await page.evaluate(async (at) => {
        const response = await fetch(at, { headers: { 'X-SERVICE-Developer-Token': 'any' } })
        return { status: response.status, body: await response.json() }
      }, address + path)
      expect(read, path).toMatchObject({ status: 403, body: { type: '/problems/host-refused' } })
    }
  } finally {
    await orders.stop()
  }
})
