import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { unzipSync } from 'fflate'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { buildPlayground } from '../../scripts/docs-site/playground.ts'
import { createDirectory, runCommand } from '../support/command.ts'
import { launchChromium, seriousFindings } from '../support/console.ts'
import { ROOT } from '../support/example-project.ts'
import { openInFirefox } from '../support/firefox.ts'
import { serveFiles } from '../support/servers/static-server.ts'

const FIREFOX = process.env.FIREFOX ?? '/usr/bin/firefox-esr'
const TICKETS = readFileSync(join(ROOT, 'examples/tutorial/tickets.yaml'), 'utf8')
const SHOP = readFileSync(join(ROOT, 'examples/shop/contract.yaml'), 'utf8')
const NOTES = `openapi: 3.1.0
info: { title: Notes, version: '1' }
paths:
  /notes:
    get:
      operationId: listNotes
      responses:
        '200':
          description: All.
          content: { application/json: { schema: { type: array, items: { $ref: '#/components/schemas/Note' } } } }
    post:
      operationId: createNote
      requestBody:
        required: true
        content: { application/json: { schema: { $ref: '#/components/schemas/Note' }, example: { text: Buy milk } } }
      responses:
        '201':
          description: The note.
          content: { application/json: { schema: { $ref: '#/components/schemas/Note' } } }
components:
  schemas:
    Note:
      type: object
      required: [text]
      properties: { id: { type: integer, readOnly: true }, text: { type: string } }
`

let browser: Browser
let site: Awaited<ReturnType<typeof serveFiles>>
let folder: ReturnType<typeof createDirectory>

beforeAll(async () => {
  folder = createDirectory({})
  await buildPlayground(folder.path)
  site = await serveFiles(folder.path, '/pages/standin/playground/')
  browser = await launchChromium()
})

afterAll(async () => {
  await browser.close()
  site.stop()
  folder.remove()
})

async function open(fragment = '', options: BrowserContextOptions = {}): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1300, height: 900 }, ...options })
  onTestFinished(() => context.close())
  const page = await context.newPage()
  page.on('pageerror', (error) => {
    throw error
  })
  await page.goto(site.url + fragment)
  await page.locator('.verdict').waitFor({ state: 'attached' })
  return page
}

const documentOf = (page: Page) => page.getByRole('textbox', { name: /OpenAPI document/ })
const openTab = (page: Page, name: string) => page.getByRole('navigation').getByRole('button', { name }).click()

async function paste(page: Page, document: string, said: RegExp): Promise<void> {
  await documentOf(page).fill(document)
  await page.locator('.check').filter({ hasText: said }).waitFor()
}

async function send(page: Page, operation: string, status: string): Promise<string> {
  await page.getByLabel('Operation').selectOption(operation)
  await expect.poll(() => page.getByLabel('Path and query').inputValue()).toContain(operation.split(' ')[1] ?? '')
  await page.getByRole('button', { name: 'Send' }).click()
  const response = page.getByRole('region', { name: 'Response' })
  await response.getByText(status).waitFor()
  return response.locator('pre').first().innerText()
}

async function lines(args: readonly string[], cwd: string): Promise<string> {
  const { ended, stdout, stderr } = runCommand(args, { cwd })
  await ended
  return stdout() + stderr()
}

test('a pasted document is an API that remembers, and the console and the docs show it', async () => {
  const page = await open()
  await paste(page, NOTES, /2 operations: 2 in 1 collection/)
  await page.getByLabel('Operation').selectOption('POST /notes')
  await expect.poll(() => page.getByLabel('Body').inputValue()).toContain('Buy milk')
  await page.getByLabel('Body').fill('{ "text": "Water the plants" }')
  await page.getByRole('button', { name: 'Send' }).click()
  await page.getByText('201 Created').waitFor()
  expect(await send(page, 'GET /notes', '200 OK')).toContain('Water the plants')

  await openTab(page, 'Console')
  const console = page.frameLocator('iframe[title=Console]')
  await console.getByRole('row').filter({ hasText: 'POST' }).getByText('201').waitFor()
  await console.getByRole('link', { name: 'Behaviours' }).click()
  await console.getByRole('heading', { name: 'Behaviours' }).waitFor()

  await console.getByRole('link', { name: 'API docs' }).click()
  const docs = page.frameLocator('iframe[title="API docs"]')
  await docs.getByRole('heading', { name: /Notes/ }).waitFor()
  await docs.locator('#operations-default-listNotes').getByRole('button', { expanded: false }).first().click()
  await docs.getByRole('button', { name: 'Execute' }).click()
  await expect.poll(() => docs.locator('.live-responses-table').innerText()).toContain('Water the plants')
  await docs.getByRole('link', { name: 'openapi.yaml' }).click()
  await page.getByRole('region', { name: 'Response' }).getByText('title: Notes').waitFor()
})

test('the clock and the faults of the console are those of the API', async () => {
  const page = await open('#example=shop')
  await openTab(page, 'Console')
  const console = page.frameLocator('iframe[title=Console]')
  await console.getByRole('status').getByText('live', { exact: true }).waitFor()
  await console.getByText('Send a request in Try or in the API docs').waitFor()
  const answered = await page.evaluate(async () => {
    const { playground } = globalThis as unknown as {
      playground: { fetch(path: string, init: RequestInit): Promise<Response> }
    }
    const post = (path: string, body: object) =>
      playground.fetch(path, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
    await post('/__mock/faults', { kind: 'status', status: 503, times: 1 })
    await post('/__mock/clock/advance', { by: 'P14D' })
    return (await playground.fetch('/orders', {})).status
  })
  expect(answered).toBe(503)
  await console.getByRole('row').filter({ hasText: '/orders' }).getByText('503').waitFor()
})

test('what is wrong with a document is said as `standin check` says it, with its line', async () => {
  const page = await open()
  const noted = TICKETS.replace('requestBody', 'requestBdy')
  const broken = `${NOTES}  - not yaml\n`
  const checkOf = async (document: string) => {
    const directory = createDirectory({ 'openapi.yaml': document })
    onTestFinished(directory.remove)
    return lines(['check', '--contract', 'openapi.yaml'], directory.path)
  }

  const printed = await checkOf(TICKETS)
  await page.locator('.check summary').click()
  const report = await page.locator('.check pre').innerText()
  expect(printed.replace(', contract openapi.yaml', '')).toBe(
    `${report}\n${await page.locator('.verdict').innerText()}\n`,
  )

  await paste(page, noted, /requestBdy/)
  const [note = ''] = await page.locator('.check li').allInnerTexts()
  expect(await checkOf(noted)).toContain(`note: ${note}\n`)

  await paste(page, broken, /The API of the previous one goes on/)
  const [complaint = ''] = await page.locator('.check li').allInnerTexts()
  expect(await checkOf(broken)).toBe(`standin: ${complaint}\n`)
  await page.locator('.check .place').click()
  const selected = await page.evaluate('String(getSelection())')
  expect(selected).toBe(broken.split('\n')[Number(/:(\d+)/.exec(complaint)?.[1]) - 1])
})

test('a link has the document in its fragment, which no server sees', async () => {
  const page = await open('', { permissions: ['clipboard-read', 'clipboard-write'] })
  await paste(page, `${SHOP}# Grüße 🚀\n`, /15 operations/)
  await page.getByRole('button', { name: 'Copy link' }).click()
  await page.getByRole('status').getByText('The link is copied').waitFor()
  const link = await page.evaluate<string>('navigator.clipboard.readText()')
  expect(link).toMatch(/playground\/#document=[\w-]+$/)
  expect(link.length).toBeLessThan(10_000)

  const other = await open(new URL(link).hash)
  expect(await documentOf(other).inputValue()).toBe(`${SHOP}# Grüße 🚀\n`)
  expect(site.requests.filter((one) => one.includes('document='))).toEqual([])

  const cut = await open(new URL(link).hash.slice(0, 900))
  await cut.getByText('a part of the link is missing').waitFor()
})

test('a document that is too long for a link is refused with a sentence, and so is a link that unpacks into too much', async () => {
  const page = await open()
  const random = Array.from(
    { length: 3000 },
    (_, at) => `# ${(at * 2654435761).toString(36)} ${(at * 40503).toString(36)}`,
  )
  const buffer = Buffer.from(NOTES + random.join('\n'))
  await page.getByLabel('Open a file').setInputFiles({ name: 'notes.yaml', mimeType: 'application/yaml', buffer })
  await page.locator('.check').filter({ hasText: '2 operations' }).waitFor()
  await page.getByRole('button', { name: 'Copy link' }).click()
  await page.getByText(/^The link would have [\d,]+ characters, and 32,000 is the most/).waitFor()

  const packed = new Blob(['#'.repeat(50_000_000)]).stream().pipeThrough(new CompressionStream('deflate-raw'))
  const bomb = Buffer.from(await new Response(packed).arrayBuffer()).toString('base64url')
  const bombed = await open(`#document=${bomb}`)
  await bombed.getByText('has more than 2,000,000 characters').waitFor()
  expect(await documentOf(bombed).inputValue()).toBe(TICKETS)
})

test('the download is the document with what `standin init` writes for it', async () => {
  const page = await open('#example=shop')
  const saved = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download project' }).click()
  const zip = unzipSync(readFileSync(await (await saved).path()))
  const files = Object.fromEntries(Object.entries(zip).map(([name, bytes]) => [name, Buffer.from(bytes).toString()]))
  const directory = createDirectory({ 'openapi.yaml': SHOP })
  onTestFinished(directory.remove)
  await lines(['init', '--contract', 'openapi.yaml', '--runner', 'vitest'], directory.path)
  expect(Object.keys(files).toSorted()).toEqual([
    ...['openapi.yaml', 'standin.fixture.yaml', 'standin.test.ts', 'standin.yaml'],
  ])
  for (const [name, text] of Object.entries(files))
    expect(text, name).toBe(readFileSync(join(directory.path, name), 'utf8'))
  expect(await lines(['check', '--config', 'standin.yaml', '--strict'], directory.path)).toContain('all is well')
})

test('a phone shows a request beside its response, and a refusal beside a notice', async () => {
  const permissions = ['clipboard-read', 'clipboard-write']
  const page = await open('', { viewport: { width: 375, height: 780 }, permissions })
  await openTab(page, 'Try')
  await page.getByRole('button', { name: 'Send' }).click()
  await page.getByText('200 OK').waitFor()
  const send = await page.getByRole('button', { name: 'Send' }).boundingBox()
  expect((send?.x ?? 0) + (send?.width ?? 0)).toBeLessThanOrEqual(375 - 10)
  await page.getByRole('button', { name: 'Copy link' }).click()
  await page.getByRole('status').waitFor()
  await openTab(page, 'Document')
  await paste(page, 'openapi: 3.1.0\n  bad', /refused/)
  const [notice, verdict] = await Promise.all(['.notice', '.verdict'].map((one) => page.locator(one).boundingBox()))
  expect((notice?.y ?? 0) + (notice?.height ?? 0)).toBeLessThanOrEqual(verdict?.y ?? 0)
})

test('a dropped file is opened', async () => {
  const page = await open()
  const data = await page.evaluateHandle(
    `((transfer) => transfer.items.add(new File([${JSON.stringify(NOTES)}], 'notes.yaml')) && transfer)(new DataTransfer())`,
  )
  await page.locator('.editor').dispatchEvent('drop', { dataTransfer: data })
  await page.locator('.check').filter({ hasText: '2 operations' }).waitFor()
})

test('no request leaves the tab: only files of the site are loaded, and the browser refuses the others', async () => {
  const page = await open()
  const asked: string[] = []
  page.on('request', (request) => asked.push(`${request.method()} ${request.url()}`))
  await paste(page, NOTES, /2 operations/)
  await send(page, 'POST /notes', '201 Created')
  await openTab(page, 'Console')
  await page.frameLocator('iframe[title=Console]').getByRole('status').getByText('live', { exact: true }).waitFor()
  await openTab(page, 'API docs')
  await page.frameLocator('iframe[title="API docs"]').getByRole('heading', { name: /Notes/ }).waitFor()
  const isFile = (one: string) => one.startsWith(`GET ${site.url}`) && existsSync(fileOf(one))
  expect(asked.filter((one) => !isFile(one))).toEqual([])

  for (const frame of page.frames()) {
    const refused = await frame.evaluate(`new Promise((resolve) => {
      addEventListener('securitypolicyviolation', ({ effectiveDirective }) => resolve(effectiveDirective))
      const request = new XMLHttpRequest()
      request.open('GET', location.href)
      request.send()
    })`)
    expect(refused, frame.url()).toBe('connect-src')
  }
})

const fileOf = (request: string) =>
  join(
    folder.path,
    new URL(request.replace('GET ', '')).pathname.replace(/.*\/playground\//, '').replace(/(^|\/)$/, '$1index.html'),
  )

test.each(['light', 'dark'] as const)(
  'in a narrow window, %s, the document is a view of its own',
  async (colorScheme) => {
    const page = await open('', { viewport: { width: 360, height: 740 }, colorScheme })
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(360)
    await send(page, 'GET /tickets', '200 OK')
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(360)
    expect(await seriousFindings(page)).toEqual([])
    await openTab(page, 'Document')
    expect(await documentOf(page).isVisible()).toBe(true)
    expect(await seriousFindings(page)).toEqual([])
  },
)

test.runIf(existsSync(FIREFOX))('it works in Firefox', async () => {
  const page = await openInFirefox(FIREFOX, site.url)
  onTestFinished(() => page.close())
  const textOf = (selector: string) => page.evaluate(`document.querySelector('${selector}')?.innerText ?? ''`)
  await expect.poll(() => textOf('.verdict'), { timeout: 20_000 }).toContain('all is well')
  await expect.poll(() => page.evaluate(`document.querySelector('form.request') !== null`)).toBe(true)
  await page.evaluate(`document.querySelector('form.request button').click()`)
  await expect.poll(() => textOf('.response'), { timeout: 20_000 }).toContain('"tickets"')
  await page.evaluate(`document.querySelector('.tab-console').click()`)
  const inConsole = `document.querySelector('iframe')?.contentDocument?.body?.innerText ?? ''`
  await expect.poll(() => page.evaluate(inConsole), { timeout: 20_000 }).toContain('/tickets')
})
