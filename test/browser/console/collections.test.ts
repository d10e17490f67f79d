import type { Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest'
import { type ConsoleTester, seriousFindings, startConsole } from '../../support/console.ts'
import { inPath, ref, shows, takes } from '../../support/contracts/pets.ts'
import { contractOf } from '../../support/contracts/small-contract.ts'

let tester: ConsoleTester

beforeAll(async () => {
  tester = await startConsole({ contract: 'examples/shop/contract.yaml', clock: '2026-03-05T14:30:00Z' })
})

beforeEach(async () => {
  await fetch(`${tester.url}/__mock/reset`, { method: 'POST' })
})

afterAll(() => tester.close())

const read = async (path: string) => (await (await fetch(`${tester.url}${path}`)).json()) as Record<string, unknown>
const field = (page: Page, name: string) => page.getByRole('textbox', { name, exact: true })

test('the collections are listed with their documents and operations', async () => {
  const page = await tester.open('collections')
  const tree = page.getByRole('navigation', { name: 'Collections' })
  await tree.getByRole('link', { name: /customers 10 list, create, read, delete, merge/ }).waitFor()
  const text = () => page.getByRole('main').innerText()
  await expect.poll(text).toContain('standin check --contract examples/shop/contract.yaml')
  await tree.getByRole('link', { name: /orders 10/ }).click()
  await page
    .getByRole('table', { name: 'orders' })
    .getByRole('row', { name: /^3 placed 4/ })
    .waitFor()
  expect(page.url()).toContain('#/collections/orders')
})

test('while the documents are loaded the page says so, and shows no row', async () => {
  const page = await tester.open('requests')
  const held = Promise.withResolvers<undefined>()
  await page.route('**/__mock/collections/customers?*', (route) => held.promise.then(() => route.continue()))
  await page.goto(`${tester.url}/__mock/#/collections/customers`)
  await page.getByRole('status').getByText('Making the first documents…').waitFor()
  expect(await page.getByRole('row', { name: /Ada Lovelace/ }).count()).toBe(0)
  held.resolve(undefined)
  await page.getByRole('row', { name: /Ada Lovelace/ }).waitFor()
  await page.getByText('Making the first documents…').waitFor({ state: 'detached' })
})

test('a changed member is saved, and shown by the service and in another tab', async () => {
  const other = await tester.open('collections/customers')
  await other.getByRole('row', { name: /Ada Lovelace/ }).waitFor()
  const page = await tester.open('collections/customers/items/1')
  await field(page, 'name').fill('Ada King')
  await page.getByText('Changed: name').waitFor()
  await page.getByRole('button', { name: 'Save' }).click()
  await other.getByRole('row', { name: /Ada King/ }).waitFor()
  expect(await read('/customers/1')).toMatchObject({ name: 'Ada King', city: 'London' })
  await page.getByText("await control.changeDocument('customers', '1', { name: 'Ada King' })").first().waitFor()
})

test('an optional member that is emptied is removed', async () => {
  const page = await tester.open('collections/customers/items/1')
  await field(page, 'city').fill('')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect.poll(async () => 'city' in (await read('/customers/1'))).toBe(false)
})

test('what is refused is said at its field, and nothing that was typed is lost', async () => {
  const page = await tester.open('collections/orders/items/3')
  await field(page, 'customerId').fill('nobody')
  await field(page, 'quantity').first().fill('0')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Expected at least 1, got 0.', { exact: true }).waitFor()
  await page.getByText('Expected an integer, got "nobody".', { exact: true }).waitFor()
  await page.getByRole('link', { name: 'Requests', exact: true }).click()
  await page.goBack()
  expect(await field(page, 'customerId').inputValue()).toBe('nobody')
})

test('as JSON, a refusal names the line', async () => {
  const page = await tester.open('collections/orders/items/3')
  await page.getByRole('button', { name: 'JSON' }).click()
  const json = page.getByLabel('Document as JSON')
  const text = await json.inputValue()
  await json.fill(text.replace('"customerId": 4', '"customerId":'))
  await page.getByText(/^Line 3, column \d+: this is not JSON/).waitFor()
  expect(await page.getByRole('button', { name: 'Save' }).isDisabled()).toBe(true)
  await json.fill(text.replace('"status": "placed"', '"status": "lost"'))
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('button', { name: 'Line 4' }).waitFor()
})

test('a status says what may follow, and a reference leads to what it names', async () => {
  const placed = await fetch(`${tester.url}/orders`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ customerId: 4, lines: [{ productId: 1, quantity: 1, unitPrice: 5 }] }),
  })
  const { id } = (await placed.json()) as { id: number }
  const page = await tester.open(`collections/orders/items/${id}`)
  await page.getByText('Requests may change it to cancelled. It becomes shipped at 2026-03-06 14:30 UTC.').waitFor()
  await page.getByRole('link', { name: 'Open in customers' }).click()
  await page.getByRole('heading', { name: 'customer 4' }).waitFor()
})

test('a document is created with what was typed, and the rest is filled in', async () => {
  const page = await tester.open('collections/orders')
  await page.getByRole('button', { name: 'New order' }).click()
  await page.getByRole('button', { name: 'Add lines' }).click()
  for (const [name, value] of [
    ['productId', '2'],
    ['quantity', '7'],
    ['unitPrice', '5'],
  ] as const)
    await field(page, name).fill(value)
  await page.getByRole('combobox', { name: 'status' }).selectOption('delivered')
  await page.getByRole('button', { name: 'Create' }).click()
  await page.getByRole('heading', { name: 'order 11' }).waitFor()
  expect(await read('/orders/11')).toMatchObject({ status: 'delivered', lines: [{ quantity: 7 }] })
})

test('a document is deleted by two clicks', async () => {
  const page = await tester.open('collections/customers/items/2')
  await page.getByRole('button', { name: 'Delete' }).click()
  expect((await fetch(`${tester.url}/customers/2`)).status).toBe(200)
  await page.getByRole('button', { name: 'Delete for good?' }).click()
  await expect.poll(() => page.getByRole('heading', { name: 'customer 2' }).count()).toBe(0)
  expect((await fetch(`${tester.url}/customers/2`)).status).toBe(404)
})

test('a list explains why it does not show a document', async () => {
  const page = await tester.open('collections/orders/items/3')
  await page.getByLabel('Query of the list, as you send it').fill('status=shipped')
  await page.getByRole('button', { name: 'Ask' }).click()
  await page.getByText('It is not in the list.').waitFor()
  await page.getByText('No: /status is "shipped"; it has placed').waitFor()
})

test('documents are filtered by text, and columns are chosen', async () => {
  const page = await tester.open('collections/customers')
  await page.getByLabel('Filter by text').fill('lovelace')
  await page.getByText('1 of 10 contain it.').waitFor()
  expect(await page.getByRole('row').count()).toBe(2)
  await page.getByText('Columns', { exact: true }).click()
  await page.getByRole('checkbox', { name: 'updatedAt' }).check()
  await page.getByRole('columnheader', { name: 'updatedAt' }).waitFor()
})

async function consoleFor(options: Parameters<typeof startConsole>[0]) {
  const own = await startConsole(options)
  onTestFinished(() => own.close())
  return own
}

test('a nested collection asks whose documents to show, and a parent links to its own', async () => {
  const paths = {
    '/pets': { get: { operationId: 'listPets', responses: { 200: shows({ type: 'array', items: ref('Pet') }) } } },
    '/pets/{petId}': {
      parameters: [inPath('petId')],
      get: { operationId: 'readPet', responses: { 200: shows(ref('Pet')) } },
    },
    '/pets/{petId}/toys': {
      parameters: [inPath('petId')],
      get: { operationId: 'listToys', responses: { 200: shows({ type: 'array', items: ref('Toy') }) } },
      post: { operationId: 'createToy', requestBody: takes(ref('Toy')), responses: { 201: shows(ref('Toy')) } },
    },
  }
  const named = { type: 'object', properties: { id: { type: 'integer' }, name: { type: 'string' } } }
  const { open } = await consoleFor({ contract: contractOf(paths, { Pet: named, Toy: named }) })
  const page = await open('collections')
  await page.getByRole('navigation', { name: 'Collections' }).getByRole('link', { name: /^toys/ }).click()
  await page.getByRole('row', { name: /^3 / }).click()
  await page.getByRole('table', { name: 'pets/3/toys' }).waitFor()
  await page.goto(`${page.url().split('#')[0] ?? ''}#/collections/pets/items/4`)
  await page.getByRole('link', { name: 'toys of this pet' }).click()
  await page.getByRole('table', { name: 'pets/4/toys' }).waitFor()
})

test('many documents are loaded as they are scrolled to', async () => {
  const { open } = await consoleFor({ contract: 'examples/shop/contract.yaml', documents: 3_000 })
  const page = await open('collections/products')
  await page.getByRole('row', { name: /^1 / }).first().press('End')
  await page.getByRole('row', { name: /^3000 / }).waitFor()
  expect(await page.getByRole('row').count()).toBeLessThan(100)
  await page.getByLabel('Filter by text').fill('teapot')
  await page.getByText(/contain it\.$/).waitFor()
})

test('a contract without collections says what to do', async () => {
  const { open } = await consoleFor({})
  const page = await open('collections')
  await page.getByRole('heading', { name: 'No collections in this contract' }).waitFor()
  await page.getByText('standin check').first().waitFor()
})

test.for(['light', 'dark'] as const)('axe-core finds nothing serious in the %s page', async (colorScheme) => {
  for (const view of ['collections', 'collections/orders', 'collections/orders/items/3']) {
    const page = await tester.open(view, { colorScheme })
    await page.getByText('orders').filter({ visible: true }).first().waitFor()
    expect(await seriousFindings(page), view).toEqual([])
  }
})
