import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ConsoleTester, seriousFindings, startConsole } from '../../support/console.ts'

let tester: ConsoleTester

beforeAll(async () => {
  tester = await startConsole()
})

afterAll(() => tester.close())

function search(body: object, limit = 3) {
  return fetch(`${tester.url}/api/files/v1/filesets/demo/files/search?limit=${limit}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'X-SERVICE-Developer-Token': 'any' },
    body: JSON.stringify(body),
  })
}

test('before the first request the page says where to send one', async () => {
  const page = await tester.open('requests')
  await page.getByRole('heading', { name: 'No requests yet' }).waitFor()
  expect(await page.getByRole('main').innerText()).toContain(tester.url)
})

test('a request appears as it arrives, and says why it was refused', async () => {
  const page = await tester.open('requests')
  await search({ filters: [{ field: 'nam', operator: 'LIKE', value: ['a'] }] })
  await page.getByRole('row', { name: '/filters/0/field: got "nam". Did you mean name?' }).click()
  const detail = page.getByRole('region', { name: 'Request 1' })
  await detail.getByRole('listitem').getByText('Did you mean name?').waitFor()
  expect(page.url()).toContain('#/requests/1')
})

test('refused requests are found by one click', async () => {
  await search({})
  const page = await tester.open('requests')
  await page
    .getByRole('row', { name: /200 POST/ })
    .first()
    .waitFor()
  await page.getByRole('button', { name: 'Refused' }).click()
  await expect.poll(() => page.getByRole('row', { name: /200 POST/ }).count()).toBe(0)
  expect(await page.getByRole('row', { name: /400 POST/ }).count()).toBe(1)
})

test('a search explains why a file is missing from it', async () => {
  await search({ filters: [{ field: 'name', operator: 'LIKE', value: ['zebra'] }] })
  const page = await tester.open('requests')
  await page
    .getByRole('row', { name: /200 POST/ })
    .first()
    .click()
  await page.getByRole('button', { name: 'Explain' }).click()
  const explanation = page.getByRole('region', { name: 'Explanation' })
  await explanation.getByText('By the state of the sandbox when the request came.').waitFor()
  await explanation.getByText(/^Sorted by path, id: /).waitFor()
  // A part of a name leads to the paths that have it.
  await page.getByLabel('Why is this file (not) in it? Path, id or part of a name').fill('budget')
  await page.getByRole('button', { name: 'Ask' }).click()
  await explanation.getByText('Did you mean one of these?').waitFor()
  await explanation
    .getByRole('button', { name: /^finance\/budgets\/.*Budget/ })
    .first()
    .click()
  await explanation.getByText(/^It is not in the result\. Filter 1 asks for /).waitFor()
})

test('replaying a request sends it again and shows the new one', async () => {
  const page = await tester.open('requests/1')
  // The list stands once the row of the request that is open does: rows are not counted before.
  await page.getByRole('row', { selected: true }).waitFor()
  const before = await page.getByRole('row').count()
  await page.getByRole('button', { name: 'Replay it' }).click()
  await expect.poll(() => page.getByRole('row').count()).toBe(before + 1)
  expect(await page.getByRole('heading', { name: 'Request 1' }).count()).toBe(0)
})

test('a request is copied as a test', async () => {
  const page = await tester.open('requests/2', { permissions: ['clipboard-read', 'clipboard-write'] })
  await page.getByRole('button', { name: 'Copy as test' }).click()
  await page.getByRole('button', { name: 'Copied' }).waitFor()
  const copied = await page.evaluate<string>('navigator.clipboard.readText()')
  expect(copied).toContain("test('searchFiles responds with 200'")
  // One request is no whole client, so the test does not warn of pages that it leaves unread.
  expect(copied).toContain('goodClient: false')
  expect(copied).toContain("standin.fetch('/api/files/v1/filesets/demo/files/search")
  expect(copied).not.toContain(tester.url)
})

test('a request is repeated with another setting in a fork, and both responses are compared', async () => {
  await search({ filters: [{ field: 'name', operator: 'LIKE', value: ['budget'] }] }, 20)
  const page = await tester.open('requests')
  await page.getByRole('row', { name: /name LIKE budget · limit = 20/ }).click()
  const repeated = await page.getByRole('heading', { name: /Request \d+/ }).innerText()
  await page.getByText(/Depended on \d+ behaviours/).click()
  const behaviour = page.getByRole('listitem').filter({ hasText: 'page.last' })
  await behaviour.getByRole('button', { name: 'Repeat with another setting' }).click()
  expect(await behaviour.getByRole('group').getByRole('button').allInnerTexts()).toEqual(['null', 'empty'])
  await behaviour.getByRole('button', { name: 'null', exact: true }).click()
  const comparison = page.getByRole('region', { name: 'Comparison of responses' })
  await comparison.getByText('body.pageContext.next').waitFor()
  await page.getByRole('status').filter({ hasText: 'You are now in default-page.last-null' }).waitFor()
  expect(await bottomOf(page, 'main')).toBeLessThanOrEqual(await topOf(page, '.as-code'))
  expect(await bottomOf(page, '.detail')).toBeLessThanOrEqual(await topOf(page, '.as-code'))
  await page.getByRole('button', { name: 'Back to default' }).click()
  await page.getByRole('heading', { name: repeated }).waitFor()
  await page.getByRole('row', { name: /name LIKE budget · limit = 20/, selected: true }).waitFor()
})

/** What the tests use of an element. */
interface Box {
  readonly scrollWidth: number
  readonly clientWidth: number
  readonly parentElement: Box | null
}

async function topOf(page: Page, selector: string): Promise<number> {
  return (await page.locator(selector).boundingBox())!.y
}

async function bottomOf(page: Page, selector: string): Promise<number> {
  const { y, height } = (await page.locator(selector).boundingBox())!
  return y + height
}

test('a comparison of long values stays inside its panel', async () => {
  await search({ filters: [{ field: 'name', operator: 'LIKE', value: ['budget'] }] }, 5)
  await search({}, 20)
  const page = await tester.open('requests', { viewport: { width: 1280, height: 800 } })
  await page
    .getByRole('row', { name: /limit = 20/ })
    .first()
    .click()
  await page.getByLabel('Compare the response with that of request').selectOption({ index: 1 })
  await page.getByText(/^\d+ differences to request/).waitFor()
  const body = page.locator('.detail-body')
  for (const width of [1280, 800]) {
    await page.setViewportSize({ width, height: 800 })
    expect(await body.evaluate((detail: Box) => detail.scrollWidth - detail.clientWidth)).toBe(0)
  }
})

test('the explanation is of the moment of the request', async () => {
  await tester.control.createFileSet({ id: 'moment', files: [{ path: 'early.txt' }] })
  await fetch(`${tester.url}/api/files/v1/filesets/moment/files/search`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'X-SERVICE-Developer-Token': 'any' },
    body: '{}',
  })
  const { files } = await tester.control.listFiles('moment')
  await tester.control.deleteFile('moment', files[0]!.id)
  const page = await tester.open('requests')
  await page.getByRole('row', { name: /moment/ }).click()
  await page.getByRole('button', { name: 'Explain' }).click()
  await page.getByLabel(/Why is this file/).fill('early')
  await page.getByRole('button', { name: 'Ask' }).click()
  await page.getByText('It is in the result.').waitFor()
  await page.getByText(/^1 entry matches all of these/).waitFor()
})

test('what was ignored is said in the row and in the detail', async () => {
  await fetch(`${tester.url}/api/files/v1/filesets/demo/files/search?limit=1&cursor=abc`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'X-SERVICE-Developer-Token': 'any' },
    body: '{}',
  })
  const page = await tester.open('requests')
  await page.getByRole('row', { name: /limit = 1 *ignored: cursor/ }).click()
  await page.getByText('Ignored, for the operation does not use it: cursor').waitFor()
  await page
    .getByText('cursorabcignored')
    .or(page.locator('dl div', { hasText: 'cursor' }))
    .first()
    .waitFor()
})

test('the refused say why, also where one is open, and a long path keeps its end', async () => {
  await search({ filters: 'budget' })
  const page = await tester.open('requests', { viewport: { width: 1280, height: 800 } })
  await page.getByRole('button', { name: 'Refused' }).click()
  const row = page.getByRole('row', { name: /filters: budget/ })
  const why = row.getByText('/filters: expected an array, got "budget".')
  const isWhole = () => why.evaluate((cell: Box) => cell.scrollWidth <= (cell.parentElement?.clientWidth ?? 0))
  await why.waitFor()
  expect(await isWhole()).toBe(true)
  await row.click()
  await page.getByRole('heading', { name: /Request \d+/ }).waitFor()
  expect(await isWhole()).toBe(true)
  expect(
    await row
      .locator('.request-url > span')
      .last()
      .evaluate((end: Box) => end.scrollWidth <= end.clientWidth),
  ).toBe(true)
})

test('what was wrong with a request is marked at its place', async () => {
  const page = await tester.open('requests/1')
  const marked = page.getByRole('group', { name: 'Request body' }).locator('mark')
  await marked.waitFor()
  expect(await marked.innerText()).toMatch(/^ *"field": "nam",\s*Problem 1$/)
  // Its number leads to the reason, which is said once.
  expect(await page.locator('.detail').locator('li, mark').filter({ hasText: 'Did you mean name?' }).count()).toBe(1)
})

test('a link with the id of a response leads to its request', async () => {
  const response = await search({})
  const page = await tester.open(`requests/id/${response.headers.get('x-request-id') ?? ''}`)
  const { exchanges } = await tester.control.listExchanges({ limit: 1 })
  await page.getByRole('heading', { name: `Request ${exchanges[0]?.id ?? 0}` }).waitFor()
  await page.goto(`${tester.url}/__mock/#/requests/id/none`)
  await page.getByRole('heading', { name: 'This request is not in the journal' }).waitFor()
})

test('a text in a body finds its requests', async () => {
  const page = await tester.open('requests')
  await page.getByLabel('Filter by path, operation or text in a body').fill('ZEBRA')
  await expect.poll(() => page.getByRole('row', { name: /POST/ }).count()).toBe(1)
  await page.getByLabel('Filter by path, operation or text in a body').fill('no such text')
  await page.getByRole('button', { name: 'Show all requests' }).click()
  await page
    .getByRole('row', { name: /400 POST/ })
    .first()
    .waitFor()
})

test('a fault is named by its id', async () => {
  await tester.control.armFaults({ id: 'outage', kind: 'status', status: 503, times: 1 })
  await search({})
  const page = await tester.open('requests')
  await page.getByRole('row', { name: /503 POST.*outage/ }).click()
  await page.getByText('The fault outage (status) was applied').waitFor()
  await page.getByRole('heading', { name: 'A fault responded' }).waitFor()
  expect(await page.getByRole('heading', { name: 'Why it was refused' }).count()).toBe(0)
})

test('the rows stay where they are when a request opens, and the hint of the filter is whole', async () => {
  const page = await tester.open('requests')
  const row = page.getByRole('row', { name: /400 POST/ }).first()
  const place = async () => (await row.boundingBox())?.y
  const before = await place()
  await row.click()
  await page.getByRole('heading', { name: /Request \d+/ }).waitFor()
  expect(await place()).toBe(before)
  const filter = page.getByLabel('Filter by path, operation or text in a body')
  await filter.evaluate((input: { value: string; placeholder: string }) => (input.value = input.placeholder))
  expect(
    await filter.evaluate(
      (input: Record<'scrollWidth' | 'clientWidth', number>) => input.scrollWidth - input.clientWidth,
    ),
  ).toBe(0)
})

test('a phone shows that there are more views, and a touch leads to them', async () => {
  const page = await tester.open('requests', { viewport: { width: 360, height: 800 } })
  const last = page.getByRole('link', { name: 'API docs' })
  const distance = async () => (await last.boundingBox())?.x ?? 0
  const more = page.getByText('›', { exact: true })
  for (let touches = 0; touches < 6 && (await more.isVisible()); touches++) {
    const before = await distance()
    await more.click()
    await expect.poll(distance).toBeLessThan(before)
    await page.waitForTimeout(400)
  }
  await more.waitFor({ state: 'hidden' })
  expect(await distance()).toBeLessThan(300)
  await page.getByText('‹', { exact: true }).waitFor()
})

test('a long cursor leaves room for the reason', async () => {
  const first = (await (await search({})).json()) as { pageContext: { next: string } }
  const next = first.pageContext.next.slice(0, -1)
  await fetch(`${tester.url}/api/files/v1/filesets/demo/files/search?next=${next}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'X-SERVICE-Developer-Token': 'any' },
    body: '{}',
  })
  const { exchanges } = await tester.control.listExchanges({ limit: 1 })
  const reason = exchanges[0]?.issues[0]?.message ?? exchanges[0]?.problem ?? 'none'
  const page = await tester.open('requests')
  const shown = page
    .getByRole('row', { name: /400 POST/ })
    .first()
    .getByText(reason)
  await shown.waitFor()
  expect((await shown.boundingBox())?.width).toBeGreaterThan(150)
})

test('j, k, Enter and Escape move through the requests', async () => {
  const page = await tester.open('requests')
  await page.getByRole('row', { name: /POST/ }).first().waitFor()
  await page.keyboard.press('j')
  await page.keyboard.press('Enter')
  await page.getByRole('region', { name: /Request \d+/ }).waitFor()
  const ids = (await tester.control.listExchanges()).exchanges.map(({ id }) => id).reverse()
  const shown = () => page.getByRole('heading', { name: /^Request \d+$/ }).innerText()
  expect(await shown()).toBe(`Request ${ids[0] ?? 0}`)
  await page.keyboard.press('j')
  await expect.poll(shown).toBe(`Request ${ids[1] ?? 0}`)
  await page.keyboard.press('k')
  await expect.poll(shown).toBe(`Request ${ids[0] ?? 0}`)
  await page.keyboard.press('Escape')
  await page.getByRole('region', { name: /Request \d+/ }).waitFor({ state: 'detached' })
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect.poll(shown).toBe(`Request ${ids[1] ?? 0}`)
})

test('the list keeps its place while requests arrive, and follows them at the top', async () => {
  for (let count = 0; count < 100; count++) await search({})
  const page = await tester.open('requests')
  const rows = page.getByRole('table', { name: 'Requests' })
  const top = 'document.querySelector("[role=rowgroup]")'
  await rows.getByRole('row', { name: /POST/ }).first().waitFor()
  await page.evaluate(`${top}.scrollTop = 1600`)
  // Not waitForFunction, which the page's content security policy refuses.
  await rows.locator('[data-index="50"]').waitFor()
  const offset = `(() => { const row = ${top}.querySelector('[data-index="50"]'); return row.getBoundingClientRect().top })()`
  const before = await page.evaluate<number>(offset)
  await search({})
  // The row that was the 50th is the 51st now, where it was.
  await expect.poll(() => page.evaluate<number>(offset.replace('50', '51'))).toBe(before)
  await page.evaluate(`${top}.scrollTop = 0`)
  await search({ filters: [{ field: 'nam', operator: 'LIKE', value: ['a'] }] })
  await rows.locator('[data-index="0"]').getByText('400').waitFor()
  expect(await page.evaluate<number>(`${top}.scrollTop`)).toBe(0)
})

test('the requests are exported as HAR, and cleared after a question', async () => {
  const page = await tester.open('requests')
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export HAR' }).click()
  const stream = await (await download).createReadStream()
  const har = JSON.parse(Buffer.concat(await stream.toArray()).toString()) as { log: { entries: unknown[] } }
  expect(har.log.entries.length).toBeGreaterThan(100)
  await page.getByRole('button', { name: 'Clear' }).click()
  expect((await tester.control.listExchanges()).exchanges).not.toEqual([])
  await page.getByRole('button', { name: 'Clear for good?' }).click()
  await page.getByRole('heading', { name: 'No requests yet' }).waitFor()
  await search({ filters: [{ field: 'nam', operator: 'LIKE', value: ['a'] }] })
  await page.getByRole('row', { name: /400 POST/ }).waitFor()
})

test('the pages of a walk unfold into rows that are all in view', async () => {
  const walk = `${tester.url}/api/files/v1/filesets/demo/files/search?limit=299`
  let next: string | undefined
  for (let page = 0; page < 4; page++) {
    const response = await fetch(next === undefined ? walk : `${walk}&next=${encodeURIComponent(next)}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'X-SERVICE-Developer-Token': 'any' },
      body: '{}',
    })
    next = ((await response.json()) as { pageContext: { next?: string } }).pageContext.next
  }
  const page = await tester.open('requests')
  await page.getByRole('searchbox').fill('limit=299')
  await page.getByRole('button', { name: '4 pages' }).click()
  const rows = page.getByRole('row', { name: /200 POST/ })
  await expect.poll(() => rows.count()).toBe(4)
  const list = await page.getByRole('rowgroup').first().boundingBox()
  const last = await rows.last().boundingBox()
  expect((last?.y ?? Infinity) + (last?.height ?? 0)).toBeLessThanOrEqual((list?.y ?? 0) + (list?.height ?? 0))
})

test.for(['light', 'dark'] as const)('axe-core finds nothing serious in the %s page', async (colorScheme) => {
  const page = await tester.open('requests', { colorScheme })
  await page.getByRole('row', { name: /400 POST/ }).click()
  await page.getByRole('heading', { name: /Request \d+/ }).waitFor()
  expect(await seriousFindings(page)).toEqual([])
})
