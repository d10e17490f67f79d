import assert from 'node:assert/strict'
import fc from 'fast-check'
import { assertSame } from '../assert-same.ts'
import type { Rounds } from '../campaign.ts'
import { readPage } from '../page.ts'
import { checkOnce } from '../property.ts'
import { type Service, startService } from '../service.ts'
import {
  anyFault,
  anyPart,
  anyRules,
  anyWhole,
  behavioursOf,
  shownBy,
} from '../../../test/resources/report-schedules/arbitrary-report-schedules.ts'
import {
  directoriesAbove,
  type Draft,
  drafts,
  type FileSet,
  fileSets,
  pick,
} from '../../../test/resources/file-sets/arbitrary-searches.ts'
import { type Info, NaiveReportSchedules } from '../../../test/resources/report-schedules/naive-report-schedules.ts'
import { PACKAGED } from '../../../test/support/packaged.ts'
import { type Entry, searchNaively } from '../../../test/resources/file-sets/naive-search.ts'

const CLOCK = '2026-03-05T14:30:00.000Z'
/** The id of the first schedule that is created; those of the package are there from the start. */
const FIRST = PACKAGED.reportSchedules + 1

type Command =
  | { readonly kind: 'create'; readonly info: Info; readonly fault: object | null }
  | { readonly kind: 'update'; readonly place: number; readonly info: Info; readonly fault: object | null }
  | { readonly kind: 'search'; readonly draft: Draft; readonly limit: number; readonly fault: object | null }
  | { readonly kind: 'add'; readonly path: string }
  | { readonly kind: 'remove'; readonly place: number }
  | { readonly kind: 'wait'; readonly minutes: number }

/** What no search may contain. */
const searchFaults = pick<object>(
  { limit: 0 },
  { limit: 'ten' },
  { next: 'AAAA' },
  { directoryPath: '../a' },
  { immediateChildren: 'yes' },
)
const sometimes = <T>(fault: fc.Arbitrary<T>) =>
  fc.oneof({ weight: 3, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: fault })

const anyCommand: fc.Arbitrary<Command> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant('create' as const), info: anyWhole, fault: sometimes(anyFault) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('create' as const), info: anyPart, fault: fc.constant(null) }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('update' as const),
      place: fc.nat(99),
      info: anyPart,
      fault: sometimes(anyFault),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('search' as const),
      draft: drafts,
      limit: fc.integer({ min: 1, max: 100 }),
      fault: sometimes(searchFaults),
    }),
  },
  {
    weight: 1,
    arbitrary: fc
      .array(pick('a', 'b', 'A', 'new', '\u{1f600}'), { minLength: 1, maxLength: 3 })
      .map((segments) => ({ kind: 'add' as const, path: `${segments.join('/')}.txt` })),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('remove' as const), place: fc.nat() }) },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('wait' as const), minutes: fc.integer({ min: 1, max: 60_000 }) }),
  },
)

const runs = (count: number) =>
  fc.record({
    rules: anyRules,
    fileSet: fileSets,
    // A command that becomes null makes a failing run shorter.
    commands: fc.array(fc.option(anyCommand, { freq: 10_000 }), { minLength: count, maxLength: count }),
  })

export async function open(): Promise<Rounds> {
  const service = await startService({ files: 0, clock: CLOCK, behaviours: { 'filter.numeric-like': 'digits' } })
  return {
    run: (round) =>
      checkOnce(service, round, runs(round.cases), async ({ rules, fileSet, commands: all }) => {
        await service.control.reset()
        await service.control.putBehaviours(behavioursOf(rules))
        await service.control.createFileSet({ id: 'any', ...(fileSet as { files: { path: string }[] }) })
        const state: State = {
          service,
          model: new NaiveReportSchedules(rules, FIRST),
          now: Date.parse(CLOCK),
          entries: await listEntries(service),
          explicit: explicitDirectories(fileSet),
        }
        for (const command of all) if (command) await take(state, command)
        await compareAll(state)
      }),
    requests: service.requests,
    close: async () => {
      await service.stop()
      return { requests: service.count() }
    },
  }
}

/** The server and the model, which take each command together. */
interface State {
  readonly service: Service
  readonly model: NaiveReportSchedules
  /** What the clock shows. */
  now: number
  /** Of the file set, as the server lists them; their paths are compared after each change. */
  entries: readonly Entry[]
  /** Directories that stay when they are empty. */
  readonly explicit: readonly string[]
}

async function take(state: State, command: Command): Promise<void> {
  switch (command.kind) {
    case 'create':
    case 'update':
      return write(state, command)
    case 'search':
      return search(state, command)
    case 'add':
      return add(state, command.path)
    case 'remove':
      return remove(state, command.place)
    case 'wait':
      state.now += command.minutes * 60_000
      await state.service.control.putClock({ mode: 'frozen', now: new Date(state.now).toISOString() })
  }
}

async function write({ service, model, now }: State, command: Extract<Command, { info: Info }>): Promise<void> {
  const body = { ...command.info, ...command.fault }
  const isRight = command.fault === null
  if (command.kind === 'create') {
    const response = await service.create(body)
    const expected = isRight ? model.create(command.info, now) : undefined
    assertSame(shownBy(response), expected)
    if (!expected) assert.equal(response.status, 400)
    return
  }
  const ids = [...model.stored.keys(), FIRST + 1000]
  const id = ids[command.place % ids.length]!
  const response = await service.update(id, body)
  const expected = isRight ? model.update(id, command.info, now) : undefined
  assertSame(shownBy(response), expected)
  if (!expected) assert(response.status === 400 || (response.status === 404 && !model.stored.has(id)), response.text)
}

/** One page, and the next one if there is one. */
async function search(
  { service, entries }: State,
  { draft, limit, fault }: Extract<Command, { kind: 'search' }>,
): Promise<void> {
  const { body, ...parameters } = draft(entries)
  const response = await service.search('any', { ...parameters, limit, ...fault }, body)
  if (fault !== null) {
    assert.equal(response.status, 400)
    return
  }
  const expected = searchNaively(entries, { ...parameters, body })
  const first = readPage(response)
  assert.deepEqual(first.files, expected.slice(0, limit))
  assert.equal(first.next !== undefined, expected.length > limit)
  if (first.next === undefined) return
  const second = readPage(await service.search('any', { limit, next: first.next }, {}))
  assert.deepEqual(second.files, expected.slice(limit, 2 * limit))
}

async function add(state: State, path: string): Promise<void> {
  const files = filesOf(state)
  const isTaken = state.entries.some((one) => one.path === path || one.path.startsWith(`${path}/`))
  if (isTaken || files.some((file) => directoriesAbove(path).includes(file))) return
  await state.service.control.addFiles('any', [{ path }])
  await readAgain(state, [...files, path])
}

async function remove(state: State, place: number): Promise<void> {
  const files = filesOf(state)
  const path = files[place % files.length]
  if (path === undefined) return
  await state.service.control.deleteFile('any', state.entries.find((entry) => entry.path === path)!.id)
  await readAgain(
    state,
    files.filter((one) => one !== path),
  )
}

function filesOf({ entries }: State): string[] {
  return entries.filter(({ fileType }) => fileType !== 'DIRECTORY').map(({ path }) => path)
}

/** The entries after a change: these files, the directories above them, and the explicit directories. */
async function readAgain(state: State, files: readonly string[]): Promise<void> {
  state.entries = await listEntries(state.service)
  const all = [...files, ...state.explicit]
  const expected = new Set([...all, ...all.flatMap(directoriesAbove)])
  assert.deepEqual(state.entries.map(({ path }) => path).sort(), [...expected].sort())
}

async function listEntries(service: Service): Promise<readonly Entry[]> {
  return readPage(await service.search('any', { limit: 100_000 }, {})).files
}

function explicitDirectories(fileSet: FileSet): string[] {
  if ('generate' in fileSet) return []
  const given = fileSet.files as readonly { readonly path: string; readonly fileType?: string }[]
  return given.filter(({ fileType }) => fileType === 'DIRECTORY').map(({ path }) => path)
}

/** Every schedule is as the model has it, and the next id is the model's. */
async function compareAll({ service, model, now }: State): Promise<void> {
  const { reportSchedules } = await service.control.listReportSchedules()
  const ids = reportSchedules.map(({ id }) => id).filter((id) => id >= FIRST)
  assert.deepEqual(ids, [...model.stored.keys()])
  // An update that says nothing shows everything, unless omitted members are cleared.
  if (model.rules.omitted === 'keep')
    for (const id of ids) assertSame(shownBy(await service.update(id, {})), model.show(id, now))
  assert.equal((await service.control.getState()).nextReportScheduleId, model.nextId)
}
