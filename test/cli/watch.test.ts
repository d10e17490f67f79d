import { renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createControlClient, type ReplayDocument } from '../../src/index.ts'
import { parseJson, stringifyJson } from '../../src/base/formats/json.ts'
import { replay } from '../../src/app/replay/replay.ts'
import { type Command, createDirectory } from '../support/command.ts'
import { serve } from '../support/serve.ts'
import { changedContract, type Parts } from '../support/contracts/own-contract.ts'
import { KEY_HEADER, SCHEDULES, SEARCH, weekly } from '../support/tester.ts'

const PLAIN = changedContract(() => undefined)

/** A server that watches its files. @param again the directory of an earlier one */
async function watching(files: Readonly<Record<string, string>>, args: readonly string[], again?: string) {
  const directory = again === undefined ? createDirectory(files) : { path: again, remove: () => undefined }
  onTestFinished(directory.remove)
  const all = ['--clock', '2026-03-05T14:30:00Z', '--watch', ...args]
  const { command, url } = await serve(all, { cwd: directory.path })
  const send = async (method: string, path: string, body: unknown, key = 'key') => {
    const headers = { [KEY_HEADER]: key, 'Content-Type': 'application/json' }
    const response = await fetch(url + path, { method, headers, body: JSON.stringify(body) })
    const text = await response.text()
    return { status: response.status, body: JSON.parse(text === '' ? 'null' : text) as Record<string, unknown> }
  }
  return {
    command,
    path: directory.path,
    url,
    send,
    control: createControlClient({ url }),
    /** As editors do: another file replaces the old one, so that no half of it is ever read. */
    replace(name: string, text: string) {
      writeFileSync(join(directory.path, `${name}.new`), text)
      renameSync(join(directory.path, `${name}.new`), join(directory.path, name))
    },
    paths: async (key?: string) => {
      const { body } = await send('POST', `${SEARCH}/tiny/files/search`, {}, key)
      return (body.files as { path: string }[]).map(({ path }) => path)
    },
  }
}

/** Resolves when the process has logged so many reloads, successful or not. */
async function reloads({ until, stdout }: Command, count: number): Promise<string> {
  await until(new RegExp(`(?:\\n(?:not )?reloaded: .*(?=\\n)[^]*?){${count}}`))
  return stdout()
}

const fixture = (...paths: string[]) =>
  JSON.stringify({ fileSets: [{ id: 'tiny', files: paths.map((path) => ({ path })) }] })

function tighter({ at, properties }: Parts): void {
  at('/components/schemas/Frequency').enum = ['WEEKLY']
  Object.assign(properties('ReportScheduleInfo'), { costCentre: { type: 'string' } })
  Object.assign(properties('ReportScheduleResponse'), { costCentre: { type: 'string' } })
}

function wider({ properties }: Parts): void {
  Object.assign(properties('ReportScheduleInfo'), { costCentre: { type: 'string' } })
}

test('a changed contract is reloaded in place: same port, same state, with a note on what became invalid', async () => {
  const { command, send, replace, control } = await watching({ 'own.json': PLAIN }, ['--contract', 'own.json'])
  const monthly = weekly({ title: 'Monthly' }, { frequency: 'MONTHLY', daysToRun: '1' })
  expect((await send('POST', SCHEDULES, monthly)).body.id).toBe(7)
  await send('POST', SCHEDULES, weekly(), 'key@other')

  replace('own.json', changedContract(tighter))
  const told = await reloads(command, 1)
  expect(told).toContain(
    'no longer valid, and kept: sandbox default, report schedule 7: /schedule/frequency: expected one of WEEKLY, got "MONTHLY" (own.json:1)\n',
  )
  expect((await send('POST', SCHEDULES, monthly)).status).toBe(400)
  expect((await send('PUT', `${SCHEDULES}/7`, { title: 'Kept' })).body.title).toBe('Kept')
  const made = await send('POST', SCHEDULES, weekly({ costCentre: 'K-1' }), 'key@other')
  expect(made.body).toMatchObject({ id: 8, costCentre: 'K-1' })
  expect((await control.listSandboxes()).sandboxes.map(({ name }) => name)).toEqual(['default', 'other'])
})

test('a broken file leaves the old one in force, with the message, and the next good one is taken', async () => {
  const { command, send, replace } = await watching({ 'own.json': PLAIN }, ['--contract', 'own.json'])
  replace('own.json', '{ "openapi": ')
  expect(await reloads(command, 1)).toMatch(
    /\nown\.json:1: it is not valid JSON: .*\nnot reloaded: the previous version stays active\n/,
  )
  expect((await send('POST', SCHEDULES, weekly())).body.id).toBe(7)
  replace('own.json', changedContract(tighter))
  expect(await reloads(command, 2)).toContain('\nreloaded: 3 operations, ')
  expect((await send('POST', SCHEDULES, weekly({ costCentre: 'K-2' }))).body).toMatchObject({ costCentre: 'K-2' })
})

test('a changed fixture is what a reset goes back to, and what begins begins with; what is there stays', async () => {
  const { command, control, url, replace, paths } = await watching({ 'own.json': fixture('a.txt') }, [
    '--fixtures',
    'own.json',
  ])
  await control.forkSandbox('default', { name: 'fork' })
  await control.addFiles('tiny', [{ path: 'mine.txt' }])
  replace('own.json', fixture('b.txt', 'c.txt'))
  await reloads(command, 1)
  await command.until(/\nsandboxes keep their state; POST \/__mock\/reset starts one again from the files/)
  expect(await paths()).toEqual(['a.txt', 'mine.txt'])
  expect(await paths('key@later')).toEqual(['b.txt', 'c.txt'])
  await control.reset()
  expect(await paths()).toEqual(['b.txt', 'c.txt'])
  await createControlClient({ url, sandbox: 'fork' }).reset()
  expect(await paths('key@fork')).toEqual(['a.txt'])
})

test('a changed configuration is reloaded as far as it can be, and the rest is named', async () => {
  const settings = (last: string, seed: number) =>
    `fixtures: [own.json]\nseed: ${seed}\nbehaviours:\n  page.last: "${last}"\n`
  const files = { 'own.json': fixture('a.txt'), 'settings.yaml': settings('absent', 42) }
  const { command, send, replace } = await watching(files, ['--config', 'settings.yaml'])
  const last = async () => (await send('POST', `${SEARCH}/tiny/files/search`, {})).body.pageContext
  expect(await last()).toEqual({})
  replace('settings.yaml', settings('null', 43))
  expect(await reloads(command, 1)).toContain('\nstart again to apply: seed\n')
  expect(await last()).toEqual({ next: null })
})

test('a configuration that cannot be read, or is gone for a moment, leaves the server and its state as they are', async () => {
  const files = { 'own.json': fixture('a.txt'), 'settings.yaml': 'fixtures: [own.json]\nseed: 42\n' }
  const { command, control, path, replace, paths } = await watching(files, ['--config', 'settings.yaml'])
  await control.addFiles('tiny', [{ path: 'mine.txt' }])
  replace('settings.yaml', 'fixtures: [own.json\nseed: 42\n')
  expect(await reloads(command, 1)).toContain('\nnot reloaded: the previous version stays active\n')
  rmSync(join(path, 'settings.yaml'))
  expect(await reloads(command, 2)).toMatch(/settings\.yaml: .*no such file.*\nnot reloaded: /)
  expect(await paths()).toEqual(['a.txt', 'mine.txt'])
  replace('settings.yaml', 'fixtures: [own.json]\nseed: 42\n')
  expect(await reloads(command, 3)).toContain('\nreloaded: ')
})

test('a reference that cannot be decoded is a mistake of the contract, and leaves the server running', async () => {
  const { command, replace } = await watching({ 'own.json': PLAIN }, ['--contract', 'own.json'])
  replace('own.json', PLAIN.replace('"components":', '"x-part": { "$ref": "%zz.json" }, "components":'))
  await reloads(command, 1)
  replace('own.json', PLAIN)
  expect(await reloads(command, 2)).toContain('\nreloaded: 3 operations, ')
})

test('sandboxes in a data directory continue with the files of their first start', async () => {
  const files = { 'own.json': fixture('a.txt'), 'settings.yaml': 'behaviours: {}\n' }
  const args = ['--fixtures', 'own.json', '--config', 'settings.yaml', '--data', 'kept']
  const { command, send, replace, paths } = await watching(files, args)
  replace('own.json', fixture('b.txt'))
  expect(await reloads(command, 1)).toMatch(
    /\n--data kept: it was created with the fixture own\.json sha256:\w+, and this start has sha256:\w+\.\n--data kept: the directory belongs to the initial state that it was started with\. To use the changed files, stop, and start with another --data directory, or remove kept\. To keep the state, GET \/__mock\/state of each sandbox before that, and PUT it after the start\.\nnot reloaded: /,
  )
  expect(await paths()).toEqual(['a.txt'])
  replace('own.json', fixture('a.txt'))
  await reloads(command, 2)
  replace('settings.yaml', 'behaviours: { create.status: "201" }\n')
  await reloads(command, 3)
  expect((await send('POST', SCHEDULES, weekly())).status).toBe(201)
})

test('another contract for kept sandboxes is refused, and each remedy of the message works', async () => {
  const args = ['--contract', 'own.json', '--data', 'kept']
  const first = await watching({ 'own.json': PLAIN }, args)
  await first.send('POST', SCHEDULES, weekly({ title: 'Mine' }))
  first.replace('own.json', changedContract(wider))
  expect(await reloads(first.command, 1)).toMatch(
    /\n--data kept: it was created with the contract sha256:\w+, and this start has .*\n--data kept: .* remove kept\. .*\nnot reloaded: /,
  )
  const state = await first.control.getState()
  first.command.child.kill('SIGTERM')
  await first.command.ended

  for (const data of ['other', 'kept']) {
    if (data === 'kept') rmSync(join(first.path, 'kept'), { recursive: true })
    const next = await watching({}, ['--contract', 'own.json', '--data', data], first.path)
    expect((await next.send('PUT', `${SCHEDULES}/7`, {})).status).toBe(404)
    await next.control.putState(state)
    expect((await next.send('PUT', `${SCHEDULES}/7`, {})).body.title).toBe('Mine')
    next.command.child.kill('SIGTERM')
    await next.command.ended
  }
})

test('a replay reaches back to the last reload', async () => {
  const { command, send, replace, control } = await watching({ 'own.json': PLAIN }, ['--contract', 'own.json'])
  await send('POST', SCHEDULES, weekly({}, { frequency: 'MONTHLY', daysToRun: '1' }))
  replace('own.json', changedContract(tighter))
  await reloads(command, 1)
  await send('POST', SCHEDULES, weekly({ costCentre: 'K-3' }))
  await send('PUT', `${SCHEDULES}/8`, { title: 'Renamed' })
  const document: ReplayDocument = await control.getReplay()
  const report = await replay({ file: 'run.json', value: parseJson(stringifyJson(document)), lineOf: () => 1 })
  expect(report).toMatchObject({ exchanges: 2, events: 2, skipped: [], difference: undefined })
})

test('a file of handlers that is gone for a moment leaves the server as it is, and says so', async () => {
  const handlers = `import { defineOperation } from 'standin'\nexport default defineOperation('updateReportSchedule', () => ({ status: 200, body: { id: 1, title: 'own' } }))\n`
  const { command, path, send, replace } = await watching({ 'own.js': handlers }, ['--handlers', 'own.js'])
  rmSync(join(path, 'own.js'))
  expect(await reloads(command, 1)).toContain(
    '\n--handlers: own.js: there is no such file. Check the path; it is read from the current directory.\nnot reloaded: ',
  )
  expect((await send('PUT', `${SCHEDULES}/1`, {})).body.title).toBe('own')
  replace('own.js', handlers)
  expect(await reloads(command, 2)).toContain('\nreloaded: ')
})

test('a changed file of handlers answers from the next request on, and a broken one does not', async () => {
  const handlers = (text: string) =>
    `import { defineOperation } from 'standin'\nexport default defineOperation('updateReportSchedule', () => ({ status: 200, body: { id: 1, title: '${text}' } }))\n`
  const { command, send, replace } = await watching({ 'own.js': handlers('one') }, ['--handlers', 'own.js'])
  const title = async () => (await send('PUT', `${SCHEDULES}/1`, {})).body.title
  expect(await title()).toBe('one')
  replace('own.js', 'export default [')
  expect(await reloads(command, 1)).toMatch(/\nown\.js.* it cannot be imported: .*\nnot reloaded: /)
  expect(await title()).toBe('one')
  replace('own.js', handlers('two'))
  await reloads(command, 2)
  expect(await title()).toBe('two')
})

test('the files that a contract is made of are watched with it', async () => {
  const schema = { $ref: 'frequency.json' }
  const contract = changedContract(({ at }) => {
    at('/components/schemas').Frequency = schema
  })
  const any = JSON.stringify({ type: 'string' })
  const { command, send, replace } = await watching({ 'own.json': contract, 'frequency.json': any }, [
    '--contract',
    'own.json',
  ])
  const monthly = weekly({}, { frequency: 'MONTHLY', daysToRun: '1' })
  expect((await send('POST', SCHEDULES, monthly)).status).toBe(200)
  replace('frequency.json', JSON.stringify({ type: 'string', enum: ['WEEKLY'] }))
  await reloads(command, 1)
  expect((await send('POST', SCHEDULES, monthly)).status).toBe(400)
})

test('files that the handlers import are watched too, and read anew with what they import themselves', async () => {
  const handlers = (...lines: string[]) =>
    [
      ...lines,
      "import { problem } from 'standin'",
      "export default { operationId: 'searchFiles', handle: () => problem(418, words()) }",
    ].join('\n')
  const { command, send, replace } = await watching(
    {
      'own.ts': handlers("import { words } from './words.ts'"),
      'words.ts':
        "import { word } from './word.mjs'\nimport old from './old.cjs'\nexport const words = (): string => `${word} ${old.word}`",
      'word.mjs': "export const word = 'one'",
      'old.cjs': "exports.word = require('./older.cjs')",
      'older.cjs': "module.exports = 'first'",
    },
    ['--handlers', 'own.ts'],
  )
  const title = async () => (await send('POST', `${SEARCH}/tiny/files/search`, {})).body.title
  expect(command.stdout()).toContain('watching own.ts, words.ts, word.mjs, old.cjs, older.cjs\n')
  expect(await title()).toBe('one first')
  replace('word.mjs', "export const word = 'two'")
  await reloads(command, 1)
  expect(await title()).toBe('two first')
  replace('older.cjs', "module.exports = 'second'")
  await reloads(command, 2)
  expect(await title()).toBe('two second')
  replace('own.ts', handlers("import { words } from './others.ts'"))
  expect(await reloads(command, 3)).toMatch(
    /own\.ts: it imports others\.ts, and there is no such file\. .*\nnot reloaded/,
  )
  expect(await title()).toBe('two second')
  replace('others.ts', 'export const words = () => broken broken')
  expect(await reloads(command, 4)).toMatch(/others\.ts:1\)\nnot reloaded/)
  replace('others.ts', "export const words = () => 'three'")
  await reloads(command, 5)
  expect(await title()).toBe('three')
})
