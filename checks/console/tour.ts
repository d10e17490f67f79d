/**
 * Makes the moving picture of the README: `node checks/console/tour.ts`, after `apt-get install webp`. Each frame is a view of the console
 * with a caption, of the shop of the examples or of the built-in service.
 */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { launchChromium } from '../../test/support/console.ts'
import { SCENARIOS } from './scenarios.ts'

interface Frame {
  readonly scenario: 'shop' | 'default'
  /** The address after `#/`. */
  readonly view: string
  /** Selectors of what is clicked. */
  readonly clicks?: readonly string[]
  readonly caption: string
}

const FRAMES: readonly Frame[] = [
  { scenario: 'shop', view: 'requests', caption: 'Any OpenAPI document: what your app sent, and what it got' },
  {
    scenario: 'shop',
    view: 'requests',
    clicks: ['[role=row]:has-text("400") >> nth=0'],
    caption: 'A request is refused: what was wrong is marked where it stands',
  },
  {
    scenario: 'shop',
    view: 'collections/customers',
    caption: 'What a POST created is listed, filtered, paged and changed',
  },
  { scenario: 'default', view: 'faults', caption: 'Faults that know the state: fail page 3 once, lose a response' },
  { scenario: 'default', view: 'outbox', caption: 'Move the clock by weeks: reports run in their own time zones' },
  {
    scenario: 'default',
    view: 'behaviours/page.last',
    caption: 'What the interface leaves open is listed, and yours to switch',
  },
]

const TARGET = 'docs/images/console-tour.webp'
const SIZE = { width: 1200, height: 720 }
const MILLISECONDS = 2600

const folder = mkdtempSync(join(tmpdir(), 'standin-tour-'))
const browser = await launchChromium()
const pictures: string[] = []
for (const { name, create, prepare } of SCENARIOS.toSorted((a, b) => b.name.localeCompare(a.name))) {
  const frames = FRAMES.filter(({ scenario }) => scenario === name)
  if (frames.length === 0) continue
  const standin = create()
  const url = await standin.start()
  await prepare?.(url)
  for (const frame of frames) pictures.push(await take(browser, url, frame))
  await standin.stop()
}
await browser.close()
execFileSync('img2webp', ['-lossy', '-q', '70', '-m', '6', '-d', String(MILLISECONDS), ...pictures, '-o', TARGET])
rmSync(folder, { recursive: true })
process.stdout.write(`${TARGET}: ${pictures.length} frames, ${Math.round(statSync(TARGET).size / 1024)} KiB\n`)

async function take(chromium: Browser, url: string, { view, clicks = [], caption }: Frame): Promise<string> {
  const page = await chromium.newPage({ viewport: SIZE })
  await page.goto(`${url}/__mock/#/${view}`)
  await page.getByText('live', { exact: true }).waitFor()
  await page.waitForTimeout(700)
  for (const click of clicks) {
    await page.locator(click).click()
    await page.waitForTimeout(700)
  }
  await addCaption(page, caption)
  const path = join(folder, `${pictures.length}.png`)
  await page.screenshot({ path })
  await page.close()
  return path
}

/** A bar at the bottom of the page. */
async function addCaption(page: Page, caption: string): Promise<void> {
  const style =
    'position:fixed;inset-inline:0;bottom:0;z-index:99;padding:14px 24px;background:#11151c;color:#fff;font:600 20px system-ui,sans-serif'
  const bar = `Object.assign(document.createElement('div'), { textContent: ${JSON.stringify(caption)} })`
  await page.evaluate(`{ const bar = ${bar}; bar.style.cssText = ${JSON.stringify(style)}; document.body.append(bar) }`)
}
