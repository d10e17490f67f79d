import { join } from 'node:path'
import type { Response } from 'supertest'
import { expect, onTestFinished, test } from 'vitest'
import { createControlledTester, refusalOf } from '../../support/control.ts'
import { createDirectory } from '../../support/command.ts'
import { describeBehaviour } from '../../support/describe-behaviour.ts'
import { contractFile } from '../../support/contracts/own-contract.ts'
import { complaintsOf, createTester, NOW, rowsOf, type Tester, weekly } from '../../support/tester.ts'
import { parseJson, stringifyJson } from '../../../src/base/formats/json.ts'
import { replay } from '../../../src/app/replay/replay.ts'

const HONOUR = { clock: '2026-03-05T14:30:00Z', behaviours: { 'schedule.dates': 'honour' } }

/** Epoch ms of what people write as `2026-03-09T12:30Z`. */
function ms(instant: string): number {
  return Date.parse(instant)
}

/** A schedule for Mondays at 08:30 UTC. */
function mondays(schedule: Readonly<Record<string, unknown>>, parts: Readonly<Record<string, unknown>> = {}) {
  return weekly(parts, { timezone: 'UTC', ...schedule })
}

/** The next run of a response, as people write it; undefined when it has none. */
function runOf({ status, text, body }: Response): string | undefined {
  expect(status, text).toBe(200)
  const { nextRunDate } = (body as { schedule: { nextRunDate?: number } }).schedule
  return nextRunDate === undefined ? undefined : new Date(nextRunDate).toISOString().replace(':00.000Z', 'Z')
}

/** The next run of a schedule that is created now. */
async function nextWith({ create }: Tester, schedule: Readonly<Record<string, unknown>>): Promise<string | undefined> {
  return runOf(await create(mondays(schedule)))
}

describeBehaviour('schedule.dates', {
  ignore: async ({ create, update }) => {
    const dates = { startDate: ms('2026-06-01T00:00Z'), expirationDate: 'never' }
    const created = await create(mondays(dates))
    expect(runOf(created)).toBe('2026-03-09T08:30Z')
    expect(created.body).not.toHaveProperty('schedule.startDate')
    expect(created.headers['x-mock-ignored']).toBe('body /schedule/startDate, body /schedule/expirationDate')
    expect(rowsOf(created)).toEqual(expect.arrayContaining(['body.unknown', 'schedule.dates']))
    expect(runOf(await update(7, mondays(dates)))).toBe('2026-03-09T08:30Z')
    expect(rowsOf(await create(mondays({})))).not.toContain('schedule.dates')
  },
  honour: async (tester) => {
    const { create, update, moveTo } = tester
    const dates = { startDate: ms('2026-06-01T08:30Z'), expirationDate: ms('2026-06-15T08:30Z') }
    const created = await create(mondays(dates))
    expect(created.body).toMatchObject({ schedule: dates })
    expect(created.headers).not.toHaveProperty('x-mock-ignored')
    expect(rowsOf(created)).toContain('schedule.dates')
    // Runs at the very startDate and expirationDate count.
    expect(runOf(created)).toBe('2026-06-01T08:30Z')
    moveTo('2026-06-15T08:29:59Z')
    expect(runOf(await update(7, {}))).toBe('2026-06-15T08:30Z')
    moveTo('2026-06-15T08:30:00Z')
    const over = await update(7, {})
    expect(runOf(over)).toBeUndefined()
    expect(over.body).toMatchObject({ schedule: dates })
    const later = { ...dates, expirationDate: ms('2026-07-01T00:00Z') }
    expect(runOf(await update(7, mondays(later)))).toBe('2026-06-22T08:30Z')
    // Either may be sent alone, and a startDate that is past changes nothing.
    moveTo(NOW)
    expect(await nextWith(tester, { startDate: ms('2026-06-01T08:30:01Z') })).toBe('2026-06-08T08:30Z')
    expect(await nextWith(tester, { startDate: 0 })).toBe('2026-03-09T08:30Z')
    expect(await nextWith(tester, { expirationDate: ms('2026-03-09T08:29Z') })).toBeUndefined()
    expect(rowsOf(await create(mondays({})))).not.toContain('schedule.dates')
  },
})

test('a date that is none, or a startDate that is not before the expirationDate, is refused with its place', async () => {
  const { create, update } = createTester({ behaviours: { ...HONOUR.behaviours, 'update.schedule': 'deep-merge' } })
  const [start, end] = ['/schedule/startDate schedule.dates', '/schedule/expirationDate schedule.dates']
  for (const wrong of ['2026-06-01T00:00:00Z', '1780300800000', 1.5, -1, 8_640_000_000_000_000, true, {}, []]) {
    expect(complaintsOf(await create(mondays({ startDate: wrong }))), JSON.stringify(wrong)).toEqual([start])
    expect(complaintsOf(await update(1, { schedule: { expirationDate: wrong } })), JSON.stringify(wrong)).toEqual([end])
  }
  for (const expirationDate of [NOW, NOW - 1])
    expect(complaintsOf(await create(mondays({ startDate: NOW, expirationDate })))).toEqual([start])
  await create(mondays({ startDate: NOW }))
  const refused = await update(7, { schedule: { expirationDate: NOW } })
  expect([refused.status, complaintsOf(refused)]).toEqual([400, [end]])
  expect(refused.body).toMatchObject({
    errors: [{ message: `/schedule/expirationDate: expected a time after the startDate ${NOW}, got ${NOW}.` }],
  })
})

test('other behaviours hold for the dates as for other members', async () => {
  const dates = { startDate: ms('2026-06-01T00:00Z'), expirationDate: ms('2026-07-01T00:00Z') }
  const by = (behaviours: Readonly<Record<string, unknown>>) =>
    createTester({ behaviours: { ...HONOUR.behaviours, ...behaviours } })
  const strict = by({ 'body.unknown': 'error' })
  expect((await strict.create(mondays(dates))).status).toBe(200)
  expect(complaintsOf(await strict.create(mondays({ endDate: 1 })))).toEqual(['/schedule/endDate body.unknown'])
  const coerced = await by({ 'body.types': 'coerce' }).create(mondays({ startDate: String(dates.startDate) }))
  expect(coerced.body).toMatchObject({ schedule: { startDate: dates.startDate } })
  const behaviours = { ...HONOUR.behaviours, 'response.nulls': 'null' }
  const shown = await createTester({ behaviours, selfCheck: false }).create(mondays({ startDate: dates.startDate }))
  expect(shown.body).toMatchObject({ schedule: { startDate: dates.startDate, expirationDate: null } })
  const clearing = by({ 'body.null': 'clear', 'update.schedule': 'deep-merge' })
  await clearing.create(mondays(dates))
  const cleared = await clearing.update(7, { schedule: { startDate: null } })
  expect(runOf(cleared)).toBe('2026-03-09T08:30Z')
  expect(cleared.body).not.toHaveProperty('schedule.startDate')
  const merging = by({ 'update.schedule': 'deep-merge' })
  await merging.create(mondays(dates))
  expect(runOf(await merging.update(7, { schedule: { daysToRun: 'TUE' } }))).toBe('2026-06-02T08:30Z')
  const replacing = by({})
  await replacing.create(mondays(dates))
  expect(runOf(await replacing.update(7, mondays({})))).toBe('2026-03-09T08:30Z')
  for (const rule of ['absent', 'clear']) {
    const created = await by({ 'body.null': rule }).create(mondays({ startDate: null }))
    expect(runOf(created)).toBe('2026-03-09T08:30Z')
  }
  const refusing = await by({ 'body.null': 'error' }).create(mondays({ startDate: null }))
  expect(complaintsOf(refusing)).toEqual(['/schedule/startDate schedule.dates'])
  const frozen = by({ 'next-run.passes': 'frozen-at-write' })
  expect(runOf(await frozen.create(mondays(dates)))).toBe('2026-06-01T08:30Z')
})

test('a schedule runs from its startDate to its expirationDate', async () => {
  const { control, create } = createControlledTester(HONOUR)
  const dates = { startDate: ms('2026-06-01T08:30Z'), expirationDate: ms('2026-06-15T08:30Z') }
  const additionalRecipients = [{ type: 'EMAIL', value: 'jane@example.com' }]
  await create(mondays({ ...dates, additionalRecipients }))
  for (const { id } of (await control.listReportSchedules()).reportSchedules)
    if (id !== 7) await control.deleteReportSchedule(id)
  expect(await control.getReportSchedule(7)).toMatchObject({ nextRun: '2026-06-01T08:30:00.000Z', schedule: dates })
  const { runs } = await control.advanceClock({ to: '2026-12-31T00:00:00Z' })
  expect(runs.map(({ at }) => at)).toEqual([
    '2026-06-01T08:30:00.000Z',
    '2026-06-08T08:30:00.000Z',
    '2026-06-15T08:30:00.000Z',
  ])
  expect(await control.listDeliveries()).toMatchObject({ total: 3 })
  expect(await control.getReportSchedule(7)).toMatchObject({ nextRun: null, lastRun: '2026-06-15T08:30:00.000Z' })
  expect(await refusalOf(control.advanceClock({ toNextRun: true }))).toMatch('409 /problems/no-run-to-come')
})

test('dates are kept by forks, exports and imports, and when the setting changes', async () => {
  const { control, create, update } = createControlledTester(HONOUR)
  const dates = { startDate: ms('2026-06-01T08:30Z'), expirationDate: ms('2026-06-15T08:30Z') }
  await create(mondays(dates))
  const kept = { nextRun: '2026-06-01T08:30:00.000Z', schedule: dates }
  await control.forkSandbox('default', { name: 'fork' })
  expect(await control.in('fork').getReportSchedule(7)).toMatchObject(kept)
  const state = await control.getState()
  expect((await control.getHistory()).events[0]).toMatchObject({ reportSchedule: { schedule: dates } })
  const other = createControlledTester({ clock: '2026-03-05T14:30:00Z' })
  await other.control.putState(state)
  expect(await other.control.getReportSchedule(7)).toMatchObject(kept)
  await control.putBehaviours({ 'schedule.dates': 'ignore' })
  expect(runOf(await update(7, { title: 'Later' }))).toBe('2026-06-01T08:30Z')
})

test('a fixture may have dates where they are honoured, and none that are wrong', async () => {
  const fixture = (schedule: Readonly<Record<string, unknown>>) => ({
    ...HONOUR,
    fixtures: [{ reportSchedules: [mondays(schedule)] }],
  })
  const { control } = createControlledTester(fixture({ startDate: ms('2026-06-01T08:30Z') }))
  const { reportSchedules } = await control.listReportSchedules()
  expect(reportSchedules.map(({ nextRun }) => nextRun)).toContain('2026-06-01T08:30:00.000Z')
  expect(() => createTester(fixture({ startDate: 2, expirationDate: 1 }))).toThrow('startDate')
})

test('an explanation counts from startDate, and says when the last run is past', async () => {
  const { control, create, moveTo } = createControlledTester({ behaviours: HONOUR.behaviours })
  await create(mondays({ startDate: ms('2026-06-01T08:30Z'), expirationDate: ms('2026-06-15T08:30Z') }))
  expect(await control.explainReportSchedule({ id: 7 })).toMatchObject({
    nextRunDate: ms('2026-06-01T08:30Z'),
    run: { countedFrom: { at: '2026-06-01T08:30:00.000Z', why: expect.stringContaining('startDate') as string } },
  })
  moveTo('2026-06-20T00:00:00Z')
  expect(await control.explainReportSchedule({ id: 7 })).toMatchObject({
    nextRunDate: null,
    why: 'It has no next run: the next time would be 2026-06-22T08:30:00+00:00 in UTC, after its expirationDate (schedule.dates).',
  })
})

test('dates are there again after a restart, and a run with them is done again byte for byte', async () => {
  const directory = createDirectory({})
  onTestFinished(() => {
    directory.remove()
  })
  const options = { ...HONOUR, data: join(directory.path, 'data') }
  const before = createControlledTester(options)
  await before.create(mondays({ startDate: ms('2026-06-01T08:30Z'), expirationDate: ms('2026-06-15T08:30Z') }))
  await before.control.advanceClock({ to: '2026-06-02T00:00:00Z' })
  await before.update(7, { title: 'Again' })
  const document = await before.control.getReplay()
  const state = await before.control.getState()
  await before.standin.stop()
  const after = createControlledTester(options)
  expect(await after.control.getState()).toEqual(state)
  expect(runOf(await after.update(7, {}))).toBe('2026-06-08T08:30Z')
  await after.standin.stop()
  const again = await replay({ file: 'run.json', value: parseJson(stringifyJson(document)), lineOf: () => 1 })
  expect(again).toMatchObject({ exchanges: 2, difference: undefined })
})

test('a contract that names the dates may write them as text, and has them shown as they were sent', async () => {
  const contract = contractFile(({ properties }) => {
    for (const name of ['ScheduleSettings', 'Schedule'])
      Object.assign(properties(name), { startDate: { type: ['string', 'null'] } })
  })
  const { create, update } = createTester({ contract, behaviours: HONOUR.behaviours })
  const created = await create(mondays({ startDate: '2026-06-01T00:00:00Z' }))
  expect(runOf(created)).toBe('2026-06-01T08:30Z')
  expect(created.body).toMatchObject({ schedule: { startDate: '2026-06-01T00:00:00Z' } })
  expect(runOf(await update(7, mondays({ startDate: '2026-07-01T00:00:00Z' })))).toBe('2026-07-06T08:30Z')
  expect(runOf(await update(7, mondays({ startDate: null })))).toBe('2026-03-09T08:30Z')
  expect(complaintsOf(await create(mondays({ startDate: 'soon' })))).toEqual(['/schedule/startDate schedule.dates'])
})
