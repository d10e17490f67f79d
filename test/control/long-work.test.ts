import { expect, onTestFinished, test } from 'vitest'
import { type ControlClient, createControlClient, createStandin } from '../../src/index.ts'
import { longTest, takesAll } from '../support/cases.ts'
import { KEY_HEADER, SCHEDULES, weekly } from '../support/tester.ts'

interface Busy {
  readonly url: string
  readonly control: ControlClient
  readonly stop: () => Promise<void>
  create(title: string): Promise<Response>
}

/** A server with a frozen clock and schedules that run weekly for three recipients each. */
async function createBusy(schedules: number): Promise<Busy> {
  const additionalRecipients = ['a', 'b', 'c'].map((name) => ({ type: 'EMAIL', value: `${name}@example.com` }))
  const standin = createStandin({ clock: '2026-03-05T14:30:00Z' })
  onTestFinished(() => standin.stop())
  const url = await standin.start()
  const create = (title: string) =>
    fetch(url + SCHEDULES, {
      method: 'POST',
      headers: { [KEY_HEADER]: 'key', 'Content-Type': 'application/json' },
      body: JSON.stringify(weekly({ title }, { additionalRecipients })),
    })
  const control = createControlClient({ url })
  for (const { id } of (await control.listReportSchedules()).reportSchedules) await control.deleteReportSchedule(id)
  for (let made = 0; made < schedules; made += 50)
    await Promise.all(Array.from({ length: 50 }, (_, index) => create(`Report ${made + index}`)))
  return { url, control, create, stop: () => standin.stop() }
}

/** How many health checks are answered, one after the other, before something ends. */
async function checksDuring(url: string, work: Promise<unknown>): Promise<number> {
  const state = { isOver: false }
  const end = () => (state.isOver = true)
  work.then(end, end)
  let checks = 0
  while (!state.isOver) {
    expect((await fetch(`${url}/__mock/health`)).status).toBe(200)
    checks++
  }
  return checks
}

test('while the clock is advanced over many runs, other requests are answered, and those to its sandbox wait', async () => {
  const { url, control, create } = await createBusy(300)
  await control.createSandbox({ name: 'elsewhere' })
  const work = control.advanceClock({ by: 'P1Y' })
  const checks = checksDuring(url, work)
  const created = Promise.all(
    ['first', 'second', 'third'].map(async (title) => {
      const response = await create(title)
      return (await response.json()) as { id: number; schedule: { nextRunDate: number } }
    }),
  )
  const elsewhere = await control.in('elsewhere').getClock()
  expect(elsewhere.now).toBe('2026-03-05T14:30:00.000Z')
  const { now, runs } = await work
  expect(now).toBe('2027-03-05T14:30:00.000Z')
  expect(runs.map(({ id }) => id)).toEqual(runs.map((_, index) => index + 1))
  expect(runs.flatMap(({ deliveries }) => deliveries.map(({ id }) => id)).at(-1)).toBe(3 * runs.length)
  expect(await checks).toBeGreaterThan(5)
  const counts = Map.groupBy(runs, ({ scheduleId }) => scheduleId)
  expect(counts.size).toBeGreaterThanOrEqual(300)
  // What was created meanwhile ran in all of the year, being before the advance, or in none of it.
  expect(new Set([...counts.values()].map(({ length }) => length))).toEqual(new Set([52]))
  for (const { id, schedule } of await created)
    if (!counts.has(id)) expect(schedule.nextRunDate).toBeGreaterThan(Date.parse(now))
})

test('a long advance leads to the same state as many short ones', async () => {
  const [once, often] = [await createBusy(50), await createBusy(50)]
  await once.control.advanceClock({ by: 'P26W' })
  for (let week = 0; week < 26; week++) await often.control.advanceClock({ by: 'P7D' })
  expect(await once.control.getState()).toEqual(await often.control.getState())
})

longTest(
  'a client that leaves ends an advance between two steps, the clock stands where it came to, and a stop waits for none',
  async () => {
    const { url, control, stop } = await createBusy(1000)
    const leaving = new AbortController()
    const sent = fetch(`${url}/__mock/clock/advance`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: '{"by":"P1Y"}',
      signal: leaving.signal,
    })
    await fetch(`${url}/__mock/health`)
    leaving.abort()
    await expect(sent).rejects.toThrow()
    const { now } = await control.getClock()
    expect(now < '2027-03-05').toBe(true)
    const { deliveries } = await control.listDeliveries({ limit: 1 })
    expect((deliveries[0]?.at ?? '') <= now).toBe(true)
    const again = control.advanceClock({ by: 'P1Y' }).catch((error: unknown) => error)
    await fetch(`${url}/__mock/health`)
    await stop()
    // A stop lets open requests finish for a while: the response is whole, or there is none.
    const ended = await again
    if (!(ended instanceof Error)) expect(ended).toMatchObject({ runs: { length: 52_000 } })
  },
)

longTest('a large journal is verified, listed and exported while other requests are answered', async () => {
  const { url, control, create } = await createBusy(0)
  for (let sent = 0; sent < 400; sent += 20)
    await Promise.all(Array.from({ length: 20 }, (_, index) => create(`${'x'.repeat(900)}${sent + index}`)))
  const expectations = Array.from({ length: 100 }, (_, index) => ({
    match: { json: { title: String(index) } },
    exactly: 0,
  }))
  const verified = control.verifyJournal({ expectations })
  expect(await checksDuring(url, verified)).toBeGreaterThan(5)
  expect(await verified).toMatchObject({ passed: true, exchanges: 400, forgotten: 0 })
  // A body of more than a mebibyte is sent while it is made.
  const exported = await fetch(`${url}/__mock/journal.har`)
  expect(exported.headers.get('transfer-encoding')).toBe('chunked')
  expect(((await exported.json()) as { log: { entries: unknown[] } }).log.entries).toHaveLength(400)
})

/** Files in one directory each; those of a thousand levels make as many directories. */
const filesAt = (count: number, levels = 1) =>
  Array.from({ length: count }, (_, index) => ({ path: `${levels}-${index}${'/d'.repeat(levels)}/file.txt` }))

test.runIf(takesAll)(
  'while files are added by the thousand or a thousand levels deep, stored and put back, other requests are answered',
  async () => {
    const { url, control } = await createBusy(0)
    const during = async <Result>(work: Promise<Result>) => {
      const checks = checksDuring(url, work)
      const result = await work
      expect(await checks).toBeGreaterThan(3)
      return result
    }
    const before = await control.getFileSet('demo')
    expect(await during(control.addFiles('demo', filesAt(8000)))).toMatchObject({ total: 8000 })
    expect(await during(control.addFiles('demo', filesAt(10, 1000)))).toMatchObject({ total: 10 })
    expect((await control.getFileSet('demo')).files).toBe(before.files + 8010)
    for (const { id } of (await control.listFileSets()).fileSets) if (id !== 'demo') await control.deleteFileSet(id)
    const state = await during(control.getState())
    await during(control.putState(state))
    await during(control.createFileSet({ id: 'other', files: filesAt(8000) }))
    expect(await control.getState()).toMatchObject({ fileSets: [state.fileSets[0], { id: 'other' }] })
    expect(await control.getReplay()).toMatchObject({ start: { nextEvent: 0 } })
  },
)

test('of two requests that add the same many files at the same time, one is refused, and nothing is there twice', async () => {
  const { control } = await createBusy(0)
  const { files: before } = await control.getFileSet('demo')
  const add = async () => {
    try {
      return (await control.addFiles('demo', filesAt(3000))).total
    } catch (error) {
      return (error as { status: number }).status
    }
  }
  expect((await Promise.all([add(), add()])).toSorted((a, b) => a - b)).toEqual([400, 3000])
  expect(await control.getFileSet('demo')).toMatchObject({ files: before + 3000, version: 1 })
})
