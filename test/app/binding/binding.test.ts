import request, { type Response } from 'supertest'
import { describe, expect, test } from 'vitest'
import { createControlledTester, refusalOf } from '../../support/control.ts'
import {
  CREATE,
  type Json,
  packagedContract,
  type Paths,
  renamedPaths,
  SEARCH,
  writeContract,
} from '../../support/contracts/small-contract.ts'
import { complaintsOf, KEY_HEADER, startComplaintsOf, weekly } from '../../support/tester.ts'
import { createStandin, type StandinOptions } from '../../../src/index.ts'

const FIXTURE = { fileSets: [{ id: 'tiny', files: [{ path: 'a.txt' }, { path: 'b.txt' }, { path: 'c.txt' }] }] }

type Answer = Omit<Response, 'body'> & { readonly body: unknown }

/** The packaged contract with other paths. */
function contractWith(change: (paths: Paths) => Json, extra: Json = {}): string {
  const document = packagedContract()
  return writeContract({ ...document, paths: change(document.paths), ...extra })
}

function createBound(contract: string, options: StandinOptions = {}) {
  const tester = createControlledTester({ contract, fixtures: [FIXTURE], ...options })
  const { app } = tester.standin
  const headers = { [KEY_HEADER]: 'key', 'Content-Type': 'application/json' }
  const send =
    (method: 'post' | 'put') =>
    async (path: string, body: unknown = {}, more: Readonly<Record<string, string>> = {}): Promise<Answer> =>
      request(app)
        [method](path)
        .set({ ...headers, ...more })
        .send(body as object)
  return { ...tester, post: send('post'), put: send('put') }
}

describe('who answers an operation', () => {
  test('operations of the three operationIds are stateful, whatever their paths are', async () => {
    const contract = contractWith((paths) => ({ '/find/{fileSetId}': paths[SEARCH]! }))
    const { standin, post } = createBound(contract)
    expect(standin.operations).toEqual(['POST /find/{fileSetId}  searchFiles  stateful (by operationId)'])
    const { body } = await post('/find/tiny')
    expect((body as { files: { path: string }[] }).files.map(({ path }) => path)).toEqual(['a.txt', 'b.txt', 'c.txt'])
  })

  test('the summary counts what the operations of the contract can reach, reads included', () => {
    const parameters = [{ name: 'plan', in: 'path', required: true, schema: { type: 'integer' } }]
    const get = { operationId: 'getReportSchedule', parameters, responses: { '200': { description: 'OK' } } }
    const { summary } = createStandin({ contract: contractWith(() => ({ '/plans/{plan}': { get } })) })
    expect(summary).toContain(', 6 report schedules, contract ')
  })

  test('x-standin comes before the operationId, and may ask for generated answers', () => {
    const contract = contractWith((paths) => ({
      '/a/{fileSetId}': { post: { ...paths[SEARCH]!.post, operationId: 'find', 'x-standin': 'searchFiles' } },
      [SEARCH]: { post: { ...paths[SEARCH]!.post, 'x-standin': 'generated' } },
    }))
    expect(createStandin({ contract }).operations.map((line) => line.replaceAll(/ +/g, ' '))).toEqual([
      'POST /a/{fileSetId} find stateful as searchFiles (by x-standin)',
      `POST ${SEARCH} searchFiles generated (by x-standin)`,
    ])
  })

  test('operations without a name are recognized by method, path and body', () => {
    const { operations, summary } = createStandin({ contract: contractWith(renamedPaths) })
    expect(operations).toEqual([
      'POST /drives/{drive}/search  lookUp  stateful as searchFiles (by its shape)',
      'POST /mailings               plan    stateful as createReportSchedule (by its shape)',
      'PUT /mailings/{mailing}      replan  stateful as updateReportSchedule (by its shape)',
    ])
    expect(summary).toMatch(/^3 operations, \d+ validators, .*, contract \S*contract\.json, /)
  })

  test.each([
    ['another method', (paths: Paths) => ({ '/drives/{drive}/search': { put: renamed(paths).search } })],
    [
      'a path that does not end in a search',
      (paths: Paths) => ({ '/drives/{drive}/files': { post: renamed(paths).search } }),
    ],
    [
      'no parameter in the path',
      (paths: Paths) => ({ '/search': { post: { ...renamed(paths).search, parameters: [] } } }),
    ],
    [
      'a body of another kind',
      (paths: Paths) => ({
        '/drives/{drive}/search': {
          post: {
            ...renamed(paths).search,
            requestBody: {
              content: {
                'application/json': { schema: { type: 'object', properties: { filters: { type: 'array' } } } },
              },
            },
          },
        },
      }),
    ],
    [
      'an update without an id',
      (paths: Paths) => ({ '/mailings': { put: { ...paths[CREATE]!.post, operationId: 'x' } } }),
    ],
  ])('%s is no shape of a stateful operation', (_, paths) => {
    const { operations } = createStandin({ contract: contractWith(paths) })
    expect(operations).toHaveLength(1)
    expect(operations[0]).toMatch(/ generated \((no|its)/)
  })

  test('where two operations look alike neither is taken, and the table says how to choose', () => {
    const contract = contractWith((paths) => ({
      '/mailings': { post: { ...paths[CREATE]!.post, operationId: 'plan' } },
      '/letters': { post: { ...paths[CREATE]!.post, operationId: 'write' } },
    }))
    const { operations, summary } = createStandin({ contract })
    expect(summary).toMatch(/^2 operations: 2 generated, /)
    for (const line of operations)
      expect(line).toContain('several look like createReportSchedule: name one by x-standin')
  })

  test('an operation without any response is refused, with the reason', async () => {
    const contract = contractWith((paths) => ({ ...paths, '/void': { post: { operationId: 'void', responses: {} } } }))
    const { standin, post } = createBound(contract)
    expect(standin.summary).toMatch(/^4 operations: 3 stateful, 1 refused, /)
    expect(standin.operations.at(-1)).toContain('refused (the contract documents no response of it)')
    const { status, body } = await post('/void')
    expect([status, (body as Json).detail]).toEqual([
      501,
      'POST /void is not answered: the contract documents no response of it.',
    ])
  })

  test('an x-standin that names no operation stops the start, and so does an invalid one', () => {
    const start = (changed: (paths: Paths) => Json) => () => createStandin({ contract: contractWith(changed) })
    const named = start((paths) => ({ [SEARCH]: { post: { ...paths[SEARCH]!.post, 'x-standin': 'searchFile' } } }))
    expect(startComplaintsOf(named)).toEqual([
      expect.stringMatching(
        /contract\.json:1: POST .*: x-standin is "searchFile"\. It may be one of .*\. Did you mean `searchFiles`\?$/,
      ),
    ])
    const placeless = start((paths) => ({
      '/search': { post: { ...paths[SEARCH]!.post, parameters: [], operationId: 'x', 'x-standin': 'searchFiles' } },
    }))
    expect(startComplaintsOf(placeless)).toEqual([
      expect.stringMatching(/POST \/search: searchFiles needs a parameter in the path/),
    ])
  })
})

describe('an x-standin that does not fit', () => {
  const answering = (schema: Json) => ({ 200: { description: 'ok', content: { 'application/json': { schema } } } })
  const files = { type: 'array', items: { type: 'object' } }
  const parameters = [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }]
  const role = (method: string, operation: Json) => () =>
    createStandin({ contract: contractWith(() => ({ '/libraries/{id}': { [method]: { parameters, ...operation } } })) })

  test('stops the start, with place and reason', () => {
    const strange = role('get', {
      'x-standin': 'searchFiles',
      responses: answering({ type: 'object', properties: { items: files, id: { type: 'string' } } }),
    })
    expect(startComplaintsOf(strange)).toEqual([
      expect.stringMatching(
        /contract\.json:1: \/paths\/~1libraries~1\{id\}\/get\/x-standin: GET \/libraries\/\{id\} cannot be searchFiles: its response needs a list `files`, but has items, id\.$/,
      ),
    ])
    const bodiless = role('get', { 'x-standin': 'updateReportSchedule', responses: answering({ type: 'object' }) })
    expect(startComplaintsOf(bodiless)).toEqual([
      expect.stringMatching(
        /GET \/libraries\/\{id\} cannot be updateReportSchedule: GET has no body; it may be POST, PUT, PATCH\.$/,
      ),
    ])
  })

  test('starts where parts of an operation are missing, and names them', () => {
    const { notes } = role('get', {
      'x-standin': 'searchFiles',
      responses: answering({ type: 'object', properties: { files } }),
    })()
    expect(notes).toContainEqual(
      expect.stringMatching(
        /contract\.json: GET \/libraries\/\{id\} is searchFiles: the contract has no query parameter limit, next, directoryPath, immediateChildren; no filters, dateFilters, fieldSort in the body; no pageContext in the response, which the search works by\. Pages have the usual length\.$/,
      ),
    )
    expect(createStandin({ contract: contractWith((paths) => paths) }).notes).toEqual([])
  })
})

describe('an operation under another name', () => {
  test('takes the parameter of its path by position, and names it in its refusals', async () => {
    const { post, put } = createBound(contractWith(renamedPaths))
    expect((await post('/drives/tiny/search?limit=1')).body).toMatchObject({ files: [{ path: 'a.txt' }] })
    const unknown = await post('/drives/nowhere/search')
    expect([unknown.status, complaintsOf(unknown)]).toEqual([404, ['drive set.unknown']])
    expect(JSON.stringify(unknown.body)).not.toContain('fileSetId')
    const created = await post('/mailings', weekly())
    expect(created.body).toMatchObject({ id: 7, title: 'Weekly sales' })
    const updated = await put('/mailings/7', { title: 'Sunday sales' })
    expect([updated.status, (updated.body as Json).title]).toEqual([200, 'Sunday sales'])
    expect(complaintsOf(await put('/mailings/99', {}))).toEqual(['mailing update.unknown-id'])
  })

  test('is struck by faults of its kind, in their own pages, and by no other', async () => {
    const { post, put, control } = createBound(contractWith(renamedPaths))
    const [expired, short] = await Promise.all([
      post('/drives/tiny/search?next=abc', {}, { Prefer: 'fault=cursor-expired' }),
      post('/drives/tiny/search?limit=3', {}, { Prefer: 'fault=short-page' }),
    ])
    expect([expired.status, complaintsOf(expired)]).toEqual([400, ['next next.expiry']])
    expect((short.body as { files: unknown[] }).files.length).toBeLessThan(3)
    await control.armFaults({ kind: 'conflicting-edit', edit: 'remove', match: { operationId: 'replan' }, times: 1 })
    expect((await put('/mailings/1', { title: 'x' })).status).toBe(404)
    expect((await put('/mailings/2', { title: 'x' })).status).toBe(200)
    await control.armFaults({ kind: 'status', status: 503, match: { operationId: 'lookUp', page: 2 } })
    const { body } = await post('/drives/tiny/search?limit=1')
    const { next } = (body as { pageContext: { next: string } }).pageContext
    expect((await post(`/drives/tiny/search?next=${next}`)).status).toBe(503)
    const refusal = await refusalOf(control.armFaults({ kind: 'short-page', match: { operationId: 'plan' } }))
    expect(refusal).toContain('nothing else can meet the kind short-page')
    expect(await refusalOf(control.armFaults({ kind: 'reset', match: { operationId: 'searchFiles' } }))).toContain(
      '/match/operationId: expected one of lookUp, plan, replan',
    )
  })

  test('can be verified by expectations about walks and creates, and explained', async () => {
    const { post, control } = createBound(contractWith(renamedPaths))
    const { body } = await post('/drives/tiny/search?limit=2')
    const { next } = (body as { pageContext: { next: string } }).pageContext
    const walked = async () => (await control.verifyJournal({ expectations: [{ walkedEveryPageOnce: true }] })).passed
    expect(await walked()).toBe(false)
    await post(`/drives/tiny/search?limit=2&next=${next}`)
    expect(await walked()).toBe(true)
    await post('/mailings', weekly())
    await post('/mailings', weekly())
    expect((await control.verifyJournal({ expectations: [{ neverSentSameCreateTwice: true }] })).passed).toBe(false)
    const explained = await control.explainSearch({ fileSetId: 'tiny' }, { path: 'a.txt' })
    expect(explained).toMatchObject({ fileSetId: 'tiny', entry: { path: 'a.txt', inResult: true } })
    expect(await control.explainReportSchedule({ id: 7 })).toBeDefined()
  })

  test('is meant by a right of its own name, and by one of its kind', async () => {
    const contract = contractWith(renamedPaths)
    const keys = [
      { key: 'own', rights: ['lookUp'] },
      { key: 'kind', rights: ['searchFiles'] },
    ]
    const { post } = createBound(contract, { keys })
    for (const key of ['own', 'kind']) {
      expect((await post('/drives/tiny/search', {}, { [KEY_HEADER]: key })).status).toBe(200)
      expect((await post('/mailings', weekly(), { [KEY_HEADER]: key })).status).toBe(403)
    }
  })

  test('where the contract lacks an operation, it cannot be explained', async () => {
    const contract = contractWith((paths) => ({ [CREATE]: paths[CREATE]! }))
    const { control } = createBound(contract)
    expect(await refusalOf(control.explainSearch({ fileSetId: 'tiny' }))).toMatch(
      /^409 .*No operation of the contract is bound to searchFiles/,
    )
  })
})

describe('the base path of the first server', () => {
  const contract = () => contractWith((paths) => paths, { servers: [{ url: 'https://example.com/api/v2/' }] })

  test('stands before every path, also in the table and in what was probably meant', async () => {
    const { standin, post } = createBound(contract())
    expect(standin.operations[0]).toContain(`POST /api/v2${SEARCH}  `)
    expect((await post('/api/v2/api/files/v1/filesets/tiny/files/search')).status).toBe(200)
    const { status, body } = await post('/api/files/v1/filesets/tiny/files/search')
    expect([status, (body as Json).detail]).toEqual([
      404,
      'There is no path /api/files/v1/filesets/tiny/files/search. Did you mean /api/v2/api/files/v1/filesets/tiny/files/search?',
    ])
  })

  test('is in the example of the start, with the name of the key header', () => {
    expect(createStandin({ contract: contract() }).exampleRequest('http://127.0.0.1:4010')).toMatch(
      /^curl -H 'X-SERVICE-Developer-Token: any' .*'http:\/\/127\.0\.0\.1:4010\/api\/v2\/api\/files\/v1\/filesets\/demo\/files\/search\?limit=3'/,
    )
  })
})

test('the example of the start is a request that needs nothing but its path, where the contract has one', () => {
  const answers = { responses: { 200: { description: 'All.' } } }
  const parameter = { name: 'kind', in: 'query', required: true, schema: { type: 'string' } }
  const contract = contractWith(() => ({
    '/things': { post: { operationId: 'createThing', ...answers } },
    '/things/search': { get: { operationId: 'findThings', parameters: [parameter], ...answers } },
    '/things/all': { get: { operationId: 'listThings', ...answers } },
  }))
  expect(createStandin({ contract }).exampleRequest('http://127.0.0.1:4010')).toMatch(/ 'http:\/\/[^ ]*\/things\/all'$/)
})

function renamed(paths: Paths): { search: Json } {
  const { '/drives/{drive}/search': place } = renamedPaths(paths) as Record<string, { post: Json }>
  return { search: place!.post }
}
