import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { cases, longTest } from '../../support/cases.ts'
import { createDirectory, runCommand } from '../../support/command.ts'
import { type ControlledTester, createControlledTester } from '../../support/control.ts'
import { checkpoint, createKilling, restore, search } from '../../support/disk/killed.ts'
import { KEY_HEADER, startComplaintsOf, weekly } from '../../support/tester.ts'
import { createStandin, type StandinOptions } from '../../../src/index.ts'

const TINY = {
  clock: '2026-03-05T14:30:00Z',
  files: 30,
  fixtures: [{ fileSets: [{ id: 'tiny', files: [{ path: 'a.txt', size: 9_007_199_254_740_993n }] }] }],
}

const directories: { remove(): void }[] = []
afterEach(() => directories.splice(0).forEach((one) => one.remove()))

function createData(): string {
  const directory = createDirectory({})
  directories.push(directory)
  return join(directory.path, 'data')
}

function logOf(data: string, number = 1): string {
  return join(data, `sandbox-${number}.jsonl`)
}

/** Makes a directory look as a kill leaves it: the log has no end mark, and the lock is still there. Returns the log. */
function leaveAsKilled(data: string): Buffer {
  const log = readFileSync(logOf(data))
  const end = log.lastIndexOf('\n', log.length - 2) + 1
  expect(log.subarray(end).toString()).toMatch(/^\{"sum":"[\da-f]{8}","end":true\}\n$/)
  writeFileSync(logOf(data), log.subarray(0, end))
  writeFileSync(join(data, 'lock'), '')
  return log.subarray(0, end)
}

/** A server with a data directory, stopped after the work. */
async function during<Result>(
  data: string,
  work: (tester: ControlledTester) => Promise<Result>,
  options: StandinOptions = {},
): Promise<Result> {
  const tester = createControlledTester({ ...TINY, data, ...options })
  try {
    return await work(tester)
  } finally {
    await tester.standin.stop()
  }
}

/** Changes of every kind. */
async function live({ control, create, update }: ControlledTester): Promise<void> {
  const recipients = [{ type: 'EMAIL', value: 'jane@example.com' }]
  await create(weekly({}, { additionalRecipients: recipients }))
  await create(weekly({ title: 'Off' }, { enabled: false }))
  await control.advanceClock({ by: 'P10D' })
  await control.createCheckpoint({ name: 'here' })
  await update(7, { title: 'Renamed 😀' })
  await control.addFiles('tiny', [{ path: 'dir/b.txt', created: '2026-03-01T00:00:00.123456789Z' }])
  await control.addFiles('demo', [{ path: 'new.txt' }])
  await control.createFileSet({ id: 'made', generate: 30 })
  await control.createFileSet({ id: 'told', files: [{ path: 'x' }] })
  await control.deleteReportSchedule(2)
  await control.deleteDeliveries({ scheduleId: 1 })
}

test('everything is there again after the next start: state, counters, checkpoints, sandboxes, history', async () => {
  const data = createData()
  const look = async ({ control, search, create }: ControlledTester) => ({
    states: await Promise.all(['default', 'one', 'fork'].map((name) => control.in(name).getState())),
    // The journal, which `recorded` counts, is in memory.
    sandboxes: (await control.listSandboxes()).sandboxes.map((one) => ({ ...one, recorded: 0 })),
    checkpoints: await control.listCheckpoints(),
    history: await control.in('one').getHistory(),
    page: (await search({ set: 'tiny' })).text,
    id: (await create(weekly())).headers['x-request-id'],
  })
  const twin = await during(createData(), async (tester) => {
    await live(tester)
    await tester.create(weekly(), { [KEY_HEADER]: 'k@one' })
    await tester.control.forkSandbox('default', { name: 'fork', seed: 9 })
    return look(tester)
  })
  await during(data, async (tester) => {
    await live(tester)
    await tester.create(weekly(), { [KEY_HEADER]: 'k@one' })
    await tester.control.forkSandbox('default', { name: 'fork', seed: 9 })
  })
  expect(await during(data, look)).toEqual(twin)
})

test('only the user who runs the server may read the directory and its files', async () => {
  const data = createData()
  await during(data, live)
  await during(data, ({ control }) => control.reset())
  const modes = readdirSync(data).map((name) => statSync(join(data, name)).mode & 0o777)
  expect([statSync(data).mode & 0o777, new Set(modes)]).toEqual([0o700, new Set([0o600])])
})

test('a reset, a restored checkpoint, an imported state and a deleted sandbox are remembered too', async () => {
  const data = createData()
  const { here, restored, imported } = await during(data, async (tester) => {
    const { control } = tester
    await live(tester)
    const here = await control.getState()
    await control.in('imported').putState(here)
    await control.in('gone').addFiles('tiny', [{ path: 'b.txt' }])
    await control.deleteSandbox('gone')
    await control.in('reset').addFiles('tiny', [{ path: 'b.txt' }])
    await control.in('reset').reset()
    await control.restoreCheckpoint('here')
    return { here, restored: await control.getState(), imported: await control.in('imported').getState() }
  })
  expect(imported).toEqual(here)
  await during(data, async ({ control }) => {
    expect((await control.listSandboxes()).sandboxes.map(({ name }) => name)).toEqual(['default', 'imported', 'reset'])
    expect(await control.getState()).toEqual(restored)
    expect(await control.in('imported').getState()).toEqual(here)
    expect((await control.in('reset').listFiles('tiny')).total).toBe(1)
    await control.restoreCheckpoint('here')
    expect(await control.getState()).toEqual(restored)
  })
})

test('a sandbox that was created on another day continues, although the date of the machine is another now', async () => {
  const data = createData()
  const { clock: _, ...rest } = TINY
  const options = (day: string) => ({ ...rest, data, now: () => Date.parse(`${day}T12:00:00Z`) })
  const pageOn = async (day: string) => {
    const { standin, search } = createControlledTester(options(day))
    const { text } = await search({ set: 'demo', query: { limit: 30 } })
    await standin.stop()
    return (JSON.parse(text) as { files: unknown }).files
  }
  expect(await pageOn('2026-05-09')).toEqual(await pageOn('2026-03-05'))
})

test('an unfinished last line is dropped with a note, no matter where it was cut', async () => {
  const data = createData()
  const state = await during(data, async ({ control, create }) => {
    const before = await control.getState()
    await create(weekly())
    return before
  })
  const whole = leaveAsKilled(data)
  // The line before the last counts the request, the last one has the schedule.
  const start = whole.lastIndexOf('\n', whole.length - 2) + 1
  for (const size of [start + 1, start + 40, whole.length - 1]) {
    writeFileSync(logOf(data), whole.subarray(0, size))
    writeFileSync(join(data, 'lock'), '')
    const command = runCommand(['check', '--data', data, '--files', '5', '--clock', TINY.clock])
    await command.ended
    expect(command.stderr()).toMatch(/it was created with --files 30, and this start has 5/)
    await during(data, async ({ control }) => {
      expect(await control.getState()).toEqual({ ...state, requests: 1 })
      expect((await control.getHistory()).next).toBe(0)
    })
    expect(leaveAsKilled(data).length).toBe(start)
  }
})

test('any other damage is refused, with file and line', async () => {
  const data = createData()
  await during(data, async ({ create }) => {
    for (let number = 0; number < 3; number++) await create(weekly())
  })
  const lines = leaveAsKilled(data).toString().split('\n')
  const refusal = (damaged: readonly string[]) => {
    writeFileSync(logOf(data), damaged.join('\n'))
    return startComplaintsOf(() => createStandin({ ...TINY, data }))
  }
  const last = lines.length - 2
  const changed = (at: number, change: (line: string) => string) =>
    lines.map((line, index) => (index === at ? change(line) : line))
  const remedy = 'Put a copy of the file back, or remove it to lose that sandbox.'
  expect(refusal(changed(last, (line) => line.replace('Weekly', 'Weakly')))).toEqual([
    `${logOf(data)}:${last + 1}: the log is damaged: its sum does not fit, so it was changed, or one before it is missing. ${remedy}`,
  ])
  expect(refusal(lines.toSpliced(last - 1, 1))).toEqual([
    expect.stringContaining(`${logOf(data)}:${last}: the log is damaged`),
  ])
  expect(refusal(lines.toSpliced(last, 0, lines[last]!))).toEqual([
    expect.stringContaining(`:${last + 2}: the log is damaged`),
  ])
  expect(refusal(changed(1, () => 'x'))).toEqual([
    expect.stringContaining(':2: the log is damaged: it does not begin with its sum'),
  ])
  expect(refusal([])).toEqual([expect.stringContaining(':1: the log is empty')])
  writeFileSync(logOf(data), lines.join('\n'))
  expect(await during(data, async ({ control }) => (await control.getHistory()).next)).toBe(3)
})

test('a start that would make another initial state is refused', async () => {
  const data = createData()
  await during(data, async () => Promise.resolve())
  const refusal = (options: StandinOptions) => startComplaintsOf(() => createStandin({ ...TINY, data, ...options }))
  const remedy = 'Start with the same settings, or name another directory.'
  expect(refusal({ seed: 7 })).toEqual([
    `${logOf(data)}:1: it was created with --seed 42, and this start has 7. ${remedy}`,
  ])
  expect(refusal({ clock: '2026-03-06T00:00:00Z' })).toEqual([
    `${logOf(data)}:1: it was created with --clock 2026-03-05T14:30:00.000Z, and this start has 2026-03-06T00:00:00.000Z. ${remedy}`,
  ])
  expect(refusal({ fixtures: [] })).toEqual([
    expect.stringMatching(/it was created with the fixture fixtures\[0\] sha256:[\da-f]{12}, and this start has none/),
  ])
  expect(refusal({ behaviours: { 'file.index': 'varied', 'file.created-precision': 'nanos' } })).toEqual([
    `${logOf(data)}:1: it was created with the behaviour file.index=null, and this start has varied. ${remedy}`,
    `${logOf(data)}:1: it was created with the behaviour file.created-precision=millis, and this start has nanos. ${remedy}`,
  ])
  expect(refusal({ behaviours: { 'file.download-url': 'url' } })).toEqual([
    `${logOf(data)}:1: it was created with the behaviour file.download-url=empty, and this start has url. ${remedy}`,
  ])
  expect(refusal({ behaviours: { 'file.types': { fileTypes: ['OTHER'], hashAlgorithms: ['MD5_HEX'] } } })).toEqual([
    expect.stringContaining(
      'created with the behaviour file.types={"fileTypes":["IMAGE","AUDIO","VIDEO","TEXT","DOCUMENT","OTHER"],"hashAlgorithms":["SHA_256_HEX"]}, and this start has {"fileTypes":["OTHER"],',
    ),
  ])
  expect(refusal({ documents: 20 })).toEqual([
    `${logOf(data)}:1: it was created with --documents 10, and this start has 20. ${remedy}`,
  ])
  await during(data, async ({ control }) => control.createSandbox({ name: 'second' }))
  expect(refusal({ maxSandboxes: 1 })).toEqual([
    'There are 2 sandboxes; one is allowed. Allow more with --max-sandboxes.',
  ])
})

test('a directory is one process’s alone; a lock that was left behind is taken over', async () => {
  const data = createData()
  await during(data, async () => {
    expect(startComplaintsOf(() => createStandin({ ...TINY, data }))).toEqual([
      expect.stringContaining('the directory is in use by another stand-in of this process'),
    ])
    const command = runCommand(['check', '--data', data])
    expect(await command.ended).toBe(1)
    expect(command.stderr()).toMatch(`the directory is in use by the process ${process.pid}`)
  })
  for (const left of ['', '{"pid":1', JSON.stringify({ pid: process.pid, started: '1', machine: 'another' })]) {
    writeFileSync(join(data, 'lock'), left)
    await during(data, async ({ create }) => expect((await create(weekly())).status).toBe(200))
  }
  expect(readdirSync(data)).toEqual(['sandbox-1.jsonl'])
})

test('a log stays in proportion to what the sandbox holds, and loses nothing when it is written anew', async () => {
  const data = createData()
  const state = await during(data, async ({ control }) => {
    const files = Array.from({ length: 600 }, (_, number) => ({ path: `${number}${'x'.repeat(1000)}.txt` }))
    for (let round = 0; round < 12; round++) {
      await control.addFiles('empty', files)
      if (round < 11) await control.reset()
      expect(statSync(logOf(data)).size).toBeLessThan(6 * 2 ** 20)
    }
    return control.getState()
  })
  await during(data, async ({ control }) => {
    expect(await control.getState()).toEqual(state)
    const { first, next } = await control.getHistory()
    expect(next).toBe(23)
    expect(first).toBeGreaterThan(0)
  })
})

test('a server with data starts once', async () => {
  const standin = createStandin({ ...TINY, data: createData() })
  await standin.stop()
  await expect(standin.start()).rejects.toThrow('An instance with data can start once')
})

function chanceOf(seed: number): () => number {
  let state = seed
  return () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647
}

test('kills at any moment lose nothing that was acknowledged', async () => {
  const data = createData()
  const chance = chanceOf(7)
  const killing = createKilling(data, { clients: 3, chance, flags: ['--fsync'] })
  const kills = cases(5, 3)
  for (let kill = 0; kill < kills; kill++) await killing.round(20 + chance() * 300)
  expect(await killing.finish()).toMatchObject({ kills })
}, 240_000)

longTest(
  'a kill while a checkpoint is restored that differs in its count of requests alone is recognized',
  async () => {
    const killing = createKilling(createData(), {
      clients: 8,
      chance: chanceOf(11),
      actions: [search, checkpoint, restore, restore, restore, restore],
    })
    const kills = cases(6, 3)
    for (let kill = 0; kill < kills; kill++) await killing.round(300)
    expect(await killing.finish()).toMatchObject({ kills, refused: 0 })
  },
  240_000,
)

test('a directory is made with those above it; one that cannot be made is refused', async () => {
  const data = join(createData(), 'some', 'way', 'down')
  await during(data, async () => Promise.resolve())
  expect(existsSync(logOf(data))).toBe(true)
  const nowhere = '/proc/standin/data'
  expect(startComplaintsOf(() => createStandin({ ...TINY, data: nowhere }))).toEqual([
    expect.stringMatching(/^--data \/proc\/standin\/data: .*Name a directory that this user may write\.$/),
  ])
  const file = logOf(data)
  expect(startComplaintsOf(() => createStandin({ ...TINY, data: file }))).toEqual([
    expect.stringContaining(`--data ${file}: it is a file and no directory`),
  ])
})
