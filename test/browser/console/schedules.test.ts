import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createControlClient, type ControlClient } from '../../../src/index.ts'
import { type ConsoleTester, seriousFindings, startConsole } from '../../support/console.ts'
import { weekly } from '../../support/tester.ts'

let tester: ConsoleTester

beforeAll(async () => {
  tester = await startConsole({ clock: '2026-03-05T14:30:00Z' })
})

afterAll(() => tester.close())

let sandboxes = 0

/** A sandbox of its own for each test. */
async function createSandbox(): Promise<{ readonly name: string; readonly control: ControlClient }> {
  const name = `schedules-${++sandboxes}`
  const control = createControlClient({ url: tester.url, sandbox: name })
  await createControlClient({ url: tester.url }).createSandbox({ name })
  return { name, control }
}

async function open(view: string, sandbox: string, options: object = {}): Promise<Page> {
  const page = await tester.open(view, { timezoneId: 'Europe/Berlin', ...options })
  await page.getByLabel('Sandbox').selectOption(sandbox)
  return page
}

test('the table has the rule in words, and the next run in the zone of the schedule and of the viewer', async () => {
  const { name } = await createSandbox()
  const page = await open('schedules', name)
  const row = page.getByRole('row', { name: /Weekly sales/ })
  await row.getByText('Weekly on Sunday at 02:30').waitFor()
  await row.getByText('8 Mar 2026, 03:30', { exact: true }).waitFor()
  await row.getByText('8 Mar 2026, 08:30', { exact: true }).waitFor()
})

test('02:30 in New York across the spring change shows the gap, and why it lands after it', async () => {
  const { name } = await createSandbox()
  const page = await open('schedules', name)
  await page.getByRole('row', { name: /Weekly sales/ }).click()
  const runs = page.getByRole('region', { name: 'Coming runs' }).getByRole('listitem')
  await runs.first().waitFor()
  expect(await runs.nth(0).innerText()).toContain('America/New_York: UTC−05:00 → UTC−04:00')
  expect(await runs.nth(1).innerText()).toMatch(/Sun 8 Mar 2026, 03:30[^]*The clocks skip 02:30[^]*runs after the gap/)
  expect(await runs.nth(2).innerText()).toMatch(/Sun 15 Mar 2026, 02:30/)
  expect(await runs.nth(2).innerText()).not.toContain('skip')
  expect(page.url()).toMatch(/#\/schedules\/\d+$/)
})

test('the reason of a run is said once for those that follow with the same', async () => {
  const { name } = await createSandbox()
  const page = await open('schedules/1', name, { timezoneId: 'UTC' })
  const runs = page.getByRole('region', { name: 'Coming runs' })
  await runs.getByText('The first SUN at 02:30 after the run before.').waitFor()
  expect(await runs.getByText('The first SUN at 02:30 after the run before.').count()).toBe(1)
})

test('a schedule in the zone of the viewer names the zone once, and one without recipients promises no mail', async () => {
  const { name } = await createSandbox()
  const created = await fetch(`${tester.url}/api/content/v1/reportschedules`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'X-SERVICE-Developer-Token': 'any', 'X-Mock-Sandbox': name },
    body: JSON.stringify(weekly({ title: 'Nobody' }, { timezone: 'UTC', additionalRecipients: [] })),
  })
  const { id } = (await created.json()) as { id: number }
  const page = await open(`schedules/${id}`, name, { timezoneId: 'UTC' })
  await page.getByText('By the clock of UTC, which is yours too.').waitFor()
  await page.getByText('No recipients: its runs send no mail.').waitFor()
  const past = page.getByRole('region', { name: 'Past runs' })
  await past.getByText('It has not run yet.').waitFor()
  expect(await past.innerText()).not.toContain('mail')
})

test('two schedules of one weekday can be told apart on a phone', async () => {
  const { name } = await createSandbox()
  const page = await open('schedules', name, { viewport: { width: 360, height: 800 } })
  await page.getByText('Sun 02:30', { exact: true }).waitFor()
  await page.getByText('Sun 02:15', { exact: true }).waitFor()
})

test('a month without such a day is marked as skipped', async () => {
  const { name } = await createSandbox()
  const page = await open('schedules', name)
  await page.getByRole('row', { name: /Month-end ledger/ }).click()
  await page.getByText('April 2026 is skipped: it has no 31st (days.short-month)').waitFor()
})

test('jump to the next run and see the mail', async () => {
  const { name, control } = await createSandbox()
  const page = await open('schedules', name)
  await page.getByRole('row', { name: /Weekly sales/ }).click()
  await page.getByRole('button', { name: 'Jump to the next run' }).click()
  await page.getByRole('link', { name: 'mail to sales-leads@example.com' }).click()
  const mail = page.getByRole('region', { name: /^Mail \d+$/ })
  await mail.getByRole('heading', { name: 'Weekly sales' }).waitFor()
  expect(await mail.innerText()).toContain('Run at: 2026-03-08T03:30:00-04:00 (America/New_York)')
  expect((await control.getClock()).now).toBe('2026-03-08T07:30:00.000Z')
  await mail.getByRole('link', { name: /^run/ }).click()
  await page.getByRole('region', { name: 'Past runs' }).getByText('Sun 8 Mar 2026, 03:30').waitFor()
})

test('jumping to a later run makes those before it', async () => {
  const { name, control } = await createSandbox()
  const page = await open('schedules/1', name)
  await page.getByRole('button', { name: 'Jump here: Sun 22 Mar 2026, 02:30' }).click()
  await expect.poll(() => page.getByRole('region', { name: 'Past runs' }).getByRole('time').count()).toBe(3)
  expect((await control.listRuns(1)).total).toBe(3)
})

test('the clock in the header tells which run came, and links to its mail', async () => {
  const { name } = await createSandbox()
  const page = await open('requests', name)
  await page.getByText('2026-03-05 14:30:00Z').click()
  await page.getByRole('button', { name: 'To the next run' }).click()
  const outcome = page.getByRole('status').filter({ hasText: 'ran' })
  await outcome.getByText('Island visitors').waitFor()
  expect(await outcome.innerText()).toContain('Sun 8 Mar 2026, 02:15 in Australia/Lord_Howe')
  await outcome
    .getByRole('link', { name: /^mail to/ })
    .first()
    .click()
  await page.getByRole('heading', { name: 'Island visitors' }).waitFor()
  expect(await page.getByRole('button', { name: 'To the next run' }).isVisible()).toBe(false)
})

test('the clock moves to what is typed, also back, and says what it does not understand', async () => {
  const { name, control } = await createSandbox()
  const page = await open('requests', name)
  await page.getByText('2026-03-05 14:30:00Z').click()
  const move = async (to: string) => {
    await page.getByLabel('Move to (UTC, or with an offset)').fill(to)
    await page.getByRole('button', { name: 'Move', exact: true }).click()
  }
  await move('2026-03-06 10:00')
  await expect.poll(async () => (await control.getClock()).now).toBe('2026-03-06T10:00:00.000Z')
  await page.getByText('No schedule ran.').waitFor()
  await move('2026-03-01')
  await expect.poll(async () => (await control.getClock()).now).toBe('2026-03-01T00:00:00.000Z')
  await move('tomorrow')
  await page.getByRole('alert').getByText('tomorrow').waitFor()
})

test('a schedule is created from the example of the contract, and a refusal says why and loses nothing', async () => {
  const { name, control } = await createSandbox()
  const page = await open('schedules', name)
  await page.getByRole('button', { name: 'New schedule' }).click()
  const body = page.getByLabel('Body, as JSON')
  const example = await body.inputValue()
  await body.fill(example.replace('"hourOfDay": 8', '"hourOfDay": 24'))
  await page.getByRole('button', { name: 'Create' }).click()
  await page.getByRole('alert').getByText('expected an integer from 0 to 23, got 24').waitFor()
  expect(await body.inputValue()).toContain('"hourOfDay": 24')
  await body.fill(example)
  await page.getByRole('button', { name: 'Create' }).click()
  await page.getByRole('heading', { name: 'Weekly revenue' }).waitFor()
  const { reportSchedules } = await control.listReportSchedules()
  expect(reportSchedules.at(-1)).toMatchObject({ title: 'Weekly revenue', schedule: { daysToRun: 'MON' } })
  expect(await page.getByText('As code').locator('..').innerText()).toContain('/api/content/v1/reportschedules')
})

test('a schedule is changed as JSON, and deleted with the second click', async () => {
  const { name, control } = await createSandbox()
  const page = await open('schedules/1', name)
  await page.getByRole('link', { name: 'Edit' }).click()
  const body = page.getByLabel('Body, as JSON')
  await body.fill((await body.inputValue()).replace('Weekly sales', 'Renamed'))
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('heading', { name: 'Renamed' }).waitFor()
  await page.getByRole('button', { name: 'Delete', exact: true }).click()
  expect((await control.getReportSchedule(1)).title).toBe('Renamed')
  await page.getByRole('button', { name: 'Delete for good?' }).click()
  await expect
    .poll(async () => (await control.listReportSchedules()).reportSchedules.map(({ id }) => id))
    .not.toContain(1)
})

test('without schedules the page says what to do', async () => {
  const { name, control } = await createSandbox()
  for (const { id } of (await control.listReportSchedules()).reportSchedules) await control.deleteReportSchedule(id)
  const page = await open('schedules', name)
  await page.getByRole('heading', { name: 'No schedules yet' }).waitFor()
})

test('a contract without report schedules says so', async () => {
  const shop = await startConsole({ contract: 'examples/shop/contract.yaml' })
  try {
    for (const view of ['schedules', 'outbox']) {
      const page = await shop.open(view)
      await page.getByRole('heading', { name: 'This contract has no report schedules' }).waitFor()
    }
    // Nothing leads there.
    const page = await shop.open('requests')
    const views = page.getByRole('navigation', { name: 'Views' }).getByRole('link')
    await expect.poll(() => views.allInnerTexts()).toContain('Collections')
    const shown = await views.allInnerTexts()
    expect(shown.filter((one) => ['Files', 'Schedules', 'Outbox'].includes(one))).toEqual([])
  } finally {
    await shop.close()
  }
})

test.for([
  ['light', 1200],
  ['dark', 360],
] as const)('axe-core finds nothing serious: %s, %d pixels wide', async ([colorScheme, width]) => {
  const { name } = await createSandbox()
  for (const view of ['schedules', 'schedules/1', 'schedules/new']) {
    const page = await open(view, name, { colorScheme, viewport: { width, height: 800 } })
    await page.getByRole('heading', { level: 2 }).or(page.getByRole('row').nth(3)).first().waitFor()
    expect(await seriousFindings(page), view).toEqual([])
  }
})
