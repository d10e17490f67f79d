import { renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createDirectory, runCommand } from '../support/command.ts'
import { serve } from '../support/serve.ts'

const CONTRACT = JSON.stringify({
  openapi: '3.1.0',
  info: { title: 'Shop', version: '1' },
  paths: {
    '/hello': {
      get: {
        responses: { 200: { description: 'ok', content: { 'application/json': { schema: { type: 'string' } } } } },
      },
    },
  },
})

const MEDIA = `$.paths['/hello'].get.responses['200'].content['application/json']`

/** An overlay with an example. */
function saying(text: string): string {
  return `overlay: 1.0.0
info: { title: Words, version: '1' }
actions:
  - target: ${MEDIA}
    update: { example: ${text} }
`
}

const REMOVING = `overlay: 1.0.0
info: { title: No goodbye, version: '1' }
actions:
  - target: ${MEDIA}.example
    remove: true
  - target: $.paths['/goodby']
    remove: true
`

function directoryOf(files: Readonly<Record<string, string>>) {
  const directory = createDirectory({
    'shop.json': CONTRACT,
    'hello.yaml': saying('hello'),
    'less.yaml': REMOVING,
    ...files,
  })
  onTestFinished(directory.remove)
  return directory.path
}

test('`check` shows what each overlay changed, and notes actions without effect', async () => {
  const command = runCommand(
    ['check', '--contract', 'shop.json', '--overlay', 'hello.yaml', '--overlay', 'less.yaml', '--strict'],
    { cwd: directoryOf({}) },
  )
  expect(await command.ended).toBe(1)
  expect(command.stdout().split('\n')).toEqual([
    expect.stringMatching(/^GET \/hello  getHello  generated /),
    'overlay hello.yaml: 1 action, 1 update, 0 removals',
    'overlay less.yaml: 2 actions, 0 updates, 1 removal',
    `note: less.yaml:6: /actions/1/target: $.paths['/goodby'] selects nothing in shop.json: $.paths has no "/goodby". The action is ignored.`,
    expect.stringMatching(
      /^1 operation.*, contract shop\.json, overlay hello\.yaml, overlay less\.yaml, seed 42: .*1 note \(refused by --strict\)$/,
    ),
    '',
  ])
})

test.each<[string, readonly string[], Readonly<Record<string, string>>]>([
  ['the environment', [], { STANDIN_CONTRACT: 'shop.json', STANDIN_OVERLAY: 'hello.yaml,less.yaml' }],
  ['a configuration file', ['--config', 'standin.yaml'], {}],
])('%s names overlays too', async (_what, args, env) => {
  const settings = `contract: shop.json\noverlay:\n  - hello.yaml\n  - overlay: 1.0.0\n    info: { title: T, version: '1' }\n    actions: [{ target: $.info, update: { x-a: 1 } }]\n`
  const command = runCommand(['check', ...args], { cwd: directoryOf({ 'standin.yaml': settings }), env })
  expect(await command.ended).toBe(0)
  expect(command.stdout()).toContain('\noverlay hello.yaml: 1 action, 1 update, 0 removals\noverlay ')
})

test('a wrong overlay stops the start with file and line', async () => {
  const wrong = saying('hello').replace('update', 'updates')
  const command = runCommand(['check', '--overlay', 'wrong.yaml'], { cwd: directoryOf({ 'wrong.yaml': wrong }) })
  expect(await command.ended).toBe(1)
  expect(command.stderr()).toBe(
    'standin: wrong.yaml:5: /actions/0/updates: there is no such member. Did you mean "update"?\n',
  )
})

test('`--watch` reloads a changed overlay, and keeps the last one that could be applied', async () => {
  const cwd = directoryOf({})
  const { command, url } = await serve(['--contract', 'shop.json', '--overlay', 'hello.yaml', '--watch'], { cwd })
  const hello = async () => (await fetch(`${url}/hello`)).json()
  const replace = async (text: string, logged: RegExp) => {
    writeFileSync(join(cwd, 'new.yaml'), text)
    renameSync(join(cwd, 'new.yaml'), join(cwd, 'hello.yaml'))
    await command.until(logged)
  }
  expect(command.stdout()).toMatch(/watching .*hello\.yaml/)
  expect(await hello()).toBe('hello')
  await replace(saying('howdy'), /\nreloaded: 1 operation.*, overlay hello\.yaml, /)
  expect(await hello()).toBe('howdy')
  await replace(saying('[').replace('[ }', '['), /\nhello\.yaml:\d+: it is not valid YAML.*\nnot reloaded: /)
  expect(await hello()).toBe('howdy')
  await replace(saying('bonjour'), /\nreloaded: [^]*\nreloaded: /)
  expect(await hello()).toBe('bonjour')
})

test('a replay has the contract as the overlays made it, and does not need them', async () => {
  const { url } = await serve(['--contract', 'shop.json', '--overlay', 'hello.yaml'], { cwd: directoryOf({}) })
  expect(await (await fetch(`${url}/hello`)).json()).toBe('hello')
  const run = await (await fetch(`${url}/__mock/replay`)).text()
  const cwd = directoryOf({ 'run.json': run, 'other.json': run.replace('"example":"hello"', '"example":"howdy"') })
  const replay = async (file: string) => {
    const command = runCommand(['replay', file], { cwd })
    return [await command.ended, command.stdout() + command.stderr()]
  }
  expect(await replay('run.json')).toEqual([0, expect.stringContaining('1 exchange')])
  expect(await replay('other.json')).toEqual([
    1,
    expect.stringMatching(/it was created with the contract sha256:\w+, and this start has /),
  ])
})

test('the contract of the package with an overlay is replayed with it', async () => {
  const overlay = `overlay: 1.0.0
info: { title: T, version: '1' }
actions:
  - target: $.paths[?@.post.operationId == 'searchFiles']
    remove: true
`
  const { url } = await serve(['--overlay', 'less.yaml'], { cwd: directoryOf({ 'less.yaml': overlay }) })
  const { settings } = (await (await fetch(`${url}/__mock/replay`)).json()) as {
    settings: { contract: { paths: object } }
  }
  expect(Object.keys(settings.contract.paths)).toHaveLength(2)
})
