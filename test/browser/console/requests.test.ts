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
  await page.getByRole('row', { name: /400 POST/ }).click()
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
  await page.getByLabel('Why is this file (not) in it? Path or id').fill('no/such/file.txt')
  await page.getByRole('button', { name: 'Ask' }).click()
  await page.getByText('It is not in the result.').waitFor()
})

test('replaying a request sends it again and shows the new one', async () => {
  const page = await tester.open('requests/1')
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
  expect(copied).toContain(`${tester.url}/api/files/v1/filesets/demo/files/search`)
})

test.for(['light', 'dark'] as const)('axe-core finds nothing serious in the %s page', async (colorScheme) => {
  const page = await tester.open('requests/1', { colorScheme })
  await page.getByRole('heading', { name: 'Request 1' }).waitFor()
  expect(await seriousFindings(page)).toEqual([])
})
