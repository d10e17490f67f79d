import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ConsoleTester, seriousFindings, startConsole } from '../../support/console.ts'

let files: ConsoleTester
let shop: ConsoleTester

beforeAll(async () => {
  files = await startConsole()
  shop = await startConsole({ contract: 'examples/shop/contract.yaml' })
  for (let count = 0; count < 3; count++) {
    await fetch(`${files.url}/no/such/operation`)
    await shop.control.createDocument('orders', { customerId: 1, lines: [] }).catch(() => undefined)
    await files.control.armFaults({ kind: 'latency', delay: { milliseconds: 1 } })
    await files.control.createSandbox({ name: `other-${count}` })
    await files.control.advanceClock({ toNextRun: true })
  }
})

afterAll(() => Promise.all([files.close(), shop.close()]))

/** What has the focus, as a place in the list of its view. */
function focusedItem(page: Page): Promise<number> {
  return page.evaluate<number>(
    `[...document.querySelectorAll('main [data-item]')].indexOf(document.activeElement.closest('[data-item]'))`,
  )
}

const address = (page: Page) => new URL(page.url()).hash

test.for([
  ['Requests', 'files'],
  ['Schedules', 'files'],
  ['Outbox', 'files'],
  ['Files', 'files'],
  ['Faults', 'files'],
  ['Coverage', 'files'],
  ['Sandboxes', 'files'],
  ['History', 'files'],
  ['Behaviours', 'files'],
  ['Collections', 'shop'],
] as const)('j, k, Enter and Escape work in %s, after a click on the navigation too', async ([view, server]) => {
  const page = await (server === 'files' ? files : shop).open('')
  await page.getByRole('navigation', { name: 'Views' }).getByRole('link', { name: view, exact: true }).click()
  if (view === 'Collections') {
    await page
      .getByRole('link', { name: /^products/ })
      .first()
      .click()
    // The overview of all collections has items, too.
    await expect.poll(() => page.locator('main .card-title').count()).toBe(0)
  }
  await page.locator('main [data-item]').nth(1).waitFor()
  await page.keyboard.press('j')
  expect(await focusedItem(page)).toBe(0)
  await page.keyboard.press('j')
  expect(await focusedItem(page)).toBe(1)
  await page.keyboard.press('k')
  expect(await focusedItem(page)).toBe(0)
  await page.keyboard.press('ArrowDown')
  expect(await focusedItem(page)).toBe(1)
  const list = address(page)
  await page.keyboard.press('Enter')
  await page.locator('section.detail').waitFor()
  await expect.poll(() => address(page)).not.toBe(list)
  await page.keyboard.press('Escape')
  await page.locator('section.detail').waitFor({ state: 'detached' })
  expect(await focusedItem(page)).toBe(1)
})

test('where one is open, j opens the next, also in a narrow window that shows no list', async () => {
  for (const width of [1200, 700]) {
    const page = await files.open('behaviours', { viewport: { width, height: 800 } })
    await page.locator('main [data-item]').first().waitFor()
    await page.keyboard.press('j')
    await page.keyboard.press('Enter')
    const shown = page.locator('section.detail h2')
    const first = await shown.innerText()
    await page.keyboard.press('j')
    await expect.poll(() => shown.innerText()).not.toBe(first)
    await page.keyboard.press('k')
    await expect.poll(() => shown.innerText()).toBe(first)
  }
})

test('the filter that was asked for right after Escape keeps the focus', async () => {
  const page = await files.open('requests')
  await page.keyboard.press('j')
  await page.keyboard.press('Enter')
  await page.getByRole('region', { name: /^Request / }).waitFor()
  // Both before the page is shown anew, as somebody may type, or a slow machine may see it.
  await page.evaluate(`for (const key of ['Escape', '/'])
    document.activeElement.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }))`)
  await page.evaluate(`new Promise((done) => requestAnimationFrame(() => setTimeout(done, 100)))`)
  expect(await page.evaluate(`document.activeElement.type`)).toBe('search')
})

test('keys in a field are text', async () => {
  const page = await files.open('behaviours')
  await page.keyboard.press('/')
  await page.keyboard.type('jk?')
  expect(await page.getByLabel('Filter behaviours').inputValue()).toBe('jk?')
  expect(await page.getByRole('dialog').count()).toBe(0)
})

test('? shows the keys, and gives the focus back', async () => {
  const page = await files.open('faults')
  await page.getByRole('link', { name: 'Faults' }).focus()
  await page.keyboard.press('?')
  const dialog = page.getByRole('dialog', { name: 'Keyboard' })
  await dialog.getByText('Open the row').waitFor()
  expect(await seriousFindings(page)).toEqual([])
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'hidden' })
  expect(await page.evaluate<string>('document.activeElement.textContent')).toBe('Faults')
})

async function openPalette(page: Page) {
  await page.keyboard.press('Control+k')
  const palette = page.getByRole('dialog', { name: 'Search' })
  await palette.getByRole('combobox').waitFor()
  return palette
}

test('the palette leads to views, operations and collections', async () => {
  const page = await shop.open('requests')
  for (const [typed, hash] of [
    ['cov', '#/coverage'],
    ['get /customers/{', '#/coverage/getCustomer'],
    ['collections orders', '#/collections/orders'],
  ] as const) {
    const palette = await openPalette(page)
    await page.keyboard.type(typed)
    await palette.getByRole('option', { selected: true }).waitFor()
    await page.keyboard.press('Enter')
    await expect.poll(() => address(page)).toBe(hash)
  }
})

test('the palette switches the sandbox, advances its clock and arms faults', async () => {
  const page = await files.open('requests')
  const choose = async (typed: string) => {
    const palette = await openPalette(page)
    await page.keyboard.type(typed)
    await palette.getByRole('option').first().waitFor()
    await page.keyboard.press('Enter')
  }
  await choose('other-1')
  await expect.poll(() => page.getByLabel('Sandbox').inputValue()).toBe('other-1')
  const other = files.control.in('other-1')
  const before = Date.parse((await other.getClock()).now)
  await choose('advance week')
  await page
    .getByRole('status')
    .getByText(/^The clock is at/)
    .waitFor()
  expect(Date.parse((await other.getClock()).now) - before).toBeGreaterThanOrEqual(7 * 86_400_000)
  const after = Date.parse((await other.getClock()).now)
  await choose('two weeks')
  await page
    .getByRole('status')
    .getByText(/^The clock is at/)
    .waitFor()
  await expect
    .poll(async () => Date.parse((await other.getClock()).now) - after)
    .toBeGreaterThanOrEqual(14 * 86_400_000)
  await choose('rate limited')
  await expect.poll(async () => (await other.listFaults()).faults.map(({ kind }) => kind)).toContain('rate-limit')
  await expect.poll(() => page.getByText('As code').locator('..').innerText()).toContain('armFaults')
})

test('the palette asks before it resets, and Escape changes nothing', async () => {
  const page = await files.open('requests')
  await page.getByLabel('Sandbox').selectOption('other-2')
  const other = files.control.in('other-2')
  await other.armFaults({ id: 'kept', kind: 'reset' })
  const ids = async () => (await other.listFaults()).faults.map(({ id }) => id)
  const palette = await openPalette(page)
  await page.keyboard.type('reset')
  await page.keyboard.press('Enter')
  await palette.getByText('Reset other-2 to its initial state?').waitFor()
  expect(await seriousFindings(page)).toEqual([])
  await page.keyboard.press('Escape')
  await palette.waitFor({ state: 'hidden' })
  expect(await ids()).toEqual(['kept'])
  await openPalette(page)
  await page.keyboard.type('reset')
  await page.keyboard.press('Enter')
  await page.keyboard.press('Enter')
  await expect.poll(ids).toEqual([])
})

test('the palette opens again however soon after it closed', async () => {
  const page = await files.open('requests')
  const palette = page.getByRole('dialog', { name: 'Search' })
  for (let count = 0; count < 60; count++) {
    await openPalette(page)
    await page.keyboard.press('Escape')
    await palette.waitFor({ state: 'hidden' })
  }
})

test('the palette keeps the focus, says what it does not find, and is found by a click', async () => {
  for (const viewport of [
    { width: 1200, height: 800 },
    { width: 360, height: 700 },
  ]) {
    const page = await files.open('requests', { viewport, colorScheme: 'dark' })
    const button = page.getByRole('button', { name: /^Search or jump to/ })
    await button.click()
    const palette = page.getByRole('dialog', { name: 'Search' })
    for (let count = 0; count < 4; count++) {
      await page.keyboard.press('Tab')
      // The browser's own controls may take part; nothing of the page behind does.
      expect(
        await page.evaluate<boolean>(
          `document.activeElement.closest('dialog, body > :not(#app)') !== null || document.activeElement === document.body`,
        ),
      ).toBe(true)
    }
    await palette.getByRole('combobox').fill('no such thing')
    await palette.getByText('Nothing has this name.').waitFor()
    expect(await seriousFindings(page)).toEqual([])
    await page.keyboard.press('Escape')
    await palette.waitFor({ state: 'hidden' })
    await expect.poll(() => page.evaluate<string>('document.activeElement.className')).toBe('header-search')
  }
})
