import { describe, expect } from 'vitest'
import { test } from 'standin/vitest'
import { findFiles } from './find-files.ts'

test('walks every page once', async ({ url, key, control }) => {
  await findFiles(url, key, 'budget')
  await expect(control).toHaveVerified({ walkedEveryPageOnce: true })
})

test('repeats a page that fails', async ({ url, key, control }) => {
  await control.armFaults({ kind: 'status', status: 503, match: { page: 3 }, times: 1 })
  expect(await findFiles(url, key, 'budget')).toHaveLength(12)
  await expect(control).toHaveVerified({ match: { status: 503 }, exactly: 1 })
})

test('a file that this test adds is in no other', async ({ url, key, control }) => {
  await control.addFiles('demo', [{ path: 'budget-of-this-test.xlsx' }])
  expect(await findFiles(url, key, 'budget')).toContain('budget-of-this-test.xlsx')
})

describe('on a Thursday', () => {
  test.override({ clock: '2026-03-05T14:30:00Z' })

  test('a weekly report is mailed twice in two weeks', async ({ standin, control }) => {
    const weekly = { frequency: 'WEEKLY', daysToRun: 'SUN', hourOfDay: 2, minOfHour: 30, timezone: 'Europe/Paris' }
    const schedule = { ...weekly, additionalRecipients: [{ type: 'EMAIL', value: 'jane@example.com' }] }
    const body = JSON.stringify({ title: 'Weekly sales', pageId: 100, viewId: 200, schedule })
    const headers = { 'Content-Type': 'application/json' }
    await standin.fetch('/api/content/v1/reportschedules', { method: 'POST', headers, body })

    await control.advanceClock({ by: 'P14D' })
    const { deliveries } = await control.listDeliveries()
    expect(deliveries.filter(({ recipient }) => recipient.value === 'jane@example.com')).toHaveLength(2)
  })
})
