import { readFileSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { createStandin } from '../../src/index.ts'
import { type CommandOptions, createDirectory, runCommand, startCommand } from '../support/command.ts'
import { connectTo, searchHead } from '../support/raw.ts'
import { KEY_HEADER, SCHEDULES, SEARCH, weekly } from '../support/tester.ts'
import { PACKAGED, summaryOf } from '../support/packaged.ts'
import { serve } from '../support/serve.ts'

const SOURCE = fileURLToPath(new URL('../../src/cli.ts', import.meta.url))
const packageJson = new URL('../../package.json', import.meta.url)
const { version } = JSON.parse(readFileSync(packageJson, 'utf8')) as { version: string }

const directory = createDirectory({
  'tiny.yaml': 'fileSets:\n  - id: tiny\n    files:\n      - { path: a.txt }\n      - { path: b.txt }\n',
  'more.json': '{"fileSets": [{"id": "more", "generate": 7}]}',
  'settings.yaml':
    'port: 0\nseed: 1\nfiles: 10\nfixtures: [tiny.yaml]\nbehaviours:\n  page.last: "null"\n  create.status: "201"\n',
  'keys.yaml': 'keys:\n  - { key: reader, rights: [searchFiles] }\n',
  // What follows is wrong.
  'broken.yaml': 'fileSets:\n  - id: a\n   files: []\n',
  'wrong.yaml':
    'fileSets:\n  - id: a\n    files:\n      - { path: a.txt, size: big }\n      - { pth: b.txt }\n      - path: c.txt\n        created: yesterday\n',
  'clash.yaml': 'fileSets:\n  - id: a\n    files:\n      - { path: a.txt }\n      - { path: a.txt/b.txt }\n',
  'schedule.yaml':
    'reportSchedules:\n  - title: Weekly\n    pageId: 1\n    viewId: 2\n    schedule: { frequency: DAILY, daysToRun: MON, hourOfDay: 8, minOfHour: 0 }\n',
  'wrong-settings.yaml': 'seed: 1\nprot: 4010\nclock: noon\nbehaviours:\n  page.lst: absent\n',
  'wrong-keys.yaml': '- { key: a }\n- { key: " ", userid: 7 }\n- { key: b, rights: all }\n',
  'wrong-parts.yaml':
    'seed: seven\nprofile: nope\nkeys:\n  - { key: a }\n  - key: b\n    rights: [searchFiles, searchFile]\nfixtures:\n  - tiny.yaml\n  - none.yaml\nfolders:\n  docs: ""\n',
  'wrong-names.yaml': 'contract: no-contract.yaml\nprofile: observd\nkeys: no-keys.yaml\nhandlers: no-handlers.ts\n',
  'wrong-folder.yaml': 'fixtures: none.yaml\nfolders:\n  tiny: .\n  docs: nowhere\n',
  'wrong-rights.yaml': '- { key: a, rights: [searchFile] }\n',
  'wrong-behaviour.yaml': 'behaviours:\n  cors: "no"\n',
  'list.yaml': '- port: 1\n',
  'contract.yaml': 'openapi: 3.9.0\n',
})
afterAll(directory.remove)

/** Runs a command to its end. */
async function run(
  args: readonly string[],
  options: CommandOptions = {},
): Promise<{ code: number | null; out: string; err: string[] }> {
  // Flags for Node itself need a process of their own.
  const start = options.node === undefined ? runCommand : startCommand
  const command = start(args, { cwd: directory.path, ...options })
  const code = await command.ended
  return {
    code,
    out: command.stdout(),
    err: command
      .stderr()
      .split('\n')
      .filter((line) => line !== ''),
  }
}

function headingsOf(help: string): string[] {
  return help.split('\n').filter((line) => /^[A-Z].*:$/.test(line))
}

async function post(url: string, body: unknown, headers: Readonly<Record<string, string>> = {}): Promise<Response> {
  const all = { [KEY_HEADER]: 'key', 'Content-Type': 'application/json', ...headers }
  return fetch(url, { method: 'POST', headers: all, body: JSON.stringify(body) })
}

test('serve prints in one line what it has loaded and its address, then that of the console, and shows a request that works', async () => {
  const { command, url } = await serve([], { cwd: directory.path })
  const [summary, page, curl = '', ...rest] = command.stdout().trimEnd().split('\n')
  expect(summary).toMatch(summaryOf({}, 'seed 42, http://127\\.0\\.0\\.1:\\d+ \\(\\d+ ms\\)$'))
  expect(page).toBe(`console: ${url}/__mock/`)
  expect(rest).toEqual([])
  const [, key = '', type = '', address = '', body = ''] =
    /^curl -H '(.+)' -H '(.+)' '(.+)' -d '(.+)'$/.exec(curl) ?? []
  const headers = [key, type].map((header) => header.split(': ') as [string, string])
  const response = await fetch(address, { method: 'POST', headers, body })
  expect([response.status, address.startsWith(`${url}${SEARCH}/demo/`)]).toEqual([200, true])
  expect(((await response.json()) as { files: unknown[] }).files).toHaveLength(3)
  await command.until(
    /\n[\d:]{8} POST \/api\/files\/v1\/filesets\/demo\/files\/search\?limit=3 200 [\d.]+ ms searchFiles\n/,
  )
  expect(command.stderr()).toBe('')
})

test.each(['SIGTERM', 'SIGINT'] as const)('serve ends well on %s', async (signal) => {
  const { command } = await serve([], { cwd: directory.path })
  command.child.kill(signal)
  expect(await command.ended).toBe(0)
  expect(command.stderr()).toBe('')
})

test('serve ends even while it sends to a client that does not read', async () => {
  const { command, url } = await serve(['--files', '100000'], { cwd: directory.path })
  const client = await connectTo(url)
  client.send(searchHead({ 'Content-Length': 0 }, '?limit=2147483647'))
  await client.until(/"files":/)
  client.socket.pause()
  command.child.kill('SIGTERM')
  expect(await command.ended).toBe(0)
  client.socket.destroy()
})

test('serve logs in JSON, or not at all', async () => {
  const { command: json, url } = await serve(['--log', 'json'])
  expect(JSON.parse(json.stdout())).toMatchObject({ url })
  await post(`${url}${SCHEDULES}`, {})
  await json.until(/"msg":"exchange"\}\n/)
  expect(JSON.parse(json.stdout().trimEnd().split('\n').at(-1) ?? '')).toMatchObject({
    method: 'POST',
    url: SCHEDULES,
    status: 400,
    behaviours: [
      'create.required',
      'auth.keys',
      'http.compression',
      'error.body',
      'error.invalid-status',
      'error.several',
    ],
    problem: expect.stringMatching(
      /title.* \(and \d+ more\): all are in the response, and in GET \/__mock\/journal\/1$/,
    ) as string,
  })
  expect(await serveSilently()).toEqual([0, '', ''])
})

/** Serves until there is a response, then ends. @returns exit code and outputs. Repeats where another process took the port first. */
async function serveSilently(): Promise<unknown[]> {
  const port = await freePort()
  const { child, ended, stdout, stderr } = startCommand(['serve', '--port', String(port), '--log', 'silent'])
  onTestFinished(() => void child.kill('SIGKILL'))
  while (child.exitCode === null && !(await fetch(`http://127.0.0.1:${port}`).catch(() => undefined))) await wait(20)
  child.kill('SIGTERM')
  const code = await ended
  return stderr().includes(`${port} on 127.0.0.1 is taken`) ? serveSilently() : [code, stdout(), stderr()]
}

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

test('defaults give way to the file, the file to the environment, and that to flags', async () => {
  const env = { STANDIN_SEED: '2', STANDIN_FILES: '20' }
  const { out } = await run(['check', '--config', 'settings.yaml', '--seed', '3'], { env })
  // The report schedules are the package's, the file set `tiny` is the file's.
  expect(out).toMatch(summaryOf({ fileSets: PACKAGED.fileSets + 1 }, 'seed 3[,:] '))
  const filesOf = (summary: string) => Number(/(\d+) files/.exec(summary)?.[1])
  expect(filesOf(out)).toBe(filesOf(createStandin({ files: 0 }).summary) + 20 + 2)
})

test('every setting can come from the environment, and behaviours from everywhere add up', async () => {
  const env = {
    STANDIN_CONFIG: 'settings.yaml',
    STANDIN_FIXTURES: 'tiny.yaml,more.json',
    STANDIN_BEHAVIOURS: 'next-run.disabled=null; page.last=empty; auth.keys=any',
    STANDIN_KEYS: 'keys.yaml',
    STANDIN_ORIGINS: 'https://app.example.com,https://other.example.com',
    STANDIN_HOSTS: 'standin.test',
    STANDIN_CLOCK: '2026-03-05T14:30:00Z',
    STANDIN_PROFILE: 'observed',
    // What Kubernetes sets for a service of this name.
    STANDIN_PORT: 'tcp://10.0.0.1:4010',
    STANDIN_PORT_4010_TCP: 'tcp://10.0.0.1:4010',
    STANDIN_SERVICE_HOST: '10.0.0.1',
    STANDIN_SERVICE_PORT: '4010',
  }
  const { command, url } = await serve(['--behaviour', 'set.unknown=400'], { cwd: directory.path, env })
  expect(command.stdout()).toContain(` ${PACKAGED.fileSets + 2} file sets, `)
  const tiny = await post(`${url}${SEARCH}/tiny/files/search`, {}, { Origin: 'https://other.example.com' })
  expect(await tiny.json()).toMatchObject({ files: [{ path: 'a.txt' }, { path: 'b.txt' }], pageContext: { next: '' } })
  expect(tiny.headers.get('access-control-allow-origin')).toBe('https://other.example.com')
  expect(tiny.headers.get('date')).toBe('Thu, 05 Mar 2026 14:30:00 GMT')
  expect((await post(`${url}${SEARCH}/nowhere/files/search`, {})).status).toBe(400)
  const created = await post(`${url}${SCHEDULES}`, weekly({}, { enabled: false }))
  expect([created.status, await created.json()]).toMatchObject([201, { schedule: { nextRunDate: null } }])
  const refused = await post(`${url}${SCHEDULES}`, weekly(), { [KEY_HEADER]: 'reader' })
  expect([refused.status, await refused.json()]).toMatchObject([403, { statusReason: 'Forbidden' }])
})

test('the control API has flags: a token, a bound of sandboxes, and none at all', async () => {
  const { url } = await serve(['--control-token', 'correct-horse', '--max-sandboxes', '1'], { cwd: directory.path })
  expect((await fetch(`${url}/__mock/info`)).status).toBe(401)
  const headers = { Authorization: 'Bearer correct-horse' }
  expect((await fetch(`${url}/__mock/info`, { headers })).status).toBe(200)
  const named = { ...headers, 'X-Mock-Sandbox': 'one' }
  const refused = await fetch(`${url}/__mock/reset`, { method: 'POST', headers: named })
  expect(await refused.json()).toMatchObject({ detail: expect.stringContaining('with --max-sandboxes') as string })
  const without = await serve(['--no-control'], { cwd: directory.path, env: { STANDIN_CONTROL: 'true' } })
  expect((await fetch(`${without.url}/__mock/info`)).status).toBe(404)
})

test('the help lists commands and flags in groups, and the exit codes of a command', async () => {
  const [program, check, coverage] = await Promise.all([
    run(['--help']),
    run(['check', '--help']),
    run(['coverage', '--help']),
  ])
  expect(headingsOf(program.out)).toContain('Compare with the real service:')
  expect(headingsOf(check.out)).toEqual([
    'Options:',
    'Data:',
    'Contract:',
    'Behaviours:',
    'Sandboxes:',
    'Exit codes:',
    'Examples:',
  ])
  expect(check.out).toMatch(/ 1 +with --strict: there are notes/)
  expect(coverage.out).toMatch(/ 3 +the coverage is below --min/)
})

test('check accepts the flags of serve that make no difference to it, and does not list them', async () => {
  const { code, out } = await run(['check', '--port', '0', '--watch'])
  expect([code, out]).toEqual([0, expect.stringContaining('all is well')])
  expect((await run(['check', '--help'])).out).not.toContain('--port')
})

test('colours are for terminals', async () => {
  const [plain, coloured] = await Promise.all([
    run(['check', '--help']),
    run(['check', '--help'], { env: { FORCE_COLOR: '1' } }),
  ])
  expect(plain.out).not.toContain('\u001B')
  expect(coloured.out).toContain('\u001B[1mExit codes:\u001B[22m')
  const refused = await run(['check', '--port', 'x'], { env: { FORCE_COLOR: '1' } })
  expect(refused.err[0]).toContain('\u001B[31mstandin:\u001B[39m')
})

test('--version and --help work, and without a command the commands are listed', async () => {
  const [versioned, helped, none] = await Promise.all([run(['--version']), run(['serve', '--help']), run([])])
  expect(versioned).toEqual({ code: 0, out: `${version}\n`, err: [] })
  expect(helped.out).toContain('--behaviour <id=value>')
  expect(helped.out).toMatch(/--contract <file>\s.*3\.0 to 3\.2/)
  expect([none.code, none.err.join('\n')]).toEqual([1, expect.stringContaining('serve [options]')])
})

test('the sources run without a build, and load the same', async () => {
  const [built, source] = [startCommand(['check']), startCommand(['check'], { cli: SOURCE })]
  expect(await Promise.all([built.ended, source.ended])).toEqual([0, 0])
  const loaded = (output: string) => output.replace(/\(\d+ ms\)/, '')
  expect(loaded(source.stdout())).toBe(loaded(built.stdout()))
})

test.each([
  ['20.19.0', 1],
  ['22.17.1', 1],
  ['22.18.0', 0],
  ['23.0.0', 0],
])('Node %s: check exits with %i, and an unsupported Node is refused in one line', async (version, expected) => {
  const pretend = `Object.defineProperty(process, "versions", { value: { ...process.versions, node: "${version}" } })`
  const { code, err } = await run(['check'], { node: ['--import', `data:text/javascript,${pretend}`] })
  const refusal = `standin needs Node 22.18 or later; this is ${version}. Run npm i -D node@24 in your project, install one from https://nodejs.org, or use the Docker image.`
  expect([code, err]).toEqual([expected, expected === 0 ? [] : [refusal]])
})

interface Wrong {
  readonly args: readonly string[]
  readonly env?: Readonly<Record<string, string>>
  /** The lines on standard error. */
  readonly lines: readonly (string | RegExp)[]
}

const WRONG: Readonly<Record<string, Wrong>> = {
  'an unknown flag': {
    args: ['--sed', '1'],
    lines: ["standin: unknown option '--sed'. Did you mean --seed? See standin check --help."],
  },
  'a contract on another machine': {
    args: ['--contract', 'https://api.example.com/openapi.json'],
    lines: [
      'standin: --contract: "https://api.example.com/openapi.json" is not in standin.lock: a start needs no network. Fetch it once: standin lock https://api.example.com/openapi.json',
    ],
  },
  'a flag without its value': {
    args: ['--port'],
    lines: ["standin: option '--port <number>' argument missing. See standin check --help."],
  },
  'a word too many': {
    args: ['demo'],
    lines: [/^standin: too many arguments for 'check'\. .* See standin check --help\.$/],
  },
  'a flag that npm kept for itself': {
    args: ['4020'],
    env: { npm_lifecycle_event: 'start' },
    lines: [/npm passes on flags after two dashes only: npm start -- --port 4020\. See standin check --help\.$/],
  },
  'hosts and origins with wildcards': {
    args: ['--allow-host', 'standin.test,*.corp', '--allow-host', '.corp', '--allow-origin', 'https://*.example.com'],
    lines: [
      'standin: --allow-origin: Expected origins such as https://app.example.com; got "https://*.example.com".',
      'standin: --allow-host: Expected host names such as standin.test, without port or wildcard; got "*.corp".',
      'standin: --allow-host: Expected host names such as standin.test, without port or wildcard; got ".corp".',
    ],
  },
  'values of flags, reported all at once': {
    args: '--port abc --seed -1 --files 10000001 --clock noon --log loud --behaviour page.last --keys none.yaml --allow-origin a --allow-host a:80'.split(
      ' ',
    ),
    lines: [
      'standin: --port: Expected an integer from 0 to 65535; got "abc".',
      'standin: --seed: Expected an integer from 0 to 9007199254740991; got "-1".',
      'standin: --files: Expected an integer from 0 to 10000000; got "10000001".',
      /^standin: --clock: Expected an instant with its zone, such as 2026-03-01T09:00:00Z; got "noon"\. /,
      'standin: --behaviour: `page.last` is not `id=value`. Write, for instance, `page.last=null`.',
      'standin: --keys: none.yaml: there is no such file. Check the path; it is read from the current directory.',
      'standin: --allow-origin: Expected origins such as https://app.example.com; got "a".',
      'standin: --allow-host: Expected host names such as standin.test, without port or wildcard; got "a:80".',
      'standin: --log: Expected pretty, verbose, json or silent; got "loud".',
    ],
  },
  'values of the environment': {
    args: ['--port', '65536'],
    env: { STANDIN_PORT: 'http', STANDIN_CLOCK: '2026-02-30T00:00:00Z' },
    lines: [
      'standin: STANDIN_PORT: Expected an integer from 0 to 65535; got "http".',
      /^standin: STANDIN_CLOCK: Expected an instant /,
      'standin: --port: Expected an integer from 0 to 65535; got "65536".',
    ],
  },
  'profile and behaviours': {
    args: ['--profile', 'observd', '--behaviour', 'page.lst=null', '--behaviour', 'page.last=nul'],
    env: { STANDIN_BEHAVIOURS: 'x.y=1' },
    lines: [
      'standin: --profile: There is no profile `observd`: did you mean `observed`? Profiles: default, document-only, observed.',
      /^standin: STANDIN_BEHAVIOURS: There is no behaviour `x\.y`/,
      /^standin: --behaviour: There is no behaviour `page\.lst`: did you mean `page\.last`\? GET \/__mock\/behaviours lists all \d+, /,
      'standin: --behaviour: page.last: `nul` is not allowed here: did you mean `null`? Allowed: absent, null, empty.',
    ],
  },
  'a configuration file': {
    args: ['--config', 'wrong-settings.yaml'],
    lines: [
      'standin: wrong-settings.yaml:2: There is no setting `prot`. Did you mean `port`?',
      /^standin: wrong-settings\.yaml:3: clock: Expected an instant /,
      /^standin: wrong-settings\.yaml:5: There is no behaviour `page\.lst`: did you mean `page\.last`\? /,
    ],
  },
  'a configuration file, and what it names, all at once': {
    args: ['--config', 'wrong-parts.yaml'],
    lines: [
      'standin: wrong-parts.yaml:1: seed: Expected an integer from 0 to 9007199254740991; got "seven".',
      'standin: wrong-parts.yaml:11: folders: Expected the name of a file set and a directory, as in documents=./documents; got {"docs":""}.',
      'standin: wrong-parts.yaml:2: profile: There is no profile `nope`. Profiles: default, document-only, observed.',
      'standin: wrong-parts.yaml:6: keys: Key 2 has the unknown right `searchFile`. Did you mean `searchFiles`?',
      'standin: wrong-parts.yaml:9: fixtures: none.yaml: there is no such file. Check the path; it is read from the current directory.',
    ],
  },
  'files that a configuration file names': {
    args: ['--config', 'wrong-names.yaml'],
    lines: [
      'standin: wrong-names.yaml:3: keys: no-keys.yaml: there is no such file. Check the path; it is read from the current directory.',
      'standin: wrong-names.yaml:2: profile: There is no profile `observd`: did you mean `observed`? Profiles: default, document-only, observed.',
      'standin: wrong-names.yaml:1: contract: no-contract.yaml: there is no such file. Check the path; it is read from the current directory.',
    ],
  },
  'a folder that a configuration file names': {
    args: ['--config', 'wrong-folder.yaml'],
    lines: [
      /^standin: \.: \d+ files \(.*\) for the file set tiny$/,
      'standin: wrong-folder.yaml:4: folders: nowhere: it is not there. Check the path; it is read from the current directory.',
      'standin: wrong-folder.yaml:1: fixtures: none.yaml: there is no such file. Check the path; it is read from the current directory.',
    ],
  },
  'handlers that are not there, and a profile that is none': {
    args: ['--handlers', 'none.ts', '--profile', 'nope', '--contract', 'none.yaml'],
    lines: [
      'standin: --handlers: none.ts: there is no such file. Check the path; it is read from the current directory.',
      'standin: --profile: There is no profile `nope`. Profiles: default, document-only, observed.',
      'standin: --contract: none.yaml: there is no such file. Check the path; it is read from the current directory.',
    ],
  },
  'a configuration file that is not there': {
    args: [],
    env: { STANDIN_CONFIG: 'none.yaml' },
    lines: [
      'standin: STANDIN_CONFIG: none.yaml: there is no such file. Check the path; it is read from the current directory.',
    ],
  },
  'one of several folders, origins and behaviours': {
    args: '--folder a=. --folder docs --allow-origin http://a.test --allow-origin b --behaviour x --behaviour y'.split(
      ' ',
    ),
    lines: [
      'standin: --folder: Expected the name of a file set and a directory, as in documents=./documents; got "docs".',
      'standin: --behaviour: `x` is not `id=value`. Write, for instance, `page.last=null`.',
      'standin: --behaviour: `y` is not `id=value`. Write, for instance, `page.last=null`.',
      'standin: --allow-origin: Expected origins such as https://app.example.com; got "b".',
    ],
  },
  'a mail catcher that is none, without its password': {
    args: ['--smtp', 'nonsense'],
    env: { STANDIN_SMTP: 'http://me:secret@mail.test:25/x?pass=secret' },
    lines: [
      /^standin: STANDIN_SMTP: Expected the address of a mail catcher, .*; got "http:\/\/…@mail\.test:25\/x\?…"\.$/,
      /^standin: --smtp: Expected the address of a mail catcher, .*; got "nonsense"\.$/,
    ],
  },
  'a configuration file that is a list': {
    args: ['--config', 'list.yaml'],
    lines: ['standin: list.yaml:1: Expected settings as `name: value`.'],
  },
  'a behaviour in a configuration file': {
    args: ['--config', 'wrong-behaviour.yaml'],
    lines: [/^standin: wrong-behaviour\.yaml:2: cors: `no` is not allowed here/],
  },
  'a fixture file that is not there': {
    args: ['--fixtures', 'none.yaml'],
    lines: [
      'standin: --fixtures: none.yaml: there is no such file. Check the path; it is read from the current directory.',
    ],
  },
  'fixtures that are no YAML': {
    args: ['--fixtures', 'broken.yaml'],
    lines: [/^standin: broken\.yaml:3: it is not valid YAML: /],
  },
  'fields, types and clashes in fixtures': {
    args: ['--fixtures', 'wrong.yaml', '--fixtures', 'clash.yaml', '--fixtures', 'schedule.yaml'],
    lines: [
      'standin: wrong.yaml:4: /fileSets/0/files/0 (a.txt): size must be an integer or null; it is "big".',
      'standin: wrong.yaml:5: /fileSets/0/files/1 has an unknown field `pth`. Did you mean `path`?',
      'standin: wrong.yaml:5: /fileSets/0/files/1 has no `path`. Add one, or remove the file.',
      'standin: wrong.yaml:7: /fileSets/0/files/2 (c.txt): created must be a text that matches \\.[0-9]{3,9}(Z|\\+00:00)$; it is "yesterday".',
      'standin: wrong.yaml:7: /fileSets/0/files/2 (c.txt): created must be a timestamp such as 2026-01-31T00:00:00.000Z; it is "yesterday".',
      'standin: clash.yaml:5: "a.txt/b.txt" lies within "a.txt", which is a file. Rename one of them.',
      'standin: schedule.yaml:5: Report schedule 1: schedule/frequency must be one of WEEKLY, MONTHLY; it is "DAILY".',
    ],
  },
  keys: {
    args: ['--keys', 'wrong-keys.yaml'],
    lines: [
      'standin: --keys: wrong-keys.yaml:2: Key 2: There is no field `userid`. Fields: key, userId, rights, directories.',
      'standin: --keys: wrong-keys.yaml:2: Key 2: `key` must be a text that is not blank; it is " ".',
      'standin: --keys: wrong-keys.yaml:3: Key 3: `rights` must be a list of operation ids; it is "all".',
    ],
  },
  'the rights of a key': {
    args: ['--keys', 'wrong-rights.yaml'],
    lines: [
      'standin: --keys: wrong-rights.yaml:1: Key 1 has the unknown right `searchFile`. Did you mean `searchFiles`?',
    ],
  },
  'a contract of another version': {
    args: ['--contract', 'contract.yaml'],
    lines: ['standin: contract.yaml:1: /openapi: OpenAPI 3.9.0 is not supported. Bring the document to 3.2 or 3.1.'],
  },
}

test.concurrent.each(Object.keys(WRONG))('refused with status 1 and a line for each complaint: %s', async (what) => {
  const { args, env = {}, lines } = WRONG[what]!
  const { code, out, err } = await run(['check', ...args], { env })
  const expected = lines.map((line) => (typeof line === 'string' ? line : (expect.stringMatching(line) as string)))
  expect({ code, out, err }).toEqual({ code: 1, out: '', err: expected })
})

test('a variable that looks like a setting is reported, and no other is', async () => {
  const env = {
    STANDIN_SEDE: '7',
    STANDIN_ALLOW_ORIGIN: 'https://app.example.com',
    STANDIN_MAXSANDBOXES: '8',
    STANDIN_HOME: '',
    // What Kubernetes sets for the services `standin` and `standin-web`.
    STANDIN_PORT: 'tcp://10.0.0.1:4010',
    STANDIN_PORT_80_TCP: 'tcp://10.0.0.1:80',
    STANDIN_PORT_80_TCP_PROTO: 'tcp',
    STANDIN_SERVICE_HOST: '10.0.0.1',
    STANDIN_SERVICE_PORT_HTTP: '80',
    STANDIN_WEB_PORT: 'tcp://10.0.0.2:80',
    STANDIN_WEB_SERVICE_HOST: '10.0.0.2',
    STANDIN_BUILD_REVISION: '82a0e4b',
  }
  const told = [
    'standin: STANDIN_SEDE: There is no such setting. Did you mean STANDIN_SEED?',
    'standin: STANDIN_ALLOW_ORIGIN: There is no such setting. Did you mean STANDIN_ORIGINS?',
    'standin: STANDIN_MAXSANDBOXES: There is no such setting. Did you mean STANDIN_MAX_SANDBOXES?',
  ]
  const [started, refused, silent] = await Promise.all([
    run(['check'], { env }),
    run(['check', '--port', 'x'], { env }),
    run(['check', '--log', 'silent'], { env }),
  ])
  expect([started.code, started.err]).toEqual([0, told])
  expect([refused.code, refused.err.slice(0, 3), refused.err.length]).toEqual([1, told, 4])
  expect([silent.code, silent.err]).toEqual([0, []])
})

test('a standin.yaml that is not read is named', async () => {
  const { path: cwd, remove } = createDirectory({ 'standin.yaml': 'prot: 4010\n' })
  const { code, err } = await run(['check'], { cwd })
  remove()
  const told = 'standin: standin.yaml is in this directory, but it is not read. Pass --config standin.yaml.'
  expect([code, err]).toEqual([0, [told]])
})

test('help for a command, and for all', async () => {
  const [one, all] = [await run(['help', 'wait']), await run(['help'])]
  expect([one.code, all.code]).toEqual([0, 0])
  expect(one.out).toContain('Usage: standin wait')
  expect(all.out).toContain('Usage: standin [options] [command]')
})

test('a flag without a command is refused, with a command that has it', async () => {
  const refused = await run(['--port', '4010'])
  expect(refused.err).toEqual([
    "standin: unknown option '--port'. Flags follow a command: standin serve --port. See standin --help.",
  ])
})

test.each([[['sreve']], [['help', 'sreve']]])('%j is an unknown command, and the nearest is named', async (args) => {
  const { code, err, out } = await run(args)
  const told = "standin: unknown command 'sreve'. Did you mean serve? See standin --help."
  expect({ code, err, out }).toEqual({ code: 1, err: [told], out: '' })
})

test('serve is refused a port that is taken, and an address that is not of this machine', async () => {
  const server = createServer()
  onTestFinished(() => void server.close())
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)))
  const { port } = server.address() as AddressInfo
  const [taken, foreign] = await Promise.all([
    run(['serve', '--port', String(port)]),
    run(['serve', '--host', '192.0.2.1']),
  ])
  expect(taken).toEqual({
    code: 1,
    out: '',
    err: [`standin: Port ${port} on 127.0.0.1 is taken. Stop what runs there, or pass --port 0 for a free one.`],
  })
  expect(foreign).toEqual({
    code: 1,
    out: '',
    err: ['standin: 192.0.2.1 is not an address of this machine. Pass --host 127.0.0.1, or 0.0.0.0 for all.'],
  })
})
