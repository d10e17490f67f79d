import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ControlClient, createControlClient } from '../../../src/index.ts'
import { type ConsoleTester, seriousFindings, startConsole } from '../../support/console.ts'
import { weekly } from '../../support/tester.ts'

let tester: ConsoleTester
let control: ControlClient

beforeAll(async () => {
  tester = await startConsole({ clock: '2026-03-05T14:30:00Z', files: 20 })
  control = createControlClient({ url: tester.url })
})

afterAll(() => tester.close())

function create(title: string) {
  return fetch(`${tester.url}/api/content/v1/reportschedules`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'X-SERVICE-Developer-Token': 'any' },
    body: JSON.stringify(weekly({ title })),
  })
}

test('before the first change the page says what will appear, and then each step appears as it happens', async () => {
  const page = await tester.open('history')
  await page.getByRole('heading', { name: 'Nothing has changed yet' }).waitFor()
  await create('Weekly sales')
  await page.getByRole('row', { name: /0 .* Schedule 7 “Weekly sales” was created a request/ }).waitFor()
  await control.deleteReportSchedule(7)
  await page.getByRole('row', { name: /1 .* Schedule 7 was deleted control API/ }).waitFor()
})

test('a step leads to the request that caused it', async () => {
  const page = await tester.open('history/0')
  const step = page.getByRole('region', { name: 'Step 0' })
  await step.getByText('"type": "report-schedule.created"').waitFor()
  await page.keyboard.press('Escape')
  await step.waitFor({ state: 'detached' })
  await page.getByRole('row', { name: /was created/ }).click()
  await step.getByRole('button', { name: 'Show the request' }).click()
  await page.getByRole('region', { name: 'Request 1' }).getByText('/api/content/v1/reportschedules').first().waitFor()
  expect(page.url()).toContain('#/requests/1')
})

test('steps of one kind are found by the filter', async () => {
  await control.createCheckpoint({ name: 'here' })
  const page = await tester.open('history')
  await page.getByRole('row', { name: /Checkpoint here was taken/ }).waitFor()
  await page.getByLabel('Show').selectOption('Schedules and runs')
  await expect.poll(() => page.getByRole('row', { name: /Checkpoint/ }).count()).toBe(0)
  expect(await page.getByRole('row', { name: /Schedule 7/ }).count()).toBe(2)
})

test('a fork from a step is shown with what was there then, and leads back', async () => {
  const page = await tester.open('history')
  await page.getByRole('row', { name: /Schedule 7 “Weekly sales” was created/ }).click()
  await page.getByRole('button', { name: 'Fork from here' }).click()
  const notice = page.getByRole('status').filter({ hasText: 'You are now in default-at-0' })
  await notice.getByText('a fork of default as it was after step 0').waitFor()
  expect(await page.getByLabel('Sandbox').inputValue()).toBe('default-at-0')
  await page.getByRole('heading', { name: 'Nothing has changed yet' }).waitFor()
  expect((await control.in('default-at-0').getReportSchedule(7)).title).toBe('Weekly sales')
  const code = page.getByText("await control.forkSandbox('default', { name: 'default-at-0', at: 0 })")
  await code.first().waitFor()
  await notice.getByRole('button', { name: 'Back to default' }).click()
  await page.getByRole('row', { name: /Schedule 7 was deleted/ }).waitFor()
  expect(await page.getByLabel('Sandbox').inputValue()).toBe('default')
})

test('a fork whose name is taken is refused with the reason, and the name stays to be changed', async () => {
  const page = await tester.open('history/1')
  await page.getByLabel('Name of the fork').fill('default')
  await page.getByRole('button', { name: 'Fork from here' }).click()
  await page.getByRole('alert').getByText('There is a sandbox default already').waitFor()
  expect(await page.getByLabel('Name of the fork').inputValue()).toBe('default')
})

test('a step that is not there says so', async () => {
  const page = await tester.open('history/999')
  await page.getByText('This sandbox has no step 999').waitFor()
})

test.for(['light', 'dark'] as const)('axe-core finds nothing serious in the %s page', async (colorScheme) => {
  const page = await tester.open('history/0', { colorScheme })
  await page.getByRole('heading', { name: 'Go back to this step' }).waitFor()
  expect(await seriousFindings(page)).toEqual([])
})

test('a run has the time that it was due, by the clock that the column names', async () => {
  await control.advanceClock({ by: 'P7D' })
  const page = await tester.open('history')
  await page.getByRole('columnheader', { name: "Sandbox's clock (UTC)" }).waitFor()
  const { runs } = await control.listRuns(1)
  const due = runs[0]!.at.slice(0, 19).replace('T', ' ')
  await page.getByRole('row', { name: new RegExp(`${due} Schedule 1 .* ran and sent`) }).waitFor()
})
