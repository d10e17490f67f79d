import { expect, test } from 'vitest'
import type { StandinOptions } from '../../../../src/index.ts'
import { createControlledTester, refusalOf } from '../../../support/control.ts'
import { weekly } from '../../../support/tester.ts'

/** Creates one schedule, and gives what is needed to look at its runs. */
async function createOne(settings: Record<string, unknown>, options: StandinOptions = {}) {
  const tester = createControlledTester({ clock: '2026-03-05T14:30:00Z', ...options })
  const { id } = (await tester.create(weekly({}, settings))).body as { id: number }
  return { ...tester, id }
}

test('the next runs are those that then happen, across both clock changes', async () => {
  const { control, id } = await createOne({ daysToRun: 'SUN', hourOfDay: 1, minOfHour: 30 })
  const { runs, end } = await control.listUpcomingRuns(id, { limit: 43 })
  expect(end).toBe(null)
  await control.advanceClock({ to: '2026-12-31T00:00:00Z' })
  const happened = (await control.listRuns(id)).runs
  expect(happened).toHaveLength(43)
  expect(happened.map(({ at, localTime }) => [at, localTime])).toEqual(
    runs.map(({ explanation: { at, localTime } }) => [at, localTime]),
  )
})

test('eight runs unless another number is asked for', async () => {
  const { control, id } = await createOne({})
  expect((await control.listUpcomingRuns(id)).runs).toHaveLength(8)
  expect((await control.listUpcomingRuns(id, { limit: 2 })).runs).toHaveLength(2)
  expect(await refusalOf(control.listUpcomingRuns(id, { limit: 101 }))).toContain('an integer from 1 to 100')
  expect(await refusalOf(control.listUpcomingRuns(99))).toMatch('404 /problems/report-schedule-not-found')
})

test('a run in a gap says that the clocks skip its time, and only that run', async () => {
  const { control, id } = await createOne({ daysToRun: 'SUN', hourOfDay: 2, minOfHour: 30 })
  const { runs } = await control.listUpcomingRuns(id, { limit: 2 })
  expect(runs.map(({ why, explanation: { localTime } }) => [localTime, why])).toEqual([
    [
      '2026-03-08T03:30:00-04:00',
      'The first SUN at 02:30 after 2026-03-05T09:30:00-05:00, when it was last written. The clocks skip 02:30 that day, so it runs after the gap (next-run.gap).',
    ],
    ['2026-03-15T02:30:00-04:00', 'The first SUN at 02:30 after the run before.'],
  ])
})

test('a day in a gap that is skipped is named with the run that follows', async () => {
  const { control, id } = await createOne(
    { daysToRun: 'SUN', hourOfDay: 2, minOfHour: 30 },
    { behaviours: { 'next-run.gap': 'skip' } },
  )
  const [first, second] = (await control.listUpcomingRuns(id)).runs
  expect(first?.explanation.localTime).toBe('2026-03-15T02:30:00-04:00')
  expect(first?.why).toContain('2026-03-08 is skipped: the clocks do not show 02:30 that day (next-run.gap).')
  expect(second?.why).toBe('The first SUN at 02:30 after the run before.')
})

test.for([
  ['earlier', '2026-11-01T01:30:00-04:00'],
  ['later', '2026-11-01T01:30:00-05:00'],
] as const)('a time that the clocks show twice: %s', async ([overlap, localTime]) => {
  const { control, id } = await createOne(
    { daysToRun: 'SUN', hourOfDay: 1, minOfHour: 30 },
    { clock: '2026-10-30T12:00:00Z', behaviours: { 'next-run.overlap': overlap } },
  )
  const [first] = (await control.listUpcomingRuns(id)).runs
  expect(first?.explanation.localTime).toBe(localTime)
  expect(first?.why).toContain(
    `The clocks show 01:30 twice that day; it runs at the ${overlap} one (next-run.overlap).`,
  )
})

test.for([
  [
    'skip',
    [
      ['2026-03-31', []],
      ['2026-05-31', ['2026-04']],
      ['2026-07-31', ['2026-06']],
      ['2026-08-31', []],
    ],
  ],
  [
    'clamp-to-last',
    [
      ['2026-03-31', []],
      ['2026-04-30', ['2026-04']],
      ['2026-05-31', []],
      ['2026-06-30', ['2026-06']],
    ],
  ],
] as const)('each short month is named once, with the run that it concerns: %s', async ([shortMonth, expected]) => {
  const { control, id } = await createOne(
    { frequency: 'MONTHLY', daysToRun: '31' },
    { behaviours: { 'days.short-month': shortMonth } },
  )
  const { runs } = await control.listUpcomingRuns(id, { limit: 4 })
  const shown = runs.map(({ explanation: { localTime, shortMonths } }) => [
    localTime.slice(0, 10),
    shortMonths.map(({ month }) => month),
  ])
  expect(shown).toEqual(expected)
  const april = runs.find(({ explanation }) => explanation.shortMonths.length > 0)
  expect(april?.why).toContain('2026-04 has no day 31')
})

test('why there are no more runs', async () => {
  const disabled = await createOne({ enabled: false })
  expect(await disabled.control.listUpcomingRuns(disabled.id)).toEqual({
    runs: [],
    end: 'It is disabled, so it does not run.',
  })
  const { control, id } = await createOne(
    { expirationDate: Date.parse('2026-03-20T00:00:00Z') },
    { behaviours: { 'schedule.dates': 'honour' } },
  )
  const { runs, end } = await control.listUpcomingRuns(id)
  expect(runs.map(({ explanation: { at } }) => at)).toEqual(['2026-03-09T12:30:00.000Z', '2026-03-16T12:30:00.000Z'])
  expect(end).toBe(
    'The next time would be 2026-03-23T08:30:00-04:00 in America/New_York, after its expirationDate (schedule.dates).',
  )
})

test('after a run the next one counts from it', async () => {
  const { control, id } = await createOne({})
  await control.advanceClock({ toNextRun: true })
  await control.advanceClock({ by: 'P7D' })
  const [first] = (await control.listUpcomingRuns(id)).runs
  const { nextRun, lastRun } = await control.getReportSchedule(id)
  expect(first?.explanation).toMatchObject({ at: nextRun, countedFrom: { at: lastRun, why: 'the run before' } })
})

test('a delivery can be read with the mail that it is sent as', async () => {
  const recipients = [
    { type: 'EMAIL', value: 'jane@example.com' },
    { type: 'GROUP', value: '12' },
  ]
  const { control, id } = await createOne({ additionalRecipients: recipients })
  await control.advanceClock({ to: '2026-03-09T12:30:00Z' })
  const { deliveries } = await control.listDeliveries({ scheduleId: id })
  const [mail, group] = await Promise.all(deliveries.map((one) => control.getDelivery(one.id)))
  expect(mail).toEqual({
    delivery: deliveries[0],
    timezone: 'America/New_York',
    localTime: '2026-03-09T08:30:00-04:00',
    message: {
      from: 'Standin <reports@standin.invalid>',
      to: 'jane@example.com',
      subject: 'Weekly sales',
      date: '2026-03-09T12:30:00.000Z',
      text: 'Report: Weekly sales\nPage: 100\nView: 200\nRun at: 2026-03-09T08:30:00-04:00 (America/New_York)\n',
      attachments: [],
    },
  })
  expect(group?.message.to).toBe('group-12@standin.invalid')
  expect(await refusalOf(control.getDelivery(999))).toMatch('404 /problems/delivery-not-found')
})
