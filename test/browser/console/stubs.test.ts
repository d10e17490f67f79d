import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ConsoleTester, seriousFindings, startConsole } from '../../support/console.ts'

let tester: ConsoleTester

beforeAll(async () => {
  tester = await startConsole({ contract: 'examples/shop/contract.yaml' })
})

afterAll(() => tester.close())

const statusOf = async (path: string) => (await fetch(tester.url + path)).status

test('a stub that is declared is for the next request, is changed, and removed', async () => {
  const page = await tester.open('stubs')
  await page.getByText('No stubs declared here').waitFor()
  await page.getByLabel('For requests of').selectOption('getProduct')
  const text = page.getByLabel('Stub as JSON')
  await text.fill(JSON.stringify({ name: 'gone', operation: 'getProduct', respond: { status: 404 }, times: 1 }))
  await page.getByRole('button', { name: 'Declare the stub' }).click()
  const card = page.getByRole('listitem').filter({ hasText: 'getProduct · used for 0 requests' })
  await card.waitFor()
  expect([await statusOf('/products/1'), await statusOf('/products/1')]).toEqual([404, 200])
  await page.getByText('used for 1 request').waitFor()
  await page.getByRole('button', { name: 'gone', exact: true }).click()
  await expect.poll(() => text.inputValue()).toContain('"times": 1')
  await text.fill((await text.inputValue()).replace('"times": 1', '"times": 9'))
  await page.getByRole('button', { name: 'Declare the stub' }).click()
  await card.waitFor()
  expect([await statusOf('/products/1'), await statusOf('/products/1')]).toEqual([404, 404])
  expect(await seriousFindings(page)).toEqual([])
  await page.getByRole('button', { name: 'Remove the stub gone' }).click()
  await page.getByText('No stubs declared here').waitFor()
  expect(await statusOf('/products/1')).toBe(200)
})

test('what is refused is said at its line', async () => {
  const page = await tester.open('stubs')
  await page.getByLabel('Stub as JSON').fill('{\n  "operation": "getProduct",\n  "respond": { "status": 418 }\n}')
  await page.getByRole('button', { name: 'Declare the stub' }).click()
  await page.getByText('the contract documents no response 418 of getProduct').waitFor()
  expect(await page.getByRole('button', { name: 'Line 3' }).count()).toBe(1)
})

test('a request says which stub responded', async () => {
  await tester.control.declareStubs({ name: 'no pot', operation: 'getProduct', respond: { status: 404 } })
  await statusOf('/products/2')
  const page = await tester.open('requests')
  await page.getByText('/products/2').first().click()
  await page.getByText('stub no pot responded.').waitFor()
  await tester.control.removeStubs()
})
