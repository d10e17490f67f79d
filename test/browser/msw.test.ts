import { execFileSync } from 'node:child_process'
import { cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { type Browser, chromium, type Page } from 'playwright-core'
import { createServer, type ViteDevServer } from 'vite'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { createStandin, type Standin } from '../../src/index.ts'
import { createProject, ROOT } from '../support/example-project.ts'
import { collectResponses } from '../support/random/same-requests.ts'

const CONTRACTS = {
  shop: readFileSync(join(ROOT, 'examples/shop/contract.yaml'), 'utf8'),
  'full-service': readFileSync(join(ROOT, 'examples/full-service/contract.yaml'), 'utf8'),
}

let browser: Browser
let project: ReturnType<typeof createProject>
let server: ViteDevServer
let url: string

beforeAll(async () => {
  project = createProject(['msw-browser', 'shop'])
  const root = join(project.path, 'msw-browser')
  symlinkSync(join(ROOT, 'node_modules/vite'), join(project.path, 'node_modules/vite'))
  execFileSync(process.execPath, [join(ROOT, 'node_modules/msw/cli/index.js'), 'init', 'public', '--no-save'], {
    cwd: root,
  })
  writeFileSync(join(root, 'same.js'), SAME)
  cpSync(join(ROOT, 'test/support/random/same-requests.ts'), join(root, 'same-requests.ts'))
  for (const name of ['bypass', 'same'])
    writeFileSync(join(root, `${name}.html`), `<!doctype html><script type="module" src="./${name}.js"></script>`)
  server = await createServer({
    root,
    configFile: false,
    logLevel: 'warn',
    server: { host: '127.0.0.1', port: 0, fs: { strict: false } },
    optimizeDeps: { include: ['standin', 'standin/msw', 'msw', 'msw/browser'] },
  })
  await server.listen()
  url = `http://127.0.0.1:${(server.httpServer?.address() as AddressInfo).port}`
  browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
  })
})

afterAll(async () => {
  await browser.close()
  await server.close()
  project.remove()
})

/** The block of a page of the docs that contains a text. */
function blockOf(page: string, text: string): string {
  const blocks = readFileSync(join(ROOT, page), 'utf8').matchAll(/^```js\n([^]*?)^```/gm)
  return [...blocks].map(([, code = '']) => code).find((code) => code.includes(text)) ?? ''
}

/** A page with the handler of the docs. @param address of the running stand-in */
function bypassPage(address: string): string {
  return `import { bypass, http } from 'msw'
    import { setupWorker } from 'msw/browser'
    const handler = ${blockOf('docs/testing.md', 'bypass').replace('http://127.0.0.1:4010', address)}
    await setupWorker(handler).start({ quiet: true })
    document.title = 'ready'`
}

const SAME = `import { createStandin } from 'standin'
  import { collectResponses } from './same-requests.ts'
  window.collect = (contracts) => collectResponses(createStandin, contracts)
  document.title = 'ready'`

async function open(path: string): Promise<Page> {
  const context = await browser.newContext()
  onTestFinished(() => context.close())
  const page = await context.newPage()
  page.on('pageerror', (error) => console.error(error))
  await page.goto(`${url}/${path}`)
  return page
}

const statusOf = (page: Page) => page.getByRole('status')
const control = (page: Page, call: (standin: Standin) => unknown) =>
  page.evaluate(`(${call.toString()})(window.standin)`)

async function expectStatus(page: Page, text: string): Promise<void> {
  await expect.poll(() => statusOf(page).textContent(), { timeout: 20_000 }).toBe(text)
}

test('the docs show the file of the example', () => {
  const example = readFileSync(join(project.path, 'msw-browser/mocks.js'), 'utf8')
  expect(blockOf('docs/frontend.md', 'msw/browser')).toBe(example)
})

test('a page lists, searches, pages and updates, and its state lasts until it is loaded again', async () => {
  const page = await open('')
  await expectStatus(page, '4 of 10 customers')
  await page.getByText('More').click()
  await expectStatus(page, '8 of 10 customers')
  await page.getByText('More').click()
  await expectStatus(page, '10 of 10 customers')
  const names = await page.getByRole('listitem').allTextContents()
  expect(new Set(names).size).toBe(10)

  const city = page.getByLabel('City of Ada Lovelace')
  await city.fill('Reykjavik')
  await city.press('Tab')
  await expectStatus(page, 'Saved with 200')
  await page.getByRole('searchbox').fill('reykjavik')
  await page.getByRole('button', { name: 'Search' }).click()
  await expectStatus(page, '1 of 1 customers')

  await page.reload()
  await expectStatus(page, '4 of 10 customers')
  await page.getByRole('searchbox').fill('reykjavik')
  await page.getByRole('button', { name: 'Search' }).click()
  await expectStatus(page, '0 of 0 customers')
})

test('the control client moves the clock of the page, arms faults and resets', async () => {
  const page = await open('')
  await expectStatus(page, '4 of 10 customers')
  const search = () => page.getByRole('button', { name: 'Search' }).click()

  await control(page, (standin) => standin.control.armFaults({ kind: 'status', status: 503, times: 1 }))
  await search()
  await expectStatus(page, 'The list failed with 503.')
  await control(page, (standin) => standin.control.armFaults({ kind: 'reset', times: 1 }))
  await search()
  await expectStatus(page, 'Failed to fetch')
  await search()
  await expectStatus(page, '4 of 10 customers')

  const order = { customerId: 2, lines: [{ productId: 1, quantity: 1, unitPrice: 3450 }], total: 3450 }
  const placed = await page.evaluate(async (body) => {
    const init = { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) }
    return (await fetch('https://api.example.com/orders', init)).json() as Promise<{ id: number; status: string }>
  }, order)
  expect(placed.status).toBe('placed')
  await control(page, (standin) => standin.control.advanceClock({ by: 'P2D' }))
  const later = await page.evaluate(
    async (id) => (await fetch(`https://api.example.com/orders/${id}`)).json() as Promise<{ status: string }>,
    placed.id,
  )
  expect(later.status).toBe('shipped')
  await control(page, (standin) => standin.control.reset())
  const gone = await page.evaluate(
    async (id) => (await fetch(`https://api.example.com/orders/${id}`)).status,
    placed.id,
  )
  expect(gone).toBe(404)
})

test('with the same seed, clock and requests, Chromium gets the same responses as Node', async () => {
  const page = await open('same.html')
  await expect.poll(() => page.title(), { timeout: 20_000 }).toBe('ready')
  const inChromium = (await page.evaluate(
    (contracts) => (globalThis as unknown as { collect: (given: unknown) => unknown }).collect(contracts),
    CONTRACTS,
  )) as readonly unknown[]
  const inNode = await collectResponses(createStandin, CONTRACTS)
  expect(inNode.length).toBeGreaterThan(100)
  expect(inChromium).toHaveLength(inNode.length)
  for (const [index, response] of inChromium.entries()) expect(response).toEqual(inNode[index])
})

test('the handler of the docs passes the requests of a page to a running stand-in', async () => {
  const standin = createStandin()
  const address = await standin.start()
  onTestFinished(() => standin.stop())
  writeFileSync(join(project.path, 'msw-browser/bypass.js'), bypassPage(address))
  const page = await open('bypass.html')
  await expect.poll(() => page.title(), { timeout: 20_000 }).toBe('ready')
  const found = await page.evaluate(async () => {
    const response = await fetch('https://api.example.com/api/files/v1/filesets/demo/files/search?limit=2', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'X-SERVICE-Developer-Token': 'any' },
      body: JSON.stringify({ filters: [{ field: 'name', operator: 'LIKE', value: ['budget'] }] }),
    })
    return { status: response.status, files: ((await response.json()) as { files: unknown[] }).files.length }
  })
  expect(found).toEqual({ status: 200, files: 2 })
  const { exchanges } = await standin.control.listExchanges()
  expect(exchanges).toMatchObject([{ operationId: 'searchFiles' }])
})
