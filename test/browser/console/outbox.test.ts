import { afterAll, beforeAll, expect, test } from 'vitest'
import { createControlClient, type ControlClient } from '../../../src/index.ts'
import { type ConsoleTester, seriousFindings, startConsole } from '../../support/console.ts'

let tester: ConsoleTester
let control: ControlClient

beforeAll(async () => {
  tester = await startConsole({ clock: '2026-03-05T14:30:00Z' })
  control = createControlClient({ url: tester.url })
})

afterAll(() => tester.close())

test('before the first run the page says what to do, and mails appear as they fall due', async () => {
  const page = await tester.open('outbox')
  await page.getByRole('heading', { name: 'No mails yet' }).waitFor()
  await control.advanceClock({ to: '2026-03-08T07:30:00Z' })
  const row = page.getByRole('row', { name: /sales-leads@example.com/ })
  await row.getByText('Weekly sales').waitFor()
  expect(await row.innerText()).toMatch(/8 Mar\s+2026, 07:30/)
})

test('mails are found by recipient', async () => {
  const page = await tester.open('outbox')
  await page.getByRole('row', { name: /Island visitors/ }).waitFor()
  await page.getByLabel('Filter by recipient').fill('SALES-leads')
  await expect.poll(() => page.getByRole('row', { name: /Island visitors/ }).count()).toBe(0)
  expect(await page.getByRole('row', { name: /sales-leads@example.com/ }).count()).toBe(1)
  await page.getByLabel('Filter by recipient').fill('nobody')
  await page.getByRole('heading', { name: 'No mail to this recipient' }).waitFor()
})

test('a mail has its text, its attachment, and links to its schedule and its run', async () => {
  const page = await tester.open('outbox')
  await page.getByRole('row', { name: /sales-leads@example.com/ }).click()
  const mail = page.getByRole('region', { name: /^Mail \d+$/ })
  await mail.getByLabel('Text of the mail').getByText('Report: Weekly sales').waitFor()
  expect(await mail.getByRole('region', { name: 'Attachment report.csv' }).innerText()).toContain(
    '"Report","Weekly sales"',
  )
  await page.keyboard.press('Escape')
  await expect.poll(() => mail.count()).toBe(0)
  await page.goBack()
  await mail.getByRole('link', { name: 'Schedule 1' }).click()
  await page.getByRole('region', { name: 'Schedule 1' }).waitFor()
  expect(page.url()).toMatch(/#\/schedules\/1$/)
})

test('markup in a title stays text', async () => {
  const title = '<img src=x onerror="window.struck=true">'
  const [first] = (await control.listReportSchedules()).reportSchedules
  const { added: _, ...schedule } = first!.schedule!
  const response = await fetch(`${tester.url}/api/content/v1/reportschedules`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'X-SERVICE-Developer-Token': 'any' },
    body: JSON.stringify({ title, pageId: 1, viewId: 2, attachmentInclude: true, schedule }),
  })
  const { id } = (await response.json()) as { id: number }
  await control.advanceClock({ to: (await control.getReportSchedule(id)).nextRun! })
  const [delivery] = (await control.listDeliveries({ scheduleId: id })).deliveries
  const page = await tester.open(`outbox/${delivery!.id}`)
  await page.getByRole('heading', { name: title }).waitFor()
  expect(await page.locator('main img').count()).toBe(0)
  expect(await page.evaluate('window.struck')).toBe(undefined)
})

test.for([
  ['light', 1200],
  ['dark', 360],
] as const)('axe-core finds nothing serious: %s, %d pixels wide', async ([colorScheme, width]) => {
  for (const view of ['outbox', 'outbox/1']) {
    const page = await tester.open(view, { colorScheme, viewport: { width, height: 800 } })
    await page.getByRole('region', { name: view === 'outbox' ? 'Outbox' : 'Mail 1' }).waitFor()
    await page.getByText('Island visitors').filter({ visible: true }).first().waitFor()
    expect(await seriousFindings(page), view).toEqual([])
  }
})

test('clearing asks once', async () => {
  const page = await tester.open('outbox')
  await page.getByRole('button', { name: 'Clear' }).click()
  expect((await control.listDeliveries()).total).toBeGreaterThan(0)
  await page.getByRole('button', { name: 'Delete all mails?' }).click()
  await page.getByRole('heading', { name: 'No mails yet' }).waitFor()
  expect((await control.listDeliveries()).total).toBe(0)
})
