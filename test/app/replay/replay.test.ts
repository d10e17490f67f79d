import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createDirectory, runCommand } from '../../support/command.ts'
import { serve } from '../../support/serve.ts'
import { createControlledTester } from '../../support/control.ts'
import { packagedContract, renamedPaths } from '../../support/contracts/small-contract.ts'
import { KEY_HEADER, NOW, nextOf, startComplaintsOf, weekly } from '../../support/tester.ts'
import type { ReplayDocument, StandinOptions } from '../../../src/index.ts'
import { parseJson, stringifyJson } from '../../../src/base/formats/json.ts'
import { replay } from '../../../src/app/replay/replay.ts'

const FIXTURE = {
  fileSets: [{ id: 'tiny', files: [{ path: 'a.txt', size: 9_007_199_254_740_993n }, { path: 'b/c.txt' }] }],
}

/** Replays a document as it is read from a file. */
async function repeat(document: ReplayDocument) {
  return replay({ file: 'run.json', value: parseJson(stringifyJson(document)), lineOf: () => 1 })
}

/** A run with something of everything in it. */
async function createRun(options: StandinOptions = {}) {
  const tester = createControlledTester({ files: 60, fixtures: [FIXTURE], ...options })
  const { control, create, update, search, moveTo } = tester
  const recipients = [{ type: 'EMAIL', value: 'jane@example.com' }]
  const page = await search({ set: 'demo', query: { limit: 5 } })
  await search({ set: 'demo', query: { limit: 5, next: nextOf(page) ?? '' } })
  await create(weekly({ pageId: 1 }, { additionalRecipients: recipients }))
  await create({ title: 7 })
  await search({ set: 'unknown' })
  await search({ set: 'tiny', headers: { [KEY_HEADER]: ' ' } })
  moveTo(NOW + 90_000)
  await control.advanceClock({ by: 'P10D' })
  await update(7, { title: 'Renamed' })
  await control.createCheckpoint({ name: 'here' })
  await control.addFiles('tiny', [{ path: 'dir/d.txt' }])
  await search({ set: 'tiny' })
  await control.restoreCheckpoint('here')
  await control.putState(await control.getState())
  moveTo(NOW + 100_000)
  await create(weekly({ title: 'Again' }))
  await search({ set: 'tiny' })
  return tester
}

test('a run is done again, byte for byte', async () => {
  const { control } = await createRun({
    clock: '2026-03-05T14:30:00Z',
    seed: 7,
    behaviours: { 'page.last': 'null', 'http.compression': 'gzip' },
  })
  const document = await control.getReplay()
  expect(await repeat(document)).toEqual({
    exchanges: 10,
    events: document.history.length,
    skipped: [],
    refused: expect.any(Array) as string[],
    difference: undefined,
  })
})

test('so is one whose clock runs, at any rate', async () => {
  const tester = await createRun()
  await tester.control.putClock({ mode: 'running', now: '2026-03-06T00:00:00Z', rate: 3.7 })
  for (let step = 0; step < 5; step++) {
    tester.moveTo(NOW + 200_000 + step * 86_400_001)
    await tester.create(weekly({ title: `Step ${step}` }))
  }
  const document = await tester.control.getReplay()
  expect(document.history.some(({ type }) => type === 'report-schedule.ran')).toBe(true)
  expect(await repeat(document)).toMatchObject({
    exchanges: 15,
    events: document.history.length,
    difference: undefined,
  })
})

test('a run after a reset, in a sandbox, and with keys replays the same; the file has no key', async () => {
  const keys = [
    { key: 'alice-secret', userId: 27 },
    { key: 'reader-secret', rights: ['searchFiles'] },
  ]
  const { control, create, search } = createControlledTester({ clock: '2026-03-05T14:30:00Z', files: 20, keys })
  const as = (key: string) => ({ [KEY_HEADER]: `${key}@box` })
  await create(weekly(), as('alice-secret'))
  await control.in('box').reset()
  await create(weekly(), as('alice-secret'))
  await create(weekly(), as('reader-secret'))
  await search({ set: 'demo', headers: as('reader-secret') })
  await search({ set: 'demo', headers: as('unknown-secret') })
  const document = await control.in('box').getReplay()
  expect(stringifyJson(document)).not.toContain('secret')
  // Who is not admitted makes no difference in a sandbox; that one was answered by it all the same.
  expect(await repeat(document)).toMatchObject({ exchanges: 4, difference: undefined })
})

test('a run with faults, by chance or by count, and with behaviours changed meanwhile replays the same', async () => {
  const { control, search, create, update } = createControlledTester({ files: 60, fixtures: [FIXTURE] })
  await control.armFaults({ kind: 'status', status: 503, match: { operationId: 'searchFiles' }, chance: 0.4 })
  await control.armFaults({ kind: 'rate-limit', limit: 3, seconds: 60, match: { operationId: 'createReportSchedule' } })
  await control.armFaults({ kind: 'short-page', match: { page: 2 } })
  await control.armFaults({ kind: 'conflicting-edit', match: { operationId: 'updateReportSchedule' }, times: 1 })
  let next = ''
  for (let step = 0; step < 12; step++) {
    const page = await search({ set: 'demo', query: { limit: 7, ...(next === '' ? {} : { next }) } })
    if (page.status === 200) next = nextOf(page) ?? ''
  }
  for (let step = 0; step < 5; step++) await create(weekly({ title: `Step ${step}` }))
  await control.putBehaviours({ 'page.last': 'null', 'create.status': '200' })
  await control.removeFaults()
  await create(weekly({ title: 'Last' }))
  await update(1, { title: 'Renamed' })
  await search({ set: 'tiny' })
  const document = await control.getReplay()
  const types = document.history.map(({ type }) => type)
  expect(types).toEqual(expect.arrayContaining(['fault.struck', 'fault.passed', 'behaviours.changed']))
  expect(await repeat(document)).toMatchObject({
    exchanges: 20,
    events: types.length,
    skipped: [],
    difference: undefined,
  })
})

test('what was refused before its body was read is asked again where it can be, and else passed over with the reason', async () => {
  const { control, search, create, request } = createControlledTester({ files: 20, behaviours: { 'http.size': 1024 } })
  await search({ set: 'demo', headers: { 'Content-Type': 'text/plain' } })
  await search({ set: 'demo', headers: { 'X-Mock-Sandbox': '.bad' } })
  await search({ set: 'demo', headers: { [KEY_HEADER]: 'key@.bad' } })
  await request()
    .get('/nowhere')
    .set({ 'X-Mock-Sandbox': '.bad', [KEY_HEADER]: 'key' })
  await create(weekly({ title: 'x'.repeat(2000) }))
  await search({ set: 'demo' })
  const document = await control.getReplay()
  expect(document.exchanges.map(({ answer }) => answer.status)).toEqual([415, 400, 400, 400, 413, 200])
  const { skipped, refused: _refused, ...report } = await repeat(document)
  expect(report).toEqual({ exchanges: 2, events: 0, difference: undefined })
  const sandbox = 'the sandbox that it named was refused, and a replay has one sandbox alone'
  expect(skipped.map((one) => one.replace(/^exchange (\d).*\): /, '$1 '))).toEqual([
    `2 ${sandbox}`,
    `3 ${sandbox}`,
    `4 ${sandbox}`,
    '5 it was refused before its body was read',
  ])
})

test('tokens that are tied to a key are passed over, for a replay does not have the keys', async () => {
  const { control, search, create } = createControlledTester({ files: 20, behaviours: { 'next.other-key': 'error' } })
  const as = (key: string) => ({ [KEY_HEADER]: key })
  const first = await search({ set: 'demo', query: { limit: 5 }, headers: as('alice-secret') })
  const next = nextOf(first) ?? ''
  expect((await search({ set: 'demo', query: { limit: 20, next }, headers: as('alice-secret') })).status).toBe(200)
  expect((await search({ set: 'demo', query: { limit: 5, next }, headers: as('other-secret') })).status).toBe(400)
  await search({ set: 'demo', headers: as('alice-secret') })
  await create(weekly())
  const { skipped, refused: _refused, ...report } = await repeat(await control.getReplay())
  expect(report).toEqual({ exchanges: 2, events: 1, difference: undefined })
  expect(skipped.map((one) => one.replace(/^exchange (\d).*\): /, '$1 '))).toEqual(
    [1, 2, 3].map(
      (number) => `${number} it has a token that is tied to a key (next.other-key), which a replay does not have`,
    ),
  )
})

test('the first difference is reported: of a status, a header, a body, or a change of state', async () => {
  const { control } = await createRun({ clock: '2026-03-05T14:30:00Z' })
  const document = await control.getReplay()
  const spoil = (index: number, parts: object) => ({
    ...document,
    exchanges: document.exchanges.map((one, at) =>
      at === index ? { ...one, answer: { ...one.answer, ...parts } } : one,
    ),
  })
  const first = document.exchanges[0]!.answer
  expect((await repeat(spoil(0, { status: 201 }))).difference).toMatch(
    /^exchange 1 of 10, POST \/api\/files\/v1\/filesets\/demo\/files\/search\?limit=5 \(x-request-id [\da-f-]+\): the status was 201, and is 200$/,
  )
  expect((await repeat(spoil(0, { headers: first.headers.slice(2) }))).difference).toMatch('a header was cache-control')
  expect((await repeat(spoil(1, { body: '{"files":[x' }))).difference).toMatch('exchange 2 of 10')
  expect((await repeat(spoil(1, { body: '{"files":[x' }))).difference).toMatch(
    'the body differs from character 11 on: it was "x"',
  )
  const history = document.history.map((event) => (event.number === 0 ? { ...event, scheduleId: 99 } : event))
  expect((await repeat({ ...document, history })).difference).toMatch('what it changed differs from character')
})

test('what is no replay, or one of another initial state, is refused', async () => {
  const { control } = await createRun({ clock: '2026-03-05T14:30:00Z' })
  const document = await control.getReplay()
  const refusal = async (value: unknown) => {
    try {
      await replay({ file: 'run.json', value, lineOf: () => 1 })
    } catch (error) {
      return startComplaintsOf(() => {
        throw error as Error
      })
    }
    return []
  }
  expect(await refusal([])).toEqual([
    'run.json:1: This is not a replay. GET /__mock/replay of a running Standin returns one.',
  ])
  expect(await refusal({ ...document, version: 3 })).toEqual([
    'run.json:1: The replay is of version 3; this Standin reads version 2. Use the Standin that made it.',
  ])
  expect(await refusal({ ...document, fingerprint: { ...document.fingerprint, seed: 8 } })).toEqual([
    'run.json: it was created with --seed 8, and this start has 42.',
  ])
})

/** An operation that the test's own contract has beside the renamed ones, and who answers it. */
const NOTES = {
  '/mailings/{mailing}/notes': {
    post: {
      operationId: 'addNote',
      parameters: [{ name: 'mailing', in: 'path', required: true, schema: { type: 'string' } }],
      requestBody: { content: { 'application/json': { schema: { type: 'object' } } } },
      responses: {
        '201': { description: 'The note.', content: { 'application/json': { schema: { type: 'object' } } } },
      },
    },
  },
}
const HANDLERS = `
import { defineOperation, events } from 'standin'

export default [
  defineOperation('addNote', (world, { path, body }) => {
    const id = world.collection('notes').nextId
    const note = { id, of: path.mailing, title: world.reportSchedules.get(Number(path.mailing))?.title, ...body }
    return { status: 201, body: note, events: [events.create('notes', id, note)] }
  }),
]
`

test('a run of a contract with other names, and with handlers, is done again with the handlers', async () => {
  const { paths, ...rest } = packagedContract()
  const contract = { ...rest, paths: { ...renamedPaths(paths), ...NOTES } }
  const directory = createDirectory({ 'own.json': JSON.stringify(contract), 'handlers.ts': HANDLERS })
  onTestFinished(directory.remove)
  const cwd = directory.path
  const { url } = await serve(['--contract', 'own.json', '--handlers', 'handlers.ts'], { cwd })
  const send = async (method: 'POST' | 'PUT', path: string, body: object) => {
    const headers = { [KEY_HEADER]: 'key', 'Content-Type': 'application/json' }
    const answer = await fetch(`${url}${path}`, { method, headers, body: stringifyJson(body) })
    return [answer.status, parseJson(await answer.text())]
  }
  expect(await send('POST', '/drives/demo/search?limit=2', {})).toMatchObject([200, { files: [{}, {}] }])
  expect(await send('POST', '/drives/nowhere/search', {})).toMatchObject([404, {}])
  const [, made] = await send('POST', '/mailings', weekly({ title: 'First' }))
  const mailing = `/mailings/${(made as { id: number }).id}`
  expect(await send('PUT', mailing, { title: 'Second' })).toMatchObject([200, { title: 'Second' }])
  expect(await send('POST', `${mailing}/notes`, { text: 'Hello' })).toMatchObject([
    201,
    { id: 1, title: 'Second', text: 'Hello' },
  ])
  const run = await (await fetch(`${url}/__mock/replay`)).text()
  writeFileSync(join(cwd, 'run.json'), run)
  writeFileSync(join(cwd, 'other.json'), run.replace('Hello', 'Good day'))
  const again = async (...args: readonly string[]) => {
    const command = runCommand(['replay', ...args], { cwd })
    return [await command.ended, command.stdout() + command.stderr()]
  }
  const [same, other, without] = await Promise.all([
    again('run.json', '--handlers', 'handlers.ts'),
    again('other.json', '--handlers', 'handlers.ts'),
    again('run.json'),
  ])
  expect(same).toEqual([0, expect.stringContaining('5 exchanges and 3 events: all is the same\n')])
  expect(other).toEqual([2, expect.stringContaining(`POST ${mailing}/notes`)])
  expect(without).toEqual([
    1,
    expect.stringContaining('the run had handlers of its own for addNote. Name their file with --handlers.'),
  ])
})

test('the command line does a run again: 0 when all is the same, 2 at a difference, 1 for what is no replay', async () => {
  const { control } = await createRun({ clock: '2026-03-05T14:30:00Z' })
  const text = stringifyJson(await control.getReplay())
  const directory = createDirectory({ 'none.json': '{}' })
  writeFileSync(join(directory.path, 'same.json'), text)
  writeFileSync(join(directory.path, 'other.json'), text.replace('"status":200', '"status":201'))
  const run = async (name: string) => {
    const command = runCommand(['replay', name], { cwd: directory.path })
    return [await command.ended, command.stdout() + command.stderr()]
  }
  const [same, other, none] = await Promise.all([run('same.json'), run('other.json'), run('none.json')])
  const hint = 'standin: the stand-in responds as it did, so what failed is in the test or in the client\n'
  expect(same).toEqual([0, expect.stringMatching(/^10 exchanges and \d+ events: all is the same\n/)])
  expect(same[1]).toMatch(
    /standin: refused, as in the run: exchange \d+ of 10, [A-Z]+ \S+ \(x-request-id \S+\): 4\d\d\n/,
  )
  expect(same[1]).toContain(hint)
  expect(other).toEqual([2, expect.stringContaining('the status was 201, and is 200')])
  expect(none).toEqual([1, expect.stringContaining('standin: none.json:1: This is not a replay.')])
  directory.remove()
})
