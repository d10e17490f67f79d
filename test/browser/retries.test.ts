import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Browser, chromium } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createControlClient, createStandin, type Standin } from '../../src/index.ts'

let browser: Browser
let pages: Server
let standin: Standin

beforeAll(async () => {
  browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
  })
  pages = createServer((_request, response) =>
    response.setHeader('content-type', 'text/html').end('<title>a page</title>'),
  )
  await new Promise<void>((resolve) => pages.listen(0, '127.0.0.1', resolve))
  standin = createStandin({ clock: '2026-03-05T14:30:00Z' })
  await standin.start()
})

afterAll(async () => {
  await standin.stop()
  pages.close()
  await browser.close()
})

test.for(['reset', 'empty'] as const)('a page sees a fault of the kind %s that strikes once', async (kind) => {
  const control = createControlClient({ url: standin.url! })
  await control.removeFaults()
  await control.deleteJournal()
  const page = await browser.newPage()
  await page.goto(`http://127.0.0.1:${(pages.address() as AddressInfo).port}/`)
  const search = () =>
    page.evaluate(async (url) => {
      try {
        const response = await fetch(`${url}/api/files/v1/filesets/demo/files/search?limit=2`, {
          method: 'POST',
          headers: { 'Content-Type': 'application/json', 'X-SERVICE-Developer-Token': 'any' },
          body: '{}',
        })
        await response.text()
        return response.status
      } catch (error) {
        return String(error)
      }
    }, standin.url!)
  expect(await search()).toBe(200)
  await control.armFaults({ id: 'once', kind, times: 1 })
  expect(await search()).toBe('TypeError: Failed to fetch')
  expect(await search()).toBe(200)
  expect(await control.getFault('once')).toMatchObject({ struck: 1 })
  const { exchanges } = await control.listExchanges({ operationId: 'searchFiles' })
  const struck = exchanges.filter(({ fault }) => fault === kind)
  expect(struck.length).toBeGreaterThan(1)
  expect(struck.slice(1).map(({ repeats }) => repeats)).toEqual(struck.slice(1).map(() => struck[0]?.id))
  await page.close()
})
