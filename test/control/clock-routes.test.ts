import { expect, test } from 'vitest'
import { createControlledTester, refusalOf } from '../support/control.ts'
import { NOW, weekly } from '../support/tester.ts'

const FROZEN = { clock: '2026-03-05T14:30:00Z' }
const MINUTE = 60_000

test("at first it is the machine's, or frozen where the configuration says", async () => {
  expect(await createControlledTester().control.getClock()).toEqual({
    mode: 'running',
    now: '2026-03-05T14:30:00.000Z',
    rate: 1,
  })
  expect(await createControlledTester(FROZEN).control.getClock()).toEqual({
    mode: 'frozen',
    now: '2026-03-05T14:30:00.000Z',
    rate: 0,
  })
})

test('it runs on, stands still, and goes on from where it stood', async () => {
  const { control, moveTo } = createControlledTester()
  moveTo(NOW + MINUTE)
  expect(await control.putClock({ mode: 'frozen' })).toEqual({
    mode: 'frozen',
    now: '2026-03-05T14:31:00.000Z',
    rate: 0,
  })
  moveTo(NOW + 9 * MINUTE)
  expect(await control.getClock()).toMatchObject({ now: '2026-03-05T14:31:00.000Z' })
  expect(await control.putClock({ mode: 'running' })).toEqual({
    mode: 'running',
    now: '2026-03-05T14:31:00.000Z',
    rate: 1,
  })
  moveTo(NOW + 10 * MINUTE)
  expect(await control.getClock()).toMatchObject({ now: '2026-03-05T14:32:00.000Z' })
  expect(await control.putClock({ mode: 'running', now: 'machine' })).toMatchObject({ now: '2026-03-05T14:40:00.000Z' })
})

test('it runs at a rate, and keeps it when it is advanced', async () => {
  const { control, moveTo } = createControlledTester()
  expect(await control.putClock({ mode: 'running', now: '2030-01-01T00:00:00+01:00', rate: 1440 })).toEqual({
    mode: 'running',
    now: '2029-12-31T23:00:00.000Z',
    rate: 1440,
  })
  moveTo(NOW + MINUTE)
  expect(await control.getClock()).toMatchObject({ now: '2030-01-01T23:00:00.000Z' })
  await control.advanceClock({ by: 'PT1H' })
  moveTo(NOW + 2 * MINUTE)
  expect(await control.getClock()).toEqual({ mode: 'running', now: '2030-01-03T00:00:00.000Z', rate: 1440 })
  await control.putClock({ mode: 'running', rate: 0.5 })
  moveTo(NOW + 4 * MINUTE)
  expect(await control.getClock()).toMatchObject({ now: '2030-01-03T00:01:00.000Z', rate: 0.5 })
})

test('everything that reads the time reads it: Date, nextRunDate, what is written, and rate limits', async () => {
  const { control, create, search } = createControlledTester({ ...FROZEN, behaviours: { 'rate.limit': '2 per 60' } })
  await control.putClock({ mode: 'frozen', now: '2031-07-01T10:00:00.250Z' })
  const created = await create(weekly())
  expect(created.headers.date).toBe('Tue, 01 Jul 2031 10:00:00 GMT')
  expect(created.body).toMatchObject({ schedule: { nextRunDate: Date.parse('2031-07-07T12:30:00Z') } })
  expect(await control.getReportSchedule(7)).toMatchObject({ written: '2031-07-01T10:00:00.250Z' })
  await search({ set: 'empty' })
  const limited = await search({ set: 'empty' })
  expect([limited.status, limited.headers['retry-after']]).toEqual([429, '60'])
  await control.advanceClock({ by: 'PT1M' })
  expect((await search({ set: 'empty' })).status).toBe(200)
})

test('each sandbox has its own', async () => {
  const { control } = createControlledTester(FROZEN)
  await control.in('one').putClock({ mode: 'frozen', now: '2001-01-01T00:00:00Z' })
  await control.in('one').advanceClock({ by: 'P1D' })
  expect(await control.in('one').getClock()).toMatchObject({ now: '2001-01-02T00:00:00.000Z' })
  expect(await control.getClock()).toMatchObject({ now: '2026-03-05T14:30:00.000Z' })
})

test.for([
  ['2026-01-31T12:00:00Z', 'P1M', '2026-02-28T12:00:00.000Z'],
  ['2024-02-29T12:00:00Z', 'P1Y', '2025-02-28T12:00:00.000Z'],
  ['2026-03-08T00:00:00Z', 'P1D', '2026-03-09T00:00:00.000Z'],
  ['2026-03-05T14:30:00Z', 'P1W2DT3H4M5.006S', '2026-03-14T17:34:05.006Z'],
  ['2026-03-05T14:30:00Z', 'PT0S', '2026-03-05T14:30:00.000Z'],
  ['2026-03-05T14:30:00Z', 'PT36H', '2026-03-07T02:30:00.000Z'],
] as const)('from %s a step of %s, counted in UTC, leads to %s', async ([now, by, then]) => {
  const { control } = createControlledTester(FROZEN)
  for (const { id } of (await control.listReportSchedules()).reportSchedules) await control.deleteReportSchedule(id)
  await control.putClock({ mode: 'frozen', now })
  expect(await control.advanceClock({ by })).toEqual({ now: then, runs: [] })
})

test.for([
  [{ by: 'P' }, '/by: expected an ISO 8601 duration such as P14D or PT1H30M, got "P".'],
  [{ by: 'two weeks' }, 'expected an ISO 8601 duration'],
  [{ by: 'P1.5D' }, 'expected an ISO 8601 duration'],
  [{ by: `P${'9'.repeat(5000)}D` }, 'expected an ISO 8601 duration'],
  [{ by: '-P1D' }, 'expected a duration that goes forward; PUT the clock to set it back'],
  [{ by: 'P9000Y' }, 'expected a duration that stays within the year 9999'],
  [{ by: 'P999999999Y' }, 'expected a duration that stays within the year 9999'],
  [
    { to: '2026-03-05T14:29:59Z' },
    'expected an instant from 2026-03-05T14:30:00.000Z on; PUT the clock to set it back',
  ],
  [{ to: 'tomorrow' }, '/to: expected an instant with its zone'],
  [{ to: '2026-04-01T00:00:00' }, '/to: expected an instant with its zone'],
  [{ toNextRun: false }, '/toNextRun: expected true'],
  [{ by: 'P1D', toNextRun: true }, 'the body: expected exactly one of by, to, toNextRun, got {"by":'],
  [{}, 'the body: expected exactly one of by, to, toNextRun, got {}.'],
] as const)('the step %j is refused, and time stands still', async ([step, complaint]) => {
  const { control } = createControlledTester(FROZEN)
  expect(await refusalOf(control.advanceClock(step as { by: string }))).toContain(complaint)
  expect(await control.getClock()).toMatchObject({ now: '2026-03-05T14:30:00.000Z' })
})

test.for([
  [{ mode: 'frozen', now: 'noon' }, '/now: expected an instant with its zone'],
  [{ mode: 'frozen', rate: 2 }, '/rate: expected no rate for a frozen clock, got 2.'],
  [{ mode: 'running', rate: 0 }, '/rate: expected more than 0, got 0.'],
  [{ mode: 'running', rate: -1 }, '/rate: expected more than 0, got -1.'],
  [{ mode: 'running', rate: 1_000_001 }, '/rate: expected at most 1000000'],
  [{ mode: 'frozen', now: '0099-01-01T00:00:00Z' }, '/now: expected an instant with its zone'],
] as const)('the clock %j is refused', async ([clock, complaint]) => {
  const { control } = createControlledTester(FROZEN)
  expect(await refusalOf(control.putClock(clock))).toContain(complaint)
  expect(await control.getClock()).toMatchObject({ mode: 'frozen', now: '2026-03-05T14:30:00.000Z' })
})

test('a clock that has come to the end of the last year stops there', async () => {
  const { control, moveTo, create } = createControlledTester()
  for (const { id } of (await control.listReportSchedules()).reportSchedules) await control.deleteReportSchedule(id)
  await control.putClock({ mode: 'running', now: '9999-12-01T00:00:00Z', rate: 1_000_000 })
  await create(weekly())
  moveTo(NOW + 60 * MINUTE)
  expect(await control.getClock()).toMatchObject({ now: '9999-12-31T23:59:59.999Z' })
  expect(await control.listRuns(7)).toMatchObject({ total: 4 })
  expect(await control.getReportSchedule(7)).toMatchObject({ nextRun: null, lastRun: '9999-12-27T13:30:00.000Z' })
})
