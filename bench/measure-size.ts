/**
 * Measures a file set of one size in a process of its own, so that no other set is in the way of its figures, and prints them as JSON.
 * Run by `growth.ts`: `node --expose-gc bench/measure-size.ts 1000000`.
 */
import { getHeapStatistics } from 'node:v8'
import { median } from './frame/spread.ts'
import { needleIn, SORTS } from './questions.ts'
import { quantile } from './statistics.ts'
import { addThroughLibrary, createSubject, type Entry, type Page, type Search, type Subject } from './subject.ts'

/** Figures of one size by name; the unit is what follows the last comma. */
export type Figures = Readonly<Record<string, number>>

/** Collects garbage, and waits until the buffers of what is gone are given back, which happens beside the program. */
type Settle = () => Promise<void>

const STEPS = 2_000
const REPETITIONS = 25
const NEWEST_FIRST: Search = { fieldSort: [{ field: 'created', order: 'DESC' }] }

/** Measures everything, in an order in which nothing is made before it is to be measured. */
export async function measureSize(files: number, settle: Settle): Promise<Figures> {
  // Code that never ran is slow: a small set is measured first, and forgotten.
  await measureSet(createSubject(2_000), 2_000, settle)
  await settle()
  const before = held()
  const began = performance.now()
  const subject = createSubject(files)
  const generated = performance.now() - began
  await settle()
  const size = held() - before
  return {
    'generation, ms': generated,
    'one file, bytes': size / files,
    ...(await measureSet(subject, files, settle)),
    'first addFiles of an instance, ms': time(addThroughLibrary(files)),
    'resident at the end, MiB': process.memoryUsage().rss / 2 ** 20,
  }
}

async function measureSet(subject: Subject, files: number, settle: Settle): Promise<Figures> {
  const names = sampleNames(subject)
  const like = (needle: string) =>
    subject.page({ filters: [{ field: 'name', operator: 'LIKE', value: [needle], not: false }] })
  const firstLike = time(() => like(needleIn(names[0] ?? '')))
  const rare = repeat((repetition) => like(needleIn(names[repetition + 1] ?? '')))
  const none = repeat((repetition) => like(`zq${repetition}x`))
  const orders = await measureOrders(subject, settle)
  return {
    'LIKE, the first of all, ms': firstLike,
    'LIKE, rare needle, ms': median(rare),
    'LIKE, no match, ms': median(none),
    ...orders,
    ...measurePages(subject, files),
    ...(await measureChanges(subject, settle)),
  }
}

/** Names from all over the set, of which no two are the same. */
function sampleNames(subject: Subject): string[] {
  const entries = [
    ...subject.page({ limit: 1_000 }).fragments,
    ...subject.page({ limit: 1_000, fieldSort: [{ field: 'path', order: 'DESC' }] }).fragments,
  ].map((text) => JSON.parse(text) as Entry)
  return [...new Set(entries.map(({ name }) => name).filter((name) => /^[^%_\\]{28,}$/.test(name)))]
}

/** Each order by one key, made by the first page that asks for it. The one by path is there already. */
async function measureOrders(subject: Subject, settle: Settle): Promise<Figures> {
  await settle()
  const before = held()
  const times = SORTS.map(({ name, ask }) => [name, time(() => subject.page(ask(0)))] as const)
  await settle()
  return {
    ...Object.fromEntries(times.map(([name, took]) => [`${name}, with its order to be made, ms`, took])),
    'all orders by one key, ms': times.reduce((sum, [, took]) => sum + took, 0),
    'kept of all orders by one key, bytes': Math.max(0, held() - before),
  }
}

/** Pages and steps, when the order is there. The deep page begins in the middle of the set, or after 5,000 pages of 100. */
function measurePages(subject: Subject, files: number): Figures {
  const depth = Math.min(500_000, Math.floor(files / 2))
  const deep = walkTo(subject, depth).next
  const first = {
    hundred: repeat(() => subject.page(NEWEST_FIRST)),
    one: repeat(() => subject.page({ ...NEWEST_FIRST, limit: 1 })),
  }
  const later = repeat(() => subject.page(NEWEST_FIRST, deep))
  const hundreds = takeSteps(subject, NEWEST_FIRST, undefined)
  const ones = takeSteps(subject, { ...NEWEST_FIRST, limit: 1 }, deep)
  return {
    'first page of 100, ms': median(first.hundred),
    'first page of 1, ms': median(first.one),
    'deep page of 100, ms': median(later),
    'step of 100, p50, ms': quantile(hundreds, 0.5),
    'step of 100, p99, ms': quantile(hundreds, 0.99),
    'step of 1 in the middle, p50, ms': quantile(ones, 0.5),
    'step of 1 in the middle, p99, ms': quantile(ones, 0.99),
  }
}

/** A page that ends after so many entries, by pages of 1,000. */
function walkTo(subject: Subject, depth: number): Page {
  let page = subject.page({ ...NEWEST_FIRST, limit: 1_000 })
  for (let given = 1_000; given < depth && page.next !== undefined; given += 1_000) {
    page = subject.page({ ...NEWEST_FIRST, limit: 1_000 }, page.next)
  }
  return page
}

/** Milliseconds of each step; after the last page the walk begins again. */
function takeSteps(subject: Subject, search: Search, from: string | undefined): number[] {
  let token = from
  return Array.from({ length: STEPS }, () => {
    let page: Page | undefined
    const took = time(() => (page = subject.page(search, token)))
    token = page?.next ?? from
    return took
  })
}

/** With every order made: the first change is the one that may have something to prepare. */
async function measureChanges(subject: Subject, settle: Settle): Promise<Figures> {
  await settle()
  const before = held()
  const allocatedBefore = getHeapStatistics().total_allocated_bytes
  const first = time(() => subject.add('added/first.txt'))
  const allocated = getHeapStatistics().total_allocated_bytes - allocatedBefore
  await settle()
  const kept = held() - before
  const page = time(() => subject.page(NEWEST_FIRST))
  const more = repeat((repetition) => subject.add(`added/${repetition}.txt`))
  const removed = repeat((repetition) => subject.remove(`added/${repetition}.txt`))
  return {
    'first change of a file, ms': first,
    'kept of the first change of a file, bytes': Math.max(0, kept),
    'allocated by the first change of a file, bytes': allocated,
    'first page after a change, ms': page,
    'file added, ms': median(more),
    'file removed, ms': median(removed),
  }
}

/** On the heap and in array buffers; to be asked after a collection. */
function held(): number {
  const { heapUsed, arrayBuffers } = process.memoryUsage()
  return heapUsed + arrayBuffers
}

function time(run: () => unknown): number {
  const began = performance.now()
  run()
  return performance.now() - began
}

/** What takes a second is not repeated as often. */
function repeat(run: (repetition: number) => unknown): number[] {
  const until = performance.now() + 2_000
  const times: number[] = []
  while (times.length < REPETITIONS && (times.length < 3 || performance.now() < until)) {
    const repetition = times.length
    times.push(time(() => run(repetition)))
  }
  return times
}

if (import.meta.main) {
  const collect = globalThis.gc
  if (!collect) throw new Error('start this with --expose-gc: bytes are counted after a collection of garbage')
  const settle = async () => {
    for (let time = 0; time < 3; time++) {
      collect()
      await new Promise((resolve) => setImmediate(resolve))
    }
  }
  console.log(JSON.stringify(await measureSize(Number(process.argv[2]), settle)))
}
