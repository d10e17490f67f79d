import { expect, test } from 'standin/playwright'

test.beforeEach(async ({ page, url }) => {
  await page.goto(`/?api=${url}`)
})

test('finds the budgets', async ({ page, control }) => {
  await page.getByLabel('Search').fill('budget')
  await page.getByRole('button').click()
  await expect(page.getByRole('status')).toHaveText('12 files')
  await expect(control).toHaveVerified({ match: { operationId: 'searchFiles' }, exactly: 1 })
})

test('says so when the search fails', async ({ page, control }) => {
  await control.armFaults({ kind: 'status', status: 503, times: 1 })
  await page.getByRole('button').click()
  await expect(page.getByRole('status')).toHaveText('Try again later')
})

test('a file that this test adds is in no other', async ({ page, control }) => {
  await control.addFiles('demo', [{ path: 'budget-of-this-test.xlsx' }])
  await page.getByLabel('Search').fill('budget')
  await page.getByRole('button').click()
  await expect(page.getByText('budget-of-this-test.xlsx')).toBeVisible()
})
