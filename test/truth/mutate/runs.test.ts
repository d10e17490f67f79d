import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import type { SavedRun } from '../../../src/control/client/mutation-report.ts'
import { createDirectory, runCommand, startCommand } from '../../support/command.ts'

const FILES = {
  'notes.yaml': `
openapi: 3.1.0
info: { title: Notes, version: '1' }
paths:
  /notes:
    get:
      operationId: listNotes
      responses:
        '200':
          description: All notes.
          content:
            application/json:
              schema:
                type: array
                items:
                  type: object
                  required: [id, text]
                  properties: { id: { type: integer }, text: { type: string }, place: { type: string } }`,
  // Each run of it leaves two lines, and takes as long as a test wants.
  'notes.js': `
    import { appendFileSync } from 'node:fs'
    appendFileSync('runs', 'begins\\n')
    const response = await fetch(process.env.STANDIN_URL + '/notes')
    const notes = await response.json()
    await new Promise((resolve) => setTimeout(resolve, Number(process.env.TAKES ?? 0)))
    appendFileSync('runs', 'ends\\n')
    if (notes.some(({ place }) => place.trim() === 'nowhere')) throw new Error('Nowhere')`,
}

let path: string
beforeEach(() => {
  const project = createDirectory(FILES)
  onTestFinished(() => project.remove())
  path = project.path
})

const COMMAND = ['--', process.execPath, 'notes.js']
const ALL = [
  'mutate',
  '--contract',
  'notes.yaml',
  '--format',
  'stryker',
  '--only',
  ['id', 'text', 'place'].map((name) => `listNotes /*/${name}`).join(),
]

interface Report {
  readonly files: Readonly<Record<string, { readonly mutants: readonly { readonly id: string }[] }>>
  readonly config: SavedRun
}

const readReport = (name: string) => JSON.parse(readFileSync(join(path, name), 'utf8')) as Report
const triedIn = ({ config }: Report) => Object.keys(config.mutants)

/** Long enough for others to begin. */
const SLOW = { TAKES: '100' }

async function mutate(name: string, args: readonly string[] = [], env: Readonly<Record<string, string>> = {}) {
  const ran = runCommand([...ALL, '--out', name, ...args, ...COMMAND], { cwd: path, env })
  expect(await ran.ended, ran.stderr()).toBe(0)
  return { ...readReport(name), out: ran.stdout() }
}

/** The lines that the runs of the tests left since the last call. */
function runs(): readonly string[] {
  const lines = readFileSync(join(path, 'runs'), 'utf8').split('\n').slice(0, -1)
  writeFileSync(join(path, 'runs'), '')
  return lines
}

function mostAtOnce(lines: readonly string[]): number {
  let running = 0
  return Math.max(...lines.map((line) => (running += line === 'begins' ? 1 : -1)))
}

/** Ready tests have the clock of the run. */
const FROZEN = ['--clock', '2026-03-05T14:30:00Z']

test('--max tries so many changes, which the seed chooses: the same seed gives the same report', async () => {
  const first = await mutate('first.json', ['--max', '3', '--seed', '7', ...FROZEN])
  expect(triedIn(first)).toHaveLength(3)
  expect(first.out).toMatch(/^\d+ changes were not tried\.$/m)
  const again = await mutate('again.json', ['--max', '3', '--seed', '7', ...FROZEN])
  expect([again.files, again.config]).toEqual([first.files, first.config])
  const other = await mutate('other.json', ['--max', '3', '--seed', '8'])
  expect(triedIn(other)).not.toEqual(triedIn(first))
})

test('--jobs says how many changes are tried at the same time, and changes no verdict', async () => {
  const alone = await mutate('alone.json', ['--max', '4', '--jobs', '1'])
  expect(mostAtOnce(runs())).toBe(1)
  const together = await mutate('together.json', ['--max', '4', '--jobs', '3'], SLOW)
  expect(mostAtOnce(runs())).toBe(3)
  expect(together.files).toEqual(alone.files)
})

test('a run that was interrupted goes on with the changes that are left, and ends as one that was not', async () => {
  const whole = await mutate('whole.json')
  runs()
  const { child, ended } = startCommand([...ALL, '--jobs', '1', '--out', 'part.json', ...COMMAND], {
    cwd: path,
    env: SLOW,
  })
  // Two runs without a change, and two with one.
  await vi.waitFor(() => expect(readFileSync(join(path, 'runs'), 'utf8').match(/ends/g)).toHaveLength(4), 30_000)
  child.kill('SIGINT')
  expect(await ended).toBe(130)
  const known = triedIn(readReport('part.json')).length
  expect(known).toBeGreaterThan(0)
  runs()
  const rest = await mutate('rest.json', ['--changed-since', 'part.json'])
  expect(runs().filter((line) => line === 'ends')).toHaveLength(2 + triedIn(whole).length - known)
  expect(rest.files).toEqual(whole.files)
})

/** A client that sends a request without a response again, and copes with no refusal. */
const TICKETS = {
  'tickets.yaml': `
openapi: 3.1.0
info: { title: Tickets, version: '1' }
paths:
  /tickets:
    get:
      operationId: listTickets
      responses:
        '200': { description: All., content: { application/json: { schema: { type: array, items: { type: object } } } } }
  /tags:
    get:
      operationId: listTags
      responses:
        '200': { description: All., content: { application/json: { schema: { type: array, items: { type: string } } } } }`,
  'tickets.js': `
    import { appendFileSync } from 'node:fs'
    appendFileSync('runs', 'begins\\n')
    const get = (path) => fetch(process.env.STANDIN_URL + path)
    const pause = () => new Promise((resolve) => setTimeout(resolve, 50))
    for (const path of ['/tickets', '/tags', '/tickets', '/tags', '/tickets', '/tickets']) {
      const response = await get(path).catch(pause).then((received) => received ?? get(path))
      if (response.status !== 200) throw new Error('Refused')
    }`,
}

test('a search for faults that was interrupted keeps what it found, and goes on with the schedules that are left', async () => {
  for (const [name, text] of Object.entries(TICKETS)) writeFileSync(join(path, name), text)
  const asked = ['mutate', '--contract', 'tickets.yaml', '--faults', '8', '--format', 'stryker', '--out']
  const command = ['--', process.execPath, 'tickets.js']
  const search = async (name: string, ...args: readonly string[]) => {
    const ran = runCommand([...asked, name, ...args, ...command], { cwd: path })
    expect(await ran.ended, ran.stderr()).toBe(0)
    expect(ran.stdout()).toMatch(/^Tickets 1: 8 schedules of faults, /)
    return { ...readReport(name), begun: runs().filter((line) => line === 'begins').length }
  }
  const whole = await search('whole.json')
  expect(whole.begun).toBe(2 + 8)
  const { child, ended, stdout } = startCommand([...asked, 'part.json', ...command], { cwd: path })
  await vi.waitFor(() => expect(readFileSync(join(path, 'runs'), 'utf8').match(/begins/g)).toHaveLength(8), 30_000)
  child.kill('SIGINT')
  expect(await ended).toBe(130)
  expect(stdout()).toContain('\nThe search was interrupted')
  expect(triedIn(readReport('part.json')).length).toBeGreaterThan(0)
  runs()
  const rest = await search('rest.json', '--changed-since', 'part.json')
  expect(rest.files).toEqual(whole.files)
  // What turned red is tried again, for its replay.
  const failed = triedIn(readReport('part.json')).length
  expect(rest.begun).toBeLessThanOrEqual(2 + 8 - 5 + failed)
  const again = await search('again.json', '--changed-since', 'rest.json')
  expect(again.files).toEqual(whole.files)
  expect(again.begun).toBeLessThan(rest.begun)
}, 60_000)

test('--changed-since keeps what is as it was, and nothing where what is served or the test is another', async () => {
  const asked = ['--only', 'listNotes /*/text']
  const count = triedIn(await mutate('first.json', asked)).length
  const kept = [...asked, '--changed-since', 'first.json']
  runs()
  const ended = async (...args: readonly string[]) => {
    await mutate('next.json', [...kept, ...args])
    return runs().length / 2
  }
  // The test runs twice without a change.
  expect(await ended()).toBe(2)
  expect(await ended('--seed', '9')).toBe(2 + count)
  expect(await ended('--behaviour', 'collections.order=newest-first')).toBe(2 + count)
  writeFileSync(join(path, 'notes.js'), `${FILES['notes.js']}\nif (notes.length === 1) throw new Error('One')`)
  expect(await ended()).toBe(2 + count)
  writeFileSync(join(path, 'notes.js'), FILES['notes.js'])
  writeFileSync(join(path, 'notes.yaml'), FILES['notes.yaml'].replace('place: {', 'more: { type: string }, place: {'))
  expect(await ended()).toBe(2 + count)
})

test('of a command that names no file, what is known of its tests is too little to keep anything', async () => {
  const args = [...ALL, '--only', 'listNotes /*/text other', '--out', 'first.json']
  const command = ['--', process.execPath, '-e', "await import('./notes.js')"]
  for (const kept of [[], ['--changed-since', 'first.json']]) {
    expect(await runCommand([...args, ...kept, ...command], { cwd: path }).ended).toBe(0)
    expect(runs()).toHaveLength(2 * 3)
  }
})

test.for([
  ['--jobs', '0'],
  ['--jobs', 'many'],
  ['--max', '-1'],
])('%s %s is refused before a test runs', async ([flag, value]) => {
  const ran = runCommand([...ALL, flag!, value!, ...COMMAND], { cwd: path })
  expect([await ran.ended, ran.stderr()]).toEqual([
    1,
    expect.stringMatching(new RegExp(`^standin: ${flag}: .*${value}`)),
  ])
})
