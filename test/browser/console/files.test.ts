import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createControlClient } from '../../../src/index.ts'
import { type ConsoleTester, seriousFindings, startConsole } from '../../support/console.ts'

/** In the page: the part that scrolls. */
const ROWS = `document.querySelector('[role=table] [role=rowgroup]')`

const TOP = `${ROWS}.scrollTop`

/** As a scroll bar that is dragged to the end: many places in a second. */
const DRAG = `(async () => {
  for (let step = 1; step <= 60; step++) {
    ${ROWS}.scrollTop = (${ROWS}.scrollHeight * step) / 60
    await new Promise((resolve) => requestAnimationFrame(resolve))
  }
})()`

/** 0 while the rows in view are not drawn yet. */
const FIRST_IN_VIEW = `([...${ROWS}.querySelectorAll('[data-index]')]
  .filter((row) => row.getBoundingClientRect().top >= ${ROWS}.getBoundingClientRect().top - 1)
  .map((row) => Number(row.getAttribute('aria-rowindex')))
  .sort((a, b) => a - b)[0] ?? 0)`

const SMALL = {
  fixtures: [
    {
      fileSets: [
        {
          id: 'tiny',
          files: [
            { path: 'plan.txt', size: 12 },
            { path: 'finance/a-budget.xlsx', created: '2026-03-01T09:00:00.000Z' },
            { path: 'finance/2026/b-budget.xlsx', created: '2026-03-02T09:00:00.000Z' },
            { path: 'finance/2026/c-budget.xlsx', created: '2026-03-03T09:00:00.000Z' },
          ],
        },
      ],
    },
  ],
}

describe('a usual file set', () => {
  let tester: ConsoleTester
  const control = () => createControlClient({ url: tester.url })
  const idOf = async (path: string) => (await control().listFiles('tiny', { path })).files[0]?.id ?? 'none'

  beforeAll(async () => {
    tester = await startConsole(SMALL)
  })

  afterAll(() => tester.close())

  test('the tree is opened level by level, and the table shows the directory that is chosen', async () => {
    const page = await tester.open('files/tiny')
    await page.getByRole('row', { name: /plan\.txt/ }).waitFor()
    expect(await page.getByRole('button', { name: /^2026/ }).count()).toBe(0)
    await page.getByRole('button', { name: 'Directories in finance' }).click()
    await page.getByRole('button', { name: /^2026/ }).click()
    await page.getByRole('row', { name: /b-budget/ }).waitFor()
    await expect.poll(() => page.getByRole('row').count()).toBe(3)
    await page.getByRole('navigation', { name: 'Path' }).getByRole('button', { name: 'finance' }).click()
    await page.getByRole('row', { name: /2026\// }).click()
    await page.getByText('2 files and directories').waitFor()
  })

  test('a file has an address that shows all its fields', async () => {
    const page = await tester.open(`files/tiny/${await idOf('plan.txt')}`)
    const detail = page.getByRole('region', { name: 'File', exact: true })
    await detail.getByText('12 bytes').waitFor()
    expect(await detail.getByRole('term').allInnerTexts()).toContain('connectorKey')
  })

  test('the search is sent to the service, page by page by its cursors', async () => {
    const page = await tester.open('files/tiny')
    const sent: string[] = []
    page.on('request', (request) => {
      if (request.method() === 'POST' && request.url().includes('/files/search')) sent.push(request.url())
    })
    await page.getByRole('button', { name: 'Search', exact: true }).click()
    const form = page.getByRole('form', { name: 'Search' })
    await form.getByRole('button', { name: 'Add a filter' }).click()
    await form.getByLabel('Values, one a line').fill('budget')
    await form.getByRole('button', { name: 'Add a sort key' }).click()
    await form.getByRole('button', { name: 'Add a date filter' }).click()
    await form.getByLabel('Created from (UTC)').fill('2026-03-01T00:00')
    await form.getByLabel('Entries on a page').fill('2')
    await form.getByRole('button', { name: 'Search', exact: true }).click()
    await page.getByText('Page 1 of 2').waitFor()
    expect(await page.getByRole('cell', { name: /budget/ }).allInnerTexts()).toEqual([
      'finance/2026/c-budget.xlsx',
      'finance/2026/b-budget.xlsx',
    ])
    await page.getByRole('button', { name: 'Cursor' }).click()
    const cursor = page.getByRole('region', { name: 'Cursor' })
    await cursor.getByText('finance/a-budget.xlsx').waitFor()
    await page.getByRole('button', { name: 'Next page' }).click()
    await page.getByRole('row', { name: /a-budget/ }).waitFor()
    expect(await page.getByRole('button', { name: 'Next page' }).isDisabled()).toBe(true)
    await page.getByRole('button', { name: 'Previous' }).click()
    await page.getByRole('row', { name: /c-budget/ }).waitFor()
    expect(sent).toHaveLength(2)
    expect(sent[1]).toContain('next=')
  })

  test('the form says why a file is missing, and is copied as the request that it sends', async () => {
    const page = await tester.open('files/tiny', { permissions: ['clipboard-read', 'clipboard-write'] })
    await page.getByRole('button', { name: 'Search', exact: true }).click()
    const form = page.getByRole('form', { name: 'Search' })
    await form.getByRole('button', { name: 'Add a filter' }).click()
    await form.getByLabel('Values, one a line').fill('budget')
    await form.getByRole('button', { name: 'Search', exact: true }).click()
    await page.getByRole('button', { name: 'Why is a file missing?' }).click()
    const asked = page.getByRole('region', { name: 'Why is a file missing?' })
    await asked.getByLabel('Name, path or id of the file').fill('plan.txt')
    await asked.getByRole('button', { name: 'Ask' }).click()
    await asked.getByText(/It is not in the result/).waitFor()
    expect(await asked.getByRole('listitem').filter({ hasText: 'fails' }).innerText()).toContain(
      'name contains "budget"',
    )
    await asked.getByLabel('Name, path or id of the file').fill(await idOf('finance/a-budget.xlsx'))
    await asked.getByRole('button', { name: 'Ask' }).click()
    await asked.getByText(/It is in the result/).waitFor()
    await asked.getByLabel('Name, path or id of the file').fill('budget')
    await asked.getByRole('button', { name: 'Ask' }).click()
    await asked.getByRole('button', { name: 'finance/a-budget.xlsx' }).click()
    await asked.getByText(/It is in the result/).waitFor()
    await page.getByRole('button', { name: 'Copy as curl' }).click()
    await page.getByRole('button', { name: 'Copied' }).waitFor()
    const curl = await page.evaluate<string>('navigator.clipboard.readText()')
    expect(curl).toContain(`${tester.url}/api/files/v1/filesets/tiny/files/search?limit=100`)
    expect(curl).toContain('"operator":"LIKE"')
  })

  test('a refused search says what was wrong with it', async () => {
    const page = await tester.open('files/tiny')
    await page.getByRole('button', { name: 'Search', exact: true }).click()
    const form = page.getByRole('form', { name: 'Search' })
    await form.getByLabel('Entries on a page').fill('many')
    await form.getByRole('button', { name: 'Search', exact: true }).click()
    await page
      .getByRole('alert')
      .getByText(/limit: expected/)
      .waitFor()
  })

  test('a file is added, moved and deleted, and what others change appears', async () => {
    const page = await tester.open('files/tiny')
    await page.getByRole('button', { name: 'Add files' }).click()
    const form = page.getByRole('form', { name: 'Add files' })
    await form.getByLabel(/One JSON object a line/).fill('{"size": 3}')
    await form.getByRole('button', { name: 'Add', exact: true }).click()
    await form.getByText('Line 1: expected an object with a path').waitFor()
    await form.getByLabel(/One JSON object a line/).fill('{"path": "new.txt", "size": 3}')
    await form.getByRole('button', { name: 'Add', exact: true }).click()
    const detail = page.getByRole('region', { name: 'File', exact: true })
    await detail.getByText('3 bytes').first().waitFor()

    await detail.getByLabel(/Path/).fill('archive/renamed.txt')
    await detail.getByRole('button', { name: 'Move' }).click()
    await page.getByRole('row', { name: /archive\/renamed\.txt/ }).waitFor()
    await page.getByRole('heading', { name: 'renamed.txt' }).waitFor()

    await control().addFiles('tiny', [{ path: 'by-another.txt' }])
    await page.getByRole('row', { name: /by-another/ }).waitFor()

    await detail.getByRole('button', { name: 'Delete' }).click()
    expect(await idOf('archive/renamed.txt')).not.toBe('none')
    await detail.getByRole('button', { name: 'Delete for good?' }).click()
    await expect.poll(() => page.getByRole('row', { name: /renamed/ }).count()).toBe(0)
    expect(await idOf('archive/renamed.txt')).toBe('none')
    expect(await detail.count()).toBe(0)
  })

  test.for(['light', 'dark'] as const)('axe-core finds nothing serious in the %s page', async (colorScheme) => {
    const page = await tester.open(`files/tiny/${await idOf('plan.txt')}`, { colorScheme })
    await page.getByText('12 bytes').first().waitFor()
    expect(await seriousFindings(page)).toEqual([])
    await page.getByRole('button', { name: 'Search', exact: true }).click()
    await page.getByRole('button', { name: 'Add a filter' }).click()
    await page.getByRole('button', { name: 'Add a date filter' }).click()
    await page.getByRole('form', { name: 'Search' }).getByRole('button', { name: 'Search', exact: true }).click()
    await page.getByText(/^Page 1/).waitFor()
    await page.getByRole('button', { name: 'Why is a file missing?' }).click()
    expect(await seriousFindings(page)).toEqual([])
  })
})

describe('a million files', () => {
  let tester: ConsoleTester

  beforeAll(async () => {
    tester = await startConsole({ files: 1_000_000 })
  })

  afterAll(() => tester.close())

  test('the list is scrolled to its end, and only what is looked at is loaded', async () => {
    const page = await tester.open('files/demo')
    await page.getByRole('row', { name: /Directory-Dell-Roob/ }).waitFor()
    const asked: string[] = []
    page.on('request', (request) => {
      if (request.url().includes('/files?')) asked.push(request.url())
    })
    await page.evaluate(DRAG)
    const count = Number(await page.getByRole('table', { name: 'Files' }).getAttribute('aria-rowcount'))
    expect(count).toBeGreaterThan(1_000_000)
    const last = page.locator(`[aria-rowindex="${count}"]`)
    await expect.poll(() => last.innerText()).toContain('support/')
    expect(asked.length).toBeLessThan(30)

    await last.focus()
    await page.keyboard.press('ArrowUp')
    await expect
      .poll(() => page.evaluate('document.activeElement.getAttribute("aria-rowindex")'))
      .toBe(String(count - 1))
    await page.keyboard.press('Home')
    await page
      .getByRole('row', { name: /Directory-Dell-Roob/ })
      .first()
      .waitFor()
  })

  test('the wheel moves by the same way in the middle as in a short list', async () => {
    const page = await tester.open('files/demo')
    const rows = page.getByRole('table', { name: 'Files' }).getByRole('rowgroup')
    await page.getByRole('row', { name: /Directory-Dell-Roob/ }).waitFor()
    await page.evaluate(`${ROWS}.scrollTop = ${ROWS}.scrollHeight / 2`)
    const firstInView = () => page.evaluate<number>(FIRST_IN_VIEW)
    await expect.poll(firstInView).toBeGreaterThan(400_000)
    const before = await firstInView()
    const top = await page.evaluate<number>(TOP)
    await rows.hover()
    await page.mouse.wheel(0, 340)
    await expect.poll(firstInView).toBe(before + 10)
    // Also once the scroll bar was put in proportion.
    await expect.poll(() => page.evaluate<number>(TOP)).toBeLessThan(top + 100)
    expect(await firstInView()).toBe(before + 10)
  })
})
