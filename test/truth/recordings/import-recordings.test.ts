import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { inlineSourceFile } from '../../../src/base/formats/source-file.ts'
import { createConfig } from '../../../src/config/create-config.ts'
import { createStandin, type StandinOptions } from '../../../src/index.ts'
import { importRecordings } from '../../../src/truth/recordings/import-recordings.ts'
import { createDirectory, runCommand } from '../../support/command.ts'
import { startProxy } from '../../support/servers/proxy.ts'
import { KEY_HEADER, SCHEDULES, SEARCH, weekly } from '../../support/tester.ts'

const CLOCK = '2026-03-05T14:30:00Z'
const JSON_HEADERS = { [KEY_HEADER]: 'a-key-of-the-service', 'Content-Type': 'application/json' }

interface Sent {
  readonly method: string
  readonly path: string
  readonly body?: object
}

function createFolder(files: Readonly<Record<string, string>> = {}): string {
  const { path, remove } = createDirectory(files)
  onTestFinished(remove)
  return path
}

async function start(options: StandinOptions): Promise<string> {
  const standin = createStandin({ clock: CLOCK, ...options })
  onTestFinished(() => standin.stop())
  return standin.start()
}

async function send(url: string, { method, path, body }: Sent): Promise<unknown> {
  const response = await fetch(url + path, {
    method,
    headers: JSON_HEADERS,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  expect(response.ok, text).toBe(true)
  return text === '' ? undefined : JSON.parse(text)
}

interface Page {
  readonly files: readonly Readonly<Record<string, unknown>>[]
  readonly pageContext: { readonly next?: string }
}

/** All pages of a search. */
async function walk(url: string, query: string, body: object): Promise<Page[]> {
  const pages: Page[] = []
  let next: string | undefined
  do {
    const token = next === undefined ? '' : `&next=${encodeURIComponent(next)}`
    pages.push(
      (await send(url, { method: 'POST', path: `${SEARCH}/demo/files/search?${query}${token}`, body })) as Page,
    )
    next = pages.at(-1)?.pageContext.next
  } while (next !== undefined)
  return pages
}

/** Runs a client against a service through a recording proxy, and imports what was recorded. */
async function record(
  options: StandinOptions & { readonly contract?: string },
  client: (url: string) => Promise<void>,
) {
  const directory = createFolder()
  const proxy = await startProxy(await start(options), { record: directory, contract: options.contract })
  await client(proxy.url)
  await proxy.stop()
  return runImport(directory, options.contract === undefined ? [] : ['--contract', options.contract])
}

async function runImport(directory: string, args: readonly string[] = []) {
  const hars = readdirSync(directory).map((name) => join(directory, name))
  const out = join(createFolder(), 'service.yaml')
  const command = runCommand(['import', '--har', ...hars, '--out', out, ...args])
  const code = await command.ended
  return { code, out, err: command.stderr(), text: code === 0 ? readFileSync(out, 'utf8') : '' }
}

const SEARCHES: readonly (readonly [query: string, body: object])[] = [
  ['limit=40', {}],
  ['limit=7', { filters: [{ field: 'name', operator: 'LIKE', value: ['re'] }] }],
  ['limit=9', { fieldSort: [{ field: 'created', order: 'DESC' }] }],
  ['limit=50', { dateFilters: [{ field: 'created', start: '2025-06-01T00:00:00.000Z', end: null }] }],
]

test.for([1, 2026, 77])('searches give the same pages as the service with seed %i gave', async (seed) => {
  const pagesOf = async (url: string) => {
    const walks: Page[][] = []
    for (const [query, body] of SEARCHES) walks.push(await walk(url, query, body))
    return walks.map((pages) =>
      pages.map(({ files }) => files.map(({ path, id, size, created }) => [path, id, size, created])),
    )
  }
  let before: unknown
  const { out, err } = await record({ seed, files: 120 }, async (url) => void (before = await pagesOf(url)))
  expect(err).toMatch(/^standin: found: \d+ entries of the file set demo$/m)
  expect(await pagesOf(await start({ fixtures: [out] }))).toEqual(before)
})

test('people, download addresses and hashes are made up, the same everywhere and in the same order', async () => {
  const files = ['b', 'a', 'c'].map((name, at) => ({
    path: `mail/${name} of jane.doe@company.test.txt`,
    createdBy: [9001, 17, 9001][at],
    hash: `ABCDEF${at}`.padEnd(64, '0'),
    downloadUrl: `https://company.test/${name}?signature=a-signature-${at}`,
  }))
  const { text, err } = await record({ fixtures: [{ fileSets: [{ id: 'demo', files }] }] }, async (url) => {
    await walk(url, 'limit=10', {})
    const recipients = [
      { type: 'EMAIL', value: 'jane.doe@company.test' },
      { type: 'USER', value: '9001' },
    ]
    const { schedule, ...rest } = weekly() as { schedule: object }
    await send(url, {
      method: 'POST',
      path: SCHEDULES,
      body: { ...rest, schedule: { ...schedule, additionalRecipients: recipients } },
    })
  })
  for (const secret of ['company.test', '9001', 'ABCDEF', 'a-signature', 'a-key-of']) expect(text).not.toContain(secret)
  const { fileSets, reportSchedules } = parseLines(text)
  const byPath = Object.groupBy(fileSets, ({ path }) => String(path).slice(5, 6))
  const [a, b, c] = ['a', 'b', 'c'].map((name) => byPath[name]?.[0] ?? {})
  expect([a?.createdBy, b?.createdBy, c?.createdBy]).toEqual([1001, 1002, 1002])
  expect(a?.path).toBe('mail/a of person1@example.com.txt')
  expect(String(b?.hash) < String(a?.hash) && String(a?.hash) < String(c?.hash)).toBe(true)
  expect(b?.hash).toMatch(/^[0-9A-F]{64}$/)
  expect(a?.downloadUrl).toMatch(/^https:\/\/files\.example\.com\/\d$/)
  expect(JSON.stringify(reportSchedules)).toContain('"person1@example.com"')
  expect(JSON.stringify(reportSchedules)).toContain('"1002"')
  expect(err).toContain('replaced: e-mail addresses (1, in name, path, value)')
  expect(err).toContain('replaced: ids of users (2, in createdBy, value)')
  expect(err).toMatch(/^standin: kept: .*created, .*size/m)
})

/** The lists of a fixture, which has a line of JSON for each thing. */
function parseLines(text: string): Record<'fileSets' | 'reportSchedules', Readonly<Record<string, unknown>>[]> {
  const lines = (indent: string) =>
    text
      .split('\n')
      .filter((line) => line.startsWith(`${indent}- {`))
      .map((line) => JSON.parse(line.slice(indent.length + 2)) as Readonly<Record<string, unknown>>)
  return { fileSets: lines('      '), reportSchedules: lines('  ') }
}

test('a schedule is there as it was created and updated', async () => {
  const { out } = await record({ files: 0 }, async (url) => {
    const { id } = (await send(url, { method: 'POST', path: SCHEDULES, body: weekly({ title: 'First' }) })) as {
      id: number
    }
    await send(url, { method: 'PUT', path: `${SCHEDULES}/${id}`, body: weekly({ title: 'Second' }) })
  })
  const standin = createStandin({ clock: CLOCK, fixtures: [out] })
  const { reportSchedules } = await standin.control.getState()
  expect(reportSchedules.at(-1)).toMatchObject({ title: 'Second' })
})

test('a collection of another contract begins with the documents that were listed and read', async () => {
  const contract = 'examples/shop/contract.yaml'
  const lists = ['/customers?limit=3', '/customers?limit=3&offset=3', '/products']
  const requests = lists.map((path) => ({ method: 'GET', path }))
  let before: unknown[] = []
  const listAll = async (url: string) => {
    const bodies: unknown[] = []
    for (const request of requests) bodies.push(await send(url, request))
    return bodies
  }
  const { out, err, text } = await record({ contract, documents: 6 }, async (url) => void (before = await listAll(url)))
  expect(err).toMatch(/replaced: e-mail addresses \(\d+, in email\)/)
  expect(text).not.toContain(/"email":"([^"]+)"/.exec(JSON.stringify(before))?.[1])
  const after = await listAll(await start({ contract, fixtures: [out] }))
  const idsOf = (bodies: readonly unknown[]) => JSON.stringify(bodies).match(/"id":[^,}]+/g)
  expect(idsOf(after)).toEqual(idsOf(before))
})

test('what does not fit the contract is left out, and said', async () => {
  const entry = (files: readonly object[]) => ({
    startedDateTime: '2026-03-05T14:30:00.000Z',
    time: 1,
    request: { method: 'POST', url: `https://api.example.com${SEARCH}/a/files/search`, headers: [] },
    response: {
      status: 200,
      headers: [],
      content: { size: 1, mimeType: 'application/json', text: JSON.stringify({ files, pageContext: {} }) },
    },
  })
  const files = Array.from({ length: 30 }, (_, at) => ({ path: `${at}.txt`, size: at % 3 === 0 ? 'large' : at }))
  const directory = createFolder({ 'session.har': JSON.stringify({ log: { entries: [entry(files)] } }) })
  const { code, err, text } = await runImport(directory)
  expect([code, parseLines(text).fileSets.length]).toEqual([0, 20])
  expect(err).toMatch(/left out: \S+\/files\/0 \(0\.txt\): size must be/)
})

type Recorded = readonly [request: string, status: number, body: unknown, sent?: unknown]

/** What the fixture of a session has: paths of files, titles of schedules and documents by their ids; or why there is none. */
function imported(session: readonly Recorded[], contract?: string): unknown {
  const entries = session.map(([request, status, body, sent], at) => {
    const [method = '', path = ''] = request.split(' ')
    const mimeType = 'application/json'
    return {
      startedDateTime: new Date(Date.parse(CLOCK) + at * 1000).toISOString(),
      request: {
        method,
        url: `https://api.example.com${path}`,
        headers: [],
        ...(sent === undefined ? {} : { postData: { mimeType, text: JSON.stringify(sent) } }),
      },
      response: { status, headers: [], content: { size: 1, mimeType, text: JSON.stringify(body) } },
    }
  })
  const config = createConfig([{ nameOf: (name) => name, values: { contract } }])
  try {
    const har = inlineSourceFile({ log: { entries } }, 'session.har')
    const { fixture } = importRecordings(config, [har], () => Date.parse(CLOCK))
    const { fileSets, reportSchedules, collections } = fixture
    return {
      ...Object.fromEntries(fileSets.map(({ id, files }) => [id, files.map(({ path }) => path)])),
      ...(reportSchedules.length > 0 ? { schedules: reportSchedules.map(({ title }) => title) } : {}),
      ...Object.fromEntries(
        Object.entries(collections).map(([name, all]) => [name, Object.values(all).map(({ id }) => id)]),
      ),
    }
  } catch (error) {
    return (error as Error).message
  }
}

const SHOP = 'examples/shop/contract.yaml'
const NO_DATA = expect.stringContaining('The recordings show no files, schedules or documents.') as string
const SEARCH_A = `POST ${SEARCH}/a/files/search`
const page = (...paths: readonly string[]) => ({ files: paths.map((path) => ({ path, size: 1 })), pageContext: {} })
const customers = (...ids: readonly number[]) => ({
  data: ids.map((id) => ({ id, name: `Customer ${id}`, email: `${id}@example.com` })),
  total: ids.length,
})

test.for<[what: string, session: readonly Recorded[], expected: unknown, contract?: string]>([
  [
    'pages of a search are put together',
    [
      [SEARCH_A, 200, page('x', 'y')],
      [SEARCH_A, 200, page('y', 'z')],
    ],
    { a: ['x', 'y', 'z'] },
  ],
  [
    'each file set has its own',
    [
      [SEARCH_A, 200, page('x')],
      [SEARCH_A.replace('/a/', '/b/'), 200, page('y')],
    ],
    { a: ['x'], b: ['y'] },
  ],
  ['its name is decoded', [[SEARCH_A.replace('/a/', '/a%20b/'), 200, page('x')]], { 'a b': ['x'] }],
  ['a file set may be empty', [[SEARCH_A, 200, page()]], { a: [] }],
  ['what was refused is no data', [[SEARCH_A, 403, page('x')]], NO_DATA],
  ['what is no page is no data', [[SEARCH_A, 200, { files: 'x' }]], NO_DATA],
  [
    'a schedule is what created it',
    [[`POST ${SCHEDULES}`, 200, { id: 9 }, weekly({ title: 'First' })]],
    { schedules: ['First'] },
  ],
  [
    'and what updated it',
    [
      [`POST ${SCHEDULES}`, 200, { id: 9 }, weekly({ title: 'First' })],
      [`PUT ${SCHEDULES}/9`, 200, { id: 9 }, { title: 'Second' }],
    ],
    { schedules: ['Second'] },
  ],
  [
    'a refused update changes nothing',
    [
      [`POST ${SCHEDULES}`, 200, { id: 9 }, weekly({ title: 'First' })],
      [`PUT ${SCHEDULES}/9`, 400, {}, { title: 'Second' }],
    ],
    { schedules: ['First'] },
  ],
  [
    'items are listed, and read',
    [
      ['GET /customers', 200, customers(3, 4)],
      ['GET /customers/5', 200, customers(5).data[0]],
    ],
    { customers: [3, 4, 5] },
    SHOP,
  ],
  [
    'what was deleted is not there',
    [
      ['GET /customers', 200, customers(3, 4)],
      ['DELETE /customers/3', 204, ''],
    ],
    { customers: [4] },
    SHOP,
  ],
  [
    'a deletion that was refused changes nothing',
    [
      ['GET /customers', 200, customers(3)],
      ['DELETE /customers/3', 409, {}],
    ],
    { customers: [3] },
    SHOP,
  ],
  ['a list without a body is no data', [['GET /customers', 200, undefined]], NO_DATA, SHOP],
  [
    'another service is refused',
    [['GET /other', 200, {}]],
    expect.stringContaining('Expected requests to operations of the contract'),
  ],
])('%s', ([, session, expected, contract]) => {
  expect(imported(session, contract)).toEqual(expected)
})

test.for([
  [['docs', '--har', 'a.har'], 'docs and --har exclude each other. Leave out all but one.'],
  [
    [],
    'Expected a folder, such as ./documents, recordings with --har session.har, or --stubs mappings; got none of them.',
  ],
  [
    ['--har', 'a.har', '--url', 'http://127.0.0.1:4010'],
    '--url belongs to a folder. Leave it out: what is read here becomes a file, for --out.',
  ],
  [
    ['docs', '--contract', 'openapi.yaml'],
    '--contract belongs to --har and --stubs. Leave it out: a folder needs no contract.',
  ],
  [
    ['--har', 'none.har'],
    '--har: none.har: there is no such file. Check the path; it is read from the current directory.',
  ],
] as const)('standin import %s is refused', async ([args, message]) => {
  const cwd = createFolder()
  writeFileSync(join(cwd, 'docs'), '')
  const command = runCommand(['import', ...args], { cwd })
  expect([await command.ended, command.stderr()]).toEqual([1, `standin: ${message}\n`])
})
