import { expect, test } from 'vitest'
import { sentenceOf, subjectOf } from '../../../../console/src/views/history/event-words.ts'
import type { HistoryEvent } from '../../../../src/control/client/types.ts'
import { createControlledTester } from '../../../support/control.ts'
import { weekly } from '../../../support/tester.ts'

test('every change of a sandbox is told in a sentence', async () => {
  const { control, create, update, search } = createControlledTester({ clock: '2026-03-05T14:30:00Z', files: 5 })
  await create(weekly({}, { additionalRecipients: [{ type: 'EMAIL', value: 'jane@example.com' }] }))
  await update(7, { title: 'Renamed' })
  await control.advanceClock({ to: '2026-03-09T12:30:00Z' })
  await control.putClock({ mode: 'running', rate: 60 })
  await control.putClock({ mode: 'frozen' })
  await control.createFileSet({ id: 'made', files: [{ path: 'first.txt' }] })
  const { files } = await control.addFiles('made', [{ path: 'a.txt' }, { path: 'b/c.txt' }, { path: 'b/d.txt' }])
  await control.changeFile('made', files[0]!.id, { path: 'moved.txt' })
  await control.changeFile('made', files[1]!.id, { size: 7 })
  await control.deleteFile('made', files[1]!.id)
  await control.deleteFileSet('made')
  await control.deleteReportSchedule(7)
  await control.armFaults({ kind: 'status', status: 503, times: 1 })
  await search({ set: 'demo' })
  await control.removeFaults()
  await control.putBehaviours({ 'limit.zero': 'default' })
  await control.putBehaviours({})
  await control.createCheckpoint({ name: 'here' })
  await control.restoreCheckpoint('here')
  await control.deleteCheckpoint('here')
  await control.reset()
  const { events } = await control.getHistory()
  const told = events.filter(({ type }) => type !== 'report-schedule.ran').map(sentenceOf)
  expect(told).toMatchInlineSnapshot(`
    [
      "Schedule 7 “Weekly sales” was created",
      "Schedule 7 “Renamed” was changed",
      "The clock was moved to 2026-03-09 12:30:00 and stands still",
      "The clock runs, 60 times as fast",
      "The clock stands still",
      "File set made was created",
      "a.txt, b/c.txt and 1 other file were added to made",
      "a.txt in made was moved to moved.txt",
      "b/c.txt in made was changed",
      "b/c.txt was deleted from made",
      "File set made was deleted",
      "Schedule 7 was deleted",
      "Fault status-1 was armed",
      "Fault status-1 struck a request",
      "Faults were removed: status-1",
      "Behaviours were set: limit.zero = "default"",
      "Behaviours went back to the configuration",
      "Checkpoint here was taken",
      "Checkpoint here was restored",
      "Checkpoint here was deleted",
      "The sandbox was reset to its initial state",
    ]
  `)
  expect(events.filter(({ type }) => type === 'report-schedule.ran').map(sentenceOf)).toContain(
    'Schedule 7 “Renamed” ran and sent 1 delivery',
  )
  expect(new Set(events.map(subjectOf))).toEqual(
    new Set(['schedules', 'clock', 'files', 'faults', 'behaviours', 'sandbox']),
  )
})

test('an event of a resource that is not built in is told by its type', () => {
  const event: HistoryEvent = { number: 0, at: '2026-03-05T14:30:00.000Z', type: 'parking-lot.was-closed' }
  expect(sentenceOf(event)).toBe('Parking lot: was closed')
  expect(subjectOf(event)).toBe('other')
})
