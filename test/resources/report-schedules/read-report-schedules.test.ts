import { fileURLToPath } from 'node:url'
import request from 'supertest'
import { expect, test } from 'vitest'
import { createControlledTester } from '../../support/control.ts'
import { CREATE, packagedContract, writeContract } from '../../support/contracts/small-contract.ts'
import { KEY_HEADER, weekly } from '../../support/tester.ts'

const CONTRACT = fileURLToPath(new URL('../../../examples/full-service/contract.yaml', import.meta.url))
interface Answer {
  readonly body: unknown
}

const SCHEDULES = '/api/content/v1/reportschedules'

function createService(contract = CONTRACT) {
  const { standin, control } = createControlledTester({ contract, clock: '2026-03-05T14:30:00Z' })
  const send = (method: 'get' | 'post' | 'put' | 'delete', path: string, body?: object) =>
    request(standin.app)[method](path).set(KEY_HEADER, 'key').send(body)
  return { control, standin, send }
}

test('a contract that has the operations needs no handlers to read, list and delete report schedules', () => {
  const { standin } = createService()
  expect(standin.operations.filter((line) => / (get|list|delete)ReportSchedules? /.test(line))).toEqual([
    expect.stringMatching(/listReportSchedules +stateful \(by operationId\)/),
    expect.stringMatching(/getReportSchedule +stateful \(by operationId\)/),
    expect.stringMatching(/deleteReportSchedule +stateful \(by operationId\)/),
  ])
})

test('a report schedule that was created is read with its next run, and with its last run after that', async () => {
  const { send, control } = createService()
  await send('post', SCHEDULES, weekly())
  const created = await send('get', `${SCHEDULES}/7`)
  expect(created.status, created.text).toBe(200)
  expect(created.body).toMatchObject({ id: 7, title: 'Weekly sales', pageId: 100, nextRun: '2026-03-09T12:30:00.000Z' })
  expect(created.body).not.toHaveProperty('lastRun')

  await control.advanceClock({ to: '2026-03-09T13:00:00Z' })
  const { body } = (await send('get', `${SCHEDULES}/7`)) as Answer
  expect(body).toMatchObject({ nextRun: '2026-03-16T12:30:00.000Z', lastRun: '2026-03-09T12:30:00.000Z' })
})

test('report schedules are listed by id, all of them or those that are enabled', async () => {
  const { send } = createService()
  await send('post', SCHEDULES, weekly())
  const { schedule } = weekly()
  await send('put', `${SCHEDULES}/7`, { schedule: { ...(schedule as object), enabled: false } })
  const idsOf = async (query: string) => {
    const { body } = (await send('get', SCHEDULES + query)) as Answer
    return (body as { reportSchedules: { id: number }[] }).reportSchedules.map(({ id }) => id)
  }
  const all = await idsOf('')
  expect(all).toEqual(all.toSorted((a, b) => a - b))
  expect(all).toContain(7)
  expect(await idsOf('?enabled=false')).toContain(7)
  expect(await idsOf('?enabled=true')).not.toContain(7)
})

test('a report schedule that was deleted is gone, and does not run', async () => {
  const { send, control } = createService()
  await send('post', SCHEDULES, weekly())
  expect((await send('delete', `${SCHEDULES}/7`)).status).toBe(204)
  for (const method of ['get', 'delete'] as const) {
    const gone = await send(method, `${SCHEDULES}/7`)
    expect(gone.status).toBe(404)
    expect(gone.body).toMatchObject({ detail: 'There is no report schedule 7.' })
  }
  await control.advanceClock({ to: '2026-03-09T13:00:00Z' })
  expect((await control.listDeliveries({ scheduleId: 7 })).deliveries).toEqual([])
})

test('x-standin binds them under other names, to a list without a wrapper as well', async () => {
  const { paths, ...rest } = packagedContract()
  const plan = {
    type: 'object',
    required: ['id', 'label'],
    properties: { id: { type: 'integer' }, label: { type: 'string' } },
  }
  const ok = (schema: object) => ({ '200': { description: 'OK', content: { 'application/json': { schema } } } })
  const list = {
    operationId: 'plans',
    'x-standin': 'listReportSchedules',
    responses: ok({ type: 'array', items: plan }),
  }
  const contract = writeContract({ ...rest, paths: { '/plans': { ...paths[CREATE], get: list } } })
  const { send } = createService(contract)
  await send('post', '/plans', weekly())
  const { body } = (await send('get', '/plans')) as Answer
  expect(body).toContainEqual(
    expect.objectContaining({ id: 7, title: 'Weekly sales', label: expect.any(String) as string }),
  )
})

test('a schedule is read without a body, whatever the contract calls its parameter', async () => {
  const { paths, ...rest } = packagedContract()
  const parameters = [{ name: 'plan', in: 'path', required: true, schema: { type: 'integer' } }]
  const get = { operationId: 'getReportSchedule', parameters, responses: { '200': { description: 'OK' } } }
  const contract = writeContract({ ...rest, paths: { ...paths, '/plans/{plan}': { get } } })
  const { send, control } = createService(contract)
  await control.putBehaviours({ 'http.empty-body': 'error' })
  expect((await send('get', '/plans/1')).status).toBe(200)
})

test('a deletion whose response was lost has happened', async () => {
  const { send, control } = createService()
  await send('post', SCHEDULES, weekly())
  await control.armFaults({
    kind: 'lost-answer',
    by: 'gateway-timeout',
    match: { operationId: 'deleteReportSchedule' },
    times: 1,
  })
  expect((await send('delete', `${SCHEDULES}/7`)).status).toBe(504)
  expect((await send('delete', `${SCHEDULES}/7`)).status).toBe(404)
})
