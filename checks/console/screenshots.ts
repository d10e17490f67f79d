/**
 * Takes the screenshots of the console in the docs: `node checks/console/screenshots.ts`. They are WebP, a third of the size of PNG. A
 * screenshot of a view that the console does not have is skipped with a message.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { launchChromium } from '../../test/support/console.ts'
import { SCENARIOS } from './scenarios.ts'

interface Screenshot {
  readonly file: string
  readonly scenario: string
  /** The address after `#/`. */
  readonly view: string
  /** What is clicked: the texts of buttons, links or rows. */
  readonly clicks?: readonly string[]
  readonly scheme?: 'dark'
  readonly width?: number
}

const SCREENSHOTS: readonly Screenshot[] = [
  { file: 'requests', scenario: 'default', view: 'requests', clicks: ['[role=row]:has-text("nam") >> nth=0'] },
  { file: 'requests-list', scenario: 'shop', view: 'requests', scheme: 'dark' },
  { file: 'faults', scenario: 'default', view: 'faults' },
  { file: 'behaviours', scenario: 'default', view: 'behaviours/page.last' },
  { file: 'files', scenario: 'million', view: 'files', clicks: ['main .row[tabindex="0"] >> nth=0'] },
  { file: 'schedules', scenario: 'default', view: 'schedules', clicks: ['main .row[tabindex="0"] >> nth=0'] },
  { file: 'outbox', scenario: 'default', view: 'outbox', scheme: 'dark' },
  { file: 'collections', scenario: 'shop', view: 'collections', clicks: ['main [data-item] >> nth=0'] },
  { file: 'coverage', scenario: 'shop', view: 'coverage/listProducts' },
  { file: 'sandboxes', scenario: 'default', view: 'sandboxes/show/checkout-test' },
  { file: 'history', scenario: 'default', view: 'history', clicks: ['main .row[tabindex="0"] >> nth=0'] },
  { file: 'narrow', scenario: 'shop', view: 'requests', width: 360, scheme: 'dark' },
]

const FOLDER = 'docs/images'
const QUALITY = 82

mkdirSync(FOLDER, { recursive: true })
const browser = await launchChromium()
for (const { name, create, prepare } of SCENARIOS) {
  const screenshots = SCREENSHOTS.filter(({ scenario }) => scenario === name)
  if (screenshots.length === 0) continue
  const standin = create()
  const url = await standin.start()
  await prepare?.(url)
  for (const screenshot of screenshots) await take(browser, url, screenshot)
  await standin.stop()
}
await browser.close()

async function take(chromium: Browser, url: string, screenshot: Screenshot): Promise<void> {
  const { file, view, clicks = [], scheme = 'light', width = 1200 } = screenshot
  const page = await chromium.newPage({ viewport: { width, height: 720 }, colorScheme: scheme })
  await page.goto(`${url}/__mock/#/${view}`)
  await page.getByText('live', { exact: true }).waitFor()
  await page.waitForTimeout(500)
  if (!page.url().includes(`#/${view}`)) {
    process.stdout.write(`${file}: the console has no view ${view}\n`)
    await page.close()
    return
  }
  for (const click of clicks) {
    const wanted = page.locator(click)
    if ((await wanted.count()) > 0) await wanted.click()
    await page.waitForTimeout(500)
  }
  const session = await page.context().newCDPSession(page)
  const { data } = await session.send('Page.captureScreenshot', { format: 'webp', quality: QUALITY })
  const bytes = Buffer.from(data, 'base64')
  writeFileSync(join(FOLDER, `console-${file}.webp`), bytes)
  process.stdout.write(`${file}: ${Math.round(bytes.length / 1024)} KiB\n`)
  await page.close()
}
