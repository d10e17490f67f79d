import { join } from 'node:path'
import type { Response } from 'supertest'
import { expect, onTestFinished, test } from 'vitest'
import { createConfig } from '../../../src/config/create-config.ts'
import { SILENT } from '../../../src/journal/server-log.ts'
import { parseJson } from '../../../src/base/formats/json.ts'
import { replay } from '../../../src/app/replay/replay.ts'
import { createReloadableStandin } from '../../../src/app/setup/create-standin.ts'
import { createDirectory } from '../../support/command.ts'
import {
  complaintsOf,
  createTester,
  KEY_HEADER,
  pathsOf,
  rowsOf,
  SCHEDULES,
  SEARCH,
  startComplaintsOf,
  weekly,
} from '../../support/tester.ts'
import { answerOf, contractFile, type Parts } from '../../support/contracts/own-contract.ts'

const text = { type: 'string' }
const texts = { type: 'array', items: text }

function following(change: (parts: Parts) => void, options: Parameters<typeof createTester>[0] = {}) {
  return createTester({ contract: contractFile(change), ...options })
}

function json(response: Response): Record<string, unknown> {
  return response.body as Record<string, unknown>
}

function addCostCentre({ properties }: Parts): void {
  Object.assign(properties('ReportScheduleInfo'), { costCentre: text, tags: texts, secret: text })
  properties('ScheduleSettings').priority = { type: 'integer', maximum: 9 }
  Object.assign(properties('ReportScheduleResponse'), { costCentre: text, tags: texts })
  properties('Schedule').priority = { type: 'integer' }
}

const ADDED = { costCentre: 'K-77', tags: ['a', 'b'], secret: 'x' }

test('members that the contract adds to a report schedule are stored, and shown where its answers name them', async () => {
  const { create, update, request } = following(addCostCentre)
  const made = await create(weekly(ADDED, { priority: 3 }))
  expect(made.headers['x-mock-ignored']).toBeUndefined()
  expect(json(made)).toMatchObject({ id: 7, costCentre: 'K-77', tags: ['a', 'b'], schedule: { priority: 3 } })
  expect(json(made)).not.toHaveProperty('secret')

  const changed = await update(7, { costCentre: 'K-78' })
  expect(json(changed)).toMatchObject({ costCentre: 'K-78', tags: ['a', 'b'], schedule: { priority: 3 } })

  const replaced = await update(7, { schedule: weekly().schedule })
  expect(json(replaced).schedule).not.toHaveProperty('priority')

  const stored = await request().get('/__mock/report-schedules/7')
  expect(json(stored).added).toEqual({ costCentre: 'K-78', tags: ['a', 'b'], secret: 'x' })
})

test('what the contract adds goes with forks, resets, checkpoints and exported states', async () => {
  const { create, update, request } = following(addCostCentre)
  await create(weekly(ADDED, { priority: 3 }))
  await request().post('/__mock/checkpoints').send({ name: 'made' })
  const state = await request().get('/__mock/state')
  await request().post('/__mock/sandboxes').send({ name: 'other', from: 'default' })
  const fork = await update(7, { title: 'Forked' }, { [KEY_HEADER]: 'key@other' })
  expect(json(fork)).toMatchObject({ title: 'Forked', costCentre: 'K-77', schedule: { priority: 3 } })

  await request().post('/__mock/reset')
  expect((await update(7, { title: 'Gone' })).status).toBe(404)
  expect((await request().put('/__mock/state').send(json(state))).status).toBe(200)
  expect(json(await update(7, { title: 'Back' }))).toMatchObject({ costCentre: 'K-77', schedule: { priority: 3 } })
  await request().post('/__mock/checkpoints/made/restore')
  expect(json(await update(7, {}))).toMatchObject({ title: 'Weekly sales', tags: ['a', 'b'] })
})

test('a fixture may have the members that the contract adds, and no others', async () => {
  const schedule = { id: 40, ...weekly({ costCentre: 'K-1' }) }
  const { update } = following(addCostCentre, { fixtures: [{ reportSchedules: [schedule] }] })
  expect(json(await update(40, {}))).toMatchObject({ costCentre: 'K-1' })
  const contract = contractFile(addCostCentre)
  const fixtures = [{ reportSchedules: [weekly({ costCenter: 'K-1' })] }]
  expect(startComplaintsOf(() => createTester({ contract, fixtures }))).toEqual([
    'fixtures[0]:1: A report schedule has an unknown field `costCenter`. Known: id, ownerId, title, pageId, viewId, attachmentInclude, schedule.',
  ])
})

test('an added member that the contract requires is required, and null is stored where the contract allows it', async () => {
  const { create, update } = following(({ at, properties }) => {
    properties('ReportScheduleInfo').costCentre = { type: ['string', 'null'], maxLength: 8 }
    properties('ReportScheduleResponse').costCentre = { type: ['string', 'null'] }
    at('/components/schemas/ReportScheduleInfo').required = ['costCentre']
  })
  const refused = await create(weekly())
  expect([refused.status, complaintsOf(refused)]).toEqual([400, ['/costCentre required']])
  expect(complaintsOf(await create(weekly({ costCentre: 'too long by far' })))).toEqual(['/costCentre maxLength'])
  expect(json(await create(weekly({ costCentre: null })))).toMatchObject({ id: 7, costCentre: null })
  expect(json(await update(7, { costCentre: 'K-2' }))).toMatchObject({ costCentre: 'K-2' })
})

test('tighter enumerations, patterns and limits refuse with the line of the contract that says so', async () => {
  const { create, search } = following(({ properties, at }) => {
    Object.assign(properties('ReportScheduleInfo'), { title: { type: 'string', pattern: '^[A-Z]', maxLength: 30 } })
    at('/components/schemas/Frequency').enum = ['WEEKLY']
    at('/components/schemas/HourOfDay').maximum = 18
    Object.assign(at('/components/schemas/SearchRequest/properties/filters'), { maxItems: 1 })
  })
  const monthly = weekly({ title: 'weekly' }, { frequency: 'MONTHLY', daysToRun: '1', hourOfDay: 19 })
  const refused = await create(monthly)
  const errors = json(refused).errors as readonly { readonly pointer: string; readonly source: string }[]
  expect(refused.status).toBe(400)
  expect(errors.map(({ pointer, source }) => `${pointer} ${source.replace(/.*\//, '')}`)).toEqual([
    '/title own.json:1',
    '/schedule/frequency own.json:1',
    '/schedule/hourOfDay own.json:1',
  ])
  const filter = { field: 'name', operator: 'LIKE', value: ['a'] }
  const narrow = await search({ set: 'demo', body: { filters: [filter, filter] } })
  expect([narrow.status, complaintsOf(narrow)]).toEqual([400, ['/filters maxItems']])
})

test('what the body of the contract does not name cannot be required of it', async () => {
  const { create } = following(({ properties }) => {
    delete properties('ReportScheduleInfo').pageId
  })
  const { pageId: _pageId, ...rest } = weekly()
  expect((await create(rest)).status).toBe(200)
})

test('stored members that only the answer of the contract names are shown, and those that it requires are made', async () => {
  const { create, update } = following(({ at, properties }) => {
    const response = properties('ReportScheduleResponse')
    Object.assign(response, { attachmentInclude: { type: 'boolean' }, viewId: { type: 'integer' } })
    Object.assign(response, { state: { type: 'string', enum: ['ACTIVE', 'PAUSED'] } })
    Object.assign(response, { updatedAt: { type: 'string', format: 'date-time' } })
    at('/components/schemas/ReportScheduleResponse').required = ['id', 'ownerId', 'state', 'updatedAt']
    at('/components/schemas/Schedule').required = ['enabled', 'timezone']
  })
  const made = await create(weekly({ attachmentInclude: true }))
  expect(json(made)).toMatchObject({ viewId: 200, attachmentInclude: true, ownerId: 1, state: 'ACTIVE' })
  expect(json(made)).toMatchObject({
    updatedAt: '2026-03-05T14:30:00.000Z',
    schedule: { timezone: 'America/New_York' },
  })
  expect(json(await update(7, { title: 'x' }))).toMatchObject({ title: 'x', viewId: 200 })
})

test('an answer that is closed shows what it names alone', async () => {
  const { create } = following(({ at, properties }) => {
    at('/components/schemas/ReportScheduleResponse').additionalProperties = false
    delete properties('ReportScheduleResponse').reportViewId
  })
  expect(Object.keys(json(await create(weekly())))).toEqual(['id', 'pageId', 'title', 'schedule'])
})

test('a success has the status that is documented for it', async () => {
  const created = following(({ operation }) => {
    const schema = { $ref: '#/components/schemas/ReportScheduleResponse' }
    operation('create').responses = { 201: answerOf(schema, 'application/vnd.plan+json') }
    operation('update').responses = { 204: { description: 'Changed.' } }
  })
  const made = await created.create(weekly())
  expect([made.status, json(made).id]).toEqual([201, 7])
  expect(made.headers['content-type']).toBe('application/vnd.plan+json')
  const changed = await created.update(7, { title: 'Sunday' })
  expect([changed.status, changed.text, changed.headers['content-type']]).toEqual([204, '', undefined])
  expect(json(await created.request().get('/__mock/report-schedules/7')).title).toBe('Sunday')
})

test.each([
  ['a refused body', { 422: {} }, 422, { title: 5 }],
  ['a missing key', { 403: {} }, 403, undefined],
  ['an unknown schedule', { 410: {} }, 404, {}],
  ['an unknown schedule', { 400: {} }, 404, {}],
  ['an unknown schedule', { 400: { description: 'No schedule with this id.' } }, 400, {}],
  ['a refused body', { 422: {}, default: {} }, 422, { title: 5 }],
  ['a refused body', { '4XX': {}, 422: {} }, 400, { title: 5 }],
  ['a refused body', { default: {} }, 400, { title: 5 }],
  ['an unknown schedule', { 400: {}, default: {} }, 404, {}],
  ['an unknown schedule', {}, 404, {}],
])('%s has a documented status: %j', async (_what, documented, status, body) => {
  const { update } = following(({ answers, at, operation }) => {
    const held = operation('update')
    const { 200: success } = answers('update')
    const refused = Object.entries(documented).map(([one, more]) => [
      one,
      { ...at('/components/responses/OtherError'), ...more },
    ])
    held.responses = { 200: success, ...Object.fromEntries(refused) }
  })
  const response = await update(99, body ?? {}, body === undefined ? { [KEY_HEADER]: '' } : {})
  expect([response.status, json(response).status]).toEqual([status, status])
  expect(response.headers['www-authenticate']).toBeUndefined()
})

test('the body of a refusal is made to fit the one that is documented', async () => {
  const { create, update, search } = following(({ answers }) => {
    const spring = { timestamp: { ...text, format: 'date-time' }, status: { type: 'integer' }, error: text, path: text }
    const required = ['timestamp', 'status', 'error', 'path', 'message', 'traceId']
    const own = { ...spring, message: { ...text, maxLength: 20 }, traceId: { ...text, format: 'uuid' } }
    answers('create')['400'] = answerOf({ type: 'object', properties: own, required, additionalProperties: false })
    const field = { type: 'object', required: ['field', 'message'], properties: { field: text, message: text } }
    const error = {
      type: 'object',
      required: ['code', 'message', 'severity'],
      properties: {
        code: { type: 'string', enum: ['INVALID', 'SCHEDULE_NOT_FOUND', 'OTHER'] },
        message: text,
        severity: { enum: ['ERROR', 'WARNING'] },
        details: { type: 'array', items: field },
      },
    }
    answers('update')['404'] = answerOf(
      { type: 'object', required: ['error'], properties: { error }, additionalProperties: false },
      'application/vnd.service.error+json',
    )
    answers('search')['404'] = answerOf({
      oneOf: [{ type: 'object', required: ['nothing'], properties: { nothing: { const: 1 } }, not: {} }, texts],
    })
  })
  const refused = await create(weekly({ title: 7 }))
  expect(refused.headers['content-type']).toBe('application/json')
  expect(json(refused)).toEqual({
    timestamp: '2026-03-05T14:30:00.000Z',
    status: 400,
    error: 'Bad Request',
    path: SCHEDULES,
    message: '/title: expected a s',
    traceId: refused.headers['x-request-id'],
  })
  const unknown = await update(99, {})
  expect(unknown.headers['content-type']).toBe('application/vnd.service.error+json')
  expect(json(unknown)).toEqual({
    error: {
      code: 'SCHEDULE_NOT_FOUND',
      message:
        'There is no report schedule 99. An update never creates one: POST it first and use the id of the response.',
      severity: 'ERROR',
      details: [{ field: 'scheduleId', message: expect.stringMatching(/^scheduleId: expected/) as string }],
    },
  })
  expect(json(await search({ set: 'none' }))).toEqual([expect.stringMatching(/^fileSetId: expected/)])
})

test('a body that fits what is documented stays as it is, under the documented media type', async () => {
  const { create } = following(({ answers }) => {
    answers('create')['400'] = answerOf({ type: 'object' })
  })
  const refused = await create({})
  expect(refused.headers['content-type']).toBe('application/json')
  expect(json(refused)).toMatchObject({ type: '/problems/request-invalid', status: 400 })
})

const FILES = {
  fixtures: [
    {
      fileSets: [
        {
          id: 'tiny',
          files: [
            { path: 'a.txt', owner: 'Ada' },
            { path: 'd', fileType: 'DIRECTORY', owner: 'Bob' },
            { path: 'd/b.txt' },
          ],
        },
      ],
    },
  ],
}

test('members that the contract adds to entries come from fixtures and from the control API, and are shown', async () => {
  const { search, request } = following(({ properties }) => {
    properties('FileRecord').owner = text
    properties('DirectoryEntry').owner = text
  }, FILES)
  const owners = async () =>
    ((await search()).body as { files: { path: string; owner?: string }[] }).files.map(({ path, owner }) => [
      path,
      owner,
    ])
  expect(await owners()).toEqual([
    ['a.txt', 'Ada'],
    ['d', 'Bob'],
    ['d/b.txt', undefined],
  ])
  const added = await request()
    .post('/__mock/file-sets/tiny/files')
    .send({ files: [{ path: 'c.txt', owner: 'Cy' }] })
  expect(added.status).toBe(201)
  const { files } = (await search()).body as { files: { id: string; path: string }[] }
  const { id } = files.find(({ path }) => path === 'd/b.txt') ?? { id: '' }
  expect((await request().patch(`/__mock/file-sets/tiny/files/${id}`).send({ owner: 'Di' })).status).toBe(200)
  const all = [
    ['a.txt', 'Ada'],
    ['c.txt', 'Cy'],
    ['d', 'Bob'],
    ['d/b.txt', 'Di'],
  ]
  expect(await owners()).toEqual(all)
  const state = await request().get('/__mock/state')
  await request().post('/__mock/reset')
  await request().put('/__mock/state').send(json(state))
  expect(await owners()).toEqual(all)
  const strange = await request()
    .post('/__mock/file-sets/tiny/files')
    .send({ files: [{ path: 'e.txt', onwer: 'Cy' }] })
  expect([strange.status, complaintsOf(strange)]).toEqual([400, ['/files/0/onwer unknown']])
})

test('an added member of entries that the contract requires is generated where no fixture has it', async () => {
  const { search } = following(({ at, properties }) => {
    Object.assign(properties('FileRecord'), { labels: texts, owner: { ...text, default: 'nobody' } })
    const file = at('/components/schemas/FileRecord')
    file.required = [...(file.required as string[]), 'labels', 'owner']
  }, FILES)
  const { files } = (await search()).body as { files: Record<string, unknown>[] }
  expect(files.map(({ owner, labels }) => [owner, labels])).toEqual([
    ['Ada', []],
    ['Bob', undefined],
    ['nobody', []],
  ])
  expect(
    ((await search({ set: 'demo', query: 'limit=1000' })).body as typeof files & { files: typeof files }).files.filter(
      ({ labels }) => labels,
    ),
  ).not.toEqual([])
})

test('an entry that breaks the contract of its own stops the start with the line of the fixture', () => {
  const contract = contractFile(({ properties }) => {
    properties('FileRecord').owner = { type: 'string', maxLength: 2 }
  })
  expect(startComplaintsOf(() => createTester({ contract, ...FILES }))).toEqual([
    expect.stringMatching(
      /^fixtures\[0\]:1: \/fileSets\/0\/files\/0 \(a\.txt\): owner must be a text of at most 2 characters; it is "/,
    ) as string,
  ])
})

test('another key header is the key: in refusals, in the choice of the sandbox, and where keys are taken out', async () => {
  const { request } = following(({ at }) => {
    at('/components/securitySchemes/apiKey').name = 'X-Acme-Key'
  })
  const post = (headers: Record<string, string>) => request().post(SCHEDULES).set(headers).send(weekly())
  const without = await post({ [KEY_HEADER]: 'key' })
  expect(without.status).toBe(401)
  expect(without.headers['www-authenticate']).toBe('ApiKey realm="service", header="X-Acme-Key"')
  expect(json(without).detail).toBe('The request has no key. Send one in the header X-Acme-Key.')
  expect((await post({ 'X-Acme-Key': 'a-secret-key@mine' })).status).toBe(200)
  const journal = await request().get('/__mock/journal?sandbox=mine')
  expect(journal.text).toContain('X-Acme-Key')
  expect(journal.text).not.toContain('a-secret-key')
})

test('defaults that the contract gives query parameters apply when they are not sent', async () => {
  const limited = (limit: object) =>
    following(({ at, properties }) => {
      Object.assign(properties('FileRecord'), { owner: text })
      at('/components/parameters/Limit').schema = { type: 'integer', ...limit }
      at('/components/parameters/ImmediateChildren').schema = { type: 'boolean', default: true }
    }, FILES)
  const { paths, search } = limited({ maximum: 20, default: 5 })
  expect(await paths()).toEqual(['a.txt', 'd'])
  expect(await paths({ query: 'immediateChildren=false' })).toEqual(['a.txt', 'd', 'd/b.txt'])
  const first = await search({ set: 'demo', query: 'immediateChildren=false' })
  expect(pathsOf(first)).toHaveLength(5)
  const { next } = (first.body as { pageContext: { next: string } }).pageContext
  expect((await paths({ set: 'demo', query: { next } })).length).toBe(5)
  expect((await paths({ set: 'demo', query: 'limit=7&immediateChildren=false' })).length).toBe(7)
  expect((await limited({ maximum: 20 }).paths({ set: 'demo', query: 'immediateChildren=false' })).length).toBe(20)
  expect((await limited({}).paths({ set: 'demo', query: 'immediateChildren=false' })).length).toBe(100)
})

test('what comes with the package and does not fit a contract is left out', async () => {
  const { request } = following(({ at, properties }) => {
    at('/components/schemas/Frequency').enum = ['WEEKLY']
    properties('ReportScheduleInfo').costCentre = { type: 'string', enum: ['K-1'] }
    at('/components/schemas/ReportScheduleInfo').required = ['costCentre']
  })
  const { reportSchedules } = (await request().get('/__mock/report-schedules')).body as {
    reportSchedules: { schedule: { frequency: string }; added: unknown }[]
  }
  expect(reportSchedules.map(({ schedule, added }) => [schedule.frequency, added])).toEqual(
    Array.from({ length: 3 }, () => ['WEEKLY', { costCentre: 'K-1' }]),
  )
})

test('under a copy of the contract that comes with the package every answer is the same', async () => {
  const own = following(() => undefined)
  const usual = createTester()
  const monthly = weekly({}, { frequency: 'MONTHLY', daysToRun: '31', enabled: false })
  const requests = [
    ['POST', `${SEARCH}/demo/files/search?limit=7`, { filters: [{ field: 'name', operator: 'LIKE', value: ['a'] }] }],
    ['POST', `${SEARCH}/awkward/files/search?limit=300`, {}],
    ['POST', `${SEARCH}/none/files/search`, {}],
    ['POST', `${SEARCH}/demo/files/search?limit=x&strange=1`, { filters: 7 }],
    ['POST', SCHEDULES, weekly({ attachmentInclude: true, strange: 1 })],
    ['POST', SCHEDULES, monthly],
    ['POST', SCHEDULES, { title: 7, schedule: { frequency: 'YEARLY' } }],
    ['PUT', `${SCHEDULES}/7`, { title: 'Other', schedule: monthly.schedule }],
    ['PUT', `${SCHEDULES}/99`, {}],
    ['PUT', `${SCHEDULES}/x`, {}],
    ['GET', SCHEDULES, undefined],
  ] as const
  for (const [method, path, body] of requests) {
    for (const key of ['key', '']) {
      const [one, other] = await Promise.all(
        [own, usual].map(async ({ request }) => {
          const sent = request()[method === 'GET' ? 'get' : method === 'PUT' ? 'put' : 'post'](path)
          const { status, headers, text } = await sent
            .set({ [KEY_HEADER]: key, 'Content-Type': 'application/json' })
            .send(body)
          const sources = text.replaceAll(/"source":"[^"]*openapi\.yaml:\d+"|"source":"[^"]*own\.json:\d+"/g, '')
          return [status, sources, headers['content-type'], headers['x-mock-behaviours'], headers['x-mock-ignored']]
        }),
      )
      expect(one).toEqual(other)
    }
  }
})

test('an operation by another name, with another parameter, follows as well', async () => {
  const { request } = following((parts) => {
    addCostCentre(parts)
    Object.assign(parts.operation('create'), { operationId: 'addPlan', 'x-standin': 'createReportSchedule' })
  })
  const made = await request()
    .post(SCHEDULES)
    .set(KEY_HEADER, 'key')
    .send(weekly({ costCentre: 'K-9' }))
  expect(json(made)).toMatchObject({ id: 7, costCentre: 'K-9' })
  const info = weekly(ADDED, { priority: 10 })
  const explained = await request().post('/__mock/explain').send({ schedule: { info } })
  expect([explained.status, complaintsOf(explained)]).toEqual([400, ['/schedule/info/schedule/priority maximum']])
})

test('what the contract adds is kept in a directory, and a replay does it again', async () => {
  const directory = createDirectory({})
  onTestFinished(directory.remove)
  const contract = contractFile(addCostCentre)
  const options = { contract, data: join(directory.path, 'kept'), clock: '2026-03-05T14:30:00Z' }
  const first = createTester(options)
  await first.create(weekly(ADDED, { priority: 3 }))
  await first.update(7, { costCentre: 'K-78' })
  const document: unknown = parseJson((await first.request().get('/__mock/replay')).text)
  await first.standin.stop()
  const second = createTester(options)
  onTestFinished(() => second.standin.stop())
  expect(json(await second.update(7, {}))).toMatchObject({
    costCentre: 'K-78',
    tags: ['a', 'b'],
    schedule: { priority: 3 },
  })
  const report = await replay({ file: 'run.json', value: document, lineOf: () => 1 })
  expect(report).toMatchObject({ exchanges: 2, events: 2, skipped: [], difference: undefined })
})

test('members that only the contract knows are listed as ignored', async () => {
  const { search, create } = following(({ properties, operation }) => {
    properties('SearchRequest').facets = texts
    properties('Filter').boost = { type: 'number' }
    properties('Recipient').channel = text
    const list = operation('search').parameters as unknown[]
    operation('search').parameters = [...list, { name: 'lang', in: 'query', schema: text }]
  })
  const filters = [{ field: 'name', operator: 'LIKE', value: ['a'], boost: 2 }]
  const found = await search({ set: 'demo', query: { lang: 'en' }, body: { filters, facets: ['x'] } })
  expect([found.status, found.headers['x-mock-ignored']]).toEqual([
    200,
    'query lang, body /filters/0/boost, body /facets',
  ])
  expect(rowsOf(found)).not.toContain('body.unknown')
  const additionalRecipients = [{ type: 'EMAIL', value: 'a@example.com', channel: 'x' }]
  const made = await create(weekly({}, { additionalRecipients }))
  expect(made.headers['x-mock-ignored']).toBe('body /schedule/additionalRecipients/0/channel')
})

test('generated files that do not fit the entries of a contract are reported', () => {
  const notes: string[] = []
  const contract = contractFile(({ properties }) => {
    properties('FileRecord').fileType = { enum: ['PLAN'] }
  })
  const config = createConfig([{ nameOf: () => 'options', values: { contract, log: 'silent' } }])
  createReloadableStandin(config, { log: { ...SILENT, note: (line) => notes.push(line) } })
  expect(notes).toEqual([
    expect.stringMatching(
      /^demo: .+ does not fit .*own\.json: \/fileType: expected one of PLAN, got "\w+"\. Give/,
    ) as string,
    expect.stringMatching(
      /^fixtures\/awkward\.yaml: \d+ of its entries and schedules do not fit .+ are left out\. The first: \/fileSets\/0\/files\/0 \(\S+\): fileType must be one of PLAN; it is .+own\.json:1 says so\.$/,
    ) as string,
  ])
})
