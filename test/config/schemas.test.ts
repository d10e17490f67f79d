import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import { expect, onTestFinished, test } from 'vitest'
import { parse } from 'yaml'
import { readCatalog } from '../../src/behaviours/catalog.ts'
import { readSetting } from '../../src/behaviours/options.ts'
import { createStandin } from '../../src/index.ts'
import { readPackaged } from '../../src/base/formats/source-file.ts'
import { createDirectory, runCommand } from '../support/command.ts'

function schemaOf(name: string): ValidateFunction {
  const file = new URL(`../../spec/schemas/${name}.schema.json`, import.meta.url)
  return new Ajv2020({ strict: false, allowUnionTypes: true }).compile(JSON.parse(readFileSync(file, 'utf8')) as object)
}

const settings = schemaOf('standin')

test('what standin init writes names its schema, and fits it', async () => {
  const { path, remove } = createDirectory({})
  onTestFinished(remove)
  await runCommand(['init', path, '--yes'], { cwd: path }).ended
  const read = (file: string) => readFileSync(join(path, file), 'utf8')
  expect(read('standin.yaml')).toMatch(
    /^# yaml-language-server: \$schema=node_modules\/standin\/spec\/schemas\/standin\.schema\.json\n/,
  )
  // With every suggestion.
  const lines = read('standin.yaml').split('\n')
  const uncommented = lines
    .map((line) => (/^# (?!yaml-)[\w.-]+:(?: |$)|^# {3}/.test(line) ? line.slice(2) : line))
    .join('\n')
  expect([settings(parse(read('standin.yaml'))), settings.errors]).toEqual([true, null])
  expect([settings(parse(uncommented)), settings.errors]).toEqual([true, null])
  const fixtures = schemaOf('fixtures')
  expect([fixtures(parse(read('standin.fixture.yaml'))), fixtures.errors]).toEqual([true, null])
})

test.each([
  [{ prot: 4010 }, false],
  [{ port: 4010, log: 'json', fixtures: ['a.yaml', { collections: {} }], watch: true }, true],
  [{ port: 'high' }, false],
  [{ log: 'loud' }, false],
  [{ behaviours: { 'page.last': null, 'limit.max': 'clamp:500' } }, true],
  [{ behaviours: { 'page.lst': 'null' } }, false],
  [{ behaviours: { 'limit.max': 'clamp' } }, false],
  [{ keys: [{ key: 'a', userId: 7 }], mock: ['tag:orders'], fallback: [404, 'down'] }, true],
  [{ keys: [{ userId: 7 }] }, false],
  [{ $schema: 'x', contract: 'openapi.yaml', folders: { docs: './docs' } }, true],
])('%j', (given, fits) => {
  expect(settings(given)).toBe(fits)
})

/** Values of all forms, each allowed for some behaviour. */
const CANDIDATES = [
  true,
  false,
  0,
  1,
  7,
  500,
  -1,
  1e18,
  'none',
  'null',
  null,
  'clamp:500',
  'clamp:0',
  'every-3',
  '403',
  403,
  'P1D',
  [],
  {},
]

test('the schema takes the settings of a behaviour that a start takes, and no others', () => {
  const { behaviours } = readCatalog(readPackaged('spec/behaviours.yaml').value)
  let compared = 0
  const wrong: unknown[] = []
  for (const { id, options, default: usual } of behaviours) {
    if (!options) continue
    const words = 'choice' in options ? options.choice : []
    for (const value of [usual, ...words, ...CANDIDATES]) {
      // A time may have a unit, numbers and lists may be texts as on the command line, and a schema knows no time zones.
      const isText = typeof value === 'string' && !('choice' in options)
      const isTime = words.some((word) => /\bP\b/.test(word))
      if (isText || isTime) continue
      const isTaken = 'setting' in readSetting(options, value, usual)
      if (settings({ behaviours: { [id]: value } }) !== isTaken) wrong.push([id, value, isTaken])
      compared++
    }
  }
  expect(wrong).toEqual([])
  expect(compared).toBeGreaterThan(2000)
})

test('a replay fits its schema, and one of another version does not', async () => {
  const standin = createStandin()
  await standin.fetch('/api/files/v1/filesets/demo/files/search', { method: 'POST', body: '{}' })
  const replay = await standin.control.getReplay()
  const fits = schemaOf('replay')
  expect([fits(JSON.parse(JSON.stringify(replay))), fits.errors]).toEqual([true, null])
  expect(fits({ ...replay, exchanges: 'none' })).toBe(false)
  expect(fits({})).toBe(false)
})

test('a JSON file may name its schema', async () => {
  const { path, remove } = createDirectory({
    'standin.json': '{"$schema":"node_modules/standin/spec/schemas/standin.schema.json","seed":7}',
    'fixture.json': '{"$schema":"x","fileSets":[{"id":"own","files":[{"path":"a.txt"}]}]}',
  })
  onTestFinished(remove)
  const check = runCommand(['check', '--config', 'standin.json', '--fixtures', 'fixture.json'], { cwd: path })
  expect([await check.ended, check.stderr()]).toEqual([0, ''])
  expect(createStandin({ fixtures: [{ $schema: 'x', fileSets: [] }] }).notes).toEqual([])
})

test('the entry of the MCP registry is for this version, and names a command and flags that there are', async () => {
  const read = (file: string) =>
    JSON.parse(readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8')) as {
      version: string
      packages: { version: string; packageArguments: { type: string; value?: string; name?: string }[] }[]
    }
  const { version, packages } = read('server.json')
  expect([version, packages[0]?.version]).toEqual(Array(2).fill(read('package.json').version))
  const [command, flag] = packages[0]?.packageArguments ?? []
  const help = runCommand([command?.value ?? '', '--help'])
  expect(await help.ended).toBe(0)
  expect(help.stdout()).toContain(flag?.name)
})
