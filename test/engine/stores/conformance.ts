import { expect, onTestFinished, test } from 'vitest'
import { type EventStore, StartupError, type StoredRecord } from '../../../src/index.ts'
import type { LocalStore } from '../../../src/engine/stores/event-store.ts'
import { differences, type RunFingerprint } from '../../../src/engine/stores/fingerprint.ts'

type AnyStore = EventStore | LocalStore

/** Where a store keeps its events; each call of `open` is another process. */
export interface Place {
  open(): Promise<AnyStore> | AnyStore
  remove(): Promise<void> | void
}

export const FINGERPRINT: RunFingerprint = {
  standin: '1.0.0',
  seed: 1,
  files: 0,
  clock: 'machine',
  firstMoment: '2026-03-05T00:00:00.000Z',
  contract: 'sha256:one',
  fixtures: [],
}

const SNAPSHOT = [
  { image: 'beginning', value: { a: 1 } },
  { image: 'present', value: { a: 'é\n"' } },
]
const MOST = 3

function eventRecord(number: number): StoredRecord {
  return { number, at: '2026-03-05T00:00:00.000Z', requests: 0, events: [{ type: 'x', id: number }] }
}

async function opened(place: Place, fingerprint = FINGERPRINT): Promise<AnyStore> {
  const store = await place.open()
  refuseOther(await store.open(fingerprint), fingerprint)
  return store
}

/** @param then what a store of several processes keeps; others refuse themselves */
function refuseOther(then: unknown, now: RunFingerprint): void {
  const found = then === undefined ? [] : differences(then as RunFingerprint, now)
  if (found.length > 0) throw new StartupError(found)
}

async function create(store: AnyStore, name: string): Promise<string> {
  return (await store.create({ name, ttl: null, usedAt: 1000 }, { next: 0, records: SNAPSHOT }, MOST)) ?? 'none'
}

function append(store: AnyStore, stream: string, expected: number) {
  return store.append(stream, { expected, next: expected + 1, records: [eventRecord(expected)] })
}

async function recordsOf(store: AnyStore, stream: string, from?: number) {
  const found = await (store as EventStore).read(stream, from)
  return found && { first: found.first, records: Array.from(found.records, ({ value }) => value) }
}

/** What every store does. */
export function describeStore(name: string, begin: () => Promise<Place> | Place): void {
  const placed = async () => {
    const place = await begin()
    onTestFinished(() => place.remove())
    return place
  }

  test(`${name}: another process finds what was created, appended and removed, in its order`, async () => {
    const place = await placed()
    const first = await opened(place)
    expect(await first.list()).toEqual([])
    const [one, two, gone] = [await create(first, 'one'), await create(first, 'two'), await create(first, 'gone')]
    for (const expected of [0, 1, 2]) expect(await append(first, one, expected)).toBe(true)
    await first.remove(gone)
    await first.close()
    const second = await opened(place)
    expect(second.firstMoment).toBe(Date.parse(FINGERPRINT.firstMoment))
    expect(await second.list()).toMatchObject([
      { stream: one, name: 'one', ttl: null },
      { stream: two, name: 'two', ttl: null },
    ])
    expect(await recordsOf(second, one)).toEqual({ first: 0, records: [...SNAPSHOT, ...[0, 1, 2].map(eventRecord)] })
    expect(await recordsOf(second, two)).toEqual({ first: 0, records: SNAPSHOT })
    await second.close()
  })

  test(`${name}: a commit that is not the next one is refused, and so is a gap`, async () => {
    const store = await opened(await placed())
    const stream = await create(store, 'one')
    expect(await append(store, stream, 0)).toBe(true)
    expect(await append(store, stream, 0)).toBe(false)
    expect(await append(store, stream, 5)).toBe(false)
    expect(await append(store, stream, 1)).toBe(true)
    await store.close()
  })

  test(`${name}: a snapshot replaces what was before it`, async () => {
    const place = await placed()
    const store = await opened(place)
    const stream = await create(store, 'one')
    for (const expected of [0, 1]) await append(store, stream, expected)
    const later = [
      { image: 'beginning', value: 2 },
      { image: 'present', value: 2 },
    ]
    await store.snapshot(stream, { next: 2, records: later })
    expect(await append(store, stream, 1)).toBe(false)
    expect(await append(store, stream, 2)).toBe(true)
    await store.close()
    const again = await opened(place)
    expect(await recordsOf(again, stream)).toEqual({ first: 2, records: [...later, eventRecord(2)] })
    expect(again.isLong(stream)).toBe(false)
    await again.close()
  })

  test(`${name}: a start with another initial state is refused, and changes nothing`, async () => {
    const place = await placed()
    const store = await opened(place)
    await create(store, 'one')
    await store.close()
    const other = await place.open()
    const fingerprint = { ...FINGERPRINT, seed: 2 }
    const refused = async () => refuseOther(await other.open(fingerprint), fingerprint)
    await expect(refused()).rejects.toThrow(StartupError)
    await expect(refused()).rejects.toThrow(/--seed 1, and this start has 2/)
    await other.close()
    const again = await opened(place)
    expect((await again.list()).map((one) => one.name)).toEqual(['one'])
    await again.close()
  })
}

/** What stores of several processes do besides. */
export function describeSharedStore(name: string, begin: () => Promise<Place> | Place): void {
  const pair = async () => {
    const place = await begin()
    onTestFinished(() => place.remove())
    const both = [(await opened(place)) as EventStore, (await opened(place)) as EventStore] as const
    onTestFinished(async () => {
      for (const store of both) await store.close()
    })
    return both
  }

  test(`${name}: of two processes that append at once, one is refused and reads what the other one stored`, async () => {
    const [one, two] = await pair()
    const stream = await create(one, 'shared')
    for (let expected = 0; expected < 20; expected++) {
      const stored = await Promise.all([append(one, stream, expected), append(two, stream, expected)])
      expect(stored.toSorted()).toEqual([false, true])
      expect(await recordsOf(two, stream, expected)).toEqual({ first: expected, records: [eventRecord(expected)] })
    }
    expect(await recordsOf(one, stream, 20)).toEqual({ first: 20, records: [] })
  })

  test(`${name}: a reader behind a snapshot, or ahead of the stream, is given the snapshot`, async () => {
    const [one, two] = await pair()
    const stream = await create(one, 'shared')
    for (const expected of [0, 1, 2]) await append(one, stream, expected)
    await one.snapshot(stream, { next: 2, records: SNAPSHOT })
    const whole = { first: 2, records: [...SNAPSHOT, eventRecord(2)] }
    expect(await recordsOf(two, stream, 1)).toEqual(whole)
    expect(await recordsOf(two, stream, 9)).toEqual(whole)
    expect(await recordsOf(two, stream, 2)).toEqual({ first: 2, records: [eventRecord(2)] })
  })

  test(`${name}: a name and the number of streams hold over all processes, and a name that was removed is free`, async () => {
    const [one, two] = await pair()
    const made = await Promise.all([create(one, 'a'), create(two, 'a')])
    expect(made.filter((stream) => stream === 'none')).toHaveLength(1)
    await create(one, 'b')
    await create(two, 'c')
    expect(await create(one, 'd')).toBe('none')
    const [{ stream } = { stream: '' }] = await one.list()
    await two.remove(stream)
    expect(await recordsOf(one, stream, 0)).toBeUndefined()
    expect(await append(one, stream, 0)).toBe(false)
    expect(await create(one, 'a')).not.toBe(stream)
  })

  test(`${name}: a stream is removed once, and only where it was not used after a moment`, async () => {
    const [one, two] = await pair()
    const stream = await create(one, 'shared')
    const usedAt = async () => (await two.list()).map((kept) => kept.usedAt)
    expect(await usedAt()).toEqual([1000])
    expect(await one.use(stream, 5000, 1000)).toBe(false)
    expect(await one.use(stream, 5000, 999)).toBe(true)
    // The clocks of two processes differ.
    expect(await two.use(stream, 4000, 999)).toBe(true)
    expect(await usedAt()).toEqual([5000])
    expect(await two.remove(stream, 4999)).toBe(false)
    const removed = await Promise.all([one.remove(stream, 5000), two.remove(stream, 5000)])
    expect(removed.toSorted()).toEqual([false, true])
    expect(await two.use(stream, 6000, 0)).toBe(false)
    expect(await one.list()).toEqual([])
    expect(await two.remove(await create(one, 'shared'))).toBe(true)
  })

  test(`${name}: no number is reserved twice`, async () => {
    const [one, two] = await pair()
    const stream = await create(one, 'shared')
    const first = await Promise.all([one.reserve(stream, 10), two.reserve(stream, 10), one.reserve(stream, 5)])
    expect(first.toSorted((a, b) => a - b)[0]).toBe(0)
    expect(new Set(first).size).toBe(3)
    expect(await two.reserve(stream, 0)).toBe(25)
  })
}

/** What stores do that share exchanges. */
export function describeExchanges(name: string, begin: () => Promise<Place> | Place): void {
  const opening = async () => {
    const place = await begin()
    onTestFinished(() => place.remove())
    const store = (await opened(place)) as EventStore
    onTestFinished(() => store.close())
    const { exchanges } = store
    if (!exchanges) throw new Error('the store shares no exchanges')
    const stream = await create(store, 'one')
    const now = async () => (await store.read(stream, 0))?.moment ?? -1
    const add = async (writer: string, round: number, texts: readonly string[], isOver = true) => {
      const moment = await now()
      const batch = { writer, round, isOver, isLossy: false, exchanges: texts.map((text) => ({ moment, text })) }
      await exchanges.add(stream, batch)
      return batch
    }
    const readAfter = async (number: number) => {
      const found = await exchanges.read(stream, await now(), number)
      return found && { ...found, exchanges: found.exchanges.map((one) => `${one.number} ${one.text}`) }
    }
    return { store, exchanges, stream, now, add, readAfter }
  }

  test(`${name}: moments grow, and exchanges are read in the order of theirs, whoever added them first`, async () => {
    const { exchanges, stream, now, readAfter } = await opening()
    const [one, two] = [await exchanges.join(), await exchanges.join()]
    expect(one).not.toBe(two)
    const [early, late] = [await now(), await now()]
    expect(late).toBeGreaterThan(early)
    const batchOf = (writer: string, moment: number, text: string) => ({
      writer,
      round: 0,
      isOver: true,
      isLossy: false,
      exchanges: [
        { moment, text },
        { moment, text: `${text}, é\0` },
      ],
    })
    await exchanges.add(stream, batchOf(two, late, 'later'))
    await exchanges.add(stream, batchOf(one, early, 'earlier'))
    const all = ['1 earlier', '2 earlier, é\0', '3 later', '4 later, é\0']
    const rest = { last: 4, clearedUpTo: 0, uncoveredUpTo: 0 }
    expect(await readAfter(0)).toEqual({ ...rest, exchanges: all })
    expect(await readAfter(3)).toEqual({ ...rest, exchanges: all.slice(3) })
  })

  test(`${name}: what was over after a moment has no number yet`, async () => {
    const { exchanges, stream, now, add } = await opening()
    const writer = await exchanges.join()
    await add(writer, 0, ['before'])
    const moment = await now()
    await add(writer, 1, ['after'])
    expect(await exchanges.read(stream, moment, 0)).toMatchObject({ last: 1, exchanges: [{ text: 'before' }] })
    expect(await exchanges.read(stream, await now(), 1)).toMatchObject({ last: 2, exchanges: [{ text: 'after' }] })
  })

  test(`${name}: a batch that is added again changes nothing`, async () => {
    const { exchanges, stream, add, readAfter } = await opening()
    const writer = await exchanges.join()
    const batch = await add(writer, 4, ['once'])
    expect((await readAfter(0))?.last).toBe(1)
    expect(await exchanges.add(stream, batch)).toBe(1)
    expect(await readAfter(0)).toMatchObject({ last: 1, exchanges: ['1 once'] })
  })

  test(`${name}: a writer works from its beginning until it is over, in rounds`, async () => {
    const { exchanges, stream, add } = await opening()
    const writer = await exchanges.join()
    const working = async () => [...((await exchanges.look(stream))?.working ?? [])]
    expect(await working()).toEqual([])
    await exchanges.begin(stream, writer, 0)
    expect(await working()).toEqual([[writer, 0]])
    await add(writer, 0, ['one'], false)
    expect(await working()).toEqual([[writer, 1]])
    await add(writer, 1, [])
    expect(await working()).toEqual([])
  })

  test(`${name}: a cleared journal drops what is added late, and numbers continue`, async () => {
    const { exchanges, stream, now, add, readAfter } = await opening()
    const writer = await exchanges.join()
    await add(writer, 0, ['one'])
    const moment = await now()
    await exchanges.begin(stream, 'gone', 7)
    await exchanges.clear(stream, 'journal', ['gone'])
    await exchanges.add(stream, {
      writer,
      round: 1,
      isOver: true,
      isLossy: true,
      exchanges: [{ moment, text: 'late' }],
    })
    expect((await exchanges.look(stream))?.doubt).toMatch(/had no room/)
    await exchanges.clear(stream, 'journal', [])
    expect(await exchanges.look(stream)).toMatchObject({ working: new Map(), doubt: undefined })
    await add(writer, 2, ['two'])
    await exchanges.clear(stream, 'coverage', [])
    const found = await readAfter(1)
    expect(found).toEqual({ last: 2, clearedUpTo: 1, uncoveredUpTo: 1, exchanges: ['2 two'] })
  })

  test(`${name}: a commit can clear the journal in the same step`, async () => {
    const { store, exchanges, stream, add, readAfter } = await opening()
    await add(await exchanges.join(), 0, ['one'])
    const commit = { expected: 0, next: 1, records: [eventRecord(0)] }
    expect(await store.append(stream, { ...commit, expected: 3, clears: ['gone'] })).toBe(false)
    expect((await readAfter(0))?.clearedUpTo).toBe(0)
    expect(await store.append(stream, { ...commit, clears: ['gone'] })).toBe(true)
    expect((await readAfter(0))?.clearedUpTo).toBe(1)
  })

  test(`${name}: the oldest exchanges are dropped beyond a number and a length, and none are kept of a removed stream`, async () => {
    const { store, exchanges, stream, add, readAfter } = await opening()
    const writer = await exchanges.join()
    const texts = Array.from({ length: 700 }, (_, at) => `text ${at}`)
    await add(writer, 0, texts)
    await add(writer, 1, texts)
    const found = await readAfter(0)
    expect([found?.last, found?.exchanges.length, found?.exchanges[0]]).toEqual([1400, 1000, '401 text 400'])
    const long = 'x'.repeat(1024 * 1024)
    for (let round = 2; round < 12; round++) await add(writer, round, [`${round} ${long}`])
    const kept = (await readAfter(0))?.exchanges ?? []
    expect(kept.length).toBeLessThan(9)
    expect(kept.at(-1)?.startsWith('1410 11 x')).toBe(true)
    await store.remove(stream)
    expect(await exchanges.look(stream)).toBeUndefined()
    expect(await readAfter(0)).toBeUndefined()
    expect(await exchanges.add(stream, { writer, round: 20, isOver: true, isLossy: false, exchanges: [] })).toBe(0)
  })
}
