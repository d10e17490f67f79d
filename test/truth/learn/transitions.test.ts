import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { createStandin } from '../../../src/index.ts'
import { createDirectory, runCommand } from '../../support/command.ts'
import { recordWorks, WORKS_CONTRACT, type WorksRequest } from './works.ts'

const folder = createDirectory({ 'works.json': JSON.stringify(WORKS_CONTRACT) })
afterAll(folder.remove)
const CONTRACT = join(folder.path, 'works.json')
const PROFILE = join(folder.path, 'works-profile.yaml')

/** Three jobs, each handed in, looked at, watched until it is done, and handed in once more. */
function* useWorks(): Generator<WorksRequest> {
  for (const id of [1, 2, 3]) {
    const from = id * 60_000
    const ask = (method: string, word: string, at: number) => ({ method, path: `/jobs/${id}${word}`, at: from + at })
    yield { method: 'POST', path: '/jobs', body: { title: `Job ${id}`, note: `n${id}` }, at: from }
    yield ask('GET', '', 1000)
    yield ask('POST', '/look-at', 2000)
    yield ask('GET', '', 2500)
    yield { ...ask('POST', '/remarks', 2600), body: { text: `Job ${id} is late` } }
    yield ask('GET', '', 2700)
    yield ask('POST', '/hand-in', 3000)
    yield ask('GET', '', 3100 + id * 100)
    yield { ...ask('PATCH', '', 3500), body: { note: 'in a hurry' } }
    yield ask('GET', '', 6000 + id * 100)
    yield ask('GET', '', 7400 + id * 200)
    yield ask('POST', '/hand-in', 9000)
    yield ask('GET', '', 20_000)
  }
}

interface HintedProfile {
  readonly learned: { readonly hints?: Readonly<Record<string, object>> }
}

describe('what operations do to items, and what becomes of these', () => {
  let stdout = ''
  let profile: HintedProfile
  beforeAll(async () => {
    const { path, remove } = createDirectory({ 'works.har': JSON.stringify(recordWorks([...useWorks()])) })
    const command = runCommand(['learn', '--contract', CONTRACT, '--har', join(path, 'works.har'), '--out', PROFILE])
    expect([await command.ended, command.stderr().replaceAll(/^learn: .*\n/gm, '')]).toEqual([0, ''])
    remove()
    stdout = command.stdout()
    profile = parse(readFileSync(PROFILE, 'utf8')) as HintedProfile
  })

  test('planted ones are found, and nothing else', () => {
    expect(profile.learned.hints).toEqual({
      handIn: { set: { stage: 'CHECKING', isHandedIn: true } },
      '/jobs/{jobId}': {
        transitions: {
          stage: {
            OPEN: ['CHECKING', 'DONE'],
            CHECKING: ['OPEN', 'DONE', { to: 'DONE', after: 'PT4S' }],
            DONE: ['OPEN'],
          },
        },
      },
    })
    expect(stdout).toContain('  handIn sets {"stage":"CHECKING","isHandedIn":true}\n')
    expect(stdout).toContain('  /jobs/{jobId}: stage CHECKING becomes DONE after PT4S\n')
  })

  test('a stand-in with the profile does the same, by its clock', async () => {
    const standin = createStandin({ contract: CONTRACT, documents: 0, profile: PROFILE, clock: '2026-03-05T00:00:00Z' })
    onTestFinished(() => standin.stop())
    const send = async (method: string, path: string, body?: object) => {
      const response = await standin.fetch(path, {
        method,
        ...(body && { headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) }),
      })
      const text = await response.text()
      return { status: response.status, body: text === '' ? undefined : (JSON.parse(text) as unknown) }
    }
    const made = await send('POST', '/jobs', { title: 'Another' })
    const path = `/jobs/${(made.body as { id: number }).id}`
    expect(made.body).toMatchObject({ stage: 'OPEN', isHandedIn: false })
    expect((await send('POST', `${path}/hand-in`)).status).toBe(204)
    expect((await send('GET', path)).body).toMatchObject({ stage: 'CHECKING', isHandedIn: true })
    await standin.control.advanceClock({ by: 'PT5S' })
    expect((await send('GET', path)).body).toMatchObject({ stage: 'DONE', isHandedIn: true })
    expect(await send('POST', `${path}/hand-in`)).toEqual({ status: 409, body: { error: 'IS_DONE' } })
  })
})

describe('hints that were changed by hand', () => {
  const start = (hints: unknown) => () => createStandin({ contract: WORKS_CONTRACT, profile: { learned: { hints } } })

  test('wrong ones are refused with their place, what was expected and what was received', () => {
    expect(start([])).toThrow('/learned/hints: Expected what `x-standin` would say, by operationId or path; got []')
    expect(start({ handIn: 'CHECKING' })).toThrow(
      '/learned/hints/handIn: Expected an object such as { set: { status: cancelled } }; got "CHECKING".',
    )
    expect(start({ handin: { set: {} } })).toThrow(
      '/learned/hints/handin: The contract has no operation "handin". Did you mean handIn?',
    )
    expect(start({ '/job': { transitions: {} } })).toThrow(
      '/learned/hints/~1job: Expected a path of the contract; got "/job".',
    )
    expect(start({ handIn: { set: { stge: 'DONE' } } })).toThrow('a job has no member `stge`. Did you mean stage?')
  })

  test('what the document says itself counts', async () => {
    const document = structuredClone(WORKS_CONTRACT) as { paths: Record<string, { post?: object }> }
    const action = document.paths['/jobs/{jobId}/hand-in']
    if (action?.post) action.post = { ...action.post, 'x-standin': { set: { stage: 'SEALED' } } }
    const profile = { learned: { hints: { handIn: { set: { stage: 'CHECKING' } } } } }
    const standin = createStandin({ contract: document, documents: 1, profile })
    onTestFinished(() => standin.stop())
    const [{ id } = { id: 0 }] = (await (await standin.fetch('/jobs')).json()) as { readonly id: number }[]
    await standin.fetch(`/jobs/${id}/hand-in`, { method: 'POST' })
    expect(await (await standin.fetch(`/jobs/${id}`)).json()).toMatchObject({ stage: 'SEALED' })
  })
})
