/**
 * `npm run check:growth`: counts what searches, builds and changes do in file sets of three sizes, each ten times the one before, and
 * fails when one of them grows faster than it may. It also counts what long work does in its longest step, between two turns of the
 * event loop. No clock is read: the counts are the same on every machine (see `work.ts`).
 *
 * @example node bench/guard.ts
 */
import { complainOfGrowth, format, type GrowthOrder, largestGrowth, type Measured } from './growth-rule.ts'
import type { Search, Subject } from './subject.ts'
import { startCounting, type Work } from './work.ts'

const SIZES = [1_000, 10_000, 100_000]
/** What must not grow is done so many times, so that allocations stand out from noise. */
const TIMES = 20

const countWork = startCounting()
// Blocks are counted only in code that is loaded after counting began.
const { createSubject, addThroughLibrary, generateFiles, readText } = await import('./subject.ts')

interface Case {
  readonly what: string
  readonly order: GrowthOrder
  /** See `complainOfGrowth`. */
  readonly extraBytes?: number
  count(subject: Subject, files: number): Work
}

const NEWEST_FIRST: Search = { fieldSort: [{ field: 'created', order: 'DESC' }] }
const BY_NAME: Search = { fieldSort: [{ field: 'name', order: 'ASC' }] }
const BY_SIZE: Search = { fieldSort: [{ field: 'size', order: 'ASC' }] }
const RARE: Search = { filters: [{ field: 'name', operator: 'LIKE', value: ['zzqx'], not: false }] }

/** In this order for each size: the sorts that a case needs are built by the cases before it. */
const CASES: readonly Case[] = [
  {
    what: 'the start of a server whose files nobody looks at',
    order: 'flat',
    count(_, files) {
      // What all servers share is made by the first.
      addThroughLibrary(1)
      // Larger sets are made at the start.
      return countWork(() => addThroughLibrary(Math.min(files, 10_000)))
    },
  },
  { what: 'making the file set', order: 'sorting', count: (_, files) => countWork(() => createSubject(files)) },
  build('the first page by path, with the order to be made', {}),
  build('the first page by date, with the order to be made', NEWEST_FIRST),
  build('the first page by name, with the order to be made', BY_NAME),
  build('the first page by size, with the order to be made', BY_SIZE),
  steady('the first page by date', (subject) => () => subject.page(NEWEST_FIRST)),
  steady('a page that nobody has asked for, by size', (subject) => pageByPage(subject, { ...BY_SIZE, limit: 20 })),
  steady('a page in the middle by date', (subject, files) => pageAt(subject, NEWEST_FIRST, files / 2)),
  steady('a page in the middle by name', (subject, files) => pageAt(subject, BY_NAME, files / 2)),
  steady('one entry in the middle by date', (subject, files) =>
    pageAt(subject, { ...NEWEST_FIRST, limit: 1 }, files / 2),
  ),
  steady(
    'the first page of the immediate children of a directory',
    (subject) => () => subject.page({ directoryPath: 'finance/budgets', immediateChildren: true, limit: 10 }),
  ),
  {
    what: 'a LIKE that finds nothing',
    order: 'linear',
    count: (subject) => countWork(() => subject.page(RARE)),
  },
  {
    what: 'a range of dates, newest first',
    order: 'linear',
    // Up to 20,000 files their times are kept; a larger set computes them anew, about 100 bytes each.
    extraBytes: 2 ** 23,
    count: (subject) =>
      countWork(() =>
        subject.page({
          ...NEWEST_FIRST,
          dateFilters: [{ field: 'created', start: '2024-03-01T00:00:00Z', end: '2024-03-02T00:00:00Z', not: false }],
        }),
      ),
  },
  steady('a file added', (subject) => eachTime((time) => subject.add(`added/${time}.txt`))),
  steady('a page after files were added', (subject) => () => subject.page(NEWEST_FIRST)),
  steady('a file removed', (subject) => eachTime((time) => subject.remove(`added/${time}.txt`))),
]

/** Something done for the first time in a set. */
function build(what: string, search: Search): Case {
  return { what, order: 'sorting', count: (subject) => countWork(() => subject.page(search)) }
}

/** Something that costs the same in every set, once what it needs was made. */
function steady(what: string, prepare: (subject: Subject, files: number) => () => unknown): Case {
  return {
    what,
    order: 'flat',
    count(subject, files) {
      const run = prepare(subject, files)
      return average(
        countWork(() => {
          for (let time = 0; time < TIMES; time++) run()
        }),
      )
    },
  }
}

function average({ steps, moved, allocated, where, movedWhere }: Work): Work {
  const each = (counts: ReadonlyMap<string, number>) =>
    new Map([...counts].map(([name, count]) => [name, count / TIMES]))
  return {
    steps: steps / TIMES,
    moved: moved / TIMES,
    allocated: allocated / TIMES,
    where: each(where),
    movedWhere: each(movedWhere),
  }
}

/** The page that follows about so many entries; one large page leads there. */
function pageAt(subject: Subject, search: Search, place: number): () => void {
  const token = subject.page({ ...search, limit: place }).next
  return () => void subject.page(search, token)
}

/** Each time the page after the one before. */
function pageByPage(subject: Subject, search: Search): () => void {
  let token = subject.page(search).next
  return () => (token = subject.page(search, token).next)
}

function eachTime(run: (time: number) => void): () => void {
  let time = 0
  return () => run(time++)
}

/** Blocks of our code that one step of long work enters, and elements and characters that built-in methods go over in it: about 20 ms. */
const MOST_IN_A_STEP = { steps: 800_000, moved: 4_000_000 }

const LONG_WORK: readonly { readonly what: string; start(): Generator<undefined, unknown> }[] = [
  { what: 'generating 1,000,000 files', start: () => generateFiles(1_000_000) },
  // Without a comma, where a text is cut otherwise.
  { what: 'reading 4 MB of line breaks', start: () => readText(`${'\n'.repeat(4_000_000)}1`) },
  { what: 'reading one string of 4 MB', start: () => readText(`["${'a\\"'.repeat(1_300_000)}"]`) },
]

function countLongestStep(work: Generator<undefined, unknown>) {
  const longest = { steps: 0, moved: 0 }
  for (;;) {
    const { steps, moved, isOver } = countStep(work)
    longest.steps = Math.max(longest.steps, steps)
    longest.moved = Math.max(longest.moved, moved)
    if (isOver) return longest
  }
}

function countStep(work: Generator<undefined, unknown>): Work & { readonly isOver: boolean } {
  let isOver = false
  const counted = countWork(() => (isOver = work.next().done === true))
  return { ...counted, isOver }
}

const measured = new Map(CASES.map(({ what }) => [what, [] as Measured[]]))
for (const files of SIZES) {
  const subject = createSubject(files)
  for (const { what, count } of CASES) measured.get(what)?.push({ files, work: count(subject, files) })
}

const longest = LONG_WORK.map(({ what, start }) => ({ what, ...countLongestStep(start()) }))

const complaints = [
  ...CASES.flatMap(
    ({ what, order, extraBytes }) => complainOfGrowth(what, order, measured.get(what) ?? [], { extraBytes }) ?? [],
  ),
  ...longest
    .filter(({ steps, moved }) => steps > MOST_IN_A_STEP.steps || moved > MOST_IN_A_STEP.moved)
    .map(
      ({ what, steps, moved }) =>
        `${what}: one step enters ${format(steps)} blocks of our code, and built-in methods go over ${format(moved)} elements and characters in it. At most ${format(MOST_IN_A_STEP.steps)} and ${format(MOST_IN_A_STEP.moved)} are allowed, so that other requests get their turn. Yield more often.`,
    ),
]
console.table(
  CASES.map(({ what, order }) => {
    const all = measured.get(what) ?? []
    return {
      what,
      'may grow': order,
      ...Object.fromEntries(all.map(({ files, work }) => [`steps at ${format(files)}`, format(work.steps)])),
      'most growth': `× ${largestGrowth(all, 'steps').toFixed(2)}`,
    }
  }),
)
console.table(longest.map(({ what, steps, moved }) => ({ what, 'blocks in its longest step': steps, moved })))
if (complaints.length > 0) {
  console.error(
    `check:growth: ${complaints.length} of ${CASES.length + LONG_WORK.length} do too much.\n\n${complaints.join('\n\n')}`,
  )
  process.exitCode = 1
}
