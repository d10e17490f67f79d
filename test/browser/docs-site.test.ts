import { execFile } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { packageVersion } from '../../src/base/formats/source-file.ts'
import { createDirectory } from '../support/command.ts'
import { launchChromium, seriousFindings } from '../support/console.ts'
import { ROOT } from '../support/example-project.ts'
import { serveFiles } from '../support/servers/static-server.ts'

const BASE = '/pages/standin/'

let browser: Browser
let site: Awaited<ReturnType<typeof serveFiles>>
let folder: ReturnType<typeof createDirectory>

beforeAll(async () => {
  folder = createDirectory({})
  site = await serveFiles(folder.path, BASE)
  const env = { ...process.env, DOCS_URL: site.url }
  await promisify(execFile)(process.execPath, ['scripts/docs-site/build.ts', folder.path], { cwd: ROOT, env })
  browser = await launchChromium()
}, 300_000)

afterAll(async () => {
  await browser.close()
  site.stop()
  folder.remove()
})

/** Opens a page of the site, which may ask nothing of another host. */
async function open(path: string, colorScheme: 'light' | 'dark' = 'light', width = 1300): Promise<Page> {
  const permissions = ['clipboard-read', 'clipboard-write']
  const context = await browser.newContext({ viewport: { width, height: 900 }, colorScheme, permissions })
  onTestFinished(() => context.close())
  const page = await context.newPage()
  page.on('request', (request) => expect(request.url()).toMatch(/^(?:data:|blob:|http:\/\/127\.0\.0\.1:)/))
  await page.goto(site.url + path, { waitUntil: 'networkidle' })
  return page
}

test('each claim of the landing page leads to a page, and the playground opens', async () => {
  const page = await open('')
  const claims = page.locator('.VPFeature')
  expect(await claims.count()).toBe(6)
  for (const address of await claims.evaluateAll((all) => all.map((one) => (one as unknown as { href: string }).href)))
    expect((await fetch(address)).status, address).toBe(200)
  await page.getByRole('link', { name: 'Try it in this tab' }).click()
  await page.getByText('all is well').waitFor()
})

test('the playground and its frames are dark where a reader chose so in the docs', async () => {
  const page = await open('tutorial.html')
  await page.locator('.VPSwitchAppearance').first().click()
  await page.getByRole('link', { name: 'the playground' }).click()
  await page.getByText('all is well').waitFor()
  await page.getByRole('navigation').getByRole('button', { name: 'API docs' }).click()
  await page
    .frameLocator('iframe')
    .getByRole('heading', { name: /Tickets/ })
    .waitFor()
  for (const frame of page.frames())
    expect(await frame.evaluate('getComputedStyle(document.body).backgroundColor')).toBe('rgb(16, 17, 22)')
})

test('the search of the page finds sections, without a service', async () => {
  const page = await open('testing.html')
  await page
    .getByRole('button', { name: /Search/ })
    .first()
    .click()
  await page.getByRole('searchbox').fill('page.last')
  await page.locator('.result').first().waitFor()
  expect((await page.locator('.result').allInnerTexts()).join('\n')).toContain('Behaviours')
  // Pages come before what changed in them.
  await page.getByRole('searchbox').fill('webhook signature')
  await page.getByText('What a receiver has to cope with').waitFor()
  expect(await page.locator('.result').first().innerText()).not.toContain('Changelog')
})

test('a page is copied as Markdown, with links to the site', async () => {
  const page = await open('tutorial.html')
  await page.getByRole('button', { name: 'Copy page as Markdown' }).click()
  await page.getByText('Copied').waitFor()
  const copied = await page.evaluate<string>('navigator.clipboard.readText()')
  const source = readFileSync(join(ROOT, 'docs/tutorial.md'), 'utf8')
  const code = (markdown: string) => markdown.match(/^```[^]*?^```/gm)
  expect(code(copied)).toEqual(code(source))
  expect(copied).toContain(`[collection](${site.url}collections.md)`)
  expect(copied).toContain(`[the playground](${site.url}playground/)`)
})

test('the menu of versions leads to the same page of another version, or to its start', async () => {
  const page = await open('tutorial.html')
  const menu = page.getByRole('combobox', { name: 'Version' }).first()
  const version = packageVersion()
  expect(await menu.locator('option').allInnerTexts()).toEqual([expect.stringContaining(`v${version}`)])
  // As `publish.ts` leaves it.
  const old = join(folder.path, '0.0.1')
  mkdirSync(old)
  for (const name of ['index.html', 'tutorial.html']) writeFileSync(join(old, name), `<title>${name} of 0.0.1</title>`)
  writeFileSync(join(folder.path, 'versions.json'), JSON.stringify([version, '0.0.1']))
  await page.reload({ waitUntil: 'networkidle' })
  await menu.selectOption('v0.0.1')
  await page.waitForURL(`${site.url}0.0.1/tutorial.html`)
  await page.goto(`${site.url}mutate.html`, { waitUntil: 'networkidle' })
  await menu.selectOption('v0.0.1')
  await page.waitForURL(`${site.url}0.0.1/`)
})

test('a link to a page shows a title, a sentence and a picture', async () => {
  const page = await open('mutate.html')
  const metaOf = (property: string) => page.locator(`meta[property="${property}"]`).getAttribute('content')
  expect(await metaOf('og:title')).toContain('Changes that your tests would not notice')
  expect(await metaOf('og:description')).toContain('standin mutate runs your tests')
  expect(await metaOf('og:url')).toBe(`${site.url}mutate.html`)
  const picture = await fetch((await metaOf('og:image')) ?? '')
  expect([...new Uint8Array(await picture.arrayBuffer()).slice(1, 4)]).toEqual([...Buffer.from('PNG')])
  expect(await (await fetch(`${site.url}sitemap.xml`)).text()).toContain(`<loc>${site.url}mutate.html</loc>`)
})

test.each(['light', 'dark'] as const)(
  'the landing page and the tutorial can be read on a phone, %s',
  async (scheme) => {
    for (const path of ['', 'tutorial.html']) {
      const page = await open(path, scheme, 360)
      expect(await page.evaluate('document.documentElement.scrollWidth'), path).toBeLessThanOrEqual(360)
      expect(await seriousFindings(page), path).toEqual([])
    }
  },
)
