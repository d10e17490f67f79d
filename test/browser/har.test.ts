import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium } from 'playwright-core'
import { expect, onTestFinished, test } from 'vitest'
import { createControlClient, createStandin } from '../../src/index.ts'

/** Searches from a page, and gives the text of the answer; or why there is none. */
function search(url: string): Promise<string> {
  return fetch(`${url}/api/files/v1/filesets/demo/files/search?limit=2`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'X-SERVICE-Developer-Token': 'any' },
    body: '{"fieldSort":[{"field":"size","order":"DESC"}]}',
  }).then((response) => response.text(), String)
}

test('a browser plays back the responses of an exported journal after the server has stopped', async () => {
  const pages = createServer((_request, response) => response.setHeader('content-type', 'text/html').end('a page'))
  await new Promise<void>((resolve) => pages.listen(0, '127.0.0.1', resolve))
  const standin = createStandin()
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
  })
  const folder = mkdtempSync(join(tmpdir(), 'standin-har-'))
  onTestFinished(async () => {
    await browser.close()
    pages.close()
    rmSync(folder, { recursive: true })
  })
  const url = await standin.start()
  const page = await browser.newPage()
  await page.goto(`http://127.0.0.1:${(pages.address() as AddressInfo).port}/`)
  const answered = await page.evaluate(search, url)
  expect(JSON.parse(answered)).toMatchObject({ files: [{}, {}] })

  const har = join(folder, 'journal.har')
  writeFileSync(har, JSON.stringify(await createControlClient({ url }).exportHar()))
  await standin.stop()
  expect(await page.evaluate(search, url)).toBe('TypeError: Failed to fetch')
  await page.routeFromHAR(har, { url: `${url}/**`, notFound: 'abort' })
  expect(await page.evaluate(search, url)).toBe(answered)
})
