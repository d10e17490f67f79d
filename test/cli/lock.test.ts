import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createDirectory, runCommand } from '../support/command.ts'
import { startService } from '../support/servers/proxy.ts'
import { serve } from '../support/serve.ts'

/** A server of documents, by path, and what it was sent. */
async function serveDocuments(documents: Record<string, string>) {
  const keys: string[] = []
  const url = await startService(({ url: path = '', headers }, response) => {
    keys.push(`${path} ${headers.authorization ?? 'no key'}`)
    const text = documents[path]
    response.writeHead(text === undefined ? 404 : 200).end(text)
  })
  return { url, documents, keys }
}

const PETS = (schema: string) => `
openapi: 3.1.0
info: { title: Pets, version: '1' }
paths:
  /pets:
    get:
      operationId: listPets
      responses: { 200: { description: All, content: { application/json: { schema: { type: array, items: { $ref: '${schema}' } } } } } }
`

const PET = (more = '') => `
type: object
required: [id, name]
properties: { id: { type: integer }, name: { type: string }${more} }
`

function createProject() {
  const directory = createDirectory({})
  onTestFinished(directory.remove)
  const run = async (...args: string[]) => {
    const command = runCommand(args, { cwd: directory.path })
    return { code: await command.ended, out: command.stdout(), err: command.stderr() }
  }
  return { path: directory.path, run }
}

test('a contract of the web is fetched once, and served without a network', async () => {
  const { path, run } = createProject()
  const other = await serveDocuments({ '/shared/name.yaml': 'type: string\nenum: [Rex]\n' })
  const docs = await serveDocuments({
    '/v2/openapi.yaml?x=1': PETS('../schemas/pet.yaml'),
    '/schemas/pet.yaml': PET().replace('{ type: string }', `{ $ref: '${other.url}/shared/name.yaml' }`),
  })
  const contract = `${docs.url}/v2/openapi.yaml?x=1`
  const unlocked = await run('check', '--contract', contract)
  expect(unlocked).toMatchObject({
    code: 1,
    err: expect.stringContaining(`Fetch it once: standin lock ${contract}`) as string,
  })
  const locked = await run('lock', contract, '--header', 'Authorization: Bearer s3cret')
  expect(locked).toMatchObject({ code: 0, out: `standin.lock has 3 documents of ${contract}. Commit it.\n` })
  // The key goes to the host of the contract alone.
  expect(docs.keys).toEqual(['/v2/openapi.yaml?x=1 Bearer s3cret', '/schemas/pet.yaml Bearer s3cret'])
  expect(other.keys).toEqual(['/shared/name.yaml no key'])
  const { url } = await serve(['--contract', contract], { cwd: path })
  const pets = (await (await fetch(`${url}/pets`)).json()) as { name: string }[]
  expect(new Set(pets.map(({ name }) => name))).toEqual(new Set(['Rex']))
  expect([docs.keys.length, other.keys.length]).toEqual([2, 1])
})

test('--check says what has changed for clients', async () => {
  const { run, path } = createProject()
  const docs = await serveDocuments({ '/openapi.yaml': PETS('pet.yaml'), '/pet.yaml': PET() })
  const contract = `${docs.url}/openapi.yaml`
  await run('lock', contract)
  expect(await run('lock', '--check')).toMatchObject({ code: 0, out: `${contract} is as it was locked.\n` })
  docs.documents['/pet.yaml'] = `# a comment\n${PET()}`
  expect(await run('lock', '--check')).toMatchObject({
    code: 2,
    out: `${contract} was changed, and nothing of it concerns clients.\n`,
  })
  docs.documents['/pet.yaml'] = PET()
    .replace('name: { type: string }', 'title: { type: string }')
    .replace('id, name', 'id')
  const changed = await run('lock', '--check', contract)
  expect(changed.code).toBe(2)
  expect(changed.out).toMatch(/GET \/pets/)
  expect(changed.out).toMatch(/name/)
  // Nothing was written.
  expect((await run('check', '--contract', contract)).code).toBe(0)
  const kept = join(path, 'standin.lock', docs.url.replace('http://', '').replace(':', '%3A'), 'pet.yaml')
  expect(readFileSync(kept, 'utf8')).toBe(PET())
  writeFileSync(kept, PET(', tag: {}'))
  const tampered = await run('check', '--contract', contract)
  expect(tampered.code).toBe(1)
  expect(tampered.err).toContain(`It is not the document that was fetched from "${docs.url}/pet.yaml".`)
})

test('a file with references to the web is locked too', async () => {
  const { run, path } = createProject()
  const docs = await serveDocuments({ '/pet.yaml': PET() })
  writeFileSync(join(path, 'openapi.yaml'), PETS(`${docs.url}/pet.yaml#`))
  const before = await run('check', '--contract', 'openapi.yaml')
  expect(before.out + before.err).toContain('Fetch it once: standin lock openapi.yaml')
  expect(await run('lock', 'openapi.yaml')).toMatchObject({ code: 0 })
  expect(await run('check', '--strict', '--contract', 'openapi.yaml')).toMatchObject({ code: 0, err: '' })
})

test('a document stays below standin.lock, whatever its address says', async () => {
  const { run, path } = createProject()
  const address = '/a/openapi.yaml?x=/../../../../../evil.yaml'
  const docs = await serveDocuments({ [address]: PETS('pet.yaml'), '/a/pet.yaml': PET() })
  await run('lock', `${docs.url}${address}`)
  const files = readdirSync(path, { recursive: true }).map(String)
  expect(files.filter((file) => file.endsWith('.yaml')).every((file) => file.startsWith('standin.lock'))).toBe(true)
  expect(files.filter((file) => file.endsWith('.yaml'))).toHaveLength(2)
  expect((await run('check', '--contract', `${docs.url}${address}`)).code).toBe(0)
})

test('what cannot be locked is refused, and nothing is written', async () => {
  const { run } = createProject()
  const docs = await serveDocuments({ '/openapi.yaml': PETS('gone.yaml'), '/list.yaml': '- 1: [' })
  const refused = async (...args: string[]) => {
    const { code, err } = await run('lock', ...args)
    return [code, err.replaceAll(/^standin: fetched .*\n/gm, '')]
  }
  expect(await refused()).toEqual([1, expect.stringContaining('Nothing is locked in standin.lock. Name a contract')])
  expect(await refused(`${docs.url}/openapi.yaml`)).toEqual([
    1,
    `standin: ${docs.url}/gone.yaml: the server responded with 404. ${docs.url}/openapi.yaml refers to it.\n`,
  ])
  expect(await refused(`${docs.url}/list.yaml`)).toEqual([1, expect.stringContaining(`${docs.url}/list.yaml:`)])
  docs.documents['/bad.yaml'] = PETS('http://[')
  expect(await refused(`${docs.url}/bad.yaml`)).toEqual([
    1,
    `standin: ${docs.url}/bad.yaml: "http://[" is no address of a document.\n`,
  ])
  expect(await refused('http://127.0.0.1:1/openapi.yaml')).toEqual([
    1,
    expect.stringContaining('it cannot be fetched: '),
  ])
  expect(await refused(`${docs.url}/openapi.yaml`, '--header', 'nonsense')).toEqual([
    1,
    expect.stringContaining('--header: Expected a name and a value'),
  ])
  expect(await refused(`${docs.url}/openapi.yaml`, '--check')).toEqual([
    1,
    expect.stringContaining('It is not in standin.lock.'),
  ])
  expect(await refused()).toEqual([1, expect.stringContaining('Nothing is locked')])
})

test('a key goes to one host, a page is no document, and examples are data', async () => {
  const { run } = createProject()
  const withExample = PETS('pet.yaml').replace('All,', "All, x-note: { example: { $ref: 'nowhere.yaml' } },")
  const [one, other] = [
    await serveDocuments({ '/a.yaml': withExample, '/pet.yaml': PET() }),
    await serveDocuments({ '/b.yaml': PETS('#/components/schemas/X') }),
  ]
  expect(await run('lock', `${one.url}/a.yaml#top`)).toMatchObject({ code: 0 })
  await run('lock', `${other.url}/b.yaml`)
  one.keys.length = other.keys.length = 0
  for (const more of [[], ['--check']])
    expect(await run('lock', ...more, '--header', 'Authorization: Bearer s3cret')).toMatchObject({
      code: 1,
      err: `standin: --header: It is for one of ${[one.url, other.url].toSorted().join(', ')}. Name the contract too.\n`,
    })
  expect([one.keys, other.keys]).toEqual([[], []])
  one.documents['/a.yaml'] = '<!doctype html><title>Log in</title>'
  for (const more of [[], ['--check']]) {
    const { code, err } = await run('lock', ...more, `${one.url}/a.yaml`)
    expect(code).toBe(1)
    expect(err).toContain(`${one.url}/a.yaml: it is no OpenAPI document, but "<!doctype html>`)
  }
  expect((await run('check', '--contract', `${one.url}/a.yaml`)).code).toBe(0)
  const withPassword = await run('lock', one.url.replace('http://', 'http://ann:hunter2@'))
  expect(withPassword).toMatchObject({
    code: 1,
    err: expect.stringContaining('Pass user and password as --header') as string,
  })
  expect(withPassword.err).not.toContain('hunter2')
})

test('a redirect is named, and Git may write other ends of lines', async () => {
  const { run, path } = createProject()
  const url = await startService(({ url: asked = '' }, response) => {
    if (asked === '/latest.yaml') response.writeHead(302, { location: '/v1/openapi.yaml' }).end()
    else response.end(PETS('#/components/schemas/Pet') + `components: { schemas: { Pet: { type: object } } }\n`)
  })
  expect(await run('lock', `${url}/latest.yaml`)).toMatchObject({
    code: 1,
    err: `standin: ${url}/latest.yaml: the server responded with 302, and leads to ${url}/v1/openapi.yaml. Lock that.\n`,
  })
  await run('lock', `${url}/v1/openapi.yaml`)
  const file = join(path, 'standin.lock', url.replace('http://', '').replace(':', '%3A'), 'v1/openapi.yaml')
  writeFileSync(file, readFileSync(file, 'utf8').replaceAll('\n', '\r\n'))
  expect(await run('check', '--contract', `${url}/v1/openapi.yaml`)).toMatchObject({ code: 0 })
})
