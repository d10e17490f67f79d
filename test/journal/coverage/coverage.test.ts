import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createStandin } from '../../../src/index.ts'
import type { CoverageReport } from '../../../src/control/client/types.ts'
import { createControlledTester, refusalOf } from '../../support/control.ts'
import { startProxy } from '../../support/servers/proxy.ts'
import { KEY_HEADER, nextOf, SCHEDULES, weekly } from '../../support/tester.ts'
import { withoutStore } from '../../support/store.ts'

/** What is covered of an operation, as `parameters limit`, and how often. */
function coveredOf({ operations }: CoverageReport, operationId: string): Record<string, number> {
  const items = operations.find((one) => one.operationId === operationId)?.items ?? []
  return Object.fromEntries(items.filter(({ count }) => count > 0).map(({ kind, name, count }) => [`${kind} ${name}`, count]))
}

function missedOf({ operations }: CoverageReport, operationId: string, kind: string): string[] {
  const items = operations.find((one) => one.operationId === operationId)?.items ?? []
  return items.filter((one) => one.kind === kind && one.count === 0).map(({ name }) => name)
}

test('a search covers its parameters, members, operators, fields and orders', async () => {
  const { control, search } = createControlledTester()
  await search({
    set: 'demo',
    query: { limit: 5, immediateChildren: true },
    body: {
      filters: [{ field: 'name', operator: 'LIKE', value: ['a'], not: true }],
      dateFilters: [{ field: 'created', start: '2026-01-01T00:00:00Z', end: null }],
      fieldSort: [{ field: 'size', order: 'DESC' }],
    },
  })
  const coverage = await control.getCoverage()
  expect(coveredOf(coverage, 'searchFiles')).toEqual({
    'operations searchFiles': 1,
    'parameters limit': 1,
    'parameters immediateChildren': 1,
    'values immediateChildren = true': 1,
    'members filters': 1,
    'members filters[].field': 1,
    'members filters[].operator': 1,
    'members filters[].value': 1,
    'members filters[].not': 1,
    'values filters[].not = true': 1,
    'members dateFilters': 1,
    'members dateFilters[].field': 1,
    'members dateFilters[].start': 1,
    'members dateFilters[].end': 1,
    'members fieldSort': 1,
    'members fieldSort[].field': 1,
    'members fieldSort[].order': 1,
    'filter fields name': 1,
    'filter operators LIKE': 1,
    'date filters since': 1,
    'sort fields size': 1,
    'sort orders DESC': 1,
    'walks one page': 1,
    'statuses 200': 1,
  })
  expect(missedOf(coverage, 'searchFiles', 'filter operators')).toContain('EQUALS')
  expect(missedOf(coverage, 'searchFiles', 'sort fields')).toEqual([
    'id',
    'path',
    'name',
    'fileType',
    'contentType',
    'created',
    'createdBy',
  ])
  expect(coverage.kinds.find(({ kind }) => kind === 'operations')).toEqual({
    kind: 'operations',
    covered: 1,
    total: 3,
    percent: 33.3,
  })
})

test('of a refused request only the status is covered', async () => {
  const { control, search, request } = createControlledTester()
  await search({ set: 'demo', query: 'limit=0', body: { fieldSort: [{ field: 'nothing', order: 'ASC' }] } })
  await request().post('/api/files/v1/filesets/tiny/files/search').send({})
  const coverage = await control.getCoverage()
  expect(coveredOf(coverage, 'searchFiles')).toEqual({ 'statuses 400': 1, 'statuses 401': 1 })
  expect(coverage).toMatchObject({ requests: 2, operations: [{ operationId: 'searchFiles', requests: 2 }, {}, {}] })
})

test('walks are covered: one page, several, to the end, and one that goes on after a failure', async () => {
  const { control, search: searchIn } = createControlledTester()
  const search = (query: string) => searchIn({ set: 'demo', query })
  const walks = async () =>
    Object.keys(coveredOf(await control.getCoverage(), 'searchFiles')).filter((one) => one.startsWith('walks'))
  const first = await search('limit=400')
  expect(await walks()).toEqual([])
  const token = encodeURIComponent(nextOf(first) ?? '')
  await control.armFaults({ kind: 'status', status: 503, times: 1 })
  expect((await search(`limit=400&next=${token}`)).status).toBe(503)
  expect(await walks()).toEqual([])
  let page = await search(`limit=400&next=${token}`)
  expect(await walks()).toEqual(['walks several pages', 'walks resumed'])
  for (let next = nextOf(page); next !== undefined; next = nextOf(page))
    page = await search(`limit=400&next=${encodeURIComponent(next)}`)
  expect(await walks()).toEqual(['walks several pages', 'walks to the end', 'walks resumed'])
  await search('limit=5000')
  const all = await control.getCoverage()
  expect(missedOf(all, 'searchFiles', 'walks')).toEqual([])
  expect(coveredOf(all, 'searchFiles')).toMatchObject({ 'parameters next': 2 })
  expect(all.faults.filter(({ count }) => count > 0)).toEqual([{ name: 'status', count: 1 }])
})

test('report schedules bring frequencies and types of recipients', async () => {
  const { control, create } = createControlledTester()
  await create(weekly({}, { additionalRecipients: [{ type: 'EMAIL', value: 'a@example.com' }], enabled: false }))
  const coverage = await control.getCoverage()
  expect(coveredOf(coverage, 'createReportSchedule')).toMatchObject({
    'frequencies WEEKLY': 1,
    'recipient types EMAIL': 1,
    'values schedule.enabled = false': 1,
    'members schedule.additionalRecipients[].type': 1,
  })
  expect(missedOf(coverage, 'createReportSchedule', 'frequencies')).toEqual(['MONTHLY'])
  expect(missedOf(coverage, 'updateReportSchedule', 'operations')).toEqual(['updateReportSchedule'])
})

test('behaviours that responses depended on are listed with their basis', async () => {
  const { control, search, create } = createControlledTester()
  await search()
  await search()
  await create(weekly())
  const { behaviours } = await control.getCoverage()
  expect(behaviours.find(({ id }) => id === 'auth.keys')).toEqual({
    id: 'auth.keys',
    basis: 'assumed',
    question: 'Which keys are known?',
    count: 3,
    operations: ['searchFiles', 'createReportSchedule'],
  })
  expect(behaviours.find(({ id }) => id === 'like.case')).toBeUndefined()
})

test('behaviours that only one sandbox met count for the server', async () => {
  const { control, search } = createControlledTester()
  const searchIn = (sandbox: string, body: object = {}) =>
    search({ set: 'demo', body, headers: { [KEY_HEADER]: `any@${sandbox}` } })
  await searchIn('one')
  await searchIn('two', { fieldSort: [{ field: 'name', order: 'DESC' }] })
  await searchIn('one', { fieldSort: [{ field: 'size', order: 'ASC' }] })
  const { behaviours } = await control.getCoverage()
  expect(behaviours.filter(({ id }) => id === 'sort.order-values')).toMatchObject([{ count: 1 }])
  expect(behaviours.filter(({ id }) => id === 'sort.fields')).toMatchObject([{ count: 2 }])
})

test('what a calibrated profile has is assumed no more', async () => {
  const { control, search } = createControlledTester({ profile: { behaviours: { 'search.visible': 'all' } } })
  await search({ set: 'demo' })
  const { behaviours } = await control.getCoverage()
  const basisOf = (wanted: string) => behaviours.find(({ id }) => id === wanted)?.basis
  expect([basisOf('search.visible'), basisOf('auth.keys')]).toEqual(['calibrated', 'assumed'])
})

withoutStore('a request that names a sandbox gets its coverage, any other that of all, also of those that are gone', async () => {
  const { control, search } = createControlledTester()
  await search({ headers: { [KEY_HEADER]: 'any@one' }, set: 'demo', query: 'limit=1' })
  await search({ headers: { [KEY_HEADER]: 'any@two' }, set: 'demo', query: 'directoryPath=finance' })
  expect(await control.in('one').getCoverage()).toMatchObject({ requests: 1, sandboxes: 1 })
  await control.in('one').reset()
  await control.deleteSandbox('two')
  const all = await control.getCoverage()
  expect(all).toMatchObject({ requests: 2, sandboxes: 2 })
  expect(coveredOf(all, 'searchFiles')).toMatchObject({ 'parameters limit': 1, 'parameters directoryPath': 1 })
  expect(coveredOf(await control.in('one').getCoverage(), 'searchFiles')).toMatchObject({ 'parameters limit': 1 })
  expect(await control.in('one').getCoverage({ scope: 'server' })).toEqual(all)
  expect(await control.getCoverage({ scope: 'sandbox' })).toMatchObject({ requests: 0 })
  expect(await refusalOf(control.in('two').getCoverage())).toMatch(/^404 .*no sandbox "two"/)
  expect(await refusalOf(control.getCoverage({ scope: 'all' }))).toMatch(/^400 .*scope: expected sandbox or server/)
})

withoutStore('coverage begins again where it is deleted', async () => {
  const { control, search } = createControlledTester()
  for (const name of ['one', 'two', 'three']) await search({ headers: { [KEY_HEADER]: `any@${name}` } })
  await control.deleteSandbox('three')
  expect(await control.in('one').deleteCoverage()).toEqual({ removed: 1 })
  expect(await control.getCoverage()).toMatchObject({ requests: 2, sandboxes: 2 })
  expect(await control.deleteCoverage()).toEqual({ removed: 2 })
  expect(await control.getCoverage()).toMatchObject({ requests: 0, sandboxes: 0, total: { covered: 0 } })
})

test('requests to no operation are listed, of many different ones the first', async () => {
  const { control, request } = createControlledTester()
  await request().get('/orders?key=secret')
  await request().get('/orders')
  await request().get(SCHEDULES)
  await request().options(SCHEDULES)
  expect((await control.getCoverage()).unmatched).toEqual([
    { name: 'GET /orders', count: 2 },
    { name: `GET ${SCHEDULES}`, count: 1 },
  ])
  for (let id = 0; id < 30; id++) await request().get(`/orders/${id}`)
  const { unmatched } = await control.getCoverage()
  expect(unmatched).toHaveLength(21)
  expect(unmatched.at(-1)).toEqual({ name: 'other paths', count: 12 })
})

const SHOP = { contract: 'examples/shop/contract.yaml', selfCheck: false }

test('a contract of your own is covered by what it documents: enumerations, bodies, headers and statuses', async () => {
  const { control, request } = createControlledTester(SHOP)
  await request().get('/customers?country=GB&sort=-name&page=1&colour=red')
  await request().get('/customers?page=2')
  await request().post('/customers').send({ name: 'Ada', email: 'ada@example.com', city: 'London', country: 'GB' })
  await request().get('/customers/no-such')
  const coverage = await control.getCoverage()
  expect(coverage.contract).toBe('Shop 1.0.0')
  expect(coveredOf(coverage, 'listCustomers')).toMatchObject({
    'parameters country': 1,
    'values sort = -name': 1,
    'parameters page': 2,
    'walks several pages': 1,
    'statuses 200': 2,
  })
  expect(missedOf(coverage, 'listCustomers', 'statuses')).toEqual(['400'])
  expect(coverage.operations.find(({ operationId }) => operationId === 'listCustomers')?.undocumented).toEqual([
    { name: 'parameter colour', count: 1 },
  ])
  expect(coveredOf(coverage, 'createCustomer')).toMatchObject({
    'members name': 1,
    'statuses 201': 1,
  })
  // The service gives them.
  expect(missedOf(coverage, 'createCustomer', 'members')).not.toContain('id')
})

/** A contract with one list that can be sorted by any member, and one operation with parameters everywhere. */
const TASKS = {
  openapi: '3.1.0',
  info: { title: 'Tasks', version: '2' },
  paths: {
    '/tasks': {
      get: {
        operationId: 'listTasks',
        parameters: [
          { name: 'sort', in: 'query', schema: { type: 'string' } },
          { name: 'filter', in: 'query', style: 'deepObject', schema: { type: 'object', properties: { title: {} } } },
          { name: 'X-Tenant', in: 'header', schema: { enum: ['a', 'b'] } },
          { name: 'theme', in: 'cookie', schema: { type: 'string' } },
        ],
        responses: {
          200: {
            description: 'Tasks.',
            content: { 'application/json': { schema: { type: 'array', items: { $ref: '#/components/schemas/Task' } } } },
          },
          '4XX': { description: 'Refused.' },
        },
      },
      post: {
        operationId: 'createTask',
        requestBody: { content: { 'application/x-www-form-urlencoded': { schema: { $ref: '#/components/schemas/Task' } } } },
        responses: { 201: { description: 'Created.' } },
      },
    },
  },
  components: {
    schemas: {
      Task: {
        type: 'object',
        properties: {
          id: { type: 'integer', readOnly: true },
          title: { type: 'string' },
          due: { type: 'string', format: 'date' },
          state: { enum: ['open', 'done'] },
          subtasks: { type: 'array', items: { $ref: '#/components/schemas/Task' } },
        },
      },
    },
  },
}

function writeContract(document: object): string {
  const directory = mkdtempSync(join(tmpdir(), 'standin-'))
  onTestFinished(() => rmSync(directory, { recursive: true }))
  const contract = join(directory, 'contract.json')
  writeFileSync(contract, JSON.stringify(document))
  return contract
}

test('lists that sort by any member bring its fields and orders; forms, headers and cookies count too', async () => {
  const { control, request } = createControlledTester({ contract: writeContract(TASKS), selfCheck: false })
  await request().get('/tasks?sort=-due,title&filter[title]=x').set({ 'X-Tenant': 'b', Cookie: 'other=1; theme=dark' })
  await request().post('/tasks').type('form').send({ title: 'Sweep', state: 'open' })
  const coverage = await control.getCoverage()
  expect(coveredOf(coverage, 'listTasks')).toMatchObject({
    'parameters sort': 1,
    'parameters filter': 1,
    'parameters X-Tenant (header)': 1,
    'values X-Tenant (header) = b': 1,
    'parameters theme (cookie)': 1,
    'sort fields due': 1,
    'sort fields title': 1,
    'sort orders ascending': 1,
    'sort orders descending': 1,
  })
  expect(missedOf(coverage, 'listTasks', 'sort fields')).toEqual(['id', 'state'])
  expect(coveredOf(coverage, 'createTask')).toMatchObject({ 'members title': 1, 'values state = open': 1 })
  // A schema that contains itself is counted once.
  expect(missedOf(coverage, 'createTask', 'members')).toEqual(['due', 'subtasks', 'subtasks[].title', 'subtasks[].due', 'subtasks[].state', 'subtasks[].subtasks'])
})

test('what is covered stays so when the contract is reloaded, with what the new one has', async () => {
  const contract = writeContract(TASKS)
  const standin = createStandin({ contract, watch: true, port: 0 })
  const url = await standin.start()
  onTestFinished(() => standin.stop())
  await fetch(`${url}/tasks?sort=due`)
  const { get, post } = TASKS.paths['/tasks']
  const [sort] = get.parameters
  const parameters = [sort, { name: 'q', in: 'query', schema: { type: 'string' } }]
  const paths = { '/tasks': { get: { ...get, parameters }, post } }
  writeFileSync(contract, JSON.stringify({ ...TASKS, info: { title: 'Tasks', version: '3' }, paths }))
  await expect.poll(async () => (await standin.control.getCoverage()).contract, { timeout: 10_000 }).toBe('Tasks 3')
  const coverage = await standin.control.getCoverage()
  expect(coveredOf(coverage, 'listTasks')).toMatchObject({ 'parameters sort': 1, 'sort fields due': 1 })
  expect(missedOf(coverage, 'listTasks', 'parameters')).toEqual(['q'])
})

test('what a proxy forwards is covered, with what its bodies use', async () => {
  const service = createStandin({ port: 0 })
  onTestFinished(() => service.stop())
  const proxy = await startProxy(await service.start())
  const body = { filters: [{ field: 'name', operator: 'LIKE', value: ['a'] }] }
  const response = await fetch(`${proxy.url}/api/files/v1/filesets/demo/files/search?limit=1`, {
    method: 'POST',
    headers: { [KEY_HEADER]: 'any', 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  })
  expect((await response.json()) as object).toMatchObject({ files: [{}] })
  await expect
    .poll(async () => coveredOf(await proxy.control.getCoverage(), 'searchFiles'))
    .toMatchObject({ 'parameters limit': 1, 'filter operators LIKE': 1, 'members filters[].value': 1, 'statuses 200': 1 })
})
