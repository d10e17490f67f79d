import { expect, test } from 'vitest'
import { createControlledTester, refusalOf } from '../support/control.ts'
import { weekly } from '../support/tester.ts'

const TINY = { clock: '2026-03-05T14:30:00Z', files: 20 }

test('a fork at an event has the state after it, and the sandbox stays as it is', async () => {
  const { control, create, update } = createControlledTester(TINY)
  await create(weekly())
  const created = await control.getState()
  const { requests } = created
  await update(7, { title: 'Renamed' })
  await control.deleteReportSchedule(7)
  const last = await control.getState()
  const fork = await control.forkSandbox('default', { name: 'before', at: 0 })
  expect(fork).toMatchObject({ name: 'before', reportSchedules: 7, requests })
  expect(await control.in('before').getState()).toEqual(created)
  expect(await control.getState()).toEqual(last)
})

test('a fork at an event goes on alone, with a seed of its own where one is sent', async () => {
  const { control, create } = createControlledTester(TINY)
  await create(weekly())
  await create(weekly())
  await control.forkSandbox('default', { name: 'other', at: 0, seed: 7 })
  const created = await create(weekly({ title: 'Another' }), { 'X-Mock-Sandbox': 'other' })
  expect(created.body).toMatchObject({ id: 8 })
  expect(await control.in('other').getState()).toMatchObject({ seed: 7 })
  expect((await control.getReportSchedule(8)).title).toBe('Weekly sales')
})

test('a fork reaches back over resets, imports and restored checkpoints', async () => {
  const { control, create } = createControlledTester(TINY)
  await create(weekly())
  await control.createCheckpoint({ name: 'here' })
  await control.reset()
  await control.restoreCheckpoint('here')
  await control.putState(await control.getState())
  await control.reset()
  const counts: unknown[] = []
  for (const at of [0, 1, 2, 3, 4, 5]) {
    const fork = await control.forkSandbox('default', { name: `at-${at}`, at })
    counts.push(fork.reportSchedules)
  }
  expect(counts).toEqual([7, 7, 6, 7, 7, 6])
})

test('a running clock shows the time of the event in the fork, and runs on from there', async () => {
  const { control, create, moveTo } = createControlledTester({ files: 20 })
  await create(
    weekly(
      {},
      { daysToRun: 'THU', hourOfDay: 11, additionalRecipients: [{ type: 'EMAIL', value: 'jane@example.com' }] },
    ),
  )
  moveTo('2026-03-05T20:00:00Z')
  expect(await control.listDeliveries()).not.toMatchObject({ deliveries: [] })
  const past = control.in('past')
  const { clock } = await control.forkSandbox('default', { name: 'past', at: 0 })
  expect(clock).toMatchObject({ now: '2026-03-05T14:30:00.000Z', mode: 'running', rate: 1 })
  expect(await past.listDeliveries()).toMatchObject({ deliveries: [] })
  moveTo('2026-03-05T20:10:00Z')
  expect(await past.getClock()).toMatchObject({ now: '2026-03-05T14:40:00.000Z' })
})

test('a fork after a move, a reset or an import shows what the clock showed after it', async () => {
  const { control, moveTo } = createControlledTester({ files: 20 })
  await control.putClock({ mode: 'running', now: '2026-05-01T00:00:00Z', rate: 60 })
  moveTo('2026-03-05T14:31:00Z')
  const kept = await control.getState()
  await control.reset()
  moveTo('2026-03-05T14:32:00Z')
  await control.putState(kept)
  moveTo('2026-03-05T18:00:00Z')
  const { events } = await control.getHistory()
  // Before the clock is moved so far, the runs up to then are stored.
  const numbers = ['clock.moved', 'sandbox.reset', 'state.imported'].map(
    (type) => events.findLast((event) => event.type === type)!.number,
  )
  const shown = []
  for (const at of numbers) shown.push((await control.forkSandbox('default', { name: `at-${at}`, at })).clock.now)
  expect(shown).toEqual(['2026-05-01T00:00:00.000Z', '2026-03-05T14:31:00.000Z', '2026-05-01T02:00:00.000Z'])
})

test('an event that is not kept is refused, and no sandbox is made', async () => {
  const { control, create } = createControlledTester(TINY)
  expect(await refusalOf(control.forkSandbox('default', { name: 'other', at: 0 }))).toBe(
    '404 /problems/event-not-found: The sandbox default has no event 0 yet. Nothing has changed in it.',
  )
  await create(weekly())
  expect(await refusalOf(control.forkSandbox('default', { name: 'other', at: 1 }))).toBe(
    '404 /problems/event-not-found: The sandbox default has no event 1 yet. GET /__mock/history?sandbox=default lists 0 to 0.',
  )
  // More runs than a history in memory keeps.
  await control.advanceClock({ by: 'P150Y' })
  const { first, next } = await control.getHistory({ from: 0, limit: 1 })
  expect(first).toBeGreaterThan(0)
  expect(await refusalOf(control.forkSandbox('default', { name: 'other', at: first - 1 }))).toMatch(
    `409 /problems/event-not-kept: The event ${first - 1} of the sandbox default is no longer kept. GET /__mock/history`,
  )
  expect(await refusalOf(control.forkSandbox('default', { name: 'default', at: first }))).toMatch('sandbox-exists')
  expect(await refusalOf(control.forkSandbox('nobody', { name: 'other', at: 0 }))).toMatch('sandbox-not-found')
  expect((await control.listSandboxes()).sandboxes).toHaveLength(1)
  expect(await control.forkSandbox('default', { name: 'other', at: first })).toMatchObject({ name: 'other' })
  expect(next).toBeGreaterThan(first)
})
