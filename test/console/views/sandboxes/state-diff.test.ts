import { expect, test } from 'vitest'
import { diffStates, type StateDiff } from '../../../../console/src/views/sandboxes/state-diff.ts'
import { comparableStates, START } from '../../../../console/src/views/sandboxes/comparable-states.ts'
import { createControlledTester } from '../../../support/control.ts'
import { createPetShop } from '../../../support/contracts/pets.ts'
import { weekly } from '../../../support/tester.ts'

const FROZEN = { clock: '2026-03-05T14:30:00Z', files: 5 }

/** The differences of a group: `+ 7` for what only the right has, `- 7` for the left, and the members of what changed. */
function linesOf({ groups }: StateDiff, title: string): readonly string[] {
  const group = groups.find((one) => one.title === title)
  return (group?.differences ?? []).map(({ id, kind, members }) =>
    kind === 'changed'
      ? `${id}: ${members.map(({ name, left, right }) => `${name} ${String(left)} → ${String(right)}`).join(', ')}`
      : `${kind === 'gone' ? '-' : '+'} ${id}`,
  )
}

test('two sandboxes differ in what was created, changed and deleted in one of them', async () => {
  const { control, create, update } = createControlledTester(FROZEN)
  await create(weekly())
  await create(weekly())
  await control.createFileSet({ id: 'own', files: [{ path: 'a.txt' }, { path: 'b.txt' }] })
  await control.forkSandbox('default', { name: 'other' })
  const other = control.in('other')
  await other.deleteReportSchedule(8)
  await update(7, { title: 'Renamed' }, { 'X-Mock-Sandbox': 'other' })
  await other.addFiles('own', [{ path: 'c.txt' }])
  const { files } = await other.listFiles('own')
  await other.changeFile('own', files.find(({ path }) => path === 'a.txt')!.id, { size: 9 })
  await other.armFaults({ kind: 'status', status: 503 })
  await other.putBehaviours({ 'limit.zero': 'default' })
  await other.putClock({ mode: 'frozen', now: '2026-03-05T15:00:00Z' })
  const diff = diffStates(await control.getState(), await other.getState())
  expect(linesOf(diff, 'Schedules')).toEqual([expect.stringMatching(/^7: title Weekly sales → Renamed/), '- 8'])
  expect(linesOf(diff, 'Files of own')).toEqual([
    expect.stringMatching(/: size 0 → 9/),
    expect.stringMatching(/^\+ [\da-f-]{36}$/),
  ])
  expect(linesOf(diff, 'Faults')).toEqual(['+ status-1'])
  expect(linesOf(diff, 'Behaviours')).toEqual(['+ limit.zero'])
  expect(linesOf(diff, 'Clock')).toEqual([
    'clock:  stands still at 2026-03-05 14:30:00 → stands still at 2026-03-05 15:00:00',
  ])
  const named = diff.groups.find(({ title }) => title === 'Files of own')?.differences.map(({ title }) => title)
  expect(named?.toSorted()).toEqual(['a.txt', 'c.txt'])
})

test('a sandbox does not differ from a fork of it, whatever the order of its things is', async () => {
  const { control, create } = createControlledTester(FROZEN)
  await create(weekly())
  const state = await control.getState()
  const turned = { ...state, reportSchedules: state.reportSchedules.toReversed() }
  expect(diffStates(state, turned)).toEqual({ count: 0, shown: 0, groups: [] })
})

test('documents of collections are compared by their ids', async () => {
  const { control } = createPetShop({ files: 5 })
  const { id: rex } = await control.createDocument('pets', { name: 'Rex' })
  const { id: max } = await control.createDocument('pets', { name: 'Max' })
  const before = await control.getState()
  await control.changeDocument('pets', rex, { name: 'Bello' })
  await control.deleteDocument('pets', max)
  expect(linesOf(diffStates(before, await control.getState()), 'Documents of pets')).toEqual([
    `${rex}: name Rex → Bello`,
    `- ${max}`,
  ])
})

test('of many differences the first are listed and all are counted', async () => {
  const { control } = createControlledTester(FROZEN)
  await control.createFileSet({ id: 'own', files: [{ path: 'first.txt' }] })
  const before = await control.getState()
  await control.addFiles(
    'own',
    Array.from({ length: 30 }, (_, index) => ({ path: `${index}.txt` })),
  )
  const diff = diffStates(before, await control.getState(), 10)
  expect(diff.shown).toBe(10)
  expect(diff.count).toBe(30)
  const [listed, counted] = [
    diff.groups.flatMap(({ differences }) => differences).length,
    diff.groups.reduce((sum, { count }) => sum + count, 0),
  ]
  expect([listed, counted]).toEqual([10, diff.count])
})

test('a run is named by its schedule and its time', async () => {
  const { control } = createControlledTester(FROZEN)
  const before = await control.getState()
  await control.advanceClock({ toNextRun: true })
  const { groups } = diffStates(before, await control.getState())
  const runs = groups.find(({ title }) => title === 'Runs')
  expect(runs?.differences[0]?.title).toMatch(/^\w.*, 2026-03-0\d \d\d:\d\d:00$/)
})

test('a behaviour that one of two sandboxes changed shows both settings', async () => {
  const { control } = createControlledTester(FROZEN)
  await control.forkSandbox('default', { name: 'fork' })
  await control.in('fork').putBehaviours({ 'page.last': 'null' })
  const [left, right] = await comparableStates((name) => control.in(name), 'default', 'fork')
  expect(linesOf(diffStates(left, right), 'Behaviours')).toEqual(['page.last:  absent → null'])
})

test('a sandbox is compared with its start: what was created, changed and removed since', async () => {
  const { control } = createControlledTester({
    contract: 'examples/shop/contract.yaml',
    clock: FROZEN.clock,
    behaviours: { 'collections.deleted': '410' },
  })
  await control.changeDocument('products', '3', { name: 'Lamp' })
  await control.deleteDocument('orders', '2')
  await control.createDocument('customers', { name: 'Grace', email: 'grace@example.com', country: 'US' })
  await control.putBehaviours({ 'collections.deleted': '404' })
  const [left, right] = await comparableStates((name) => control.in(name), START, 'default')
  const diff = diffStates(left, right)
  expect(linesOf(diff, 'Documents of products')).toEqual([expect.stringMatching(/^3: name .+ → Lamp$/)])
  expect(linesOf(diff, 'Documents of orders')).toEqual(['- 2'])
  expect(linesOf(diff, 'Documents of customers')).toEqual(['+ 11'])
  expect(linesOf(diff, 'Behaviours')).toEqual(['collections.deleted:  410 → 404'])
})

test('what people do not know is no difference: counters, and what is kept to go on', async () => {
  const { control } = createControlledTester({ files: 5 })
  const [start] = await comparableStates((name) => control.in(name), START, 'default')
  const { runs } = await control.advanceClock({ by: 'P14D' })
  const { deliveries } = await control.listDeliveries()
  await control.armFaults({ kind: 'status', status: 503, times: 1 })
  const [, now] = await comparableStates((name) => control.in(name), START, 'default')
  const diff = diffStates(start, now)
  expect(diff.groups.map(({ title, count }) => [title, count])).toEqual([
    ['Runs', runs.length],
    ['Deliveries', deliveries.length],
    ['Faults', 1],
    ['Clock', 1],
  ])
  expect(linesOf(diff, 'Clock')).toEqual(['clock:  runs → runs, 14 days ahead of real time'])
  const [mail] = diff.groups.find(({ title }) => title === 'Deliveries')?.differences ?? []
  expect(mail).toMatchObject({ kind: 'new', title: expect.stringMatching(/^\w.*, to \S+$/) as string })
})

test('a fault that has struck as often as it may is used up, and an item is named by what it is', async () => {
  const contract = 'examples/shop/contract.yaml'
  const { control, request } = createControlledTester({ contract, clock: FROZEN.clock })
  await control.armFaults({ kind: 'status', status: 503, times: 1 })
  await request().get('/customers')
  await control.createDocument('customers', { name: 'Ann', email: 'ann@example.com', country: 'US' })
  const lines = [{ productId: 1, quantity: 2, unitPrice: 3450 }]
  await request().post('/orders').send({ customerId: 11, lines })
  const { groups } = diffStates(...(await comparableStates((name) => control.in(name), START, 'default')))
  const named = groups.flatMap(({ title, differences }) =>
    differences.map((one) => [title, one.kind, one.title, one.note]),
  )
  expect(named).toEqual([
    ['Documents of customers', 'new', 'Ann', undefined],
    ['Documents of orders', 'new', 'customerId 11 · status placed · total 6900', undefined],
    ['Faults', 'new', 'status 503', 'used up'],
  ])
})

test('a file that was deleted from a generated set is gone', async () => {
  const { control } = createControlledTester(FROZEN)
  const { files } = await control.listFiles('demo')
  const before = await control.getState()
  await control.deleteFile('demo', files[0]!.id)
  const { groups } = diffStates(before, await control.getState())
  expect(groups.map(({ title, differences }) => [title, differences.map(({ kind }) => kind)])).toEqual([
    ['Deleted files of demo', ['gone']],
  ])
})
