import { expect, test } from 'vitest'
import type { StateDocument } from '../../src/index.ts'
import { createControlledTester, refusalOf } from '../support/control.ts'
import { weekly } from '../support/tester.ts'

const FROZEN = { clock: '2026-03-05T14:30:00Z' }

test('the behaviours are listed with their settings and options', async () => {
  const { control } = createControlledTester({ ...FROZEN, behaviours: { 'limit.zero': 'empty' } })
  const { profile, overrides, behaviours } = await control.getBehaviours()
  expect([profile, overrides]).toEqual(['default', {}])
  expect(behaviours.length).toBeGreaterThan(130)
  expect(behaviours.find(({ id }) => id === 'limit.zero')).toMatchObject({
    setting: 'empty',
    default: 'error',
    options: { choice: expect.arrayContaining(['empty']) as string[] },
  })
})

test.for([
  [{}, 'page.last frequency.values http.json auth.keys', 'collections.order'],
  [
    { contract: 'examples/shop/contract.yaml' },
    'collections.order body.unknown http.json',
    'page.last frequency.values auth.keys',
  ],
] as const)('of the behaviours of %o some apply: %s, and others do not: %s', async ([options, met, unmet]) => {
  const { control, request } = createControlledTester(options)
  const { behaviours } = await control.getBehaviours()
  const applies = new Set(behaviours.filter((one) => one.applies).map(({ id }) => id))
  for (const id of met.split(' ')) expect([id, applies.has(id)]).toEqual([id, true])
  for (const id of unmet.split(' ')) expect([id, applies.has(id)]).toEqual([id, false])
  for (const { method, path } of (await control.getInfo()).operations) {
    const sent = path.replaceAll(/\{\w+\}/g, '1')
    for (const body of [{}, { strange: null }, 'x'])
      await request()[method.toLowerCase() as 'get'](`${sent}?limit=x&strange=1&page=99`).send(body)
  }
  const used = (await control.listExchanges({ limit: 1000 })).exchanges.flatMap((one) => one.behaviours)
  expect(used.filter((id) => !applies.has(id))).toEqual([])
})

test('behaviours are found by words', async () => {
  const { control } = createControlledTester(FROZEN)
  const { behaviours } = await control.getBehaviours({ search: 'LAST page' })
  expect(behaviours.map(({ id }) => id)).toEqual(expect.arrayContaining(['page.last', 'page.exact-end']))
  expect(behaviours.length).toBeLessThan(10)
  expect((await control.getBehaviours({ search: 'no such words' })).behaviours).toEqual([])
})

test('an override of a sandbox applies from the next request on, and to no other sandbox', async () => {
  const { control, search } = createControlledTester({ ...FROZEN, files: 3 })
  const lastPage = async (sandbox?: string) =>
    (await search({ set: 'demo', headers: headersOf(sandbox) })).body as object
  const changed = await control.in('mine').putBehaviours({ 'page.last': 'null' })
  expect(changed.overrides).toEqual({ 'page.last': 'null' })
  expect(changed.behaviours.find(({ id }) => id === 'page.last')).toMatchObject({ setting: 'null' })
  expect(await lastPage('mine')).toMatchObject({ pageContext: { next: null } })
  expect(await lastPage()).toHaveProperty('pageContext', {})
  expect((await control.in('mine').putBehaviours({})).overrides).toEqual({})
  expect(await lastPage('mine')).toHaveProperty('pageContext', {})
})

test('it belongs to the state: forks, checkpoints and exported states have it, and a reset forgets it', async () => {
  const { control, search } = createControlledTester({ ...FROZEN, files: 3 })
  const isNull = async (sandbox: string) => {
    const { pageContext } = (await search({ set: 'demo', headers: headersOf(sandbox) })).body as {
      pageContext: { next: unknown }
    }
    return pageContext.next === null
  }
  const mine = control.in('mine')
  await mine.createCheckpoint({ name: 'before' })
  await mine.putBehaviours({ 'page.last': 'null' })
  await control.forkSandbox('mine', { name: 'fork' })
  expect(await isNull('fork')).toBe(true)
  const state = await mine.getState()
  expect(state.behaviours).toEqual({ 'page.last': 'null' })
  await control.in('other').putState(state)
  expect(await isNull('other')).toBe(true)
  await mine.restoreCheckpoint('before')
  expect(await isNull('mine')).toBe(false)
  await control.in('other').reset()
  expect(await isNull('other')).toBe(false)
  expect((await control.in('fork').getHistory()).events).toEqual([])
  expect((await mine.getHistory()).events.map(({ type }) => type)).toContain('behaviours.changed')
})

test('the calendar follows it: what fell due before has run as it was, what comes after runs as it is', async () => {
  const { control, create } = createControlledTester({ clock: '2026-03-08T00:00:00Z' })
  const gapHour = { timezone: 'America/New_York', daysToRun: 'SUN', hourOfDay: 2, minOfHour: 30 }
  const { id } = (await create(weekly({}, gapHour))).body as { id: number }
  const nextRun = async () => (await control.getReportSchedule(id)).nextRun
  const usual = await nextRun()
  const { behaviours } = await control.getBehaviours()
  const gap = behaviours.find((row) => row.id === 'next-run.gap')
  const other = (gap?.options as { choice: string[] }).choice.find((word) => word !== gap?.setting) ?? ''
  await control.putBehaviours({ 'next-run.gap': other })
  expect(await nextRun()).not.toBe(usual)
  await control.putBehaviours({})
  expect(await nextRun()).toBe(usual)
})

test('what is no answer is refused, each with its place, and nothing changes', async () => {
  const { control } = createControlledTester(FROZEN)
  await control.putBehaviours({ 'page.last': 'null' })
  const refused = refusalOf(control.putBehaviours({ 'page.lst': 'null', 'limit.zero': 'never', 'page.last': 'absent' }))
  expect(await refused).toMatch(
    /^400 \/problems\/request-invalid: There is no behaviour `page\.lst`: did you mean `page\.last`\? GET \/__mock\/behaviours lists all \d+, and spec\/behaviours\.yaml describes them\./,
  )
  expect(await refused).toMatch('(and 1 more)')
  expect((await control.getBehaviours()).overrides).toEqual({ 'page.last': 'null' })
  expect(await refusalOf(control.putBehaviours([] as unknown as Record<string, unknown>))).toMatch('400')
  const state = await control.getState()
  const bad = { ...state, behaviours: { 'page.last': 'nil' } } as StateDocument
  expect(await refusalOf(control.putState(bad))).toMatch('page.last')
})

test('create.ids is refused, since it has no effect on a sandbox that exists', async () => {
  const { control, create } = createControlledTester(FROZEN)
  const refused = refusalOf(control.putBehaviours({ 'page.last': 'null', 'create.ids': 5001 }))
  expect(await refused).toMatch('400 /problems/request-invalid: create.ids has no effect on a sandbox that exists.')
  expect((await control.getBehaviours()).overrides).toEqual({})
  // What the message says helps.
  await control.putState({ ...(await control.getState()), nextReportScheduleId: 5001 })
  expect((await create(weekly())).body).toMatchObject({ id: 5001 })
})

test('the flag that a refusal names is a flag to copy, also for a setting of several parts', async () => {
  const { control } = createControlledTester(FROZEN)
  const refusal = await refusalOf(control.putBehaviours({ 'file.types': { fileTypes: ['TEXT'] } }))
  expect(refusal).toMatch(/--behaviour 'file\.types=\{"fileTypes":\["TEXT"\]\}'/)
})

test('info describes the running server', async () => {
  const { control } = createControlledTester({ ...FROZEN, maxSandboxes: 7, profile: 'observed' })
  expect(await control.getInfo()).toMatchObject({
    name: 'standin',
    node: process.versions.node,
    contract: 'spec/openapi.yaml',
    profile: 'observed',
    sandboxes: 1,
    maxSandboxes: 7,
    operations: expect.arrayContaining([
      {
        operationId: 'searchFiles',
        method: 'POST',
        path: '/api/files/v1/filesets/{fileSetId}/files/search',
        handler: 'searchFiles',
        keyHeaders: { 'X-SERVICE-Developer-Token': '{key}' },
        faultKinds: expect.arrayContaining(['cursor-expired', 'stale-read']) as unknown,
        hasPages: true,
      },
      expect.objectContaining({ operationId: 'createReportSchedule', faultKinds: ['lost-answer'], hasPages: false }),
    ]) as unknown,
  })
})

function headersOf(sandbox: string | undefined): Record<string, string> {
  return sandbox === undefined ? {} : { 'X-Mock-Sandbox': sandbox }
}
