import { expect, test } from 'vitest'
import { createControlledTester } from '../support/control.ts'
import { KEY_HEADER, weekly } from '../support/tester.ts'
import { longTest } from '../support/cases.ts'

const TINY = { clock: '2026-03-05T14:30:00Z', files: 20 }

test('every change of a sandbox is in its history, with the request that it came from', async () => {
  const { control, create, update, search } = createControlledTester(TINY)
  const { headers } = await create(weekly({}, { additionalRecipients: [{ type: 'EMAIL', value: 'jane@example.com' }] }))
  await search({ set: 'demo' })
  await update(7, { title: 'Renamed' })
  await control.advanceClock({ to: '2026-03-09T12:30:00Z' })
  await control.deleteDeliveries()
  await control.createFileSet({ id: 'made', generate: 30 })
  const { files } = await control.addFiles('made', [{ path: 'a.txt' }])
  await control.changeFile('made', files[0]!.id, { path: 'b.txt' })
  await control.deleteFile('made', files[0]!.id)
  await control.deleteFileSet('made')
  await control.deleteReportSchedule(7)
  await control.createCheckpoint({ name: 'here' })
  await control.restoreCheckpoint('here')
  await control.deleteCheckpoint('here')
  await control.putState(await control.getState())
  await control.reset()
  const { first, next, events } = await control.getHistory()
  expect([first, next]).toEqual([0, events.length])
  expect(events.map(({ type }) => type).filter((type, index, all) => type !== all[index - 1])).toEqual([
    'report-schedule.created',
    'report-schedule.updated',
    'report-schedule.ran',
    'clock.moved',
    'deliveries.removed',
    'file-set.created',
    'files.added',
    'file.changed',
    'files.removed',
    'file-set.removed',
    'report-schedule.removed',
    'checkpoint.taken',
    'checkpoint.restored',
    'checkpoint.removed',
    'state.imported',
    'sandbox.reset',
  ])
  expect(events[0]).toMatchObject({
    number: 0,
    at: '2026-03-05T14:30:00.000Z',
    requestId: headers['x-request-id'],
    reportSchedule: { id: 7, title: 'Weekly sales' },
  })
  expect(events[16]?.counts).toMatchObject({ fileSets: 3, reportSchedules: 6 })
  expect(events.filter(({ requestId }) => requestId !== undefined)).toHaveLength(2)
})

test('a history is read page by page, and goes on where it was left', async () => {
  const { control, create } = createControlledTester(TINY)
  for (let number = 0; number < 5; number++) await create(weekly({ title: `Number ${number}` }))
  const numbers = (page: { events: readonly { number: number }[] }) => page.events.map(({ number }) => number)
  const page = await control.getHistory({ limit: 2 })
  expect([numbers(page), page.next]).toEqual([[0, 1], 2])
  const rest = await control.getHistory({ from: page.next })
  expect([numbers(rest), rest.next]).toEqual([[2, 3, 4], 5])
  expect(await control.getHistory({ from: 5 })).toEqual({ first: 0, next: 5, events: [] })
  expect(await control.getHistory({ from: 99 })).toEqual({ first: 0, next: 5, events: [] })
  await create(weekly())
  expect(numbers(await control.getHistory({ from: rest.next }))).toEqual([5])
})

test('each sandbox has a history of its own, and a fork begins with an empty one', async () => {
  const { control, create } = createControlledTester(TINY)
  await create(weekly(), { [KEY_HEADER]: 'k@one' })
  await control.forkSandbox('one', { name: 'two' })
  expect((await control.getHistory()).events).toHaveLength(0)
  expect((await control.in('one').getHistory()).events).toHaveLength(1)
  expect((await control.in('two').getHistory()).events).toHaveLength(0)
})

longTest(
  'the oldest events are forgotten once there are more than 10,000, or they hold more than 100,000 things',
  async () => {
    const { standin, control, moveTo } = createControlledTester({ files: 20 })
    // The runs of a year happen when the clock is read.
    for (let year = 1; year <= 80; year++) {
      moveTo(`${2026 + year}-03-05T14:30:00Z`)
      await control.getClock()
    }
    const many = await control.getHistory({ from: 1_000_000 })
    expect(many.next - many.first).toBe(10_000)
    const oldest = await control.getHistory()
    expect(oldest.events.map(({ number }) => number)).toEqual(oldest.events.map((_, index) => many.first + index))
    expect(oldest.events.map(({ at }) => at)).toEqual(oldest.events.map(({ at }) => at).sort())
    for (let batch = 0; batch < 3; batch++) {
      const files = Array.from({ length: 35_000 }, (_, number) => ({ path: `${batch}/${number}` }))
      standin.addFiles('empty', files)
    }
    const few = await control.getHistory({ from: many.next })
    expect(few.first).toBeGreaterThan(many.next - 10_000)
    // A page ends where it holds much.
    expect(few.events.map(({ type }) => type)).toEqual(['files.added'])
  },
)
