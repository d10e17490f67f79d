import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createControlClient, createStandin, type StandinOptions } from '../../../src/index.ts'
import { replay } from '../../../src/app/replay/replay.ts'
import { readSourceFile } from '../../../src/base/formats/source-file.ts'
import { createDirectory, runCommand, startCommand } from '../../support/command.ts'
import { serve } from '../../support/serve.ts'
import { KEY_HEADER, SCHEDULES, weekly } from '../../support/tester.ts'
import { longTest } from '../../support/cases.ts'

const FILES = ['coverage.json', 'journal.json', 'replay.json', 'requests.har']

function createArtifacts(): string {
  const { path, remove } = createDirectory({})
  onTestFinished(remove)
  return join(path, 'left/artifacts')
}

function json(...path: readonly string[]): Record<string, unknown> {
  return JSON.parse(readFileSync(join(...path), 'utf8')) as Record<string, unknown>
}

async function createSchedule(url: string, key: string): Promise<number> {
  const headers = { [KEY_HEADER]: key, 'Content-Type': 'application/json' }
  return (await fetch(`${url}${SCHEDULES}`, { method: 'POST', headers, body: JSON.stringify(weekly()) })).status
}

/** Starts, lets a test use it, and stops. */
async function run(options: StandinOptions, use: (url: string) => Promise<unknown>): Promise<void> {
  const standin = createStandin(options)
  await use(await standin.start())
  await standin.stop()
}

test('a stop leaves the journal, a HAR, the coverage and a replay of each sandbox, and nothing unfinished', async () => {
  const artifacts = createArtifacts()
  await run({ artifacts }, async (url) => {
    expect(await createSchedule(url, 'any')).toBe(200)
    expect(await createSchedule(url, 'any@checkout')).toBe(200)
    expect(await createSchedule(url, 'any@checkout')).toBe(200)
  })
  expect(readdirSync(artifacts).sort()).toEqual(['checkout', 'coverage.json', 'default'])
  expect(readdirSync(join(artifacts, 'checkout')).sort()).toEqual(FILES)
  expect(json(artifacts, 'checkout', 'journal.json')).toMatchObject({
    total: 2,
    forgotten: 0,
    exchanges: [{ id: 1, sandbox: 'checkout', operationId: 'createReportSchedule' }, { id: 2 }],
  })
  expect(json(artifacts, 'checkout', 'requests.har')).toMatchObject({ log: { version: '1.2', entries: [{}, {}] } })
  const again = await replay(readSourceFile(join(artifacts, 'checkout/replay.json')))
  expect(again).toMatchObject({ exchanges: 2, difference: undefined })
  const modes = ['..', '.', 'checkout', 'checkout/replay.json', 'coverage.json'].map(
    (path) => statSync(join(artifacts, path)).mode & 0o777,
  )
  expect(modes).toEqual([0o700, 0o700, 0o700, 0o600, 0o600])
})

test('the coverage of the whole server counts sandboxes that were deleted, too', async () => {
  const artifacts = createArtifacts()
  await run({ artifacts }, async (url) => {
    await createSchedule(url, 'any@checkout')
    await createSchedule(url, 'any@basket')
    await createControlClient({ url }).deleteSandbox('checkout')
    await createSchedule(url, 'any@coverage.json')
  })
  expect(json(artifacts, 'coverage.json')).toMatchObject({ requests: 3, sandboxes: 3 })
  expect(json(artifacts, 'basket', 'coverage.json')).toMatchObject({ requests: 1, sandboxes: 1 })
  expect(json(artifacts, 'coverage.json~', 'coverage.json')).toMatchObject({ requests: 1, sandboxes: 1 })
})

test('a sandbox that is deleted leaves its files where its deletion asks for it, each of a name in a folder of its own', async () => {
  const artifacts = createArtifacts()
  await run({ artifacts }, async (url) => {
    const control = createControlClient({ url })
    for (const schedules of [1, 2]) {
      for (let count = 0; count < schedules; count++) await createSchedule(url, 'any@failed')
      await control.deleteSandbox('failed', { artifacts: true })
    }
    await createSchedule(url, 'any@passed')
    await control.deleteSandbox('passed')
    expect(readdirSync(artifacts).sort()).toEqual(['failed', 'failed~2'])
    await createSchedule(url, 'any@FAILED')
  })
  expect(readdirSync(artifacts).sort()).toEqual(['FAILED~3', 'coverage.json', 'default', 'failed', 'failed~2'])
  expect(readdirSync(join(artifacts, 'failed')).sort()).toEqual(FILES)
  expect(json(artifacts, 'failed', 'journal.json')).toMatchObject({ total: 1 })
  expect(json(artifacts, 'failed~2', 'journal.json')).toMatchObject({ total: 2 })
  const again = await replay(readSourceFile(join(artifacts, 'failed~2/replay.json')))
  expect(again).toMatchObject({ exchanges: 2, difference: undefined })
})

test('without --artifacts, or where they cannot be written, the sandbox is deleted all the same', async () => {
  const artifacts = createArtifacts()
  for (const options of [{}, { artifacts }])
    await run(options, async (url) => {
      const control = createControlClient({ url })
      await createSchedule(url, 'any@failed')
      if (existsSync(artifacts)) writeFileSync(join(artifacts, 'failed'), 'in the way')
      await control.deleteSandbox('failed', { artifacts: true })
      expect((await control.listSandboxes()).sandboxes.map(({ name }) => name)).toEqual(['default'])
    })
})

test('they hold what the control API shows, and no key', async () => {
  const artifacts = createArtifacts()
  const shown = { journal: {}, har: {} as object }
  await run({ artifacts, clock: '2026-03-05T14:30:00Z' }, async (url) => {
    await createSchedule(url, 'a-very-secret-key@mine')
    const control = createControlClient({ url, sandbox: 'mine' })
    shown.journal = await control.listExchanges({ limit: 1000 })
    shown.har = await control.exportHar()
  })
  expect(json(artifacts, 'mine', 'journal.json')).toEqual(shown.journal)
  expect(json(artifacts, 'mine', 'requests.har')).toEqual(shown.har)
  for (const name of readdirSync(join(artifacts, 'mine')))
    expect(readFileSync(join(artifacts, 'mine', name), 'utf8')).not.toContain('a-very-secret-key')
})

test('a stand-in without a port and without a control API leaves them too, and replaces those of the run before', async () => {
  const artifacts = createArtifacts()
  for (const seed of [1, 2]) await createStandin({ artifacts, seed, control: false }).stop()
  expect(json(artifacts, 'default', 'replay.json')).toMatchObject({ settings: { seed: 2 } })
})

test('names that some file systems take for the same, or for a device, get folders of their own', async () => {
  const artifacts = createArtifacts()
  await run({ artifacts }, async (url) => {
    for (const name of ['one', 'One', 'nul', 'end.']) await createSchedule(url, `any@${name}`)
  })
  expect(readdirSync(artifacts).sort()).toEqual(['One~2', 'coverage.json', 'default', 'end.~', 'nul~', 'one'])
  expect(json(artifacts, 'One~2', 'journal.json')).toMatchObject({ exchanges: [{ sandbox: 'One' }] })
})

longTest('a sandbox that is too large for a replay leaves the rest', async () => {
  const artifacts = createArtifacts()
  const standin = createStandin({ artifacts })
  // Each directory on the way to a file is an entry too.
  standin.addFiles(
    'empty',
    Array.from({ length: 5000 }, (_, index) => ({ path: `${index}${'/d'.repeat(40)}` })),
  )
  await createControlClient({ url: await standin.start() }).createSandbox({ name: 'large', from: 'default' })
  await standin.stop()
  expect(readdirSync(join(artifacts, 'large')).sort()).toEqual(['coverage.json', 'journal.json', 'requests.har'])
})

test.each(['SIGTERM', 'SIGINT'] as const)('serve writes them on %s and says where', async (signal) => {
  const artifacts = createArtifacts()
  const { command, url } = await serve(['--artifacts', artifacts])
  await createSchedule(url, 'any')
  command.child.kill(signal)
  expect(await command.ended).toBe(0)
  expect(command.stdout()).toMatch(`\nartifacts of 1 sandbox: ${artifacts}\n`)
  expect(json(artifacts, 'default', 'journal.json')).toMatchObject({ total: 1 })
})

test('a directory that cannot be written refuses the start, and check', async () => {
  const { path, remove } = createDirectory({ file: '' })
  onTestFinished(remove)
  const artifacts = join(path, 'file/in')
  const complaint = (reason: string) => `artifacts ${artifacts}: ${reason}. Name a directory that this user may write.`
  const [served, checked] = ['serve', 'check'].map((command) => startCommand([command, '--artifacts', artifacts]))
  expect([await served?.ended, served?.stderr()]).toEqual([
    1,
    `standin: --${complaint('it is a file and no directory')}\n`,
  ])
  expect([await checked?.ended, checked?.stderr()]).toEqual([
    1,
    `standin: --${complaint('a part of the path is a file and no directory')}\n`,
  ])
  expect(() => createStandin({ artifacts })).toThrow(`options.${complaint('it is a file and no directory')}`)
})

test('check leaves no directory behind', async () => {
  const artifacts = createArtifacts()
  expect(await runCommand(['check', '--artifacts', artifacts]).ended).toBe(0)
  expect(existsSync(artifacts)).toBe(false)
})

test('a stop that cannot write ends with status 1 and says why', async () => {
  const artifacts = createArtifacts()
  const { command } = await serve(['--artifacts', artifacts])
  mkdirSync(artifacts, { recursive: true })
  writeFileSync(join(artifacts, 'default'), 'in the way')
  command.child.kill('SIGTERM')
  expect(await command.ended).toBe(1)
  expect(command.stderr()).toBe(
    `standin: --artifacts ${join(artifacts, 'default')}: it is a file and no directory. Name a directory that this user may write.\n`,
  )
})
