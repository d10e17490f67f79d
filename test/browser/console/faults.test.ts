import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ConsoleTester, seriousFindings, startConsole } from '../../support/console.ts'

let tester: ConsoleTester

beforeAll(async () => {
  tester = await startConsole()
})

afterAll(() => tester.close())

async function search(next?: string) {
  const query = next === undefined ? '' : `&next=${encodeURIComponent(next)}`
  const response = await fetch(`${tester.url}/api/files/v1/filesets/demo/files/search?limit=10${query}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'X-SERVICE-Developer-Token': 'any' },
    body: '{}',
  })
  const { pageContext } = (await response.json()) as { readonly pageContext?: { readonly next?: string } }
  return { status: response.status, next: pageContext?.next }
}

test('page 3 fails once', async () => {
  const page = await tester.open('faults')
  await page.getByLabel('To which operation').selectOption('searchFiles')
  await page.getByLabel('Only page').fill('3')
  await page.getByRole('button', { name: 'Arm the fault' }).click()
  const armed = page.getByRole('listitem').filter({ hasText: 'searchFiles · page 3 · once' })
  await armed.getByText('Struck 0 of 0').waitFor()
  const first = await search()
  const second = await search(first.next)
  expect((await search(second.next)).status).toBe(503)
  expect((await search(second.next)).status).toBe(200)
  // It has a place of its own then, away from those that still strike.
  await page.getByRole('heading', { name: 'Used up' }).waitFor()
  await page.getByText('No faults').waitFor()
  await armed.getByText('Struck 1 of 1').waitFor()
})

test('only faults that the operations can meet are offered', async () => {
  const page = await tester.open('faults')
  const kind = page.getByLabel('What happens')
  const operations = page.getByLabel('To which operation').getByRole('option')
  await kind.selectOption('Let the cursor of a walk expire')
  expect(await operations.allInnerTexts()).toEqual(['every list', 'searchFiles'])
  await kind.selectOption('Store the change, then lose the response')
  expect(await operations.allInnerTexts()).not.toContain('searchFiles')
  expect(await page.getByLabel('Only page').count()).toBe(0)
})

test('what the control API refuses is said at its field, and what was typed stays', async () => {
  const page = await tester.open('faults')
  await page.getByRole('spinbutton', { name: 'Status' }).fill('42')
  await page.getByRole('button', { name: 'Arm the fault' }).click()
  const field = page.getByRole('spinbutton', { name: 'Status' })
  await expect.poll(() => field.getAttribute('aria-invalid')).toBe('true')
  expect(await page.getByRole('alert').innerText()).toBe('Expected at least 200, got 42.')
  expect(await field.inputValue()).toBe('42')
  await field.fill('418')
  await page.getByRole('button', { name: 'Arm the fault' }).click()
  await page.getByText('Status 418').waitFor()
  expect(await page.getByRole('alert').count()).toBe(0)
})

test('a preset arms several faults, and all are removed after a question', async () => {
  const page = await tester.open('faults')
  await page.getByRole('button', { name: 'Flaky network' }).click()
  await expect.poll(() => page.getByRole('button', { name: /^Remove the fault/ }).count()).toBeGreaterThan(2)
  await page.getByRole('button', { name: 'Remove all faults' }).click()
  await page.getByRole('button', { name: 'Remove all for good?' }).click()
  await page.getByText('No faults').waitFor()
})

test.for(['light', 'dark'] as const)('axe-core finds nothing serious in the %s page', async (colorScheme) => {
  await tester.control.armFaults({ kind: 'reset' })
  const page = await tester.open('faults', { colorScheme })
  await page
    .getByRole('button', { name: /^Remove the fault/ })
    .first()
    .waitFor()
  expect(await seriousFindings(page)).toEqual([])
})
