import { execFile } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { stripVTControlCharacters } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createStandin, type Standin } from '../../src/index.ts'
import { takesAll } from '../support/cases.ts'
import { createDirectory, runCommand } from '../support/command.ts'

const VERIFIER = fileURLToPath(new URL('verify-pact.ts', import.meta.url))
const KEY = 'key-of-the-client-1234'
const SCHEDULES = '/api/content/v1/reportschedules'
const SEARCH = '/api/files/v1/filesets/demo/files/search'
const SCHEDULE = { frequency: 'WEEKLY', daysToRun: 'MON', hourOfDay: 8, minOfHour: 30, timezone: 'America/New_York' }

const { path, remove } = createDirectory({})
let standin: Standin
let url = ''

/** What the client under test does. */
beforeAll(async () => {
  standin = createStandin({ clock: '2026-03-05T14:30:00Z' })
  url = await standin.start()
  const page = (await send('POST', `${SEARCH}?limit=2`, {})) as { readonly pageContext: { readonly next: string } }
  await send('POST', `${SEARCH}?limit=2&next=${page.pageContext.next}`, {})
  await send('POST', `${SEARCH}?limit=2`, {})
  await send('POST', SEARCH.replace('demo', 'nowhere'), {})
  const body = { title: 'Weekly revenue', pageId: 100, viewId: 200, schedule: SCHEDULE }
  const { id } = (await send('POST', SCHEDULES, body)) as { readonly id: number }
  await send('PUT', `${SCHEDULES}/${id}`, { title: 'Monday revenue' })
  await send('POST', SCHEDULES, { title: 'Without a page' })
  await standin.control.armFaults({ kind: 'status', status: 503, times: 1 })
  await send('POST', `${SEARCH}?limit=2`, {})
})

afterAll(async () => {
  await standin.stop()
  remove()
})

async function send(method: string, target: string, body: object): Promise<unknown> {
  const headers = { 'X-SERVICE-Developer-Token': KEY, 'Content-Type': 'application/json', 'X-Client': 'desk 1.2' }
  return (await fetch(url + target, { method, headers, body: JSON.stringify(body) })).json()
}

interface Written {
  readonly code: number | null
  readonly errors: string
  readonly text: string
}

async function write(name: string, ...flags: readonly string[]): Promise<Written> {
  const out = join(path, name)
  const command = runCommand(['pact', '--consumer', 'report-desk', '--url', url, '--out', out, ...flags])
  const code = await command.ended
  return { code, errors: command.stderr(), text: readFileSync(out, 'utf8') }
}

/** Verifies another server, with other data, by Pact's own verifier. */
async function verify(pact: string): Promise<{ readonly code: number | null; readonly text: string }> {
  const provider = createStandin({ seed: 99 })
  const address = await provider.start()
  const env = { PATH: process.env.PATH, PACT_DO_NOT_TRACK: 'true' }
  const told = await new Promise<{ code: number | null; text: string }>((resolve) => {
    const child = execFile(process.execPath, [VERIFIER, pact, address], { env }, (_, stdout, stderr) =>
      resolve({ code: child.exitCode, text: stripVTControlCharacters(stdout + stderr) }),
    )
  })
  await provider.stop()
  return told
}

test('another server honours the pact of a test run', async () => {
  const { code, errors, text } = await write('desk.json', '--provider', 'reports')
  expect(code).toBe(0)
  expect(errors).toBe(
    [
      'standin: 5 interactions from 8 exchanges',
      'standin: left out: 1 exchange that the contract refuses (keep them with --include-refused)',
      'standin: left out: 1 exchange with a fault, which no provider can be asked for',
      '',
    ].join('\n'),
  )
  expect(JSON.parse(text)).toMatchObject({ consumer: { name: 'report-desk' }, provider: { name: 'reports' } })
  const verified = await verify(join(path, 'desk.json'))
  expect(verified.code, verified.text).toBe(0)
  expect(verified.text.match(/has a matching body \(OK\)/g)).toHaveLength(5)
})

test('provider states name what is in the path and what came from an earlier response; nothing secret is written', async () => {
  const { text } = await write('desk-states.json')
  expect(text).not.toContain(KEY)
  expect(text).not.toContain('X-Client')
  const { interactions } = JSON.parse(text) as {
    readonly interactions: readonly { readonly providerStates: readonly { readonly name: string }[] }[]
  }
  expect(interactions.map(({ providerStates }) => providerStates.map(({ name }) => name))).toEqual([
    ['fileSetId exists'],
    ['fileSetId exists', 'next from an earlier response'],
    ['fileSetId does not exist'],
    [],
    ['scheduleId exists'],
  ])
})

// That the checks above would fail: each run takes seconds, so it is one of the campaigns.
test.runIf(takesAll)('a server that responds otherwise breaks the pact', async () => {
  const { text } = await write('desk-other.json', '--include-refused')
  const broken = join(path, 'broken.json')
  writeFileSync(
    broken,
    text.replaceAll('"match": "integer"', '"match": "boolean"').replaceAll('"status": 404', '"status": 410'),
  )
  const { code, text: told } = await verify(broken)
  expect(code).toBe(1)
  expect(told).toContain('expected 410 but was 404')
  expect(told).toMatch(/There were [2-9] pact failures/)
  expect(JSON.parse(text)).toHaveProperty('interactions.length', 6)
})

test('a file that is there, and a journal without anything to write, are refused', async () => {
  await write('twice.json')
  expect((await write('twice.json')).errors).toMatch(/^standin: --out: .*twice\.json is there already\. Pass --force/)
  const command = runCommand(['pact', '--consumer', 'desk', '--url', url, '--sandbox', 'nobody'])
  expect(await command.ended).toBe(1)
  expect(command.stderr()).toContain('standin: ')
})
