import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { createConfig, type SettingSource } from '../../src/config/create-config.ts'
import { SETTINGS } from '../../src/config/settings.ts'
import { environmentSource } from '../../src/config/sources.ts'
import { createStandin } from '../../src/index.ts'
import { createDirectory } from '../support/command.ts'
import { startComplaintsOf } from '../support/tester.ts'

function sourceOf(values: Readonly<Record<string, unknown>>): SettingSource {
  return { nameOf: (setting) => setting, values }
}

test('a later source wins, setting by setting, and behaviours add up', () => {
  const config = createConfig([
    sourceOf({ seed: 1, port: 1000, log: 'json', behaviours: { 'page.last': 'null' } }),
    environmentSource({ STANDIN_SEED: '2', STANDIN_PORT: '2000', STANDIN_BEHAVIOURS: 'page.last=empty;cors=off' }),
    sourceOf({ seed: '3', host: undefined, behaviours: ['create.status=201'] }),
  ])
  expect(config).toMatchObject({ seed: 3, port: 2000, log: 'json', host: '127.0.0.1', files: 1000 })
  expect(config.behaviours.map(({ id, value, setBy }) => [id, value, setBy])).toEqual([
    ['page.last', 'null', 'behaviours'],
    ['page.last', 'empty', 'STANDIN_BEHAVIOURS'],
    ['cors', 'off', 'STANDIN_BEHAVIOURS'],
    ['create.status', '201', 'behaviours'],
  ])
})

test('a blank variable is as good as none, and foreign ones are passed over', () => {
  const config = createConfig([environmentSource({ STANDIN_SEED: '', STANDIN_HTTP_PROXY: 'x', SEED: '7' })])
  expect(config).toEqual(createConfig([]))
})

test('the address that Kubernetes puts into STANDIN_PORT is not meant for us, whatever its protocol', () => {
  for (const address of ['tcp://10.0.0.1:4010', 'udp://[fd00::1]:53', 'sctp://10.0.0.1:1'])
    expect(createConfig([sourceOf({ port: 9 }), environmentSource({ STANDIN_PORT: address })]).port).toBe(9)
  const wrong = () => createConfig([environmentSource({ STANDIN_PORT: '10.0.0.1:4010' })])
  expect(startComplaintsOf(wrong)).toEqual(['STANDIN_PORT: Expected an integer from 0 to 65535; got "10.0.0.1:4010".'])
  // Only Kubernetes has a reason to do so, and only there.
  expect(
    startComplaintsOf(() => createConfig([environmentSource({ STANDIN_SEED: 'tcp://10.0.0.1:4010' })])),
  ).toHaveLength(1)
})

test('origins and hosts are taken as browsers write them', () => {
  const config = createConfig([
    sourceOf({ origins: ['HTTPS://App.Example.com/', ' null ', 'tauri://localhost'], hosts: 'Standin.test,[::1]' }),
  ])
  expect(config).toMatchObject({
    origins: ['https://app.example.com', 'null', 'tauri://localhost'],
    hosts: ['standin.test', '[::1]'],
  })
  const origins = ['app.example.com', 'https://app.example.com/path', '*', '', 7]
  for (const origin of origins)
    expect(startComplaintsOf(() => createConfig([sourceOf({ origins: [origin] })]))).toHaveLength(1)
  const hosts = ['http://standin.test', 'standin.test:80', 'a b', '', null]
  for (const host of hosts) expect(startComplaintsOf(() => createConfig([sourceOf({ hosts: [host] })]))).toHaveLength(1)
})

test('names of several words have underscores in the environment, and the control API can be switched off anywhere', () => {
  const env = { STANDIN_MAX_SANDBOXES: '8', STANDIN_CONTROL: 'false', STANDIN_CONTROL_TOKEN: 'correct-horse' }
  expect(createConfig([environmentSource(env)])).toMatchObject({
    maxSandboxes: 8,
    control: false,
    controlToken: 'correct-horse',
  })
  expect(createConfig([sourceOf({ control: false }), environmentSource({ STANDIN_CONTROL: 'true' })]).control).toBe(
    true,
  )
  expect(createConfig([])).toMatchObject({ maxSandboxes: 256, control: true, controlToken: undefined })
})

test('wrong settings of the control API are reported, and no token is shown', () => {
  const wrong = sourceOf({ maxSandboxes: 0, control: 'off', controlToken: 'my secret' })
  expect(startComplaintsOf(() => createConfig([wrong]))).toEqual([
    'maxSandboxes: Expected an integer from 1 to 10000; got 0.',
    'control: Expected true or false; got "off".',
    'controlToken: Expected a token of 8 to 256 letters, digits and -._~+/=; it is not shown here.',
  ])
})

test('a clock is an instant whose files still have years of four digits', () => {
  const clockOf = (clock: unknown) => createConfig([sourceOf({ clock })]).clock
  const noon = Date.parse('2026-03-01T12:00:00Z')
  expect([clockOf('2026-03-01T12:00:00Z'), clockOf(new Date(noon)), clockOf(noon)]).toEqual([noon, noon, noon])
  for (const clock of ['noon', '2026-03-01', '0001-01-01T00:00:00Z', Number.NaN, 8.64e15, new Date(Number.NaN), true])
    expect(
      startComplaintsOf(() => clockOf(clock)),
      String(clock),
    ).toEqual([expect.stringMatching(/^clock: Expected an instant /)])
})

test('keys stand alone in their file or under `keys`, and a complaint names the line', () => {
  const directory = createDirectory({
    'alone.yaml': '- { key: a, userId: 7 }\n- key: b\n  rights: [searchFiles]\n',
    'under.yaml': 'keys:\n  - { key: a, userId: 7 }\n  - { key: b, rights: [searchFiles] }\n',
    'wrong.yaml': 'keys:\n  - { key: a }\n  - { key: b, userId: 0 }\n',
    'none.yaml': 'key: a\n',
  })
  try {
    const keysOf = (file: string) => createConfig([sourceOf({ keys: `${directory.path}/${file}` })]).keys
    const keys = [
      { key: 'a', userId: 7 },
      { key: 'b', rights: ['searchFiles'] },
    ]
    expect(keysOf('alone.yaml')).toEqual(keys)
    expect(keysOf('under.yaml')).toEqual(keys)
    expect(startComplaintsOf(() => keysOf('wrong.yaml'))).toEqual([
      expect.stringMatching(/wrong\.yaml:3: Key 2: `userId` must be a positive integer; it is 0\.$/),
    ])
    expect(startComplaintsOf(() => keysOf('none.yaml'))).toEqual([
      expect.stringMatching(/none\.yaml:1: Expected a list of \{ key, userId, rights, directories \}; got nothing\.$/),
    ])
  } finally {
    directory.remove()
  }
})

test('options of the library are refused like settings, and none of them pollutes anything', () => {
  const wrong = { port: 1.5, files: -1, colour: 'red', __proto__: null, constructor: 1 }
  expect(startComplaintsOf(() => createStandin(wrong as never))).toEqual([
    'options.port: Expected an integer from 0 to 65535; got 1.5.',
    'options.files: Expected an integer from 0 to 10000000; got -1.',
    expect.stringMatching(/^options\.colour: There is no setting `colour`\. /),
    expect.stringMatching(/^options\.constructor: There is no setting `constructor`\. /),
  ])
})

test('what options of the library name is refused under their names, all at once', () => {
  const wrong = { seed: 1.5, profile: 'nope', fixtures: ['none.yaml'], keys: [{ key: 'a', rights: ['searchFile'] }] }
  const complaints = [
    'options.profile: There is no profile `nope`. Profiles: default, document-only, observed.',
    'options.keys: Key 1 has the unknown right `searchFile`. Did you mean `searchFiles`?',
    'options.fixtures: none.yaml: there is no such file. Check the path; it is read from the current directory.',
  ]
  expect(startComplaintsOf(() => createStandin({ ...wrong, seed: 1 }))).toEqual(complaints)
  // Where a setting cannot be read, what the others name is looked at all the same.
  expect(startComplaintsOf(() => createStandin(wrong))).toEqual([
    'options.seed: Expected an integer from 0 to 9007199254740991; got 1.5.',
    ...complaints,
  ])
  // A mistake that may only follow from the other one is not reported.
  const unknown = startComplaintsOf(() => createStandin({ contract: '', keys: [{ key: 'a', rights: ['listThings'] }] }))
  expect(unknown).toEqual(['options.contract: Expected the path of an OpenAPI document; got "".'])
})

test.for<[string, string]>([
  ['mail.test:25', 'mail.test:25'],
  ['user:hunter2@mail.test', '…@mail.test'],
  ['smtp://user:hunter2@mail.test:25/x', 'smtp://…@mail.test:25/x'],
  ['smtp://user:hunter2', 'smtp://user:…'],
  ['smtp://user:hunt@er2@mail.test/x', 'smtp://…@mail.test/x'],
  ['smtp://mail.test?password=hunter2', 'smtp://mail.test?…'],
  ['smtp:user:hunter2@mail.test', '…@mail.test'],
])('the address %s of a mail catcher that cannot be is shown without what may be a password', ([smtp, seen]) => {
  const [complaint] = startComplaintsOf(() => createStandin({ smtp }))
  expect(complaint).toMatch(/^options\.smtp: Expected the address of a mail catcher, /)
  expect(complaint!.split('; got ')[1]).toBe(`${JSON.stringify(seen)}.`)
})

test.for<[string, string]>([
  ['http://user:hunter2@store.test', 'http://…@store.test'],
  ['redis://', 'redis://'],
  ['user:hunter2@store.test', '…@store.test'],
])('the address %s of a store that cannot be is shown without what may be a password', ([store, seen]) => {
  const [complaint] = startComplaintsOf(() => createConfig([sourceOf({ store })]))
  expect(complaint).toMatch(/^store: Expected the address of a Valkey or Redis, /)
  expect(complaint!.split('; got ')[1]).toBe(`${JSON.stringify(seen)}.`)
})

test('the reference lists every setting with its flag, its variable and its name in a file', () => {
  const reference = readFileSync('docs/reference.md', 'utf8')
  for (const [name, { flag }] of Object.entries(SETTINGS)) {
    const variable = `STANDIN_${name.replaceAll(/[A-Z]/g, '_$&').toUpperCase()}`
    expect(reference).toMatch(new RegExp(`^\\| \`${flag}\` \\| \`${variable}(=false)?\` \\| \`${name}\` \\|`, 'm'))
  }
})
