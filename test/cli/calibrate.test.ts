import { readFileSync, writeFileSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { parse } from 'yaml'
import { createStandin, type StandinOptions } from '../../src/index.ts'
import { createDirectory, runCommand, startCommand } from '../support/command.ts'

const SETTINGS = { 'page.last': 'null', 'limit.zero': 'empty', 'limit.negative': 'default' }

async function startStandin(
  options: StandinOptions,
): Promise<{ url: string; standin: ReturnType<typeof createStandin> }> {
  const standin = createStandin({ clock: '2026-03-05T14:30:00Z', files: 120, ...options })
  onTestFinished(() => standin.stop())
  return { standin, url: await standin.start() }
}

/** A service by other hands. */
async function serve(respond: RequestListener): Promise<string> {
  const server = createServer(respond)
  onTestFinished(() => void server.close())
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

function createFolder(files: Readonly<Record<string, string>> = {}): string {
  const { path, remove } = createDirectory(files)
  onTestFinished(remove)
  return path
}

async function calibrate(cwd: string, ...args: string[]) {
  const command = runCommand(['calibrate', ...args], { cwd })
  const code = await command.ended
  return { code, out: command.stdout(), errors: command.stderr() }
}

const live = (url: string) => ['--target', url, '--key', 'secret-key-1', '--file-set', 'demo', '--rate', '100']
const some = ['--only', 'page.last,limit.zero,limit.negative']

test('a stand-in with the profile behaves like the service, and the profile holds the evidence without the key', async () => {
  const { url } = await startStandin({ behaviours: SETTINGS })
  const folder = createFolder()
  const { code, out, errors } = await calibrate(folder, ...live(url), ...some)
  expect([code, errors]).toEqual([0, ''])
  expect(out).toMatch(/3 behaviours differ from the default:\n {2}page\.last +null +default absent +certain\n/)
  const file = join(folder, 'standin-profile.yaml')
  const profile = parse(readFileSync(file, 'utf8')) as Readonly<Record<string, Readonly<Record<string, unknown>>>>
  expect(profile).toMatchObject({ target: url, behaviours: SETTINGS })
  expect(profile.evidence?.['limit.zero']).toMatchObject({
    exchanges: [
      {
        request: 'POST /api/files/v1/filesets/demo/files/search?limit=0',
        body: '{}',
        response: '200 {"files":[],"pageContext":{"next":null}}',
      },
    ],
  })
  expect(readFileSync(file, 'utf8')).not.toContain('secret-key-1')

  const copy = createStandin({ profile: file })
  expect(await copy.control.getBehaviours()).toMatchObject({ profile: file })
  const found = (await copy.control.getBehaviours()).behaviours.map(({ id, setting }) => [id, setting])
  expect(Object.fromEntries(found)).toMatchObject(SETTINGS)
})

test('the profile of a service that knows its keys starts without them, says so, and uses those that are given', async () => {
  const { url } = await startStandin({ keys: [{ key: 'secret-key-1' }] })
  const folder = createFolder()
  const { out } = await calibrate(folder, ...live(url), '--only', 'auth')
  expect(out).toMatch(/auth\.keys +listed +default any +certain\n/)
  const profile = join(folder, 'standin-profile.yaml')
  const copy = createStandin({ profile })
  expect(copy.notes).toEqual([
    'The profile says auth.keys: `listed` needs a list of known keys: give them in `keys`. Until then its default is used.',
  ])
  const settingOf = async (standin: typeof copy) =>
    (await standin.control.getBehaviours()).behaviours.find(({ id }) => id === 'auth.keys')?.setting
  expect(await settingOf(copy)).toBe('any')
  const listed = createStandin({ profile, keys: [{ key: 'another' }] })
  expect([await settingOf(listed), listed.notes]).toEqual(['listed', []])
})

test('a setting that needs a list and was given outside the profile is refused', () => {
  const profile = { behaviours: { 'links.exist': 'listed' } }
  expect(() => createStandin({ profile, behaviours: { 'links.exist': 'listed-403' } })).toThrow(
    'links.exist: `listed-403` needs a list of ids',
  )
})

test('the profile is tried: what a stand-in with it does otherwise than the service is likely, and said', async () => {
  const entry = { id: 7, name: 'a.txt', fileType: 'TEXT', contentType: 'text/plain', size: 1, hash: '00' }
  const files = ['a.txt', 'b.txt', 'd.txt'].map((path, at) => ({ ...entry, id: at + 7, path, name: path }))
  // A limit of 0 is read as 1, and one below 0 as none: no setting says the first.
  const url = await serve((request, response) => {
    const limit = Number(/limit=(-?\d+)/.exec(request.url ?? '')?.[1] ?? 100)
    const shown = files.slice(0, limit < 0 ? 100 : Math.max(1, limit))
    response.setHeader('Content-Type', 'application/json').end(JSON.stringify({ files: shown, pageContext: {} }))
  })
  const folder = createFolder()
  const { out } = await calibrate(folder, ...live(url), '--only', 'limit.zero,limit.negative')
  expect(out).toMatch(/limit\.zero +default +default error +likely\n/)
  expect(out).toMatch(/limit\.negative +default +default error +certain\n/)
  expect(out).toMatch(/Sent again to a stand-in with the profile, \d+ of \d+ requests get the response of the service/)
  const profile = parse(readFileSync(join(folder, 'standin-profile.yaml'), 'utf8')) as Record<string, unknown>
  expect(profile.evidence).toMatchObject({ 'limit.zero': { differs: 'items of /files' } })
  // Its files have neither.
  for (const id of ['file.download-url', 'file.created-spelling']) expect(profile.evidence).not.toHaveProperty([id])
})

test('it exits with 2 when the service has drifted from a profile', async () => {
  const { url } = await startStandin({ behaviours: { 'page.last': 'empty' } })
  const folder = createFolder({ 'before.yaml': 'behaviours:\n  page.last: absent\n  limit.zero: error\n' })
  const { code, out } = await calibrate(folder, ...live(url), ...some, '--profile', 'before.yaml')
  expect(code).toBe(2)
  expect(out).toContain('1 behaviour drifted from the profile:\n  page.last  was absent  is empty\n')
})

test('it learns from recordings, and says which requests would settle the rest', async () => {
  const { standin } = await startStandin({ behaviours: SETTINGS })
  const headers = { 'X-SERVICE-Developer-Token': 'any', 'Content-Type': 'application/json' }
  const search = `http://localhost/api/files/v1/filesets/demo/files/search`
  for (const query of ['?limit=1000', '?limit=0'])
    await standin.fetch(new Request(search + query, { method: 'POST', headers, body: '{}' }))
  const folder = createFolder({ 'session.har': JSON.stringify(await standin.control.exportHar()) })
  const { code, out, errors } = await calibrate(folder, '--har', 'session.har')
  expect(code).toBe(3)
  expect(errors).toBe('standin: 2 exchanges with http://localhost; 0 others left out\n')
  expect(out).toMatch(/ {2}limit\.zero +empty +default error/)
  expect(out).toMatch(/ {2}limit\.negative +no request showed it +send: search with limit=-1/)
})

test('a dry run prints the requests and sends none', async () => {
  const folder = createFolder()
  const { code, out, errors } = await calibrate(folder, ...live('http://127.0.0.1:9'), ...some, '--dry-run')
  expect(code).toBe(0)
  expect(out).toContain('POST /api/files/v1/filesets/demo/files/search {}\n')
  expect(out).toContain('POST /api/files/v1/filesets/demo/files/search?limit=-1 {}\n')
  expect(errors).toMatch(/^standin: \d+ requests to a stand-in with files of its own, and none to http:/)
})

test('it stops when the service limits requests, and keeps what it has found', async () => {
  const { url } = await startStandin({ behaviours: { ...SETTINGS, 'rate.limit': '3 per 3600' } })
  const folder = createFolder()
  const { code, out } = await calibrate(folder, ...live(url), ...some)
  expect(code).toBe(1)
  expect(out).toMatch(/Stopped early: the service limits requests \(429, Retry-After: \d+\): pass a lower --rate/)
  expect(readFileSync(join(folder, 'standin-profile.yaml'), 'utf8')).toContain('page.last: "null"')
})

test('it stops when the service fails again and again', async () => {
  let requests = 0
  const url = await serve((_request, response) => {
    requests++
    if (requests === 1) response.end('{"files":[{"path":"a"}],"pageContext":{}}')
    else response.writeHead(503).end()
  })
  const { code, out } = await calibrate(createFolder(), ...live(url))
  expect(code).toBe(1)
  expect(out).toContain('Stopped early: the last 3 requests failed, with 503.')
  expect(requests).toBe(4)
})

test('Ctrl-C keeps what was found', async () => {
  const { app } = createStandin({ files: 20 })
  const served = Promise.withResolvers()
  const url = await serve((request, response) => {
    response.on('close', served.resolve)
    app(request, response)
  })
  const slow = ['--key', 'any', '--file-set', 'demo', '--rate', '0.01']
  const command = startCommand(['calibrate', '--target', url, ...slow], { cwd: createFolder() })
  await served.promise
  command.child.kill('SIGINT')
  expect(await command.ended).toBe(130)
  // Whether the response was read before decides whether there is anything to keep.
  expect(command.stdout() + command.stderr()).toContain('Ctrl-C ended it.')
})

const there = { 'there.yaml': '' }
test.for([
  { args: [], message: 'Pass either --target with the address of the service, or --har with recordings of it.' },
  { args: ['--target', 'http://127.0.0.1:9'], message: '--key and --file-set: missing.' },
  { args: ['--har', 'none.har'], message: '--har: none.har: there is no such file.' },
  {
    args: ['--har', 'a.har', '--allow-writes', '--dry-run'],
    message: '--dry-run and --allow-writes: --har sends nothing.',
  },
  {
    args: ['--target', 'ftp://api', '--key', 'a', '--file-set', 'b'],
    message: '--target: Expected the address of a server, such as',
  },
  {
    args: [...live('http://127.0.0.1:9'), '--rate', '1000'],
    message: '--rate: Expected a number above 0, up to 100; got "1000".',
  },
  { args: [...live('http://127.0.0.1:9'), '--only', 'limt'], message: '--only: There is no behaviour "limt".' },
  {
    args: [...live('http://127.0.0.1:9'), '--out', 'there.yaml'],
    message: '--out: there.yaml is there already. Pass --force',
  },
  {
    args: [...live('http://127.0.0.1:9'), '--profile', 'observed'],
    message: 'Expected a file of `standin calibrate` to compare',
  },
  {
    args: [...live('http://127.0.0.1:9'), '--profile', 'there.yaml'],
    message: '--profile: there.yaml:1: Expected the name of a profile, or a file',
  },
  { args: ['--har', 'a.har', '--only', 'page'], message: '--only: --har sends nothing.' },
  {
    args: [...live('http://127.0.0.1:9'), '--out', 'no/such/file.yaml'],
    message: '--out: There is no directory no/such.',
  },
  { args: [...live('http://127.0.0.1:9'), '--allow-writes'], message: 'Pass --confirm 127.0.0.1:9.' },
  {
    args: [...live('http://127.0.0.1:9'), '--allow-writes', '--confirm', 'yes'],
    message: 'Expected 127.0.0.1:9 as the confirmation; got "yes". Nothing was sent.',
  },
  {
    args: live('http://127.0.0.1:9'),
    message: 'got no response: connect ECONNREFUSED 127.0.0.1:9. Nothing was written.',
  },
])('says what is wrong: $args', async ({ args, message }) => {
  const { code, out, errors } = await calibrate(createFolder(there), ...args)
  expect([code, out]).toEqual([1, ''])
  expect(errors).toContain(message)
})

test('a profile with a wrong setting is refused with its line', () => {
  const folder = createFolder()
  const file = join(folder, 'profile.yaml')
  writeFileSync(file, 'target: x\nbehaviours:\n  page.last: never\n')
  expect(() => createStandin({ profile: file })).toThrow(
    `options.profile: ${file}:3: page.last: \`never\` is not allowed here. Allowed: absent, null, empty.`,
  )
})
