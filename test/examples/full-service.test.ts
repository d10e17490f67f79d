import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type ControlClient, createControlClient } from '../../src/index.ts'
import { type Command, createDirectory, runCommand, startCommand } from '../support/command.ts'
import { addressOf } from '../support/serve.ts'
import { runWorkflows } from '../support/contracts/respect.ts'
import { KEY_HEADER, weekly } from '../support/tester.ts'

/** As the README has it: from the root of a clone. */
const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const CONTRACT = 'examples/full-service/contract.yaml'
const FLAGS = ['--contract', CONTRACT, '--handlers', 'examples/full-service/handlers.ts']
const CLOCK = ['--clock', '2026-03-05T14:30:00Z']
const FILE_SETS = '/api/files/v1/filesets'
const SCHEDULES = '/api/content/v1/reportschedules'

let service: Command
let url = ''
beforeAll(async () => {
  ;({ command: service, url } = await start())
})
afterAll(() => service.child.kill('SIGKILL'))

async function start(flags: readonly string[] = []): Promise<{ command: Command; url: string }> {
  const args = ['serve', '--port', '0', ...FLAGS, ...CLOCK, ...flags]
  const command = startCommand(args, { cwd: ROOT })
  return { command, url: await addressOf(command) }
}

/** A sandbox of its own for each test. */
let sandbox = ''
let count = 0
let control: ControlClient
beforeEach(() => {
  sandbox = `test-${++count}`
  control = createControlClient({ url, sandbox })
})

interface Answer {
  readonly status: number
  readonly contentType: string | null
  readonly body: unknown
}

interface SendOptions {
  readonly at?: string
  readonly headers?: Readonly<Record<string, string>>
}

async function send(method: string, path: string, body?: unknown, options: SendOptions = {}): Promise<Answer> {
  const { at = url, headers = {} } = options
  const response = await fetch(at + path, {
    method,
    headers: {
      [KEY_HEADER]: `key@${sandbox}`,
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const contentType = response.headers.get('content-type')
  const text = await response.text()
  const isJson = contentType?.includes('json') === true
  return { status: response.status, contentType, body: isJson ? (JSON.parse(text) as unknown) : text }
}

async function upload(path: string, text: string): Promise<{ readonly id: string }> {
  const content = Buffer.from(text).toString('base64')
  const uploaded = await send('POST', `${FILE_SETS}/contracts/files`, { path, contentType: 'text/plain', content })
  expect(uploaded.status, JSON.stringify(uploaded.body)).toBe(201)
  return uploaded.body as { readonly id: string }
}

async function createContracts(): Promise<void> {
  const created = await send('POST', FILE_SETS, { id: 'contracts', description: 'What was signed' })
  expect(created.status, JSON.stringify(created.body)).toBe(201)
}

test('the command checks which operation is answered by what', async () => {
  const check = runCommand(['check', ...FLAGS], { cwd: ROOT })
  expect(await check.ended, check.stderr()).toBe(0)
  const lines = check.stdout().split('\n')
  const kindsOf = (kind: string) => lines.filter((line) => line.includes(` ${kind} `)).length
  expect([kindsOf('stateful'), kindsOf('own'), kindsOf('generated')]).toEqual([6, 12, 2])
})

test('the three operations are what they are without all the others', async () => {
  const { failures, exitCode } = await runWorkflows('spec/workflows.arazzo.yaml', url)
  expect(failures).toEqual([])
  expect(exitCode).toBe(0)
})

test('without a key every operation refuses', async () => {
  for (const path of [FILE_SETS, SCHEDULES, '/api/identity/v1/users/27'])
    expect((await send('GET', path, undefined, { headers: { [KEY_HEADER]: '' } })).status, path).toBe(401)
})

test('a file set is made, filled, searched, read and deleted', async () => {
  await createContracts()
  const { id } = await upload('2026/lease.txt', 'We lease.')
  await upload('2026/loan.txt', 'We lend.')
  expect((await send('GET', `${FILE_SETS}/contracts`)).body).toEqual({
    id: 'contracts',
    description: 'What was signed',
    created: '2026-03-05T14:30:00.000Z',
    files: 2,
    directories: 1,
  })

  const search = { filters: [{ field: 'name', operator: 'LIKE', value: ['lease'] }] }
  const found = await send('POST', `${FILE_SETS}/contracts/files/search`, search)
  const record = { id, path: '2026/lease.txt', size: 9, contentType: 'text/plain' }
  expect(found.body).toMatchObject({ files: [record], pageContext: {} })
  expect((await send('GET', `${FILE_SETS}/contracts/files/${id}`)).body).toMatchObject(record)
  expect((await send('GET', `${FILE_SETS}/contracts/files?path=2026/lease.txt`)).body).toMatchObject(record)
  const content = await send('GET', `${FILE_SETS}/contracts/files/${id}/content`)
  expect(content).toEqual({ status: 200, contentType: 'text/plain', body: 'We lease.' })

  expect((await send('DELETE', `${FILE_SETS}/contracts/files/${id}`)).status).toBe(204)
  expect(await send('GET', `${FILE_SETS}/contracts/files/${id}`)).toMatchObject({
    status: 404,
    body: { title: 'There is no such file', detail: `contracts has no file ${id}.` },
  })
  expect((await send('DELETE', `${FILE_SETS}/contracts`)).status).toBe(204)
  expect((await send('POST', `${FILE_SETS}/contracts/files/search`, {})).status).toBe(404)
})

test('what does not hold to the contract is refused before a handler sees it', async () => {
  await createContracts()
  const wrong = await send('POST', FILE_SETS, { id: 'No Such Name' })
  expect(wrong).toMatchObject({ status: 400, body: { errors: [{ pointer: '/id', code: 'pattern' }] } })
  const twice = await send('POST', FILE_SETS, { id: 'contracts' })
  expect(twice).toMatchObject({ status: 409, body: { detail: 'There is a file set contracts already.' } })
})

test('a report schedule is listed, switched, sent and deleted by handlers, and runs by the clock', async () => {
  expect((await send('POST', SCHEDULES, weekly())).body).toMatchObject({ id: 7 })
  const shown = { id: 7, title: 'Weekly sales', pageId: 100, nextRun: '2026-03-09T12:30:00.000Z' }
  expect((await send('GET', `${SCHEDULES}/7`)).body).toMatchObject(shown)

  expect((await send('PUT', `${SCHEDULES}/7/enabled`, { enabled: false })).status).toBe(204)
  expect((await send('GET', `${SCHEDULES}/7`)).body).not.toHaveProperty('nextRun')
  const off = (await send('GET', `${SCHEDULES}?enabled=false`)).body as { reportSchedules: { id: number }[] }
  expect(off.reportSchedules.map(({ id }) => id)).toContain(7)
  await send('PUT', `${SCHEDULES}/7/enabled`, { enabled: true })

  expect(await send('POST', `${SCHEDULES}/7/runs`)).toMatchObject({ status: 202, body: { scheduleId: 7 } })
  await control.advanceClock({ to: '2026-03-09T13:00:00Z' })
  const { runs } = (await send('GET', `${SCHEDULES}/7/runs`)).body as { runs: { at: string }[] }
  expect(runs.map(({ at }) => at)).toEqual(['2026-03-09T12:30:00.000Z', '2026-03-05T14:30:00.000Z'])

  expect((await send('DELETE', `${SCHEDULES}/7`)).status).toBe(204)
  expect((await send('PUT', `${SCHEDULES}/7`, { title: 'Nobody' })).status).toBe(404)
})

test('what no handler knows is generated from the contract, the same each time', async () => {
  const user = (await send('GET', '/api/identity/v1/users/27')).body as Readonly<Record<string, unknown>>
  expect(user).toMatchObject({ id: 27, email: expect.stringMatching(/^\S+@\S+$/) as string })
  expect(['ADMIN', 'EDITOR', 'VIEWER']).toContain(user.role)
  expect((await send('GET', '/api/identity/v1/users/27')).body).toEqual(user)
  expect((await send('GET', '/api/identity/v1/users/28')).body).not.toEqual(user)
  expect((await send('GET', '/api/content/v1/pages/100')).body).toMatchObject({ title: 'Sales' })
  const empty = await send('GET', '/api/content/v1/pages/100', undefined, { headers: { Prefer: 'example=empty' } })
  expect(empty.body).toMatchObject({ title: 'Untitled', views: [] })
})

test('documents of handlers are part of the state: they are reset, restored, and kept over a restart', async () => {
  await createContracts()
  await control.createCheckpoint({ name: 'signed' })
  await upload('loan.txt', 'We lend.')
  await control.restoreCheckpoint('signed')
  expect((await send('GET', `${FILE_SETS}/contracts`)).body).toMatchObject({ files: 0, description: 'What was signed' })
  await control.reset()
  expect((await send('GET', `${FILE_SETS}/contracts`)).status).toBe(404)

  const data = createDirectory({})
  try {
    const first = await start(['--data', data.path])
    await send('POST', FILE_SETS, { id: 'kept', description: 'Still here' }, { at: first.url })
    first.command.child.kill('SIGTERM')
    await first.command.ended
    const second = await start(['--data', data.path])
    const kept = await send('GET', `${FILE_SETS}/kept`, undefined, { at: second.url })
    second.command.child.kill('SIGTERM')
    await second.command.ended
    expect(kept.body).toMatchObject({ id: 'kept', description: 'Still here' })
  } finally {
    data.remove()
  }
})
