import { spawn } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { CLI, createDirectory } from '../../support/command.ts'
import { sample } from '../../support/cases.ts'
import { type ControlledTester, createControlledTester } from '../../support/control.ts'
import { failOnce, mountSmallDisk } from '../../support/disk/failing-disk.ts'
import { KEY_HEADER, startComplaintsOf, weekly } from '../../support/tester.ts'
import { createStandin, type StandinOptions, StartupError } from '../../../src/index.ts'

const TINY = { clock: '2026-03-05T14:30:00Z', files: 0 }

function createData(): string {
  const { path, remove } = createDirectory({})
  onTestFinished(remove)
  return join(path, 'data')
}

/** The state of a server, which it must have again after the next start. */
async function look({ control }: ControlledTester) {
  const { sandboxes } = await control.listSandboxes()
  const names = sandboxes.map(({ name }) => name)
  const histories = names.map(async (name) => [name, (await control.in(name).getHistory()).next])
  return {
    states: await Promise.all(names.map((name) => control.in(name).getState())),
    checkpoints: await control.listCheckpoints(),
    nextEvents: await Promise.all(histories),
  }
}

/** The state of a server that starts on a copy of a directory, as if the process had been killed. */
async function lookAfterKill(data: string, options: StandinOptions) {
  const copy = createData()
  cpSync(data, copy, { recursive: true })
  writeFileSync(join(copy, 'lock'), '')
  return lookAfterStart(copy, options)
}

async function lookAfterStart(data: string, options: StandinOptions) {
  const tester = createControlledTester({ ...TINY, ...options, data })
  const found = await look(tester)
  await tester.standin.stop()
  return found
}

/** Changes that write to the log in every way. */
const CHANGES: Readonly<Record<string, (tester: ControlledTester) => Promise<unknown>>> = {
  'a create': ({ create }) => create(weekly()),
  'an update': ({ update }) => update(7, { title: 'Renamed' }),
  'a checkpoint': ({ control }) => control.createCheckpoint({ name: 'here' }),
  'a new sandbox': ({ control }) => control.createSandbox({ name: 'second' }),
  'a search that makes a sandbox': ({ search }) => search({ set: 'demo', headers: { [KEY_HEADER]: 'k@second' } }),
  'a deleted sandbox': ({ control }) => control.deleteSandbox('other'),
  'a change after which the log is written anew': ({ control }) =>
    control.addFiles(
      'empty',
      Array.from({ length: 280 }, (_, number) => ({ path: `${number}${'x'.repeat(4000)}` })),
    ),
}

/** Whether a change was acknowledged; otherwise it must have been refused for the disk. */
async function isAcknowledged(change: Promise<unknown>): Promise<boolean> {
  const { status } = await change.then(
    (answer) => ({ status: 200, ...(answer as { status?: number } | undefined) }),
    (error: unknown) => error as { status: number },
  )
  expect([200, 507]).toContain(status)
  return status === 200
}

const CASES = sample(
  Object.keys(CHANGES).flatMap((name) => [true, false].map((fsync) => ({ name, fsync }))),
  5,
  1,
)

test.each(CASES)(
  'a call that fails once during $name changes nothing (fsync: $fsync)',
  async ({ name, fsync }) => {
    const change = CHANGES[name]!
    let refused = 0
    for (let nth = 1, isOver = false; !isOver; nth++) {
      const data = createData()
      const tester = createControlledTester({ ...TINY, fsync, data })
      await tester.create(weekly())
      await tester.control.createSandbox({ name: 'other' })
      const before = withoutRequests(await look(tester))
      const failing = failOnce(data, nth)
      const isDone = await isAcknowledged(change(tester)).finally(() => failing.restore())
      isOver = !failing.hasFailed()
      if (!isDone) {
        refused++
        // A new request id may have been given out; all else is as it was.
        expect(withoutRequests(await look(tester))).toEqual(before)
        expect(await isAcknowledged(change(tester))).toBe(true)
      }
      // A count of requests that was not written is written with the next change.
      for (const { name: sandbox } of (await tester.control.listSandboxes()).sandboxes)
        expect((await tester.create(weekly(), { [KEY_HEADER]: `k@${sandbox}` })).status).toBe(200)
      const present = await look(tester)
      expect(await lookAfterKill(data, { fsync })).toEqual(present)
      await tester.standin.stop()
      expect(await lookAfterStart(data, { fsync })).toEqual(present)
    }
    expect(refused).toBeGreaterThan(0)
  },
  120_000,
)

function withoutRequests({ states, ...rest }: Awaited<ReturnType<typeof look>>) {
  return { ...rest, states: states.map((state) => ({ ...state, requests: 0 })) }
}

test('a call that fails while Standin starts refuses the start with one sentence, or changes nothing', async () => {
  const data = createData()
  const tester = createControlledTester({ ...TINY, data })
  await tester.create(weekly())
  await tester.control.createSandbox({ name: 'second' })
  const present = await look(tester)
  await tester.standin.stop()
  let refused = 0
  for (let nth = 1, isOver = false; !isOver; nth++) {
    const failing = failOnce(data, nth)
    try {
      await createStandin({ ...TINY, data }).stop()
    } catch (error) {
      expect(error).toBeInstanceOf(StartupError)
      expect((error as StartupError).complaints).toEqual([expect.stringContaining('EIO')])
      refused++
    } finally {
      isOver = !failing.hasFailed()
      failing.restore()
    }
    expect(await lookAfterStart(data, {})).toEqual(present)
  }
  expect(refused).toBeGreaterThan(3)
})

test('a full disk refuses changes and nothing else; with room again writing goes on, and a restart has what was acknowledged', async (context) => {
  const disk = mountSmallDisk(4 * 2 ** 20)
  if (!disk) return context.skip('this user may not mount a small disk')
  onTestFinished(disk.remove)
  const data = join(disk.path, 'data')
  const tester = createControlledTester({ ...TINY, data })
  const { create, search, standin } = tester
  for (const room of [0, 4096, 8192, 12_288]) {
    expect((await create(weekly())).status).toBe(200)
    disk.fill(room)
    const long = weekly({ title: 'x'.repeat(200) })
    while ((await create(long)).status === 200);
    const before = withoutRequests(await look(tester))
    const refusal = await create(long)
    expect([refusal.status, refusal.text]).toEqual([507, expect.stringContaining('the disk is full')])
    expect((await create(weekly(), { [KEY_HEADER]: 'k@another' })).status).toBe(507)
    expect((await search({ set: 'demo' })).status).toBe(200)
    expect(withoutRequests(await look(tester))).toEqual(before)
    disk.free()
  }
  expect((await create(weekly())).status).toBe(200)
  const present = await look(tester)
  expect(await lookAfterKill(data, {})).toEqual(present)
  disk.fill()
  await standin.stop()
  expect(readFileSync(join(data, 'sandbox-1.jsonl')).includes(0)).toBe(false)
  disk.free()
  expect(await lookAfterStart(data, {})).toEqual(present)
}, 60_000)

test('a start on a full disk is refused with one sentence', (context) => {
  const disk = mountSmallDisk(2 ** 20)
  if (!disk) return context.skip('this user may not mount a small disk')
  onTestFinished(disk.remove)
  mkdirSync(join(disk.path, 'data'))
  disk.fill(4096)
  const fixtures = [
    { fileSets: [{ id: 'many', files: Array.from({ length: 900 }, (_, number) => ({ path: `${number}` })) }] },
  ]
  expect(startComplaintsOf(() => createStandin({ ...TINY, fixtures, data: join(disk.path, 'data') }))).toEqual([
    expect.stringContaining('the disk is full'),
  ])
})

test('a log whose end mark could not be written goes on at the next start', async () => {
  const data = createData()
  const tester = createControlledTester({ ...TINY, data })
  await tester.create(weekly())
  const present = await look(tester)
  const failing = failOnce(data, 1)
  await tester.standin.stop().finally(() => failing.restore())
  expect(failing.hasFailed()).toBe(true)
  expect(readFileSync(join(data, 'sandbox-1.jsonl'), 'utf8')).not.toContain('"end"')
  // The start that is refused for another reason does not forget it.
  expect(startComplaintsOf(() => createStandin({ ...TINY, seed: 7, data }))).toHaveLength(1)
  expect(await lookAfterStart(data, {})).toEqual(present)
})

test('the lock of a process that was killed is free, also while the process is still in the process table', async () => {
  const data = createData()
  const args = [process.execPath, CLI, 'serve', '--port', '0', '--data', data, '--clock', TINY.clock, '--files', '0']
  // The shell becomes a `sleep`, which never asks for the status of the child that it did not start.
  const parent = spawn('sh', ['-c', '"$@" & echo "pid $!"; exec sleep 100', 'sh', ...args])
  onTestFinished(() => void parent.kill())
  let output = ''
  await new Promise<void>((resolve, reject) => {
    parent.stdout.on('data', (text) => (output += String(text)).includes('http:') && resolve())
    parent.once('close', () => reject(new Error(output)))
  })
  const pid = Number(/pid (\d+)/.exec(output)?.[1])
  process.kill(pid, 'SIGKILL')
  const isZombie = () => readFileSync(`/proc/${pid}/stat`, 'utf8').includes(' Z ')
  await expect.poll(isZombie).toBe(true)
  expect(await lookAfterStart(data, {})).toMatchObject({ nextEvents: [['default', 0]] })
  expect(isZombie()).toBe(true)
})

test('a log that is no file, or not a log, is refused with its name', async () => {
  const data = createData()
  const log = join(data, 'sandbox-1.jsonl')
  const refusal = () => startComplaintsOf(() => createStandin({ ...TINY, data }))
  mkdirSync(log, { recursive: true })
  expect(refusal()).toEqual([expect.stringContaining(`${log}: it is a directory, not a file. `)])
  rmSync(log, { recursive: true })
  await lookAfterStart(data, {})
  const [certificate = '', ...rest] = readFileSync(log, 'utf8').split('\n')
  // The sum of the line is right: it is over the text without itself.
  const other = certificate.slice('{"sum":"12345678",'.length).replace('standin-log', 'another-log')
  const { crc32 } = await import('node:zlib')
  const sum = crc32(`{${other}`).toString(16).padStart(8, '0')
  writeFileSync(log, [`{"sum":"${sum}",${other}`, ...rest].join('\n'))
  expect(refusal()).toEqual([
    `${log}:1: it is not a log: expected the format standin-log, got "another-log". Remove it, or name another directory.`,
  ])
})

test('a log that was cut at the end of a line after Standin stopped is refused', async () => {
  const data = createData()
  const log = join(data, 'sandbox-1.jsonl')
  const tester = createControlledTester({ ...TINY, data })
  await tester.create(weekly())
  await tester.create(weekly())
  await tester.standin.stop()
  const lines = readFileSync(log, 'utf8').split('\n')
  const missing = `${log}: the log was cut: the end mark that Standin writes when it stops is missing. `
  for (const lost of [1, 2, 3]) {
    writeFileSync(log, [...lines.slice(0, -1 - lost), ''].join('\n'))
    for (let start = 0; start < 2; start++)
      expect(startComplaintsOf(() => createStandin({ ...TINY, data }))).toEqual([expect.stringContaining(missing)])
  }
  // The remedy that it names: an empty lock, as a kill would leave it.
  writeFileSync(join(data, 'lock'), '')
  expect(await lookAfterStart(data, {})).toMatchObject({ nextEvents: [['default', 1]] })
  expect(await lookAfterStart(data, {})).toMatchObject({ nextEvents: [['default', 1]] })
})
