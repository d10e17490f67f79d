/**
 * Measures the console in a real Chromium: its first paint, the median of ten, and the memory of the server and of the page while requests
 * arrive. `node scripts/console/measure.ts 10` lets them arrive for ten minutes.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'
import type { Browser, Page } from 'playwright-core'
import { launchChromium } from '../../test/support/console.ts'

const PORT = 24_017
const URL = `http://127.0.0.1:${PORT}`
const MINUTE = 60_000
const minutes = Number(process.argv[2] ?? 1)

const server = spawn(process.execPath, ['dist/cli.js', 'serve', '--port', String(PORT), '--log', 'silent'])
while (
  !(await fetch(`${URL}/__mock/health`).then(
    ({ ok }) => ok,
    () => false,
  ))
)
  await setTimeout(20)
const browser = await launchChromium()
await measurePaint(browser)
await measureMemory(await browser.newPage(), server)
await browser.close()
server.kill()

async function measurePaint(chromium: Browser): Promise<void> {
  const paints: number[] = []
  for (let round = 0; round < 10; round++) {
    // A context of its own begins with an empty cache.
    const context = await chromium.newContext()
    const page = await context.newPage()
    await page.goto(`${URL}/__mock/`)
    await page.getByRole('heading', { name: 'Requests', exact: true }).waitFor()
    await setTimeout(200)
    paints.push(await page.evaluate<number>(`performance.getEntriesByName('first-contentful-paint')[0].startTime`))
    await context.close()
  }
  paints.sort((a, b) => a - b)
  process.stdout.write(`first paint, ms: ${paints.map((one) => one.toFixed(0)).join(' ')}\n`)
}

async function measureMemory(page: Page, { pid = 0 }: ChildProcess): Promise<void> {
  const session = await page.context().newCDPSession(page)
  await session.send('HeapProfiler.enable')
  await page.goto(`${URL}/__mock/#/requests`)
  const end = performance.now() + minutes * MINUTE
  let sent = 0
  for (let report = performance.now(); performance.now() < end; sent++) {
    if (performance.now() >= report) {
      await session.send('HeapProfiler.collectGarbage')
      const { usedSize } = await session.send('Runtime.getHeapUsage')
      const resident = Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024
      process.stdout.write(
        `${sent} requests: server ${resident.toFixed(0)} MiB, heap of the page ${(usedSize / 2 ** 20).toFixed(1)} MiB\n`,
      )
      report += MINUTE
    }
    const response = await fetch(`${URL}/api/files/v1/filesets/demo/files/search?limit=10`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'X-SERVICE-Developer-Token': 'any' },
      body: JSON.stringify({ filters: [{ field: 'name', operator: 'LIKE', value: [String(sent % 97)] }] }),
    })
    await response.text()
    await setTimeout(10)
  }
}
