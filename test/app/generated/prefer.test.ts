import { expect, test } from 'vitest'
import { createStandin } from '../../../src/index.ts'
import { createControlledTester } from '../../support/control.ts'
import { answerOf, contractFile } from '../../support/contracts/own-contract.ts'
import { connectTo, searchHead } from '../../support/raw.ts'
import { type Tester, nextOf, pathsOf, weekly } from '../../support/tester.ts'

const paths = Array.from({ length: 10 }, (_, index) => `f${index}`)
const TEN = {
  clock: '2026-03-05T14:30:00Z',
  fixtures: [{ fileSets: [{ id: 'tiny', files: paths.map((path) => ({ path })) }] }],
}
const prefer = (value: string) => ({ Prefer: value })
const searchWith = ({ search }: Pick<Tester, 'search'>, value: string) => search({ headers: prefer(value) })

test('a request asks for a status by itself, and nothing is armed or stored', async () => {
  const { create, control } = createControlledTester(TEN)
  const response = await create(weekly(), prefer('code=503'))
  expect(response.status).toBe(503)
  expect(response.body).toMatchObject({ type: '/problems/service-unavailable', status: 503 })
  expect(response.headers['x-mock-fault']).toBe('prefer-status')
  expect((await control.listFaults()).faults).toEqual([])
  expect((await control.listReportSchedules()).reportSchedules).toHaveLength(6)
})

test('a request may ask for the status of its own success, as with Prism, and is answered as ever', async () => {
  const { search, create, update, control } = createControlledTester(TEN)
  const found = await search({ headers: prefer('code=200') })
  expect([found.status, pathsOf(found)]).toEqual([200, paths])
  expect((await create(weekly(), prefer('code=200'))).body).toMatchObject({ id: 7 })
  expect((await update(7, { title: 'Other' }, prefer('code="200"'))).body).toMatchObject({ title: 'Other' })
  expect((await control.listReportSchedules()).reportSchedules).toHaveLength(7)
  const created = createControlledTester({ ...TEN, behaviours: { 'create.status': '201' } })
  expect((await created.create(weekly(), prefer('code=201'))).status).toBe(201)
  expect((await created.create(weekly(), prefer('code=200'))).status).toBe(400)
})

test('a documented error that is asked for is sent in the shape that the contract has for it, and nothing changes', async () => {
  const schema = {
    type: 'object',
    required: ['reason'],
    properties: { reason: { type: 'string' }, status: { type: 'integer' } },
  }
  const contract = contractFile(({ answers }) => {
    Object.assign(answers('update'), { 404: answerOf(schema), 202: { description: 'Later.' } })
  })
  const { update, control } = createControlledTester({ ...TEN, contract })
  const before = await control.getReportSchedule(1)
  const gone = await update(1, { title: 'Other' }, prefer('code=404'))
  expect([gone.status, gone.body, gone.headers['x-mock-fault']]).toEqual([
    404,
    { reason: 'Not Found.', status: 404 },
    'prefer-status',
  ])
  expect((await update(1, { title: 'Other' }, prefer('code=202'))).status).toBe(400)
  expect(await control.getReportSchedule(1)).toEqual(before)
})

test('a request asks to wait, in seconds', async () => {
  const tester = createControlledTester(TEN)
  const began = performance.now()
  const response = await searchWith(tester, 'wait=0.25')
  expect(performance.now() - began).toBeGreaterThan(240)
  expect(response.status).toBe(200)
  expect(response.headers['x-mock-fault']).toBe('prefer-latency')
})

test('several are asked for at once, between commas or in several headers', async () => {
  const tester = createControlledTester(TEN)
  const response = await searchWith(tester, 'wait=0.1, FAULT=short-page ,fault="missing-entry";x=1')
  expect(response.headers['x-mock-fault']).toBe('prefer-latency, prefer-short-page, prefer-missing-entry')
  expect(pathsOf(response)).toHaveLength(4)
  const twice = await tester.search({ headers: { Prefer: ['wait=0', 'code=500'] as unknown as string } })
  expect(twice.status).toBe(500)
})

test('what a preference asks for comes before what is armed', async () => {
  const tester = createControlledTester(TEN)
  await tester.control.armFaults({ kind: 'status', status: 500 })
  expect((await searchWith(tester, 'code=503')).status).toBe(503)
  expect(await tester.control.getFault('status-1')).toMatchObject({ matched: 0 })
})

test('the first of two codes counts', async () => {
  expect((await searchWith(createControlledTester(TEN), 'code=503, code=404')).status).toBe(503)
})

test('every fault without required options can be requested', async () => {
  const { search, create, update, control } = createControlledTester(TEN)
  await expect(search({ headers: prefer('fault=reset') })).rejects.toThrow('ECONNRESET')
  await expect(search({ headers: prefer('fault=empty') })).rejects.toThrow('socket hang up')
  await expect(search({ headers: prefer('fault=truncated') })).rejects.toThrow('aborted')
  await expect(search({ headers: prefer('fault=garbage') })).rejects.toThrow('Unexpected token')
  await expect(create(weekly(), prefer('fault=lost-answer'))).rejects.toThrow('ECONNRESET')
  expect((await control.listReportSchedules()).reportSchedules).toHaveLength(7)
  const dripped = await search({ headers: prefer('fault=slow-drip') })
  expect(pathsOf(dripped)).toEqual(paths)
  expect(dripped.headers['x-mock-fault']).toBe('prefer-slow-drip')
  expect(pathsOf(await search({ headers: prefer('fault=short-page') }))).toHaveLength(5)
  expect(new Set(pathsOf(await search({ headers: prefer('fault=duplicate-entry') }))).size).toBe(10)
  expect(pathsOf(await search({ headers: prefer('fault=missing-entry') }))).toHaveLength(9)
  const next = nextOf(await search({ query: { limit: 2 } })) ?? ''
  const expired = await search({ query: { limit: 2, next }, headers: prefer('fault=cursor-expired') })
  expect(expired.body).toMatchObject({ type: '/problems/cursor-invalid' })
  await control.addFiles('tiny', [{ path: 'new' }])
  expect(pathsOf(await search({ headers: prefer('fault=stale-read') }))).toEqual(paths)
  await update(1, {}, prefer('fault=conflicting-edit'))
  expect((await control.getReportSchedule(1)).title).toMatch(/\(edited\)$/)
})

test('a fault that can do nothing here does nothing, and the answer does not name it', async () => {
  const response = await searchWith(createControlledTester(TEN), 'fault=cursor-expired, fault=lost-answer')
  expect(response.status).toBe(200)
  expect(response.headers['x-mock-fault']).toBeUndefined()
})

test.for([
  ['code=201', 'Prefer: code: expected one that the contract documents (200), or a status from 400 to 599, got "201".'],
  ['code=abc', 'a status from 400 to 599'],
  ['code', 'a status from 400 to 599, got ""'],
  ['wait=56', 'Prefer: wait: expected seconds from 0 to 55, such as 2 or 0.5, got "56".'],
  ['wait=-1', 'seconds from 0 to 55'],
  ['wait=1e9', 'seconds from 0 to 55'],
  ['fault=rest', 'Prefer: fault: expected one of reset, empty, truncated'],
  ['fault=rest', 'got "rest". Did you mean reset?'],
  ['fault=__proto__', 'Prefer: fault: expected one of'],
] as const)('%s is refused: %s', async ([value, complaint]) => {
  const response = await searchWith(createControlledTester(TEN), value)
  expect(response.status).toBe(400)
  expect(response.body).toMatchObject({ type: '/problems/preference-invalid' })
  expect((response.body as { detail: string }).detail).toContain(complaint)
})

test.for([
  ['respond-async'],
  ['return=minimal; foo="code=503"'],
  ['handling=lenient'],
  ['dynamic=true'],
  ['odata.x="a, code=503, \\", code=502; b"'],
  [',,;='],
] as const)('a preference that is not ours is ignored: %s', async ([value]) => {
  const [plain, preferring] = [createControlledTester(TEN), createControlledTester(TEN)]
  const [one, two] = [await plain.search(), await searchWith(preferring, value)]
  expect([two.status, two.headers, two.text]).toEqual([one.status, one.headers, one.text])
})

test('it works over a connection that stays open', async () => {
  const standin = createStandin(TEN)
  const client = await connectTo(await standin.start())
  client.send(`${searchHead({ 'Content-Length': 2, ...prefer('code=500') })}{}`)
  await client.until(/500 Internal Server Error[^]*\}$/)
  client.send(`${searchHead({ 'Content-Length': 2, Connection: 'close' })}{}`)
  expect(await client.closed).toMatch(/HTTP\/1.1 200 OK/)
  await standin.stop()
})
