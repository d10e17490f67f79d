import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { parse as parseYaml } from 'yaml'
import { createStandin, type Standin, StartupError } from '../../../src/index.ts'
import { createDirectory } from '../../support/command.ts'
import { createTester, nextOf, pathsOf, startComplaintsOf, type Tester, weekly } from '../../support/tester.ts'
import { withoutStore } from '../../support/store.ts'

/** A conversation of every kind of request, as it went over the wire, headers included. */
async function transcript({ search, create, update }: Tester): Promise<string> {
  const body = {
    filters: [{ field: 'name', operator: 'LIKE', value: ['a%e'] }],
    fieldSort: [{ field: 'size', order: 'DESC' }],
  }
  const first = await search({ set: 'demo', query: { limit: 40 }, body })
  const answers = [
    first,
    await search({ set: 'demo', query: { limit: 25, next: nextOf(first) ?? '' } }),
    await search({ set: 'demo', query: { limit: 3, directoryPath: 'finance', immediateChildren: true } }),
    await search({ set: 'awkward', query: { limit: 1000 }, body: { fieldSort: [{ field: 'created', order: 'ASC' }] } }),
    await search({ set: 'nowhere' }),
    await create(weekly()),
    await create(weekly({ title: '' })),
    await update(7, { title: 'Renamed' }),
    await update(1, { schedule: weekly({}, { timezone: 'Australia/Lord_Howe' }).schedule }),
  ]
  return answers.map(({ status, headers, text }) => `${status} ${JSON.stringify(headers)} ${text}`).join('\n')
}

const FROZEN = { clock: '2026-03-05T14:30:00Z' }

test('the same seed, clock and requests give the same bytes, headers, ids and tokens included', async () => {
  const once = await transcript(createTester(FROZEN))
  expect(await transcript(createTester(FROZEN))).toBe(once)
})

withoutStore(
  'the bytes are the same on every version of Node, for the digest of the successes is written here',
  async () => {
    const successes = (await transcript(createTester(FROZEN))).split('\n').filter((line) => line.startsWith('200 '))
    expect(successes).toHaveLength(7)
    expect(createHash('sha256').update(successes.join('\n')).digest('hex')).toBe(
      'f4543878e9758d59507a4761135eaa26f6760ad9d19ae13afa999ebf36226dce',
    )
  },
)

test('another seed gives other paths, ids and tokens', async () => {
  const one = await createTester({ ...FROZEN, seed: 1 }).search({ set: 'demo', query: { limit: 100 } })
  const two = await createTester({ ...FROZEN, seed: 2 }).search({ set: 'demo', query: { limit: 100 } })
  const files = (paths: string[]) => paths.filter((path) => path.includes('.'))
  expect(files(pathsOf(one)).filter((path) => pathsOf(two).includes(path))).toEqual([])
  expect(nextOf(one)).not.toBe(nextOf(two))
})

test('two servers that start on the same day have the same state, at any hour', async () => {
  const morning = createTester()
  const evening = createTester()
  evening.moveTo('2026-03-05T23:59:59Z')
  expect((await evening.search({ set: 'demo' })).body).toEqual((await morning.search({ set: 'demo' })).body)
})

withoutStore('a reset takes everything back: schedules, ids and files', async () => {
  const tester = createTester({ fixtures: [{ fileSets: [{ id: 'tiny', files: [{ path: 'a' }] }] }] })
  const before = await transcript(tester)
  tester.standin.addFiles('tiny', [{ path: 'b' }])
  tester.standin.reset()
  expect(await transcript(tester)).toBe(before)
  tester.standin.reset()
  expect(await tester.paths()).toEqual(['a'])
})

test('two servers in one process share no state', async () => {
  const [one, two] = [createTester(), createTester()]
  expect((await one.create(weekly())).body).toMatchObject({ id: 7 })
  expect((await one.create(weekly())).body).toMatchObject({ id: 8 })
  expect((await two.create(weekly())).body).toMatchObject({ id: 7 })
  expect((await two.update(8, {})).status).toBe(404)
})

test('a server starts on a free port, returns its address, and stops', async () => {
  const standin = createStandin()
  expect(standin.url).toBeUndefined()
  const url = await standin.start()
  expect(standin.url).toBe(url)
  const answer = await fetch(`${url}/api/content/v1/reportschedules`, { method: 'OPTIONS' })
  expect(answer.status).toBe(204)
  await standin.stop()
  expect(standin.url).toBeUndefined()
  await expect(fetch(url)).rejects.toThrow()
})

withoutStore(
  'files can be added and removed, and wrong ones are refused with a remedy and change nothing',
  async () => {
    const { standin, paths } = createTester({ fixtures: [{ fileSets: [{ id: 'tiny', files: [{ path: 'a' }] }] }] })
    standin.addFiles('tiny', [{ path: 'dir/b.txt' }, { path: 'dir/empty', fileType: 'DIRECTORY' }])
    standin.removeFiles('tiny', ['a'])
    expect(await paths()).toEqual(['dir', 'dir/b.txt', 'dir/empty'])
    expect(() => standin.addFiles('tiny', [{ path: 'c' }, { path: 'dir/b.txt' }])).toThrow(
      'The path "dir/b.txt" is there twice',
    )
    expect(() => standin.addFiles('tiny', [{ path: 'dir/b.txt/c' }])).toThrow('which is a file')
    expect(() => standin.addFiles('tinny', [{ path: 'c' }])).toThrow('There is no file set "tinny"')
    expect(() => standin.removeFiles('tiny', ['dir'])).toThrow(StartupError)
    expect(await paths()).toEqual(['dir', 'dir/b.txt', 'dir/empty'])
  },
)

test.for([
  [{ port: 70_000 }, 'options.port: Expected an integer from 0 to 65535; got 70000.'],
  [{ clock: 'noon' }, 'options.clock: Expected an instant with its zone, such as 2026-03-01T09:00:00Z; got "noon".'],
  [{ profile: 'observd' }, 'did you mean `observed`?'],
  [{ behaviours: { 'page.lst': 'null' } }, 'did you mean `page.last`?'],
  [{ keys: [{ key: 'k', rights: ['serchFiles'] }] }, 'Did you mean `searchFiles`?'],
  [{ sed: 7 }, 'options.sed: There is no setting `sed`. Did you mean `seed`?'],
] as const)('an option that is wrong is refused: %j', ([options, complaint]) => {
  expect(() => createStandin(options as object)).toThrow(complaint)
})

test('servers of one contract share nothing that requests can change', async () => {
  const options = { contract: 'examples/shop/contract.yaml', clock: '2026-03-05T14:30:00Z' }
  const [one, two] = [createStandin(options), createStandin(options)]
  const read = async (standin: Standin) =>
    await Promise.all(
      ['/customers', '/settings', '/__mock/faults', '/__mock/behaviours', '/openapi.json'].map(async (path) =>
        (await standin.fetch(path)).text(),
      ),
    )
  const before = await read(two)
  const headers = { 'Content-Type': 'application/json' }
  const customer = JSON.stringify({ name: 'Grace Hopper', email: 'grace@example.com', country: 'US' })
  expect((await one.fetch('/customers', { method: 'POST', headers, body: customer })).status).toBe(201)
  await one.control.armFaults({ kind: 'status', status: 503 })
  await one.control.putBehaviours({ 'auth.keys': 'any' })
  await one.control.advanceClock({ by: 'P1D' })
  expect(await read(two)).toEqual(before)
  expect(await read(createStandin(options))).toEqual(before)
})

withoutStore(
  'servers of one fixture file share nothing that requests can change, and each reads what the file says then',
  async () => {
    const { path, remove } = createDirectory({ 'files.yaml': 'fileSets: [{ id: tiny, files: [{ path: a }] }]' })
    onTestFinished(remove)
    const fixtures = [join(path, 'files.yaml')]
    const [first, second] = [createTester({ fixtures }), createTester({ fixtures })]
    first.standin.addFiles('tiny', [{ path: 'b' }])
    first.standin.removeFiles('demo', pathsOf(await first.search({ set: 'demo' })).slice(0, 1))
    expect(await first.paths()).toEqual(['a', 'b'])
    expect(await second.paths()).toEqual(['a'])
    expect(await second.paths({ set: 'demo' })).toEqual(await createTester().paths({ set: 'demo' }))
    writeFileSync(fixtures[0]!, 'fileSets: [{ id: tiny, files: [{ path: c, size: -1 }] }]')
    const refusals = [1, 2].map(() => startComplaintsOf(() => createTester({ fixtures })))
    expect(refusals[0]).toEqual([expect.stringContaining('size must be')])
    expect(refusals[1]).toEqual(refusals[0])
    writeFileSync(fixtures[0]!, 'fileSets: [{ id: tiny, files: [{ path: c }] }]')
    expect(await createTester({ fixtures }).paths()).toEqual(['c'])
  },
)

test('a contract that was changed is read again by the next server', async () => {
  const directory = createDirectory({ 'api.json': contractWith('/one') })
  onTestFinished(directory.remove)
  const contract = join(directory.path, 'api.json')
  const statusOf = async (path: string) => (await createStandin({ contract }).fetch(path)).status
  expect([await statusOf('/one'), await statusOf('/two')]).toEqual([200, 404])
  writeFileSync(contract, contractWith('/two'))
  expect([await statusOf('/one'), await statusOf('/two')]).toEqual([404, 200])
})

test('a file that a contract refers to is read again when it was changed, and when it was missing', async () => {
  const path = { get: { responses: { 204: { description: '' } } } }
  const parts = (...names: string[]) => JSON.stringify(Object.fromEntries(names.map((name) => [name, path])))
  const paths = { '/one': { $ref: 'parts.json#/one' }, '/two': { $ref: 'parts.json#/two' }, '/three': path }
  const text = JSON.stringify({ openapi: '3.1.0', info: { title: 'T', version: '1' }, paths })
  const directory = createDirectory({ 'api.json': text })
  onTestFinished(directory.remove)
  const statuses = () => {
    const { fetch } = createStandin({ contract: join(directory.path, 'api.json') })
    return Promise.all(['/one', '/two', '/three'].map(async (one) => (await fetch(one)).status))
  }
  expect(await statuses()).toEqual([404, 404, 204])
  writeFileSync(join(directory.path, 'parts.json'), parts('one'))
  expect(await statuses()).toEqual([204, 404, 204])
  writeFileSync(join(directory.path, 'parts.json'), parts('one', 'two'))
  expect(await statuses()).toEqual([204, 204, 204])
  expect(await statuses()).toEqual([204, 204, 204])
})

function contractWith(path: string): string {
  const responses = { 200: { description: '', content: { 'application/json': { schema: { type: 'integer' } } } } }
  return JSON.stringify({
    openapi: '3.1.0',
    info: { title: 'T', version: '1' },
    paths: { [path]: { get: { responses } } },
  })
}

test('a contract is given by its path, its text or itself, and messages name the line where there is one', async () => {
  const contract = 'examples/shop/contract.yaml'
  const text = readFileSync(contract, 'utf8')
  const json = JSON.stringify(parseYaml(text), null, 2)
  const customers = (standin: Standin) => standin.fetch('/customers').then((response) => response.text())
  const expected = await customers(createStandin({ ...FROZEN, contract }))
  for (const given of [text, json, parseYaml(text) as object])
    expect(await customers(createStandin({ ...FROZEN, contract: given }))).toBe(expected)
  const wrong = text.replace('paths:', 'paths: {')
  expect(() => createStandin({ contract: wrong })).toThrow(/^options\.contract:\d+: /)
})
