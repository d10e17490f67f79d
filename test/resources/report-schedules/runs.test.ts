import { expect, test } from 'vitest'
import { type ControlledTester, createControlledTester, refusalOf } from '../../support/control.ts'
import { NOW, weekly } from '../../support/tester.ts'
import { longTest } from '../../support/cases.ts'

const FROZEN = { clock: '2026-03-05T14:30:00Z' }
const DAY = 86_400_000

/** A server with no schedules but those that a test creates: ids from 7. */
async function createBare(options = {}): Promise<ControlledTester> {
  const tester = createControlledTester({ ...FROZEN, ...options })
  for (const { id } of (await tester.control.listReportSchedules()).reportSchedules)
    await tester.control.deleteReportSchedule(id)
  return tester
}

const jane = { type: 'EMAIL', value: 'jane@example.com' }
const group = { type: 'GROUP', value: '12' }

test('a step answers the runs that it has passed, each with what it sent', async () => {
  const { control, create } = await createBare()
  await create(
    weekly(
      { attachmentInclude: true },
      { daysToRun: 'SUN', hourOfDay: 2, minOfHour: 30, additionalRecipients: [jane, group, jane] },
    ),
  )
  expect(await control.advanceClock({ to: '2026-03-15T06:30:00Z' })).toEqual({
    now: '2026-03-15T06:30:00.000Z',
    runs: [
      {
        id: 1,
        at: '2026-03-08T07:30:00.000Z',
        scheduleId: 7,
        title: 'Weekly sales',
        timezone: 'America/New_York',
        localTime: '2026-03-08T03:30:00-04:00',
        deliveries: [jane, group].map((recipient, index) => ({
          id: index + 1,
          runId: 1,
          at: '2026-03-08T07:30:00.000Z',
          scheduleId: 7,
          recipient,
          title: 'Weekly sales',
          pageId: 100,
          viewId: 200,
          attachmentInclude: true,
        })),
      },
      expect.objectContaining({ id: 2, at: '2026-03-15T06:30:00.000Z', localTime: '2026-03-15T02:30:00-04:00' }),
    ],
  })
})

test('runs come in order of time, then of id, each in its own zone', async () => {
  const { control, create } = await createBare()
  const zones = ['Asia/Tokyo', 'UTC', 'America/New_York', 'Etc/GMT-9', 'Asia/Kolkata']
  for (const timezone of zones) await create(weekly({}, { daysToRun: 'SAT', hourOfDay: 9, minOfHour: 0, timezone }))
  await create(weekly({}, { daysToRun: 'SAT', hourOfDay: 0, minOfHour: 0, timezone: 'UTC' }))
  const { runs } = await control.advanceClock({ by: 'P7D' })
  expect(runs.map(({ at, scheduleId }) => [at.slice(8, 16), scheduleId])).toEqual([
    ['07T00:00', 7],
    ['07T00:00', 10],
    ['07T00:00', 12],
    ['07T03:30', 11],
    ['07T09:00', 8],
    ['07T14:00', 9],
  ])
  expect(new Set(runs.slice(0, 5).map(({ localTime }) => localTime.slice(11, 16)))).toContain('09:00')
})

test('to the next run of any schedule, again and again', async () => {
  const { control, create, update } = await createBare()
  await create(weekly())
  await create(weekly({}, { frequency: 'MONTHLY', daysToRun: '31', timezone: 'UTC' }))
  const stops: string[] = []
  for (let step = 0; step < 6; step++) stops.push((await control.advanceClock({ toNextRun: true })).now)
  expect(stops.map((stop) => stop.slice(0, 16))).toEqual([
    '2026-03-09T12:30',
    '2026-03-16T12:30',
    '2026-03-23T12:30',
    '2026-03-30T12:30',
    '2026-03-31T08:30',
    '2026-04-06T12:30',
  ])
  for (const id of [7, 8]) await update(id, weekly({}, { enabled: false }))
  expect(await refusalOf(control.advanceClock({ toNextRun: true }))).toMatch('409 /problems/no-run-to-come')
})

test('the next run that an answer shows is the one that happens', async () => {
  const { control, create } = await createBare()
  const created = await create(weekly({}, { daysToRun: 'SUN', hourOfDay: 1, minOfHour: 30 }))
  await control.putClock({ mode: 'frozen', now: '2026-10-30T00:00:00Z' })
  const { schedule } = created.body as { schedule: { nextRunDate: number } }
  const { runs } = await control.listRuns(7)
  expect(runs[0]).toMatchObject({ at: new Date(schedule.nextRunDate).toISOString() })
  expect(await control.advanceClock({ toNextRun: true })).toMatchObject({
    runs: [{ at: '2026-11-01T05:30:00.000Z', localTime: '2026-11-01T01:30:00-04:00' }],
  })
})

test('a disabled schedule does not run, and enabling it again does not catch up', async () => {
  const { control, create, update } = await createBare()
  await create(weekly({}, { enabled: false }))
  expect((await control.advanceClock({ by: 'P3W' })).runs).toEqual([])
  await update(7, weekly())
  expect((await control.advanceClock({ by: 'P1W' })).runs.map(({ at }) => at)).toEqual(['2026-03-30T12:30:00.000Z'])
  await update(7, weekly({}, { enabled: false }))
  await control.advanceClock({ by: 'P3W' })
  await update(7, weekly())
  expect(await control.listRuns(7)).toMatchObject({ total: 1 })
})

test('an update changes the runs after it, and what has run stays as it was', async () => {
  const { control, create, update } = await createBare()
  await create(weekly({}, { additionalRecipients: [jane] }))
  await control.advanceClock({ by: 'P7D' })
  await update(7, {
    title: 'Renamed',
    schedule: weekly({}, { daysToRun: 'FRI', hourOfDay: 23, timezone: 'UTC', additionalRecipients: [group] }).schedule,
  })
  await control.advanceClock({ by: 'P7D' })
  await control.deleteReportSchedule(7)
  await control.advanceClock({ by: 'P7D' })
  const { runs } = await control.listRuns(7)
  expect(
    runs.map(({ at, title, timezone, reportSchedule }) => [at.slice(0, 16), title, timezone, reportSchedule.revision]),
  ).toEqual([
    ['2026-03-09T12:30', 'Weekly sales', 'America/New_York', 1],
    ['2026-03-13T23:30', 'Renamed', 'UTC', 2],
  ])
  const { deliveries } = await control.listDeliveries()
  expect(deliveries.map(({ recipient, title }) => [recipient, title])).toEqual([
    [jane, 'Weekly sales'],
    [group, 'Renamed'],
  ])
})

test('a running clock has no timer: due runs have happened at the next request that reads or writes', async () => {
  const { control, create, update, moveTo } = await createBare({ clock: undefined })
  await create(weekly({}, { additionalRecipients: [jane] }))
  moveTo(NOW + 14 * DAY)
  // The update comes after both runs, although no request came before it.
  await update(7, { title: 'Too late' })
  const { deliveries } = await control.listDeliveries()
  expect(deliveries.map(({ at, title }) => [at, title])).toEqual([
    ['2026-03-09T12:30:00.000Z', 'Weekly sales'],
    ['2026-03-16T12:30:00.000Z', 'Weekly sales'],
  ])
  expect((await control.advanceClock({ by: 'P7D' })).runs.map(({ id, title }) => [id, title])).toEqual([
    [3, 'Too late'],
  ])
})

test('a sandbox has no runs from before its start', async () => {
  const fixtures = [
    { reportSchedules: [{ id: 50, ...weekly({}, { daysToRun: 'THU', hourOfDay: 9, timezone: 'UTC' }) }] },
  ]
  const { control, moveTo } = createControlledTester({ fixtures })
  expect(await control.listRuns(50)).toMatchObject({ total: 0 })
  moveTo(NOW + 8 * DAY)
  expect(await control.listRuns(50)).toMatchObject({ total: 1 })
  await control.createSandbox({ name: 'made-now' })
  expect(await control.in('made-now').listRuns(50)).toMatchObject({ total: 0 })
  expect(await control.reset()).toMatchObject({ runs: 0 })
})

test('a clock that is set back undoes nothing, and no schedule runs twice at one time', async () => {
  const { control, create } = await createBare()
  await create(weekly())
  await control.advanceClock({ by: 'P14D' })
  await control.putClock({ mode: 'frozen', now: '2026-01-01T00:00:00Z' })
  expect(await control.getSandbox('default')).toMatchObject({ runs: 2 })
  expect(await control.getReportSchedule(7)).toMatchObject({ nextRun: '2026-03-23T12:30:00.000Z' })
  await create(weekly())
  const { runs } = await control.advanceClock({ to: '2026-03-24T00:00:00Z' })
  expect(runs.filter(({ scheduleId }) => scheduleId === 7).map(({ at }) => at)).toEqual(['2026-03-23T12:30:00.000Z'])
  expect(runs.filter(({ scheduleId }) => scheduleId === 8)).toHaveLength(12)
})

test('what has not run yet can run earlier, once the clock is set back', async () => {
  const { control, create } = await createBare()
  await create(weekly())
  await control.putClock({ mode: 'frozen', now: '2026-02-20T00:00:00Z' })
  expect((await control.advanceClock({ to: '2026-03-01T00:00:00Z' })).runs.map(({ at }) => at)).toEqual([
    '2026-02-23T13:30:00.000Z',
  ])
})

test('a running clock that is set back makes the runs that come before those it waited for', async () => {
  const { control, create, moveTo } = await createBare({ clock: undefined })
  await create(weekly({}, { frequency: 'MONTHLY', daysToRun: '20' }))
  expect(await control.getReportSchedule(7)).toMatchObject({ nextRun: '2026-03-20T12:30:00.000Z' })
  await control.putClock({ mode: 'running', now: '2026-02-19T00:00:00Z' })
  moveTo(NOW + 2 * DAY)
  expect((await control.listRuns(7)).runs.map(({ at }) => at)).toEqual(['2026-02-20T13:30:00.000Z'])
})

test('setting the clock forward makes the runs that it passes', async () => {
  const { control, create } = await createBare()
  await create(weekly())
  await control.putClock({ mode: 'running', now: '2026-03-20T00:00:00Z' })
  expect((await control.listRuns(7)).runs.map(({ at }) => at.slice(0, 10))).toEqual(['2026-03-09', '2026-03-16'])
})

test('a behaviour decides which times are allowed', async () => {
  const skipping = await createBare({ behaviours: { 'next-run.gap': 'skip', 'days.short-month': 'clamp-to-last' } })
  await skipping.create(weekly({}, { daysToRun: 'SUN', hourOfDay: 2, minOfHour: 30 }))
  await skipping.create(
    weekly({}, { frequency: 'MONTHLY', daysToRun: '31', hourOfDay: 0, minOfHour: 0, timezone: 'UTC' }),
  )
  const { runs } = await skipping.control.advanceClock({ to: '2026-04-30T12:00:00Z' })
  expect(runs.map(({ at }) => at.slice(0, 10))).toEqual([
    '2026-03-15',
    '2026-03-22',
    '2026-03-29',
    '2026-03-31',
    '2026-04-05',
    '2026-04-12',
    '2026-04-19',
    '2026-04-26',
    '2026-04-30',
  ])

  const inclusive = await createBare({ behaviours: { 'next-run.when': 'inclusive' } })
  await inclusive.create(weekly({}, { daysToRun: 'THU', hourOfDay: 14, minOfHour: 30, timezone: 'UTC' }))
  // A run at this very moment has happened at the next request.
  expect(await inclusive.control.listRuns(7)).toMatchObject({ total: 1, runs: [{ at: '2026-03-05T14:30:00.000Z' }] })
  expect(await inclusive.control.advanceClock({ toNextRun: true })).toMatchObject({ now: '2026-03-12T14:30:00.000Z' })
})

test('deliveries are listed and forgotten by schedule, recipient and time', async () => {
  const { control, create } = await createBare()
  await create(weekly({}, { additionalRecipients: [jane, group] }))
  await create(weekly({}, { daysToRun: 'TUE', additionalRecipients: [jane] }))
  await control.advanceClock({ by: 'P14D' })
  const count = async (filter?: Parameters<typeof control.listDeliveries>[0]) =>
    (await control.listDeliveries(filter)).total
  expect(await count()).toBe(6)
  expect(await count({ scheduleId: 8 })).toBe(2)
  expect(await count({ recipient: jane.value })).toBe(4)
  expect(await count({ recipientType: 'GROUP' })).toBe(2)
  expect(await count({ recipientType: 'GROUP', recipient: jane.value })).toBe(0)
  expect(await count({ since: '2026-03-10T12:30:00Z', until: '2026-03-16T12:30:00Z' })).toBe(3)
  expect((await control.listDeliveries({ limit: 2 })).deliveries.map(({ id }) => id)).toEqual([5, 6])
  expect(await control.deleteDeliveries({ scheduleId: 8, until: '2026-03-12T00:00:00Z' })).toEqual({ removed: 1 })
  expect((await control.listDeliveries()).deliveries.map(({ id }) => id)).toEqual([1, 2, 4, 5, 6])
  expect(await control.deleteDeliveries()).toEqual({ removed: 5 })
  expect(
    (await control.advanceClock({ by: 'P7D' })).runs.flatMap(({ deliveries }) => deliveries.map(({ id }) => id)),
  ).toEqual([7, 8, 9])
  expect(await refusalOf(control.listDeliveries({ since: 'monday' }))).toMatch(
    'since: expected an instant with its zone',
  )
})

longTest(
  'a year over 1,000 weekly schedules makes every run in order',
  async () => {
    const { control, create } = await createBare()
    const days = ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT']
    const zones = ['America/New_York', 'Europe/London', 'Asia/Kolkata', 'Australia/Lord_Howe', 'UTC']
    for (let number = 0; number < 1000; number++)
      await create(
        weekly(
          {},
          { daysToRun: days[number % 7], hourOfDay: number % 24, minOfHour: number % 60, timezone: zones[number % 5] },
        ),
      )
    const { runs } = await control.advanceClock({ by: 'P364D' })
    expect(runs).toHaveLength(52_000)
    const keys = runs.map(({ at, scheduleId }) => `${at} ${String(scheduleId).padStart(5, '0')}`)
    expect(keys).toEqual([...keys].sort())
    expect(await refusalOf(control.advanceClock({ by: 'P2Y' }))).toBe(
      '409 /problems/too-many-runs: Up to 2029-03-04T14:30:00.000Z there would be about 104,427 runs with 0 deliveries; one step may make 100,000 runs and 1,000,000 deliveries. Nothing was changed. Move the clock in smaller steps, or disable schedules first.',
    )
    expect(await control.getClock()).toMatchObject({ now: '2027-03-04T14:30:00.000Z' })
    expect(await refusalOf(control.putClock({ mode: 'frozen', now: '2029-03-04T14:30:00Z' }))).toMatch('too-many-runs')
    expect(await control.getSandbox('default')).toMatchObject({ runs: 52_000 })
    await control.advanceClock({ by: 'P364D' })
    expect(await control.getSandbox('default')).toMatchObject({ runs: 100_000 })
    expect((await control.listRuns(7)).runs[0]?.id).toBeGreaterThan(4000)
  },
  60_000,
)

longTest('a clock that has run for ages works out what is remembered, and no more', async () => {
  const { control, create, moveTo } = await createBare({ clock: undefined })
  for (let number = 0; number < 20; number++)
    await create(weekly({}, { minOfHour: number, additionalRecipients: [jane] }))
  await control.putClock({ mode: 'running', rate: 1_000_000 })
  moveTo(NOW + 60 * 60_000)
  const { runs, deliveries, clock } = await control.getSandbox('default')
  expect(clock.now.slice(0, 4)).toBe('2140')
  expect(runs).toBeGreaterThan(80_000)
  expect(runs).toBeLessThanOrEqual(100_000)
  expect(deliveries).toBe(runs)
  const last = (await control.listRuns(7)).runs.at(-1)
  expect(Date.parse(clock.now) - Date.parse(last?.at ?? '')).toBeLessThan(7 * DAY)
})

test('schedules that expire count for their time only when there would be too many runs', async () => {
  const { control, create } = await createBare({ behaviours: { 'schedule.dates': 'honour' } })
  await create(weekly({ title: 'For ever' }))
  for (let number = 0; number < 10; number++)
    await create(weekly({ title: 'Expires' }, { expirationDate: Date.parse('2026-04-01T00:00:00Z') }))
  const until = '9000-01-01T00:00:00Z'
  expect(await refusalOf(control.advanceClock({ to: until }))).toMatch(/ about 363,\d{3} runs with 0 deliveries;/)
  const { runs } = await control.advanceClock({ to: '2027-01-01T00:00:00Z' })
  expect(runs.filter(({ title }) => title === 'Expires')).toHaveLength(40)
  expect(runs.filter(({ title }) => title === 'For ever')).toHaveLength(43)
})

longTest(
  'a clock that jumps past very many runs keeps the latest, though other schedules expired on the way',
  async () => {
    const behaviours = { 'schedule.dates': 'honour', 'frequency.values': ['WEEKLY', 'MONTHLY', 'DAILY'] }
    const { control, create, moveTo } = await createBare({ behaviours, clock: undefined })
    await create(weekly({ title: 'For ever' }, { frequency: 'DAILY' }))
    for (let number = 0; number < 10; number++)
      await create(
        weekly({ title: 'Expires' }, { frequency: 'DAILY', expirationDate: Date.parse('2026-04-01T00:00:00Z') }),
      )
    moveTo('2500-01-01T00:00:00Z')
    expect(await control.getReportSchedule(8)).toMatchObject({ nextRun: null })
    expect((await control.listRuns(7)).runs.at(-1)).toMatchObject({ at: '2499-12-31T13:30:00.000Z' })
    const { runs } = await control.getSandbox('default')
    expect(runs).toBeGreaterThan(80_000)
  },
)
