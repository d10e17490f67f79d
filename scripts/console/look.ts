/**
 * Looks at the console as a person would: every view and the first thing in it, in a real Chromium, in the worlds of `worlds.ts`, light and
 * dark, at several widths. Writes the pictures, and one sheet of them for each world. Fails on what axe-core finds serious, on an error in
 * the page's console, on a page that scrolls sideways, and on text that is cut off.
 *
 *     npm run look                              # everything, into /tmp/standin-console
 *     npm run look -- --quick                   # a phone by night and a desk by day: what CI runs
 *     npm run look -- --worlds shop --views requests,faults --widths 360
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { Browser, Page } from 'playwright-core'
import { launchChromium, seriousFindings } from '../../test/support/console.ts'
import { findFlaws } from './flaws.ts'
import { type World, WORLDS } from './worlds.ts'

interface Look {
  readonly width: number
  readonly scheme: 'light' | 'dark'
}

interface Picture {
  readonly name: string
  readonly png: Buffer
}

const { values: given } = parseArgs({
  options: {
    out: { type: 'string', default: join(tmpdir(), 'standin-console') },
    worlds: { type: 'string', default: WORLDS.map(({ name }) => name).join() },
    views: { type: 'string', default: '' },
    widths: { type: 'string', default: '360,1200,1600' },
    quick: { type: 'boolean', default: false },
  },
})

const LOOKS: readonly Look[] = given.quick
  ? [
      { width: 360, scheme: 'dark' },
      { width: 1200, scheme: 'light' },
    ]
  : given.widths
      .split(',')
      .flatMap((width) => (['light', 'dark'] as const).map((scheme) => ({ width: Number(width), scheme })))

/** The first thing of a view: a row, an entry of a list, or a card. */
const FIRST = '.row[tabindex="0"], .list-link, tbody tr[tabindex="0"], tbody a, [role="treeitem"]'

/** The addresses in the navigation, such as `#/requests`. */
const VIEWS = `[...document.querySelectorAll('nav a[href^="#/"]')].map((link) => link.getAttribute('href'))`

mkdirSync(given.out, { recursive: true })
const flaws: string[] = []
const browser = await launchChromium()
for (const world of WORLDS.filter(({ name }) => given.worlds.split(',').includes(name))) await lookAt(browser, world)
await browser.close()
for (const flaw of new Set(flaws)) process.stdout.write(`${flaw}\n`)
process.stdout.write(
  `${flaws.length === 0 ? 'Nothing is wrong' : `${flaws.length} things are wrong`}: see ${given.out}\n`,
)
process.exitCode = flaws.length === 0 ? 0 : 1

async function lookAt(chromium: Browser, world: World): Promise<void> {
  const standin = world.create()
  const url = await standin.start()
  await world.prepare?.(url)
  const page = await chromium.newPage({ viewport: { width: 1200, height: 800 } })
  let where = world.name
  page.on('pageerror', (error) => flaws.push(`${where}: ${error.message}`))
  page.on('console', (message) => {
    if (message.type() === 'error') flaws.push(`${where}: ${message.text()}`)
  })
  await page.goto(`${url}/__mock/`)
  await page.getByText('live', { exact: true }).waitFor()
  const views = (await page.evaluate<readonly string[]>(VIEWS)).filter(
    (view) => given.views === '' || given.views.split(',').includes(view.slice(2)),
  )
  const pictures: Picture[] = []
  for (const view of views) {
    where = `${world.name} ${view.slice(2)}`
    await page.setViewportSize({ width: 1200, height: 800 })
    await page.goto(`${url}/__mock/${view}`)
    await settle(page)
    pictures.push(...(await shoot(page, where)))
    await page.setViewportSize({ width: 1200, height: 800 })
    const first = page.getByRole('main').locator(FIRST).first()
    if ((await first.count()) === 0) continue
    await first.click()
    await settle(page)
    where += ' detail'
    pictures.push(...(await shoot(page, where)))
  }
  await page.close()
  await writeSheet(chromium, world.name, pictures)
  await standin.stop()
}

/** Until what was asked for is there: no request for a while, and no text that says that it is loading. */
async function settle(page: Page): Promise<void> {
  await page.waitForTimeout(150)
  await page
    .getByText('Loading…', { exact: true })
    .first()
    .waitFor({ state: 'detached', timeout: 10_000 })
    .catch(() => undefined)
  await page.waitForTimeout(150)
}

async function shoot(page: Page, where: string): Promise<readonly Picture[]> {
  const pictures: Picture[] = []
  for (const { width, scheme } of LOOKS) {
    await page.emulateMedia({ colorScheme: scheme })
    await page.setViewportSize({ width, height: 800 })
    const name = `${where.replaceAll(' ', '-')}-${width}-${scheme}`
    const found = [...(await findFlaws(page)), ...(await seriousFindings(page))]
    flaws.push(...found.map((flaw) => `${where}, ${width} px, ${scheme}: ${flaw}`))
    const png = await page.screenshot({ path: join(given.out, `${name}.png`) })
    pictures.push({ name, png })
  }
  return pictures
}

/** All pictures of a world in one, as small as they can be told apart. */
async function writeSheet(chromium: Browser, world: string, pictures: readonly Picture[]): Promise<void> {
  const page = await chromium.newPage({ viewport: { width: 1920, height: 1080 } })
  const figures = pictures.map(
    ({ name, png }) =>
      `<figure><img src="data:image/png;base64,${png.toString('base64')}"><figcaption>${name}</figcaption></figure>`,
  )
  await page.setContent(
    `<style>body{display:flex;flex-wrap:wrap;gap:12px;font:13px sans-serif;background:#888}figure{margin:0}img{height:360px;display:block}</style>${figures.join('')}`,
  )
  const sheet = await page.screenshot({ fullPage: true, type: 'png' })
  writeFileSync(join(given.out, `${world}.png`), sheet)
  await page.close()
}
