import { expect, test } from 'vitest'
import {
  ordinal,
  recipientInWords,
  ruleInShort,
  ruleInWords,
  timelineOf,
} from '../../../../console/src/views/schedules/schedule-words.ts'
import { exampleIn, scheduleBody, toText } from '../../../../console/src/views/schedules/schedule-body.ts'
import type { StandinOptions } from '../../../../src/index.ts'
import { createControlledTester } from '../../../support/control.ts'
import { weekly } from '../../../support/tester.ts'

const others = { timezone: 'UTC', enabled: true, additionalRecipients: [] }

test.for([
  [{ frequency: 'WEEKLY', daysToRun: 'SUN', hourOfDay: 2, minOfHour: 30 }, 'Weekly on Sunday at 02:30'],
  [{ frequency: 'WEEKLY', daysToRun: 'MON,FRI', hourOfDay: 8, minOfHour: 0 }, 'Weekly on Monday and Friday at 08:00'],
  [{ frequency: 'MONTHLY', daysToRun: '1,15', hourOfDay: 6, minOfHour: 5 }, 'Monthly on the 1st and 15th at 06:05'],
  [{ frequency: 'DAILY', hourOfDay: 23, minOfHour: 59 }, 'Daily at 23:59'],
  [{ frequency: 'WEEKLY' }, 'No rule'],
] as const)('a rule in words', ([settings, words]) => {
  expect(ruleInWords({ ...others, ...settings })).toBe(words)
})

test.for([
  [{ frequency: 'WEEKLY', daysToRun: 'MON,FRI', hourOfDay: 8, minOfHour: 0 }, 'Mon, Fri 08:00'],
  [{ frequency: 'MONTHLY', daysToRun: '1,15', hourOfDay: 6, minOfHour: 5 }, '1st, 15th 06:05'],
  [{ frequency: 'DAILY', hourOfDay: 23, minOfHour: 59 }, 'Daily 23:59'],
  [{ frequency: 'WEEKLY' }, 'No rule'],
] as const)('a rule in a narrow table', ([settings, words]) => {
  expect(ruleInShort({ ...others, ...settings })).toBe(words)
})

test('days of a month', () => {
  expect(['1', '2', '3', '4', '11', '12', '13', '21', '22', '23', '31'].map(ordinal)).toEqual([
    '1st',
    '2nd',
    '3rd',
    '4th',
    '11th',
    '12th',
    '13th',
    '21st',
    '22nd',
    '23rd',
    '31st',
  ])
})

test('recipients', () => {
  expect(recipientInWords({ type: 'EMAIL', value: 'jane@example.com' })).toBe('jane@example.com')
  expect(recipientInWords({ type: 'GROUP', value: '12' })).toBe('Group 12')
})

/** A timeline as lines. */
async function linesOf(settings: Record<string, unknown>, viewer: string, options: StandinOptions = {}) {
  const { control, create } = createControlledTester({ clock: '2026-03-05T14:30:00Z', ...options })
  const { id } = (await create(weekly({}, settings))).body as { id: number }
  const { runs } = await control.listUpcomingRuns(id, { limit: 4 })
  return timelineOf(runs, viewer).map((entry) => {
    if (entry.kind === 'run') return [entry.run.explanation.localTime, entry.mark].filter(Boolean).join(' ')
    if (entry.kind === 'skipped') return `${entry.what}: ${entry.why}`
    return `${entry.zone} ${entry.from} ${entry.to}`
  })
}

const SUNDAYS = { daysToRun: 'SUN', hourOfDay: 2, minOfHour: 30 }

test('a timeline marks a gap, and the clock changes of both zones where they come', async () => {
  expect(await linesOf(SUNDAYS, 'Europe/Berlin')).toEqual([
    'America/New_York -05:00 -04:00',
    '2026-03-08T03:30:00-04:00 The clocks skip 02:30',
    '2026-03-15T02:30:00-04:00',
    '2026-03-22T02:30:00-04:00',
    'Europe/Berlin +01:00 +02:00',
    '2026-03-29T02:30:00-04:00',
  ])
})

test('a change of the clocks is there once for somebody in the zone', async () => {
  const lines = await linesOf(SUNDAYS, 'America/New_York')
  expect(lines.filter((line) => line === 'America/New_York -05:00 -04:00')).toHaveLength(1)
})

test('a timeline names the days that are skipped', async () => {
  expect((await linesOf(SUNDAYS, 'UTC', { behaviours: { 'next-run.gap': 'skip' } }))[0]).toBe(
    '8 March 2026 is skipped: the clocks skip 02:30 (next-run.gap)',
  )
  const monthly = { frequency: 'MONTHLY', daysToRun: '31', timezone: 'UTC' }
  expect(await linesOf(monthly, 'UTC')).toEqual([
    '2026-03-31T08:30:00+00:00',
    'April 2026 is skipped: it has no 31st (days.short-month)',
    '2026-05-31T08:30:00+00:00',
    'June 2026 is skipped: it has no 31st (days.short-month)',
    '2026-07-31T08:30:00+00:00',
    '2026-08-31T08:30:00+00:00',
  ])
  const clamped = await linesOf(monthly, 'UTC', { behaviours: { 'days.short-month': 'clamp-to-last' } })
  expect(clamped[1]).toBe('2026-04-30T08:30:00+00:00 No 31st: the last day')
})

test('the body of a stored schedule is the one that was sent, with every digit', async () => {
  const { control, create } = createControlledTester()
  const sent = JSON.stringify(weekly()).replace('"pageId":100,', '"pageId":9007199254740993,')
  const { id } = (await create(sent)).body as { id: number }
  const text = toText(scheduleBody(await control.getReportSchedule(id)))
  expect(text).toContain('"pageId": 9007199254740993,')
  expect(JSON.parse(text)).toMatchObject({
    title: 'Weekly sales',
    schedule: { daysToRun: 'MON', timezone: 'America/New_York' },
  })
})

test('a new schedule begins with the example of the contract', async () => {
  const { control } = createControlledTester()
  const contract = await control.getContract()
  expect(exampleIn(contract, 'createReportSchedule')).toMatchObject({
    title: 'Weekly revenue',
    schedule: { frequency: 'WEEKLY', daysToRun: 'MON', hourOfDay: 8 },
  })
})

test('examples behind references are found, and without one there is the usual', () => {
  const media = { examples: { first: { $ref: '#/components/examples/a~1b' } } }
  const contract = {
    paths: { '/s': { post: { operationId: 'make', requestBody: { $ref: '#/components/requestBodies/S' } } } },
    components: {
      requestBodies: { S: { content: { 'application/json': media } } },
      examples: { 'a/b': { value: { title: 'Mine' } } },
    },
  }
  expect(exampleIn(contract, 'make')).toEqual({ title: 'Mine' })
  expect(exampleIn(contract, 'other')).toMatchObject({ title: 'Weekly revenue' })
})
