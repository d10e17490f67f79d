import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { parse } from 'yaml'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { inlineSourceFile } from '../../../src/base/formats/source-file.ts'
import { createStandin } from '../../../src/index.ts'
import { findApi } from '../../../src/truth/learn/contract/api-traffic.ts'
import { writeContract } from '../../../src/truth/learn/contract/write-contract.ts'
import { readHar } from '../../../src/truth/recordings/read-har.ts'
import { createDirectory, runCommand } from '../../support/command.ts'
import { startClinic } from './clinic.ts'
import { type Exchanged, harOf, run, usePets, withoutIds } from './session.ts'

const folder = createDirectory({})
afterAll(folder.remove)
const CONTRACT = join(folder.path, 'contract.yaml')
const PROFILE = join(folder.path, 'profile.yaml')

interface WrittenDocument {
  readonly servers: readonly object[]
  readonly paths: Readonly<Record<string, Readonly<Record<string, WrittenOperation>>>>
  readonly components: { readonly schemas?: Readonly<Record<string, object>>; readonly securitySchemes?: object }
}

interface WrittenOperation {
  readonly operationId: string
  readonly security?: readonly object[]
  readonly [member: string]: unknown
}

/** `GET /pets/{petId}: getPet` */
function operationsOf({ paths }: WrittenDocument): string[] {
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, { operationId }]) => `${method.toUpperCase()} ${path}: ${operationId}`),
  )
}

describe('standin learn without a contract', () => {
  let stdout = ''
  let document: WrittenDocument
  beforeAll(async () => {
    const clinic = await startClinic()
    const recorded = await run(clinic.url, usePets(['Rex', 'Tom', 'Kitty', 'Hasso']))
    await clinic.stop()
    const { path, remove } = createDirectory({ 'session.har': JSON.stringify(harOf(recorded)) })
    const har = join(path, 'session.har')
    const command = runCommand(['learn', '--har', har, '--out', PROFILE, '--contract-out', CONTRACT])
    expect([await command.ended, command.stderr().replaceAll(/^learn: .*\n/gm, '')]).toEqual([0, ''])
    remove()
    stdout = command.stdout()
    document = parse(readFileSync(CONTRACT, 'utf8')) as WrittenDocument
  })

  test('it writes the operations that the recordings show', () => {
    expect(document.servers).toEqual([{ url: 'http://clinic.example' }])
    expect(operationsOf(document).toSorted()).toEqual([
      'DELETE /pets/{petId}: deletePet',
      'GET /about: getAbout',
      'GET /pets/{petId}: getPet',
      'GET /pets: listPets',
      'GET /version: getVersion',
      'GET /vets/{vetId}: getVet',
      'GET /vets: listVets',
      'PATCH /pets/{petId}: updatePet',
      'POST /pets: createPet',
    ])
    expect(stdout).toMatch(/^28 exchanges with http:\/\/clinic\.example\n\S*contract\.yaml: 9 operations that the /m)
  })

  test('items of a collection have one schema in all responses', () => {
    expect(document.components.schemas?.Pet).toMatchObject({
      required: ['id', 'nickname', 'name', 'kind', 'href'],
      properties: { id: { type: 'integer' }, name: { type: 'string' }, nickname: { type: ['null', 'string'] } },
    })
    const ok = { schema: { $ref: '#/components/schemas/Pet' } }
    expect(document.paths['/pets/{petId}']?.get?.responses).toMatchObject({
      200: { content: { 'application/json': ok } },
      404: { content: { 'application/json': { schema: { $ref: '#/components/schemas/NotFoundError' } } } },
    })
    expect(document.paths['/pets']?.get?.responses).toMatchObject({
      200: { content: { 'application/json': { schema: { type: 'array', items: ok.schema } } } },
    })
  })

  test('it says of what it is not sure', () => {
    expect(stdout).toMatch(/^ {2}unsure: fewer than two successful requests: GET \/vets, /m)
  })

  test('nothing that tells people apart is in it', () => {
    expect(readFileSync(CONTRACT, 'utf8')).not.toMatch(/ann\.cole|Kitty/)
  })

  test('a stand-in of contract and profile responds as the service does, to requests that were not recorded', async () => {
    const session = () => usePets(['Bello', 'Mimi', 'Findus', 'Petz'])
    const clinic = await startClinic()
    onTestFinished(() => clinic.stop())
    const standin = createStandin({ contract: CONTRACT, documents: 0, profile: PROFILE })
    onTestFinished(() => standin.stop())
    const [theirs, ours] = await Promise.all([run(clinic.url, session()), run(await standin.start(), session())])
    const shown = (all: readonly Exchanged[]) =>
      all.map(({ sent: { method, body }, received }) => [method, body, withoutIds(received)])
    const isLearnt = ({ sent }: Exchanged) => sent.path !== '/about'
    expect(shown(ours.filter(isLearnt))).toEqual(shown(theirs.filter(isLearnt)))
  })
})

interface Entry {
  readonly method?: string
  readonly url: string
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly sent?: unknown
  readonly type?: string
  readonly body?: unknown
  /** Headers of the response. */
  readonly received?: Readonly<Record<string, string>>
}

/** What is written from an archive with these entries. */
function written(entries: readonly Entry[]) {
  const log = {
    entries: entries.map(
      ({ method = 'GET', url, status = 200, headers = {}, sent, type = 'application/json', body, received = {} }) => ({
        startedDateTime: '2026-03-05T14:30:00Z',
        request: {
          method,
          url: url.startsWith('/') ? `https://api.example.com${url}` : url,
          headers: Object.entries(headers).map(([name, value]) => ({ name, value })),
          ...(sent !== undefined && { postData: { mimeType: 'application/json', text: JSON.stringify(sent) } }),
        },
        response: {
          status,
          headers: Object.entries({ 'Content-Type': type, ...received }).map(([name, value]) => ({ name, value })),
          content: body === undefined ? { size: 0 } : { text: typeof body === 'string' ? body : JSON.stringify(body) },
        },
      }),
    ),
  }
  const { document, ...rest } = writeContract(findApi(readHar(inlineSourceFile({ log }, 'test.har'))))
  return { document: document as unknown as WrittenDocument, ...rest }
}

describe('what of an address is a parameter', () => {
  const pathsOf = (entries: readonly Entry[]) => Object.keys(written(entries).document.paths)

  test.each<[string, Entry[], string[]]>([
    [
      'numbers',
      [
        { url: '/pets/1', body: {} },
        { url: '/pets/22', body: {} },
      ],
      ['/pets/{petId}'],
    ],
    [
      'ids of letters and digits',
      [
        { url: '/jobs/7f9c24e8b12d', body: {} },
        { url: '/jobs/6fa459ea-ee8a-4ca4-894e-db77e160355e/log', body: {} },
      ],
      ['/jobs/{jobId}', '/jobs/{jobId}/log'],
    ],
    [
      'names of items',
      [
        { url: '/users/ann', body: { login: 'ann' } },
        { url: '/users/bob/keys', body: [] },
      ],
      ['/users/{login}', '/users/bob/keys'],
    ],
    [
      'names that a list shows',
      [
        { url: '/users', body: { data: [{ name: 'ann' }, { name: 'bob' }] } },
        { url: '/users/ann', method: 'DELETE', status: 204 },
        { url: '/users/bob/keys', body: [] },
      ],
      ['/users', '/users/{name}', '/users/{name}/keys'],
    ],
    [
      'names that a client gave',
      [
        { url: '/users', method: 'POST', sent: { name: 'ann' }, status: 201, body: {} },
        { url: '/users/ann/keys', body: [] },
      ],
      ['/users', '/users/{name}/keys'],
    ],
    [
      'names of files in a list',
      [
        { url: '/files', body: ['a.txt', 'b.txt'] },
        { url: '/files/a.txt', body: 'A', type: 'text/plain' },
      ],
      ['/files', '/files/{name}'],
    ],
    [
      'an item that is not there',
      [
        { url: '/users/ann', body: { name: 'ann' } },
        { url: '/users/nobody', status: 404, body: {} },
      ],
      ['/users/{name}'],
    ],
    [
      'what has the same responses, at least three times',
      ['berlin', 'rome', 'oslo'].map((city) => ({ url: `/weather/${city}`, body: { low: 1, high: 9 } })),
      ['/weather/{weatherId}'],
    ],
    [
      'no word that stands beside items',
      [
        { url: '/users/ann', body: { name: 'ann' } },
        { url: '/users/me', body: { name: 'ann' } },
        { url: '/users/search', body: [] },
      ],
      ['/users/me', '/users/search', '/users/{name}'],
    ],
    [
      'no word among numbers',
      [
        { url: '/projects/1/', body: { id: 1 } },
        { url: '/projects/counts/', body: { id: 1 } },
      ],
      ['/projects/counts/', '/projects/{projectId}/'],
    ],
    [
      'no two words alone',
      [
        { url: '/health', body: { ok: 1 } },
        { url: '/info', body: { v: 1 } },
      ],
      ['/health', '/info'],
    ],
    [
      'two of them',
      [
        { url: '/orgs/acme/repos/web', body: { org: 'acme', name: 'web' } },
        { url: '/orgs/acme/repos', body: [{ name: 'web' }] },
        { url: '/orgs/acme', body: { name: 'acme' } },
      ],
      ['/orgs/{name}', '/orgs/{name}/repos', '/orgs/{name}/repos/{repoName}'],
    ],
  ])('%s', (_name, entries, expected) => {
    expect(pathsOf(entries).toSorted()).toEqual(expected.toSorted())
  })

  test('planted ones are found, and no others', () => {
    const words = ['pets', 'orders', 'teams', 'rooms', 'stores', 'books', 'tags', 'games']
    const idOf = fc.oneof(
      fc.constant((number: number) => String(number * 7)),
      fc.constant((number: number) => `${String(number).padStart(8, '0')}-aaaa-4aaa-8aaa-aaaaaaaaaaaa`),
      fc.constant((number: number) => `item-${'abcdefgh'.charAt(number)}`),
    )
    const resource = fc.record({
      word: fc.constantFrom(...words),
      below: fc.option(fc.constantFrom('notes', 'marks'), { nil: undefined }),
      action: fc.option(fc.constantFrom('summary', 'archive-of-all'), { nil: undefined }),
      idOf,
      count: fc.integer({ min: 2, max: 6 }),
    })
    const service = fc.uniqueArray(resource, { selector: ({ word }) => word, minLength: 1, maxLength: 5 })
    fc.assert(
      fc.property(service, (resources) => {
        const entries: Entry[] = []
        const expected = new Set<string>()
        for (const { word, below, action, idOf: nameOf, count } of resources) {
          const items = Array.from({ length: count }, (_, at) => ({ id: nameOf(at + 1), title: `Title ${at}` }))
          const template = `/${word}/{${word.slice(0, -1)}Id}`
          entries.push({ url: `/${word}`, body: items })
          expected.add(`/${word}`).add(template)
          if (action !== undefined) {
            entries.push({ url: `/${word}/${action}`, body: { total: count } })
            expected.add(`/${word}/${action}`)
          }
          for (const item of items) {
            entries.push({ url: `/${word}/${item.id}`, body: item })
            if (below === undefined) continue
            entries.push({ url: `/${word}/${item.id}/${below}`, body: [{ text: 'Note' }] })
            expected.add(`${template}/${below}`)
          }
        }
        expect(pathsOf(entries).toSorted()).toEqual([...expected].toSorted())
      }),
      { numRuns: 60 },
    )
  })
})

describe('what a browser recorded besides', () => {
  test('pages, pictures, other services and questions of CORS are no operations', () => {
    const { document } = written([
      { url: 'https://www.example.com/', type: 'text/html', body: '<p>' },
      { url: 'https://metrics.example.com/collect', method: 'POST', body: {} },
      { url: '/app.js', type: 'application/javascript', body: 'x' },
      { url: '/api/v1/pets', method: 'OPTIONS', headers: { 'Access-Control-Request-Method': 'POST' }, status: 204 },
      { url: '/api/v1/pets', body: [{ id: 1 }] },
      { url: '/api/v1/pets', method: 'POST', sent: { name: 'Rex' }, status: 201, body: { id: 2, name: 'Rex' } },
      { url: '/api/v1/cats', method: 'PUT', status: 405, body: { error: 'No' } },
    ])
    expect(document.servers).toEqual([{ url: 'https://api.example.com/api/v1' }])
    expect(operationsOf(document)).toEqual(['GET /pets: listPets', 'POST /pets: createPet'])
  })

  test('keys are named, and not told', () => {
    const headers = { Authorization: 'Bearer abcdefghijklmnop', 'X-Api-Key': 'qrstuvwxyz' }
    const { document } = written([
      { url: '/pets', headers, body: [] },
      { url: '/pets/1?access_token=0123456789', headers, body: { id: 1 } },
      { url: '/open', body: {} },
    ])
    expect(document.components.securitySchemes).toEqual({
      bearer: { type: 'http', scheme: 'bearer' },
      xApiKey: { type: 'apiKey', in: 'header', name: 'X-Api-Key' },
      accessToken: { type: 'apiKey', in: 'query', name: 'access_token' },
    })
    expect(document.paths['/pets']?.get?.security).toEqual([{ bearer: [], xApiKey: [] }])
    expect(document.paths['/open']?.get).not.toHaveProperty('security')
    expect(JSON.stringify(document)).not.toMatch(/abcdefgh|qrstuv|01234567/)
  })

  test('parameters of the query, as far as they were accepted', () => {
    const { document } = written([
      { url: '/pets?limit=5&tag=a&tag=b&filter={"name":"Rex"}&isOpen=true', body: [] },
      { url: '/pets?limit=7&since=2026-03-01', body: [] },
      { url: '/pets?limit=many', status: 400, body: { error: 'No number' } },
    ])
    expect(document.paths['/pets']?.get?.parameters).toEqual([
      { name: 'limit', in: 'query', schema: { type: 'integer' } },
      { name: 'tag', in: 'query', schema: { type: 'array', items: { type: 'string' } } },
      {
        name: 'filter',
        in: 'query',
        content: { 'application/json': { schema: { type: 'object', properties: { name: { type: 'string' } } } } },
      },
      { name: 'isOpen', in: 'query', schema: { type: 'boolean' } },
      { name: 'since', in: 'query', schema: { type: 'string', format: 'date' } },
    ])
  })

  test('the size of a page is what responses tell where no request does', () => {
    const page = (size: number) => ({ per_page: size, items: [{ id: 1 }] })
    const { document } = written([
      { url: '/pets', body: page(25) },
      { url: '/pets?per_page=5&dir=desc', body: page(5) },
      { url: '/pets/1', body: { id: 1 } },
    ])
    expect(document.paths['/pets']?.get?.parameters).toEqual([
      { name: 'per_page', in: 'query', schema: { type: 'integer', default: 25 } },
      { name: 'dir', in: 'query', schema: { type: 'string', enum: ['asc', 'desc'] } },
    ])
  })

  test('an id has the form of those that were there or missing, and not of one that was refused', () => {
    const [first, other] = ['6fa459ea-ee8a-4ca4-894e-db77e160355e', '7fa459ea-ee8a-4ca4-894e-db77e160355e']
    const idOf = (missing: string, status: number) => {
      const entries = [
        { url: `/jobs/${first}`, body: { id: first } },
        { url: `/jobs/${other}`, body: { id: other } },
        { url: `/jobs/${missing}`, status, body: { error: 'No' } },
      ]
      return written(entries).document.paths['/jobs/{jobId}']?.get?.parameters
    }
    const named = { name: 'jobId', in: 'path', required: true }
    expect(idOf('none', 422)).toEqual([{ ...named, schema: { type: 'string', format: 'uuid' } }])
    expect(idOf('none', 404)).toEqual([{ ...named, schema: { type: 'string' } }])
  })

  test('the scheme of a key that a recording does not have is what a refusal asks for', () => {
    const headers = { Authorization: '[redacted]' }
    const asks = { 'WWW-Authenticate': 'Bearer realm="pets"' }
    const { document } = written([
      { url: '/pets', status: 401, received: asks, body: { error: 'No key' } },
      { url: '/pets', headers, body: [] },
    ])
    expect(document.components.securitySchemes).toEqual({ bearer: { type: 'http', scheme: 'bearer' } })
  })

  test('headers of pages are described where some responses have them, and none of errors', () => {
    const { document } = written([
      { url: '/pets', body: [{ id: 1 }], received: { 'X-Total-Count': '7' } },
      { url: '/pets?q=none', body: [], received: { ETag: '"1"' } },
      { url: '/pets?limit=-1', status: 400, body: { error: 'No' }, received: { ETag: '"2"' } },
    ])
    const responses = document.paths['/pets']?.get?.responses as Readonly<Record<string, { readonly headers?: object }>>
    expect(responses[200]?.headers).toEqual({ 'X-Total-Count': { schema: { type: 'integer' } } })
    expect(responses[400]).not.toHaveProperty('headers')
  })

  test('what clients send may be any other word too', () => {
    const entries = [1, 2, 3, 4, 5, 6].flatMap((id): Entry[] => [
      { url: `/users/${id}`, method: 'PATCH', sent: { plan: 'FREE' }, body: { id, plan: 'FREE', state: 'ACTIVE' } },
      { url: `/users/${id}`, body: { id, plan: 'PRO', state: 'PAUSED' } },
    ])
    expect(written(entries).document.components.schemas?.User).toMatchObject({
      properties: { plan: { type: 'string' }, state: { enum: ['ACTIVE', 'PAUSED'] } },
    })
    expect(JSON.stringify(written(entries).document)).not.toContain('"PRO"')
  })

  test('words with support are an enum', () => {
    const { document } = written(
      Array.from({ length: 8 }, (_, at) => ({
        url: `/jobs/${at + 1}`,
        body: {
          id: at + 1,
          status: at % 2 ? 'done' : 'open',
          size: at % 2 ? 'LARGE' : 'SMALL',
          title: at % 2 ? 'a' : 'b',
        },
      })),
    )
    expect(document.components.schemas?.Job).toMatchObject({
      properties: { status: { enum: ['open', 'done'] }, size: { enum: ['SMALL', 'LARGE'] }, title: { type: 'string' } },
    })
    expect(JSON.stringify(document.components.schemas?.Job)).not.toContain('"enum":["b"')
  })
})

describe('what cannot be learnt from', () => {
  async function refusalOf(files: Readonly<Record<string, string>>, flags: readonly string[] = []): Promise<string> {
    const { path, remove } = createDirectory(files)
    onTestFinished(remove)
    const out = join(path, 'out.yaml')
    const command = runCommand(['learn', '--har', join(path, 'some.har'), '--out', out, ...flags])
    expect(await command.ended).toBe(1)
    return command.stderr()
  }

  test('responses without JSON', async () => {
    const page = { method: 'GET', url: 'https://www.example.com/', headers: [] }
    const entry = { request: page, response: { status: 200, headers: [], content: { text: '<p>' } } }
    expect(await refusalOf({ 'some.har': JSON.stringify({ log: { entries: [entry] } }) })).toContain(
      '--har: Expected responses that are JSON, since a contract is written from them; none of 1 is. Record requests to an API, with their bodies.',
    )
  })

  test('nothing but refusals', async () => {
    const { log } = harOf([{ sent: { method: 'GET', path: '/a' }, received: { status: 404, body: { error: 'No' } } }])
    expect(await refusalOf({ 'some.har': JSON.stringify({ log }) })).toContain(
      '--har: Expected successful requests; got 1 to http://clinic.example, all of them refused. Record what clients do.',
    )
  })

  test('a service that the recordings do not have', async () => {
    const har = JSON.stringify(harOf([{ sent: { method: 'GET', path: '/a' }, received: { status: 200, body: {} } }]))
    expect(await refusalOf({ 'some.har': har }, ['--url', 'https://api.example.com'])).toContain(
      '--url: No request went to "https://api.example.com". The recordings have http://clinic.example.',
    )
  })

  test('one file for contract and profile', async () => {
    const har = JSON.stringify(harOf([{ sent: { method: 'GET', path: '/a' }, received: { status: 200, body: {} } }]))
    const file = join(folder.path, 'both.yaml')
    expect(await refusalOf({ 'some.har': har }, ['--out', file, '--contract-out', file])).toContain(
      `--contract-out: ${file} is the file of --out too. Name another file.`,
    )
  })

  test('a contract that is there already', async () => {
    const har = JSON.stringify(harOf([{ sent: { method: 'GET', path: '/a' }, received: { status: 200, body: {} } }]))
    expect(await refusalOf({ 'some.har': har }, ['--contract-out', CONTRACT])).toContain(
      `--contract-out: ${CONTRACT} is there already. Pass --force to replace it, or name another file.`,
    )
  })
})
