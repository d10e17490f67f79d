/**
 * Takes screenshots of the console in Chromium: every view and its first item, in each scenario of `scenarios.ts`, light and dark, at
 * several widths, and one sheet for each scenario. Fails on serious findings of axe-core, on errors in the page's console, on pages that
 * scroll sideways, and on text that is cut off.
 *
 *     npm run check:console                              # everything, into /tmp/standin-console
 *     npm run check:console -- --quick                   # 360 px dark and 1200 px light: what CI runs
 *     npm run check:console -- --scenarios shop --views requests,faults --widths 360
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { Browser, Page } from 'playwright-core'
import { launchChromium, seriousFindings } from '../../test/support/console.ts'
import { findLayoutProblems } from './layout-problems.ts'
import { type Scenario, SCENARIOS } from './scenarios.ts'

interface Screen {
  readonly width: number
  readonly scheme: 'light' | 'dark'
}

interface Screenshot {
  readonly name: string
  readonly png: Buffer
}

const { values: given } = parseArgs({
  options: {
    out: { type: 'string', default: join(tmpdir(), 'standin-console') },
    scenarios: { type: 'string', default: SCENARIOS.map(({ name }) => name).join() },
    views: { type: 'string', default: '' },
    widths: { type: 'string', default: '360,1200,1600' },
    quick: { type: 'boolean', default: false },
  },
})

const SCREENS: readonly Screen[] = given.quick
  ? [
      { width: 360, scheme: 'dark' },
      { width: 1200, scheme: 'light' },
    ]
  : given.widths
      .split(',')
      .flatMap((width) => (['light', 'dark'] as const).map((scheme) => ({ width: Number(width), scheme })))

/** The first item of a view: a row, an entry of a list, or a card. */
const FIRST = '[data-item]'

/** The addresses in the navigation, such as `#/requests`. */
const VIEWS = `[...document.querySelectorAll('nav a[href^="#/"]')].map((link) => link.getAttribute('href'))`

mkdirSync(given.out, { recursive: true })
const problems: string[] = []
const browser = await launchChromium()
for (const scenario of SCENARIOS.filter(({ name }) => given.scenarios.split(',').includes(name)))
  await checkScenario(browser, scenario)
await browser.close()
for (const problem of new Set(problems)) process.stdout.write(`${problem}\n`)
process.stdout.write(
  `${problems.length === 0 ? 'No problems found' : `${problems.length} problems found`}. Screenshots: ${given.out}\n`,
)
process.exitCode = problems.length === 0 ? 0 : 1

async function checkScenario(chromium: Browser, scenario: Scenario): Promise<void> {
  const standin = scenario.create()
  const url = await standin.start()
  await scenario.prepare?.(url)
  const page = await chromium.newPage({ viewport: { width: 1200, height: 800 } })
  let where = scenario.name
  page.on('pageerror', (error) => problems.push(`${where}: ${error.message}`))
  page.on('console', (message) => {
    if (message.type() === 'error') problems.push(`${where}: ${message.text()}`)
  })
  await page.goto(`${url}/__mock/`)
  await page.getByText('live', { exact: true }).waitFor()
  const views = (await page.evaluate<readonly string[]>(VIEWS)).filter(
    (view) => given.views === '' || given.views.split(',').includes(view.slice(2)),
  )
  const screenshots: Screenshot[] = []
  for (const view of views) {
    where = `${scenario.name} ${view.slice(2)}`
    await page.setViewportSize({ width: 1200, height: 800 })
    await page.goto(`${url}/__mock/${view}`)
    await settle(page)
    screenshots.push(...(await takeScreenshots(page, where)))
    await page.setViewportSize({ width: 1200, height: 800 })
    const first = page.getByRole('main').locator(FIRST).first()
    if ((await first.count()) === 0) continue
    await first.click()
    await settle(page)
    where += ' detail'
    screenshots.push(...(await takeScreenshots(page, where)))
  }
  await page.close()
  await writeSheet(chromium, scenario.name, screenshots)
  await standin.stop()
}

/** Waits until nothing is loading. */
async function settle(page: Page): Promise<void> {
  await page.waitForTimeout(150)
  await page
    .getByText('Loading…', { exact: true })
    .first()
    .waitFor({ state: 'detached', timeout: 10_000 })
    .catch(() => undefined)
  await page.waitForTimeout(150)
}

async function takeScreenshots(page: Page, where: string): Promise<readonly Screenshot[]> {
  const screenshots: Screenshot[] = []
  for (const { width, scheme } of SCREENS) {
    await page.emulateMedia({ colorScheme: scheme })
    await page.setViewportSize({ width, height: 800 })
    const name = `${where.replaceAll(' ', '-')}-${width}-${scheme}`
    const found = [...(await findLayoutProblems(page)), ...(await seriousFindings(page))]
    problems.push(...found.map((problem) => `${where}, ${width} px, ${scheme}: ${problem}`))
    const png = await page.screenshot({ path: join(given.out, `${name}.png`) })
    screenshots.push({ name, png })
  }
  return screenshots
}

/** All screenshots of a scenario in one image, as thumbnails. */
async function writeSheet(chromium: Browser, scenario: string, screenshots: readonly Screenshot[]): Promise<void> {
  const page = await chromium.newPage({ viewport: { width: 1920, height: 1080 } })
  const figures = screenshots.map(
    ({ name, png }) =>
      `<figure><img src="data:image/png;base64,${png.toString('base64')}"><figcaption>${name}</figcaption></figure>`,
  )
  await page.setContent(
    `<style>body{display:flex;flex-wrap:wrap;gap:12px;font:13px sans-serif;background:#888}figure{margin:0}img{height:360px;display:block}</style>${figures.join('')}`,
  )
  const sheet = await page.screenshot({ fullPage: true, type: 'png' })
  writeFileSync(join(given.out, `${scenario}.png`), sheet)
  await page.close()
}
