import { expect, test } from 'vitest'
import { createControlledTester, refusalOf } from '../../support/control.ts'
import { withoutBalancer } from '../../support/store.ts'
import type { FaultRequest, PresetRequest, StateDocument } from '../../../src/index.ts'
import { writeContract } from '../../support/contracts/small-contract.ts'
import { KEY_HEADER, weekly } from '../../support/tester.ts'

const FROZEN = { clock: '2026-03-05T14:30:00Z' }

test('there are none at first', async () => {
  const { control } = createControlledTester(FROZEN)
  expect(await control.listFaults()).toEqual({ faults: [] })
  expect(await control.removeFaults()).toEqual({ removed: 0 })
})

test('a fault is armed with what was left out filled in, read, listed and removed', async () => {
  const { control } = createControlledTester(FROZEN)
  const armed = { id: 'garbage-1', kind: 'garbage', bytes: 64, of: 'body', match: {}, chance: 1, after: 0 }
  const tally = { matched: 0, struck: 0, spent: false }
  expect(await control.armFaults({ kind: 'garbage' })).toEqual({ faults: [{ ...armed, ...tally }] })
  await control.armFaults({ id: 'mine', kind: 'latency', delay: { milliseconds: 5 }, match: { method: 'put' } })
  expect((await control.armFaults({ kind: 'reset' })).faults[0]).toMatchObject({ id: 'reset-3' })
  expect(await control.getFault('mine')).toMatchObject({ delay: { milliseconds: 5 }, match: { method: 'PUT' } })
  expect((await control.listFaults()).faults.map(({ id }) => id)).toEqual(['garbage-1', 'mine', 'reset-3'])
  await control.removeFault('mine')
  expect(await refusalOf(control.getFault('mine'))).toMatch('404 /problems/fault-not-found')
  expect(await refusalOf(control.removeFault('reset-4'))).toMatch('Did you mean reset-3?')
  expect(await control.removeFaults()).toEqual({ removed: 2 })
})

test('an id that is taken and the 101st fault are refused', async () => {
  const { control } = createControlledTester(FROZEN)
  await control.armFaults({ id: 'mine', kind: 'reset' })
  expect(await refusalOf(control.armFaults({ id: 'mine', kind: 'empty' }))).toBe(
    '409 /problems/fault-exists: The fault mine is armed already. DELETE /__mock/faults/mine first, or take another id.',
  )
  for (let number = 2; number <= 100; number++) await control.armFaults({ kind: 'empty' })
  expect(await refusalOf(control.armFaults({ kind: 'empty' }))).toMatch('409 /problems/too-many-faults')
})

test('an id that was made up is none that is taken', async () => {
  const { control } = createControlledTester(FROZEN)
  await control.armFaults({ id: 'reset-2', kind: 'empty' })
  expect((await control.armFaults({ kind: 'reset' })).faults[0]?.id).toBe('reset-3')
})

const bad: readonly (readonly [unknown, string])[] = [
  [{}, '/kind: expected the kind of a fault, or a preset in its place, got nothing.'],
  [
    { kind: 'latensy' },
    'stale-read, conflicting-edit, changed-body, changed-response, got "latensy". Did you mean latency?',
  ],
  [{ preset: 'flaky-netwrk' }, 'deploy-in-progress, got "flaky-netwrk". Did you mean flaky-network?'],
  [{ kind: 'explosion' }, '/kind: expected one of latency, status, rate-limit'],
  [{ kind: 'status' }, '/status: expected a value, which the kind status needs, got nothing.'],
  [{ kind: 'status', status: 199 }, '/status: expected at least 200, got 199.'],
  [
    { kind: 'reset', status: 500 },
    '/status: expected no such field of a fault of the kind reset; it has none of its own, got 500.',
  ],
  [{ kind: 'latency' }, '/delay: expected a value'],
  [{ kind: 'latency', delay: {} }, '/delay: expected milliseconds, or from and to, or median and sigma, got {}.'],
  [{ kind: 'latency', delay: { milliseconds: 1, from: 1 } }, '/delay: expected milliseconds, or from'],
  [{ kind: 'latency', delay: { milliseconds: 55_001 } }, '/delay/milliseconds: expected at most 55000, got 55001.'],
  [{ kind: 'latency', delay: { from: 9, to: 3 } }, '/delay/to: expected at least 9, which is from, got 3.'],
  [{ kind: 'latency', delay: { median: 9, sigma: 1, sgima: 2 } }, '/delay/sgima is not known. Did you mean sigma?'],
  [{ kind: 'rate-limit', limit: 1 }, '/seconds: expected a value'],
  [{ kind: 'slow-drip', pieces: 0, milliseconds: 5 }, '/pieces: expected at least 1'],
  [{ kind: 'reset', chance: 0 }, '/chance: expected more than 0, got 0.'],
  [{ kind: 'reset', chance: 1.5 }, '/chance: expected at most 1'],
  [{ kind: 'reset', times: 0 }, '/times: expected at least 1'],
  [{ kind: 'reset', after: -1 }, '/after: expected at least 0'],
  [{ kind: 'reset', id: 'a b' }, '/id: expected a name of 1 to 64 of A-Z, a-z, 0-9, dot, underscore and hyphen'],
  [{ kind: 'reset', tmies: 1 }, '/tmies is not known. Did you mean times?'],
  [{ kind: 'reset', match: { operation: 'searchFiles' } }, '/match/operation is not known. Did you mean operationId?'],
  [{ kind: 'reset', match: { operationId: 'deleteFile' } }, '/match/operationId: expected one of searchFiles'],
  [{ kind: 'reset', match: { path: 'api' } }, '/match/path: expected a path that begins with a slash, got "api".'],
  [{ kind: 'reset', match: { header: { a: 1 } } }, '/match/header/a: expected a string, got 1.'],
  [{ kind: 'reset', match: { body: 'x'.repeat(4095) } }, '/match/body: expected at most 4096 characters of JSON'],
  [
    { kind: 'reset', match: { page: 2, operationId: 'createReportSchedule' } },
    '/match/page: expected no page (createReportSchedule has no pages; searchFiles has), got 2.',
  ],
  [{ kind: 'cursor-expired', match: { page: 1 } }, '/match/page: expected a page from 2'],
  [{ kind: 'short-page', match: { operationId: 'createReportSchedule' } }, 'nothing else can meet the kind short-page'],
  [
    { kind: 'lost-answer', match: { operationId: 'searchFiles' } },
    'expected createReportSchedule or updateReportSchedule',
  ],
  // What no exchange can ever meet.
  [{ kind: 'reset', match: { method: 'DELETE' } }, '/match/method: expected POST or PUT: nothing else can meet'],
  [{ kind: 'reset', match: { operationId: 'searchFiles', method: 'PUT' } }, '/match/method: expected POST: nothing'],
  [{ kind: 'reset', match: { path: '/api/content' } }, '/match/path: expected /api/files/v1/filesets/{fileSetId}'],
  [{ kind: 'reset', match: { path: '/api/*/v1/*' } }, '/match/path: expected /api/files/v1/filesets/{fileSetId}'],
  [{ kind: 'reset', match: { path: '/api/content/v2*' } }, '/match/path: expected /api/files/v1/filesets/{fileSetId}'],
  [{ kind: 'reset', match: { path: '/api/*?limit=1' } }, '/match/path: expected a path without a query or fragment'],
  [
    { kind: 'reset', match: { method: 'put', path: '/api/content/v1/reportschedules' } },
    '/match/path: expected /api/content/v1/reportschedules/{scheduleId}: nothing else can meet the kind reset, got',
  ],
  [
    { kind: 'lost-answer', match: { page: 2 } },
    '/match/page: expected no page (createReportSchedule, updateReportSchedule have no pages; searchFiles has), got 2.',
  ],
  [{ kind: 'conflicting-edit', match: { operationId: 'searchFiles' } }, 'expected updateReportSchedule: nothing else'],
  [{ kind: 'conflicting-edit', edit: 'remove', match: { page: 1 } }, '/match/page: expected a page from 2'],
  [{ preset: 'rate-limited', match: { method: 'PATCH' } }, '/match/method: expected POST or PUT'],
  [{ kind: 'lost-answer', by: 'magic' }, '/by: expected one of reset, empty, gateway-timeout'],
  [
    { kind: 'status', status: 500, headers: { 'Content-Length': '5' } },
    '/headers/Content-Length: expected the name of a header',
  ],
  [{ kind: 'status', status: 500, headers: { 'a b': '5' } }, '/headers/a b: expected the name of a header'],
  [
    { kind: 'status', status: 500, headers: { a: 'x\r\nSet-Cookie: y' } },
    '/headers/a: expected a text of at most 8192',
  ],
  [{ kind: 'status', status: 204, body: {} }, '/body: expected no body, for a 204 has none'],
  [{ kind: 'status', status: 500, body: 'x'.repeat(1_048_576) }, '/body: expected at most 1048576 characters'],
  [{ preset: 'flaky' }, '/preset: expected one of flaky-network, slow-service, rate-limited, deploy-in-progress'],
  [{ preset: 'flaky-network', kind: 'reset' }, '/kind: expected nothing beside a preset but match, got "reset".'],
  [{ preset: 'flaky-network', chance: 1 }, '/chance: expected nothing beside a preset but match'],
]

test.for(bad)('%j is refused, and nothing is armed', async ([body, complaint]) => {
  const { control } = createControlledTester(FROZEN)
  const refusal = await refusalOf(control.armFaults(body as FaultRequest))
  expect(refusal).toMatch(/^400 /)
  expect(refusal).toContain(complaint)
  expect((await control.listFaults()).faults).toEqual([])
})

test.for<readonly [string, FaultRequest]>([
  ['a beginning that ends in a segment', { kind: 'reset', match: { path: '/api/content/v1/rep*' } }],
  ['a parameter of a path', { kind: 'reset', match: { path: '/api/files/v1/filesets/tiny/*' } }],
  ['an encoded path', { kind: 'reset', match: { path: '/api/%66iles/v1/filesets/a%2Fb/files/search' } }],
  ['any path', { kind: 'reset', match: { path: '/*' } }],
  ['a removed file that a page ended with', { kind: 'conflicting-edit', edit: 'remove', match: { page: 2 } }],
])('what an exchange may meet is armed: %s', async ([, fault]) => {
  const { control } = createControlledTester(FROZEN)
  expect((await control.armFaults(fault)).faults).toHaveLength(1)
})

const NO_SEARCH = {
  openapi: '3.1.0',
  info: { title: 'Notes', version: '1' },
  paths: { '/notes': { get: { operationId: 'listNotes', responses: { '204': { description: 'Nothing.' } } } } },
}

test('a contract of your own without searches refuses the kinds that only searches can meet', async () => {
  const { control } = createControlledTester({ ...FROZEN, contract: writeContract(NO_SEARCH) })
  expect(await refusalOf(control.armFaults({ kind: 'short-page' }))).toContain(
    '/kind: expected a kind that an operation of the contract can meet, got "short-page".',
  )
})

test.for<readonly [PresetRequest['preset'], readonly string[]]>([
  ['flaky-network', ['delay', 'reset', 'empty', 'lost-answer', 'truncated']],
  ['slow-service', ['delay', 'drip']],
  ['rate-limited', ['limit']],
  ['deploy-in-progress', ['reset', 'unavailable', 'warm-up']],
])('the preset %s arms its faults, all or none', async ([preset, names]) => {
  const { control } = createControlledTester(FROZEN)
  const ids = names.map((name) => `${preset}-${name}`)
  const { faults } = await control.armFaults({ preset })
  expect(faults.map(({ id }) => id)).toEqual(ids)
  await control.removeFault(ids[0] ?? '')
  const again = control.armFaults({ preset })
  if (ids.length === 1) await again
  else expect(await refusalOf(again)).toMatch(`409 /problems/fault-exists: The fault ${ids[1]}`)
})

test('a preset can be held to some exchanges, and leaves out what could not strike those', async () => {
  const { control, create } = createControlledTester(FROZEN)
  const match = { operationId: 'searchFiles' }
  const { faults } = await control.armFaults({ preset: 'flaky-network', match })
  expect(faults.map(({ kind }) => kind)).toEqual(['latency', 'reset', 'empty', 'truncated'])
  expect(faults.every((fault) => fault.match.operationId === 'searchFiles')).toBe(true)
  await create(weekly())
  expect((await control.listFaults()).faults.every(({ matched }) => matched === 0)).toBe(true)
})

withoutBalancer('a deployment drops one connection, is away for five requests, and comes back slow', async () => {
  const { control, search } = createControlledTester(FROZEN)
  await control.armFaults({ preset: 'deploy-in-progress' })
  const seen: string[] = []
  for (let request = 0; request < 8; request++) {
    const answer = await search({ set: 'empty' }).catch((error: unknown) => error as Error)
    seen.push('status' in answer ? `${answer.status} ${answer.headers['x-mock-fault'] ?? ''}` : answer.message)
  }
  expect(seen[0]).toMatch('ECONNRESET')
  expect(seen.slice(1, 6)).toEqual(Array(5).fill('503 deploy-in-progress-unavailable'))
  expect(seen.slice(6)).toEqual(Array(2).fill('200 deploy-in-progress-warm-up'))
})

test('a rate limit of ten in ten seconds', async () => {
  const { control, search } = createControlledTester(FROZEN)
  await control.armFaults({ preset: 'rate-limited' })
  const statuses: number[] = []
  for (let request = 0; request < 12; request++) statuses.push((await search({ set: 'empty' })).status)
  expect(statuses).toEqual([...Array<number>(10).fill(200), 429, 429])
  await control.advanceClock({ by: 'PT10S' })
  expect((await search({ set: 'empty' })).status).toBe(200)
})

test('an exported state holds faults and what they have met, a rate limit in its window, and one without them has none', async () => {
  const { control, search } = createControlledTester(FROZEN)
  await control.armFaults({ kind: 'rate-limit', limit: 1, seconds: 60 })
  await control.armFaults({
    id: 'all',
    kind: 'status',
    status: 500,
    headers: { 'Retry-After': '1' },
    body: [1],
    after: 9,
  })
  await search({ set: 'empty' })
  const state = await control.getState()
  expect(state.faults?.[0]).toMatchObject({ id: 'rate-limit-1', matched: 1, struck: 0, taken: 1 })
  await control.in('copy').putState(state)
  expect(await control.in('copy').getState()).toEqual(state)
  expect((await search({ set: 'empty', headers: { [KEY_HEADER]: 'k@copy' } })).status).toBe(429)
  expect((await control.in('copy').armFaults({ kind: 'reset' })).faults[0]?.id).toBe('reset-3')
  const { faults: _faults, nextFaultId: _next, ...older } = state
  await control.in('copy').putState(older)
  expect((await control.in('copy').listFaults()).faults).toEqual([])
})

test.for<readonly [string, (fault: object) => unknown]>([
  ['/faults/0/status: expected no such field', (fault) => [{ ...fault, status: 500 }]],
  ['/faults/1/id: expected each id once', (fault) => [fault, fault]],
  ['/faults/0/kind: expected one of latency, status, ', ({ kind: _, ...fault }: { kind?: string }) => [fault]],
  ['/faults/0/spent: expected no such field', (fault) => [{ ...fault, spent: true }]],
])('a state with a wrong fault is refused: %s', async ([complaint, spoil]) => {
  const { control } = createControlledTester(FROZEN)
  await control.armFaults({ kind: 'reset' })
  const state = await control.getState()
  const faults = spoil(state.faults?.[0] ?? {}) as StateDocument['faults']
  expect(await refusalOf(control.putState({ ...state, faults }))).toContain(complaint)
})
