import { setTimeout as sleep } from 'node:timers/promises'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { connect, pagesOf, SearchError, type SearchOptions } from '../../examples/client/search.ts'
import { type ControlClient, createControlClient, createStandin, type FaultRequest } from '../../src/index.ts'

let client: ReturnType<typeof connect>
let control: ControlClient

beforeEach(async () => {
  const standin = createStandin({ port: 0, clock: '2026-03-05T14:30:00Z', files: 25 })
  const url = await standin.start()
  onTestFinished(() => standin.stop())
  client = connect(url, 'any')
  control = createControlClient({ url })
})

/** The ids of each page, with the waits that lay between; each advances the clock of the service instead. */
async function walk(options: SearchOptions = {}): Promise<{ pages: string[][]; waits: number[] }> {
  const pages: string[][] = []
  const waits: number[] = []
  const wait = async (milliseconds: number) => {
    waits.push(milliseconds)
    await control.advanceClock({ by: `PT${milliseconds / 1000}S` })
  }
  for await (const page of pagesOf(client, 'demo', { limit: 10, wait, ...options }))
    pages.push(page.files.map(({ id }) => id))
  return { pages, waits }
}

/** Every id in order, as one page. */
async function everything(): Promise<string[]> {
  const { pages } = await walk({ limit: 1000 })
  await control.deleteJournal()
  return pages.flat()
}

test('all pages of a search are read, each once', async () => {
  const all = await everything()
  const { pages, waits } = await walk()
  expect(pages.flat()).toEqual(all)
  expect(pages.length).toBeGreaterThan(2)
  expect(waits).toEqual([])
  const { passed } = await control.verifyJournal({ expectations: [{ walkedEveryPageOnce: true }] })
  expect(passed).toBe(true)
})

test.for(['null', 'empty'])('a walk ends also where the last page is marked by %s', async (mark) => {
  await control.putBehaviours({ 'page.last': mark })
  expect((await walk()).pages.length).toBeGreaterThan(2)
})

test('a busy service is asked again after the time that it names', async () => {
  const all = await everything()
  await control.armFaults({ kind: 'rate-limit', limit: 2, seconds: 30 })
  const { pages, waits } = await walk()
  expect(pages.flat()).toEqual(all)
  expect(Math.max(...waits)).toBeGreaterThan(1000)
  const { passed } = await control.verifyJournal({ expectations: [{ backedOffAtLeast: 1, clock: 'sandbox' }] })
  expect(passed).toBe(true)
})

test.for<FaultRequest>([
  { kind: 'status', status: 503 },
  { kind: 'reset' },
  { kind: 'empty' },
  { kind: 'truncated' },
  { kind: 'garbage', of: 'body' },
])('a page that fails once by $kind is read again', async (fault) => {
  const all = await everything()
  await control.armFaults({ ...fault, match: { operationId: 'searchFiles', page: 2 }, times: 1 })
  const { pages } = await walk({ wait: sleep })
  expect(pages.flat()).toEqual(all)
  const { exchanges } = await control.listExchanges()
  expect(exchanges).toHaveLength(pages.length + 1)
})

test('a search that was given up is resumed where it stopped', async () => {
  const all = await everything()
  await control.armFaults({ id: 'down', kind: 'status', status: 503, match: { operationId: 'searchFiles', page: 2 } })
  const read: string[] = []
  let failure: unknown
  try {
    for await (const page of pagesOf(client, 'demo', { limit: 10, attempts: 3, wait: () => Promise.resolve() }))
      read.push(...page.files.map(({ id }) => id))
  } catch (error) {
    failure = error
  }
  if (!(failure instanceof SearchError)) throw new Error('The search did not fail.')
  expect(failure.message).toBe('The service responded with 503.')
  expect(read).toEqual(all.slice(0, 10))
  await control.removeFault('down')
  const { pages } = await walk({ resumeAt: failure.resumeAt })
  expect([...read, ...pages.flat()]).toEqual(all)
})

test('what will not change is not asked again', async () => {
  const walking = walk({ search: { filters: [{ field: 'colour', operator: 'LIKE', value: ['red'] }] } })
  await expect(walking).rejects.toThrow('The service responded with 400.')
  expect((await control.listExchanges()).exchanges).toHaveLength(1)
})

test('a wait can be stopped', async () => {
  await control.armFaults({ kind: 'status', status: 429, headers: { 'Retry-After': '3600' } })
  const stop = new AbortController()
  const walking = pagesOf(client, 'demo', { signal: stop.signal }).next()
  setTimeout(() => stop.abort(new Error('enough')), 200)
  await expect(walking).rejects.toThrow()
})
