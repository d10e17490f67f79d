import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ConsoleTester, seriousFindings, startConsole } from '../../support/console.ts'
import { KEY_HEADER, SEARCH } from '../../support/tester.ts'

let tester: ConsoleTester

beforeAll(async () => {
  tester = await startConsole()
})

afterAll(() => tester.close())

async function search(key: string, query: string, body: object): Promise<void> {
  const headers = { [KEY_HEADER]: key, 'Content-Type': 'application/json' }
  const url = `${tester.url}${SEARCH}/demo/files/search?${query}`
  const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })
  expect(response.status).toBe(200)
}

test('the view says what was used of an operation, live, in all sandboxes or in the one that is shown', async () => {
  await search('any@other', 'limit=1', { fieldSort: [{ field: 'size', order: 'DESC' }] })
  const page = await tester.open('coverage')
  await page.getByText('covered by 1 request', { exact: false }).waitFor()
  await page.getByRole('link', { name: /^searchFiles/ }).click()
  const detail = page.getByRole('region', { name: 'Coverage of searchFiles' })
  await detail.getByText('limit ×1').waitFor()
  await detail.getByText('size ×1').waitFor()
  expect(await detail.getByText('directoryPath').textContent()).toBe('directoryPath not covered')

  await search('any', 'limit=2&directoryPath=finance', {})
  await detail.getByText('directoryPath ×1').waitFor()
  await detail.getByText('limit ×2').waitFor()
  await page.getByRole('button', { name: 'Only default' }).click()
  await detail.getByText('limit ×1').waitFor()
  expect(await detail.getByText('size', { exact: false }).first().textContent()).toBe('size not covered')

  await page.keyboard.press('Escape')
  await page.getByRole('link', { name: 'auth.keys' }).click()
  await page.waitForURL(/#\/behaviours\/auth\.keys$/)
})

test('operations are filtered, and counting begins again for the sandbox that is shown', async () => {
  await search('any@other', '', {})
  await search('any', '', {})
  const page = await tester.open('coverage')
  await page.getByLabel('Filter operations').fill('schedules/')
  await expect.poll(() => page.getByRole('link', { name: /no request/ }).count()).toBe(1)
  await page.getByRole('button', { name: 'Only default' }).click()
  await page.getByRole('button', { name: 'Begin again' }).click()
  await page.getByRole('button', { name: 'Forget what was counted?' }).click()
  await page.getByText('No request was counted yet').waitFor()
  expect(await tester.control.in('other').getCoverage()).not.toMatchObject({ requests: 0 })
})

test.for(['light', 'dark'] as const)('axe-core finds nothing serious in the %s page', async (colorScheme) => {
  await search('any', 'limit=1', {})
  const page = await tester.open('coverage/searchFiles', { colorScheme })
  await page.getByText('filter operators').first().waitFor()
  expect(await seriousFindings(page)).toEqual([])
})
